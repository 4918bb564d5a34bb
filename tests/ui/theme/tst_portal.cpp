// SPDX-License-Identifier: Apache-2.0
// The desktop portal, played by this program on a bus of its own. Needs dbus-daemon, and fails
// without it.
#include "ui/theme/color_scheme_portal.h"
#include "ui/theme/theme.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QProcess>
#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusContext>
#include <QtDBus/QDBusMessage>
#include <QtDBus/QDBusVariant>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <memory>

using namespace sotto::ui;
using Scheme = ColorScheme::Scheme;

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");

QVariant wrapped(const QVariant& value) {
    return QVariant::fromValue(QDBusVariant(value));
}

} // namespace

class FakePortal final : public QObject, protected QDBusContext {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")
  public:
    QVariant scheme = 0u, animations = true;
    bool old = false;    ///< version 1: Read alone, whose answer is wrapped twice
    bool silent = false; ///< never answers

    void change(const QString& nameSpace, const QString& key, const QVariant& value) {
        Q_EMIT SettingChanged(nameSpace, key, QDBusVariant(value));
    }

  public Q_SLOTS:
    QDBusVariant ReadOne(const QString& nameSpace, const QString& key) {
        if (silent)
            setDelayedReply(true);
        if (old)
            sendErrorReply(QDBusError::UnknownMethod, QStringLiteral("no ReadOne here"));
        return QDBusVariant(find(nameSpace, key));
    }
    QDBusVariant Read(const QString& nameSpace, const QString& key) {
        return QDBusVariant(wrapped(find(nameSpace, key)));
    }

  Q_SIGNALS:
    void SettingChanged(const QString& nameSpace, const QString& key, const QDBusVariant& value);

  private:
    QVariant find(const QString& nameSpace, const QString& key) const {
        return nameSpace == QLatin1String("org.freedesktop.appearance") &&
                       key == QLatin1String("color-scheme")
                   ? scheme
                   : animations;
    }
};

class PortalTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void answers_data();
    void answers();
    void oldPortal();
    void changes();
    void oddValues();
    void portalComesLater();
    void noBus();
    void neverBlocks();
    void themeFollows();

  private:
    void publish();

    QProcess m_daemon;
    QString m_address;
    std::unique_ptr<FakePortal> m_portal;
    std::unique_ptr<QDBusConnection> m_bus;
};

void PortalTest::initTestCase() {
    m_daemon.start(QStringLiteral("dbus-daemon"),
                   {QStringLiteral("--session"), QStringLiteral("--nofork"),
                    QStringLiteral("--print-address")});
    QVERIFY2(m_daemon.waitForStarted(), "dbus-daemon is not installed (package dbus-daemon)");
    while (!m_daemon.canReadLine())
        QVERIFY2(m_daemon.waitForReadyRead(10000), "dbus-daemon tells no address");
    m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
    QVERIFY(m_address.startsWith(QLatin1String("unix:")));
}

void PortalTest::cleanupTestCase() {
    m_daemon.terminate();
    if (!m_daemon.waitForFinished(5000))
        m_daemon.kill();
    m_daemon.waitForFinished();
}

void PortalTest::init() {
    m_bus = std::make_unique<QDBusConnection>(
        QDBusConnection::connectToBus(m_address, QStringLiteral("fake")));
    QVERIFY(m_bus->isConnected());
    m_portal = std::make_unique<FakePortal>();
    QVERIFY(
        m_bus->registerObject(kPath, m_portal.get(),
                              QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
}

void PortalTest::cleanup() {
    m_bus->unregisterService(kService);
    m_bus->unregisterObject(kPath);
    m_portal.reset();
    m_bus.reset();
    QDBusConnection::disconnectFromBus(QStringLiteral("fake"));
}

void PortalTest::publish() {
    QVERIFY(m_bus->registerService(kService));
}

void PortalTest::answers_data() {
    QTest::addColumn<uint>("scheme");
    QTest::addColumn<bool>("animations");
    QTest::addColumn<int>("wanted");
    QTest::newRow("no wish") << 0u << true << int(Scheme::Light);
    QTest::newRow("dark") << 1u << true << int(Scheme::Dark);
    QTest::newRow("light") << 2u << true << int(Scheme::Light);
    QTest::newRow("dark, no motion") << 1u << false << int(Scheme::Dark);
    QTest::newRow("from the future") << 77u << true << int(Scheme::Light);
}

void PortalTest::answers() {
    QFETCH(uint, scheme);
    QFETCH(bool, animations);
    QFETCH(int, wanted);
    m_portal->scheme = scheme;
    m_portal->animations = animations;
    publish();
    PortalColorScheme portal(m_address);
    QCOMPARE(portal.current(), Scheme::Unknown); // nothing is waited for
    QTRY_COMPARE(int(portal.current()), wanted);
    QTRY_COMPARE(portal.reducedMotion(), !animations);
}

void PortalTest::oldPortal() {
    m_portal->old = true;
    m_portal->scheme = 1u;
    m_portal->animations = false;
    publish();
    PortalColorScheme portal(m_address);
    QTRY_COMPARE(portal.current(), Scheme::Dark);
    QTRY_VERIFY(portal.reducedMotion());
}

void PortalTest::changes() {
    publish();
    PortalColorScheme portal(m_address);
    QTRY_COMPARE(portal.current(), Scheme::Light);
    QSignalSpy changed(&portal, &ColorScheme::changed);
    m_portal->change(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"),
                     1u);
    QTRY_COMPARE(portal.current(), Scheme::Dark);
    QCOMPARE(changed.count(), 1);
    m_portal->change(QStringLiteral("org.gnome.desktop.interface"),
                     QStringLiteral("enable-animations"), false);
    QTRY_VERIFY(portal.reducedMotion());
    m_portal->change(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"),
                     wrapped(2u));
    QTRY_COMPARE(portal.current(), Scheme::Light);
    QVERIFY(portal.reducedMotion()); // kept
}

void PortalTest::oddValues() {
    m_portal->scheme = QStringLiteral("dark please");
    m_portal->animations = 3.5;
    publish();
    PortalColorScheme portal(m_address);
    m_portal->change(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("contrast"), 1u);
    m_portal->change(QStringLiteral("org.example"), QStringLiteral("color-scheme"), 1u);
    QSignalSpy changed(&portal, &ColorScheme::changed);
    // The next signal, which is sound, arrives after all of them.
    QTRY_VERIFY([&] {
        m_portal->change(QStringLiteral("org.gnome.desktop.interface"),
                         QStringLiteral("enable-animations"), false);
        return portal.reducedMotion();
    }());
    QCOMPARE(portal.current(), Scheme::Unknown);
    QCOMPARE(changed.count(), 1);
}

void PortalTest::portalComesLater() {
    m_portal->scheme = 1u;
    PortalColorScheme portal(m_address);
    // Only that the client is there can be waited for, by the name that it would be told of.
    publish();
    QTRY_COMPARE(portal.current(), Scheme::Dark);
    m_bus->unregisterService(kService);
    m_portal->scheme = 2u;
    publish();
    QTRY_COMPARE(portal.current(), Scheme::Light);
}

void PortalTest::noBus() {
    QElapsedTimer time;
    time.start();
    {
        PortalColorScheme portal(QStringLiteral("unix:path=/nowhere/at/all"));
        QCOMPARE(portal.current(), Scheme::Unknown);
        QVERIFY(!portal.reducedMotion());
    }
    QVERIFY(time.elapsed() < 2000);
}

void PortalTest::neverBlocks() {
    m_portal->silent = true;
    publish();
    QElapsedTimer time;
    time.start();
    PortalColorScheme portal(m_address);
    QVERIFY(time.elapsed() < 1000); // an answer is waited for ten times as long
    QCOMPARE(portal.current(), Scheme::Unknown);
}

void PortalTest::themeFollows() {
    m_portal->scheme = 1u;
    publish();
    Theme& theme = Theme::instance();
    theme.setColorScheme(std::make_unique<PortalColorScheme>(m_address));
    theme.install();
    QVERIFY(!theme.isDark());
    QSignalSpy changed(&theme, &Theme::changed);
    QTRY_VERIFY(theme.isDark());
    QVERIFY(changed.count() >= 1);
    QCOMPARE(QApplication::palette().color(QPalette::Window), roleColor(Role::Page, true));
    m_portal->change(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"),
                     2u);
    QTRY_VERIFY(!theme.isDark());
    QCOMPARE(QApplication::palette().color(QPalette::Window), roleColor(Role::Page, false));

    theme.setMode(Theme::Mode::Dark); // what the person chose counts more
    QVERIFY(theme.isDark());
    m_portal->change(QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"),
                     0u);
    QVERIFY(theme.isDark());
    theme.setMode(Theme::Mode::System);
    QVERIFY(!theme.isDark());
    theme.setColorScheme(nullptr);
}

QTEST_MAIN(PortalTest)
#include "tst_portal.moc"

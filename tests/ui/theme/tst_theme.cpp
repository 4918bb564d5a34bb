// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/digits.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtGui/QFontDatabase>
#include <QtGui/QPainter>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include <cmath>
#include <limits>

using namespace sotto::ui;

class ThemeTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void platformFonts();
    void zoomScalesFonts();
    void zoomScalesControls();
    void zoomTakesNonsense();
    void baseSize();
    void helpersFollow();
    void groundAndTextOnOneWidget();
    void iconsRender_data();
    void iconsRender();
    void iconsFollow();
    void digitsHaveOneWidth();
    void numberLabelKeepsItsPlace();
};

void ThemeTest::initTestCase() {
    Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
    Theme::instance().install();
}

void ThemeTest::cleanup() {
    Theme::instance().setMode(Theme::Mode::Light);
    Theme::instance().setZoom(1);
    Theme::instance().setBaseSize(0);
}

void ThemeTest::platformFonts() {
    const QFont named = platformFontFor(QFont(QStringLiteral("Cantarell"), 11));
    QCOMPARE(named.family(), QStringLiteral("Cantarell"));
    QCOMPARE(named.pointSizeF(), 11.0);
    const QFont chosen = platformFontFor(QFont(QStringLiteral("DejaVu Sans"), 12));
    QCOMPARE(chosen.family(), QStringLiteral("DejaVu Sans")); // somebody set 12: a wish
    for (const QFont& none :
         {QFont(QStringLiteral("DejaVu Sans"), 9), QFont(QStringLiteral("Sans Serif"), 9),
          QFont(QStringLiteral("Sans"), 10)}) {
        const QFont font = platformFontFor(none);
        QCOMPARE(font.pointSizeF(), 10.0);
        if (QFontDatabase::hasFamily(QStringLiteral("Inter")))
            QCOMPARE(font.family(), QStringLiteral("Inter"));
    }
    QVERIFY(!monospaceFamily().isEmpty());
    const QFontMetricsF code(Theme::instance().monospaceFont());
    QCOMPARE(code.horizontalAdvance(QLatin1Char('i')), code.horizontalAdvance(QLatin1Char('m')));
}

void ThemeTest::zoomScalesFonts() {
    Theme& theme = Theme::instance();
    const qreal base = theme.baseFont().pointSizeF();
    QCOMPARE(theme.messageFont().pointSizeF(), std::max(base * 1.1, 10.5));
    QVERIFY(theme.smallFont().pointSizeF() < base);
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setZoom(2);
    QCOMPARE(changed.count(), 1);
    for (const auto role : {FontRole::Base, FontRole::Small, FontRole::Message, FontRole::Monospace,
                            FontRole::Heading}) {
        const qreal large = theme.font(role).pointSizeF();
        theme.setZoom(1);
        QCOMPARE(large, 2 * theme.font(role).pointSizeF());
        theme.setZoom(2);
    }
    QCOMPARE(QApplication::font().pointSizeF(), 2 * base);
    QCOMPARE(theme.px(12), 24);
    theme.setZoom(0.5);
    QCOMPARE(theme.px(1), 1); // no line vanishes
    QCOMPARE(theme.px(0), 0);
}

void ThemeTest::zoomScalesControls() {
    QPushButton button(QStringLiteral("Stop"));
    const QSize before = button.sizeHint();
    Theme::instance().setZoom(2);
    QVERIFY(button.sizeHint().height() >= 2 * before.height() - 4);
    QVERIFY(button.sizeHint().width() >= 2 * before.width() - 8);
}

void ThemeTest::zoomTakesNonsense() {
    Theme& theme = Theme::instance();
    theme.setZoom(100);
    QCOMPARE(theme.zoom(), Theme::kMaxZoom);
    theme.setZoom(-3);
    QCOMPARE(theme.zoom(), Theme::kMinZoom);
    theme.setZoom(std::numeric_limits<qreal>::quiet_NaN());
    QCOMPARE(theme.zoom(), 1.0);
}

void ThemeTest::baseSize() {
    Theme& theme = Theme::instance();
    const qreal platform = theme.baseSize();
    theme.setBaseSize(16);
    QCOMPARE(theme.baseSize(), 16.0);
    QCOMPARE(QApplication::font().pointSizeF(), 16.0);
    theme.setBaseSize(1000);
    QCOMPARE(theme.baseSize(), 32.0);
    theme.setBaseSize(0);
    QCOMPARE(theme.baseSize(), platform);
}

void ThemeTest::helpersFollow() {
    QLabel label(QStringLiteral("text"));
    useFont(&label, FontRole::Small);
    useTextRole(&label, Role::Muted);
    Theme& theme = Theme::instance();
    theme.setMode(Theme::Mode::Dark);
    theme.setZoom(1.5);
    QCOMPARE(label.palette().color(QPalette::WindowText), roleColor(Role::Muted, true));
    QCOMPARE(label.palette().color(QPalette::Disabled, QPalette::WindowText),
             roleColor(Role::Disabled, true));
    QCOMPARE(label.font().pointSizeF(), theme.smallFont().pointSizeF());
    // What nobody asked for keeps following the application.
    QCOMPARE(label.palette().color(QPalette::Highlight), roleColor(Role::Selection, true));
}

void ThemeTest::groundAndTextOnOneWidget() {
    QWidget outer;
    QLabel label(QStringLiteral("text"), &outer);
    useGround(&outer, Role::Side);
    useGround(&label, Role::CodeGround);
    useTextRole(&label, Role::Warning);
    Theme::instance().setMode(Theme::Mode::Dark);
    QCOMPARE(label.palette().color(QPalette::Window), roleColor(Role::CodeGround, true));
    QCOMPARE(label.palette().color(QPalette::WindowText), roleColor(Role::Warning, true));
    QCOMPARE(outer.palette().color(QPalette::Window), roleColor(Role::Side, true));
}

void ThemeTest::iconsRender_data() {
    QTest::addColumn<int>("name");
    for (int i = 0; i < kIconCount; ++i)
        QTest::addRow("icon %d", i) << i;
}

/// Every icon draws something, in its colour and no other, within its edges.
void ThemeTest::iconsRender() {
    QFETCH(int, name);
    for (const qreal dpr : {1.0, 1.25, 2.0}) {
        const QPixmap pixmap = iconPixmap(static_cast<Icon>(name), 16, dpr, QColor(200, 10, 20));
        QCOMPARE(pixmap.width(), static_cast<int>(std::lround(16 * dpr)));
        QCOMPARE(pixmap.devicePixelRatio(), dpr);
        const QImage image = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
        int painted = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor c = image.pixelColor(x, y);
                if (c.alpha() < 128)
                    continue;
                ++painted;
                QVERIFY(std::abs(c.red() - 200) < 6 && c.green() < 20 && c.blue() < 30);
            }
        QVERIFY(painted > 8 * dpr);
        QVERIFY(painted < image.width() * image.height() * 3 / 4);
    }
}

void ThemeTest::iconsFollow() {
    const QIcon plus = icon(Icon::Plus);
    const auto middle = [&](QIcon::Mode mode) {
        const QPixmap pixmap = plus.pixmap(QSize(32, 32), 1.0, mode);
        return pixmap.toImage().pixelColor(16, 16);
    };
    QCOMPARE(middle(QIcon::Normal), roleColor(Role::Ink, false));
    QCOMPARE(middle(QIcon::Disabled), roleColor(Role::Disabled, false));
    Theme::instance().setMode(Theme::Mode::Dark);
    QCOMPARE(middle(QIcon::Normal), roleColor(Role::Ink, true));
}

void ThemeTest::digitsHaveOneWidth() {
    const QFontMetricsF metrics(Theme::instance().baseFont());
    QCOMPARE(digitsWidth(metrics, QStringLiteral("111")),
             digitsWidth(metrics, QStringLiteral("888")));
    QCOMPARE(digitsWidth(metrics, QStringLiteral("1.1 t/s")),
             digitsWidth(metrics, QStringLiteral("0.7 t/s")));
    QCOMPARE(digitsWidth(metrics, QString()), 0.0);
    QCOMPARE(digitsWidth(metrics, QStringLiteral("abc")),
             metrics.horizontalAdvance(QStringLiteral("abc")));
}

void ThemeTest::numberLabelKeepsItsPlace() {
    NumberLabel label;
    label.setWidest(QStringLiteral("1,000.0 t/s"));
    const QSize wide = label.sizeHint();
    label.setText(QStringLiteral("3.1 t/s"));
    QCOMPARE(label.sizeHint(), wide);
    label.resize(200, 30);
    const auto leftmost = [&] {
        const QImage image = label.grab().toImage();
        for (int x = 0; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y)
                if (image.pixelColor(x, y).lightness() < 128)
                    return x;
        return -1;
    };
    const int at = leftmost();
    QVERIFY(at > 100); // right aligned
    label.setText(QStringLiteral("3.7 t/s"));
    QCOMPARE(leftmost(), at);
}

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"

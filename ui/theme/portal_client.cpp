// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/portal_client.h"

#include <QtDBus/QDBusError>
#include <QtDBus/QDBusMessage>
#include <QtDBus/QDBusPendingCall>
#include <QtDBus/QDBusPendingCallWatcher>
#include <QtDBus/QDBusServiceWatcher>

#include <atomic>

namespace sotto::ui {
namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kReadOne = QStringLiteral("ReadOne");
const QString kRead =
    QStringLiteral("Read"); // portals before version 2; wraps its answer in two variants

constexpr int kTimeoutMs = 10000;
constexpr int kDeepestVariant = 4;

QString freshName() {
    static std::atomic<int> count{0};
    return QStringLiteral("sotto-portal-%1").arg(++count);
}

QVariant unwrapped(QVariant value) {
    for (int depth = 0; depth < kDeepestVariant && value.canConvert<QDBusVariant>(); ++depth)
        value = value.value<QDBusVariant>().variant();
    return value;
}

} // namespace

PortalClient::PortalClient(const QString& busAddress)
    : m_address(busAddress), m_name(freshName()), m_bus(QString()) {}

PortalClient::~PortalClient() {
    QDBusConnection::disconnectFromBus(m_name);
}

void PortalClient::start() {
    m_bus = m_address.isEmpty() ? QDBusConnection::connectToBus(QDBusConnection::SessionBus, m_name)
                                : QDBusConnection::connectToBus(m_address, m_name);
    if (!m_bus.isConnected())
        return;
    m_bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                  SLOT(settingChanged(QString, QString, QDBusVariant)));
    auto* watcher =
        new QDBusServiceWatcher(kService, m_bus, QDBusServiceWatcher::WatchForRegistration, this);
    connect(watcher, &QDBusServiceWatcher::serviceRegistered, this, &PortalClient::readAll);
    readAll();
}

void PortalClient::readAll() {
    read(kReadOne, QStringLiteral("org.freedesktop.appearance"), QStringLiteral("color-scheme"));
    read(kReadOne, QStringLiteral("org.gnome.desktop.interface"),
         QStringLiteral("enable-animations"));
}

void PortalClient::read(const QString& method, const QString& nameSpace, const QString& key) {
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, method);
    call << nameSpace << key;
    auto* watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(call, kTimeoutMs), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this,
            [=, this](QDBusPendingCallWatcher* done) {
                done->deleteLater();
                const QDBusMessage reply = done->reply();
                if (reply.type() == QDBusMessage::ReplyMessage && !reply.arguments().isEmpty())
                    Q_EMIT found(nameSpace, key, unwrapped(reply.arguments().constFirst()));
                else if (method == kReadOne && done->error().type() == QDBusError::UnknownMethod)
                    read(kRead, nameSpace, key);
            });
}

void PortalClient::settingChanged(const QString& nameSpace, const QString& key,
                                  const QDBusVariant& value) {
    Q_EMIT found(nameSpace, key, unwrapped(value.variant()));
}

} // namespace sotto::ui

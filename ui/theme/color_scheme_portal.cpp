// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/color_scheme_portal.h"

#include "ui/theme/portal_client.h"

#include <QtCore/QThread>

namespace sotto::ui {
namespace {

constexpr int kPatienceMs = 500;

ColorScheme::Scheme schemeFrom(const QVariant& value) {
    bool ok = false;
    switch (value.toUInt(&ok)) {
    case 1:
        return ok ? ColorScheme::Scheme::Dark : ColorScheme::Scheme::Unknown;
    case 2:
        return ColorScheme::Scheme::Light;
    default: // "no preference", and whatever later versions may say
        return ok ? ColorScheme::Scheme::Light : ColorScheme::Scheme::Unknown;
    }
}

} // namespace

PortalColorScheme::PortalColorScheme(const QString& busAddress, QObject* parent)
    : ColorScheme(parent), m_thread(new QThread), m_client(new PortalClient(busAddress)) {
    m_thread->setObjectName(QStringLiteral("desktop portal"));
    m_client->moveToThread(m_thread);
    connect(m_thread, &QThread::started, m_client, &PortalClient::start);
    connect(m_client, &PortalClient::found, this,
            [this](const QString& nameSpace, const QString& key, const QVariant& value) {
                if (nameSpace == QLatin1String("org.freedesktop.appearance") &&
                    key == QLatin1String("color-scheme"))
                    report(schemeFrom(value), reducedMotion());
                if (nameSpace == QLatin1String("org.gnome.desktop.interface") &&
                    key == QLatin1String("enable-animations") && value.typeId() == QMetaType::Bool)
                    report(current(), !value.toBool());
            });
    m_thread->start();
}

/// A thread that hangs in a bus that does not answer is left to the end of the process: closing the
/// window must not wait for it. Not deleteLater(): the application object may be gone by now, and
/// no event is delivered without it.
PortalColorScheme::~PortalColorScheme() {
    m_thread->quit();
    if (!m_thread->wait(kPatienceMs))
        return;
    delete m_client;
    delete m_thread;
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/color_scheme.h"

#include <QtCore/QString>

class QThread;

namespace sotto::ui {

class PortalClient;

/// Asks the desktop portal over DBus and listens for its changes:
///   org.freedesktop.portal.Settings at org.freedesktop.portal.Desktop,
///   /org/freedesktop/portal/desktop org.freedesktop.appearance color-scheme: u, 0 no wish, 1 dark,
///   2 light org.gnome.desktop.interface enable-animations: b
/// Without a bus or a portal the scheme stays Unknown. Even connecting to a bus can block, so all
/// of it happens on a thread of its own.
class PortalColorScheme final : public ColorScheme {
    Q_OBJECT
  public:
    /// `busAddress`: empty for the session bus.
    explicit PortalColorScheme(const QString& busAddress, QObject* parent = nullptr);
    ~PortalColorScheme() override;

  private:
    QThread* m_thread;
    PortalClient* m_client; // lives on m_thread
};

} // namespace sotto::ui

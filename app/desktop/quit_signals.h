// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>

namespace sotto::app {

/// SIGTERM, SIGINT and SIGHUP as a Qt signal, so that a session that ends, or Ctrl-C where the
/// window was started, closes it like its own button does. The second one ends the process at once.
/// One object a process; nothing on Windows, where sessions end through the window itself.
class QuitSignals final : public QObject {
    Q_OBJECT
  public:
    explicit QuitSignals(QObject* parent = nullptr);

  Q_SIGNALS:
    void quitRequested();
};

} // namespace sotto::app

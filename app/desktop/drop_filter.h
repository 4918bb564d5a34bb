// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>
#include <QtCore/QStringList>

class QMimeData;
class QWidget;

namespace sotto::app {

/// Takes files and folders that are dropped anywhere on the window, before a text field inside it
/// would paste their names. Dropped text is left to the widgets.
class DropFilter final : public QObject {
    Q_OBJECT
  public:
    /// Watches `window` and every widget in it that takes drops now.
    explicit DropFilter(QWidget* window);

  Q_SIGNALS:
    void modelDropped(const QString& path);
    void refused(const QString& sentence); ///< says what can be opened

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void take(const QMimeData* data);
};

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;

namespace sotto::app {

/// A card over the lower part of its parent for some seconds: what was done, and Undo. Takes no
/// focus.
class Toast final : public QWidget {
    Q_OBJECT
  public:
    /// Stands `above` that sibling.
    Toast(QWidget* above, QWidget* parent);
    void showText(const QString& text);
    [[nodiscard]] QPushButton* undoButton() const { return m_undo; }

  Q_SIGNALS:
    void undoRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void place();
    QWidget* m_above;
    QLabel* m_label;
    QPushButton* m_undo;
    QTimer m_time;
};

} // namespace sotto::app

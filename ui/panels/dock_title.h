// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QWidget>

class QDockWidget;
class QLabel;
class QToolButton;

namespace sotto::ui {

/// The bar over a panel that floats or stands alone: title, float or dock, close. Folded (no
/// height) where the panel's tab is its title already. The bar itself leaves the mouse to the dock,
/// which drags by it.
class DockTitle final : public QWidget {
    Q_OBJECT
  public:
    explicit DockTitle(QDockWidget* dock);
    void setFolded(bool folded);
    [[nodiscard]] bool isFolded() const { return m_folded; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void showFloating(bool floating);

    QDockWidget* m_dock;
    QLabel* m_title;
    QToolButton *m_float, *m_close;
    bool m_folded = false;
};

} // namespace sotto::ui

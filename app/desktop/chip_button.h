// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QAbstractButton>

class QMenu;

namespace sotto::app {

/// A pill with small text in the header: with an arrow if it has a menu, which opens below it.
class ChipButton final : public QAbstractButton {
    Q_OBJECT
  public:
    explicit ChipButton(QWidget* parent = nullptr);
    void setMenu(QMenu* menu);
    [[nodiscard]] QMenu* menu() const { return m_menu; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void openMenu();
    [[nodiscard]] int arrowRoom() const;
    QMenu* m_menu = nullptr;
};

} // namespace sotto::app

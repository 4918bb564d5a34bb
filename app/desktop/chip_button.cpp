// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/chip_button.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QMenu>

namespace sotto::app {
namespace {

using ui::Role;
using ui::Theme;

constexpr int kHeight = 26, kSide = 11, kArrow = 12, kGap = 4, kMinText = 40;

} // namespace

ChipButton::ChipButton(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    ui::useFont(this, ui::FontRole::Small);
    connect(this, &QAbstractButton::pressed, this, &ChipButton::openMenu);
}

void ChipButton::setMenu(QMenu* menu) {
    m_menu = menu;
}

void ChipButton::openMenu() {
    if (m_menu) {
        connect(
            m_menu, &QMenu::aboutToHide, this, [this] { setDown(false); }, Qt::UniqueConnection);
        m_menu->popup(mapToGlobal(QPoint(0, height() + Theme::instance().px(kGap))));
    }
}

int ChipButton::arrowRoom() const {
    return m_menu ? Theme::instance().px(kGap + kArrow) : 0;
}

QSize ChipButton::sizeHint() const {
    const Theme& theme = Theme::instance();
    const int text = fontMetrics().horizontalAdvance(this->text());
    return {text + theme.px(2 * kSide) + arrowRoom() + 1, theme.px(kHeight)};
}

QSize ChipButton::minimumSizeHint() const {
    const Theme& theme = Theme::instance();
    return {theme.px(kMinText + 2 * kSide) + arrowRoom(), theme.px(kHeight)};
}

void ChipButton::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus() ? QPen(theme.color(Role::Focus), 1.5)
                              : QPen(theme.color(Role::Line)));
    painter.setBrush(theme.color(isDown()                      ? Role::Pressed
                                 : underMouse() && isEnabled() ? Role::Hover
                                                               : Role::Page));
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    const int side = theme.px(kSide), arrow = theme.px(kArrow);
    const QRect inner = rect().adjusted(side, 0, -side, 0);
    const QColor ink = theme.color(isEnabled() ? Role::Muted : Role::Disabled);
    painter.setPen(ink);
    const QString shown =
        fontMetrics().elidedText(text(), Qt::ElideRight, inner.width() - arrowRoom() + 1);
    painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    if (!m_menu) {
        return;
    }
    painter.drawPixmap(inner.right() - arrow + 1, (height() - arrow) / 2,
                       ui::iconPixmap(ui::Icon::ChevronDown, arrow, devicePixelRatioF(), ink));
}

void ChipButton::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void ChipButton::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

void ChipButton::keyPressEvent(QKeyEvent* event) {
    if (m_menu && (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return)) {
        openMenu();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
    } else {
        QAbstractButton::keyPressEvent(event);
    }
}

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <QtGui/QFontMetrics>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QTabBar>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kUnderline = 2;
constexpr qreal kIconGap = 6;

/// The strip of `rect` on the side where the pages are.
QRect pageEdge(const QRect& rect, QTabBar::Shape shape, int thickness) {
    QRect strip = rect;
    switch (shape) {
    case QTabBar::RoundedSouth:
    case QTabBar::TriangularSouth:
        strip.setHeight(thickness);
        break;
    case QTabBar::RoundedWest:
    case QTabBar::TriangularWest:
        strip.setLeft(rect.right() + 1 - thickness);
        break;
    case QTabBar::RoundedEast:
    case QTabBar::TriangularEast:
        strip.setWidth(thickness);
        break;
    default:
        strip.setTop(rect.bottom() + 1 - thickness);
    }
    return strip;
}

QFont tabFont(const QWidget* widget) {
    return widget ? widget->font() : QFont();
}

} // namespace

void drawTabShape(const QStyleOptionTab& option, QPainter* painter) {
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(snapped(painter, pageEdge(option.rect, option.shape, px(kUnderline))),
                          color(Role::Accent));
    if (focusVisible(option)) {
        const int in = px(3);
        drawFocusRing(painter, option.rect.adjusted(in, in, -in, -in), px(kControlRadius));
    }
}

void drawTabLabel(const QStyleOptionTab& option, QPainter* painter, const QRect& textRect,
                  const QWidget* widget) {
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const Role role = !enabled ? Role::Disabled : selected || hovered ? Role::Ink : Role::Muted;
    QRect rect = textRect;
    painter->save();
    if (!option.icon.isNull()) {
        const QRect iconRect(rect.left(), rect.center().y() - option.iconSize.height() / 2,
                             option.iconSize.width(), option.iconSize.height());
        option.icon.paint(painter, iconRect, Qt::AlignCenter,
                          enabled ? QIcon::Normal : QIcon::Disabled);
        rect.setLeft(iconRect.right() + 1 + px(kIconGap));
    }
    painter->setFont(selected ? strongFont(tabFont(widget)) : tabFont(widget));
    painter->setPen(color(role));
    painter->drawText(rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine,
                      option.text);
    painter->restore();
}

void drawTabBase(const QStyleOptionTabBarBase& option, QPainter* painter, const QWidget* widget) {
    // The tabs of docks stand on the side's ground; QMainWindow itself has the page's.
    if (widget && qobject_cast<const QMainWindow*>(widget->parentWidget()))
        painter->fillRect(widget->rect(), color(Role::Side));
    painter->fillRect(snapped(painter, pageEdge(option.rect, option.shape, 1)), color(Role::Line));
}

/// As wide as the selected tab's bolder text, so that tabs stay where they are.
QSize tabSize(const QStyleOptionTab& option, const QSize& contents, const QWidget* widget) {
    const QFont font = tabFont(widget);
    const int wider =
        QFontMetrics(strongFont(font)).size(Qt::TextShowMnemonic, option.text).width() -
        QFontMetrics(font).size(Qt::TextShowMnemonic, option.text).width();
    const bool vertical =
        option.shape == QTabBar::RoundedWest || option.shape == QTabBar::RoundedEast ||
        option.shape == QTabBar::TriangularWest || option.shape == QTabBar::TriangularEast;
    const int more = std::max(wider, 0);
    return vertical ? contents + QSize(0, more) : contents + QSize(more, 0);
}

} // namespace sotto::ui

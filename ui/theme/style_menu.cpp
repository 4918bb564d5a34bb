// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/style_paint.h"
#include "ui/theme/style_parts.h"

#include <QtGui/QFontMetrics>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr qreal kItemX = 8, kItemY = 5; // padding of a row
constexpr qreal kMark = 16, kGap = 8;   // column of check marks and icons
constexpr qreal kShortcutGap = 24, kArrow = 16;
constexpr qreal kSeparator = 9;

bool isSeparator(const QStyleOptionMenuItem& option) {
    return option.menuItemType == QStyleOptionMenuItem::Separator;
}

/// "Text" and "Shortcut" of "Text\tShortcut".
std::pair<QString, QString> parts(const QString& text) {
    const qsizetype tab = text.indexOf(QLatin1Char('\t'));
    if (tab < 0)
        return {text, {}};
    return {text.left(tab), text.mid(tab + 1)};
}

void drawMark(const QStyleOptionMenuItem& option, QPainter* painter, const QRect& rect,
              const QColor& ink) {
    if (option.checkType != QStyleOptionMenuItem::NotCheckable) {
        if (option.checked)
            drawIcon(painter, rect, Icon::Check, px(14), ink);
        return;
    }
    if (!option.icon.isNull())
        option.icon.paint(painter, rect, Qt::AlignCenter,
                          option.state.testFlag(QStyle::State_Enabled) ? QIcon::Normal
                                                                       : QIcon::Disabled);
}

void drawTexts(const QStyleOptionMenuItem& option, QPainter* painter, const QRect& row,
               const QColor& ink, const QStyle& style) {
    const auto [text, shortcut] = parts(option.text);
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const int mnemonic = style.styleHint(QStyle::SH_UnderlineShortcut, &option)
                             ? int(Qt::TextShowMnemonic)
                             : int(Qt::TextHideMnemonic);
    const int left = px(kItemX + kMark + kGap), right = px(kItemX);
    const QRect room = QStyle::visualRect(option.direction, row, row.adjusted(left, 0, -right, 0));
    const auto start = QStyle::visualAlignment(option.direction, Qt::AlignLeft);
    const auto end = QStyle::visualAlignment(option.direction, Qt::AlignRight);
    painter->setFont(option.font);
    painter->setPen(ink);
    painter->drawText(room, int(start) | Qt::AlignVCenter | Qt::TextSingleLine | mnemonic, text);
    painter->setPen(color(enabled ? Role::Muted : Role::Disabled));
    painter->drawText(room, int(end) | Qt::AlignVCenter | Qt::TextSingleLine, shortcut);
}

} // namespace

void drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter* painter, const QStyle& style,
                     const QWidget* widget) {
    painter->fillRect(option.rect, color(Role::Side));
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    if (chosen) {
        const Role ground =
            option.state.testFlag(QStyle::State_Sunken) ? Role::Pressed : Role::Hover;
        drawBox(painter, QRectF(option.rect).adjusted(0, px(2), 0, -px(2)), px(4), color(ground));
    }
    const int mnemonic = style.styleHint(QStyle::SH_UnderlineShortcut, &option, widget)
                             ? int(Qt::TextShowMnemonic)
                             : int(Qt::TextHideMnemonic);
    painter->setPen(color(enabled ? Role::Ink : Role::Disabled));
    painter->drawText(option.rect, Qt::AlignCenter | Qt::TextSingleLine | mnemonic, option.text);
}

void drawMenuBarPanel(const QStyleOption& option, QPainter* painter) {
    QRectF line = option.rect;
    line.setTop(line.bottom() - 1);
    painter->fillRect(snapped(painter, line), color(Role::Line));
}

void drawMenuPanel(const QStyleOption& option, QPainter* painter) {
    drawBox(painter, option.rect, 0, color(Role::Card), color(Role::ControlLine));
}

void drawMenuItem(const QStyleOptionMenuItem& option, QPainter* painter, const QStyle& style) {
    const QRect row = option.rect;
    if (isSeparator(option)) {
        const QRectF line(row.left() + px(kItemX), row.center().y(), row.width() - 2 * px(kItemX),
                          1);
        painter->fillRect(snapped(painter, line), color(Role::Line));
        return;
    }
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    if (option.state.testFlag(QStyle::State_Selected) && enabled)
        drawBox(painter, row, px(4), color(Role::AccentGround));
    const QColor ink = color(enabled ? Role::Ink : Role::Disabled);
    const QRect mark(row.left() + px(kItemX), row.top(), px(kMark), row.height());
    painter->save();
    drawMark(option, painter, QStyle::visualRect(option.direction, row, mark), ink);
    drawTexts(option, painter, row, ink, style);
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu) {
        const QRect arrow(row.right() + 1 - px(kArrow + 4), row.top(), px(kArrow), row.height());
        drawIcon(painter, QStyle::visualRect(option.direction, row, arrow),
                 option.direction == Qt::RightToLeft ? Icon::ChevronLeft : Icon::ChevronRight,
                 px(12), ink);
    }
    painter->restore();
}

/// `contents`: the text, without the shortcut that stands behind it.
QSize menuItemSize(const QStyleOptionMenuItem& option, const QSize& contents) {
    if (isSeparator(option))
        return {contents.width(), px(kSeparator)};
    const QFontMetrics metrics(option.font);
    const auto [text, shortcut] = parts(option.text);
    int width = metrics.size(Qt::TextSingleLine | Qt::TextShowMnemonic, text).width();
    width += px(kItemX + kMark + kGap + kItemX);
    if (!shortcut.isEmpty()) // QMenu keeps the widest shortcut of all rows
        width += px(kShortcutGap) +
                 std::max(option.reservedShortcutWidth, metrics.horizontalAdvance(shortcut));
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu)
        width += px(kArrow);
    return {width, metrics.height() + 2 * px(kItemY)};
}

QSize menuBarItemSize(const QSize& contents) {
    return contents + QSize(px(8) * 2, px(5) * 2);
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/example_card.h"

#include "ui/theme/theme.h"

#include <QtGui/QFontMetrics>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>

namespace sotto::ui {
namespace {

constexpr int kTextFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

} // namespace

ExampleCard::ExampleCard(const QString& text, QWidget* parent) : QAbstractButton(parent) {
    // An ampersand in a prompt is no mnemonic: the text is kept as the name, and drawn as it is.
    setAccessibleName(text);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

QRect ExampleCard::textRect(const QRect& card) const {
    const int pad = Theme::instance().px(12);
    return card.adjusted(pad, pad, -pad, -pad);
}

int ExampleCard::heightForWidth(int width) const {
    const int pad = 2 * Theme::instance().px(12);
    const QFontMetrics metrics(Theme::instance().baseFont());
    return pad +
           metrics
               .boundingRect(QRect(0, 0, qMax(1, width - pad), 10000), kTextFlags, accessibleName())
               .height();
}

QSize ExampleCard::sizeHint() const {
    const int width = Theme::instance().px(180);
    return {width, heightForWidth(width)};
}

void ExampleCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(1, 1, -1, -1);
    const bool active = underMouse() || hasFocus();
    painter.setBrush(theme.color(Role::Card));
    painter.setPen(QPen(theme.color(hasFocus()     ? Role::Focus
                                    : underMouse() ? Role::Accent
                                                   : Role::ControlLine),
                        hasFocus() ? 2 : 1));
    painter.drawRoundedRect(card, theme.px(10), theme.px(10));
    if (active && isDown()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(Role::Pressed));
        painter.drawRoundedRect(card, theme.px(10), theme.px(10));
    }
    painter.setFont(theme.baseFont());
    painter.setPen(theme.color(Role::Ink));
    painter.drawText(textRect(rect()), kTextFlags, accessibleName());
}

void ExampleCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

} // namespace sotto::ui

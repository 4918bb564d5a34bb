// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/header_bar.h"

#include "app/desktop/chip_button.h"
#include "ui/theme/theme.h"

#include <QtCore/QEvent>
#include <QtGui/QKeySequence>
#include <QtGui/QPainter>

#include <algorithm>

namespace sotto::app {
namespace {

using ui::Role;
using ui::Theme;

constexpr int kHeight = 44, kSide = 20, kGap = 12, kMinTitle = 60;

QFont titleFont() {
    QFont font = Theme::instance().baseFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

HeaderBar::HeaderBar(QWidget* parent)
    : QWidget(parent), m_chip(new ChipButton(this)), m_thinkingChip(new ChipButton(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, &HeaderBar::arrange);
    m_thinkingChip->setObjectName(QStringLiteral("thinkingChip"));
    m_thinkingChip->setCheckable(true);
    setTitle({});
    setThinking(ThinkingChip::Hidden);
}

void HeaderBar::setTitle(const QString& title) {
    m_title = title.isEmpty() ? tr("New chat") : title;
    setAccessibleName(m_title);
    arrange();
}

void HeaderBar::setModel(const QString& name, const QString& toolTip) {
    m_chip->setText(name);
    m_chip->setToolTip(toolTip);
    m_chip->setAccessibleName(tr("Model: %1").arg(name));
    m_chip->updateGeometry();
    arrange();
}

void HeaderBar::setThinking(ThinkingChip state) {
    m_thinking = state;
    const bool always = state == ThinkingChip::Always;
    const bool on = always || state == ThinkingChip::On;
    m_thinkingChip->setEnabled(!always);
    m_thinkingChip->setChecked(on);
    m_thinkingChip->setText(on ? tr("Thinking on") : tr("Thinking off"));
    m_thinkingChip->setToolTip(
        always ? tr("This model always thinks before it answers")
               : tr("Whether the model thinks before it answers; acts on the next message (%1)")
                     .arg(QKeySequence(Qt::CTRL | Qt::Key_T).toString(QKeySequence::NativeText)));
    m_thinkingChip->setAccessibleDescription(m_thinkingChip->toolTip());
    arrange();
}

/// The chip gives way where title and model would have too little left.
int HeaderBar::thinkingRoom(int room) const {
    const Theme& theme = Theme::instance();
    const int wanted = theme.px(kGap) + m_thinkingChip->sizeHint().width();
    const int others = theme.px(kMinTitle) + m_chip->minimumSizeHint().width();
    return m_thinking != ThinkingChip::Hidden && room - wanted >= others ? wanted : 0;
}

QSize HeaderBar::sizeHint() const {
    return {400, Theme::instance().px(kHeight)};
}

QSize HeaderBar::minimumSizeHint() const {
    const Theme& theme = Theme::instance();
    return {theme.px(2 * kSide + kGap + kMinTitle) + m_chip->minimumSizeHint().width(),
            theme.px(kHeight)};
}

void HeaderBar::arrange() {
    const Theme& theme = Theme::instance();
    const QFontMetrics metrics(titleFont());
    const int side = theme.px(kSide), gap = theme.px(kGap);
    const int whole = width() - 2 * side - gap, thinking = thinkingRoom(whole);
    const int room = whole - thinking;
    // The chip keeps its width down to half of the room, the title gets the rest.
    const int wanted = metrics.horizontalAdvance(m_title);
    const int chip = std::min(m_chip->sizeHint().width(), std::max(room - wanted, room / 2));
    const int text = std::max(0, std::min(wanted, room - chip));
    m_shown = metrics.elidedText(m_title, Qt::ElideRight, text + 1);
    const int height = m_chip->sizeHint().height();
    const int y = (this->height() - 1 - height) / 2;
    m_chip->setGeometry(side + text + gap, y, chip, height);
    m_thinkingChip->setVisible(thinking > 0);
    m_thinkingChip->setGeometry(m_chip->geometry().right() + 1 + gap, y, thinking - gap, height);
    setToolTip(m_shown == m_title ? QString() : m_title);
    updateGeometry();
    update();
}

void HeaderBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Page));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(Role::Line));
    painter.setFont(titleFont());
    painter.setPen(theme.color(Role::Ink));
    painter.drawText(QRect(theme.px(kSide), 0, width(), height() - 1),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, m_shown);
}

void HeaderBar::resizeEvent(QResizeEvent*) {
    arrange();
}

void HeaderBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) {
        arrange();
    }
}

} // namespace sotto::app

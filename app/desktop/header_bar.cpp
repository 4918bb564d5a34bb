// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/header_bar.h"

#include "app/desktop/chip_button.h"
#include "ui/theme/theme.h"

#include <QtCore/QEvent>
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

HeaderBar::HeaderBar(QWidget* parent) : QWidget(parent), m_chip(new ChipButton(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, &HeaderBar::arrange);
    setTitle({});
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
    const int room = width() - 2 * side - gap;
    // The chip keeps its width down to half of the room, the title gets the rest.
    const int wanted = metrics.horizontalAdvance(m_title);
    const int chip = std::min(m_chip->sizeHint().width(), std::max(room - wanted, room / 2));
    const int text = std::max(0, std::min(wanted, room - chip));
    m_shown = metrics.elidedText(m_title, Qt::ElideRight, text + 1);
    const int height = m_chip->sizeHint().height();
    m_chip->setGeometry(side + text + gap, (this->height() - 1 - height) / 2, chip, height);
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

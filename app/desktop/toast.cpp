// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/toast.h"

#include "ui/theme/theme.h"

#include <QtCore/QEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

namespace sotto::app {
namespace {

using ui::Role;
using ui::Theme;

constexpr int kShownMs = 8000, kGap = 12, kRadius = 8;

} // namespace

Toast::Toast(QWidget* above, QWidget* parent)
    : QWidget(parent), m_above(above), m_label(new QLabel(this)),
      m_undo(new QPushButton(tr("Undo"), this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 6, 6);
    layout->setSpacing(12);
    layout->addWidget(m_label);
    layout->addWidget(m_undo);
    m_undo->setFocusPolicy(Qt::TabFocus);
    m_time.setSingleShot(true);
    m_time.setInterval(kShownMs);
    connect(&m_time, &QTimer::timeout, this, &QWidget::hide);
    connect(m_undo, &QPushButton::clicked, this, &Toast::hide);
    connect(m_undo, &QPushButton::clicked, this, &Toast::undoRequested);
    parent->installEventFilter(this);
    above->installEventFilter(this);
    hide();
}

void Toast::showText(const QString& text) {
    m_label->setText(text);
    place();
    show();
    raise();
    m_time.start();
}

void Toast::place() {
    const QSize size = sizeHint();
    const int top = m_above->mapTo(parentWidget(), QPoint(0, 0)).y();
    setGeometry((parentWidget()->width() - size.width()) / 2,
                top - size.height() - Theme::instance().px(kGap), size.width(), size.height());
}

void Toast::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(Role::ControlLine));
    painter.setBrush(theme.color(Role::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (isVisible() && (event->type() == QEvent::Resize || event->type() == QEvent::Move)) {
        place();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace sotto::app

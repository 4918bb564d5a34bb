// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/context_meter.h"

#include "ui/theme/theme.h"

#include <QtGui/QPainter>

#include <algorithm>

namespace sotto::app {
namespace {

using ui::Role;
using ui::Theme;

constexpr int kWidth = 120, kHeight = 6;
constexpr double kNearlyFull = 0.9;

} // namespace

ContextMeter::ContextMeter(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ContextMeter::setUse(qint64 used, qint64 nCtx) {
    if (m_used != used || m_nCtx != nCtx) {
        m_used = used;
        m_nCtx = nCtx;
        update();
    }
}

QSize ContextMeter::sizeHint() const {
    return {Theme::instance().px(kWidth), Theme::instance().px(kHeight)};
}

void ContextMeter::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF box = rect();
    const qreal radius = box.height() / 2;
    painter.setBrush(theme.color(Role::Groove));
    painter.drawRoundedRect(box, radius, radius);
    if (m_nCtx <= 0 || m_used <= 0) {
        return;
    }
    const double share = std::min(1.0, static_cast<double>(m_used) / static_cast<double>(m_nCtx));
    const qreal width = std::max(box.height(), box.width() * share);
    painter.setBrush(theme.color(share < kNearlyFull ? Role::Accent : Role::Warning));
    painter.drawRoundedRect(QRectF(0, 0, width, box.height()), radius, radius);
}

} // namespace sotto::app

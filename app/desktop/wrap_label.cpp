// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/wrap_label.h"

#include "ui/theme/theme.h"

#include <QtGui/QClipboard>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtGui/QTextLayout>
#include <QtWidgets/QMenu>

#include <cmath>

namespace sotto::app {
namespace {

constexpr int kWantedWidth = 400, kLeastWidth = 80;

/// Breaks the text to the width; returns the height.
qreal layOut(QTextLayout& layout, qreal width) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    qreal y = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition(QPointF(0, y));
        y += line.height();
    }
    layout.endLayout();
    return y;
}

} // namespace

WrapLabel::WrapLabel(ui::Role role, QWidget* parent) : QWidget(parent), m_role(role) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void WrapLabel::setText(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

int WrapLabel::heightForWidth(int width) const {
    QTextLayout layout(m_text, font());
    return static_cast<int>(std::ceil(layOut(layout, width)));
}

QSize WrapLabel::sizeHint() const {
    return {kWantedWidth, heightForWidth(kWantedWidth)};
}

QSize WrapLabel::minimumSizeHint() const {
    return {kLeastWidth, fontMetrics().height()};
}

void WrapLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(ui::Theme::instance().color(m_role));
    QTextLayout layout(m_text, font());
    layOut(layout, width());
    layout.draw(&painter, QPointF(0, 0));
}

void WrapLabel::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Copy"), this, [this] { QGuiApplication::clipboard()->setText(m_text); });
    menu->popup(event->globalPos());
}

} // namespace sotto::app

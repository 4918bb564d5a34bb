// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/dock_title.h"

#include "ui/theme/icons.h"
#include "ui/theme/style_paint.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QToolButton>

namespace sotto::ui {
namespace {

QToolButton* makeButton(QWidget* parent, Icon name, const QString& tip) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(name, Role::Muted));
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    return button;
}

} // namespace

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock), m_dock(dock), m_title(new QLabel(dock->windowTitle(), this)),
      m_float(makeButton(this, Icon::Float, {})),
      m_close(makeButton(this, Icon::Close, tr("Close panel"))) {
    useGround(this, Role::Side);
    m_title->setTextFormat(Qt::PlainText);
    auto* layout = new QHBoxLayout(this);
    layout->addWidget(m_title, 1);
    layout->addWidget(m_float);
    layout->addWidget(m_close);
    useSpacing(layout, {14, 4, 6, 4}, 2);
    connect(m_float, &QToolButton::clicked, dock,
            [dock] { dock->setFloating(!dock->isFloating()); });
    connect(m_close, &QToolButton::clicked, dock, &QDockWidget::close);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::showFloating);
    showFloating(dock->isFloating());
}

void DockTitle::setFolded(bool folded) {
    if (folded == m_folded)
        return;
    m_folded = folded;
    for (QWidget* part : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_float),
                          static_cast<QWidget*>(m_close)})
        part->setVisible(!folded); // out of the tab order, too
    updateGeometry();
}

QSize DockTitle::sizeHint() const {
    return m_folded ? QSize(0, 0) : QWidget::sizeHint();
}
QSize DockTitle::minimumSizeHint() const {
    return m_folded ? QSize(0, 0) : QWidget::minimumSizeHint();
}

void DockTitle::showFloating(bool floating) {
    const QString tip = floating ? tr("Put back into the window") : tr("Take out of the window");
    m_float->setIcon(icon(floating ? Icon::Dock : Icon::Float, Role::Muted));
    m_float->setToolTip(tip);
    m_float->setAccessibleName(tip);
}

void DockTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF line(0, height() - 1, width(), 1);
    painter.fillRect(snapped(&painter, line), Theme::instance().color(Role::Line));
}

} // namespace sotto::ui

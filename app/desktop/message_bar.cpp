// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/message_bar.h"

#include "app/desktop/wrap_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include <utility>

namespace sotto::app {
namespace {

using ui::Role;
using ui::Theme;

constexpr int kMark = 3; // the coloured edge at the left

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent), m_label(new WrapLabel(Role::Warning, this)), m_action(new QPushButton(this)),
      m_close(new QToolButton(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(20, 8, 12, 8);
    layout->setSpacing(12);
    layout->addWidget(m_label, 1, Qt::AlignVCenter);
    layout->addWidget(m_action, 0, Qt::AlignTop);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    m_close->setIcon(ui::icon(ui::Icon::Close, Role::Muted));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(m_close->toolTip());
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto run = std::exchange(m_run, {})) {
            run();
        }
    });
    hide();
}

void MessageBar::showMessage(const QString& text, const QString& actionText,
                             std::function<void()> action) {
    m_label->setText(text);
    m_action->setText(actionText);
    m_action->setVisible(!actionText.isEmpty());
    m_run = std::move(action);
    show();
}

QString MessageBar::text() const {
    return m_label->text();
}

void MessageBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Card));
    painter.fillRect(0, 0, kMark, height(), theme.color(Role::Warning));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(Role::Line));
}

} // namespace sotto::app

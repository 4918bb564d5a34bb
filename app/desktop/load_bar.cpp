// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/load_bar.h"

#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include <algorithm>

namespace sotto::app {
namespace {

using ui::Role;
using ui::Theme;

constexpr int kLine = 2;

} // namespace

LoadBar::LoadBar(QWidget* parent)
    : QWidget(parent), m_label(new QLabel(this)), m_cancel(new QPushButton(tr("Cancel"), this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(20, 4 + kLine, 20, 4);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_cancel);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    ui::useFont(m_label, ui::FontRole::Small);
    ui::useTextRole(m_label, Role::Muted);
    ui::useFont(m_cancel, ui::FontRole::Small);
    m_cancel->setToolTip(tr("Stop loading; the model that is open stays"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_cancel, &QPushButton::clicked, this, &LoadBar::cancelRequested);
    hide();
}

void LoadBar::begin(const QString& fileName) {
    m_fileName = fileName;
    m_fraction = 0;
    showText();
    show();
}

void LoadBar::setProgress(qint64 done, qint64 total) {
    if (total > 0) {
        m_fraction = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
        showText();
        update();
    }
}

void LoadBar::end() {
    hide();
}

void LoadBar::showText() {
    m_label->setText(
        tr("Loading %1 · %2 %").arg(m_fileName).arg(static_cast<int>(m_fraction * 100)));
}

void LoadBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Page));
    painter.fillRect(QRectF(0, 0, width(), kLine), theme.color(Role::Groove));
    painter.fillRect(QRectF(0, 0, width() * m_fraction, kLine), theme.color(Role::Accent));
}

} // namespace sotto::app

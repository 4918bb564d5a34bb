// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/seed_row.h"

#include "ui/panels/row_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtCore/QRandomGenerator>
#include <QtCore/QRegularExpression>
#include <QtGui/QRegularExpressionValidator>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr quint64 kLargest =
    (quint64(1) << 53) - 1; // whole numbers that JSON and sliders carry exactly

} // namespace

SeedRow::SeedRow(const QString& label, const QString& help, const QString& hint, quint64 max,
                 quint64 defaultValue, QWidget* parent)
    : QWidget(parent), m_max(std::min(max, kLargest)), m_default(std::min(defaultValue, m_max)),
      m_value(m_default), m_field(new QLineEdit(this)), m_random(new QToolButton(this)) {
    setToolTip(wrappedTip(help));
    auto* name = new RowLabel(label, this);
    name->setBuddy(m_field);
    m_field->setAccessibleName(label);
    m_field->setAccessibleDescription(help);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setValidator(new QRegularExpressionValidator(
        QRegularExpression(QStringLiteral("[0-9]{0,16}")), m_field));
    m_random->setIcon(icon(Icon::Dice));
    m_random->setText(tr("Random"));
    m_random->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_random->setAutoRaise(true);
    m_random->setFocusPolicy(Qt::TabFocus);
    m_random->setToolTip(tr("Pick a new seed at random"));
    m_random->setAccessibleName(tr("Random seed"));

    auto* top = new QHBoxLayout;
    top->addWidget(name, 1);
    top->addWidget(makeHint(hint, this));
    useSpacing(top, {}, 10);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_field, 1);
    bottom->addWidget(m_random);
    useSpacing(bottom, {}, 4);
    auto* rows = new QVBoxLayout(this);
    rows->addLayout(top);
    rows->addLayout(bottom);
    useSpacing(rows, {0, 4, 0, 0}, 6);

    setValue(m_default);
    connect(name, &RowLabel::resetRequested, this, &SeedRow::reset);
    connect(m_random, &QToolButton::clicked, this, &SeedRow::randomize);
    connect(m_field, &QLineEdit::editingFinished, this, &SeedRow::takeText);
}

void SeedRow::setValue(quint64 value) {
    m_value = std::min(value, m_max);
    m_field->setText(QString::number(m_value));
}

void SeedRow::take(quint64 value) {
    const quint64 before = m_value;
    setValue(value);
    if (m_value != before)
        Q_EMIT edited(m_value);
}

/// An emptied field goes back to what it held.
void SeedRow::takeText() {
    bool ok = false;
    const quint64 typed = m_field->text().toULongLong(&ok);
    take(ok ? typed : m_value);
}

void SeedRow::reset() {
    take(m_default);
}

void SeedRow::randomize() {
    // 2^53 and the like leave no remainder worth speaking of in 64 random bits.
    take(QRandomGenerator::system()->generate64() % (m_max + 1));
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/param_row.h"

#include "ui/panels/number_field.h"
#include "ui/panels/row_label.h"
#include "ui/theme/theme.h"

#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace sotto::ui {
namespace {

constexpr int kFieldWidth = 58;

NumberRange fieldRange(const ParamSpec& spec) {
    NumberRange range = spec.range;
    range.max = std::max(range.max, spec.fieldMax);
    return range;
}

} // namespace

ParamRow::ParamRow(const ParamSpec& spec, QWidget* parent)
    : QWidget(parent), m_spec(spec), m_value(spec.defaultValue),
      m_field(new NumberField(fieldRange(spec), this)),
      m_slider(new ValueSlider(spec.range, this)) {
    setToolTip(wrappedTip(spec.help));
    build();
    setValue(spec.defaultValue);
    connect(m_field, &QDoubleSpinBox::valueChanged, this, &ParamRow::take);
    connect(m_slider, &ValueSlider::edited, this, &ParamRow::take);
    auto* toDefault = new QAction(
        tr("Reset %1 to %2").arg(spec.label, m_field->textFromValue(spec.defaultValue)), this);
    connect(toDefault, &QAction::triggered, this, &ParamRow::reset);
    addAction(toDefault);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ParamRow::build() {
    auto* label = new RowLabel(m_spec.label, this);
    label->setBuddy(m_field);
    connect(label, &RowLabel::resetRequested, this, &ParamRow::reset);
    for (QWidget* part : {static_cast<QWidget*>(m_field), static_cast<QWidget*>(m_slider)}) {
        part->setAccessibleName(m_spec.label);
        part->setAccessibleDescription(m_spec.help);
    }
    auto* top = new QHBoxLayout;
    top->addWidget(label, 1);
    top->addWidget(makeHint(m_spec.hint, this));
    top->addWidget(m_field);
    useSpacing(top, {}, 10);
    auto* rows = new QVBoxLayout(this);
    rows->addLayout(top);
    rows->addWidget(m_slider);
    useSpacing(rows, {}, 0);
    connect(&Theme::instance(), &Theme::changed, this, &ParamRow::fit);
    fit();
}

void ParamRow::fit() {
    m_field->setFixedWidth(Theme::instance().px(kFieldWidth));
}

void ParamRow::setValue(double value) {
    const double wanted = std::isfinite(value) ? value : m_spec.defaultValue;
    m_value = std::clamp(wanted, m_field->minimum(), m_field->maximum());
    const QSignalBlocker quiet(m_field);
    m_field->setValue(m_value);
    m_slider->setNumber(m_value);
}

void ParamRow::take(double value) {
    setValue(value);
    Q_EMIT edited(m_value);
}

void ParamRow::reset() {
    if (m_value != m_spec.defaultValue)
        take(m_spec.defaultValue);
}

} // namespace sotto::ui

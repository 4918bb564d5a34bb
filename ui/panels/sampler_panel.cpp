// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/sampler_panel.h"

#include "ui/panels/param_access.h"
#include "ui/panels/param_row.h"
#include "ui/panels/seed_row.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtCore/QCoreApplication>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

namespace sotto::ui {
namespace {

/// Steps that a slider can still be set to by hand; wider ranges get a field alone.
constexpr double kSliderSteps = 100000;

QString translated(const char* text) {
    return QCoreApplication::translate("SamplingParams", text);
}

ParamSpec specOf(const ParamInfo& info) {
    ParamSpec spec;
    spec.label = translated(info.label);
    spec.help = translated(info.help);
    spec.hint = SamplerPanel::tr("acts now");
    spec.range = {info.min, info.max, info.step, info.decimals};
    spec.defaultValue = paramValue(SamplingParams{}, info.key);
    return spec;
}

bool needsField(const ParamInfo& info) {
    return (info.max - info.min) / info.step > kSliderSteps;
}

} // namespace

SamplerPanel::SamplerPanel(QWidget* parent)
    : Panel(QStringLiteral("sampler"), tr("Sampler"), parent) {
    auto* layout = new QVBoxLayout(this);
    useSpacing(layout, {14, 12, 14, 12}, 0);
    addRows(layout);
    auto* reset = new QPushButton(icon(Icon::Reset), tr("Reset all"), this);
    reset->setObjectName(QStringLiteral("reset"));
    reset->setToolTip(tr("Set every value of this panel to its default"));
    connect(reset, &QPushButton::clicked, this, &SamplerPanel::resetToDefaults);
    auto* foot = new QHBoxLayout;
    foot->addWidget(reset);
    foot->addStretch(1);
    useSpacing(foot, {0, 12, 0, 0}, 0);
    layout->addLayout(foot);
    layout->addStretch(1);
    showParams();
}

void SamplerPanel::addRows(QVBoxLayout* layout) {
    visit_params(m_params, [&](const ParamInfo& info, auto&) {
        const char* key = info.key; // a literal: lives as long as the program
        const ParamSpec spec = specOf(info);
        QWidget* widget = nullptr;
        if (needsField(info)) {
            auto* row =
                new SeedRow(spec.label, spec.help, spec.hint, static_cast<quint64>(info.max),
                            static_cast<quint64>(spec.defaultValue), this);
            connect(row, &SeedRow::edited, this,
                    [this, key](quint64 value) { edit(key, static_cast<double>(value)); });
            m_rows.append(
                {key, [row](double value) { row->setValue(static_cast<quint64>(value)); }});
            widget = row;
        } else {
            auto* row = new ParamRow(spec, this);
            connect(row, &ParamRow::edited, this, [this, key](double value) { edit(key, value); });
            m_rows.append({key, [row](double value) { row->setValue(value); }});
            widget = row;
        }
        widget->setObjectName(QLatin1String(key));
        layout->addWidget(widget);
    });
}

void SamplerPanel::edit(const char* key, double value) {
    const SamplingParams before = m_params;
    setParamValue(m_params, key, value);
    if (m_params != before)
        Q_EMIT paramsChanged(m_params);
}

void SamplerPanel::setParams(const SamplingParams& params) {
    const SamplingParams wanted = clampedParams(params);
    if (wanted == m_params)
        return;
    m_params = wanted;
    showParams();
    Q_EMIT paramsChanged(m_params);
}

void SamplerPanel::showParams() {
    for (const Row& row : m_rows)
        row.show(paramValue(m_params, row.key));
}

void SamplerPanel::resetToDefaults() {
    setParams(SamplingParams{});
}

QVariantMap SamplerPanel::saveState() const {
    QVariantMap state;
    for (const Row& row : m_rows)
        state.insert(QLatin1String(row.key), paramValue(m_params, row.key));
    return state;
}

void SamplerPanel::restoreState(const QVariantMap& state) {
    SamplingParams params = m_params;
    for (const Row& row : m_rows) {
        bool ok = false;
        const double value = state.value(QLatin1String(row.key)).toDouble(&ok);
        if (ok)
            setParamValue(params, row.key, value);
    }
    setParams(params);
}

} // namespace sotto::ui

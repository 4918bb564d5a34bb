// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/panels/panel.h"

#include <QtCore/QList>

#include <functional>

class QVBoxLayout;

namespace sotto::ui {

/// The sampling settings; a row for each parameter that visit_params() lists. They act on the
/// answer being written: the window hands paramsChanged() to the bridge, and params() to each new
/// answer.
class SamplerPanel final : public Panel {
    Q_OBJECT
  public:
    explicit SamplerPanel(QWidget* parent = nullptr);

    [[nodiscard]] SamplingParams params() const { return m_params; }
    /// Values outside a parameter's range are clamped; one that is not a number becomes the
    /// default. Emits paramsChanged() if anything differs.
    void setParams(const SamplingParams& params);

    [[nodiscard]] QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

  public Q_SLOTS:
    void resetToDefaults();

  Q_SIGNALS:
    void paramsChanged(const sotto::SamplingParams& params);

  private:
    struct Row {
        const char* key;                  ///< ParamInfo::key
        std::function<void(double)> show; ///< puts a value into the row
    };

    void addRows(QVBoxLayout* layout);
    void edit(const char* key, double value);
    void showParams();

    SamplingParams m_params;
    QList<Row> m_rows;
};

} // namespace sotto::ui

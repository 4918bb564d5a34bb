// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/value_slider.h"

#include <QtCore/QString>
#include <QtWidgets/QWidget>

namespace sotto::ui {

class NumberField;

/// What a row shows and which numbers it takes.
struct ParamSpec {
    QString label;
    QString help; ///< the tooltip; plain text
    QString hint; ///< when it acts
    NumberRange range;
    double defaultValue = 0;
    double fieldMax =
        0; ///< the field takes numbers up to here, beyond the slider's end; 0: range.max
};

/// One setting: label, when it acts, a field to type in, and a slider under them. Double click on
/// the label, or the row's context menu, sets the default.
class ParamRow final : public QWidget {
    Q_OBJECT
  public:
    explicit ParamRow(const ParamSpec& spec, QWidget* parent = nullptr);

    /// As it was set or edited: not rounded to what the field can show.
    [[nodiscard]] double value() const { return m_value; }
    /// Clamped to what the field takes; emits nothing. A number that is not finite is the default.
    void setValue(double value);

    [[nodiscard]] NumberField* field() const { return m_field; }
    [[nodiscard]] ValueSlider* slider() const { return m_slider; }

  public Q_SLOTS:
    /// As if the person had entered the default.
    void reset();

  Q_SIGNALS:
    void edited(double value); ///< by the person

  private:
    void build();
    void fit();
    void take(double value);

    const ParamSpec m_spec;
    double m_value;
    NumberField* m_field;
    ValueSlider* m_slider;
};

} // namespace sotto::ui

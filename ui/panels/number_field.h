// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/value_slider.h"

#include <QtWidgets/QDoubleSpinBox>

namespace sotto::ui {

/// A field for a number, without arrows. What is typed counts at Enter or when the field is left;
/// '.' and ',' both are the decimal point. The wheel changes nothing unless the field has the
/// keyboard.
class NumberField final : public QDoubleSpinBox {
    Q_OBJECT
  public:
    explicit NumberField(const NumberRange& range, QWidget* parent = nullptr);

    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;

  protected:
    void wheelEvent(QWheelEvent* event) override;

  private:
    [[nodiscard]] QString withLocalPoint(QString text) const;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/number_field.h"

#include <QtGui/QWheelEvent>

namespace sotto::ui {

NumberField::NumberField(const NumberRange& range, QWidget* parent) : QDoubleSpinBox(parent) {
    setDecimals(range.decimals);
    setRange(range.min, range.max);
    setSingleStep(range.step);
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setAlignment(Qt::AlignRight);
    setKeyboardTracking(false);
    setFocusPolicy(Qt::StrongFocus);
}

QString NumberField::withLocalPoint(QString text) const {
    if (decimals() == 0)
        return text;
    const QString point = locale().decimalPoint();
    text.replace(QLatin1Char('.'), point);
    text.replace(QLatin1Char(','), point);
    return text;
}

QValidator::State NumberField::validate(QString& text, int& position) const {
    text = withLocalPoint(text);
    return QDoubleSpinBox::validate(text, position);
}

double NumberField::valueFromText(const QString& text) const {
    return QDoubleSpinBox::valueFromText(withLocalPoint(text));
}

void NumberField::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace sotto::ui

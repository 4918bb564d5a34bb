// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/value_slider.h"

#include <QtCore/QScopedValueRollback>
#include <QtGui/QKeyEvent>
#include <QtGui/QWheelEvent>

#include <algorithm>
#include <cmath>

namespace sotto::ui {
namespace {

constexpr double kCurveFrom = 150; // whole numbers in the range
constexpr int kCurvePositions = 1000;
constexpr double kPageSteps = 10;
constexpr double kWheelNotch = 120; // eighths of a degree, QWheelEvent

} // namespace

ValueSlider::ValueSlider(const NumberRange& range, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), m_range(range), m_number(range.min) {
    setFocusPolicy(Qt::StrongFocus);
    const double steps = std::round((range.max - range.min) / range.step);
    setRange(0, isCurved() ? kCurvePositions : static_cast<int>(std::max(steps, 1.0)));
    connect(this, &QSlider::valueChanged, this, [this](int position) {
        if (m_setting)
            return;
        m_number = fromPosition(position);
        Q_EMIT edited(m_number);
    });
}

bool ValueSlider::isCurved() const {
    return m_range.decimals == 0 && m_range.max - m_range.min > kCurveFrom;
}

double ValueSlider::rounded(double number) const {
    const double steps = std::round((number - m_range.min) / m_range.step);
    return std::clamp(m_range.min + steps * m_range.step, m_range.min, m_range.max);
}

double ValueSlider::fromPosition(int position) const {
    const double part = static_cast<double>(position) / maximum();
    return rounded(m_range.min + (m_range.max - m_range.min) * (isCurved() ? part * part : part));
}

int ValueSlider::toPosition(double number) const {
    const double part = (number - m_range.min) / (m_range.max - m_range.min);
    return static_cast<int>(std::lround((isCurved() ? std::sqrt(part) : part) * maximum()));
}

void ValueSlider::setNumber(double number) {
    if (!std::isfinite(number))
        return;
    const QScopedValueRollback<bool> quiet(m_setting, true);
    m_number = std::clamp(number, m_range.min, m_range.max);
    QSlider::setValue(m_range.max > m_range.min ? toPosition(m_number) : 0);
}

void ValueSlider::editNumber(double number) {
    const double before = m_number;
    setNumber(rounded(number));
    if (m_number != before)
        Q_EMIT edited(m_number);
}

void ValueSlider::stepBy(double steps) {
    editNumber(m_number + steps * m_range.step);
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
    const double forward = layoutDirection() == Qt::RightToLeft ? -1 : 1;
    switch (event->key()) {
    case Qt::Key_Right:
        return stepBy(forward);
    case Qt::Key_Left:
        return stepBy(-forward);
    case Qt::Key_Up:
        return stepBy(1);
    case Qt::Key_Down:
        return stepBy(-1);
    case Qt::Key_PageUp:
        return stepBy(kPageSteps);
    case Qt::Key_PageDown:
        return stepBy(-kPageSteps);
    case Qt::Key_Home:
        return editNumber(m_range.min);
    case Qt::Key_End:
        return editNumber(m_range.max);
    default:
        QSlider::keyPressEvent(event);
    }
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    const double notches = event->angleDelta().y() / kWheelNotch;
    if (const double whole = std::trunc(notches); whole != 0)
        stepBy(whole);
    event->accept();
}

} // namespace sotto::ui

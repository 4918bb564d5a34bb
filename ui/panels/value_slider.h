// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QSlider>

namespace sotto::ui {

/// The numbers a row goes through.
struct NumberRange {
    double min = 0, max = 1, step = 1;
    int decimals = 0;
};

/// A slider over numbers. Ranges of many whole numbers answer by a square, so that small values,
/// where a step matters most, get more of the way. Keys move by steps of the number; the wheel only
/// where the slider has the keyboard, so that scrolling past changes nothing.
class ValueSlider final : public QSlider {
    Q_OBJECT
  public:
    explicit ValueSlider(const NumberRange& range, QWidget* parent = nullptr);

    [[nodiscard]] double number() const { return m_number; }
    /// Clamped to the range; emits nothing.
    void setNumber(double number);

  Q_SIGNALS:
    void edited(double number); ///< by the person

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    [[nodiscard]] bool isCurved() const;
    [[nodiscard]] double fromPosition(int position) const;
    [[nodiscard]] int toPosition(double number) const;
    [[nodiscard]] double rounded(double number) const;
    void stepBy(double steps);
    void editNumber(double number);

    NumberRange m_range;
    double m_number;
    bool m_setting = false;
};

} // namespace sotto::ui

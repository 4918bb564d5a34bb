// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>
#include <QtWidgets/QWidget>

class QLineEdit;
class QToolButton;

namespace sotto::ui {

/// A whole number out of a range too wide for a slider: a field and a button that fills it at
/// random.
class SeedRow final : public QWidget {
    Q_OBJECT
  public:
    /// `max`: at most 2^53 - 1.
    SeedRow(const QString& label, const QString& help, const QString& hint, quint64 max,
            quint64 defaultValue, QWidget* parent = nullptr);

    [[nodiscard]] quint64 value() const { return m_value; }
    /// Clamped to the range; emits nothing.
    void setValue(quint64 value);

    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QToolButton* randomButton() const { return m_random; }

  public Q_SLOTS:
    void reset();
    void randomize();

  Q_SIGNALS:
    void edited(quint64 value); ///< by the person

  private:
    void take(quint64 value);
    void takeText();

    quint64 m_max, m_default, m_value;
    QLineEdit* m_field;
    QToolButton* m_random;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
// Rows of panels: a name with a number to read, or with what to choose or type and when it acts.
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtWidgets/QComboBox>

class QVBoxLayout;

namespace sotto::ui {

class NumberField;
class NumberLabel;
struct NumberRange;

/// The wheel changes nothing unless the box has the keyboard.
class ChoiceBox final : public QComboBox {
    Q_OBJECT
  public:
    explicit ChoiceBox(const QStringList& choices, QWidget* parent = nullptr);

  protected:
    void wheelEvent(QWheelEvent* event) override;
};

/// What a row says beside its control.
struct RowText {
    QString label, hint;
    QString help; ///< the tooltip and the accessible description; plain text
};

/// Name, hint and control in one line.
void addControl(QVBoxLayout* layout, const RowText& text, QWidget* control, int width);
/// The control under name and hint, as wide as the panel.
void addWideControl(QVBoxLayout* layout, const RowText& text, QWidget* control);
/// 0 reads "auto".
[[nodiscard]] NumberField* makeAutoField(const NumberRange& range, const QString& unit,
                                         QWidget* parent);
/// A name and a number to read.
[[nodiscard]] NumberLabel* addNumber(QVBoxLayout* layout, const QString& label, const QString& help,
                                     QWidget* parent);
void addBlockCaption(QVBoxLayout* layout, const QString& text, QWidget* parent);

} // namespace sotto::ui

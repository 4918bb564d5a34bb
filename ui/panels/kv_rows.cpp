// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/kv_rows.h"

#include "ui/panels/number_field.h"
#include "ui/panels/row_label.h"
#include "ui/theme/digits.h"
#include "ui/theme/theme.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QWheelEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace sotto::ui {
namespace {

QHBoxLayout* nameAndHint(const RowText& text, QWidget* control) {
    QWidget* panel = control->parentWidget();
    auto* label = new QLabel(text.label, panel);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(control);
    QLabel* hint = makeHint(text.hint, panel);
    for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(hint), control})
        part->setToolTip(wrappedTip(text.help));
    control->setAccessibleName(text.label);
    control->setAccessibleDescription(text.help);
    auto* line = new QHBoxLayout;
    line->addWidget(label, 1);
    line->addWidget(hint);
    useSpacing(line, {}, 10);
    return line;
}

} // namespace

ChoiceBox::ChoiceBox(const QStringList& choices, QWidget* parent) : QComboBox(parent) {
    addItems(choices);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
}

void ChoiceBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

void addControl(QVBoxLayout* layout, const RowText& text, QWidget* control, int width) {
    QHBoxLayout* line = nameAndHint(text, control);
    line->addWidget(control);
    layout->addLayout(line);
    const auto fit = [control, width] { control->setFixedWidth(Theme::instance().px(width)); };
    QObject::connect(&Theme::instance(), &Theme::changed, control, fit);
    fit();
}

void addWideControl(QVBoxLayout* layout, const RowText& text, QWidget* control) {
    auto* rows = new QVBoxLayout;
    rows->addLayout(nameAndHint(text, control));
    rows->addWidget(control);
    useSpacing(rows, {0, 4, 0, 0}, 4);
    layout->addLayout(rows);
}

NumberField* makeAutoField(const NumberRange& range, const QString& unit, QWidget* parent) {
    auto* field = new NumberField(range, parent);
    field->setSuffix(unit);
    field->setSpecialValueText(QCoreApplication::translate("KvPanel", "auto"));
    return field;
}

NumberLabel* addNumber(QVBoxLayout* layout, const QString& label, const QString& help,
                       QWidget* parent) {
    auto* line = new QHBoxLayout;
    auto* name = new QLabel(label, parent);
    auto* number = new NumberLabel(parent);
    name->setTextFormat(Qt::PlainText);
    name->setToolTip(wrappedTip(help));
    number->setToolTip(wrappedTip(help));
    number->setAccessibleName(label);
    number->setAccessibleDescription(help);
    line->addWidget(name, 1);
    line->addWidget(number);
    useSpacing(line, {}, 8);
    layout->addLayout(line);
    return number;
}

void addBlockCaption(QVBoxLayout* layout, const QString& text, QWidget* parent) {
    auto* line = new QVBoxLayout;
    line->addWidget(makeCaption(text, parent));
    useSpacing(line, {0, 12, 0, 2}, 0);
    layout->addLayout(line);
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/row_label.h"

#include "ui/theme/theme.h"

#include <QtGui/QMouseEvent>

namespace sotto::ui {

RowLabel::RowLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
}

void RowLabel::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        Q_EMIT resetRequested();
    else
        QLabel::mouseDoubleClickEvent(event);
}

QLabel* makeHint(const QString& text, QWidget* parent) {
    auto* hint = new QLabel(text, parent);
    hint->setTextFormat(Qt::PlainText);
    useFont(hint, FontRole::Small);
    useTextRole(hint, Role::Muted);
    return hint;
}

QLabel* makeCaption(const QString& text, QWidget* parent) {
    auto* caption = new QLabel(text, parent);
    caption->setTextFormat(Qt::PlainText);
    useFont(caption, FontRole::Heading);
    useTextRole(caption, Role::Muted);
    return caption;
}

QString wrappedTip(const QString& text) {
    return QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped());
}

} // namespace sotto::ui

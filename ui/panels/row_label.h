// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>
#include <QtWidgets/QLabel>

namespace sotto::ui {

/// The name of a setting; a double click asks for its default.
class RowLabel final : public QLabel {
    Q_OBJECT
  public:
    explicit RowLabel(const QString& text, QWidget* parent = nullptr);

  Q_SIGNALS:
    void resetRequested();

  protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
};

/// When a setting acts: "acts now", "next message", "after reload". Small and muted.
[[nodiscard]] QLabel* makeHint(const QString& text, QWidget* parent);
/// A caption over a block of lines.
[[nodiscard]] QLabel* makeCaption(const QString& text, QWidget* parent);
/// Plain text as a tooltip that wraps.
[[nodiscard]] QString wrappedTip(const QString& text);

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QAbstractButton>

namespace sotto::ui {

/// A card with a short prompt, wrapped; pressing it puts the prompt to the model.
class ExampleCard final : public QAbstractButton {
    Q_OBJECT
  public:
    ExampleCard(const QString& text, QWidget* parent);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] QRect textRect(const QRect& card) const;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QAbstractButton>

namespace sotto::ui {

/// The small round button over the conversation's foot that leads to its end.
class ToEndButton final : public QAbstractButton {
    Q_OBJECT
  public:
    explicit ToEndButton(QWidget* parent);
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QWidget>

namespace sotto::app {

/// A small bar: how much of the context is used.
class ContextMeter final : public QWidget {
    Q_OBJECT
  public:
    explicit ContextMeter(QWidget* parent = nullptr);
    void setUse(qint64 used, qint64 nCtx);
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    qint64 m_used = 0, m_nCtx = 0;
};

} // namespace sotto::app

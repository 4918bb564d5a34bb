// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/roles.h"

#include <QtWidgets/QWidget>

namespace sotto::app {

/// Plain text over as many lines as it takes. Unlike QLabel it breaks long words (paths), so it is
/// never in the way of a narrow window. Its menu copies the text.
class WrapLabel final : public QWidget {
    Q_OBJECT
  public:
    explicit WrapLabel(ui::Role role, QWidget* parent = nullptr);
    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    ui::Role m_role;
    QString m_text;
};

} // namespace sotto::app

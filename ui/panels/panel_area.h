// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QScrollArea>

namespace sotto::ui {

class Panel;

/// A panel inside a dock: scrolls up and down where the window is too low, and has the side area's
/// width.
class PanelArea final : public QScrollArea {
    Q_OBJECT
  public:
    /// `width` in pixels of the design.
    PanelArea(ui::Panel* panel, int width); // QFrame has a Panel of its own
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  private:
    int m_width;
};

} // namespace sotto::ui

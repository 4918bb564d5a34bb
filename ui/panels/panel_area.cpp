// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/panel_area.h"

#include "ui/panels/panel.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace sotto::ui {

PanelArea::PanelArea(ui::Panel* panel, int width) : m_width(width) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    useGround(viewport(), Role::Side);
    setWidget(panel);
}

QSize PanelArea::sizeHint() const {
    return {Theme::instance().px(m_width), widget()->sizeHint().height()};
}

/// Wide enough that nothing is cut off: there is no sideways scrolling.
QSize PanelArea::minimumSizeHint() const {
    return {std::max(widget()->minimumSizeHint().width(), Theme::instance().px(200)),
            Theme::instance().px(80)};
}

} // namespace sotto::ui

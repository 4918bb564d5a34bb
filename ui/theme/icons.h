// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/roles.h"

#include <QtGui/QIcon>
#include <QtGui/QPixmap>

namespace sotto::ui {

/// Our line icons: resources/icons/<name>.svg, drawn on 16 x 16 with lines of 1.5.
enum class Icon {
    Send,
    Stop,
    Plus,
    Copy,
    Regenerate,
    PanelLeft,
    PanelRight,
    Folder,
    ChevronUp,
    ChevronDown,
    ChevronLeft,
    ChevronRight,
    Close,
    Float,
    Dock,
    Check,
    Dice,
    Reset,
    Search,
};
inline constexpr int kIconCount = static_cast<int>(Icon::Search) + 1;

/// Takes its colour from the theme whenever it is painted, so it follows light and dark by itself;
/// QIcon::Disabled paints it in Role::Disabled.
[[nodiscard]] QIcon icon(Icon name, Role role = Role::Ink);

/// `size` in device-independent pixels, square; rendered at size * dpr. Cached.
[[nodiscard]] QPixmap iconPixmap(Icon name, int size, qreal dpr, const QColor& color);

} // namespace sotto::ui

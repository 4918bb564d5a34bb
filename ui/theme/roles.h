// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGui/QColor>

namespace sotto::ui {

/// What a colour is for. Everything that paints asks for a role, never for a colour.
enum class Role {
    Page,         ///< ground of the conversation and of dialogs
    Side,         ///< ground of side areas, menu bar, status bar, panels
    Card,         ///< ground of fields, menus, the composer
    Ink,          ///< text
    Muted,        ///< text of lesser weight; also placeholders
    Line,         ///< lines that only divide: decoration, not needed to know a control
    ControlLine,  ///< edges by which a control is known: 3:1 on Page, Side and Card
    Groove,       ///< the empty part of sliders and bars
    Accent,       ///< what is chosen, filled or can be followed; readable as text
    AccentHover,  ///< the same under the pointer, as a ground for OnAccent
    AccentMid,    ///< the second tone in bars
    AccentGround, ///< ground of a person's message and of chosen rows
    OnAccent,     ///< text on Accent and AccentHover
    CodeGround,   ///< ground of code
    Warning,      ///< text that tells of trouble
    Focus,        ///< the ring round what has the keyboard: 3:1 on every ground
    Selection,    ///< ground of selected text; Ink stands on it
    Hover,        ///< ground of a flat control or row under the pointer
    Pressed,      ///< the same while it is pressed
    Disabled,     ///< text and edges of what cannot be used now
};
inline constexpr int kRoleCount = static_cast<int>(Role::Disabled) + 1;

/// The one table of colours.
[[nodiscard]] QColor roleColor(Role role, bool dark);

} // namespace sotto::ui

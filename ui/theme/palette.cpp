// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/palette.h"

#include "ui/theme/roles.h"

namespace sotto::ui {
namespace {

struct Pair {
    QPalette::ColorRole to;
    Role from;
};

constexpr Pair kAll[] = {
    {QPalette::Window, Role::Page},
    {QPalette::WindowText, Role::Ink},
    {QPalette::Base, Role::Card},
    {QPalette::AlternateBase, Role::Side},
    {QPalette::Text, Role::Ink},
    {QPalette::PlaceholderText, Role::Muted},
    {QPalette::Button, Role::Card},
    {QPalette::ButtonText, Role::Ink},
    {QPalette::BrightText, Role::Warning},
    {QPalette::ToolTipBase, Role::Card},
    {QPalette::ToolTipText, Role::Ink},
    {QPalette::Highlight, Role::Selection},
    {QPalette::HighlightedText, Role::Ink},
    {QPalette::Link, Role::Accent},
    {QPalette::LinkVisited, Role::Accent},
    // Bevel shades, where Fusion still draws with them.
    {QPalette::Light, Role::Card},
    {QPalette::Midlight, Role::Side},
    {QPalette::Mid, Role::Line},
    {QPalette::Dark, Role::ControlLine},
    {QPalette::Shadow, Role::Line},
};

constexpr Pair kDisabled[] = {
    {QPalette::WindowText, Role::Disabled},
    {QPalette::Text, Role::Disabled},
    {QPalette::ButtonText, Role::Disabled},
    {QPalette::PlaceholderText, Role::Disabled},
    {QPalette::HighlightedText, Role::Disabled},
    {QPalette::Link, Role::Disabled},
    {QPalette::LinkVisited, Role::Disabled},
    {QPalette::ToolTipText, Role::Disabled},
    {QPalette::Highlight, Role::Hover},
    {QPalette::Base, Role::Page},
    {QPalette::Button, Role::Page},
    {QPalette::Dark, Role::Line},
};

} // namespace

QPalette themePalette(bool dark) {
    QPalette palette;
    for (const Pair& pair : kAll)
        palette.setColor(QPalette::All, pair.to, roleColor(pair.from, dark));
    for (const Pair& pair : kDisabled)
        palette.setColor(QPalette::Disabled, pair.to, roleColor(pair.from, dark));
    return palette;
}

} // namespace sotto::ui

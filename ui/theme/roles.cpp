// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/roles.h"

#include <QtGui/QRgb>

namespace sotto::ui {
namespace {

struct Row {
    Role role;
    QRgb light, dark;
};

// The contrasts that these must have are written out in tests/ui/theme/tst_contrast.cpp.
constexpr Row kTable[kRoleCount] = {
    {Role::Page, 0xfbfaf8, 0x1b1c1e},        {Role::Side, 0xf3f1ed, 0x151618},
    {Role::Card, 0xffffff, 0x232528},        {Role::Ink, 0x23211e, 0xe8e6e1},
    {Role::Muted, 0x6f6a62, 0xa09c94},       {Role::Line, 0xe2ded6, 0x313438},
    {Role::ControlLine, 0x8c867c, 0x73777d}, {Role::Groove, 0xd8d4cb, 0x3d4045},
    {Role::Accent, 0x1f6f5c, 0x6fc3ab},      {Role::AccentHover, 0x185a4a, 0x8ad3be},
    {Role::AccentMid, 0x79a699, 0x467a6c},   {Role::AccentGround, 0xe3f0ec, 0x20362f},
    {Role::OnAccent, 0xffffff, 0x10201b},    {Role::CodeGround, 0xf4f2ee, 0x17181a},
    {Role::Warning, 0xa35518, 0xe0a069},     {Role::Focus, 0x1f6f5c, 0x6fc3ab},
    {Role::Selection, 0xbfdfd5, 0x2f5a4e},   {Role::Hover, 0xeeebe6, 0x292b2f},
    {Role::Pressed, 0xe5e1d9, 0x303338},     {Role::Disabled, 0xa8a299, 0x65625d},
};

constexpr bool inOrder() {
    for (int i = 0; i < kRoleCount; ++i)
        if (static_cast<int>(kTable[i].role) != i)
            return false;
    return true;
}
static_assert(inOrder(), "one row for each role, in the order of the enum");

} // namespace

QColor roleColor(Role role, bool dark) {
    const Row& row = kTable[static_cast<int>(role)];
    return QColor::fromRgb(dark ? row.dark : row.light);
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QVariant>

#include <span>

namespace sotto::ui {

/// Everything that is remembered between two starts, apart from the sampling settings, whose list
/// is visit_params(). A new setting is a name here and a row in the table.
enum class Setting {
    OpenLastModel,
    LastModel,
    RecentModels,
    ModelFolder,
    Thinking,
    OpenThoughts,
    Threads,
    MemoryContext,
    MemoryKeys,
    MemoryValues,
    MemoryLimit,
    ContextFull,
    Theme,
    LastDark,
    Zoom,
    WindowGeometry,
    DockLayout,
};

/// The type is that of the fallback. Numbers outside min..max are brought into it.
struct SettingRow {
    Setting setting;
    const char* key; ///< "group/name" in the file
    QVariant fallback;
    int min = 0, max = 0; ///< of numbers
};

/// One row a setting, in the order of the enum.
std::span<const SettingRow> settingTable();

/// `stored` as the row's type and in its range; the fallback where it is neither.
QVariant checkedSetting(const SettingRow& row, const QVariant& stored);

} // namespace sotto::ui

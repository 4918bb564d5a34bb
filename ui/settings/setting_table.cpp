// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/setting_table.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <algorithm>

namespace sotto::ui {

std::span<const SettingRow> settingTable() {
    static const SettingRow rows[] = {
        {Setting::OpenLastModel, "model/open_last", true},
        {Setting::LastModel, "model/last", QString()},
        {Setting::RecentModels, "model/recent", QStringList()},
        {Setting::ModelFolder, "model/folder", QString()},
        {Setting::Thinking, "model/thinking", true}, // of models that can do without
        {Setting::OpenThoughts, "chat/open_thoughts", false},
        {Setting::Threads, "engine/threads", 0, 0, 256},           // 0: one per core
        {Setting::MemoryContext, "memory/context", 0, 0, 1 << 20}, // tokens; 0: by itself
        {Setting::MemoryKeys, "memory/keys", 0, 0, 2},             // f16, f32, q8_0
        {Setting::MemoryValues, "memory/values", 0, 0, 2},
        {Setting::MemoryLimit, "memory/limit_mib", 0, 0, 1 << 19}, // 0: by itself
        {Setting::ContextFull, "memory/context_full", 0, 0, 1},    // stop, drop turns
        {Setting::Theme, "window/theme", 0, 0, 2},                 // system, light, dark
        {Setting::LastDark, "window/last_dark",
         false}, // what "system" meant when the program ended
        {Setting::Zoom, "window/zoom_percent", 100, 50, 300},
        {Setting::WindowGeometry, "window/geometry", QByteArray()},
        {Setting::DockLayout, "window/docks", QByteArray()},
    };
    return rows;
}

QVariant checkedSetting(const SettingRow& row, const QVariant& stored) {
    switch (row.fallback.typeId()) {
    case QMetaType::Int: {
        bool isNumber = false;
        const qint64 value = stored.toLongLong(&isNumber);
        const auto inRange = std::clamp<qint64>(value, row.min, row.max);
        return isNumber ? QVariant(static_cast<int>(inRange)) : row.fallback;
    }
    case QMetaType::Bool: {
        const QString text = stored.toString();
        const bool isBool = text == QLatin1String("true") || text == QLatin1String("false");
        return isBool ? QVariant(text == QLatin1String("true")) : row.fallback;
    }
    default: {
        QVariant value = stored;
        return value.isValid() && value.convert(row.fallback.metaType()) ? value : row.fallback;
    }
    }
}

} // namespace sotto::ui

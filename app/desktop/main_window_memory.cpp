// SPDX-License-Identifier: Apache-2.0
// The memory panel between settings and bridge.
#include "app/desktop/chat_controller.h"
#include "app/desktop/main_window.h"
#include "app/desktop/message_bar.h"
#include "ui/panels/kv_panel.h"

#include <algorithm>

namespace sotto::app {
namespace {

using ui::Bridge;
using ui::KvPanel;
using ui::MemorySettings;
using ui::Setting;

/// The settings keep the place in the list; they are in its range.
CacheType cacheType(const QVariant& stored) {
    return kCacheTypes.at(static_cast<std::size_t>(stored.toInt()));
}

MemorySettings stored(const ui::Settings& settings) {
    MemorySettings memory;
    memory.nCtx = settings.value(Setting::MemoryContext).toInt();
    memory.cacheTypes = {cacheType(settings.value(Setting::MemoryKeys)),
                         cacheType(settings.value(Setting::MemoryValues))};
    memory.kvMiB = settings.value(Setting::MemoryLimit).toInt();
    memory.contextFull = static_cast<ContextFull>(settings.value(Setting::ContextFull).toInt());
    return memory;
}

void store(ui::Settings& settings, const MemorySettings& memory) {
    settings.setValue(Setting::MemoryContext, memory.nCtx);
    settings.setValue(Setting::MemoryKeys, static_cast<int>(memory.cacheTypes.k));
    settings.setValue(Setting::MemoryValues, static_cast<int>(memory.cacheTypes.v));
    settings.setValue(Setting::MemoryLimit, memory.kvMiB);
    settings.setValue(Setting::ContextFull, static_cast<int>(memory.contextFull));
}

} // namespace

void MainWindow::connectMemory() {
    m_memory->setSettings(stored(*m_settings));
    m_bridge->setMemory(m_memory->settings());
    connect(m_memory, &KvPanel::settingsChanged, this, [this](const MemorySettings& memory) {
        m_bridge->setMemory(memory);
        store(*m_settings, memory);
        updateCounter();
    });
    connect(m_memory, &KvPanel::reloadRequested, this, [this] {
        m_reloading = m_bridge->reload() || m_reloading;
        updateAll();
    });
    connect(m_bridge, &Bridge::modelReloaded, this, &MainWindow::onModelReloaded);
    connect(m_bridge, &Bridge::engineStatus, m_memory, &KvPanel::setStatus);
}

/// The same model: all that is told of it, and the chat, stays.
void MainWindow::onModelReloaded(const ui::ModelDetails& details) {
    m_reloading = false;
    m_memory->setModel(details);
    showEngineInfo(0);
    showContext(std::min<qint64>(m_contextUsed, details.nCtx), details.nCtx);
    updateAll();
}

void MainWindow::onReloadFailed(const QString& message) {
    m_messages->showMessage(
        tr("%1 could not be reloaded: %2. It runs on as it was.")
            .arg(QString::fromStdString(m_bridge->details().info.name), message));
    updateAll();
}

} // namespace sotto::app

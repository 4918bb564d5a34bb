// SPDX-License-Identifier: Apache-2.0
// DockHost::saveState() and restoreState().
#include "ui/panels/dock_host.h"
#include "ui/panels/panel.h"

#include <QtCore/QDataStream>
#include <QtCore/QIODevice>
#include <QtCore/QVariantMap>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QMainWindow>

namespace sotto::ui {
namespace {

constexpr quint32 kMagic = 0x53744463; // "StDc"
constexpr quint32 kVersion = 1;
constexpr qsizetype kLargestState = 1 << 20; // bytes

struct Saved {
    QByteArray window;
    bool hidden = false;
    QVariantMap panels;
};

bool read(const QByteArray& bytes, Saved* saved) {
    if (bytes.size() > kLargestState)
        return false;
    QDataStream in(bytes);
    in.setVersion(QDataStream::Qt_6_4);
    quint32 magic = 0, version = 0;
    in >> magic >> version;
    if (magic != kMagic || version != kVersion)
        return false;
    in >> saved->window >> saved->hidden >> saved->panels;
    return in.status() == QDataStream::Ok && in.atEnd();
}

} // namespace

QByteArray DockHost::saveState() const {
    QVariantMap states;
    for (const Entry& entry : m_entries)
        states.insert(entry.panel->id(), entry.panel->saveState());
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << kMagic << kVersion << (m_why == PutAway::No ? m_window->saveState() : m_wideState)
        << (m_why == PutAway::ByPerson) << states;
    return bytes;
}

bool DockHost::restoreState(const QByteArray& state) {
    Saved saved;
    if (!read(state, &saved))
        return false;
    if (m_why != PutAway::No)
        bringBack();
    if (!m_window->restoreState(saved.window))
        return false;
    for (const Entry& entry : std::as_const(m_entries))
        entry.panel->restoreState(saved.panels.value(entry.panel->id()).toMap());
    if (saved.hidden)
        putAway(PutAway::ByPerson);
    else if (m_narrow)
        putAway(PutAway::Narrow);
    m_refresh.start(0);
    return true;
}

} // namespace sotto::ui

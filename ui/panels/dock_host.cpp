// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/dock_host.h"

#include "ui/panels/dock_title.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_area.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtCore/QEvent>
#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QMainWindow>

#include <algorithm>
#include <utility>

namespace sotto::ui {

DockHost::DockHost(QMainWindow* window)
    : QObject(window), m_window(window), m_sideAction(new QAction(this)),
      m_floatAction(new QAction(this)) {
    window->setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window->setDocumentMode(true);
    // Panels take the side's whole height, beside whatever is at the bottom.
    window->setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window->installEventFilter(this);
    makeActions();
    m_refresh.setSingleShot(true);
    connect(&m_refresh, &QTimer::timeout, this, &DockHost::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &DockHost::followWidth);
}

void DockHost::makeActions() {
    m_sideAction->setText(tr("Side Panels"));
    m_sideAction->setIcon(icon(Icon::PanelRight));
    m_sideAction->setCheckable(true);
    m_sideAction->setObjectName(QStringLiteral("sidePanels"));
    connect(m_sideAction, &QAction::triggered, this, &DockHost::toggleSide);
    m_floatAction->setText(tr("Float Panel"));
    m_floatAction->setIcon(icon(Icon::Float));
    m_floatAction->setObjectName(QStringLiteral("floatPanel"));
    connect(m_floatAction, &QAction::triggered, this, &DockHost::toggleFloat);
}

QDockWidget* DockHost::add(Panel* panel) {
    auto* dock = new QDockWidget(panel->title(), m_window);
    dock->setObjectName(QStringLiteral("panel-") + panel->id());
    dock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    dock->setWidget(new PanelArea(panel, kPanelWidth));
    auto* title = new DockTitle(dock);
    dock->setTitleBarWidget(title);
    m_window->addDockWidget(Qt::RightDockWidgetArea, dock);
    if (!m_entries.isEmpty()) {
        m_window->tabifyDockWidget(m_entries.constLast().dock, dock);
        m_entries.constFirst().dock->raise();
    }
    m_entries.append({panel, dock, title, false});
    watch(static_cast<int>(m_entries.size()) - 1);
    if (m_why != PutAway::No) { // the area is hidden just now: wait with it
        m_hidden.append(dock);
        dock->hide();
    }
    refresh();
    return dock;
}

void DockHost::watch(int index) {
    const QDockWidget* dock = m_entries[index].dock;
    const auto later = [this] { m_refresh.start(0); };
    connect(dock, &QDockWidget::visibilityChanged, this, [this, index, later](bool visible) {
        m_entries[index].inFront = visible;
        later();
    });
    connect(dock, &QDockWidget::topLevelChanged, this, later);
    connect(dock, &QDockWidget::dockLocationChanged, this, later);
    connect(dock->toggleViewAction(), &QAction::toggled, this, later);
}

QList<Panel*> DockHost::panels() const {
    QList<Panel*> panels;
    for (const Entry& entry : m_entries)
        panels.append(entry.panel);
    return panels;
}

QList<QAction*> DockHost::toggleActions() const {
    QList<QAction*> actions;
    for (const Entry& entry : m_entries)
        actions.append(entry.dock->toggleViewAction());
    return actions;
}

bool DockHost::raise(const QString& id) {
    for (const Entry& entry : m_entries) {
        if (entry.panel->id() != id)
            continue;
        if (m_hidden.contains(entry.dock))
            bringBack();
        entry.dock->show();
        entry.dock->raise();
        return true;
    }
    return false;
}

bool DockHost::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_window && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
        followWidth();
    return QObject::eventFilter(watched, event);
}

void DockHost::followWidth() {
    const bool narrow = m_window->width() < Theme::instance().px(kNarrowWidth);
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    if (narrow && m_why == PutAway::No)
        putAway(PutAway::Narrow);
    else if (!narrow && m_why == PutAway::Narrow)
        bringBack();
    Q_EMIT narrowChanged(narrow);
}

void DockHost::putAway(PutAway why) {
    const QList<QDockWidget*> docks = sideDocks();
    if (docks.isEmpty())
        return;
    m_wideState = m_window->saveState();
    m_front = frontDock();
    m_hidden = docks;
    m_why = why;
    for (QDockWidget* dock : docks)
        dock->hide();
    refresh();
}

void DockHost::bringBack() {
    m_why = PutAway::No;
    const QList<QDockWidget*> docks = std::exchange(m_hidden, {});
    for (QDockWidget* dock : docks)
        dock->show();
    if (m_front)
        m_front->raise();
    m_front = nullptr;
    refresh();
}

void DockHost::toggleSide(bool visible) {
    if (!visible) {
        m_why = PutAway::No;
        putAway(PutAway::ByPerson);
    } else if (!m_hidden.isEmpty()) {
        bringBack();
    } else {
        for (const Entry& entry : std::as_const(m_entries))
            entry.dock->show();
    }
    m_refresh.start(0);
}

void DockHost::toggleFloat() {
    if (QDockWidget* front = frontDock()) {
        front->setFloating(true);
        return;
    }
    for (const Entry& entry : std::as_const(m_entries))
        if (entry.dock->isFloating() && !entry.dock->isHidden())
            return entry.dock->setFloating(false);
}

/// Brings titles and actions in line with where the docks are.
void DockHost::refresh() {
    bool anyFloating = false;
    for (const Entry& entry : std::as_const(m_entries)) {
        entry.title->setFolded(isTabbed(entry.dock));
        anyFloating = anyFloating || (entry.dock->isFloating() && !entry.dock->isHidden());
    }
    const bool anyInside = !sideDocks().isEmpty();
    m_sideAction->setChecked(anyInside);
    m_floatAction->setText(anyInside || !anyFloating ? tr("Float Panel") : tr("Put Panel Back"));
    m_floatAction->setEnabled(anyInside || anyFloating);
}

bool DockHost::isTabbed(const QDockWidget* dock) const {
    if (dock->isFloating())
        return false;
    const QList<QDockWidget*> others =
        m_window->tabifiedDockWidgets(const_cast<QDockWidget*>(dock));
    return std::any_of(others.begin(), others.end(), [](const QDockWidget* other) {
        return !other->isHidden() && !other->isFloating();
    });
}

QList<QDockWidget*> DockHost::sideDocks() const {
    QList<QDockWidget*> docks;
    for (const Entry& entry : m_entries)
        if (!entry.dock->isHidden() && !entry.dock->isFloating())
            docks.append(entry.dock);
    return docks;
}

QDockWidget* DockHost::frontDock() const {
    const QList<QDockWidget*> docks = sideDocks();
    for (const Entry& entry : m_entries)
        if (entry.inFront && docks.contains(entry.dock))
            return entry.dock;
    return docks.isEmpty() ? nullptr : docks.constFirst();
}

} // namespace sotto::ui

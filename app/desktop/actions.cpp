// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/actions.h"

#include "ui/theme/theme.h"

#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QKeySequence>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>

namespace sotto::app {
namespace {

using ui::Theme;

QKeySequence ctrl(Qt::Key key) {
    return QKeySequence(Qt::CTRL | key);
}

} // namespace

Actions::Actions(QMainWindow* window) : QObject(window), m_window(window) {
    addFile();
    addEdit();
    addChat();
    addModel();
    addView();
    addHelp();
}

QAction* Actions::add(QMenu* menu, const QString& text, const QList<QKeySequence>& keys) {
    auto* action = new QAction(text, m_window);
    action->setShortcuts(keys);
    menu->addAction(action);
    m_all += action;
    return action;
}

void Actions::addFile() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&File"));
    openModel = add(menu, tr("&Open Model…"), {ctrl(Qt::Key_O)});
    openFolder =
        add(menu, tr("Open Model &Folder…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)});
    recent = menu->addMenu(tr("Open &Recent"));
    recent->setToolTipsVisible(true);
    menu->addSeparator();
    quit = add(menu, tr("&Quit"), {ctrl(Qt::Key_Q)});
    quit->setMenuRole(QAction::QuitRole);
}

void Actions::addEdit() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Edit"));
    undo = add(menu, tr("&Undo"), {ctrl(Qt::Key_Z)});
    redo = add(menu, tr("&Redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
    menu->addSeparator();
    copy = add(menu, tr("&Copy"), {ctrl(Qt::Key_C)});
    selectAll = add(menu, tr("Select &All"), {ctrl(Qt::Key_A)});
}

void Actions::addChat() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Chat"));
    newChat = add(menu, tr("&New Chat"), {ctrl(Qt::Key_N)});
    menu->addSeparator();
    stop = add(menu, tr("&Stop"), {QKeySequence(Qt::Key_Escape)});
    regenerate = add(menu, tr("&Regenerate"), {ctrl(Qt::Key_R)});
    copyAnswer =
        add(menu, tr("&Copy Last Answer"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)});
}

void Actions::addModel() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Model"));
    menu->setToolTipsVisible(true);
    thinking = add(menu, tr("&Think Before Answering"), {ctrl(Qt::Key_T)});
    thinking->setCheckable(true);
    menu->addSeparator();
    modelDetails = add(menu, tr("Model &Details…"), {ctrl(Qt::Key_I)});
    unload = add(menu, tr("&Unload Model"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U)});
}

void Actions::addView() {
    view = m_window->menuBar()->addMenu(tr("&View"));
    view->addSeparator();
    QMenu* colours = view->addMenu(tr("&Theme"));
    themes = new QActionGroup(this);
    addTheme(colours, tr("&System"), static_cast<int>(Theme::Mode::System));
    addTheme(colours, tr("&Light"), static_cast<int>(Theme::Mode::Light));
    addTheme(colours, tr("&Dark"), static_cast<int>(Theme::Mode::Dark));
    view->addSeparator();
    zoomIn = add(view, tr("Zoom &In"), {ctrl(Qt::Key_Plus), ctrl(Qt::Key_Equal)});
    zoomOut = add(view, tr("Zoom &Out"), {ctrl(Qt::Key_Minus)});
    zoomReset = add(view, tr("&Normal Size"), {ctrl(Qt::Key_0)});
}

void Actions::addTheme(QMenu* menu, const QString& text, int mode) {
    QAction* action = themes->addAction(menu->addAction(text));
    action->setCheckable(true);
    action->setData(mode);
}

void Actions::addHelp() {
    QMenu* menu = m_window->menuBar()->addMenu(tr("&Help"));
    shortcuts = add(menu, tr("Keyboard &Shortcuts"), {QKeySequence(Qt::Key_F1)});
    about = add(menu, tr("&About Sotto"));
    about->setMenuRole(QAction::AboutRole);
}

QList<QAction*> Actions::withShortcut() const {
    QList<QAction*> actions;
    for (QAction* action : m_all) {
        if (!action->shortcut().isEmpty()) {
            actions += action;
        }
    }
    return actions;
}

} // namespace sotto::app

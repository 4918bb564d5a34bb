// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QObject>

class QAction;
class QActionGroup;
class QKeySequence;
class QMainWindow;
class QMenu;

namespace sotto::app {

/// Every action of the window with its shortcut, in its menu. What they do is connected by
/// MainWindow.
class Actions final : public QObject {
    Q_OBJECT
  public:
    explicit Actions(QMainWindow* window);

    QAction *openModel, *openFolder, *quit;
    QMenu* recent;
    QAction *undo, *redo, *copy, *selectAll;
    QAction *newChat, *stop, *regenerate, *copyAnswer;
    QAction* thinking; ///< checkable
    QAction *modelDetails, *unload;
    QMenu* view;          ///< panels come first
    QActionGroup* themes; ///< data(): Theme::Mode as int
    QAction *zoomIn, *zoomOut, *zoomReset;
    QAction *shortcuts, *about;

    /// Those with a shortcut, in menu order: for the list in Help.
    [[nodiscard]] QList<QAction*> withShortcut() const;

  private:
    QAction* add(QMenu* menu, const QString& text, const QList<QKeySequence>& keys = {});
    void addTheme(QMenu* menu, const QString& text, int mode);
    void addFile();
    void addEdit();
    void addChat();
    void addModel();
    void addView();
    void addHelp();

    QMainWindow* m_window;
    QList<QAction*> m_all;
};

} // namespace sotto::app

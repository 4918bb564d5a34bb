// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QObject>
#include <QtCore/QTimer>

class QAction;
class QDockWidget;
class QMainWindow;

namespace sotto::ui {

class DockTitle;
class Panel;

/// Puts panels into the right side area of a main window: docks in tabs, 288 px wide, that can be
/// hidden, floated and dragged. Below kNarrowWidth the area hides, and comes back when there is
/// room again.
class DockHost final : public QObject {
    Q_OBJECT
  public:
    static constexpr int kPanelWidth = 288;
    static constexpr int kNarrowWidth =
        900; ///< of the window, device-independent pixels, before zoom

    /// Sets the window's dock options and tab positions.
    explicit DockHost(QMainWindow* window);

    /// Takes the panel; the first one added is the tab in front.
    QDockWidget* add(Panel* panel);
    [[nodiscard]] QList<Panel*> panels() const;

    /// For the View menu: one checkable action for each panel, in order.
    [[nodiscard]] QList<QAction*> toggleActions() const;
    /// For the View menu: shows or hides the side area as a whole. Checkable.
    [[nodiscard]] QAction* sideAction() const { return m_sideAction; }
    /// For the View menu: takes the front panel out of the window, or puts it back.
    [[nodiscard]] QAction* floatAction() const { return m_floatAction; }
    /// Shows the panel and brings it to the front; false if no panel has that id.
    bool raise(const QString& id);

    /// Which docks are where, as wide windows show them, and each panel's own state.
    [[nodiscard]] QByteArray saveState() const;
    /// False, and nothing changed, if the bytes are not from saveState().
    bool restoreState(const QByteArray& state);
    [[nodiscard]] bool isNarrow() const { return m_narrow; }

  Q_SIGNALS:
    /// The window became narrower than kNarrowWidth, or wide again; for other side areas.
    void narrowChanged(bool narrow);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Entry {
        Panel* panel;
        QDockWidget* dock;
        DockTitle* title;
        bool inFront; ///< shown, and not behind another tab
    };
    /// Why the side area as a whole is hidden.
    enum class PutAway { No, Narrow, ByPerson };

    void makeActions();
    void followWidth();
    void putAway(PutAway why);
    void bringBack();
    void toggleSide(bool visible);
    void toggleFloat();
    void refresh();
    void watch(int index);
    [[nodiscard]] bool isTabbed(const QDockWidget* dock) const;
    [[nodiscard]] QDockWidget* frontDock() const;
    [[nodiscard]] QList<QDockWidget*> sideDocks() const; ///< shown and not floating

    QMainWindow* m_window;
    QList<Entry> m_entries;
    QAction* m_sideAction;
    QAction* m_floatAction;
    QTimer m_refresh; ///< docks change in the middle of their own signals: look afterwards
    PutAway m_why = PutAway::No;
    QList<QDockWidget*> m_hidden;   ///< by putAway()
    QDockWidget* m_front = nullptr; ///< of them
    QByteArray m_wideState;         ///< QMainWindow's, from before they were hidden
    bool m_narrow = false;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/column.h"
#include "ui/chat/conversation.h"
#include "ui/chat/empty_state.h"
#include "ui/chat/selection.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QPointer>
#include <QtWidgets/QAbstractScrollArea>

#include <memory>
#include <vector>

class QMenu;

namespace sotto::ui {

class MessageItem;
class ToEndButton;
struct ChatMetrics;

/// The conversation as a scrolling column: one MessageItem a message, each a list of laid-out
/// blocks. Blocks far from the window are neither laid out nor painted; their heights are estimated
/// until then. Text is shown as it came: no HTML, nothing is fetched. Lives on the window's thread.
///
/// Drops are left to the window: the view accepts none.
class ChatView final : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit ChatView(QWidget* parent = nullptr);
    ~ChatView() override;

    /// Shows `conversation` (not owned; may be null) and follows its signals.
    void setConversation(Conversation* conversation);
    [[nodiscard]] Conversation* conversation() const { return m_conversation; }

    void setEmptyState(const EmptyState& state); ///< shown while there are no messages

    /// Whether new text keeps the end in sight. Ends when the reader scrolls up, begins again when
    /// the reader is back at the end.
    [[nodiscard]] bool followsEnd() const { return m_followsEnd; }
    void scrollToEnd();

    [[nodiscard]] bool hasSelection() const { return !m_selection.isEmpty(); }
    /// The selected source text, exactly; parts of messages are joined by an empty line. A thought
    /// that is closed is not in it.
    [[nodiscard]] QString selectedText() const;
    void selectAll();
    void clearSelection();
    void copy();                 ///< the selection to the clipboard; nothing without one
    void copyMessage(int index); ///< the whole source text of one message, without its thought
    void copyThought(int index);

    /// The index of the answer that may be written anew (the last message, if none is being
    /// written), or -1.
    [[nodiscard]] int regenerable() const;

    /// Whether thoughts are open that come from now on: as the reader last chose, or as set here.
    [[nodiscard]] bool opensThoughts() const { return m_opensThoughts; }
    void setOpensThoughts(bool open) { m_opensThoughts = open; }
    [[nodiscard]] bool isThoughtOpen(int index) const;
    /// As if the reader had clicked on the line over it, which keeps its place.
    void setThoughtOpen(int index, bool open);
    [[nodiscard]] QRect thoughtRect(int index) const; ///< of that line, in viewport coordinates
    /// The message whose thought has the keyboard, or -1.
    [[nodiscard]] int focusedThought() const { return hasFocus() ? m_focusedThought : -1; }
    void focusThought(int index);

    /// What the reader sees first: (message, offset in its text). For tests and for restoring.
    [[nodiscard]] TextPos topPosition();
    void scrollToPosition(TextPos position);

    /// Takes in what the conversation signalled. Happens by itself within 16 ms, however often it
    /// signals.
    void flush();

    // For tests and accessibility.
    [[nodiscard]] int itemCount() const { return static_cast<int>(m_items.size()); }
    [[nodiscard]] MessageItem& item(int index) { return *m_items[index]; }
    [[nodiscard]] QRect messageRect(int index) const; ///< in viewport coordinates
    [[nodiscard]] TextPos positionAt(const QPoint& viewportPoint);
    [[nodiscard]] QRect positionRect(TextPos position); ///< of a caret there, viewport coordinates

  Q_SIGNALS:
    void regenerateRequested(int index);
    void copyMessageRequested(int index); ///< the text is on the clipboard already
    void exampleChosen(const QString& text);
    void openModelRequested();
    void selectionChanged(); ///< hasSelection() may have changed: for the Copy action
    void followsEndChanged(bool follows);
    void opensThoughtsChanged(bool open); ///< the reader opened or closed one

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;

  private:
    enum class ToolKind { Copy, Regenerate };
    struct Tool {
        ToolKind kind = ToolKind::Copy;
        QRect rect; ///< in viewport coordinates
        QString name;
    };
    struct Anchor { ///< a block, and how far the window's top is below its own
        int item = -1;
        Part part = Part::Answer;
        int block = -1;
        int distance = 0;
    };

    // The conversation's signals.
    void onAppended(int index);
    void onRemoved(int from);
    void addItem(int index);
    void refresh(int index);
    void rebuild();
    void onThemeChanged();
    void onEmptyChanged();

    // Layout: chat_view_layout.cpp.
    void placeItems();
    void relayout();
    void layoutVisible();
    void releaseFar();
    void idleLayout();
    void updateScrollBar();
    void placeChildren();
    void setFollowsEnd(bool follows);
    [[nodiscard]] bool isAtEnd() const;
    [[nodiscard]] Anchor findAnchor() const;
    void restore(const Anchor& anchor);
    [[nodiscard]] Column column() const; ///< in viewport coordinates
    [[nodiscard]] int viewTop() const;
    [[nodiscard]] int itemAt(int contentY) const; ///< the message at or above; 0 above all of them
    [[nodiscard]] QPoint toItem(int index, const QPoint& viewportPoint) const;

    // Mouse and keyboard: chat_view_input.cpp.
    [[nodiscard]] TextPos hitSpan(const QPoint& point, TextPos& end);
    void beginSelection(const QPoint& point, bool extend);
    void extendTo(const QPoint& point);
    void selectionMoved(bool hadSelection);
    void setHover(const QPoint& point);
    [[nodiscard]] std::vector<Tool> toolsOf(int index) const;
    [[nodiscard]] const Tool* toolAt(const std::vector<Tool>& tools, const QPoint& point) const;
    bool pressTool(const QPoint& point);
    bool pressCopyCode(const QPoint& point);
    // Thoughts: chat_view_thoughts.cpp.
    bool pressThought(const QPoint& point);
    [[nodiscard]] int thoughtAt(const QPoint& point) const;
    [[nodiscard]] int nextThought(int from, bool forward) const;
    void placeAfterFold(int index, int lineTop, bool follow);
    void useTool(ToolKind kind, int index);
    void paintTools(QPainter& painter) const;
    void showMenu(int index, const QPoint& globalPoint);

    QPointer<Conversation> m_conversation;
    std::unique_ptr<ChatMetrics> m_metrics, m_thoughtMetrics;
    std::vector<std::unique_ptr<MessageItem>> m_items;
    std::vector<int> m_tops;  ///< content y of each message
    std::vector<int> m_stale; ///< messages that changed since the last flush()
    int m_contentHeight = 0;
    EmptyStateView* m_empty = nullptr;
    ToEndButton* m_toEnd = nullptr;
    Selection m_selection;
    int m_clicks = 0; ///< 1 characters, 2 words, 3 lines
    bool m_selecting = false;
    QPoint m_mouse;
    int m_hovered = -1;        ///< message under the pointer
    int m_hoveredThought = -1; ///< message the line over whose thought is under the pointer
    int m_focusedThought = -1;
    int m_copiedItem = -1;
    BlockRef m_hoveredCode; ///< its block whose Copy is under the pointer
    BlockRef m_copiedCode;
    QBasicTimer m_tripleTimer, m_autoScrollTimer, m_flushTimer, m_idleTimer, m_copiedTimer;
    QPointer<QMenu> m_menu;
    bool m_followsEnd = true;
    bool m_opensThoughts = false;
    bool m_inLayout = false;
    bool m_showsFocus = false; ///< the keyboard brought the focus here
};

} // namespace sotto::ui

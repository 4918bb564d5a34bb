// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/block_list.h"

#include <QtCore/QRect>

#include <array>

class QPainter;

namespace sotto::ui {

/// One message in the view: its thought and its answer, each a list of blocks, and what is drawn
/// round them (the bubble, the author, the line over the thought, the progress of reading, the
/// note). Coordinates are the column's, y from the message's top. A thought that is closed is
/// neither parsed nor laid out.
class MessageItem {
  public:
    /// `thoughts` are the metrics inside a thought.
    MessageItem(const Conversation& conversation, int index, const ChatMetrics& metrics,
                const ChatMetrics& thoughts);

    [[nodiscard]] const Message& message() const { return m_conversation.at(m_index); }
    [[nodiscard]] int height() const { return m_height; }
    [[nodiscard]] const BlockList& list(Part part) const { return m_lists[int(part)]; }
    [[nodiscard]] const std::vector<TextBlock>& blocks() const { return answer().blocks(); }
    [[nodiscard]] bool isExact() const; ///< no height is an estimate
    /// Whether the reader sees that part; of a thought only one that is open.
    [[nodiscard]] bool shows(Part part) const;

    void setWidth(int width); ///< of the column; every height becomes an estimate again
    void refresh();           ///< takes in new text and state; unchanged blocks keep their layouts
    void setThoughtOpen(bool open);
    [[nodiscard]] bool isThoughtOpen() const { return m_thoughtOpen; }

    /// Lays out what stands between the two heights. Returns whether any height changed.
    bool layoutRange(int top, int bottom);
    /// Makes estimates exact, first to last, until the deadline. Returns whether some are left.
    bool layoutSome(const QDeadlineTimer& deadline);
    /// Drops layouts outside of the two heights; the heights stay.
    void releaseOutside(int top, int bottom);

    struct Paint {
        QPoint origin; ///< the message's top left corner in the painter's coordinates
        QRect clip;    ///< in the painter's coordinates
        std::array<TextRange, kParts> selection;
        BlockRef hoveredCopy; ///< whose Copy is under the pointer
        BlockRef copiedBlock; ///< whose code was copied a moment ago
        bool thoughtHovered = false;
        bool thoughtFocused = false;
    };
    void paint(QPainter& painter, const Paint& paint) const;

    [[nodiscard]] BlockRef blockAt(int y) const; ///< the block at or above `y`
    [[nodiscard]] QPoint blockPos(BlockRef ref) const;
    [[nodiscard]] QPoint blockPos(int block) const { return blockPos({Part::Answer, block}); }
    struct Hit {
        Part part = Part::Answer;
        TextRange range;
    };
    [[nodiscard]] Hit hit(QPoint point); ///< lays out the block it hits
    // Places in a part that is not shown are at the line over it.
    [[nodiscard]] QRect caretRect(Part part, int sourceOffset);
    [[nodiscard]] TextRange wordAt(Part part, int sourceOffset);
    [[nodiscard]] TextRange
    paragraphAt(Part part, int sourceOffset) const; ///< the block's part of the source line
    [[nodiscard]] TextRange withMarks(Part part, TextRange range);
    [[nodiscard]] BlockRef copyButtonAt(QPoint point) const; ///< a Code block with a header there
    [[nodiscard]] QString codeOf(BlockRef ref) const;        ///< the fence's source lines
    [[nodiscard]] QRect bubble() const { return m_bubble; }  ///< of a person's message, else empty
    [[nodiscard]] QRect authorRect() const;     ///< the line above an answer, else empty
    [[nodiscard]] QRect thoughtRect() const;    ///< the line over a thought, else empty
    [[nodiscard]] QString progressText() const; ///< "reading 512 of 3,400 tokens"
    /// The drawn text of every block of a part, joined by U+2028: what a reader sees. For tests.
    [[nodiscard]] QString shownText(Part part = Part::Answer);

  private:
    void place();
    void placeBubble();
    int placeThought(int y);
    [[nodiscard]] BlockList& mutableList(Part part) { return m_lists[int(part)]; }
    [[nodiscard]] const BlockList& answer() const { return list(Part::Answer); }
    [[nodiscard]] bool isPersons() const { return message().role == Message::Role::User; }
    [[nodiscard]] int headHeight() const;
    [[nodiscard]] int blockWidth(Part part) const;
    [[nodiscard]] int rightShift() const;
    [[nodiscard]] bool showsCaret() const;
    void ensureLaidOut(BlockRef ref);
    void paintHead(QPainter& painter, const Paint& paint) const;
    void paintProgress(QPainter& painter, const QPoint& origin) const;
    void paintThought(QPainter& painter, const Paint& paint) const;
    void paintBlocks(QPainter& painter, Part part, const Paint& paint) const;
    void paintNote(QPainter& painter, const Paint& paint) const;
    void paintCaret(QPainter& painter, const Paint& paint) const;

    const Conversation& m_conversation;
    int m_index;
    const ChatMetrics& m_metrics;
    std::array<BlockList, kParts> m_lists;
    std::array<int, kParts> m_listTops = {};
    bool m_thoughtOpen = false;
    int m_width = 0;
    int m_height = 0;
    int m_contentBottom = 0;
    int m_thoughtBottom = 0;
    int m_noteTop = 0;
    int m_noteHeight = 0;
    QRect m_bubble;
};

} // namespace sotto::ui

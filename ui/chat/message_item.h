// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/conversation.h"
#include "ui/chat/text_block.h"

#include <QtCore/QDeadlineTimer>
#include <QtCore/QRect>

#include <vector>

class QPainter;

namespace sotto::ui {

/// One message in the view: its blocks, where they stand, and what is drawn round them (the bubble,
/// the author, the progress of reading, the note). Coordinates are the column's, y from the
/// message's top. Blocks are laid out by layoutRange() only; until then their heights are
/// estimates.
class MessageItem {
  public:
    MessageItem(const Conversation& conversation, int index, const ChatMetrics& metrics);

    [[nodiscard]] const Message& message() const { return m_conversation.at(m_index); }
    [[nodiscard]] int height() const { return m_height; }
    [[nodiscard]] const std::vector<TextBlock>& blocks() const { return m_blocks; }
    [[nodiscard]] bool isExact() const; ///< no height is an estimate

    void setWidth(int width); ///< of the column; every height becomes an estimate again
    void refresh();           ///< takes in new text and state; unchanged blocks keep their layouts

    /// Lays out what stands between the two heights. Returns whether any height changed.
    bool layoutRange(int top, int bottom);
    /// Makes estimates exact, first to last, until the deadline. Returns whether some are left.
    bool layoutSome(const QDeadlineTimer& deadline);
    void layoutBlock(int block);
    /// Drops layouts outside of the two heights; the heights stay.
    void releaseOutside(int top, int bottom);

    struct Paint {
        QPoint origin; ///< the message's top left corner in the painter's coordinates
        QRect clip;    ///< in the painter's coordinates
        TextRange selection;
        int hoveredCopy = -1; ///< block whose Copy is under the pointer
        int copiedBlock = -1; ///< block whose code was copied a moment ago
    };
    void paint(QPainter& painter, const Paint& paint) const;

    /// The block at or above `y`; -1 without blocks.
    [[nodiscard]] int blockAt(int y) const;
    [[nodiscard]] int blockOf(int sourceOffset) const;
    [[nodiscard]] QPoint blockPos(int block) const;
    [[nodiscard]] TextRange hit(QPoint point); ///< lays out the block it hits
    [[nodiscard]] QRect caretRect(int sourceOffset);
    [[nodiscard]] TextRange wordAt(int sourceOffset);
    [[nodiscard]] TextRange
    paragraphAt(int sourceOffset) const; ///< the block's part of the source line
    [[nodiscard]] TextRange withMarks(TextRange range);
    [[nodiscard]] int copyButtonAt(QPoint point) const; ///< a Code block with a header there, or -1
    [[nodiscard]] QString codeOf(int block) const;      ///< the fence's source lines
    [[nodiscard]] QRect bubble() const { return m_bubble; } ///< of a person's message, else empty
    [[nodiscard]] QRect authorRect() const;     ///< the line above an answer, else empty
    [[nodiscard]] QString progressText() const; ///< "reading 512 of 3,400 tokens"
    /// The drawn text of every block, joined by U+2028: what a reader sees. For tests.
    [[nodiscard]] QString shownText();

  private:
    void place();
    void placeBubble();
    [[nodiscard]] bool isPersons() const { return message().role == Message::Role::User; }
    [[nodiscard]] int headHeight() const;
    [[nodiscard]] int blockWidth() const;
    [[nodiscard]] int rightShift() const;
    [[nodiscard]] bool showsCaret() const { return message().state == Message::State::Writing; }
    void ensureLaidOut(int block);
    void paintHead(QPainter& painter, const Paint& paint) const;
    void paintProgress(QPainter& painter, const QPoint& origin) const;
    void paintNote(QPainter& painter, const Paint& paint) const;
    void paintCaret(QPainter& painter, const Paint& paint) const;

    const Conversation& m_conversation;
    int m_index;
    const ChatMetrics& m_metrics;
    std::vector<BlockSpec> m_specs;
    std::vector<TextBlock> m_blocks; ///< one for each of m_specs
    std::vector<int> m_tops;         ///< y of each block
    int m_firstEstimate = 0;         ///< every height before this block is exact
    int m_width = 0;
    int m_height = 0;
    int m_contentBottom = 0;
    int m_noteTop = 0;
    int m_noteHeight = 0;
    QRect m_bubble;
};

} // namespace sotto::ui

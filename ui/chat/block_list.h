// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/conversation.h"
#include "ui/chat/text_block.h"

#include <QtCore/QDeadlineTimer>

#include <vector>

namespace sotto::ui {

/// The blocks of one part of a message, one under the other. Coordinates are its own, y from its
/// top. Blocks are laid out by layoutRange() and its like only; until then their heights are
/// estimates.
class BlockList {
  public:
    BlockList(const Conversation& conversation, int index, Part part, const ChatMetrics& metrics)
        : m_conversation(conversation), m_index(index), m_part(part), m_metrics(metrics) {}

    [[nodiscard]] const QString& text() const; ///< the source
    [[nodiscard]] const std::vector<TextBlock>& blocks() const { return m_blocks; }
    [[nodiscard]] int count() const { return static_cast<int>(m_blocks.size()); }
    [[nodiscard]] int height() const { return m_height; }
    [[nodiscard]] bool isBlank() const { return m_blank; } ///< nothing to be seen
    [[nodiscard]] bool isExact() const;                    ///< no height is an estimate
    /// Whether layoutSome() has something to do.
    [[nodiscard]] bool hasEstimates() const { return m_firstEstimate < count(); }
    [[nodiscard]] const ChatMetrics& metrics() const { return m_metrics; }

    void setWidth(int width); ///< every height becomes an estimate again
    void refresh();           ///< takes in new text; unchanged blocks keep their layouts

    /// Lays out what stands between the two heights, or all of it. Returns whether any height
    /// changed.
    bool layoutRange(int top, int bottom, bool all);
    /// Makes estimates exact, first to last, until the deadline. Returns whether some are left.
    bool layoutSome(const QDeadlineTimer& deadline);
    bool ensureLaidOut(int block); ///< returns whether heights may have changed
    /// Drops layouts outside of the two heights; the heights stay.
    void releaseOutside(int top, int bottom);

    [[nodiscard]] int top(int block) const { return m_tops[block]; }
    [[nodiscard]] int blockAt(int y) const; ///< the block at or above `y`; -1 without blocks
    [[nodiscard]] int blockOf(int sourceOffset) const;
    [[nodiscard]] TextRange paragraphAt(int sourceOffset) const;
    [[nodiscard]] QString codeOf(int block) const;
    [[nodiscard]] int lastShown() const; ///< the last block that is not blank, or -1

  private:
    void place();

    const Conversation& m_conversation;
    int m_index;
    Part m_part;
    const ChatMetrics& m_metrics;
    std::vector<BlockSpec> m_specs;
    std::vector<TextBlock> m_blocks; ///< one for each of m_specs
    std::vector<int> m_tops;         ///< y of each block
    int m_firstEstimate = 0;         ///< every height before this block is exact
    int m_width = 0;
    int m_height = 0;
    bool m_blank = true;
};

} // namespace sotto::ui

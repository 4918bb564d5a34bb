// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/text_pieces.h"

#include <QtCore/QString>
#include <QtCore/QStringView>

#include <vector>

namespace sotto::ui {

enum class BlockKind : quint8 {
    Blank,     ///< an empty line: a gap before what follows
    Paragraph, ///< one source line, or a piece of a long one
    Heading,   ///< level 1..6
    ListItem,  ///< level: depth, 0 = outermost
    Code,      ///< lines inside a fence, or a piece of many
    Literal,   ///< one source line shown as typed: what a person wrote
};

/// One block of a message. The ranges [begin, end) of all blocks tile the source text; offsets are
/// UTF-16 units.
struct BlockSpec {
    BlockKind kind = BlockKind::Paragraph;
    quint8 level = 0;
    bool first =
        true; ///< begins its source line (Code: its fence), so marks and header belong to it
    bool last = true; ///< Code: ends its fence, as far as the text goes
    int begin = 0;
    int end = 0;
    int textBegin = 0; ///< what is shown, without marks and the line's end
    int textEnd = 0;
    int fenceBegin = -1; ///< Code: where the fence's opening line begins
    [[nodiscard]] bool operator==(const BlockSpec&) const = default;
};

enum class Markup { None, Light };

/// Brings `blocks` up to date with `text`, of which only the end may have grown since the last call
/// (an empty vector: since nothing). Returns the index of the first block that may be another one;
/// its cost is that of the new text and of the last block.
int updateBlocks(QStringView text, Markup markup, std::vector<BlockSpec>& blocks);

/// The info word of a fence's opening line, as "python"; empty without one.
[[nodiscard]] QString fenceLanguage(QStringView text, int fenceBegin);
/// Blanks before the fence's marks: as many are left out of each line of its code.
[[nodiscard]] int fenceIndent(QStringView text, int fenceBegin);

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/block_parser.h"

#include <QtGui/QFont>

namespace sotto::ui {

/// Fonts and distances of the conversation in device-independent pixels, taken from the theme and
/// made anew when it changes.
struct ChatMetrics {
    ChatMetrics();
    /// Inside a thought: in the size of the window's own text.
    [[nodiscard]] static ChatMetrics ofThoughts();

    QFont message;
    QFont mono;
    QFont small;
    QFont label; ///< the line over a thought
    QFont headings[6];
    int lineHeight = 0; ///< 1.45 of the message font's size
    int codeLineHeight = 0;
    int smallLineHeight = 0;
    int averageWidth = 0; ///< of a character: estimates before layout
    int monoWidth = 0;
    qreal tabStop = 0;
    qreal codeTabStop = 0;

    int messageGap = 0; ///< between messages
    int lineGap = 0;    ///< between lines of an answer that no empty line divides
    int blockGap = 0;   ///< between paragraphs, and round code
    int authorGap = 0;  ///< under the author line
    int codePad = 0;
    int codeHeader = 0;    ///< height of the line with language and Copy
    int thoughtHeader = 0; ///< height of the line over a thought
    int thoughtIndent = 0; ///< of a thought, behind its edge
    int thoughtMark = 0;   ///< the room of the triangle before the line's words
    int bubblePadX = 0;
    int bubblePadY = 0;
    int bubbleRadius = 0;
    int codeRadius = 0;
    int listIndent = 0;
    int listStep = 0;
    int caretWidth = 0;
    int toolSize = 0;

    [[nodiscard]] const QFont& fontOf(const BlockSpec& spec) const;
    [[nodiscard]] int lineHeightOf(const BlockSpec& spec) const;
    /// Where the text of a block begins, from the block's left edge; the right side loses `codePad`
    /// for code.
    [[nodiscard]] int indentOf(const BlockSpec& spec) const;
    /// The gap between two neighbouring blocks; `blanks` empty lines stand between them.
    [[nodiscard]] int gap(const BlockSpec& above, const BlockSpec& below, int blanks) const;

  private:
    ChatMetrics(const QFont& text, const QFont& code);
};

} // namespace sotto::ui

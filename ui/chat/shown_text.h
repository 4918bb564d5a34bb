// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/block_parser.h"
#include "ui/chat/selection.h"
#include "ui/theme/emoji.h"

#include <QtCore/QString>

#include <vector>

namespace sotto::ui {

/// The text of one block as it is drawn, with the way back to the source. Left out are marks
/// (backticks and stars that are sure to be marks), a fence's indent and U+FE0F; line ends are
/// U+2028; what has no shape or turns text around (control characters, halves of surrogates,
/// U+202D, U+202E) is U+FFFD.
class ShownText {
  public:
    enum Style : quint8 { Plain = 0, Bold = 1, Code = 2 };
    struct Run {
        int begin = 0; ///< in the drawn text
        int end = 0;
        quint8 style = Plain;
        TextRange source; ///< with its marks
    };

    ShownText() = default;
    ShownText(QStringView source, const BlockSpec& spec);

    [[nodiscard]] const QString& text() const { return m_drawn.text(); }
    [[nodiscard]] const std::vector<Run>& runs() const { return m_runs; }
    [[nodiscard]] const DrawnText& drawn() const { return m_drawn; }

    /// Drawn position of a source offset; inside what is left out, that of the next drawn
    /// character.
    [[nodiscard]] int toShown(int source) const;
    /// Source offset of a drawn position. Between two characters with marks between them: where the
    /// next one begins, or where the previous one ends.
    [[nodiscard]] int toSourceBegin(int shown) const;
    [[nodiscard]] int toSourceEnd(int shown) const;

  private:
    struct Part {
        int clean = 0; ///< position in the text before U+FE0F is taken out
        int source = 0;
        int length = 0;
    };
    void append(int begin, int end);
    void appendLines(int begin, int end, int indent);
    void appendInline(int begin, int end, quint8 style);
    int codeSpan(int at, int end, quint8 style);
    int boldSpan(int at, int end, quint8 style);
    void addRun(int cleanBegin, quint8 style, TextRange source);

    QStringView m_source; ///< while building only
    QString m_clean;
    std::vector<Part> m_parts;
    std::vector<Run> m_runs;
    std::vector<int> m_unclosed; ///< lengths of backtick runs without a partner further on
    bool m_noBold = false;       ///< no closing stars further on
    DrawnText m_drawn;
};

} // namespace sotto::ui

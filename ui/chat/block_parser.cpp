// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/block_parser.h"

#include <optional>

namespace sotto::ui {
namespace {

constexpr int kLongestFenceLine = 200; ///< a longer one is text
constexpr int kDeepestIndent = 16;

struct Line {
    int begin = 0;
    int textEnd = 0; ///< without CR LF or LF
    int end = 0;     ///< behind the line's end
};

struct Fence {
    QChar mark;
    int length = 0;
    int indent = 0;
};

Line lineAt(QStringView text, int begin) {
    const int size = static_cast<int>(text.size());
    qsizetype at = text.indexOf(u'\n', begin);
    Line line{begin, at < 0 ? size : static_cast<int>(at),
              at < 0 ? size : static_cast<int>(at) + 1};
    // At the very end, too: the LF of a CR LF may still come.
    if (line.textEnd > begin && text[line.textEnd - 1] == u'\r')
        --line.textEnd;
    return line;
}

int skipBlanks(QStringView text, int at, int end) {
    while (at < end && (text[at] == u' ' || text[at] == u'\t'))
        ++at;
    return at;
}

int skipRun(QStringView text, int at, int end, QChar mark) {
    while (at < end && text[at] == mark)
        ++at;
    return at;
}

std::optional<Fence> openingFence(QStringView text, const Line& line) {
    if (line.textEnd - line.begin > kLongestFenceLine)
        return std::nullopt;
    const int at = skipBlanks(text, line.begin, line.textEnd);
    if (at == line.textEnd || at - line.begin > kDeepestIndent)
        return std::nullopt;
    const QChar mark = text[at];
    if (mark != u'`' && mark != u'~')
        return std::nullopt;
    const int info = skipRun(text, at, line.textEnd, mark);
    if (info - at < 3 || text.mid(info, line.textEnd - info).contains(u'`'))
        return std::nullopt;
    return Fence{mark, info - at, at - line.begin};
}

bool closesFence(QStringView text, const Line& line, const Fence& fence) {
    if (line.textEnd - line.begin > kLongestFenceLine)
        return false;
    const int at = skipBlanks(text, line.begin, line.textEnd);
    const int behind = skipRun(text, at, line.textEnd, fence.mark);
    return behind - at >= fence.length && skipBlanks(text, behind, line.textEnd) == line.textEnd;
}

int listMark(QStringView text, const Line& line, int at) {
    int behind = at;
    if (QStringView(u"-*+").contains(text[at])) {
        ++behind;
    } else {
        while (behind < line.textEnd && behind - at < 4 && text[behind] >= u'0' &&
               text[behind] <= u'9')
            ++behind;
        if (behind == at || behind == line.textEnd ||
            (text[behind] != u'.' && text[behind] != u')'))
            return -1;
        ++behind;
    }
    const int word = skipBlanks(text, behind, line.textEnd);
    return word > behind && word < line.textEnd ? word : -1;
}

class Parser {
  public:
    Parser(QStringView text, Markup markup, std::vector<BlockSpec>& blocks)
        : m_text(text), m_markup(markup), m_blocks(blocks) {}

    void run(int at, const BlockSpec* resumed) {
        if (resumed && !resumed->first)
            at = resumed->kind == BlockKind::Code ? resume(*resumed) : rest(*resumed);
        while (at < size())
            at = block(at);
    }

  private:
    [[nodiscard]] int size() const { return static_cast<int>(m_text.size()); }

    int resume(const BlockSpec& piece) {
        const auto fence = openingFence(m_text, lineAt(m_text, piece.fenceBegin));
        return code(*fence, piece.fenceBegin, piece.begin, piece.begin, false);
    }

    /// The rest of a line whose earlier pieces stand.
    int rest(const BlockSpec& piece) {
        BlockSpec spec = piece;
        const Line line = lineAt(m_text, piece.begin);
        spec.textBegin = piece.begin;
        return pieces(spec, line);
    }

    int block(int at) {
        const Line line = lineAt(m_text, at);
        if (m_markup == Markup::None)
            return pieces(textLine(BlockKind::Literal, line), line);
        if (const auto fence = openingFence(m_text, line))
            return code(*fence, at, at, line.end, true);
        return pieces(classify(line), line);
    }

    [[nodiscard]] static BlockSpec textLine(BlockKind kind, const Line& line) {
        BlockSpec spec;
        spec.kind = kind;
        spec.begin = spec.textBegin = line.begin;
        return spec;
    }

    [[nodiscard]] BlockSpec classify(const Line& line) const {
        BlockSpec spec = textLine(BlockKind::Paragraph, line);
        const int limit = qMin(line.textEnd, line.begin + kMaxPiece);
        const int at = skipBlanks(m_text, line.begin, limit);
        if (at == line.textEnd) {
            spec.kind = BlockKind::Blank;
            spec.textBegin = at;
        } else if (m_text[at] == u'#' && at - line.begin < 4) {
            const int word = skipRun(m_text, at, limit, u'#');
            const int text = skipBlanks(m_text, word, limit);
            if (word - at <= 6 && text > word && text < line.textEnd) {
                spec.kind = BlockKind::Heading;
                spec.level = static_cast<quint8>(word - at);
                spec.textBegin = text;
            }
        } else if (const int text =
                       at - line.begin <= kDeepestIndent ? listMark(m_text, line, at) : -1;
                   text >= 0) {
            spec.kind = BlockKind::ListItem;
            spec.level = static_cast<quint8>((at - line.begin + 1) / 2);
            spec.textBegin = text;
        }
        return spec;
    }

    /// Adds `spec`, cut as needed, up to the end of `line`. Returns where the next line begins.
    int pieces(BlockSpec spec, const Line& line) {
        for (;;) {
            const int hard = furthest(m_text, spec.textBegin, line.textEnd);
            if (hard >= line.textEnd)
                break;
            spec.end = spec.textEnd = cutPoint(m_text, spec.textBegin, hard);
            m_blocks.push_back(spec);
            spec.begin = spec.textBegin = spec.end;
            spec.first = false;
        }
        spec.textEnd = qMax(spec.textBegin, line.textEnd);
        spec.end = line.end;
        m_blocks.push_back(spec);
        return line.end;
    }

    /// Code from `textBegin` to the closing line or the end of the text. Returns what follows.
    int code(const Fence& fence, int fenceBegin, int begin, int textBegin, bool first) {
        BlockSpec spec;
        spec.kind = BlockKind::Code;
        spec.fenceBegin = fenceBegin;
        spec.first = first;
        spec.last = false;
        spec.begin = begin;
        spec.textBegin = spec.textEnd = textBegin;
        m_weight = 0;
        int at = textBegin;
        Line line;
        while (at < size()) {
            const bool wholeLine = at == 0 || m_text[at - 1] == u'\n';
            // The end of a long line is looked for once.
            line =
                wholeLine || at >= line.end ? lineAt(m_text, at) : Line{at, line.textEnd, line.end};
            if (wholeLine && closesFence(m_text, line, fence)) {
                at = line.end;
                break;
            }
            at = codeLine(spec, line);
        }
        spec.end = at;
        spec.last = true;
        m_blocks.push_back(spec);
        return at;
    }

    /// Adds a line of code, or closes the piece before it and begins another. Returns where to go
    /// on.
    int codeLine(BlockSpec& spec, const Line& line) {
        if (furthest(m_text, line.begin, line.end, kMaxPiece - m_weight) == line.end) {
            m_weight += pieceWeight(m_text, line.begin, line.end);
            spec.textEnd = line.textEnd;
            return line.end;
        }
        int cut = line.begin; // earlier lines fill the piece
        if (cut == spec.textBegin) {
            const int hard = furthest(m_text, cut, line.textEnd);
            cut = hard < line.textEnd ? cutPoint(m_text, cut, hard) : line.end;
            spec.textEnd = qMin(cut, line.textEnd);
        }
        spec.end = cut;
        m_blocks.push_back(spec);
        m_weight = 0;
        spec.first = false;
        spec.begin = spec.textBegin = spec.textEnd = cut;
        return cut;
    }

    QStringView m_text;
    Markup m_markup;
    std::vector<BlockSpec>& m_blocks;
    int m_weight = 0; ///< of the piece of code being put together
};

} // namespace

int updateBlocks(QStringView text, Markup markup, std::vector<BlockSpec>& blocks) {
    if (blocks.empty()) {
        Parser(text, markup, blocks).run(0, nullptr);
        return 0;
    }
    const BlockSpec last = blocks.back();
    blocks.pop_back();
    const int kept = static_cast<int>(blocks.size());
    Parser(text, markup, blocks).run(last.begin, &last);
    return kept;
}

QString fenceLanguage(QStringView text, int fenceBegin) {
    const Line line = lineAt(text, fenceBegin);
    const auto fence = openingFence(text, line);
    if (!fence)
        return {};
    const QStringView info = text.mid(line.begin + fence->indent + fence->length,
                                      line.textEnd - line.begin - fence->indent - fence->length)
                                 .trimmed();
    const qsizetype blank = info.indexOf(u' ');
    return info.left(blank < 0 ? info.size() : blank).left(32).toString();
}

int fenceIndent(QStringView text, int fenceBegin) {
    const auto fence = openingFence(text, lineAt(text, fenceBegin));
    return fence ? fence->indent : 0;
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/shown_text.h"

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr QChar kReplacement(0xfffd);

bool isLoneSurrogate(QStringView text, qsizetype at) {
    if (text[at].isHighSurrogate())
        return at + 1 == text.size() || !text[at + 1].isLowSurrogate();
    return text[at].isLowSurrogate() && (at == 0 || !text[at - 1].isHighSurrogate());
}

QChar shown(QStringView text, qsizetype at) {
    const QChar c = text[at];
    const ushort u = c.unicode();
    if (u == '\n' || u == 0x2028 || u == 0x2029)
        return QChar(QChar::LineSeparator);
    if (u == '\t' || (u >= 0x20 && u < 0x7f))
        return c;
    const bool shapeless = u < 0x20 || (u >= 0x7f && u < 0xa0) || u == 0xfffc ||
                           (u >= 0xfdd0 && u <= 0xfdef) || u >= 0xfffe;
    const bool turns = u == 0x202d || u == 0x202e;
    return shapeless || turns || isLoneSurrogate(text, at) ? kReplacement : c;
}

/// A letter or digit of a script that is written with blanks between words: 2**3**4 and a**b**c are
/// no bold there, while Chinese may set words in bold without a blank.
bool bindsMarks(QChar c) {
    return c.unicode() < 0x2e80 && c.isLetterOrNumber();
}

int runLength(QStringView text, int at, int end) {
    int behind = at;
    while (behind < end && text[behind] == text[at])
        ++behind;
    return behind - at;
}

} // namespace

ShownText::ShownText(QStringView source, const BlockSpec& spec) : m_source(source) {
    m_clean.reserve(spec.textEnd - spec.textBegin);
    if (spec.kind == BlockKind::Code)
        appendLines(spec.textBegin, spec.textEnd, fenceIndent(source, spec.fenceBegin));
    else if (spec.kind == BlockKind::Literal)
        append(spec.textBegin, spec.textEnd);
    else
        appendInline(spec.textBegin, spec.textEnd, Plain);
    if (m_parts.empty()) // so that positions of an empty text lead somewhere
        m_parts.push_back({0, spec.textBegin, 0});
    m_drawn = DrawnText(m_clean);
    for (Run& run : m_runs) {
        run.begin = m_drawn.toDrawn(run.begin);
        run.end = m_drawn.toDrawn(run.end);
    }
    m_source = {};
    m_clean.clear();
    m_unclosed.clear();
}

void ShownText::append(int begin, int end) {
    if (begin >= end)
        return;
    const int clean = static_cast<int>(m_clean.size());
    if (!m_parts.empty() && m_parts.back().source + m_parts.back().length == begin)
        m_parts.back().length += end - begin;
    else
        m_parts.push_back({clean, begin, end - begin});
    for (int at = begin; at < end; ++at)
        m_clean += shown(m_source, at);
}

void ShownText::appendLines(int begin, int end, int indent) {
    int at = begin;
    while (at < end) {
        const qsizetype found = m_source.indexOf(u'\n', at);
        const int lineEnd = found < 0 || found >= end ? end : static_cast<int>(found);
        if (at == 0 || m_source[at - 1] == u'\n')
            for (int left = indent; left > 0 && at < lineEnd && m_source[at] == u' '; --left)
                ++at;
        const bool carriage = lineEnd < end && lineEnd > at && m_source[lineEnd - 1] == u'\r';
        append(at, carriage ? lineEnd - 1 : lineEnd);
        append(lineEnd, qMin(lineEnd + 1, end));
        at = lineEnd + 1;
    }
}

void ShownText::appendInline(int begin, int end, quint8 style) {
    int plain = begin;
    for (int at = begin; at < end;) {
        int behind = at;
        if (m_source[at] == u'`' || m_source[at] == u'*') {
            const bool tick = m_source[at] == u'`';
            append(plain, at);
            plain = at;
            behind = tick ? codeSpan(at, end, style) : boldSpan(at, end, style);
            if (behind > at)
                plain = behind;
            else
                behind = at + runLength(m_source, at, end);
        }
        at = qMax(behind, at + 1);
    }
    append(plain, end);
}

/// Adds the span of code that begins at the backticks at `at`. Returns what follows it; `at` if
/// they have no partner.
int ShownText::codeSpan(int at, int end, quint8 style) {
    const int ticks = runLength(m_source, at, end);
    if (std::find(m_unclosed.begin(), m_unclosed.end(), ticks) != m_unclosed.end())
        return at;
    for (int close = at + ticks; close < end;) {
        if (m_source[close] != u'`') {
            ++close;
            continue;
        }
        const int length = runLength(m_source, close, end);
        if (length == ticks) {
            const int clean = static_cast<int>(m_clean.size());
            append(at + ticks, close);
            addRun(clean, style | Code, {at, close + ticks});
            return close + ticks;
        }
        close += length;
    }
    m_unclosed.push_back(ticks);
    return at;
}

/// The same for **bold**. Only what can be nothing else: two stars, no blank inside, no letter
/// outside.
int ShownText::boldSpan(int at, int end, quint8 style) {
    const auto open = [&] {
        return !(style & Bold) && !m_noBold && runLength(m_source, at, end) == 2 && at + 2 < end &&
               !m_source[at + 2].isSpace() && (at == 0 || !bindsMarks(m_source[at - 1]));
    };
    if (!open())
        return at;
    for (int close = at + 2; close < end;) {
        const int length = m_source[close] == u'*' ? runLength(m_source, close, end) : 0;
        const int behind = close + 2;
        if (length == 2 && !m_source[close - 1].isSpace() &&
            (behind >= end || !bindsMarks(m_source[behind]))) {
            const int clean = static_cast<int>(m_clean.size());
            const std::vector<int> unclosed =
                m_unclosed; // a partner may stand behind the bold part
            appendInline(at + 2, close, style | Bold);
            m_unclosed = unclosed;
            addRun(clean, style | Bold, {at, behind});
            return behind;
        }
        close += qMax(length, 1);
    }
    m_noBold = true;
    return at;
}

void ShownText::addRun(int cleanBegin, quint8 style, TextRange source) {
    m_runs.push_back({cleanBegin, static_cast<int>(m_clean.size()), style, source});
}

int ShownText::toShown(int source) const {
    auto it = std::upper_bound(m_parts.begin(), m_parts.end(), source,
                               [](int s, const Part& part) { return s < part.source; });
    if (it == m_parts.begin())
        return 0;
    --it;
    return m_drawn.toDrawn(it->clean + std::min(source - it->source, it->length));
}

int ShownText::toSourceBegin(int shownAt) const {
    const int clean = m_drawn.toSource(shownAt);
    auto it = std::upper_bound(m_parts.begin(), m_parts.end(), clean,
                               [](int c, const Part& part) { return c < part.clean; });
    if (it != m_parts.begin())
        --it;
    return it->source + std::clamp(clean - it->clean, 0, it->length);
}

int ShownText::toSourceEnd(int shownAt) const {
    const int clean = m_drawn.toSource(shownAt);
    auto it = std::lower_bound(m_parts.begin(), m_parts.end(), clean,
                               [](const Part& part, int c) { return part.clean < c; });
    if (it != m_parts.begin())
        --it;
    return it->source + std::clamp(clean - it->clean, 0, it->length);
}

} // namespace sotto::ui

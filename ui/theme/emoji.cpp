// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/emoji.h"

#include "ui/theme/emoji_table.h"

#include <QtCore/QStringList>
#include <QtGui/QFontDatabase>
#include <QtGui/QTextCharFormat>

#include <algorithm>
#include <iterator>

namespace sotto::ui {
namespace {

constexpr char32_t kTextStyle = 0xfe0e, kPictureStyle = 0xfe0f, kJoiner = 0x200d, kKeycap = 0x20e3;

/// Code points of a string, and where each begins.
class Reader {
  public:
    explicit Reader(const QString& text) : m_text(text) {}
    [[nodiscard]] bool atEnd(int at) const { return at >= m_text.size(); }
    [[nodiscard]] char32_t peek(int at) const {
        if (atEnd(at))
            return 0;
        const QChar c = m_text[at];
        if (c.isHighSurrogate() && at + 1 < m_text.size() && m_text[at + 1].isLowSurrogate())
            return QChar::surrogateToUcs4(c, m_text[at + 1]);
        return c.unicode();
    }
    [[nodiscard]] static int length(char32_t c) { return c > 0xffff ? 2 : 1; }

  private:
    const QString& m_text;
};

bool isPresentation(char32_t c) {
    const auto* found =
        std::lower_bound(std::begin(kEmojiPresentation), std::end(kEmojiPresentation), c,
                         [](const CharRange& range, char32_t x) { return range.last < x; });
    return found != std::end(kEmojiPresentation) && found->first <= c;
}

bool isRegional(char32_t c) {
    return c >= 0x1f1e6 && c <= 0x1f1ff;
}
bool isSkinTone(char32_t c) {
    return c >= 0x1f3fb && c <= 0x1f3ff;
}
bool isTag(char32_t c) {
    return c >= 0xe0020 && c <= 0xe007f;
}
bool isKeycapBase(char32_t c) {
    return (c >= '0' && c <= '9') || c == '#' || c == '*';
}
/// May become a picture by U+FE0F or a joiner: symbols, no letters or digits.
bool canBePicture(char32_t c) {
    return c == 0xa9 || c == 0xae || (c >= 0x203c && !QChar::isLetterOrNumber(c)) || c == 0x2139 ||
           c == 0x24c2 || c == 0x3297 || c == 0x3299 || (c >= 0x1f170 && c <= 0x1f251);
}

int keycap(const Reader& reader, int at) {
    if (!isKeycapBase(reader.peek(at)))
        return 0;
    const int mark = reader.peek(at + 1) == kPictureStyle ? at + 2 : at + 1;
    return reader.peek(mark) == kKeycap ? mark + 1 - at : 0;
}

/// One picture without joiners: length in UTF-16 units, 0 if there is none at `at`. `joined`:
/// behind a joiner, where symbols are pictures by themselves.
int element(const Reader& reader, int at, bool joined) {
    if (const int length = keycap(reader, at))
        return length;
    const char32_t base = reader.peek(at);
    int end = at + Reader::length(base);
    if (isRegional(base)) {
        const char32_t second = reader.peek(end);
        return isRegional(second) ? end + Reader::length(second) - at : 0;
    }
    const char32_t style = reader.peek(end);
    if (style == kTextStyle)
        return 0;
    const bool picture =
        isPresentation(base) || isSkinTone(style) ||
        (canBePicture(base) && (joined || style == kPictureStyle || style == kJoiner));
    if (!picture || (!isPresentation(base) && !canBePicture(base)))
        return 0;
    if (!joined && !isPresentation(base) && style == kJoiner && !element(reader, end + 1, true))
        return 0;
    if (style == kPictureStyle)
        ++end;
    if (isSkinTone(reader.peek(end)))
        end += 2;
    while (isTag(reader.peek(end)))
        end += 2;
    return end - at;
}

/// A picture with everything that is joined to it; 0 if there is none.
int sequence(const Reader& reader, int at) {
    int length = element(reader, at, false);
    while (length > 0 && reader.peek(at + length) == kJoiner) {
        const int next = element(reader, at + length + 1, true);
        if (next == 0)
            break;
        length += 1 + next;
    }
    return length;
}

QList<QTextLayout::FormatRange> formatsFor(const std::vector<EmojiRun>& runs, int offset) {
    QList<QTextLayout::FormatRange> formats;
    const QString family = emojiFamily();
    if (family.isEmpty())
        return formats;
    QTextCharFormat format;
    format.setFontFamilies({family});
    for (const EmojiRun& run : runs)
        formats.append({run.start + offset, run.length, format});
    return formats;
}

} // namespace

std::vector<EmojiRun> emojiRuns(const QString& text) {
    std::vector<EmojiRun> runs;
    const Reader reader(text);
    for (int at = 0; !reader.atEnd(at);) {
        const int length = sequence(reader, at);
        if (length == 0) {
            at += Reader::length(reader.peek(at));
            continue;
        }
        if (!runs.empty() && runs.back().start + runs.back().length == at)
            runs.back().length += length;
        else
            runs.push_back({at, length});
        at += length;
    }
    return runs;
}

QString emojiFamily() {
    static const QString family = [] {
        for (const char* name :
             {"Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji", "Twemoji", "EmojiOne"})
            if (QFontDatabase::hasFamily(QLatin1String(name)))
                return QString::fromLatin1(name);
        return QString();
    }();
    return family;
}

QList<QTextLayout::FormatRange> emojiFormats(const QString& text, int offset) {
    return formatsFor(emojiRuns(text), offset);
}

DrawnText::DrawnText(const QString& source) {
    m_text.reserve(source.size());
    for (int i = 0; i < source.size(); ++i) {
        if (source[i].unicode() == kPictureStyle)
            m_removed.push_back(i);
        else
            m_text.append(source[i]);
    }
    for (const EmojiRun& run : emojiRuns(source)) {
        const int start = toDrawn(run.start);
        m_emoji.push_back({start, toDrawn(run.start + run.length) - start});
    }
}

int DrawnText::toDrawn(int source) const {
    const auto before =
        std::lower_bound(m_removed.begin(), m_removed.end(), source) - m_removed.begin();
    return source - static_cast<int>(before);
}

int DrawnText::toSource(int drawn) const {
    if (drawn <= 0)
        return 0;
    // m_removed[k] - k is where the k-th left-out character would stand in the drawn text; it does
    // not decrease.
    int low = 0, high = static_cast<int>(m_removed.size());
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (m_removed[static_cast<size_t>(mid)] - mid <= drawn)
            low = mid + 1;
        else
            high = mid;
    }
    return drawn + low;
}

QList<QTextLayout::FormatRange> DrawnText::formats(int offset) const {
    return formatsFor(m_emoji, offset);
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/text_pieces.h"

namespace sotto::ui {
namespace {

bool belongsToPrevious(QChar c) {
    return c.isLowSurrogate() || c.isMark() || c == QChar(0x200d) || c == QChar(0xfe0f);
}

/// What a UTF-16 unit adds to the length of a piece. Emoji count more: the font engine decodes a
/// picture for each of them whenever a piece is laid out.
int weightOf(QChar c) {
    return c.isSurrogate() ? 8 : c == QChar(0xfe0f) ? 16 : 1;
}

} // namespace

int pieceWeight(QStringView text, int begin, int end) {
    int weight = 0;
    for (int at = begin; at < end; ++at)
        weight += weightOf(text[at]);
    return weight;
}

int furthest(QStringView text, int begin, int end, int room) {
    for (int at = begin; at < end; ++at) {
        room -= weightOf(text[at]);
        if (room < 0)
            return at;
    }
    return end;
}

int cutPoint(QStringView text, int begin, int hard) {
    const int lastQuarter = hard - (hard - begin) / 4;
    int blank = -1;
    for (int at = hard; at > lastQuarter; --at) {
        if (text[at - 1] != u' ')
            continue;
        if (blank < 0)
            blank = at;
        if (QStringView(u".!?:;").contains(text[at - 2]))
            return at;
    }
    if (blank >= 0)
        return blank;
    for (int at = hard; at > hard - 64; --at)
        if (!belongsToPrevious(text[at]) && text[at - 1] != QChar(0x200d))
            return at;
    return text[hard].isLowSurrogate() ? hard - 1 : hard;
}

} // namespace sotto::ui

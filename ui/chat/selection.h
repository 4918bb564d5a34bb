// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QtGlobal>

#include <algorithm>
#include <compare>
#include <utility>

namespace sotto::ui {

/// A place in the conversation: message index and offset (UTF-16 units) in that message's source
/// text.
struct TextPos {
    int message = -1;
    int offset = 0;
    auto operator<=>(const TextPos&) const = default;
};

/// Source offsets [begin, end) of one message.
struct TextRange {
    int begin = 0;
    int end = 0;
    [[nodiscard]] bool isEmpty() const { return begin >= end; }
    bool operator==(const TextRange&) const = default;
};

/// What is marked: from the anchor, where the drag began (a word or paragraph after a double or
/// triple click), to the cursor.
class Selection {
  public:
    void clear() { *this = {}; }
    void setAnchor(TextPos begin, TextPos end) {
        m_anchorBegin = m_begin = begin;
        m_anchorEnd = m_end = end;
    }
    /// The anchor stays marked whole; the span [begin, end) under the cursor joins it.
    void extend(TextPos begin, TextPos end) {
        m_begin = std::min(m_anchorBegin, begin);
        m_end = std::max(m_anchorEnd, end);
    }
    [[nodiscard]] bool isEmpty() const { return m_begin.message < 0 || m_begin >= m_end; }
    [[nodiscard]] TextPos begin() const { return m_begin; }
    [[nodiscard]] TextPos end() const { return m_end; }
    [[nodiscard]] TextPos anchor() const { return m_anchorBegin; }

    /// The marked part of message `index`, whose text has `length` units.
    [[nodiscard]] TextRange in(int index, int length) const {
        if (isEmpty() || index < m_begin.message || index > m_end.message)
            return {};
        const int from = index == m_begin.message ? m_begin.offset : 0;
        const int to = index == m_end.message ? m_end.offset : length;
        return {std::min(from, length), std::min(to, length)};
    }
    /// Messages from `count` on are gone.
    void truncate(int count) {
        if (m_end.message >= count)
            clear();
    }

  private:
    TextPos m_anchorBegin, m_anchorEnd, m_begin, m_end;
};

} // namespace sotto::ui

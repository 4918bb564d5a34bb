// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QtGlobal>

#include <algorithm>
#include <compare>
#include <tuple>
#include <utility>

namespace sotto::ui {

/// What a message has to be read: the thought, closed or open, and below it the answer, or what a
/// person wrote. Each has a source text of its own.
enum class Part : quint8 { Thought, Answer };
constexpr int kParts = 2;

/// A place in the conversation: message index, and offset (UTF-16 units) in the source text of one
/// of its parts.
struct TextPos {
    int message = -1;
    int offset = 0;
    Part part = Part::Answer;
    [[nodiscard]] bool operator==(const TextPos&) const = default;
    [[nodiscard]] std::strong_ordering operator<=>(const TextPos& other) const {
        return std::tie(message, part, offset) <=>
               std::tie(other.message, other.part, other.offset);
    }
};

/// A block of a message; block -1: none.
struct BlockRef {
    Part part = Part::Answer;
    int block = -1;
    [[nodiscard]] bool isNull() const { return block < 0; }
    bool operator==(const BlockRef&) const = default;
};

/// Source offsets [begin, end) of one part of a message.
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

    /// What is marked of a part of message `index` whose text has `length` units.
    [[nodiscard]] TextRange in(int index, Part part, int length) const {
        const TextPos first{index, 0, part}, last{index, length, part};
        if (isEmpty() || m_end < first || last < m_begin)
            return {};
        return {m_begin < first ? 0 : m_begin.offset, m_end > last ? length : m_end.offset};
    }
    /// Whether it begins or ends in that part.
    [[nodiscard]] bool hasEndIn(int index, Part part) const {
        const auto isThere = [&](const TextPos& pos) {
            return pos.message == index && pos.part == part;
        };
        return !isEmpty() && (isThere(m_begin) || isThere(m_end));
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtGui/QTextLayout>

#include <vector>

namespace sotto::ui {

struct EmojiRun {
    int start = 0, length = 0; ///< in UTF-16 units
    friend bool operator==(const EmojiRun&, const EmojiRun&) = default;
};

/// Runs of characters that are pictures: by themselves, by U+FE0F, flags, keycaps, and what is
/// joined to them. Neighbouring emoji are one run. A character followed by U+FE0E is text.
[[nodiscard]] std::vector<EmojiRun> emojiRuns(const QString& text);

/// The colour emoji font of this machine; empty if there is none.
[[nodiscard]] QString emojiFamily();

/// Formats that set the emoji family on every run of `text`, shifted by `offset`; empty without a
/// font.
[[nodiscard]] QList<QTextLayout::FormatRange> emojiFormats(const QString& text, int offset = 0);

/// What is drawn for `source`: the same without U+FE0F (Qt 6.4 breaks some sequences that hold it).
/// Copying, searching and storing use the source; positions go through the two maps.
class DrawnText {
  public:
    explicit DrawnText(const QString& source = {});
    [[nodiscard]] const QString& text() const { return m_text; }
    /// Position in the drawn text for one in the source, 0..source length. One on a left-out
    /// character gives the next drawn one.
    [[nodiscard]] int toDrawn(int source) const;
    /// The other way, 0..drawn length; after an emoji, it lies behind the U+FE0F that belongs to
    /// it.
    [[nodiscard]] int toSource(int drawn) const;
    /// In the drawn text. Found in the source: without U+FE0F some of them are no emoji any more.
    [[nodiscard]] const std::vector<EmojiRun>& emoji() const { return m_emoji; }
    /// As emojiFormats(), for the drawn text.
    [[nodiscard]] QList<QTextLayout::FormatRange> formats(int offset = 0) const;

  private:
    QString m_text;
    std::vector<int> m_removed; ///< source positions of left-out characters, ascending
    std::vector<EmojiRun> m_emoji;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/block_parser.h"
#include "ui/chat/chat_metrics.h"
#include "ui/chat/selection.h"
#include "ui/chat/shown_text.h"

#include <QtCore/QPointF>
#include <QtCore/QRectF>
#include <QtGui/QTextLayout>

#include <memory>

class QPainter;

namespace sotto::ui {

/// One block of a message: its place in the source, its height, and, near the window, its laid-out
/// text. Coordinates are those of the block: (0, 0) is its top left corner.
class TextBlock {
  public:
    explicit TextBlock(const BlockSpec& spec) : m_spec(spec) {}

    [[nodiscard]] const BlockSpec& spec() const { return m_spec; }
    /// Exact once laid out for this width, else an estimate from the text's length.
    [[nodiscard]] int height() const { return m_height; }
    [[nodiscard]] bool isExact() const { return m_exact; }
    [[nodiscard]] bool isLaidOut() const { return m_laid != nullptr; }
    /// The widest line; of laid-out blocks only.
    [[nodiscard]] int naturalWidth() const { return m_naturalWidth; }

    void estimate(const ChatMetrics& metrics, int width);
    void layout(QStringView source, const ChatMetrics& metrics, int width);
    static constexpr qreal kCodeSpanPad = 3; ///< of the ground under `code`, left and right, px

    void release() { m_laid.reset(); } ///< drops the layout, keeps the height

    // The rest needs a laid-out block.
    /// `rightShift` moves right-to-left text: the block was laid out wider than it is drawn.
    struct Paint {
        QPointF origin;
        QRectF clip;         ///< in the painter's coordinates
        TextRange selection; ///< in the source
        QColor ink;
        int rightShift = 0;
        bool copyHovered = false;
        bool justCopied = false;
    };
    void paint(QPainter& painter, const ChatMetrics& metrics, const Paint& paint) const;

    /// The place under a point. begin and end differ only where marks are left out between two
    /// characters; begin > end there.
    [[nodiscard]] TextRange hit(QPointF point, int rightShift = 0) const;
    [[nodiscard]] TextRange wordAt(int sourceOffset) const;
    [[nodiscard]] QRectF caretRect(int sourceOffset, int rightShift = 0) const;
    /// Widened over the marks of what it covers only from inside on one side and leaves on the
    /// other.
    [[nodiscard]] TextRange withMarks(TextRange range) const;
    [[nodiscard]] QRectF
    copyRect(const ChatMetrics& metrics) const; ///< Code with a header, else empty
    [[nodiscard]] const ShownText& shown() const { return m_laid->shown; }

  private:
    struct Laid {
        ShownText shown;
        QString label; ///< language, or a list item's mark
        QTextLayout layout;
        bool rightToLeft = false;
    };
    int layoutLines(const ChatMetrics& metrics, int lineWidth);
    void setFormats(const ChatMetrics& metrics);
    void addAir(QList<QTextLayout::FormatRange>& formats, const ShownText::Run& run) const;
    [[nodiscard]] QPointF textOrigin(int rightShift) const;
    [[nodiscard]] std::vector<QRectF> rects(int from, int to, bool wholeLines) const;
    [[nodiscard]] QList<QTextLayout::FormatRange> markedText(const Paint& paint) const;
    void paintFrame(QPainter& painter, const ChatMetrics& metrics, const Paint& paint) const;
    void paintMark(QPainter& painter, const ChatMetrics& metrics, const Paint& paint) const;
    void paintCodeSpans(QPainter& painter, const QPointF& origin) const;
    void paintSelection(QPainter& painter, const QPointF& origin, const Paint& paint) const;

    BlockSpec m_spec;
    int m_height = 0;
    int m_width = 0;
    int m_naturalWidth = 0;
    int m_indent = 0;
    int m_textTop = 0;
    int m_lineHeight = 0;
    bool m_exact = false;
    std::unique_ptr<Laid> m_laid;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/roles.h"
#include "ui/theme/theme.h"

#include <QtGui/QFontMetricsF>
#include <QtWidgets/QWidget>

class QPainter;

namespace sotto::ui {

/// Numbers that change must not make their surroundings jump: each digit is drawn in the middle of
/// a cell as wide as the font's widest digit; other characters keep their own width.
[[nodiscard]] qreal digitsWidth(const QFontMetricsF& metrics, const QString& text);
/// Draws in the painter's font and pen, from `baseline` to the right. Returns the width.
qreal paintDigits(QPainter* painter, const QPointF& baseline, const QString& text);

/// A line of text whose digits have one width. For status bar and panels.
class NumberLabel final : public QWidget {
    Q_OBJECT
  public:
    explicit NumberLabel(QWidget* parent = nullptr, Qt::Alignment alignment = Qt::AlignRight);
    [[nodiscard]] QString text() const { return m_text; }
    void setText(const QString& text);
    void setRole(Role role);
    void setFontRole(FontRole role);
    /// Reserves room for this text, so that nothing moves while the number grows.
    void setWidest(const QString& text);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString m_text, m_widest;
    Qt::Alignment m_alignment;
    Role m_role = Role::Ink;
};

} // namespace sotto::ui

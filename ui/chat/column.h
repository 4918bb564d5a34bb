// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

namespace sotto::ui {

constexpr int kColumnMaxWidth = 760; ///< the conversation's column, px before zoom
constexpr int kColumnMargin = 20;    ///< free at both sides of it, at least

struct Column {
    int left = 0;
    int width = 0;
    [[nodiscard]] int right() const { return left + width; }
};

/// The column of conversation and composer in a widget of `width` px. Both take it from their whole
/// width, scroll bar included, so that their edges meet.
[[nodiscard]] inline Column columnIn(int width) {
    const Theme& theme = Theme::instance();
    const int inner = qBound(40, width - 2 * theme.px(kColumnMargin), theme.px(kColumnMaxWidth));
    return {qMax(0, (width - inner) / 2), inner};
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGui/QPalette>

namespace sotto::ui {

/// The roles as a palette, every group of it: Inactive looks like Active (a window in the
/// background is not a window switched off), Disabled has its own text.
[[nodiscard]] QPalette themePalette(bool dark);

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGui/QFont>

namespace sotto::ui {

/// The UI font the platform names, else Inter 10 pt, else what Qt has at 10 pt. Names that stand
/// for "any font" (Sans, Sans Serif) and Qt's bare default, DejaVu Sans 9 pt, count as none.
[[nodiscard]] QFont platformFont();
/// For tests: the same decision for a given font.
[[nodiscard]] QFont platformFontFor(const QFont& named);
/// The platform's fixed-width font, or another that this machine has; without a size.
[[nodiscard]] QString monospaceFamily();

} // namespace sotto::ui

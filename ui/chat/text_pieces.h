// SPDX-License-Identifier: Apache-2.0
// Long text is laid out in pieces. Where one ends depends on its own text only, so that text which
// grows is cut as text which came whole.
#pragma once

#include <QtCore/QStringView>

namespace sotto::ui {

/// Longest shown text of a piece: 8 kB of UTF-16 (less with emoji), so that laying one out stays
/// short.
constexpr int kMaxPiece = 4096;

/// What text [begin, end) takes of kMaxPiece: a unit each, emoji more.
[[nodiscard]] int pieceWeight(QStringView text, int begin, int end);

/// How far text from `begin` may reach in `room`: `end`, if all of it fits. Looks at no more than
/// that.
[[nodiscard]] int furthest(QStringView text, int begin, int end, int room = kMaxPiece);

/// Where to cut text from `begin` of which a piece holds no more than up to `hard`: behind a
/// sentence in its last quarter, else behind a blank there, else between two characters.
[[nodiscard]] int cutPoint(QStringView text, int begin, int hard);

} // namespace sotto::ui

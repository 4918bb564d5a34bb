// SPDX-License-Identifier: Apache-2.0
#pragma once

class QAccessibleInterface;

namespace sotto::ui {

class ChatView;

/// The line over the thought of message `index` for screen readers: a button that tells whether the
/// thought is open and opens or closes it. Owned by whoever registers it; the view may be gone
/// before.
[[nodiscard]] QAccessibleInterface* makeThoughtAccessible(ChatView* view, int index);

} // namespace sotto::ui

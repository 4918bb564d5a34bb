// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sotto::ui {

class ChatView;

/// Makes ChatView known to screen readers: a list with one item for each message, whose name is the
/// author and whose value is the text; a thought is a button in it that opens and closes it and
/// whose value is what can be read of it. Call before the first view is shown; more calls do
/// nothing.
void installChatAccessible();

void notifyMessageAdded(ChatView* view, int index);
void notifyMessagesRemoved(ChatView* view, int from);
void notifyThoughtFolded(ChatView* view, int index);
void notifyThoughtFocused(ChatView* view, int index);

} // namespace sotto::ui

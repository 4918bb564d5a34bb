// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>

namespace sotto::ui {

struct Message;

/// The line over a thought: "Thinking … 12 tokens", then "Thought for 4 s · 61 tokens".
[[nodiscard]] QString thoughtLabel(const Message& message);

} // namespace sotto::ui

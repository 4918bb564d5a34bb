// SPDX-License-Identifier: Apache-2.0
// What the command line reads as JSON. Nesting is at most 100 deep, an object has at most 1000
// keys: every error says what is wrong, and in which file.
#pragma once

#include "engine/engine.h"

#include <string>
#include <vector>

namespace sotto::cli {

/// A chat as the OpenAI interface writes it: a list of {role, content, name, tool_calls,
/// tool_call_id, reasoning_content}. content: text, null, or a list of {"type": "text", "text"}.
/// A call's arguments: text, or an object. Other keys are left unread.
Result<std::vector<ChatMessage>> parse_messages(const std::string& text, const std::string& file);

/// That `text` is a list of tools with names; it is handed on as it stands.
Result<void> check_tools(const std::string& text, const std::string& file);

/// A line of a batch.
struct BatchPrompt {
    std::string text;
    std::int64_t n = -1; ///< tokens of the answer at most
    SamplingParams sampling;
};
/// Reads {"prompt": TEXT, "n": ..., "temp": ..., ...}: the sampling parameters by their keys, or as
/// their flags are called. What is not there stays as handed in. Any other key is an error, and a
/// number outside its flag's range. The message does not name the line.
Result<BatchPrompt> parse_batch_line(const std::string& line, std::int64_t n,
                                     const SamplingParams& sampling);

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// What `generate` and `batch` have in common: the flags of a request, and requests made from texts.
#pragma once

#include "app/cli/chat_flags.h"
#include "app/cli/options.h"

#include <string>
#include <vector>

namespace sotto::cli {

struct RequestFlags {
    ModelFlags model;
    SamplingParams sampling;
    std::string system;
    ChatFlags chat_flags;
    std::vector<std::string> stop;
    std::int64_t n = -1;
    bool chat = false, no_bos = false, parse_special = false, json = false, logits_hash = false,
         ignore_eos = false;

    void add_to(CLI::App& app, const char* json_help);
};

/// Makes requests of prompts. One thread. The flags and the model must outlive it.
class RequestMaker {
  public:
    RequestMaker(const RequestFlags& flags, const Model& model) : flags_(flags), model_(model) {}

    /// With --chat: reads the file of tools, tells on stderr what is odd about the template. Call
    /// it before from_text(). Errors: those of the file.
    Result<void> prepare_chat();
    /// The prompt as tokens, in the model's template with --chat. Errors: those of the template.
    Result<RequestOptions> from_text(std::string text);
    /// All but the prompt.
    [[nodiscard]] RequestOptions without_prompt() const;

  private:
    Result<void> set_chat_prompt(std::string text, RequestOptions& request);

    const RequestFlags& flags_;
    const Model& model_;
    ChatOptions chat_options_;
    std::string told_; // the template's last notice: it is told once
};

} // namespace sotto::cli

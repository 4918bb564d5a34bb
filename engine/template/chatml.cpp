// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chatml.h"

#include "engine/template/constant_texts.h"

namespace sotto::chat {
namespace {

constexpr std::string_view kStart = "<|im_start|>";
constexpr std::string_view kEnd = "<|im_end|>";

class ChatMl final : public ChatTemplate {
  public:
    ChatMl(std::string default_system, std::string bos)
        : default_system_(std::move(default_system)), bos_(std::move(bos)) {}

    [[nodiscard]] std::string_view name() const override { return "ChatML"; }

    [[nodiscard]] Result<std::vector<Piece>> render(std::span<const Message> messages,
                                                    bool add_generation_prompt) const override {
        std::vector<Piece> pieces;
        if (!bos_.empty()) {
            pieces.push_back({bos_, true});
        }
        if (!default_system_.empty() && !messages.empty() && messages.front().role != "system") {
            add(pieces, "system", default_system_);
        }
        for (const Message& m : messages) {
            if (m.role != "system" && m.role != "user" && m.role != "assistant") {
                return Error{ErrorCode::bad_argument,
                             "a message has the role '" + std::string(m.role) +
                                 "'; system, user and assistant are known"};
            }
            add(pieces, m.role, m.content);
        }
        if (add_generation_prompt) {
            pieces.push_back({std::string(kStart), true});
            pieces.push_back({"assistant\n", false});
        }
        return pieces;
    }

  private:
    static void add(std::vector<Piece>& pieces, std::string_view role, std::string_view content) {
        pieces.push_back({std::string(kStart), true});
        pieces.push_back({std::string(role) + "\n" + std::string(content), false});
        pieces.push_back({std::string(kEnd), true});
        pieces.push_back({"\n", false});
    }

    std::string default_system_, bos_;
};

} // namespace

std::string default_system_message(std::string_view source) {
    constexpr std::string_view kOpen = "<|im_start|>system\n";
    for (const std::string& text : constant_texts(source)) {
        const std::size_t at = text.find(kOpen);
        const std::size_t end = at == std::string::npos ? at : text.find(kEnd, at);
        if (end != std::string::npos && end > at + kOpen.size()) {
            return text.substr(at + kOpen.size(), end - at - kOpen.size());
        }
    }
    return {};
}

std::unique_ptr<ChatTemplate> make_chatml(std::string_view source,
                                          const tokenizer::Tokenizer& tokenizer) {
    const tokenizer::Vocabulary& v = tokenizer.vocabulary();
    const bool writes_bos = source.find("bos_token") != std::string_view::npos && v.bos >= 0;
    return std::make_unique<ChatMl>(default_system_message(source),
                                    writes_bos ? tokenizer.token_bytes(v.bos, true)
                                               : std::string());
}

} // namespace sotto::chat

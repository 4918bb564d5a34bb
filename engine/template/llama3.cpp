// SPDX-License-Identifier: Apache-2.0
#include "engine/template/llama3.h"

namespace sotto::chat {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\n\r\f\v";
    const std::size_t begin = text.find_first_not_of(kBlank);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

class Llama3 final : public ChatTemplate {
  public:
    explicit Llama3(std::string bos) : bos_(std::move(bos)) {}

    [[nodiscard]] std::string_view name() const override { return "Llama 3"; }

    [[nodiscard]] Result<std::vector<Piece>> render(std::span<const Message> messages,
                                                    bool add_generation_prompt) const override {
        std::vector<Piece> pieces;
        if (!bos_.empty()) {
            pieces.push_back({bos_, true});
        }
        for (const Message& m : messages) {
            if (m.role != "system" && m.role != "user" && m.role != "assistant") {
                return Error{ErrorCode::bad_argument,
                             "a message has the role '" + std::string(m.role) +
                                 "'; system, user and assistant are known"};
            }
            header(pieces, m.role);
            pieces.push_back({std::string(trimmed(m.content)), false});
            pieces.push_back({"<|eot_id|>", true});
        }
        if (add_generation_prompt) {
            header(pieces, "assistant");
        }
        return pieces;
    }

  private:
    static void header(std::vector<Piece>& pieces, std::string_view role) {
        pieces.push_back({"<|start_header_id|>", true});
        pieces.push_back({std::string(role), false});
        pieces.push_back({"<|end_header_id|>", true});
        pieces.push_back({"\n\n", false});
    }

    std::string bos_;
};

} // namespace

std::unique_ptr<ChatTemplate> make_llama3(const tokenizer::Tokenizer& tokenizer) {
    const tokenizer::TokenId bos = tokenizer.vocabulary().bos;
    return std::make_unique<Llama3>(bos >= 0 ? tokenizer.token_bytes(bos, true) : std::string());
}

} // namespace sotto::chat

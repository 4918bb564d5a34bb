// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/tokenizer/tokenizer.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::chat {

struct Message {
    std::string_view role, content;
};

/// A rendered chat in pieces: `special` pieces come from the template and are tokenized with
/// special tokens, the others hold what people or the model wrote and are not.
struct Piece {
    std::string text;
    bool special = false;
};

class ChatTemplate {
  public:
    virtual ~ChatTemplate() = default;
    [[nodiscard]] virtual std::string_view name() const = 0; // "ChatML", "Llama 3"
    /// Fails for a role that the template does not know.
    [[nodiscard]] virtual Result<std::vector<Piece>> render(std::span<const Message> messages,
                                                            bool add_generation_prompt) const = 0;
};

/// Recognises the family of `source` (tokenizer.chat_template, may be empty) and checks that the
/// vocabulary has its marks. A source that is empty or that we cannot run: the template whose marks
/// the vocabulary has, with a sentence in `why`. Null with a sentence in `why` if it has none.
std::unique_ptr<ChatTemplate> make_chat_template(std::string_view source,
                                                 const tokenizer::Tokenizer& tokenizer,
                                                 std::string& why);

/// Text of all pieces.
std::string join(std::span<const Piece> pieces);
/// Tokens of all pieces. BOS exactly once where the tokenizer or the template wants it.
/// Neighbouring pieces that are not special are one text ("user\n" and what the user wrote), so
/// that the tokens are those of the whole rendered text, except where a person's text spells a
/// special token.
std::vector<tokenizer::TokenId> tokenize(std::span<const Piece> pieces,
                                         const tokenizer::Tokenizer& tokenizer);

} // namespace sotto::chat

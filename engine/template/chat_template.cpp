// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chat_template.h"

#include "engine/template/chatml.h"
#include "engine/template/llama3.h"

namespace sotto::chat {
namespace {

bool has_all(const tokenizer::Tokenizer& t, std::initializer_list<std::string_view> marks) {
    for (const std::string_view mark : marks) {
        if (t.find(mark) < 0) {
            return false;
        }
    }
    return true;
}

} // namespace

std::unique_ptr<ChatTemplate> make_chat_template(std::string_view source, const tokenizer::Tokenizer& tokenizer, std::string& why) {
    why.clear();
    const bool chatml_marks = has_all(tokenizer, {"<|im_start|>", "<|im_end|>"});
    const bool llama3_marks = has_all(tokenizer, {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"});
    const bool says_chatml = source.find("<|im_start|>") != std::string_view::npos;
    const bool says_llama3 = source.find("<|start_header_id|>") != std::string_view::npos;
    if (says_llama3 && llama3_marks) {
        return make_llama3(tokenizer);
    }
    if (says_chatml && chatml_marks) {
        return make_chatml(source, tokenizer);
    }
    const std::string reason = source.empty() ? "The file has no chat template" : "The file's chat template is of a kind that cannot be run yet";
    if (chatml_marks) {
        why = reason + "; its vocabulary has ChatML's marks, so ChatML is used.";
        return make_chatml({}, tokenizer);
    }
    if (llama3_marks) {
        why = reason + "; its vocabulary has Llama 3's marks, so Llama 3's template is used.";
        return make_llama3(tokenizer);
    }
    why = reason + ", and its vocabulary has no marks of a known one.";
    return nullptr;
}

std::string join(std::span<const Piece> pieces) {
    std::string text;
    for (const Piece& piece : pieces) {
        text += piece.text;
    }
    return text;
}

std::vector<tokenizer::TokenId> tokenize(std::span<const Piece> pieces, const tokenizer::Tokenizer& tokenizer) {
    const tokenizer::Vocabulary& v = tokenizer.vocabulary();
    std::vector<tokenizer::TokenId> ids;
    std::string plain; // neighbouring plain pieces are one text to the model, as in its training
    const auto flush = [&] {
        tokenizer.encode(plain, false, ids);
        plain.clear();
    };
    for (const Piece& piece : pieces) {
        if (piece.special) {
            flush();
            tokenizer.encode(piece.text, true, ids);
        } else {
            plain += piece.text;
        }
    }
    flush();
    // The template may have written the begin token; the tokenizer's own wish must not double it.
    if (v.add_bos && v.bos >= 0 && (ids.empty() || ids.front() != v.bos)) {
        ids.insert(ids.begin(), v.bos);
    }
    return ids;
}

} // namespace sotto::chat

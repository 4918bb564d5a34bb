// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chat_template.h"

#include "engine/template/chatml.h"
#include "engine/template/llama3.h"

#include <initializer_list>

namespace sotto::chat {
namespace {

using Marks = std::initializer_list<std::string_view>;

/// The first of the marks that the vocabulary lacks; empty if it has all.
std::string_view missing(const tokenizer::Tokenizer& t, Marks marks) {
    for (const std::string_view mark : marks) {
        if (t.find(mark) < 0) {
            return mark;
        }
    }
    return {};
}

/// What is the matter with a template that is not run as it is.
std::string complaint(std::string_view source, std::string_view chatml_lacks,
                      std::string_view llama3_lacks) {
    if (source.empty()) {
        return "The file has no chat template";
    }
    if (source.find("<|start_header_id|>") != std::string_view::npos && !llama3_lacks.empty()) {
        return "The file's chat template is of Llama 3's kind, but the vocabulary has no " +
               std::string(llama3_lacks);
    }
    if (source.find("<|im_start|>") != std::string_view::npos && !chatml_lacks.empty()) {
        return "The file's chat template is of ChatML's kind, but the vocabulary has no " +
               std::string(chatml_lacks);
    }
    return "The file's chat template is of a kind that cannot be run yet";
}

} // namespace

std::unique_ptr<ChatTemplate> make_chat_template(std::string_view source,
                                                 const tokenizer::Tokenizer& tokenizer,
                                                 std::string& why) {
    why.clear();
    const std::string_view chatml_lacks = missing(tokenizer, {"<|im_start|>", "<|im_end|>"});
    const std::string_view llama3_lacks =
        missing(tokenizer, {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"});
    const auto says = [source](std::string_view mark) {
        return source.find(mark) != std::string_view::npos;
    };
    if (says("<|start_header_id|>") && llama3_lacks.empty()) {
        return make_llama3(tokenizer);
    }
    // Phi 4 has ChatML's marks, but another one behind the role.
    if (says("<|im_start|>") && !says("<|im_sep|>") && chatml_lacks.empty()) {
        return make_chatml(source, tokenizer);
    }
    const std::string reason = complaint(source, chatml_lacks, llama3_lacks);
    if (chatml_lacks.empty()) {
        why = reason + "; its vocabulary has ChatML's marks, so ChatML is used.";
        return make_chatml({}, tokenizer);
    }
    if (llama3_lacks.empty()) {
        why = reason + "; its vocabulary has Llama 3's marks, so Llama 3's template is used.";
        return make_llama3(tokenizer);
    }
    why = reason + (says("<|im_start|>") || says("<|start_header_id|>")
                        ? "."
                        : ", and its vocabulary has no marks of a known one.");
    return nullptr;
}

std::string join(std::span<const Piece> pieces) {
    std::string text;
    for (const Piece& piece : pieces) {
        text += piece.text;
    }
    return text;
}

std::vector<tokenizer::TokenId> tokenize(std::span<const Piece> pieces,
                                         const tokenizer::Tokenizer& tokenizer) {
    const tokenizer::Vocabulary& v = tokenizer.vocabulary();
    std::vector<tokenizer::TokenId> ids;
    std::string plain; // neighbouring plain pieces are one text to the model, as in its training
    const auto flush = [&] {
        tokenizer.encode(plain, false, ids);
        plain.clear();
    };
    for (const Piece& piece : pieces) {
        if (!piece.special) {
            plain += piece.text;
            continue;
        }
        flush();
        if (const tokenizer::TokenId id = tokenizer.find(piece.text); id >= 0) {
            ids.push_back(id); // a mark, whatever type the file gives it
        } else {
            tokenizer.encode(piece.text, true, ids);
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

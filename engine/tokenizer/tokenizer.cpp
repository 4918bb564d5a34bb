// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/tokenizer.h"

#include "engine/base/utf8.h"
#include "engine/tokenizer/bpe_tokenizer.h"
#include "engine/tokenizer/pre_tokenizer.h"

#include <algorithm>

namespace sotto::tokenizer {
namespace {

/// An id that is no token's is told of and taken for none: it must never be an index.
void check_id(const char* what, TokenId& id, std::size_t n_tokens,
              std::vector<std::string>& warnings) {
    if (id >= 0 && static_cast<std::size_t>(id) >= n_tokens) {
        warnings.push_back("The file's " + std::string(what) + " token is " + std::to_string(id) +
                           ", beyond its " + std::to_string(n_tokens) + " tokens; it is not used.");
        id = -1;
    }
    id = std::max(id, -1);
}

} // namespace

Result<std::unique_ptr<Tokenizer>> make_tokenizer(Vocabulary v,
                                                  std::vector<std::string>& warnings) {
    const std::size_t n = v.tokens.size();
    if (n == 0 || n > (std::size_t{1} << 24)) {
        return Error{ErrorCode::bad_file, "the vocabulary has " + std::to_string(n) +
                                              " tokens, 1 to 16777216 are allowed"};
    }
    if (!v.types.empty() && v.types.size() != n) {
        return Error{ErrorCode::bad_file, "key 'tokenizer.ggml.token_type' has " +
                                              std::to_string(v.types.size()) + " entries for " +
                                              std::to_string(n) + " tokens"};
    }
    check_id("begin", v.bos, n, warnings);
    check_id("end", v.eos, n, warnings);
    check_id("end-of-turn", v.eot, n, warnings);
    check_id("unknown", v.unk, n, warnings);
    check_id("padding", v.pad, n, warnings);
    for (TokenId& id : v.more_eog) {
        check_id("further end", id, n, warnings);
    }
    if (v.add_bos && v.bos < 0) {
        warnings.push_back(
            "The file wants a begin token before every text and names none; none is put.");
        v.add_bos = false;
    }
    if (v.model == "gpt2") {
        return BpeTokenizer::make(std::move(v), warnings);
    }
    return Error{ErrorCode::unsupported, "tokenizer '" + utf8::sanitize(v.model.substr(0, 60)) +
                                             "' is not supported yet; 'gpt2' (byte-level BPE) is"};
}

std::vector<std::string_view> known_pre_tokenizers() {
    std::vector<std::string_view> names;
    for (const PreTokenizerRule& rule : pre_tokenizer_rules()) {
        names.insert(names.end(), rule.names.begin(), rule.names.end());
    }
    return names;
}

} // namespace sotto::tokenizer

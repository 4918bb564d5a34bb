// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/vocabulary_check.h"

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

Result<void> check_length(const char* key, std::size_t n_entries, std::size_t n_tokens) {
    if (n_entries != 0 && n_entries != n_tokens) {
        return Error{ErrorCode::bad_file, "key '" + std::string(key) + "' has " +
                                              std::to_string(n_entries) + " entries for " +
                                              std::to_string(n_tokens) + " tokens"};
    }
    return {};
}

} // namespace

Result<void> check_vocabulary(Vocabulary& v, std::vector<std::string>& warnings) {
    const std::size_t n = v.tokens.size();
    if (n == 0 || n > (std::size_t{1} << 24)) {
        return Error{ErrorCode::bad_file, "the vocabulary has " + std::to_string(n) +
                                              " tokens, 1 to 16777216 are allowed"};
    }
    if (auto ok = check_length("tokenizer.ggml.token_type", v.types.size(), n); !ok) {
        return ok;
    }
    if (auto ok = check_length("tokenizer.ggml.scores", v.scores.size(), n); !ok) {
        return ok;
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
        warnings.emplace_back(
            "The file wants a begin token before every text and names none; none is put.");
        v.add_bos = false;
    }
    return {};
}

} // namespace sotto::tokenizer

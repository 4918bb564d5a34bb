// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/vocabulary_check.h"

#include "engine/base/message.h"

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

bool may_lack_row(const Vocabulary& v, std::size_t id) {
    const auto type = v.types.empty() ? TokenType::normal : static_cast<TokenType>(v.types[id]);
    return type == TokenType::control || type == TokenType::user_defined ||
           type == TokenType::unused;
}

Error no_row(const Vocabulary& v, std::size_t n_rows, std::size_t id, const char* what) {
    return {ErrorCode::bad_file, "the embedding table has " + std::to_string(n_rows) +
                                     " rows for " + std::to_string(v.tokens.size()) + " tokens: " +
                                     what + message::quoted(v.tokens[id]) + " has none"};
}

/// What names a token that is gone.
void forget_from(Vocabulary& v, std::size_t n_rows) {
    const auto is_gone = [n_rows](TokenId id) {
        return id >= 0 && static_cast<std::size_t>(id) >= n_rows;
    };
    for (TokenId* id : {&v.eot, &v.unk, &v.pad}) {
        *id = is_gone(*id) ? -1 : *id;
    }
    std::erase_if(v.more_eog, is_gone);
    std::erase_if(v.places, [&](const TokenPlace& place) { return is_gone(place.id); });
}

} // namespace

Result<void> keep_tokens(Vocabulary& v, std::size_t n_rows, std::vector<std::string>& warnings) {
    const std::size_t n = v.tokens.size();
    if (n <= n_rows || (!v.types.empty() && v.types.size() != n) ||
        (!v.scores.empty() && v.scores.size() != n)) {
        return {};
    }
    for (std::size_t id = n_rows; id < n; ++id) {
        if (!may_lack_row(v, id)) {
            return no_row(v, n_rows, id, "");
        }
    }
    for (const auto& [id, what] :
         {std::pair(v.bos, "the begin token "), {v.eos, "the end token "}}) {
        const auto index = static_cast<std::size_t>(id);
        if (id >= 0 && index >= n_rows && index < n) {
            return no_row(v, n_rows, index, what);
        }
    }
    warnings.push_back("The tokenizer has " + message::counted(n - n_rows, "token") +
                       " beyond the " + std::to_string(n_rows) +
                       " rows of the embedding table, from " + message::quoted(v.tokens[n_rows]) +
                       " on; what has no row is not used.");
    forget_from(v, n_rows);
    v.tokens.resize(n_rows);
    v.types.resize(v.types.empty() ? 0 : n_rows);
    v.scores.resize(v.scores.empty() ? 0 : n_rows);
    return {};
}

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

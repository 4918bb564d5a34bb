// SPDX-License-Identifier: Apache-2.0
// Any bytes as tokenizer.json, as tokenizer_config.json and as a text: what can be read encodes
// every text to ids of its vocabulary.
#include "tests/support/hub_tokenizer.h"

#include <cstdlib>

using namespace sotto::tokenizer;

namespace {

/// Up to the next NUL, which is taken off.
std::string_view next_part(std::string_view& rest) {
    const std::string_view part = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(part.size() < rest.size() ? part.size() + 1 : part.size());
    return part;
}

void check_text(const Tokenizer& tokenizer, std::string_view text, std::span<const Span> trusted) {
    std::vector<TokenId> ids;
    tokenizer.encode(text, trusted, ids);
    const auto n_tokens = static_cast<TokenId>(tokenizer.vocabulary().tokens.size());
    for (const TokenId id : ids) {
        if (id < 0 || id >= n_tokens) {
            std::abort();
        }
    }
    (void)decode(tokenizer, ids, true);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const std::string_view json = next_part(rest);
    auto made = sotto::test::hub_tokenizer(json);
    if (!made) {
        return 0;
    }
    const Span all{0, rest.size()}, half{0, rest.size() / 2};
    check_text(**made, rest, {});
    check_text(**made, rest, std::span(&all, 1));
    check_text(**made, rest, std::span(&half, 1));
    const std::string_view config = next_part(rest);
    made = sotto::test::hub_tokenizer(json, config);
    if (made) {
        check_text(**made, rest, std::span(&all, 1));
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Tokenizers with more tokens than the embedding table has rows, in files and folders.
#include "engine/model/loaded_model.h"
#include "tests/support/bent_folder.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <functional>

using namespace sotto;
using namespace sotto::test;

namespace {

const kernels::KernelTable& table() {
    return kernels::kernel_table(kernels::Isa::scalar);
}

auto load(const std::string& path) {
    return model::LoadedModel::load(path, {}, table());
}

/// 277 rows; the tokens of `types` come after the first 277.
GgufWriter file_with(const std::vector<std::int32_t>& types) {
    GgufWriter w = tiny_model();
    TinyVocabulary v;
    for (const std::int32_t type : types) {
        v.tokens.push_back("<extra" + std::to_string(v.tokens.size()) + ">");
        v.types.push_back(type);
    }
    w.set("tokenizer.ggml.tokens", v.tokens).set("tokenizer.ggml.token_type", v.types);
    return w;
}

bool has_warning(const ModelInfo& info, std::string_view part) {
    return std::ranges::any_of(
        info.warnings, [&](const std::string& w) { return w.find(part) != std::string::npos; });
}

/// A mark without a row is text like any other, and no id of it comes out.
void check_dropped(const model::LoadedModel& m, const std::string& mark, int n_rows) {
    CHECK(m.info().n_vocab == n_rows);
    CHECK(m.n_tokens() <= n_rows);
    const std::vector<TokenId> ids = m.tokenize(mark + "a", false, true);
    CHECK(ids == m.tokenize(mark + "a", false, false));
    std::string text;
    for (const TokenId id : ids) {
        CHECK(id < n_rows);
        text += m.token_bytes(id, true);
    }
    CHECK(text.ends_with(mark + "a"));
    CHECK(m.token_bytes(n_rows, true).empty());
}

void add_mark(BentFolder& folder, int id, const char* content, bool special) {
    folder.tokenizer["added_tokens"].push_back(
        {{"id", id}, {"content", content}, {"special", special}});
}

} // namespace

TEST_CASE("marks beyond the embedding table's rows are left out and told, in a file") {
    for (const std::vector<std::int32_t>& types :
         {std::vector<std::int32_t>{3}, {4}, {3, 4, 5}, {5, 3}}) {
        const TempFile file(file_with(types)
                                .put("tokenizer.ggml.padding_token_id", std::uint32_t{277})
                                .put("tokenizer.ggml.eot_token_id", std::uint32_t{277})
                                .build());
        const auto m = load(file.path());
        REQUIRE_MESSAGE(m.has_value(), m.error().message);
        check_dropped(**m, "<extra277>", 277);
        CHECK(
            has_warning((*m)->info(),
                        (types.size() == 1 ? "1 token" : std::to_string(types.size()) + " tokens") +
                            " beyond the 277 rows of the embedding table, from "
                            "'<extra277>' on"));
        CHECK(model::LoadedModel::describe(file.path()).has_value());
    }
}

TEST_CASE("an ordinary token, the begin or the end token without a row is an error") {
    const auto message = [](GgufWriter w) {
        const TempFile file(w.build());
        const auto m = load(file.path());
        return m ? "no error" : m.error().message;
    };
    const std::string rows = "the embedding table has 277 rows for 278 tokens: ";
    for (const std::int32_t type : {1, 2, 6}) {
        CHECK(message(file_with({type})) == rows + "'<extra277>' has none");
    }
    CHECK(message(file_with({3, 1})).find("'<extra278>' has none") != std::string::npos);
    CHECK(message(file_with({3}).set("tokenizer.ggml.eos_token_id", std::uint32_t{277})) ==
          rows + "the end token '<extra277>' has none");
    CHECK(message(file_with({3}).put("tokenizer.ggml.bos_token_id", std::uint32_t{277})) ==
          rows + "the begin token '<extra277>' has none");
    CHECK(message(file_with({3}).drop("tokenizer.ggml.token_type")) ==
          rows + "'<extra277>' has none");
    // As many rows as before, one of them an ordinary token's.
    CHECK(message(file_with({})) == "no error");
}

TEST_CASE("marks beyond the rows are left out of a folder too, every family's") {
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        BentFolder folder(family);
        const auto plain = load(folder.path());
        REQUIRE(plain.has_value());
        const int n_rows = (*plain)->info().n_vocab;
        add_mark(folder, n_rows, "<image_soft_token>", true);
        add_mark(folder, n_rows + 1, "<another>", false);
        const auto m = load(folder.written().path());
        REQUIRE_MESSAGE(m.has_value(), m.error().message);
        check_dropped(**m, "<image_soft_token>", n_rows);
        check_dropped(**m, "<another>", n_rows);
        CHECK(has_warning((*m)->info(), "'<image_soft_token>' on"));
        folder.tokenizer["model"]["vocab"]["ordinary"] = n_rows + 2;
        const auto refused = load(folder.written().path());
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().message.find("tokenizer.json: the embedding table has ") == 0);
        CHECK(refused.error().message.ends_with(": 'ordinary' has none"));
    }
}

TEST_CASE("a vocab_size beyond the table's rows is told") {
    BentFolder folder("llama");
    CHECK_FALSE(has_warning((*load(folder.path()))->info(), "vocab_size"));
    folder.config["vocab_size"] = 400;
    const auto m = load(folder.written().path());
    REQUIRE_MESSAGE(m.has_value(), m.error().message);
    CHECK(has_warning((*m)->info(), "say vocab_size 400, the embedding table has 291 rows"));
    const TempFile file(tiny_model().put("llama.vocab_size", std::uint32_t{300}).build());
    CHECK(has_warning((*load(file.path()))->info(), "say vocab_size 300"));
}

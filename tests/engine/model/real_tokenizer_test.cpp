// SPDX-License-Identifier: Apache-2.0
// The starter model's vocabulary and chat template against what llama.cpp gives for them. Path:
// SOTTO_STARTER_MODEL.
#include "engine/model/loaded_model.h"
#include "tests/engine/tokenizer/tsv.h"

#include <cstdlib>
#include <random>
#include <sstream>

using namespace sotto;

namespace {

const Model& starter() {
    static const std::shared_ptr<const Model> loaded_model = []() -> std::shared_ptr<const Model> {
        const char* path = std::getenv("SOTTO_STARTER_MODEL");
        REQUIRE_MESSAGE(path != nullptr,
                        "SOTTO_STARTER_MODEL must name the starter model (./dev test sets it)");
        auto loaded =
            model::LoadedModel::load(path, {}, kernels::kernel_table(kernels::Isa::scalar));
        if (!loaded) {
            FAIL(loaded.error().message);
        }
        return *std::move(loaded);
    }();
    return *loaded_model;
}

std::string decode(const std::vector<TokenId>& ids) {
    std::string text;
    for (const TokenId id : ids) {
        text += starter().token_bytes(id, true);
    }
    return text;
}

} // namespace

TEST_CASE("the starter model's token ids are the reference's") {
    int n_rows = 0;
    for (const std::vector<std::string>& row : test::read_tsv("tokenizer/smollm2.tsv")) {
        std::vector<TokenId> expected, ids;
        std::istringstream in(row.at(2));
        for (TokenId id = 0; in >> id;) {
            expected.push_back(id);
        }
        CAPTURE(row[0]);
        CAPTURE(row[1]);
        if (row[0] == "chat") {
            const ChatMessage messages[] = {{"user", row[1]}};
            const auto chat = starter().render_chat(messages, {});
            REQUIRE(chat.has_value());
            ids = chat->tokens;
        } else {
            ids = starter().tokenize(row[1], false, row[0] == "special");
            CHECK(decode(ids) == row[1]);
        }
        CHECK(ids == expected);
        ++n_rows;
    }
    CHECK(n_rows == 31);
}

TEST_CASE("the starter model's default system message comes from its own template") {
    const ChatMessage hello[] = {{"user", "Hello, how are you?"}};
    const std::string text = "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, "
                             "trained by Hugging Face<|im_end|>\n"
                             "<|im_start|>user\nHello, how are you?<|im_end|>\n";
    CHECK(starter().render_chat(hello, {.add_generation_prompt = false})->text == text);
    CHECK(starter().render_chat(hello, {})->text == text + "<|im_start|>assistant\n");
    const ChatMessage own[] = {{"system", "Be brief."}, {"user", "Hi"}};
    CHECK(starter().render_chat(own, {.add_generation_prompt = false})->text ==
          "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n");
}

TEST_CASE("every mark that a person types into a chat of the starter model stays text") {
    for (TokenId id = 0; id < 17; ++id) { // its control tokens
        const std::string mark = starter().token_bytes(id, true);
        CAPTURE(mark);
        CHECK(starter().token_bytes(id, false).empty());
        const ChatMessage messages[] = {
            {"system", mark}, {"user", "a" + mark + "b " + mark}, {"assistant", mark}};
        const auto chat = starter().render_chat(messages, {});
        REQUIRE(chat.has_value());
        CHECK(std::ranges::count_if(chat->tokens, [](TokenId t) { return t < 17; }) ==
              7); // 4 starts, 3 ends
        CHECK(decode(chat->tokens) == chat->text);
    }
}

TEST_CASE("what is encoded comes back for random characters that the vocabulary has bytes for") {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (auto n = random() % 60; n > 0; --n) {
            const unsigned c = 0x20 + random() % (random() % 2 ? 0x60 : 0xFFFF - 0x20);
            if (c < 0x80) {
                text += static_cast<char>(c);
            } else if (c < 0x800) {
                text += {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
            } else if (c < 0xD800 || c > 0xDFFF) {
                text += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
                         static_cast<char>(0x80 | (c & 63))};
            }
        }
        CAPTURE(text);
        CHECK(decode(starter().tokenize(text, false, false)) == text);
    }
}

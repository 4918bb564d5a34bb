// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chat_template.h"
#include "engine/template/chatml.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sotto;
using namespace sotto::chat;
using sotto::test::TinyVocabulary;
using tokenizer::TokenId;

namespace {

constexpr const char* kSmolLm =
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ "
    "'<|im_start|>system\\nYou are Bob, it\\'s true<|im_end|>\\n' }}"
    "{% endif %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + "
    "'\\n'}}{% endfor %}";
constexpr const char* kPlain =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}";

std::unique_ptr<tokenizer::Tokenizer> tokenizer_with(std::initializer_list<const char*> marks,
                                                     bool add_bos = false) {
    const TinyVocabulary t;
    tokenizer::Vocabulary v;
    v.model = "gpt2";
    v.pre = "smollm";
    v.tokens = t.tokens;
    v.types = t.types;
    v.merges = t.merges;
    for (std::size_t id = 261; id < 264; ++id) {
        v.tokens[id] = "<none" + std::to_string(id) + ">";
    }
    std::size_t id = 264;
    for (const char* mark : marks) {
        v.tokens[id] = mark;
        v.types[id++] = 3;
    }
    v.bos = 264;
    v.add_bos = add_bos;
    std::vector<std::string> warnings;
    auto made = tokenizer::make_tokenizer(std::move(v), warnings);
    REQUIRE(made.has_value());
    return *std::move(made);
}

std::string rendered(const ChatTemplate& t, std::initializer_list<Message> messages,
                     bool prompt = true) {
    const std::vector<Message> list(messages);
    const auto pieces = t.render(list, prompt);
    REQUIRE(pieces.has_value());
    return join(*pieces);
}

} // namespace

TEST_CASE("the default system message is read out of the template's source") {
    CHECK(default_system_message("{{ x + '<|im_start|>system\\nYou are Qwen.<|im_end|>\\n' }}") ==
          "You are Qwen.");
    CHECK(
        default_system_message("{{ '<|im_start|>system\\n' + messages[0].content + '<|im_end|>' }}")
            .empty());
    CHECK(default_system_message("{{ '<|im_start|>system\\n' + a + '<|im_end|>' }}"
                                 "{{ '<|im_start|>system\\nLine\\nTwo<|im_end|>' }}") ==
          "Line\nTwo");
    CHECK(default_system_message("<|im_start|>system\n{{ m }}<|im_end|>").empty());
    // A quote that is no end of the literal, literals that are joined, text outside of tags.
    CHECK(default_system_message("{{ \"<|im_start|>system\\nYou're it<|im_end|>\" }}") ==
          "You're it");
    CHECK(default_system_message(
              "{{ '<|im_start|>system\\n' + 'Be ' ~ \"kind.\" + '<|im_end|>\\n' }}") == "Be kind.");
    CHECK(default_system_message("{% if x %}<|im_start|>system\nPlain.<|im_end|>\n{% endif %}") ==
          "Plain.");
    CHECK(default_system_message("{# '<|im_start|>system\\nNo.<|im_end|>' #}").empty());
    CHECK(default_system_message("{{ '<|im_start|>system\\n<|im_end|>' }}").empty());
    CHECK(default_system_message("").empty());
    CHECK(default_system_message("<|im_start|>system\\nno end").empty());
}

TEST_CASE("ChatML") {
    const auto tok = tokenizer_with({"<s>", "<|im_start|>", "<|im_end|>"});
    std::string why;
    const auto plain = make_chat_template(kPlain, *tok, why);
    REQUIRE(plain != nullptr);
    CHECK(why.empty());
    CHECK(plain->name() == "ChatML");
    CHECK(rendered(*plain, {{"user", "Hi"}}) ==
          "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
    CHECK(rendered(*plain, {{"system", "S"}, {"user", "Hi"}, {"assistant", "Yo"}}, false) ==
          "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>"
          "assistant\nYo<|im_end|>\n");
    const std::vector<Message> odd = {{"tool", "x"}};
    CHECK_FALSE(plain->render(odd, true).has_value());
    const auto smol = make_chat_template(kSmolLm, *tok, why);
    CHECK(rendered(*smol, {{"user", "Hi"}}, false) ==
          "<|im_start|>system\nYou are Bob, it's true<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n");
    CHECK(rendered(*smol, {{"system", "S"}}, false) == "<|im_start|>system\nS<|im_end|>\n");
}

TEST_CASE("Llama 3: one begin token, trimmed contents") {
    const auto tok = tokenizer_with(
        {"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"}, true);
    std::string why;
    const auto t = make_chat_template(
        "{{ bos_token }}{% for m in messages %}<|start_header_id|>...", *tok, why);
    REQUIRE(t != nullptr);
    CHECK(t->name() == "Llama 3");
    CHECK(rendered(*t, {{"user", "  Hi \n"}}) ==
          "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_"
          "id|>assistant<|end_header_id|>\n\n");
    const std::vector<Message> messages = {{"user", "Hi"}};
    CHECK(std::ranges::count(chat::tokenize(*t->render(messages, true), *tok), 264) == 1);
}

TEST_CASE("one begin token whether the template, the tokenizer or both want it") {
    std::string why;
    const std::vector<Message> messages = {{"user", "Hi"}};
    const std::string with_bos = std::string("{{ bos_token }}") + kPlain;
    for (const bool add_bos : {false, true}) {
        const auto tok = tokenizer_with({"<s>", "<|im_start|>", "<|im_end|>"}, add_bos);
        const auto n_bos = [&](const std::string& source) {
            return std::ranges::count(
                chat::tokenize(*make_chat_template(source, *tok, why)->render(messages, true),
                               *tok),
                264);
        };
        CHECK(n_bos(with_bos) == 1);
        CHECK(n_bos(kPlain) == (add_bos ? 1 : 0));
    }
}

TEST_CASE("what people type stays text; neighbouring plain text is tokenized as one") {
    const auto tok = tokenizer_with({"<s>", "<|im_start|>", "<|im_end|>"});
    std::string why;
    const auto t = make_chat_template(kPlain, *tok, why);
    const std::vector<Message> typed = {{"user", "<|im_end|><|im_start|>"}};
    const auto ids = chat::tokenize(*t->render(typed, false), *tok);
    CHECK(std::ranges::count(ids, 265) == 1);
    CHECK(std::ranges::count(ids, 266) == 1);
    const std::vector<Message> plain = {{"user", "hello"}};
    std::vector<TokenId> whole;
    const auto pieces = *t->render(plain, true);
    tok->encode(join(pieces), true, whole);
    CHECK(chat::tokenize(pieces, *tok) == whole);
}

TEST_CASE("a missing or unreadable template gives way to one the vocabulary has marks for, with a "
          "sentence") {
    std::string why;
    const auto chatml = tokenizer_with({"<s>", "<|im_start|>", "<|im_end|>"});
    for (const char* source : {"", "{{ broken", "[INST] {{ x }} [/INST]"}) {
        const auto t = make_chat_template(source, *chatml, why);
        REQUIRE(t != nullptr);
        CHECK(t->name() == "ChatML");
        CHECK_FALSE(why.empty());
    }
    const auto none = tokenizer_with({"<s>"});
    CHECK(make_chat_template(kPlain, *none, why) == nullptr);
    CHECK_FALSE(why.empty());
}

TEST_CASE("the sentence says what is the matter") {
    struct Case {
        const char* source;
        std::initializer_list<const char*> marks;
        const char* name; // empty: none can be run
        const char* part;
    };
    const Case cases[] = {
        {"", {"<|im_start|>", "<|im_end|>"}, "ChatML", "no chat template"},
        {"{{ broken", {"<|im_start|>", "<|im_end|>"}, "ChatML", "cannot be run yet"},
        {"<|im_start|>{{ role }}<|im_sep|>",
         {"<|im_start|>", "<|im_end|>"},
         "ChatML",
         "cannot be run yet"}, // Phi 4
        {"[INST]",
         {"<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
         "Llama 3",
         "cannot be run yet"},
        {"<|start_header_id|>", {"<|start_header_id|>", "<|end_header_id|>"}, "", "no <|eot_id|>"},
        {"<|im_start|>", {"<|im_start|>"}, "", "no <|im_end|>"},
        {"", {}, "", "no marks of a known one"},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.source));
        std::string why;
        const auto t = make_chat_template(c.source, *tokenizer_with(c.marks), why);
        CHECK((t ? t->name() : std::string_view()) == c.name);
        CHECK_MESSAGE(why.find(c.part) != std::string::npos, why);
    }
}

TEST_CASE("a source that is cut anywhere is read without harm") {
    const std::string source = kSmolLm;
    const auto tok = tokenizer_with({"<s>", "<|im_start|>", "<|im_end|>"});
    for (std::size_t n = 0; n <= source.size(); ++n) {
        std::string why;
        CHECK(make_chat_template(source.substr(0, n), *tok, why) != nullptr);
    }
}

TEST_CASE("marks are found by their text, whatever type the file gives them") {
    const TinyVocabulary t;
    tokenizer::Vocabulary v;
    v.model = "gpt2";
    v.pre = "qwen2";
    v.tokens = t.tokens; // no types at all
    v.merges = t.merges;
    std::vector<std::string> warnings;
    const auto tok = *tokenizer::make_tokenizer(std::move(v), warnings);
    std::string why;
    const std::vector<Message> messages = {{"user", "<|im_start|>"}};
    const auto ids =
        chat::tokenize(*make_chat_template(kPlain, *tok, why)->render(messages, false), *tok);
    CHECK(std::ranges::count(ids, tok->find("<|im_start|>")) == 1);
    CHECK(ids.front() == tok->find("<|im_start|>"));
}

// SPDX-License-Identifier: Apache-2.0
#include "engine/template/chat_template.h"
#include "engine/template/template_set.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sotto;
using chat::ChatTemplate;
using sotto::test::TinyVocabulary;
using tokenizer::TokenId;

namespace {

constexpr const char* kPlain =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}";
// Refuses system messages, as Gemma 2's does.
constexpr const char* kNoSystem =
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% endif %}{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}";

using Marks = std::initializer_list<const char*>;
const Marks kChatMl = {"<s>", "<|im_start|>", "<|im_end|>"};

std::unique_ptr<tokenizer::Tokenizer> tokenizer_with(Marks marks, bool add_bos = false) {
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

ChatMessage message(const char* role, std::string content) {
    return {.role = role, .content = std::move(content)};
}

chat::Rendered render(const ChatTemplate& t, const std::vector<ChatMessage>& messages,
                      const ChatOptions& options = {}) {
    auto rendered = t.render(messages, options);
    REQUIRE_MESSAGE(rendered.has_value(), rendered.error().message);
    return *std::move(rendered);
}

struct Made {
    std::unique_ptr<tokenizer::Tokenizer> tokenizer;
    std::string notice;
    std::unique_ptr<ChatTemplate> tmpl;

    Made(const std::string& source, Marks marks, bool add_bos = false)
        : tokenizer(tokenizer_with(marks, add_bos)),
          tmpl(ChatTemplate::make(source, *tokenizer, notice)) {}
};

} // namespace

TEST_CASE("the model's own template is run; a person's marks stay text") {
    const Made made(kPlain, kChatMl);
    REQUIRE(made.tmpl != nullptr);
    CHECK(made.tmpl->name() == "the model's own");
    CHECK(made.notice.empty());
    const auto chat = render(*made.tmpl, {message("user", "<|im_end|><|im_start|>")});
    CHECK(chat.text == "<|im_start|>user\n<|im_end|><|im_start|><|im_end|>\n");
    const auto ids = chat::tokenize(chat, *made.tokenizer);
    CHECK(std::ranges::count(ids, 265) == 1);
    CHECK(std::ranges::count(ids, 266) == 1);
}

TEST_CASE("text between two marks is tokenized as one, whoever wrote it") {
    const Made made(kPlain, kChatMl);
    const auto chat = render(*made.tmpl, {message("user", "hello")});
    std::vector<TokenId> whole;
    made.tokenizer->encode(chat.text, true, whole);
    CHECK(chat::tokenize(chat, *made.tokenizer) == whole);
}

TEST_CASE("BOS comes exactly once") {
    for (const bool add_bos : {false, true}) {
        for (const bool writes : {false, true}) {
            CAPTURE(add_bos);
            CAPTURE(writes);
            const Made made(std::string(writes ? "{{ bos_token }}" : "") + kPlain, kChatMl,
                            add_bos);
            const auto ids =
                chat::tokenize(render(*made.tmpl, {message("user", "Hi")}), *made.tokenizer);
            CHECK(std::ranges::count(ids, 264) == (add_bos || writes ? 1 : 0));
        }
    }
}

TEST_CASE("a missing or unreadable template gives way to the family's, with a sentence") {
    struct Case {
        const char* source;
        Marks marks;
        const char* name;
        const char* part;
    };
    const Case cases[] = {
        {"", kChatMl, "ChatML (built in)", "no chat template"},
        {"{{ broken", kChatMl, "ChatML (built in)", "cannot be read (line 1"},
        {"{{ broken",
         {"<s>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
         "Llama 3 (built in)",
         "line 1"},
        {"", {"<s>", "<start_of_turn>", "<end_of_turn>"}, "Gemma (built in)", "no chat template"},
        {"", {"<s>", "[INST]", "[/INST]"}, "Mistral (built in)", "no chat template"},
        {"{{ '[INST] ' [/INST]", {"<s>"}, "Mistral (built in)", "line 1"},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.source));
        const Made made(c.source, c.marks);
        REQUIRE(made.tmpl != nullptr);
        CHECK(made.tmpl->name() == c.name);
        CHECK_MESSAGE(made.notice.find(c.part) != std::string::npos, made.notice);
        const auto chat = render(*made.tmpl, {message("system", "Be brief."), message("user", "Hi"),
                                              message("assistant", "Yo"), message("user", "?")});
        for (const char* text : {"Be brief.", "Hi", "Yo"}) {
            CHECK(chat.text.find(text) != std::string::npos);
        }
    }
    const Made none("", {"<s>"});
    CHECK(none.tmpl == nullptr);
    CHECK(none.notice.find("marks of no known one") != std::string::npos);
}

TEST_CASE("built-in templates write their families' formats") {
    const std::vector<ChatMessage> chat = {message("system", "S"), message("user", " Q "),
                                           message("assistant", "A"), message("user", "R")};
    struct Case {
        Marks marks;
        const char* text;
    };
    const Case cases[] = {
        {kChatMl, "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\n Q <|im_end|>\n"
                  "<|im_start|>assistant\nA<|im_end|>\n<|im_start|>user\nR<|im_end|>\n"
                  "<|im_start|>assistant\n"},
        {{"<s>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
         "<s><|start_header_id|>system<|end_header_id|>\n\nS<|eot_id|>"
         "<|start_header_id|>user<|end_header_id|>\n\nQ<|eot_id|>"
         "<|start_header_id|>assistant<|end_header_id|>\n\nA<|eot_id|>"
         "<|start_header_id|>user<|end_header_id|>\n\nR<|eot_id|>"
         "<|start_header_id|>assistant<|end_header_id|>\n\n"},
        {{"<s>", "<start_of_turn>", "<end_of_turn>"},
         "<s><start_of_turn>user\nS\n\nQ<end_of_turn>\n<start_of_turn>model\nA<end_of_turn>\n"
         "<start_of_turn>user\nR<end_of_turn>\n<start_of_turn>model\n"},
        {{"<s>", "[INST]", "[/INST]"}, "<s>[INST] S\n\nQ [/INST] A</s>[INST] R [/INST]"},
    };
    for (const Case& c : cases) {
        const Made made("", c.marks);
        CHECK(render(*made.tmpl, chat).text == c.text);
    }
}

TEST_CASE("a template that fails gives way; one that refuses is heard") {
    const Made fails("{{ messages[0].nothing.more }}", kChatMl);
    const auto chat = render(*fails.tmpl, {message("user", "Hi")});
    CHECK(chat.text == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
    CHECK(chat.notice.find("failed (line 1") != std::string::npos);

    const Made refuses("{{ raise_exception('Roles must alternate') }}", kChatMl);
    const auto error = refuses.tmpl->render(std::vector{message("user", "Hi")}, {});
    REQUIRE_FALSE(error.has_value());
    CHECK(error.error().message == "Roles must alternate");

    const Made endless("{% for i in range(1000000000) %}x{% endfor %}", kChatMl);
    CHECK_FALSE(render(*endless.tmpl, {message("user", "Hi")}).notice.empty());
}

TEST_CASE("a system message goes before the first question where the template takes none") {
    const Made made(kNoSystem, kChatMl);
    const auto chat = render(*made.tmpl, {message("system", "Be brief."), message("user", "Hi")});
    CHECK(chat.text == "<|im_start|>Be brief.\n\nHi<|im_end|>");
    CHECK(chat.notice.find("system message") != std::string::npos);
    CHECK_FALSE(made.tmpl->render(std::vector{message("system", "alone")}, {}).has_value());
}

TEST_CASE("tools, tool calls, results, reasoning and the switch reach the template") {
    const Made made("{{ tools | tojson }}|{% for m in messages %}{{ m.role }}:{{ m.content }}:"
                    "{{ m.reasoning_content }}:{% for c in m.tool_calls or [] %}{{ c.function.name "
                    "}}={{ c.function.arguments.city }}{% endfor %}:{{ m.name }};{% endfor %}|"
                    "{{ enable_thinking is defined and not enable_thinking }}",
                    kChatMl);
    ChatMessage call = message("assistant", "");
    call.reasoning = "look it up";
    call.tool_calls = {{"1", "weather", R"({"city": "Köln"})"}};
    ChatMessage result = message("tool", "rain");
    result.tool_name = "weather";
    ChatOptions options;
    options.tools = R"([{"type": "function"}])";
    options.enable_thinking = false;
    CHECK(render(*made.tmpl, {message("user", "?"), call, result}, options).text ==
          R"([{"type": "function"}]|user:?:::;assistant::look it up:weather=Köln:;)"
          "tool:rain:::weather;|True");
    options.tools = "{}";
    CHECK_FALSE(made.tmpl->render(std::vector{call}, options).has_value());
    options.tools = "[";
    CHECK_FALSE(made.tmpl->render(std::vector{call}, options).has_value());
}

TEST_CASE("arguments of a tool call that are no JSON are text") {
    const Made made("{{ messages[0].tool_calls[0].function.arguments }}", kChatMl);
    ChatMessage call = message("assistant", "");
    call.tool_calls = {{"", "f", "not json"}};
    CHECK(render(*made.tmpl, {call}).text == "not json");
}

TEST_CASE("a call without a word: null where templates ask for it, else the text \"\"") {
    ChatMessage call = message("assistant", "");
    call.tool_calls = {{"", "get", R"({"p": 1})"}};
    ChatMessage said = call;
    said.content = "wait";
    const std::vector<ChatMessage> chat = {call, said};
    struct Row {
        const char* source;
        const char* text;
    };
    const Row rows[] = {
        // writes calls only where content is none
        {"{% for m in messages %}{% if m.content is none %}{{ m.tool_calls[0].function.name }};"
         "{% else %}{{ m.content }};{% endif %}{% endfor %}",
         "get;wait;"},
        // a turn of its own for every content there is
        {"{% for m in messages %}{{ m.tool_calls[0].function.name }};{% if m.content is not none %}"
         "[{{ m.content }}]{% endif %}{% endfor %}",
         "get;get;[wait]"},
        // prints null, fails on it, or leaves the call out for it
        {"{% for m in messages %}[{{ m.content }}]{% endfor %}", "[][wait]"},
        {"{% for m in messages %}[{{ m.content + '.' }}]{% endfor %}", "[.][wait.]"},
        {"{% for m in messages %}{% if m.content is string %}{{ m.tool_calls[0].function.name }};"
         "{% endif %}{% endfor %}",
         "get;get;"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.source);
        const Made made(row.source, kChatMl);
        CHECK(render(*made.tmpl, chat).text == row.text);
        CHECK(render(*made.tmpl, chat).notice.empty());
    }
}

TEST_CASE("arguments of a tool call are text for templates that cannot take a mapping") {
    ChatMessage call = message("assistant", "");
    call.tool_calls = {{"", "get", R"({"p": 1})"}};
    const Made made("{{ '<' + messages[0].tool_calls[0].function.arguments + '>' }}", kChatMl);
    CHECK(render(*made.tmpl, {call}).text == R"(<{"p": 1}>)");
    CHECK(render(*made.tmpl, {call}).notice.empty());
    // Where there is no text, this one writes nothing of a call; where there is null, it takes
    // text.
    const Made both("{% for m in messages %}{% if m.content is none %}{{ '<' + "
                    "m.tool_calls[0].function.arguments + '>' }}{% endif %}{% endfor %}",
                    kChatMl);
    CHECK(render(*both.tmpl, {call}).text == R"(<{"p": 1}>)");
    call.tool_calls[0].arguments.clear();
    CHECK(render(*made.tmpl, {call}).text == "<{}>");
}

TEST_CASE("thinking: marks by the template, the switch, and whether the prompt opens one") {
    const Made made("{% if enable_thinking is defined %}<think>\n\n</think>{% endif %}", kChatMl);
    CHECK(made.tmpl->thinking().open == "<think>");
    CHECK(made.tmpl->thinking().close == "</think>");
    CHECK(made.tmpl->can_switch_thinking());
    const Made none(kPlain, kChatMl);
    CHECK(none.tmpl->thinking().empty());
    CHECK_FALSE(none.tmpl->can_switch_thinking());
    const Made vocabulary("", {"<s>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"});
    CHECK_FALSE(vocabulary.tmpl->thinking().empty());
    const ThinkingMarks marks{"<think>", "</think>"};
    CHECK(chat::ends_in_thought("<|im_start|>assistant\n<think>\n", marks));
    CHECK_FALSE(chat::ends_in_thought("<think>\n\n</think>\n\n", marks));
    CHECK_FALSE(chat::ends_in_thought("", marks));
    CHECK_FALSE(chat::ends_in_thought("<think>", {}));
}

TEST_CASE("the date is the caller's, or now") {
    const Made made("{{ strftime_now('%Y') }}", kChatMl);
    ChatOptions options;
    options.unix_time = 86400 * 365; // within 1971 in every time zone
    CHECK(render(*made.tmpl, {message("user", "?")}, options).text == "1971");
    CHECK(render(*made.tmpl, {message("user", "?")}).text >= "2024");
}

TEST_CASE("tools that the template leaves out are told of; what heeds them is not") {
    struct Case {
        const char *source, *tools;
        bool told;
    };
    const char* const one = R"([{"type": "function", "function": {"name": "f"}}])";
    const Case cases[] = {
        {kPlain, one, true},
        {kPlain, "", false},
        {kPlain, "[]", false},
        {"{{ tools | tojson }}", one, false},
        {"{# tools #}{{ messages[0].content }}", one, true},
        {"{% for m in messages %}{% if m.role == 'system' and tools %}{{ tools[0].function.name }}"
         "{% endif %}{% endfor %}",
         one, true}, // not in this chat
        {"{% if not tools %}{{ raise_exception('tools are needed') }}{% endif %}", one, false},
        {"", one, true},
        {"{{ messages.nothing.more }}", one, true},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.source));
        CAPTURE(std::string(c.tools));
        const Made made(c.source, kChatMl);
        ChatOptions options;
        options.tools = c.tools;
        const auto chat = render(*made.tmpl, {message("user", "Hi")}, options);
        CHECK((chat.notice.find("leaves out the tools") != std::string::npos) == c.told);
    }
}

TEST_CASE("content in parts reaches templates that take lists, and is joined for others") {
    const char* const each = "{% for m in messages %}{% if m.content is string %}<{{ m.content }}>"
                             "{% else %}{% for p in m.content %}({{ p.type }}:{{ p.text | trim }})"
                             "{% endfor %}{% endif %}{% endfor %}";
    const std::pair<const char*, const char*> rows[] = {
        {each, "(text:A)(text:B)<C>"},
        {"{{ messages[0].content | tojson }}",
         R"([{"type": "text", "text": "A "}, {"type": "text", "text": "B"}])"},
        {"{{ messages[0].content | length }}", "2"}, // as it says
        {"{{ messages[0].content }}", "A B"},
        {"{{ messages[0].content | trim }}", "A B"},
        {"{{ '<' + messages[0].content + '>' }}", "<A B>"},
        {"{{ messages[0].content.strip() }}", "A B"},
        {"{% if messages[0].content is string %}{{ messages[0].content }}{% endif %}", "A B"},
        {"{% if messages[0].content is not string %}{{ raise_exception('text only') }}{% endif %}"
         "{{ messages[0].content }}",
         "A B"},
        {"{{ messages.nothing.more }}",
         "<|im_start|>user\nA B<|im_end|>\n<|im_start|>user\nC<|im_end|>\n<|im_start|>assistant\n"},
    };
    ChatMessage parts = message("user", "A B");
    parts.content_parts = {"A ", "B"};
    for (const auto& row : rows) {
        const auto& source = row.first;
        const auto& text = row.second;
        CAPTURE(std::string(source));
        const Made made(source, kChatMl);
        CHECK(render(*made.tmpl, {parts, message("user", "C")}).text == text);
    }
    const Made no_system(kNoSystem, kChatMl);
    CHECK(render(*no_system.tmpl, {message("system", "S"), parts}).text ==
          "<|im_start|>S\n\nA B<|im_end|>");
    const Made takes(std::string("{% if messages[0].role == 'system' %}"
                                 "{{ raise_exception('no system') }}{% endif %}") +
                         each,
                     kChatMl);
    CHECK(render(*takes.tmpl, {message("system", "S"), parts}).text == "(text:S\n\nA)(text:B)");
    // A person who types what a printed list looks like.
    ChatMessage typed = message("user", "{'type': 'text', 'text': 'x'}");
    typed.content_parts = {typed.content};
    const Made made(each, kChatMl);
    CHECK(render(*made.tmpl, {typed}).text == "(text:{'type': 'text', 'text': 'x'})");
}

TEST_CASE("a tool call without arguments has an empty mapping of them") {
    const Made made("{{ messages[0].tool_calls[0].function | tojson }}", kChatMl);
    ChatMessage call = message("assistant", "");
    call.tool_calls = {{"", "f", ""}};
    CHECK(render(*made.tmpl, {call}).text == R"({"name": "f", "arguments": {}})");
}

TEST_CASE("named templates: tool_use for a chat with tools, default for the rest") {
    using Sources = std::map<std::string, std::string>;
    struct Case {
        Sources sources;
        const char *plain, *with_tools; // null: an error
        const char *warning, *name;
    };
    const char* const fallback = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n";
    const Case cases[] = {
        {{{"default", "D"}}, "D", "D", "", "the model's own"},
        {{{"default", "D"}, {"rag", "R"}}, "D", "D", "", "the model's own"},
        {{{"default", "D"}, {"tool_use", "T"}}, "D", "T", "", "'tool_use' with tools"},
        {{{"rag", "R"}, {"tool_use", "T"}},
         fallback,
         "T",
         "'default', only 'rag', 'tool_use'",
         "ChatML"},
        {{{"rag", "R"}}, fallback, fallback, "'default', only 'rag'; its", "ChatML"},
        {{{"default", "D"}, {"tool_use", "{{ broken"}},
         "D",
         "D",
         "'tool_use' cannot be read",
         "own"},
        {{}, fallback, fallback, "no chat template;", "ChatML"},
    };
    const auto tokenizer = tokenizer_with(kChatMl);
    const std::vector<ChatMessage> messages = {message("user", "Hi")};
    ChatOptions tools;
    tools.tools = R"([{"type": "function", "function": {"name": "f"}}])";
    for (const Case& c : cases) {
        const chat::TemplateSet set(c.sources, *tokenizer);
        ModelInfo info;
        set.describe(info);
        CAPTURE(info.chat_template);
        CAPTURE(info.template_warning);
        CHECK(set.render(messages, {})->text == c.plain);
        CHECK(set.render(messages, tools)->text == c.with_tools);
        CHECK(info.template_warning.empty() == std::string(c.warning).empty());
        CHECK(info.template_warning.find(c.warning) != std::string::npos);
        CHECK(info.chat_template.find(c.name) != std::string::npos);
    }
    const auto bare = tokenizer_with({"<s>"});
    const chat::TemplateSet none(Sources{{"tool_use", "T"}}, *bare);
    CHECK(none.render(messages, tools)->text == "T");
    const auto refused = none.render(messages, {});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("only 'tool_use'") != std::string::npos);
}

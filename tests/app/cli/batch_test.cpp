// SPDX-License-Identifier: Apache-2.0
// Many prompts at once, from a file or a pipe of JSON lines.
#include "tests/app/cli/template_folder.h"

#include <iterator>
#include <sstream>

using namespace sotto::test;
using nlohmann::json;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<json> objects_of(const Output& out) {
    std::vector<json> objects;
    for (const std::string& line : lines_of(out.text)) {
        objects.push_back(json::parse(line));
    }
    return objects;
}

/// A file with these lines, quoted for the shell; it lives as long as this does.
struct Prompts {
    TempFile file;
    explicit Prompts(const std::string& lines) : file(lines, "prompts.jsonl") {}
    [[nodiscard]] std::string path() const { return "'" + file.path() + "'"; }
};

std::string batch(const Prompts& prompts, const std::string& flags,
                  const std::string& of = tiny("llama/f32.gguf")) {
    return "sotto-cli batch " + prompts.path() + " --model " + of + " " + flags + " 2>/dev/null";
}

} // namespace

TEST_CASE("batch: a line for each line, in order, however long the answers are") {
    const Prompts prompts(R"({"prompt":"a","n":60}
{"prompt":"b","n":1}

{"prompt":"c","n":25}
{"prompt":"d"}
{"prompt":"e","n":0}
{"prompt":"f","n":40})");
    const Output out = shell(batch(prompts, "--json --ignore-eos -n 7 --slots 3"));
    CHECK(out.code == 0);
    const std::vector<json> answers = objects_of(out);
    REQUIRE(answers.size() == 6);
    const std::size_t lengths[] = {60, 1, 25, 7, 0, 40};
    for (std::size_t i = 0; i < answers.size(); ++i) {
        CAPTURE(i);
        CHECK(answers[i]["token_ids"].size() == lengths[i]);
        CHECK(answers[i]["finish_reason"] == "length");
    }
}

TEST_CASE("batch: more lines than are submitted or kept at once all come, in order") {
    std::string lines;
    for (int i = 0; i < 400; ++i) {
        lines += R"({"prompt":"x","n":)" + std::to_string(i % 50 == 0 ? 200 : i % 7) + "}\n";
    }
    const Prompts prompts(lines);
    const Output out = shell(batch(prompts, "--json --ignore-eos --slots 2"));
    CHECK(out.code == 0);
    const std::vector<json> answers = objects_of(out);
    REQUIRE(answers.size() == 400);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        CAPTURE(i);
        CHECK(answers[i]["token_ids"].size() == (i % 50 == 0 ? 200 : i % 7));
    }
}

TEST_CASE("batch: each answer has the bits that generate gives for its prompt alone") {
    const Prompts prompts(R"({"prompt":"The sea is","n":12,"temp":0}
{"prompt":"Once upon a time","n":9,"temp":0.8,"seed":5}
{"prompt":"Once","n":9,"temperature":0.8,"seed":6,"top_k":7,"repeat_penalty":1.3}
{"prompt":"x"})");
    const char* flags[] = {"--prompt 'The sea is' --n 12 --temp 0",
                           "--prompt 'Once upon a time' --n 9 --temp 0.8 --seed 5",
                           "--prompt Once --n 9 --temp 0.8 --seed 6 --top-k 7 --repeat-penalty 1.3",
                           "--prompt x --n 5 --seed 9"};
    const std::string shared = " --seed 9 --json --logits-hash";
    const Output out = shell(batch(prompts,
                                   "--slots 3 --token-budget 32 --ctx 512 --kv-memory 64 "
                                   "-n 5" +
                                       shared,
                                   model()));
    CHECK(out.code == 0);
    const std::vector<json> answers = objects_of(out);
    REQUIRE(answers.size() == 4);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const json alone = run_json("sotto-cli generate --model " + model() + " " + flags[i] +
                                    " --json --logits-hash 2>/dev/null");
        CAPTURE(i);
        for (const std::string key :
             {"text", "token_ids", "prompt_token_ids", "finish_reason", "logits_hash"}) {
            CAPTURE(key);
            CHECK(answers[i][key] == alone[key]);
        }
        CHECK(answers[i]["timings"].size() == alone["timings"].size());
    }
}

TEST_CASE("batch: --chat wraps each prompt as generate --chat does") {
    const Prompts prompts(R"({"prompt":"Why is the sky blue?"}
{"prompt":"<|im_end|> é"})");
    const std::string flags = " --chat --system 'Be brief.' --n 6 --temp 0 --json";
    const std::vector<json> answers = objects_of(shell(batch(prompts, flags, model())));
    REQUIRE(answers.size() == 2);
    const char* typed[] = {"'Why is the sky blue?'", "'<|im_end|> é'"};
    for (std::size_t i = 0; i < 2; ++i) {
        const json alone = run_json("sotto-cli generate --model " + model() + flags + " --prompt " +
                                    typed[i] + " 2>/dev/null");
        CHECK(answers[i]["prompt_token_ids"] == alone["prompt_token_ids"]);
        CHECK(answers[i]["text"] == alone["text"]);
    }
}

TEST_CASE("batch: a template that refuses a prompt is an error of that line") {
    const TemplateFolder folder("{% if 'bad' in messages[0].content %}{{ raise_exception('no bad "
                                "words') }}{% endif %}{{ messages[0].content }}");
    const Prompts prompts("{\"prompt\":\"a bad word\"}\n{\"prompt\":\"good\"}\n");
    const Output out = shell(batch(prompts, "--chat --n 1", folder.model()));
    CHECK(out.code == 1);
    const std::vector<json> lines = objects_of(out);
    REQUIRE(lines.size() == 2);
    REQUIRE(lines[0].is_object());
    CHECK(lines[0]["error"].get<std::string>().find("no bad words") != std::string::npos);
    CHECK(lines[1].is_string());
}

TEST_CASE("batch: a bad line gives an error that names it, in its place; the others go on") {
    struct Row {
        std::string line;
        std::string says;
    };
    const Row rows[] = {{"nonsense", "no JSON"},
                        {"{\"prompt\":\"a\"} {}", "no JSON"},
                        {"{\"prompt\":\"a\"", "no JSON"},
                        {"[1]", "object is needed, not array"},
                        {"null", "object is needed, not null"},
                        {"{}", "no 'prompt'"},
                        {"{\"n\":3}", "no 'prompt'"},
                        {"{\"prompt\":5}", "'prompt' is no text"},
                        {"{\"prompt\":null}", "'prompt' is no text"},
                        {"{\"prompt\":\"a\",\"foo\":1}", "no field 'foo'"},
                        {"{\"prompt\":\"a\",\"n\":1.5}", "'n': '1.5' is not a whole number"},
                        {"{\"prompt\":\"a\",\"n\":-2}", "-1 to 1073741824"},
                        {"{\"prompt\":\"a\",\"n\":\"3\"}", "'n'"},
                        {"{\"prompt\":\"a\",\"temp\":2.5}", "'temp': '2.5'"},
                        {"{\"prompt\":\"a\",\"temperature\":[]}", "'temperature'"},
                        {"{\"prompt\":\"a\",\"seed\":-1}", "'seed'"},
                        {"{\"prompt\":\"a\",\"seed\":18446744073709551616}", "'seed'"},
                        {"{\"prompt\":\"a\",\"top_k\":2147483648}", "0 to 2147483647"},
                        {"{\"prompt\":\"a\",\"temp\":1e999}", "double precision"},
                        {"{\"prompt\":\"a\xff\"}", "UTF-8"},
                        {"{\"prompt\":\"\\ud800\"}", "no JSON"},
                        {"{\"prompt\":\"\"}", "empty"}};
    std::string lines;
    for (const Row& row : rows) {
        lines += row.line + "\n{\"prompt\":\"good\"}\r\n";
    }
    const Prompts prompts(lines);
    const Output out = shell(batch(prompts, "--n 2"));
    CHECK(out.code == 1);
    const std::vector<json> answers = objects_of(out);
    REQUIRE(answers.size() == 2 * std::size(rows));
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        CAPTURE(rows[i].line);
        REQUIRE(answers[2 * i].is_object());
        const auto error = answers[2 * i]["error"].get<std::string>();
        CAPTURE(error);
        CHECK(error.find("line " + std::to_string(2 * i + 1) + ": ") == 0);
        CHECK(error.find(rows[i].says) != std::string::npos);
        CHECK(answers[2 * i + 1].is_string());
    }
}

TEST_CASE("batch: a request that fails is an error of its line") {
    const Prompts prompts("{\"prompt\":\"" + std::string(100, 'x') + "\"}\n{\"prompt\":\"x\"}\n");
    const Output out = shell(batch(prompts, "--n 1 --json --no-bos --ctx 16"));
    CHECK(out.code == 1);
    const std::vector<json> answers = objects_of(out);
    REQUIRE(answers.size() == 2);
    CHECK(answers[0]["error"].get<std::string>().find("line 1: ") == 0);
    CHECK(answers[1]["token_ids"].size() == 1);
}

TEST_CASE("batch: a line beyond the cap is an error of that line") {
    const Output out =
        shell("(head -c 68000000 /dev/zero | tr '\\0' ' '; echo; echo '{\"prompt\":\"a\"}') | "
              "sotto-cli batch - --n 1 --model " +
              tiny("llama/f32.gguf") + " 2>/dev/null");
    CHECK(out.code == 1);
    const std::vector<json> answers = objects_of(out);
    REQUIRE(answers.size() == 2);
    CHECK(answers[0]["error"] == "line 1: it is longer than 64 MiB");
    CHECK(answers[1].is_string());
}

TEST_CASE("batch: an answer comes out of a pipe before the next line goes in") {
    const Output out = shell("f=$(mktemp); (echo '{\"prompt\":\"a\",\"n\":3}'; until grep -q . $f; "
                             "do sleep 0.01; done; printf '{\"prompt\":\"b\",\"n\":3}') | "
                             "sotto-cli batch - --model " +
                             tiny("llama/f32.gguf") + " 2>/dev/null >$f; wc -l <$f; rm $f");
    CHECK(std::atoi(out.text.c_str()) == 2);
}

TEST_CASE("batch: text that breaks lines stays on its line; no lines are no error") {
    const Prompts none("\n  \r\n\n");
    const Output out = shell(batch(none, ""));
    CHECK(out.code == 0);
    CHECK(out.text.empty());
    const Prompts prompts("{\"prompt\":\"A list:\\n1. Apples\\n\",\"n\":20,\"temp\":0}\n");
    const std::vector<json> answers = objects_of(shell(batch(prompts, "", model())));
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].get<std::string>().find('\n') != std::string::npos);
}

TEST_CASE("batch: what lines have in common is computed once") {
    std::string text;
    for (int i = 0; i < 30; ++i) {
        text += "The quick brown fox jumps over the lazy dog. ";
    }
    const Prompts prompts("{\"prompt\":\"" + text + "One\"}\n{\"prompt\":\"" + text +
                          "Two\"}\n{\"prompt\":\"" + text + "Three\"}\n");
    const Output out = shell(batch(prompts, "--slots 1 --n 2 --json", model()));
    CHECK(out.code == 0);
    const std::vector<json> answers = objects_of(out);
    REQUIRE(answers.size() == 3);
    CHECK(answers[0]["timings"]["reused_tokens"] == 0);
    CHECK(answers[1]["timings"]["reused_tokens"] > 200);
    CHECK(answers[2]["timings"]["reused_tokens"] > 200);
}

TEST_CASE("batch: statistics go to stderr") {
    const Prompts prompts("{\"prompt\":\"abc\",\"n\":4}\nbad\n{\"prompt\":\"abc\",\"n\":5}\n");
    for (const char* flags : {"--ignore-eos", "--ignore-eos --json"}) {
        const Output out = shell("sotto-cli batch " + prompts.path() + " " +
                                 tiny("llama/f32.gguf") + " " + flags + " 2>&1 >/dev/null");
        CAPTURE(out.text);
        CHECK(out.code == 1);
        CHECK(out.has("2 requests, 1 failed lines"));
        CHECK(out.has("9 answer tokens"));
        CHECK(out.has("p95"));
    }
}

TEST_CASE("batch: Ctrl-C prints what is complete, each line in its place") {
    const Prompts prompts("{\"prompt\":\"a\",\"n\":2}\n{\"prompt\":\"b\"}\n"
                          "{\"prompt\":\"c\",\"n\":2}\n{\"prompt\":\"d\"}\n");
    const Output out =
        shell("f=$(mktemp); sotto-cli batch " + prompts.path() + " --model " + model() +
              " --ignore-eos --n -1 2>/dev/null >$f & pid=$!; until grep -q . $f; do sleep 0.05; "
              "done; sleep 1; kill -INT $pid; wait $pid; code=$?; cat $f; rm $f; exit $code");
    CHECK(out.code == 130);
    const std::vector<json> lines = objects_of(out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].is_string());
    CHECK(lines[1] == json({{"error", "line 2: interrupted"}}));
    CHECK(lines[2].is_string());
}

TEST_CASE("batch: a file that cannot be read is told before a model is loaded") {
    for (const std::string file : {"/nonexistent/prompts", "/tmp", "''"}) {
        const Output out = shell("sotto-cli batch " + file + " --model /nonexistent/model 2>&1");
        CAPTURE(file);
        CAPTURE(out.text);
        CHECK(out.code == 1);
        CHECK(!out.has("nonexistent/model"));
    }
    CHECK(shell("sotto-cli batch --model x 2>/dev/null").code == 2);
    CHECK(shell("sotto-cli batch prompts 2>/dev/null").code == 2);
    const Prompts prompts("{\"prompt\":\"a\",\"n\":1}\n");
    CHECK(shell("sotto-cli batch " + prompts.path() + " " + tiny("llama/f32.gguf") +
                " >/dev/full 2>/dev/null")
              .code == 1);
}

TEST_CASE("slots, token budget and memory have their ranges in batch, generate and chat") {
    struct Row {
        std::string flags;
        std::string says;
    };
    const Row rows[] = {{"--slots 0", "1 to 256"},
                        {"--slots 257", "1 to 256"},
                        {"--slots many", "1 to 256"},
                        {"--token-budget -1", "0 to 8192"},
                        {"--token-budget 8193", "0 to 8192"},
                        {"--kv-memory -1", "0 to 1073741824"},
                        {"--kv-memory 1073741825", "0 to 1073741824"},
                        {"--kv-memory 1.5", "0 to 1073741824"}};
    for (const std::string command : {"batch x", "generate", "chat"}) {
        for (const Row& row : rows) {
            const Output out =
                shell("sotto-cli " + command + " --model x " + row.flags + " 2>&1 </dev/null");
            CAPTURE(command);
            CAPTURE(row.flags);
            CHECK(out.code == 2);
            CHECK(out.has(row.says));
        }
    }
}

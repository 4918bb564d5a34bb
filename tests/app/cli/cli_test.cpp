// SPDX-License-Identifier: Apache-2.0
// The real command line on the starter model, as scripts use it.
#include "tests/app/cli/shell.h"
#include "tests/support/sanitized.h"

using namespace sotto::test;
using nlohmann::json;

TEST_CASE("a wrong command line ends with 2 and says why, help with 0") {
    CHECK(shell("sotto-cli 2>/dev/null").code == 2);
    CHECK(shell("sotto-cli --help").code == 0);
    const Output unknown = shell("sotto-cli frobnicate 2>&1");
    CHECK(unknown.code == 2);
    CHECK(unknown.text.find("frobnicate") != std::string::npos);
    CHECK(shell("sotto-cli generate --model x --temp 7 2>/dev/null").code == 2);
    CHECK(shell("sotto-cli generate --model x --top-p banana 2>/dev/null").code == 2);
    CHECK(shell("sotto-cli generate --model x --no-such-flag 2>/dev/null").code == 2);
    CHECK(shell("sotto-cli generate 2>/dev/null").code == 2);
    CHECK(shell("sotto-cli generate --help").text.find("--repeat-penalty") != std::string::npos);
}

TEST_CASE("numbers out of range, too long, or none at all are wrong lines that name the range") {
    struct Row {
        const char* flags;
        const char* says;
    };
    const Row rows[] = {{"--seed 18446744073709551616", "18446744073709551615"},
                        {"--seed -1", "18446744073709551615"},
                        {"--top-k -1", "0 to 2147483647"},
                        {"--top-k 99999999999", "0 to 2147483647"},
                        {"--temp nan", "0 to 2"},
                        {"--top-p nan", "0 to 1"},
                        {"--temp 1e999", "0 to 2"},
                        {"-t 99999999999", "0 to 256"},
                        {"--n 1.5", "-1 to 1073741824"},
                        {"--system x", "--chat"},
                        {"--logits-hash", "--json"}};
    for (const Row& row : rows) {
        const Output out =
            shell(std::string("sotto-cli generate --model x --prompt x ") + row.flags + " 2>&1");
        CAPTURE(row.flags);
        CAPTURE(out.text);
        CHECK(out.code == 2);
        CHECK(out.text.find(row.says) != std::string::npos);
    }
    CHECK(shell("sotto-cli generate --prompt x 2>&1").text.find("model") != std::string::npos);
    CHECK(shell("sotto-cli -V").code == 0);
}

TEST_CASE("an argument that is given but empty is not taken for one that is missing") {
    for (const char* flag : {"--force-ids ''", "--file ''", "--tokens-file ''"}) {
        CAPTURE(flag);
        CHECK(shell("echo 5 | sotto-cli generate --n 1 --model " + model() + " " + flag +
                    " 2>/dev/null")
                  .code == 1);
    }
}

TEST_CASE("a file that cannot be opened ends with 1 and is named") {
    const Output out = shell("sotto-cli generate --model /nonexistent/model.gguf --prompt x 2>&1");
    CHECK(out.code == 1);
    CHECK(out.text.find("/nonexistent/model.gguf") != std::string::npos);
    CHECK(shell("sotto-cli info /tmp 2>&1").text.find("folder") != std::string::npos);
    CHECK(shell("sotto-cli generate --model " + model() + " --file /nonexistent/prompt 2>/dev/null")
              .code == 1);
}

TEST_CASE(
    "info tells of the CPU and the model; an unknown level is an error that names the known ones") {
    const json cpu = run_json("sotto-cli info --cpu --json");
    CHECK(cpu["levels"].size() >= 1);
    CHECK(cpu["levels"][0] == "scalar");
    for (const json& level : cpu["levels"]) {
        CHECK(run_json("SOTTO_ISA=" + level.get<std::string>() +
                       " sotto-cli info --cpu --json")["used"] == level);
    }
    const Output bad = shell("SOTTO_ISA=mmx sotto-cli info --cpu 2>&1");
    CHECK(bad.code == 1);
    CHECK(bad.text.find("mmx") != std::string::npos);
    CHECK(bad.text.find("scalar") != std::string::npos);
    const json info = run_json("sotto-cli info --json " + model());
    CHECK(info["architecture"] == "llama");
    CHECK(info["n_vocab"] == 49152);
    CHECK(info["chat_template"] == "the model's own");
    CHECK(info["metadata"].contains("general.architecture"));
}

TEST_CASE("generate: one JSON object with every field, the same text for the same seed") {
    const std::string line =
        "sotto-cli generate --model " + model() +
        " --prompt 'The sea is' --n 12 --seed 5 -t 2 --logits-hash --json 2>/dev/null";
    const json a = run_json(line), b = run_json(line);
    CHECK(a["text"] == b["text"]);
    CHECK(a["logits_hash"] == b["logits_hash"]);
    CHECK(a["logits_hash"].get<std::string>().size() == 64);
    CHECK(a["token_ids"].size() == 12);
    CHECK(a["prompt_token_ids"].size() == 3);
    CHECK(a["finish_reason"] == "length");
    for (const char* field :
         {"load_ms", "ttft_ms", "prefill_tokens", "prefill_tokens_per_s", "reused_tokens",
          "decode_tokens", "decode_tokens_per_s", "threads_used"}) {
        CAPTURE(field);
        CHECK(a["timings"].contains(field));
    }
    CHECK(a["timings"]["prefill_tokens"] == 3);
    CHECK(a["timings"]["decode_tokens"] == 11);
}

TEST_CASE("generate works in pipes: prompt from one, text alone to another") {
    const Output piped = shell("printf 'The sea is' | sotto-cli generate --model " + model() +
                               " --n 8 --temp 0 2>/dev/null");
    CHECK(piped.code == 0);
    const Output flag = shell("sotto-cli generate --model " + model() +
                              " --prompt 'The sea is' --n 8 --temp 0 2>/dev/null");
    CHECK(piped.text == flag.text);
    CHECK(piped.text.back() == '\n');
    CHECK(
        run_json("printf '504 3575 282\n4649\t314 ' | sotto-cli generate --model " + model() +
                 " --tokens-file /dev/stdin --n 1 --temp 0 --json 2>/dev/null")["prompt_token_ids"]
            .size() == 5);
    CHECK(shell("echo '1 2 x3' | sotto-cli generate --model " + model() +
                " --tokens-file - --n 1 2>&1")
              .text.find("x3") != std::string::npos);
    CHECK(shell("echo '1 99999999' | sotto-cli generate --model " + model() +
                " --tokens-file - --n 1 2>&1")
              .text.find("99999999") != std::string::npos);
}

TEST_CASE("forced ids are reported with picks and margins") {
    const json r =
        run_json("echo '7042 30 198' | sotto-cli generate --model " + model() +
                 " --prompt 'The capital of France is' --force-ids - --json 2>/dev/null");
    CHECK(r["token_ids"] == json({7042, 30, 198}));
    CHECK(r["picks"] == json({7042, 30, 198}));
    REQUIRE(r["margins"].size() == 3);
    CHECK(r["margins"][0].get<double>() == doctest::Approx(2.45).epsilon(0.1));
}

TEST_CASE("tokenize: ids and pieces; typed marks are text unless asked for") {
    const json plain = run_json("sotto-cli tokenize --model " + model() +
                                " --prompt '<|im_end|>' --json 2>/dev/null");
    CHECK(plain["ids"].size() == 7);
    CHECK(plain["pieces"].size() == 7);
    CHECK(run_json("sotto-cli tokenize --model " + model() +
                   " --prompt '<|im_end|>' --parse-special --json 2>/dev/null")["ids"] ==
          json({2}));
    CHECK(run_json("printf 'a\\\\nb' | sotto-cli tokenize --model " + model() +
                   " --json 2>/dev/null")["pieces"]
              .dump()
              .find("\\\\") != std::string::npos);
}

TEST_CASE("chat in a pipe: each line a message, commands understood") {
    const Output out =
        shell("printf '/system Be brief.\\nSay hello.\\n/reset\\n/nonsense\\n/exit\\nnever "
              "read\\n' | sotto-cli chat --model " +
              model() + " --temp 0 --n 10 2>&1");
    CHECK(out.code == 0);
    CHECK(out.text.find("system message set") != std::string::npos);
    CHECK(out.text.find("/nonsense") != std::string::npos);
    CHECK(out.text.size() > 60);
}

TEST_CASE("perplexity of a short text is refused with the number it needs") {
    const Output out =
        shell("echo 'too short' | sotto-cli perplexity --model " + model() + " --file - 2>&1");
    CHECK(out.code == 1);
    CHECK(out.text.find("512") != std::string::npos);
}

TEST_CASE("Ctrl-C ends an answer with 130, what was written stays") {
    const Output out = shell("sotto-cli generate --model " + model() +
                             " --prompt 'Once upon a time' --ignore-eos --n -1 2>/dev/null & "
                             "pid=$!; " +
                             kUntilItCatchesSignals + "sleep " +
                             std::string(kSanitized ? "5" : "1") + "; kill -INT $pid; wait $pid");
    CHECK(out.code == 130);
    CHECK(out.text.size() > 10);
}

TEST_CASE("SIGTERM ends an answer with 143 and the JSON object is whole") {
    const Output out = shell("sotto-cli generate --model " + model() +
                             " --prompt 'Once upon a time' --ignore-eos --json 2>/dev/null & "
                             "pid=$!; " +
                             kUntilItCatchesSignals + "sleep " +
                             std::string(kSanitized ? "5" : "1") + "; kill -TERM $pid; wait $pid");
    CHECK(out.code == 143);
    CHECK(json::parse(out.text)["finish_reason"] == "cancelled");
}

namespace {

/// The exit code of a command whose input is a pipe that says nothing and never ends (it is open
/// for writing as well), after a signal that comes `delay` seconds after the handler is there.
int code_after_signal(const std::string& command, const std::string& signal,
                      const std::string& delay) {
    return shell("d=$(mktemp -d); mkfifo $d/p; sotto-cli " + command +
                 " <> $d/p >/dev/null 2>&1 & pid=$!; " + kUntilItCatchesSignals + "sleep " + delay +
                 "; kill -" + signal + " $pid; wait $pid; code=$?; rm -r $d; exit $code")
        .code;
}

} // namespace

TEST_CASE("a signal while a pipe says nothing ends with its code") {
    const std::string delay = "1"; // the model is loaded by then, or not: both must do
    for (const char* command : {"chat", "perplexity --file -", "tokenize", "generate",
                                "perplexity --file /dev/stdin", "batch -"}) {
        CAPTURE(command);
        const std::string line = std::string(command) + " --model " + model();
        CHECK(code_after_signal(line, "INT", delay) == 130);
        CHECK(code_after_signal(line, "TERM", delay) == 143);
    }
}

TEST_CASE("a signal ends a command whenever it comes: before, while and after a model loads") {
    for (const char* command : {"chat", "perplexity --file -", "tokenize", "generate", "batch -"}) {
        const std::string line = std::string(command) + " --model " + tiny("llama/f32.gguf");
        for (int ms = 0; ms < 60; ms += 3) {
            CAPTURE(command);
            CAPTURE(ms);
            const std::string delay = std::string(ms < 10 ? "0.00" : "0.0") + std::to_string(ms);
            const bool interrupt = ms % 2 == 0;
            CHECK(code_after_signal(line, interrupt ? "INT" : "TERM", delay) ==
                  (interrupt ? 130 : 143));
        }
    }
}

TEST_CASE("a closed standard input is empty, not the next file that is opened") {
    const Output out = shell("sotto-cli tokenize --model " + tiny("llama/f32.gguf") + " <&- 2>&1");
    CHECK(out.code ==
          shell("sotto-cli tokenize --model " + tiny("llama/f32.gguf") + " </dev/null 2>&1").code);
    CHECK(out.text.size() < 200);
}

TEST_CASE("chat with a full context says how to go on and prints no empty line") {
    const Output out =
        shell("printf 'Tell me a story.\\nAnother one please.\\n' | sotto-cli chat --ctx 48 "
              "--temp 0 --model " +
              model() + " 2>&1 >/dev/null");
    CHECK(out.text.find("/reset") != std::string::npos);
    const std::size_t error = out.text.rfind("sotto-cli: ");
    REQUIRE(error != std::string::npos);
    CHECK(out.text.find("/reset", error) != std::string::npos);
}

TEST_CASE("output that cannot be written is an error, input without an end is refused") {
    CHECK(shell("sotto-cli tokenize --model " + model() + " --prompt x > /dev/full 2>/dev/null")
              .code == 1);
    CHECK(shell("sotto-cli generate --model " + model() +
                " --prompt x --n 2 --json > /dev/full 2>/dev/null")
              .code == 1);
    const Output endless =
        shell("sotto-cli generate --model " + model() + " --file /dev/zero --n 1 2>&1");
    CHECK(endless.code == 1);
    CHECK(endless.text.find("256 MiB") != std::string::npos);
    CHECK(
        shell("sotto-cli generate --model " + model() + " --prompt x --file y 2>/dev/null").code ==
        2);
}

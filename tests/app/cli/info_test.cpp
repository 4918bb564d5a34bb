// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/shell.h"
#include "tests/support/temp_file.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace sotto::test;
using nlohmann::json;

namespace {

/// Columns of the longest line, a character each.
std::size_t longest_line(const std::string& text) {
    std::istringstream in(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(in, line);) {
        const auto n = std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
        longest = std::max(longest, static_cast<std::size_t>(n));
    }
    return longest;
}

} // namespace

TEST_CASE("info: a description of 80 columns that has everything in it") {
    for (const std::string& path : {model(), tiny("qwen3/hub"), tiny("gemma3/f32.gguf")}) {
        const Output out = shell("sotto-cli info " + path);
        CAPTURE(out.text);
        CHECK(out.code == 0);
        for (const char* part : {"architecture", "attention", "tokenizer", "chat template",
                                 "thinking", "context", "\nmemory with a context of ", "f16", "f32",
                                 "q8_0", "\ntensors\n", "bits a weight", "\nmetadata\n"}) {
            CAPTURE(part);
            CHECK(out.has(part));
        }
        CHECK(longest_line(out.text) <= 80);
    }
}

TEST_CASE("info: the same model by its file, its folder and any file in the folder") {
    const json gguf = run_json("sotto-cli info --json " + tiny("qwen3/f32.gguf"));
    CHECK(gguf["architecture"] == "qwen3");
    CHECK(gguf["head_dim"] == 16);
    for (const char* name :
         {"qwen3/hub", "qwen3/hub/", "qwen3/hub/config.json",
          "qwen3/hub/model-00002-of-00002.safetensors", "qwen3/hub/model.safetensors.index.json"}) {
        CAPTURE(name);
        const json folder = run_json("sotto-cli info --json " + tiny(name));
        for (const char* key : {"architecture", "n_layer", "n_embd", "n_ff", "n_head", "n_head_kv",
                                "head_dim", "n_ctx_train", "n_parameters"}) {
            CAPTURE(key);
            CHECK(folder[key] == gguf[key]);
        }
        CHECK(folder["metadata"].contains("model_type"));
    }
    CHECK(shell("sotto-cli info /tmp 2>&1").code == 1);
}

TEST_CASE("info: memory grows with the context, twice as fast with an F32 cache") {
    // Keys and values of 30 layers, 3 heads of 64, 2 bytes each.
    constexpr std::int64_t kPerToken = 2LL * 30 * 3 * 64 * 2;
    const json a = run_json("sotto-cli info --json --ctx 1000 " + model());
    CHECK(a["n_ctx"] == 1000);
    CHECK(a["kv_bytes"] == kPerToken * 1000);
    CHECK(a["kv_f32_bytes"] == kPerToken * 2000);
    CHECK(a["kv_q8_0_bytes"] == kPerToken / 2 * 34 / 32 * 1000); // and a scale for 32 dimensions
    const json trained = run_json("sotto-cli info --json " + model());
    CHECK(trained["n_ctx"] == trained["n_ctx_train"]);
    CHECK(trained["quantization"] == "Q4_1");
    std::int64_t bytes = 0;
    for (const json& tensor : trained["tensors"]) {
        bytes += tensor["bytes"].get<std::int64_t>();
    }
    CHECK(bytes > trained["file_bytes"].get<std::int64_t>() * 9 / 10);
    CHECK(bytes < trained["file_bytes"].get<std::int64_t>());
}

TEST_CASE("info --template prints the source to the byte, or says that there is none") {
    TempFolder folder;
    const std::string copy = "'" + folder.file("hub") + "'";
    REQUIRE(shell("cp -r " + tiny("smollm3/hub") + " " + copy).code == 0);
    const std::string source = "{# \xC3\xA9 #}{% for m in messages %}{{ m.content }}{% endfor %}";
    std::ofstream(folder.file("hub/chat_template.jinja")) << source;
    const Output out = shell("sotto-cli info --template " + copy);
    CHECK(out.code == 0);
    CHECK(out.text == source);
    CHECK(run_json("sotto-cli info --json " + copy)["template_source"] == source);
    CHECK(shell("sotto-cli info --template --json " + copy + " 2>/dev/null").code == 2);
    std::remove(folder.file("hub/chat_template.jinja").c_str());
    const Output none = shell("sotto-cli info --template " + copy + " 2>&1");
    CHECK(none.code == 1);
    CHECK(none.has("no chat template"));
}

TEST_CASE("info: what a file says does not reach the terminal as a command") {
    TempFolder folder;
    REQUIRE(shell("cp -r " + tiny("smollm3/hub") + " '" + folder.file("hub\x1b[31m") + "'").code ==
            0);
    const Output out = shell("sotto-cli info '" + folder.file("hub\x1b[31m") + "'");
    CHECK(out.code == 0);
    CHECK_FALSE(out.has("\x1b"));
    CHECK(out.has("\\x1b[31m"));
}

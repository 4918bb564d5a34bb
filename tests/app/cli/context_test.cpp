// SPDX-License-Identifier: Apache-2.0
// --kv-file and --context-full.
#include "tests/app/cli/template_folder.h"

#include <filesystem>

using namespace sotto::test;
using nlohmann::json;

namespace {

std::string starter() {
    return " --model " + model() + " --temp 0 ";
}

} // namespace

TEST_CASE("--kv-file: what was read before is not computed again, and the answer is the same") {
    const TempFolder folder;
    const std::string line = "sotto-cli generate --json --logits-hash --n 5 --prompt "
                             "'The quick brown fox jumps over the lazy dog and' " +
                             starter() + " --kv-file " + folder.file("kept.kv");
    const json first = run_json(line), second = run_json(line);
    CHECK(first["timings"]["reused_tokens"] == 0);
    CHECK(second["timings"]["prefill_tokens"] == 1);
    CHECK(second["token_ids"] == first["token_ids"]);
    CHECK(second["logits_hash"] == first["logits_hash"]);
    // Of another cache type it is told, and not used.
    const Output other = shell(line + " --kv-type q8_0 2>&1 >/dev/null");
    CHECK(other.has("another cache type; it is not used"));
    CHECK(other.code == 0);
}

TEST_CASE(
    "--kv-file: a damaged file is told and replaced, one that cannot be written is a failure") {
    const TempFolder folder;
    const std::string file = folder.file("kept.kv");
    const std::string line = "sotto-cli generate --n 2 --prompt hello " + starter() + " --kv-file ";
    REQUIRE(shell(line + file + " 2>&1").code == 0);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    const Output damaged = shell(line + file + " 2>&1 >/dev/null");
    CHECK(damaged.has("is damaged"));
    CHECK(damaged.code == 0);
    CHECK(shell(line + file + " 2>&1 >/dev/null").text.empty()); // it was written anew
    const Output refused = shell(line + folder.file("no/such/folder/kept.kv") + " 2>&1 >/dev/null");
    CHECK(refused.has("no/such/folder/kept.kv' cannot be written"));
    CHECK(refused.code == 1);
}

TEST_CASE("--context-full: by default a full context is told, with drop the oldest turns go") {
    const TempFolder folder;
    const std::string lines = folder.file("lines");
    std::ofstream(lines) << "hello\nTell me a long story of a whale.\nand of a ship?\nthanks\n";
    const std::string chat = "sotto-cli chat --n 60 --ctx 150 " + starter() + " <" + lines;
    CHECK(shell(chat + " 2>&1 >/dev/null").has("the context"));
    const Output dropped = shell(chat + " --context-full drop 2>&1 >/dev/null");
    CHECK(dropped.has("oldest messages no longer fit into the context and are left out"));
    CHECK(dropped.code == 0);
    CHECK(shell(chat + " --context-full forget 2>&1").code != 0);
}

// SPDX-License-Identifier: Apache-2.0
// Reference numbers: llama.cpp (one thread, F32 cache), its logits summed up by numpy.
#include "tests/app/cli/shell.h"
#include "tests/support/temp_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace sotto::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// 200 ids below 253, the same for every tiny model.
std::string text_ids(int first = 0) {
    std::string ids;
    for (int i = first; i < first + 200; ++i) {
        ids += std::to_string((i * i * 7 + i * 13) % 250 + 3) + " ";
    }
    return ids;
}

/// A folder with the ids in a file, and short ways to run perplexity on them.
struct Text {
    TempFolder folder;
    std::string ids = "'" + folder.file("ids") + "'", saved = folder.file("run.logits");
    std::string kv_type = "f32";

    Text() { std::ofstream(folder.file("ids")) << text_ids(); }
    /// `model`: a tiny one, or an absolute path.
    [[nodiscard]] std::string line(const std::string& model, const std::string& flags) const {
        const std::string quoted = model.front() == '/' ? "'" + model + "'" : tiny(model);
        return "sotto-cli perplexity --model " + quoted + " --kv-type " + kv_type + " -t 1 " +
               flags;
    }
    [[nodiscard]] json measure(const std::string& model, const std::string& flags) const {
        return run_json(line(model, "--tokens-file " + ids + " --ctx 64 --json " + flags) +
                        " 2>/dev/null");
    }
    [[nodiscard]] json save(const std::string& model, const std::string& flags = "") const {
        return measure(model, "--save-logits '" + saved + "' " + flags);
    }
    /// Files that are not finished.
    [[nodiscard]] int n_parts() const {
        int n = 0;
        for (const auto& entry : fs::directory_iterator(folder.path())) {
            n += entry.path().extension() == ".part" ? 1 : 0;
        }
        return n;
    }
    [[nodiscard]] Output compare(const std::string& model, const std::string& flags) const {
        return shell(line(model, "--kl '" + saved + "' " + flags) + " 2>&1");
    }
};

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
    bytes.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
}

/// With the checksum that belongs to it.
std::string sealed(std::string bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
        hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3;
    }
    put(bytes, bytes.size() - 8, hash);
    return bytes;
}

void write_file(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A copy of a tiny model whose last 100000 bytes, numbers of 32 bits, keep 4 bits after the point.
std::string blunted(const TempFolder& folder, const std::string& model) {
    std::string bytes = read_file(std::string(SOTTO_TEST_DATA) + "/models/" + model);
    for (std::size_t at = bytes.size() - 100000; at < bytes.size(); at += 4) {
        bytes[at] = bytes[at + 1] = 0;
        bytes[at + 2] = static_cast<char>(bytes[at + 2] & 0xF8);
    }
    write_file(folder.file("blunt.gguf"), bytes);
    return folder.file("blunt.gguf");
}

} // namespace

TEST_CASE("perplexity in halves and sliding, against another implementation") {
    const Text text;
    struct Row {
        const char* model;
        double halves, sliding;
    };
    const Row rows[] = {{"llama/f32.gguf", 10.024147, 10.119140},
                        {"mistral/f32.gguf", 9.9370288, 10.508745},
                        {"llama3/f32.gguf", 10.221237, 9.7510354},
                        {"gemma3/f32.gguf", 9.1431746, 8.9526414}};
    for (const Row& row : rows) {
        CAPTURE(row.model);
        const json halves = text.measure(row.model, "");
        CHECK(halves["nll"].get<double>() == doctest::Approx(row.halves).epsilon(1e-4));
        CHECK(halves["tokens"] == 93);
        CHECK(halves["windows"] == 3);
        CHECK_FALSE(halves.contains("kl"));
        const json sliding = text.measure(row.model, "--stride 16");
        CHECK(sliding["nll"].get<double>() == doctest::Approx(row.sliding).epsilon(1e-4));
        CHECK(sliding["tokens"] == 199);
        CHECK(sliding["windows"] == 10);
    }
}

TEST_CASE("keys and values in 16 and in 8 bits: how far the predictions move") {
    Text text;
    const std::string exact = "llama/f32.gguf"; // exact but for the cache
    CHECK(text.save(exact)["tokens"] == 93);
    text.kv_type = "f16";
    const double f16 = text.measure(exact, "--kl '" + text.saved + "'")["kl"]["mean"];
    text.kv_type = "q8_0";
    const double q8_0 = text.measure(exact, "--kl '" + text.saved + "'")["kl"]["mean"];
    CAPTURE(f16);
    CAPTURE(q8_0);
    CHECK(f16 < 1e-4);
    CHECK(q8_0 < 0.02);
    CHECK(f16 < q8_0);
    CHECK(shell(text.line("llama/f32.gguf", "--kv-type q9 2>&1")).code == 2);
}

TEST_CASE("the number of windows can be limited; the longest stride is one less than a window") {
    const Text text;
    CHECK(text.measure("llama/f32.gguf", "--chunks 2")["tokens"] == 62);
    CHECK(text.measure("llama/f32.gguf", "--stride 16 --chunks 2")["tokens"] == 63 + 16);
    CHECK(text.measure("llama/f32.gguf", "--stride 63")["tokens"] == 199);
    CHECK(text.measure("llama/f32.gguf", "--stride 1 --chunks 3")["tokens"] == 63 + 2);
    for (const char* flags : {"--stride 64 --ctx 64", "--stride 512"}) {
        const Output out = shell(text.line("llama/f32.gguf", flags) + " --file x 2>&1");
        CHECK(out.code == 1);
        CHECK(out.has("--stride"));
    }
}

TEST_CASE("Kullback-Leibler divergence, against another implementation") {
    struct Row {
        const char* flags;
        std::vector<std::pair<const char*, double>> numbers;
    };
    const Row rows[] = {{"",
                         {{"mean", 0.3073281},
                          {"mean_error", 0.06522384},
                          {"median", 0.1284243},
                          {"p90", 0.7644577},
                          {"p95", 0.9624882},
                          {"p99", 2.165383},
                          {"max", 5.338504},
                          {"same_top", 0.7526882},
                          {"base_ppl", 22564.81},
                          {"ppl_ratio", 0.9932161},
                          {"ppl_ratio_error", 0.1004653}}},
                        {"--stride 16",
                         {{"mean", 0.255437},
                          {"mean_error", 0.03462802},
                          {"median", 0.1108335},
                          {"p90", 0.6739953},
                          {"p95", 0.9115145},
                          {"p99", 1.713688},
                          {"max", 5.338504},
                          {"same_top", 0.7236181},
                          {"base_ppl", 24813.42},
                          {"ppl_ratio", 0.8606298},
                          {"ppl_ratio_error", 0.06113422}}}};
    const Text text;
    const std::string blunt = blunted(text.folder, "llama/f32.gguf");
    for (const Row& row : rows) {
        CAPTURE(row.flags);
        const json base = text.save("llama/f32.gguf", row.flags);
        const Output out = text.compare(blunt, std::string("--json ") + row.flags);
        CAPTURE(out.text);
        REQUIRE(out.code == 0);
        const json kl = json::parse(out.text)["kl"];
        for (const auto& number : row.numbers) {
            CAPTURE(number.first);
            CHECK(kl[number.first].get<double>() == doctest::Approx(number.second).epsilon(1e-3));
        }
        CHECK(kl["base_ppl"] == base["ppl"]);
        CHECK(kl["base_ppl_error"] == base["ppl_error"]);
    }
}

TEST_CASE("divergence of two quantisations, against another implementation") {
    struct Row {
        const char *model, *flags;
        double mean, median;
    };
    const Row rows[] = {{"quant32/q4_0.gguf", "", 0.8157228, 0.5301555},
                        {"quant32/q5_1.gguf", "", 0.1812981, 0.07795431},
                        {"quant32/q4_0.gguf", "--stride 16", 0.8736297, 0.5210508},
                        {"quant32/q5_1.gguf", "--stride 16", 0.2059204, 0.07181197}};
    const Text text;
    for (const Row& row : rows) {
        CAPTURE(row.model);
        CAPTURE(row.flags);
        (void)text.save("quant32/q8_0.gguf", row.flags);
        const json kl = text.measure(row.model, "--kl '" + text.saved + "' " + row.flags)["kl"];
        // The other program rounds the scales of activations to 16 bits.
        CHECK(kl["mean"].get<double>() == doctest::Approx(row.mean).epsilon(0.03));
        CHECK(kl["median"].get<double>() == doctest::Approx(row.median).epsilon(0.03));
    }
}

TEST_CASE("a run against itself differs by nothing; the text may be left out") {
    const Text text;
    const json base = text.save("quant32/q4_1.gguf", "--stride 24");
    for (const char* flags : {"", "--ctx 64", "--stride 24 --batch 7"}) {
        const Output out = text.compare("quant32/q4_1.gguf", std::string("--json ") + flags);
        CAPTURE(out.text);
        REQUIRE(out.code == 0);
        const json again = json::parse(out.text.substr(out.text.find('{')));
        CHECK(again["ppl"] == base["ppl"]);
        for (const char* key : {"mean", "mean_error", "median", "p99", "max", "ppl_ratio_error"}) {
            CAPTURE(key);
            CHECK(again["kl"][key] == 0.0);
        }
        CHECK(again["kl"]["same_top"] == 1.0);
        CHECK(again["kl"]["ppl_ratio"] == 1.0);
        CHECK(again["kl"]["base_model"].get<std::string>().find("Q4_1") != std::string::npos);
    }
    const Output fewer = text.compare("quant32/q4_1.gguf", "--chunks 1 --tokens-file " + text.ids);
    CHECK(fewer.code == 0);
    CHECK(fewer.has("63 tokens in 1 windows of 64, 24 apart"));
    CHECK(fewer.has("divergence"));
}

TEST_CASE("a saved run of another model, text or rule is refused with the reason") {
    const Text text;
    std::ofstream(text.folder.file("other")) << text_ids(1);
    (void)text.save("llama/f32.gguf");
    struct Row {
        const char *model, *flags, *says;
    };
    const std::string other = "--tokens-file '" + text.folder.file("other") + "'";
    const Row rows[] = {{"quant32/q8_0.gguf", "", "291 tokens, this model has 263"},
                        {"smollm3/f32.gguf", "", "another vocabulary of 291 tokens"},
                        {"llama/f32.gguf", "--ctx 128", "--ctx 64 --stride 0"},
                        {"llama/f32.gguf", "--stride 8", "--ctx 64 --stride 0"},
                        {"llama/f32.gguf", other.c_str(), "another text: token 0"}};
    for (const Row& row : rows) {
        const Output out = text.compare(row.model, row.flags);
        CAPTURE(out.text);
        CHECK(out.code == 1);
        CHECK(out.has(row.says));
    }
    CHECK(text.compare("llama/f32.gguf", "--save-logits x").code == 2);
}

TEST_CASE("a saved run that is cut, damaged, or lies about its sizes is refused") {
    const Text text;
    (void)text.save("quant32/q8_0.gguf", "--chunks 1");
    const std::string good = read_file(text.saved);
    REQUIRE(good == sealed(good));
    const auto refused = [&](const std::string& bytes, const char* says) {
        write_file(text.saved, bytes);
        const Output out = text.compare("quant32/q8_0.gguf", "");
        CAPTURE(out.text);
        CHECK(out.code == 1);
        CHECK(out.has(says));
    };
    for (std::size_t n = 0; n < good.size(); n += n < 80 ? 9 : 1931) {
        CAPTURE(n);
        refused(good.substr(0, n), n < 56 ? "run.logits" : "damaged");
    }
    for (std::size_t at = 0; at < good.size(); at += at < 80 ? 9 : 1931) {
        CAPTURE(at);
        std::string bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        refused(bytes, at < 8 ? "no file that" : at < 12 ? "version" : "damaged");
    }
    refused(good + "x", "damaged");
    struct Row {
        std::size_t at;
        std::uint64_t value;
        bool wide;
    };
    const Row rows[] = {{12, 0, false},          {12, 0xFFFFFFFF, false},
                        {12, 264, false},        {28, 0, false},
                        {28, 0x80000000, false}, {28, 65, false},
                        {32, 64, false},         {32, 16, false},
                        {36, 0xFFFFFFFF, false}, {40, 0, true},
                        {40, 1ULL << 62, true},  {40, ~0ULL, true},
                        {48, 0, true},           {48, 1ULL << 60, true},
                        {48, ~0ULL, true},       {56 + 10 + 4, ~0ULL, false}};
    for (const Row& row : rows) {
        CAPTURE(row.at);
        CAPTURE(row.value);
        std::string bytes = good;
        if (row.wide) {
            put(bytes, row.at, row.value);
        } else {
            put(bytes, row.at, static_cast<std::uint32_t>(row.value));
        }
        refused(sealed(bytes), "damaged");
    }
    std::string version = good;
    put(version, 8, 2U);
    refused(sealed(version), "version 2");
    refused("GGUF", "--save-logits");
    write_file(text.saved, good);
    CHECK(text.compare("quant32/q8_0.gguf", "").code == 0);
}

TEST_CASE("a file that grows too large, as on a full disk, is removed and the cause named") {
    const Text text;
    // In the head, in a record, at the end: blocks of 512 or 1024 bytes.
    for (const char* blocks : {"0", "1", "2", "24"}) {
        CAPTURE(blocks);
        const Output out =
            shell(std::string("trap '' XFSZ; ulimit -f ") + blocks + "; " +
                  text.line("quant32/q8_0.gguf", "--ctx 64 --tokens-file " + text.ids +
                                                     " --save-logits '" + text.saved + "' 2>&1"));
        CAPTURE(out.text);
        CHECK(out.code == 1);
        CHECK(out.has("run.logits' cannot be written: File too large"));
        CHECK(text.n_parts() == 0);
        CHECK_FALSE(fs::exists(text.saved));
    }
}

TEST_CASE("two runs to the same file: the last to end stays, whole") {
    const Text text;
    const std::string run =
        text.line("quant32/q8_0.gguf", "--ctx 64 --tokens-file " + text.ids + " --save-logits '" +
                                           text.saved + "' >/dev/null 2>&1");
    CHECK(shell(run + " & p=$!; " + run + " || exit 3; wait $p").code == 0);
    CHECK(text.compare("quant32/q8_0.gguf", "").code == 0);
    CHECK(text.n_parts() == 0);
}

TEST_CASE("what --kl is told of is said as it is") {
    CHECK(shell("sotto-cli perplexity --model x --kl /dev/null 2>&1").has("no ordinary file"));
    CHECK(shell("sotto-cli perplexity --model x --kl /tmp 2>&1").has("no ordinary file"));
    const TempFile empty("");
    CHECK(shell("sotto-cli perplexity --model x --kl '" + empty.path() + "' 2>&1")
              .has("no file that perplexity --save-logits wrote"));
}

TEST_CASE("a run that fails leaves no file and does not harm the one that was there") {
    const Text text;
    (void)text.save("quant32/q8_0.gguf");
    const std::string good = read_file(text.saved);
    const std::string flags =
        "--ctx 64 --save-logits '" + text.saved + "' --tokens-file '" + text.folder.file("bad");
    write_file(text.folder.file("bad"), text_ids() + "99999"); // outside, in the last window
    const Output out = shell(text.line("quant32/q8_0.gguf", flags + "' --stride 16 2>&1"));
    CHECK(out.code == 1);
    CHECK(out.has("99999"));
    CHECK(read_file(text.saved) == good);
    CHECK(text.n_parts() == 0);
    CHECK(shell(text.line("quant32/q8_0.gguf", "--ctx 64 --tokens-file " + text.ids +
                                                   " --save-logits /dev/null 2>/dev/null"))
              .code == 1);
    CHECK(shell(text.line("quant32/q8_0.gguf", "--ctx 64 --tokens-file " + text.ids +
                                                   " --save-logits /nonexistent/x 2>&1"))
              .has("/nonexistent/x"));
    CHECK(shell("sotto-cli perplexity --model x --kl /nonexistent/x 2>&1").has("/nonexistent/x"));
}

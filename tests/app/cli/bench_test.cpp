// SPDX-License-Identifier: Apache-2.0
// `sotto-cli bench`: every combination that was asked for, and figures that can be.
#include "tests/app/cli/shell.h"

#include <set>

using namespace sotto::test;
using nlohmann::json;

namespace {

std::string names_of(const json& results) {
    std::string names;
    for (const json& r : results) {
        names += r["test"].get<std::string>() + " ";
    }
    return names;
}

} // namespace

TEST_CASE("bench: a row for each test, depth and kind of cache") {
    const json out = run_json("sotto-cli bench --json --no-limits -r 2 --pp 8,16 --tg 4 --depth "
                              "0,32 -t 1,2 --kv-type f16,f32,q8_0 -m " +
                              tiny("llama/f32.gguf"));
    const json& results = out["results"];
    REQUIRE(results.size() == 3 * 2 * 2 * 3);
    CHECK(names_of(results).starts_with("pp8 pp16 tg4 pp8@d32 pp16@d32 tg4@d32 pp8 "));
    std::set<std::string> setups;
    for (const json& r : results) {
        CHECK(r["tokens_per_s"] > 0);
        CHECK(r["stddev"] >= 0);
        CHECK(r["runs"].size() == 2);
        CHECK(r["limit_share"].is_null());
        setups.insert(std::to_string(r["threads"].get<int>()) + r["kv_type"].get<std::string>());
    }
    CHECK(setups == std::set<std::string>{"1f16", "1f32", "1q8_0", "2f16", "2f32", "2q8_0"});
    CHECK(out["bandwidth_gb_per_s"].is_null());
}

TEST_CASE("bench: the machine's limits, above what is reached of them") {
    const json out = run_json("sotto-cli bench --json -r 1 --pp 64 --tg 8 -t 1 -m " + model());
    CHECK(out["bandwidth_gb_per_s"] > 0.5);
    for (const json& r : out["results"]) {
        CAPTURE(r.dump());
        CHECK(r["limit_share"] > 0.0);
        CHECK(r["limit_share"] < 2.0); // others use this machine too, now more and now less
        CHECK(r["products_giga_ops"] > 0.1);
    }
}

TEST_CASE("bench: levels that the processor has, and one that it lacks") {
    const json cpu = run_json("sotto-cli info --cpu --json");
    const std::string best = cpu["used"];
    const std::string rest = " --pp 8 --tg 2 -r 1 --no-limits -m " + tiny("llama/f32.gguf");
    const json out = run_json("sotto-cli bench --json --isa scalar," + best + rest);
    REQUIRE(out["results"].size() == 4);
    CHECK(out["results"][0]["isa"] == "scalar");
    CHECK(out["results"][3]["isa"] == best);
    const Output lacking = shell("sotto-cli bench --isa sse9 2>&1" + rest);
    CHECK(lacking.code == 1);
    CHECK(lacking.has("sse9"));
}

TEST_CASE("bench: wrong lines are told, a table is for people") {
    const std::string m = " -m " + tiny("llama/f32.gguf");
    CHECK(shell("sotto-cli bench 2>&1").code == 2);
    CHECK(shell("sotto-cli bench --pp 0 --tg 0 2>&1" + m).code == 2);
    CHECK(shell("sotto-cli bench --pp 8,x 2>&1" + m).code == 2);
    CHECK(shell("sotto-cli bench --kv-type q9 2>&1" + m).code == 2);
    CHECK(shell("sotto-cli bench -r 0 2>&1" + m).code == 2);
    const Output table = shell("sotto-cli bench --pp 8 --tg 2 -r 1 --no-limits" + m);
    CHECK(table.code == 0);
    CHECK(table.has("| pp8 |"));
    CHECK(table.has("| tg2 |"));
}

TEST_CASE("bench: where the time goes, each operation once, all of the weights read") {
    const json info = run_json("sotto-cli info --json " + model());
    const json out = run_json("sotto-cli bench --json --operations --no-limits -r 2 --pp 16 --tg 8 "
                              "-t 2 -m " +
                              model());
    REQUIRE(out["results"].size() == 2);
    for (const json& r : out["results"]) {
        CAPTURE(r.dump());
        double share = 0, weight_bytes = 0;
        std::set<std::string> names;
        for (const json& o : r["operations"]) {
            share += o["share"].get<double>();
            CHECK(o["seconds"] > 0);
            names.insert(o["name"]);
            if (o.contains("gb_per_s")) {
                weight_bytes += o["gb_per_s"].get<double>() * o["seconds"].get<double>() * 1e9;
                CHECK(o["giga_ops"] > 0);
            }
        }
        CHECK(share == doctest::Approx(1.0));
        CHECK(names.size() == r["operations"].size());
        for (const char* name :
             {"embed", "attn_norm", "qkv", "rope_and_store", "attention", "quantize_attn",
              "attn_output", "ffn_norm", "gate_up", "quantize_gate", "ffn_down", "output_norm"}) {
            CHECK(names.contains(name));
        }
        // Of a prompt alone no logits are wanted; in each of 9 steps, twice, all weights are read:
        // the embeddings are the output matrix too.
        const bool writes = r["test"] == "tg8";
        const double all = info["weight_bytes"];
        CHECK(names.contains("output") == writes);
        CHECK(weight_bytes / (writes ? 18 : 2) <= all * 1.0001);
        CHECK(weight_bytes / (writes ? 18 : 2) > all * (writes ? 0.98 : 0.6));
    }
    const Output table = shell("sotto-cli bench --operations --pp 8 --tg 0 -r 1 -m " +
                               tiny("llama/f32.gguf") + " --no-limits");
    CHECK(table.has("|   gate_up |"));
    CHECK(table.has("GOPS"));
}

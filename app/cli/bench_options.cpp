// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_options.h"

#include "app/cli/number_check.h"
#include "app/cli/options.h"

#include <CLI/App.hpp>

namespace sotto::cli {

const char* const kBenchDescription =
    "Measure speed: pp N reads a prompt of N tokens, tg N writes N tokens one by one. Lists "
    "(1,2,4) are measured in all combinations; several models may be given. Beside each figure "
    "stands the part of the machine's limit that it reaches, measured in turn with the runs on the "
    "same threads: for tg what reading the weights once a token takes of the memory bandwidth, for "
    "pp the 8-bit products that the processor can do.";

namespace {

void add_list(CLI::App& app, const char* name, std::vector<int>& list, const char* help,
              const CLI::Validator& range) {
    app.add_option(name, list, help)->delimiter(',')->check(range)->capture_default_str();
}

} // namespace

void BenchFlags::add_to(CLI::App& app) {
    app.add_option("-m,--model,models", models, "a GGUF file or a folder; several may be given")
        ->required();
    add_list(app, "--pp", pp, "tokens to read; 0: no such test", in_range(0, 1 << 24));
    add_list(app, "--tg", tg, "tokens to write; 0: no such test", in_range(0, 1 << 24));
    add_list(app, "--depth", depths, "tokens in the context before", in_range(0, 1 << 24));
    add_list(app, "-t,--threads", threads, "worker threads; 0: one for each core",
             in_range(0, 256));
    app.add_option("-r,--repetitions", n_repetitions, "runs of each test")
        ->check(in_range(1, 10000))
        ->capture_default_str();
    app.add_option("--isa", isas, "instruction sets, see info --cpu (the best one)")
        ->delimiter(',');
    add_cache_option(app, kv_types);
    app.add_option("--batch", n_batch, "prompt tokens computed at once")
        ->check(in_range(1, 8192))
        ->capture_default_str();
    app.add_flag("--no-limits", no_limits, "leave out the machine's limits (1 GiB of memory)");
    app.add_flag("--operations", operations,
                 "also where the time goes: of each operation the part of the time, how fast it "
                 "reads weights, and its products");
    app.add_flag("--json", json, "print one JSON object");
}

std::vector<BenchTest> BenchFlags::tests() const {
    std::vector<BenchTest> all;
    for (const int depth : depths) {
        for (const auto& [kind, sizes] :
             {std::pair{BenchTest::Kind::prefill, pp}, {BenchTest::Kind::decode, tg}}) {
            for (const int n : sizes) {
                if (n > 0) {
                    all.push_back({kind, n, depth});
                }
            }
        }
    }
    return all;
}

} // namespace sotto::cli

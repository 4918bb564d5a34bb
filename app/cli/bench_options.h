// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/bench_plan.h"

namespace CLI {
class App;
}

namespace sotto::cli {

extern const char* const kBenchDescription;

struct BenchFlags {
    std::vector<std::string> models;
    std::vector<int> pp{512}, tg{128}, depths{0}, threads{0};
    std::vector<std::string> isas;
    std::vector<CacheTypes> kv_types; // none: f16
    int n_repetitions = 5, n_batch = 512;
    bool json = false, no_limits = false, operations = false;

    void add_to(CLI::App& app);
    /// By depth; of each depth the prefills, then the decodes.
    [[nodiscard]] std::vector<BenchTest> tests() const;
};

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::cli {
namespace {

double mean_of(const std::vector<double>& values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

} // namespace

std::string BenchTest::name() const {
    const std::string verb = kind == Kind::prefill ? "pp" : "tg";
    return verb + std::to_string(n_tokens) + (depth > 0 ? "@d" + std::to_string(depth) : "");
}

int BenchTest::n_ctx() const {
    return depth + n_tokens + 2; // decode starts from one token and samples one more
}

double BenchResult::mean() const {
    return mean_of(tokens_per_s);
}

double BenchResult::stddev() const {
    double squares = 0;
    for (const double x : tokens_per_s) {
        squares += (x - mean()) * (x - mean());
    }
    const auto n = static_cast<double>(tokens_per_s.size());
    return n > 1 ? std::sqrt(squares / (n - 1)) : 0;
}

double BenchResult::mean_share() const {
    return mean_of(limit_share);
}

} // namespace sotto::cli

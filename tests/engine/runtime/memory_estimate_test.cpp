// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_runs.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>

using namespace sotto;
using namespace sotto::test;

namespace {

/// 0 where the system does not tell.
std::int64_t resident_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) {
            return 1024 * std::strtoll(line.c_str() + 6, nullptr, 10);
        }
    }
    return 0;
}

} // namespace

TEST_CASE("the estimate is within 10 % of what a full context really takes") {
    const char* path = std::getenv("SOTTO_STARTER_MODEL");
    const std::int64_t before = resident_bytes();
    if (path == nullptr || before == 0 || kSanitized) {
        MESSAGE("not measured here");
        return;
    }
    for (const CacheTypes types : {CacheTypes(CacheType::F16), CacheTypes(CacheType::Q8_0)}) {
        EngineOptions options;
        options.n_threads = 2;
        options.n_ctx = 3000;
        options.cache_type = types;
        const auto described = describe_model(path);
        REQUIRE(described.has_value());
        const MemoryEstimate estimate = estimate_memory(*described, options);
        const auto engine = engine_or_fail(load_or_fail(path), options);
        RequestOptions request = request_for(some_tokens(2999, 40000), 1);
        engine->submit(std::move(request))->wait();
        const auto real = static_cast<double>(resident_bytes() - before);
        const auto told = static_cast<double>(estimate.total_bytes());
        MESSAGE("estimated " << told * 1e-6 << " MB, real " << real * 1e-6 << " MB");
        CHECK(told > 0.9 * real);
        CHECK(told < 1.1 * real);
    }
}

TEST_CASE("the estimate tells what is missing, and counts what is freed") {
    const TempFile file(tiny_model().build());
    const auto model = load_or_fail(file.path());
    ModelInfo huge = model->info();
    EngineOptions options;
    options.n_ctx = 100;
    MemoryEstimate e = estimate_memory(huge, options);
    CHECK(e.missing_bytes() == 0);
    CHECK(e.n_ctx == 100);
    CHECK(e.kv_bytes == huge.kv_bytes(CacheType::F16, 100));
    options.n_ctx = 0;
    CHECK(estimate_memory(huge, options).n_ctx == huge.n_ctx_train);
    if (e.available_bytes > 0) {
        huge.weight_bytes = e.available_bytes + (std::int64_t{1} << 30);
        e = estimate_memory(huge, options);
        CHECK(e.missing_bytes() > 0);
        CHECK(e.n_ctx == std::min(512, huge.n_ctx_train)); // the least there is
        CHECK(estimate_memory(huge, options, std::int64_t{4} << 30).missing_bytes() == 0);
    }
}

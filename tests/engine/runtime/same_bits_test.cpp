// SPDX-License-Identifier: Apache-2.0
// One answer everywhere: a single hash of the logits over instruction sets, threads, prompt chunks
// and the floating-point flags of the caller.
#include "kernels/fp_env.h"
#include "tests/support/engine_runs.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace sotto;
using namespace sotto::test;

namespace {

/// How a run differs from another that must give the same.
struct Way {
    std::string level;
    int n_threads, n_batch;
    bool flush_to_zero;
};

std::vector<Way> ways() {
    std::vector<Way> all;
    const auto cpu = cpu_info();
    for (const std::string& level : cpu->supported) {
        for (const int n_threads : {1, 2, 3}) {
            for (const int n_batch : {512, 7, 1}) {
                for (const bool flush : {false, true}) {
                    // A sanitizer looks for faults, not for bits: one way of each kind will do.
                    if (kSanitized &&
                        (n_batch != 7 || n_threads == 2 || flush != (n_threads == 1))) {
                        continue;
                    }
                    all.push_back({level, n_threads, n_batch, flush});
                }
            }
        }
    }
    return all;
}

Answer run_way(const std::string& path, const Way& way, const RequestOptions& request,
               CacheType cache) {
    kernels::set_flush_to_zero(way.flush_to_zero); // threads made from here on inherit it
    const ForcedIsa forced(way.level);
    EngineOptions options;
    options.n_threads = way.n_threads;
    options.n_batch = way.n_batch;
    options.cache_type = cache;
    const auto engine = engine_or_fail(load_or_fail(path), options);
    Answer answer = run(*engine, request);
    kernels::set_flush_to_zero(false);
    return answer;
}

} // namespace

TEST_CASE("tiny models of every weight type give one hash over all ways to compute it") {
    std::size_t n_types = 0; // the kinds of cache take turns
    // F32 F16 BF16 Q8_0 Q4_0 Q4_1 Q5_0 Q5_1 Q2_K Q3_K Q4_K Q5_K Q6_K IQ4_NL IQ4_XS
    for (const std::uint32_t type :
         {0u, 1u, 30u, 8u, 2u, 3u, 6u, 7u, 10u, 11u, 12u, 13u, 14u, 20u, 23u}) {
        CAPTURE(std::string(formats::ggml_type_name(type)));
        TinyShape shape;
        shape.weight_type = type;
        shape.tied = type % 2 == 0;
        const TempFile file(tiny_model(shape).build());
        const RequestOptions request = request_for(some_tokens(20), 6);
        const CacheType cache = kCacheTypes[n_types++ % kCacheTypes.size()];
        std::string first;
        for (const Way& way : ways()) {
            CAPTURE(way.level);
            CAPTURE(way.n_threads);
            CAPTURE(way.n_batch);
            CAPTURE(way.flush_to_zero);
            const Answer answer = run_way(file.path(), way, request, cache);
            REQUIRE(answer.reason == FinishReason::length);
            REQUIRE(answer.tokens.size() == 6);
            first = first.empty() ? answer.hash : first;
            REQUIRE(answer.hash == first);
        }
    }
}

TEST_CASE("a context of several chunks gives one hash, however its attention is shared out") {
    TinyShape shape;
    shape.n_embd = 192;
    shape.n_head = 3; // one KV head: its keys are shared out, or a single worker has all the work
    shape.n_head_kv = 1;
    shape.n_ctx = 1024;
    shape.weight_type = 8;
    const TempFile file(tiny_model(shape).build());
    const RequestOptions request = request_for(some_tokens(530), 4);
    for (const CacheType cache : kCacheTypes) {
        std::string first;
        for (const Way& way : ways()) {
            const bool slow = way.level == "scalar" && (way.n_batch != 7 || kSanitized);
            if (slow || (way.flush_to_zero && !kSanitized)) {
                continue;
            }
            CAPTURE(way.level);
            CAPTURE(way.n_threads);
            CAPTURE(way.n_batch);
            const Answer answer = run_way(file.path(), way, request, cache);
            REQUIRE(answer.reason == FinishReason::length);
            first = first.empty() ? answer.hash : first;
            REQUIRE(answer.hash == first);
        }
    }
}

namespace {

const char* starter_model() {
    const char* path = std::getenv("SOTTO_STARTER_MODEL");
    REQUIRE_MESSAGE(path != nullptr,
                    "SOTTO_STARTER_MODEL must name the starter model (./dev test sets it)");
    return path;
}

/// The one hash that the starter model gives. `all`: not only in chunks of 7 tokens.
std::string one_hash(CacheType cache, bool all) {
    std::string first;
    for (const Way& way : ways()) {
        // The scalar level takes seconds a run: chunks of 7 on every thread count stand for all.
        const bool one_of_many = way.n_batch != 7 || way.flush_to_zero;
        if (one_of_many && (!all || way.level == "scalar" || kSanitized)) {
            continue;
        }
        if (way.level == "scalar" && kSanitized) { // minutes; the tiny models have it
            continue;
        }
        CAPTURE(way.level);
        CAPTURE(way.n_threads);
        CAPTURE(way.n_batch);
        const Answer answer =
            run_way(starter_model(), way, request_for(some_tokens(24, 49152), 4), cache);
        REQUIRE(answer.reason == FinishReason::length);
        first = first.empty() ? answer.hash : first;
        REQUIRE(answer.hash == first);
    }
    return first;
}

} // namespace

TEST_CASE("the starter model gives one hash over all ways, and three threads really take part") {
    const std::string first = one_hash(CacheType::F16, true);
    if (!kSanitized) { // the tiny models have it
        CHECK(one_hash(CacheType::Q8_0, false) != first);
    }
    MESSAGE("logits hash " << first);
    // Taking part is a matter of the system's scheduling: given time, all three do. On a busy
    // machine it may take several prompts.
    EngineOptions options;
    options.n_threads = 3;
    const auto engine = engine_or_fail(load_or_fail(starter_model()), options);
    int most = 0;
    for (int i = 0; i < 10 && most < 3; ++i) {
        const Answer answer = run(*engine, request_for(some_tokens(300, 49152 - 500 * i), 20));
        most = std::max(most, answer.timings.threads_used);
    }
    CHECK(most == 3);
}

// SPDX-License-Identifier: Apache-2.0
#include "engine/sampling/gumbel.h"
#include "engine/sampling/min_p.h"
#include "engine/sampling/repeat_penalty.h"
#include "engine/sampling/sampler.h"
#include "engine/sampling/top_k.h"
#include "engine/sampling/top_p.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

using namespace sotto;
using namespace sotto::sampling;

namespace {

const kernels::KernelTable& table() {
    return kernels::kernel_table(kernels::Isa::scalar);
}

std::vector<float> random_logits(std::size_t n, unsigned seed, float spread = 4.0f) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0f, spread);
    std::vector<float> logits(n);
    std::ranges::generate(logits, [&] { return normal(random); });
    return logits;
}

/// Everything off, so that each test turns on one thing.
SamplingParams plain() {
    SamplingParams p;
    p.temperature = 1;
    p.top_k = 0;
    p.top_p = 1;
    p.min_p = 0;
    p.repeat_penalty = 1;
    return p;
}

std::vector<std::int32_t> ids_of(const Candidates& c) {
    std::vector<std::int32_t> ids;
    for (const Candidate& x : c) {
        ids.push_back(x.id);
    }
    return ids;
}

/// Independent of the code under test: probabilities in double, sorted by falling probability.
std::vector<std::pair<double, std::int32_t>> sorted_softmax(const std::vector<float>& logits) {
    const double max = *std::ranges::max_element(logits);
    std::vector<std::pair<double, std::int32_t>> p;
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        p.emplace_back(std::exp(static_cast<double>(logits[i]) - max),
                       static_cast<std::int32_t>(i));
        sum += p.back().first;
    }
    for (auto& x : p) {
        x.first /= sum;
    }
    std::ranges::sort(p, [](const auto& a, const auto& b) {
        return a.first > b.first || (a.first == b.first && a.second < b.second);
    });
    return p;
}

} // namespace

TEST_CASE("top_k keeps the k likeliest, ties by id, and 0 is off") {
    const std::vector<float> logits = {1, 5, 3, 5, -2, 5, 0};
    Candidates c;
    top_k(logits, 2, c);
    CHECK(ids_of(c) == std::vector<std::int32_t>{1, 3});
    top_k(logits, 4, c);
    CHECK(ids_of(c) == std::vector<std::int32_t>{1, 3, 5, 2});
    for (const int off : {0, 7, 100}) {
        top_k(logits, off, c);
        CHECK(ids_of(c) == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6});
    }
    const std::vector<float> many = random_logits(5000, 1);
    const auto reference = sorted_softmax(many);
    top_k(many, 300, c);
    REQUIRE(c.size() == 300);
    for (std::size_t i = 0; i < c.size(); ++i) {
        REQUIRE(c[i].id == reference[i].second);
    }
}

TEST_CASE("top_p keeps the smallest front that holds p") {
    for (const float spread : {0.01f, 1.0f, 4.0f, 20.0f}) {
        const std::vector<float> logits = random_logits(3000, 7, spread);
        const auto reference = sorted_softmax(logits);
        for (const float p : {0.0f, 0.1f, 0.5f, 0.9f, 0.99f}) {
            Candidates c;
            top_k(logits, 0, c);
            top_p(c, p,
                  table().log_sum_exp(logits.data(), static_cast<std::int64_t>(logits.size())));
            double sum = 0;
            std::size_t n = 0;
            while (n < reference.size() && (n == 0 || sum < static_cast<double>(p))) {
                sum += reference[n++].first;
            }
            CAPTURE(spread);
            CAPTURE(p);
            // Rounding may move the border by one token where the sum comes out at p.
            CHECK(std::abs(static_cast<double>(c.size()) - static_cast<double>(n)) <= 1);
            for (std::size_t i = 0; i < c.size(); ++i) {
                REQUIRE(c[i].id == reference[i].second);
            }
        }
    }
}

TEST_CASE("min_p drops what is less likely than a share of the best") {
    Candidates c = {{0, 1.0f}, {1, 1.0f - 0.69f}, {2, 1.0f - 0.70f}, {3, -50.0f}};
    min_p(c, 0.5f); // log 0.5 = -0.693
    CHECK(ids_of(c) == std::vector<std::int32_t>{0, 1});
    min_p(c, 1.0f);
    CHECK(ids_of(c) == std::vector<std::int32_t>{0});
}

TEST_CASE("repeat_penalty acts once on each recent token, towards less likely") {
    std::vector<float> logits = {2, -2, 4, 0};
    std::vector<std::int32_t> seen;
    repeat_penalty(logits, std::vector<std::int32_t>{0, 0, 1, 0, 99, -1}, 2.0f, seen);
    CHECK(logits == std::vector<float>{1, -4, 4, 0});
}

TEST_CASE("temperature 0 is the likeliest token, the lowest id on a tie") {
    Sampler sampler(table());
    SamplingParams p = plain();
    p.temperature = 0;
    std::vector<float> logits = {1, 7, 7, 3};
    CHECK(sampler.pick(logits, {}, 0, p) == 1);
}

TEST_CASE("a temperature near 0 is greedy and overflows nothing") {
    Sampler sampler(table());
    SamplingParams p = plain();
    for (const float t : {1e-30f, 0.0003f, 0.01f}) {
        p.temperature = t;
        std::vector<float> logits = {10, 60, 30, -80};
        CHECK(sampler.pick(logits, {}, 3, p) == 1);
    }
}

TEST_CASE("non-finite logits are reported, never sampled") {
    Sampler sampler(table());
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
        for (const float t : {0.0f, 1.0f}) {
            SamplingParams p = plain();
            p.temperature = t;
            std::vector<float> logits = random_logits(100, 3);
            logits[57] = bad;
            CHECK(sampler.pick(logits, {}, 0, p) == -1);
        }
    }
}

TEST_CASE("the same seed and position give the same token, others vary") {
    Sampler a(table()), b(table());
    SamplingParams p = plain();
    p.seed = 42;
    std::map<std::int32_t, int> seen;
    for (int pos = 0; pos < 200; ++pos) {
        std::vector<float> one = random_logits(50, 9, 1.0f), two = one;
        std::vector<float> other = random_logits(50, 10, 1.0f);
        static_cast<void>(
            b.pick(other, {}, pos + 1000, p)); // what was drawn before does not matter
        const std::int32_t token = a.pick(one, {}, pos, p);
        REQUIRE(token == b.pick(two, {}, pos, p));
        ++seen[token];
    }
    CHECK(seen.size() > 10);
}

TEST_CASE("draws follow the softmax at the temperature (chi-square)") {
    const std::vector<float> logits = {2.0f, 1.0f, 0.0f, -1.0f, 0.5f, 1.5f, -3.0f, 0.25f};
    for (const float temperature : {0.7f, 1.0f, 2.0f}) {
        std::vector<float> scaled = logits;
        for (float& l : scaled) {
            l /= temperature;
        }
        std::vector<double> expected(logits.size());
        for (const auto& [probability, id] : sorted_softmax(scaled)) {
            expected[static_cast<std::size_t>(id)] = probability;
        }
        Candidates all;
        top_k(logits, 0, all);
        constexpr int kDraws = 200000;
        std::vector<int> count(logits.size());
        for (int i = 0; i < kDraws; ++i) {
            ++count[static_cast<std::size_t>(gumbel_pick(all, temperature, 12345, i))];
        }
        double chi2 = 0;
        for (std::size_t i = 0; i < count.size(); ++i) {
            const double e = expected[i] * kDraws;
            chi2 += (count[i] - e) * (count[i] - e) / e;
        }
        CHECK(chi2 < 24.3); // 7 degrees of freedom, p = 0.001
    }
}

TEST_CASE("a million draws from hostile scores always give an id") {
    Sampler sampler(table());
    std::mt19937 random(5);
    SamplingParams p = plain();
    std::vector<float> logits(4), work(4);
    for (int i = 0; i < 1000000; ++i) {
        for (float& l : logits) {
            l = std::ldexp(static_cast<float>(static_cast<int>(random() % 2001) - 1000),
                           static_cast<int>(random() % 200) - 120);
        }
        work = logits;
        p.top_p = static_cast<float>(random() % 101) / 100.0f;
        p.top_k = static_cast<std::int32_t>(random() % 5);
        p.min_p = static_cast<float>(random() % 101) / 100.0f;
        p.temperature = static_cast<float>(random() % 200) / 100.0f;
        const std::int32_t id = sampler.pick(work, {}, i, p);
        if (id < 0 || id > 3) {
            REQUIRE(id >= 0);
            REQUIRE(id <= 3);
        }
    }
}

TEST_CASE("settings outside their range are refused by name") {
    SamplingParams p;
    CHECK(check_params(p).has_value());
    p.top_p = 1.5f;
    REQUIRE_FALSE(check_params(p).has_value());
    CHECK(check_params(p).error().message.find("top_p") != std::string::npos);
    p = {};
    p.temperature = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(check_params(p).has_value());
    p = {};
    p.top_k = -1;
    CHECK_FALSE(check_params(p).has_value());
}

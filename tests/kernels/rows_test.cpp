// SPDX-License-Identifier: Apache-2.0
// Operations along a row: each level against plain loops, bit for bit.
#include "tests/kernels/plain_ops.h"

#include <doctest/doctest.h>

using namespace sotto::kernels;
using namespace sotto::kernels::test;

namespace {

const std::int64_t kLongRows[] = {40, 47, 48, 63, 64, 65, 127, 128, 256, 576, 1000, 4097};

/// Calls body(table, n, kind, shift) over levels, lengths, kinds of numbers and alignments.
template <typename Body>
void for_each_row(const Body& body) {
    std::vector<std::int64_t> lengths(std::begin(kLongRows), std::end(kLongRows));
    for (std::int64_t n = 1; n <= 33; ++n)
        lengths.push_back(n);
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        for (std::int64_t n : lengths) {
            CAPTURE(n);
            for (Row kind : kAllRows) {
                CAPTURE(static_cast<int>(kind));
                body(kernel_table(isa), n, kind, static_cast<std::size_t>(n % 5));
            }
        }
    }
}

bool same(float a, float b) {
    return same_bits({a}, {b});
}

} // namespace

TEST_CASE("rms_norm: the plain loop's bits, also in place") {
    Random random(1);
    for_each_row([&](const KernelTable& table, std::int64_t n, Row kind, std::size_t shift) {
        const auto x = numbers(n, kind, random), w = numbers(n, Row::ordinary, random);
        for (float eps : {1e-5f, 0.0f}) {
            const auto expected = plain::rms_norm(x, w, eps);
            Placed in(x, shift), weights(w, 1), out(std::vector<float>(x.size()), 3);
            table.rms_norm(in.begin(), weights.begin(), n, eps, out.begin());
            CHECK(same_bits(out.values(), expected));
            table.rms_norm(in.begin(), weights.begin(), n, eps, in.begin());
            CHECK(same_bits(in.values(), expected));
            CHECK((in.guards_hold() && out.guards_hold()));
        }
    });
}

TEST_CASE("silu_mul: the plain loop's bits") {
    Random random(2);
    for_each_row([&](const KernelTable& table, std::int64_t n, Row kind, std::size_t shift) {
        const auto x = numbers(n, kind, random), up = numbers(n, Row::ordinary, random);
        Placed gate(x, shift), other(up, 2);
        table.silu_mul(gate.begin(), other.begin(), n);
        CHECK(same_bits(gate.values(), plain::silu_mul(x, up)));
        CHECK(gate.guards_hold());
    });
}

TEST_CASE("gelu_tanh_mul: the plain loop's bits") {
    Random random(8);
    for_each_row([&](const KernelTable& table, std::int64_t n, Row kind, std::size_t shift) {
        const auto x = numbers(n, kind, random), up = numbers(n, Row::ordinary, random);
        Placed gate(x, shift), other(up, 2);
        table.gelu_tanh_mul(gate.begin(), other.begin(), n);
        CHECK(same_bits(gate.values(), plain::gelu_tanh_mul(x, up)));
        CHECK(gate.guards_hold());
    });
}

TEST_CASE("scale: the plain loop's bits") {
    Random random(9);
    for_each_row([&](const KernelTable& table, std::int64_t n, Row kind, std::size_t shift) {
        const auto x = numbers(n, kind, random);
        for (float factor : {25.298221f, 0x1p-140f, -0.0f, kInf}) {
            Placed row(x, shift);
            table.scale(row.begin(), factor, n);
            auto expected = x;
            for (float& value : expected)
                value *= factor;
            CHECK(same_bits(row.values(), expected));
            CHECK(row.guards_hold());
        }
    });
}

TEST_CASE("rms_norm: the heads of a row one by one, in place, and none beside them") {
    Random random(10);
    for (int head_dim : {8, 40, 64, 80, 128, 256})
        for (Isa isa : supported_isas()) {
            CAPTURE(name(isa));
            CAPTURE(head_dim);
            const auto x = numbers(3 * head_dim, Row::ordinary, random);
            const auto w = numbers(head_dim, Row::ordinary, random);
            Placed row(x, 3);
            kernel_table(isa).rms_norm(row.begin() + head_dim, w.data(), head_dim, 1e-6f,
                                       row.begin() + head_dim);
            auto expected = x;
            const auto middle = expected.begin() + head_dim;
            const auto head = plain::rms_norm({middle, middle + head_dim}, w, 1e-6f);
            std::copy(head.begin(), head.end(), middle);
            CHECK(same_bits(row.values(), expected));
        }
}

TEST_CASE("rms_norm: a sum of squares that overflows is NaN everywhere, one below it is not") {
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        for (std::int64_t n : {1, 5, 16, 40, 576}) {
            std::vector<float> x(static_cast<std::size_t>(n), 0.0f), y(x.size());
            const std::vector<float> ones(x.size(), 1.0f);
            for (float large : {1.9e19f, -3e38f, kInf}) {
                x.back() = large;
                kernel_table(isa).rms_norm(x.data(), ones.data(), n, 1e-5f, y.data());
                for (float value : y)
                    CHECK(std::isnan(value));
            }
            x.back() = 1.8e19f;
            kernel_table(isa).rms_norm(x.data(), ones.data(), n, 1e-5f, y.data());
            CHECK(std::abs(y.back() - std::sqrt(static_cast<double>(n))) < 1e-4);
        }
    }
}

TEST_CASE("add: the plain loop's bits") {
    Random random(3);
    for_each_row([&](const KernelTable& table, std::int64_t n, Row kind, std::size_t shift) {
        const auto x = numbers(n, kind, random), y = numbers(n, kind, random);
        Placed sum(y, shift), term(x, 3);
        table.add(sum.begin(), term.begin(), n);
        auto expected = y;
        for (std::size_t i = 0; i < x.size(); ++i)
            expected[i] += x[i];
        CHECK(same_bits(sum.values(), expected));
        CHECK(sum.guards_hold());
    });
}

TEST_CASE("softmax, log_sum_exp: the plain loop's bits") {
    Random random(4);
    for_each_row([&](const KernelTable& table, std::int64_t n, Row kind, std::size_t shift) {
        const auto x = numbers(n, kind, random);
        Placed row(x, shift);
        CHECK(same(table.log_sum_exp(row.begin(), n), plain::log_sum_exp(x)));
        table.softmax(row.begin(), n);
        CHECK(same_bits(row.values(), plain::softmax(x)));
        CHECK(row.guards_hold());
    });
}

TEST_CASE("argmax: the plain loop's index") {
    Random random(5);
    for_each_row([&](const KernelTable& table, std::int64_t n, Row kind, std::size_t shift) {
        const auto x = numbers(n, kind, random);
        Placed row(x, shift);
        CHECK(table.argmax(row.begin(), n) == plain::argmax(x));
    });
}

TEST_CASE("argmax: ties to the lowest index, wherever; -1 for a single value that is not finite") {
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        const auto argmax = kernel_table(isa).argmax;
        for (std::int64_t n : {1, 2, 15, 16, 17, 63, 64, 65, 79, 80, 131, 200})
            for (std::int64_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::size_t>(i);
                std::vector<float> x(static_cast<std::size_t>(n), -3.0f);
                x[at] = -2.0f;
                CHECK(argmax(x.data(), n) == i);
                for (std::size_t j = at; j < x.size(); ++j)
                    x[j] = j == at ? -0.0f : 0.0f; // equal, though of different sign
                CHECK(argmax(x.data(), n) == i);
                for (float bad : {NAN, kInf, -kInf}) {
                    x[at] = bad;
                    CHECK(argmax(x.data(), n) == -1);
                }
            }
    }
}

namespace {

/// Every binade of both signs, zeros and the largest.
std::vector<float> gates_of_all_sizes() {
    std::vector<float> gates;
    for (int exponent = -149; exponent < 128; ++exponent)
        for (float sign : {1.0f, -1.0f})
            gates.push_back(sign * std::ldexp(1.9f, exponent));
    gates.insert(gates.end(), {0.0f, -0.0f, -std::numeric_limits<float>::max()});
    return gates;
}

} // namespace

TEST_CASE("gelu_tanh_mul against the formula with tanh in double") {
    auto gates = gates_of_all_sizes();
    for (int i = -1200; i <= 1200; ++i)
        gates.push_back(static_cast<float>(i) * 0.01f);
    const std::vector<float> ones(gates.size(), 1.0f);
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        auto y = gates;
        kernel_table(isa).gelu_tanh_mul(y.data(), ones.data(), static_cast<std::int64_t>(y.size()));
        for (std::size_t i = 0; i < y.size(); ++i) {
            CAPTURE(gates[i]);
            const double x = gates[i], u = 0.797884560802865356 * (x + 0.044715 * x * x * x);
            const double expected =
                0.5 * x * (1.0 + std::tanh(u)); // 1 + tanh u cancels far below 0
            CHECK(std::isfinite(y[i]));
            CHECK(std::abs(y[i] - expected) <= 4e-6 * std::abs(expected) + 1e-14);
        }
    }
}

TEST_CASE("gelu_tanh_mul: infinities and NaN show") {
    for (Isa isa : supported_isas()) {
        float gate[] = {kInf, -kInf, NAN, 1.0f};
        const float up[] = {1.0f, 1.0f, 1.0f, NAN};
        kernel_table(isa).gelu_tanh_mul(gate, up, 4);
        for (float value : gate)
            CHECK_FALSE(std::isfinite(value));
    }
}

TEST_CASE("silu_mul is finite for every finite gate") {
    const auto gates = gates_of_all_sizes();
    const std::vector<float> ones(gates.size(), 1.0f);
    for (Isa isa : supported_isas()) {
        CAPTURE(name(isa));
        auto y = gates;
        kernel_table(isa).silu_mul(y.data(), ones.data(), static_cast<std::int64_t>(y.size()));
        for (std::size_t i = 0; i < y.size(); ++i) {
            CAPTURE(gates[i]);
            const double gate = gates[i], expected = gate / (1.0 + std::exp(-gate));
            CHECK(std::isfinite(y[i]));
            CHECK(std::abs(y[i] - expected) <= 3e-7 * std::abs(expected) + 1e-37);
        }
    }
}

TEST_CASE("accuracy against double: rms_norm, softmax, log_sum_exp") {
    Random random(6);
    for (std::int64_t n : {1, 7, 100, 5000}) {
        const auto x = numbers(n, Row::ordinary, random);
        const std::vector<float> ones(x.size(), 1.0f);
        double squares = 0, exps = 0;
        for (double value : x) {
            squares += value * value;
            exps += std::exp(value);
        }
        const double inverse = 1.0 / std::sqrt(squares / static_cast<double>(n) + 1e-5);
        for (Isa isa : supported_isas()) {
            const KernelTable& table = kernel_table(isa);
            CHECK(std::abs(table.log_sum_exp(x.data(), n) - std::log(exps)) < 3e-6);
            auto norm = x, soft = x;
            table.rms_norm(x.data(), ones.data(), n, 1e-5f, norm.data());
            table.softmax(soft.data(), n);
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double value = x[i];
                CHECK(std::abs(norm[i] - value * inverse) <= 2e-6 * std::abs(value * inverse));
                CHECK(std::abs(soft[i] - std::exp(value) / exps) <= 3e-6 * std::exp(value) / exps);
                sum += soft[i];
            }
            CHECK(std::abs(sum - 1.0) < 1e-5);
        }
    }
}

TEST_CASE("a vocabulary of 150000: levels agree") {
    Random random(7);
    const std::int64_t n = 150001;
    const auto x = numbers(n, Row::large, random);
    const float log_sum = plain::log_sum_exp(x);
    for (Isa isa : supported_isas()) {
        CHECK(same(kernel_table(isa).log_sum_exp(x.data(), n), log_sum));
        CHECK(kernel_table(isa).argmax(x.data(), n) == plain::argmax(x));
    }
}

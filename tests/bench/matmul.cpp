// SPDX-License-Identifier: Apache-2.0
// Speed of the matrix products of every level of this CPU:
//   bench_matmul [type ...] [--isa NAME] [--rows N,N,...] [--cols N] [--threads N]
// Up to 4 activation rows: a matrix of 256 MB, GB of packed weights a second. More rows: a matrix
// that stays in the caches, billions of integer (float) operations a second, 2 for each weight and
// row.
#include "kernels/kernels.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

using namespace sotto::kernels;

namespace {

struct AlignedDelete {
    void operator()(unsigned char* p) const { ::operator delete[](p, std::align_val_t{64}); }
};
using Buffer = std::unique_ptr<unsigned char[], AlignedDelete>;

Buffer aligned_bytes(std::size_t n) {
    return Buffer(static_cast<unsigned char*>(::operator new[](n, std::align_val_t{64})));
}

/// Random codes with scales of an ordinary size.
std::vector<unsigned char> source_rows(WeightType type, std::int64_t n_cols) {
    std::vector<unsigned char> rows(kGroupRows * source_row_bytes(type, n_cols));
    std::uint32_t state = 1;
    for (auto& byte : rows)
        byte = static_cast<unsigned char>((state = state * 1664525u + 1013904223u) >> 24);
    const auto block_bytes = static_cast<std::size_t>(traits(type).block_bytes);
    const unsigned short scale = 0x2000; // f16 0.0078125
    if (block_bytes <= 4) {
        for (std::size_t i = 0; i + block_bytes <= rows.size(); i += block_bytes)
            rows[i + block_bytes - 1] = 0x3c;
        return rows;
    }
    for (std::size_t i = 0; i < rows.size(); i += block_bytes) {
        const std::size_t d = type == WeightType::Q6_K   ? 208
                              : type == WeightType::Q2_K ? 80
                              : type == WeightType::Q3_K ? 108
                                                         : 0;
        std::memcpy(&rows[i + d], &scale, 2);
        if (d + 4 <= block_bytes && type != WeightType::Q8_0)
            std::memcpy(&rows[i + d + 2], &scale, 2);
    }
    return rows;
}

struct Case {
    Case(WeightType weight_type, std::int64_t cols, std::int64_t groups, std::int64_t rows)
        : type(weight_type), n_cols(cols), n_groups(groups), n_rows(rows),
          group_bytes(packed_group_bytes(type, cols)),
          weights(aligned_bytes(group_bytes * static_cast<std::size_t>(groups))),
          x(static_cast<std::size_t>(rows * cols), 0.5f), q(x.size(), 3),
          d(static_cast<std::size_t>(rows * (cols / 32))), sum(2 * d.size()),
          y(static_cast<std::size_t>(rows * groups * kGroupRows)) {
        const auto source = source_rows(type, n_cols);
        pack_group(type, source.data(), kGroupRows, n_cols, weights.get());
        for (std::int64_t g = 1; g < groups; ++g)
            std::memcpy(weights.get() + g * static_cast<std::int64_t>(group_bytes), weights.get(),
                        group_bytes);
    }

    /// Seconds of the fastest of some runs.
    double run(const KernelTable& table, int repeats, int n_threads) {
        for (std::int64_t i = 0; i < n_rows; ++i)
            table.quantize_row(&x[static_cast<std::size_t>(i * n_cols)], n_cols,
                               &q[static_cast<std::size_t>(i * n_cols)],
                               &d[static_cast<std::size_t>(i * (n_cols / 32))],
                               &sum[static_cast<std::size_t>(i * (n_cols / 16))]);
        Activations a{n_rows, x.data(), n_cols,      q.data(),
                      n_cols, d.data(), n_cols / 32, sum.data()};
        std::vector<unsigned char> packed(
            static_cast<std::size_t>(n_rows * (n_cols / 32) * kPackedActBlockBytes));
        if (const auto pack = table.pack_rows[static_cast<int>(type)])
            pack(a, n_cols, 0, n_rows, packed.data());
        a.packed = packed.data();
        double best = 1e9;
        for (int i = 0; i < repeats; ++i) {
            const auto start = std::chrono::steady_clock::now();
            std::vector<std::thread> others;
            for (int t = 1; t < n_threads; ++t)
                others.emplace_back([&, t] { multiply(table, a, t, n_threads); });
            multiply(table, a, 0, n_threads);
            for (std::thread& other : others)
                other.join();
            const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
            best = std::min(best, t.count());
        }
        return best;
    }

    /// This thread's share, as the engine does it: a chunk of groups at a time.
    void multiply(const KernelTable& table, const Activations& a, int thread, int n_threads) {
        constexpr std::int64_t kChunk = 6;
        for (std::int64_t g = thread * kChunk; g < n_groups; g += n_threads * kChunk)
            table.matmul[static_cast<int>(type)](weights.get(), n_cols, g,
                                                 std::min(n_groups, g + kChunk), a, y.data(),
                                                 n_groups * kGroupRows);
    }

    WeightType type;
    std::int64_t n_cols, n_groups, n_rows;
    std::size_t group_bytes;
    Buffer weights;
    std::vector<float> x;
    std::vector<std::int8_t> q;
    std::vector<float> d;
    std::vector<std::int32_t> sum;
    std::vector<float> y;
};

void report(WeightType type, std::int64_t n_cols, const std::vector<std::int64_t>& rows,
            const std::string& only, int n_threads) {
    for (std::int64_t n : rows) {
        const auto bytes = static_cast<std::int64_t>(packed_group_bytes(type, n_cols));
        Case work(type, n_cols, n <= 4 ? (std::int64_t{256} << 20) / bytes : 36, n);
        for (Isa isa : supported_isas()) {
            if (only.empty() ? isa == Isa::scalar : only != isa_name(isa))
                continue;
            const double t = work.run(kernel_table(isa), n <= 4 ? 4 : 30, n_threads);
            const double ops = 2.0 * static_cast<double>(n * n_cols * work.n_groups * kGroupRows);
            std::printf("%-6s %-11s N=%-4lld %7.1f GB/s %8.1f Gop/s\n", traits(type).name,
                        isa_name(isa), static_cast<long long>(n),
                        static_cast<double>(bytes * work.n_groups) / t * 1e-9, ops / t * 1e-9);
        }
    }
}

std::vector<std::int64_t> numbers(const char* text) {
    std::vector<std::int64_t> values;
    for (char* end; *text; text = *end ? end + 1 : end)
        values.push_back(std::strtoll(text, &end, 10));
    return values;
}

} // namespace

int main(int argc, char** argv) {
    std::string only;
    std::vector<std::int64_t> rows = {1, 4, 32, 256};
    std::int64_t n_cols = 1536;
    int n_threads = 1;
    std::vector<WeightType> types;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--isa" && i + 1 < argc)
            only = argv[++i];
        else if (option == "--rows" && i + 1 < argc)
            rows = numbers(argv[++i]);
        else if (option == "--cols" && i + 1 < argc)
            n_cols = numbers(argv[++i]).at(0);
        else if (option == "--threads" && i + 1 < argc)
            n_threads = static_cast<int>(numbers(argv[++i]).at(0));
        for (int t = 0; t < kNWeightTypes; ++t)
            if (option == traits(static_cast<WeightType>(t)).name)
                types.push_back(static_cast<WeightType>(t));
    }
    for (int t = 0; types.empty() && t < kNWeightTypes; ++t)
        report(static_cast<WeightType>(t), n_cols, rows, only, n_threads);
    for (WeightType type : types)
        report(type, n_cols, rows, only, n_threads);
}

// SPDX-License-Identifier: Apache-2.0
// Time of attention for each level: bench_attention [keys, default 2048] [seconds a row, default
// 0.1]. ns/qk is per query and key, scores and output; GFMA/s counts 2 * head_dim a query and key.
#include "kernels/kernels.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

using namespace sotto::kernels;

namespace {

struct Shape {
    int head_dim, n_queries, n_keys;
    bool causal; // the queries are the last n_queries positions
};

/// Keys and values of one KV head, and queries with their state.
class Bench {
  public:
    Bench(const KernelTable& table, KvType type, Shape shape) : table_(table), shape_(shape) {
        const auto width = static_cast<std::size_t>(shape.head_dim);
        const std::size_t tile_bytes = kv_tile_bytes(type, shape.head_dim);
        const auto n_tiles = static_cast<std::size_t>((shape.n_keys + kKvTile - 1) / kKvTile);
        const auto n_queries = static_cast<std::size_t>(shape.n_queries);
        k_.resize(tile_bytes * n_tiles);
        v_.resize(tile_bytes * n_tiles);
        q_.resize(n_queries * width);
        out_.resize(n_queries * width);
        max_.resize(n_queries);
        sum_.resize(n_queries);
        end_.resize(n_queries);
        begin_.resize(n_queries);
        fill(type, tile_bytes);
        for (std::size_t i = 0; i < n_queries; ++i) {
            q_rows_.push_back(q_.data() + i * width);
            out_rows_.push_back(out_.data() + i * width);
        }
        for (std::size_t t = 0; t < n_tiles; ++t) {
            k_tiles_.push_back(k_.data() + t * tile_bytes);
            v_tiles_.push_back(v_.data() + t * tile_bytes);
        }
        scratch_.resize(attention_scratch_floats(shape.n_queries, shape.head_dim) + 16);
        chunk_ = {type,          type,        shape.head_dim,  0,
                  nullptr,       nullptr,     shape.n_queries, q_rows_.data(),
                  begin_.data(), end_.data(), 0.125f,          nullptr,
                  nullptr};
        chunk_.max = max_.data();
        chunk_.sum = sum_.data();
        chunk_.out = out_rows_.data();
        const auto address = reinterpret_cast<std::uintptr_t>(scratch_.data());
        chunk_.scratch = scratch_.data() + (64 - address % 64) % 64 / sizeof(float);
    }

    /// All chunks once.
    void run() {
        for (std::size_t i = 0; i < max_.size(); ++i) {
            max_[i] = -std::numeric_limits<float>::infinity();
            sum_[i] = 0.0f;
        }
        for (int first = 0; first < shape_.n_keys; first += kAttnChunk) {
            chunk_.n_keys = std::min(kAttnChunk, shape_.n_keys - first);
            chunk_.k_tiles = k_tiles_.data() + first / kKvTile;
            chunk_.v_tiles = v_tiles_.data() + first / kKvTile;
            for (int i = 0; i < shape_.n_queries; ++i) {
                const int hidden = shape_.causal ? shape_.n_queries - 1 - i : 0;
                end_[static_cast<std::size_t>(i)] =
                    std::clamp(shape_.n_keys - hidden - first, 0, chunk_.n_keys);
            }
            table_.attention_chunk(chunk_);
        }
    }

  private:
    void fill(KvType type, std::size_t tile_bytes) {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        for (float& x : q_)
            x = normal(random);
        std::vector<float> row(static_cast<std::size_t>(shape_.head_dim));
        for (int key = 0; key < shape_.n_keys; ++key) {
            const std::size_t offset = static_cast<std::size_t>(key / kKvTile) * tile_bytes;
            for (auto* store : {table_.store_k, table_.store_v}) {
                for (float& x : row)
                    x = normal(random);
                store(type, row.data(), shape_.head_dim, key % kKvTile,
                      (store == table_.store_k ? k_ : v_).data() + offset);
            }
        }
    }

    const KernelTable& table_;
    Shape shape_;
    std::vector<unsigned char> k_, v_;
    std::vector<float> q_, out_, max_, sum_, scratch_;
    std::vector<int> begin_, end_;
    std::vector<const void*> k_tiles_, v_tiles_;
    std::vector<const float*> q_rows_;
    std::vector<float*> out_rows_;
    AttentionChunk chunk_;
};

double seconds_of_best_run(Bench& bench, double seconds) {
    using Clock = std::chrono::steady_clock;
    double best = 1e9, total = 0;
    bench.run();
    while (total < seconds) {
        const auto start = Clock::now();
        bench.run();
        const double time = std::chrono::duration<double>(Clock::now() - start).count();
        best = std::min(best, time);
        total += time;
    }
    return best;
}

const char* type_name(KvType type) {
    return type == KvType::F32 ? "F32" : type == KvType::F16 ? "F16" : "Q8_0";
}

} // namespace

int main(int argc, char** argv) {
    const int n_keys = argc > 1 ? std::atoi(argv[1]) : 2048;
    const double seconds = argc > 2 ? std::atof(argv[2]) : 0.1;
    if (n_keys < 64) {
        std::fprintf(stderr, "bench_attention: at least 64 keys\n");
        return 1;
    }
    std::printf("%-12s %-4s %8s %7s %5s %9s %8s\n", "level", "kv", "head_dim", "queries", "keys",
                "ns/qk", "GFMA/s");
    for (Isa isa : supported_isas())
        for (KvType type : {KvType::F16, KvType::Q8_0, KvType::F32})
            for (Shape shape : {Shape{64, 3, n_keys, false}, Shape{128, 3, n_keys, false},
                                Shape{64, 1, n_keys, false}, Shape{64, 64, n_keys, true},
                                Shape{128, 64, n_keys, true}}) {
                Bench bench(kernel_table(isa), type, shape);
                const double pairs = static_cast<double>(shape.n_queries) * shape.n_keys;
                const double ns = seconds_of_best_run(bench, seconds) * 1e9 / pairs;
                std::printf("%-12s %-4s %8d %7d %5d %9.2f %8.2f\n", isa_name(isa), type_name(type),
                            shape.head_dim, shape.n_queries, shape.n_keys, ns,
                            2 * shape.head_dim / ns);
            }
    return 0;
}

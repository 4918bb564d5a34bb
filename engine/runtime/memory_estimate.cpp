// SPDX-License-Identifier: Apache-2.0
#include "engine/base/memory.h"
#include "engine/runtime/context_length.h"
#include "kernels/kernels.h"

#include <algorithm>

namespace sotto {
namespace {

// Texts, ids and merges of a vocabulary, with the tables to find them: 165 to 300 bytes a token
// were measured.
constexpr std::int64_t kVocabularyBytes = 220;
// Threads, tables and what the allocator keeps.
constexpr std::int64_t kFixedBytes = std::int64_t{5} << 20;

/// Rows of activations as StepContext has them, quantised ones among them, and a row of scores for
/// each request.
std::int64_t buffer_bytes(const ModelInfo& i, const EngineOptions& o) {
    const std::int64_t q = std::int64_t{i.n_head} * i.head_dim;
    const std::int64_t kv = std::int64_t{i.n_head_kv} * i.head_dim;
    const std::int64_t floats = 3 * i.n_embd + 2 * q + 2 * kv + 2 * i.n_ff;
    const std::int64_t widest = std::max<std::int64_t>({i.n_embd, q, i.n_ff});
    const std::int64_t codes =
        widest + widest / kernels::kActBlock * (12 + kernels::kPackedActBlockBytes);
    return (o.n_batch + 1) * (4 * floats + codes) + std::int64_t{4} * i.n_vocab;
}

} // namespace

MemoryEstimate estimate_memory(const ModelInfo& info, const EngineOptions& options,
                               std::int64_t freed_bytes) {
    MemoryEstimate e;
    e.weight_bytes = info.weight_bytes;
    e.vocabulary_bytes = kFixedBytes + kVocabularyBytes * info.n_vocab;
    e.buffer_bytes = buffer_bytes(info, options);
    e.freed_bytes = freed_bytes;
    e.available_bytes = available_memory_bytes();
    const std::int64_t left =
        e.available_bytes + freed_bytes - e.weight_bytes - e.vocabulary_bytes - e.buffer_bytes;
    const auto n_ctx = runtime::choose_n_ctx(
        info, options, e.available_bytes > 0 ? std::max<std::int64_t>(1, left) : 0);
    e.n_ctx = n_ctx ? *n_ctx : options.n_ctx;
    e.kv_bytes = info.kv_bytes(options.cache_type, e.n_ctx);
    return e;
}

} // namespace sotto

// SPDX-License-Identifier: Apache-2.0
#include "engine/base/parallel.h"
#include "engine/model/loaded_model.h"

#include <algorithm>

namespace sotto::model {
namespace {

/// Of pieces of memory, by several threads; then of these hashes.
Hash128 hash_of_memory(std::span<const std::byte> bytes) {
    constexpr std::size_t kPiece = std::size_t{4} << 20;
    std::vector<Hash128> pieces((bytes.size() + kPiece - 1) / kPiece);
    parallel_for(pieces.size(), [&](std::size_t i) {
        const std::size_t begin = i * kPiece;
        pieces[i] = hash_bytes(bytes.subspan(begin, std::min(kPiece, bytes.size() - begin)));
    });
    return hash_bytes(std::as_bytes(std::span(pieces)));
}

void add_vectors(FastHash& hash, const Weights& weights) {
    const auto add = [&](const Vector& vector) {
        hash.add_text(
            {reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float)});
    };
    add(weights.output_norm);
    add(weights.rope_freqs);
    for (const LayerWeights& l : weights.layers) {
        for (const Vector* v :
             {&l.attn_norm, &l.attn_q_bias, &l.attn_k_bias, &l.attn_v_bias, &l.attn_q_norm,
              &l.attn_k_norm, &l.post_attn_norm, &l.post_ffn_norm, &l.ffn_norm}) {
            add(*v);
        }
    }
}

} // namespace

const Hash128& LoadedModel::hash() const {
    std::call_once(hashed_, [this] {
        FastHash hash;
        const Hash128 matrices = hash_of_memory({weights_.memory.data(), weights_.memory.size()});
        hash.add(std::as_bytes(std::span(matrices)));
        add_vectors(hash, weights_);
        hash.add_text(info_.architecture);
        for (const MetadataEntry& entry : info_.metadata) {
            hash.add_text(entry.key);
            hash.add_text(entry.value);
        }
        hash_ = hash.get();
    });
    return hash_;
}

} // namespace sotto::model

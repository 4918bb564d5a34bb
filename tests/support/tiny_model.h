// SPDX-License-Identifier: Apache-2.0
// A whole llama-type model with random weights, small enough for a test to make: 2 layers, 4 heads
// that share 2 key/value heads, and a vocabulary that is no multiple of 16.
#pragma once

#include "engine/tokenizer/byte_level.h"
#include "tests/support/gguf_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sotto::test {

struct TinyShape {
    std::uint32_t n_layer = 2, n_embd = 256, n_head = 4, n_head_kv = 2, head_dim = 64, n_ff = 512,
                  n_ctx = 512;
    std::uint32_t weight_type = 1; // ggml number: F16
    bool tied = true;
};

/// Byte tokens, a few merges, ChatML's marks, and unused entries up to 277.
struct TinyVocabulary {
    std::vector<std::string> tokens;
    std::vector<std::int32_t> types;
    std::vector<std::string> merges = {"h e", "l l", "he ll", "hell o", "Ġ t"};

    TinyVocabulary() {
        for (const std::string& spelling : tokenizer::byte_stand_ins()) {
            tokens.push_back(spelling);
        }
        for (const char* merged : {"he", "ll", "hell", "hello", "Ġt"}) {
            tokens.emplace_back(merged);
        }
        types.assign(tokens.size(), 1);
        for (const char* mark : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}) {
            tokens.emplace_back(mark);
            types.push_back(3);
        }
        while (tokens.size() < 277) {
            tokens.push_back("<unused" + std::to_string(tokens.size()) + ">");
            types.push_back(5);
        }
    }
    static constexpr std::int32_t kEndOfText = 261, kImEnd = 263;
};

/// Bytes of random weights of any storage type: random codes with sane scales.
class RandomWeights {
  public:
    explicit RandomWeights(unsigned seed) : random_(seed) {}

    std::string make(std::uint32_t type, std::uint64_t n_elements) {
        const formats::GgmlType& t = *formats::find_ggml_type(type);
        std::string bytes(n_elements / t.block_elements * t.block_bytes, '\0');
        if (t.block_elements == 1) {
            for (std::uint64_t i = 0; i < n_elements; ++i) {
                put_float(type, bytes.data() + i * t.block_bytes, uniform() * 0.1f);
            }
            return bytes;
        }
        for (char& c : bytes) {
            c = static_cast<char>(random_());
        }
        for (std::size_t at = 0; at < bytes.size(); at += t.block_bytes) {
            put_scales(t, bytes.data() + at);
        }
        return bytes;
    }
    std::vector<float> norm(std::uint64_t n) {
        std::vector<float> w(n);
        for (float& x : w) {
            x = 1.0f + 0.1f * uniform();
        }
        return w;
    }

  private:
    float uniform() {
        return static_cast<float>(static_cast<std::int32_t>(random_())) * 0x1p-31f;
    }                                    // -1 to 1
    static std::uint16_t half(float x) { // of a normal number in range, truncated
        std::uint32_t bits = 0;
        std::memcpy(&bits, &x, 4);
        return static_cast<std::uint16_t>((bits >> 16 & 0x8000) |
                                          (((bits & 0x7FFFFFFF) - (112u << 23)) >> 13));
    }
    static void put(char* to, std::uint16_t value) { std::memcpy(to, &value, 2); }
    static void put_float(std::uint32_t type, char* to, float x) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &x, 4);
        if (type == 0) {
            std::memcpy(to, &x, 4);
        } else if (type == 30) {
            put(to, static_cast<std::uint16_t>(bits >> 16));
        } else {
            put(to, std::abs(x) < 0x1p-13f ? 0 : half(x));
        }
    }
    /// Where a block keeps its scale and, if it has one, the scale of its minima; the largest code
    /// that a scale is multiplied by.
    struct Scales {
        std::uint32_t type;
        int d, dmin;
        float code_range;
    };
    static constexpr Scales kScales[] = {
        {2, 0, -1, 15},      {3, 0, 2, 15},           {6, 0, -1, 15},        {7, 0, 2, 15},
        {8, 0, -1, 127},     {10, 80, 82, 3 * 15},    {11, 108, -1, 4 * 32}, {12, 0, 2, 15 * 63},
        {13, 0, 2, 15 * 63}, {14, 208, -1, 32 * 127}, {20, 0, -1, 127},      {23, 0, -1, 127 * 32},
    };
    void put_scales(const formats::GgmlType& t, char* block) {
        const auto& s = *std::ranges::find(kScales, t.id, &Scales::type);
        const std::uint16_t d =
            half(std::max(0x1p-13f, (0.5f + 0.4f * uniform()) * 0.1f / s.code_range));
        put(block + s.d, d);
        if (s.dmin >= 0) {
            const bool is_factor = t.id >= 10; // of integer minima; else the minimum itself
            put(block + s.dmin, is_factor ? d : half(-0.05f + 0.01f * uniform()));
        }
    }

    std::mt19937 random_;
};

/// The file; tests bend it further.
inline GgufWriter tiny_model(const TinyShape& s = {}, unsigned seed = 1) {
    GgufWriter w;
    const TinyVocabulary v;
    const auto n_vocab = std::uint64_t{v.tokens.size()};
    w.put("general.architecture", "llama").put("general.name", "tiny");
    w.put("llama.context_length", s.n_ctx)
        .put("llama.embedding_length", s.n_embd)
        .put("llama.block_count", s.n_layer);
    w.put("llama.feed_forward_length", s.n_ff).put("llama.attention.head_count", s.n_head);
    w.put("llama.attention.head_count_kv", s.n_head_kv)
        .put("llama.attention.key_length", s.head_dim);
    w.put("llama.attention.value_length", s.head_dim)
        .put("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    w.put("llama.rope.freq_base", 10000.0f);
    w.put("tokenizer.ggml.model", "gpt2")
        .put("tokenizer.ggml.pre", "smollm")
        .put("tokenizer.ggml.tokens", v.tokens);
    w.put("tokenizer.ggml.token_type", v.types).put("tokenizer.ggml.merges", v.merges);
    w.put("tokenizer.ggml.eos_token_id", std::uint32_t{TinyVocabulary::kImEnd});
    RandomWeights r(seed);
    const auto matrix = [&](const std::string& name, std::uint64_t cols, std::uint64_t rows) {
        w.add(name, {cols, rows}, s.weight_type, r.make(s.weight_type, cols * rows));
    };
    matrix("token_embd.weight", s.n_embd, n_vocab);
    w.add("output_norm.weight", {s.n_embd}, r.norm(s.n_embd));
    if (!s.tied) {
        matrix("output.weight", s.n_embd, n_vocab);
    }
    for (std::uint32_t i = 0; i < s.n_layer; ++i) {
        const std::string p = "blk." + std::to_string(i) + ".";
        const std::uint64_t q = s.n_head * s.head_dim, kv = s.n_head_kv * s.head_dim;
        w.add(p + "attn_norm.weight", {s.n_embd}, r.norm(s.n_embd));
        matrix(p + "attn_q.weight", s.n_embd, q);
        matrix(p + "attn_k.weight", s.n_embd, kv);
        matrix(p + "attn_v.weight", s.n_embd, kv);
        matrix(p + "attn_output.weight", q, s.n_embd);
        w.add(p + "ffn_norm.weight", {s.n_embd}, r.norm(s.n_embd));
        matrix(p + "ffn_gate.weight", s.n_embd, s.n_ff);
        matrix(p + "ffn_up.weight", s.n_embd, s.n_ff);
        matrix(p + "ffn_down.weight", s.n_ff, s.n_embd);
    }
    return w;
}

} // namespace sotto::test

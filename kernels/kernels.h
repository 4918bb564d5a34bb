// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the engine: one table of function pointers per instruction set. No threads, no
// allocation, no state. The scalar table is the specification; the others return its bits for every
// shape and batch (ARCHITECTURE.md, "Numerics").
#pragma once

#include "kernels/isa.h"
#include "kernels/weights.h"

namespace sotto::kernels {

/// Stands for every rule of the arithmetic; any change of a result's bits raises it.
inline constexpr int kNumericsVersion = 3;

/// Softmax runs over chunks of this many logical key indices (numerics, rule 6).
inline constexpr int kAttnChunk = 256;
/// Keys and values are stored in tiles of this many positions.
inline constexpr int kKvTile = 16;

enum class KvType : std::uint8_t { F32, F16, Q8_0 };
/// Bytes of a K tile (and of a V tile) of one head, a multiple of 64.
///   F32, F16  K [head_dim][16 keys], V [16 keys][head_dim]
///   Q8_0      int8 with an F16 scale for each token and 32 dimensions (fewer at the end, the codes
///             padded with zeros): K as a packed group of 16 rows (packed_layout.h), a key each;
///             V [blocks][16 keys] scales, then [16 keys][32 * blocks] codes
std::size_t kv_tile_bytes(KvType type, int head_dim);
enum class RopeStyle : std::uint8_t {
    interleaved, ///< pairs (2i, 2i+1): llama files, whose Q and K rows are permuted for it
    halves,      ///< pairs (i, i + n_rot/2)
};

/// Bytes that pack_rows() makes of a block of 32 columns of a row.
inline constexpr int kPackedActBlockBytes = 48;
/// Rows that are packed apart begin at a multiple of this.
inline constexpr int kPackedRows = 12;

/// n_rows activation rows. Products with quantised weights read `packed`, but for the scalar level,
/// which reads q, d and sum; products with others read x.
struct Activations {
    std::int64_t n_rows = 0;
    const float* x = nullptr;          // [n_rows, x_stride]
    std::int64_t x_stride = 0;         // floats, >= n_cols
    const std::int8_t* q = nullptr;    // [n_rows, q_stride]; blocks of 32
    std::int64_t q_stride = 0;         // bytes, >= n_cols rounded up to 32; a multiple of 64
    const float* d = nullptr;          // [n_rows, d_stride] one scale a block
    std::int64_t d_stride = 0;         // floats, >= number of blocks
    const std::int32_t* sum = nullptr; // [n_rows, 2 * d_stride] sums of q over each 16 columns
    const void* packed = nullptr;      // by pack_rows() for the weights' type and all n_rows rows
};

/// One chunk (at most 256 logical keys) of attention for queries that share a KV head. The chunk's
/// own maximum, sum and output are formed first, then merged into the running state (online
/// softmax).
struct AttentionChunk {
    KvType k_type = KvType::F16, v_type = KvType::F16;
    int head_dim = 0;
    int n_keys = 0; // keys in the chunk, 1..256
    // ceil(n_keys/16) tiles each. Those before the lowest begin and after the highest end below are
    // not read: a window that has left them may have given them up.
    const void* const* k_tiles = nullptr; // kv_tile_bytes() each
    const void* const* v_tiles = nullptr;
    int n_queries = 0;
    const float* const* q = nullptr;    // n_queries vectors [head_dim]
    const int* visible_begin = nullptr; // per query: keys [begin, end) of the chunk are seen;
    const int* visible_end = nullptr;   // none: the chunk leaves that query's state untouched
    float scale = 1.0f;                 // usually 1/sqrt(head_dim)
    float* max = nullptr;               // state [n_queries], -infinity before the first chunk
    float* sum = nullptr;               // state [n_queries], 0 before the first chunk
    float* const* out = nullptr; // state, n_queries vectors [head_dim]; need no initial value
    float* scratch = nullptr;    // attention_scratch_floats(n_queries, head_dim), 64-byte aligned
    bool queries_known = false;  // the call before had the same scratch and queries
    // 16 K tiles that will be read next, to be fetched ahead, or null.
    const void* const* next_k_tiles = nullptr;
};
std::size_t attention_scratch_floats(int n_queries, int head_dim);

struct KernelTable {
    Isa isa;

    /// y[i, 16*group_begin .. 16*group_end) = W x[i] for each activation row i. `w` is the packed
    /// matrix (its first group); n_cols % block_cols == 0; y rows are ldy floats apart, padded
    /// to 16.
    using Matmul = void (*)(const void* w, std::int64_t n_cols, std::int64_t group_begin,
                            std::int64_t group_end, const Activations& x, float* y,
                            std::int64_t ldy);
    Matmul matmul[kNWeightTypes]; // by WeightType

    /// Rows begin..end of x.n_rows (q, d, sum) as this level multiplies them with weights of a
    /// type: packed[n_rows][n_cols / 32][kPackedActBlockBytes]. begin is a multiple of kPackedRows;
    /// end is one too, or n_rows. Null where a level or type has no need of it.
    using PackRows = void (*)(const Activations& x, std::int64_t n_cols, std::int64_t begin,
                              std::int64_t end, void* packed);
    PackRows pack_rows[kNWeightTypes]; // by WeightType

    /// int8 activations in blocks of 32 (numerics, rule 2): q[n rounded up to 32, zero padded],
    /// d[blocks], sum[2*blocks]. A block with a non-finite value gets a NaN scale, so that it
    /// shows.
    void (*quantize_row)(const float* x, std::int64_t n, std::int8_t* q, float* d,
                         std::int32_t* sum);

    /// y = x / sqrt(mean(x^2) + eps) * w, all [n], n >= 1. y may be x: a head of a row is normed in
    /// place. All NaN where the sum of squares overflows (|x| of about 1e19), so that it shows.
    void (*rms_norm)(const float* x, const float* w, std::int64_t n, float eps, float* y);
    /// x[n_head, head_dim]: rotates the first n_rot of each head. cos, sin [n_rot/2].
    void (*rope)(float* x, int n_head, int head_dim, int n_rot, const float* cos, const float* sin,
                 RopeStyle style);
    /// gate = gate / (1 + exp(-gate)) * up, [n]
    void (*silu_mul)(float* gate, const float* up, std::int64_t n);
    /// gate = gelu(gate) * up, [n]; gelu in its tanh form, x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715
    /// x^3)))
    void (*gelu_tanh_mul)(float* gate, const float* up, std::int64_t n);
    /// y += x, [n]
    void (*add)(float* y, const float* x, std::int64_t n);
    /// x *= factor, [n]
    void (*scale)(float* x, float factor, std::int64_t n);
    /// x = exp(x - max(x)) / sum, [n], n >= 1
    void (*softmax)(float* x, std::int64_t n);
    /// log(sum(exp(x))), [n], n >= 1, summed as numerics rule 5 says
    float (*log_sum_exp)(const float* x, std::int64_t n);
    /// Index of the largest value, the lowest on a tie; -1 if any value is NaN or infinite. [n], n
    /// >= 1
    std::int64_t (*argmax)(const float* x, std::int64_t n);

    /// Writes key k[head_dim] into lane `lane` of a K tile, value v[head_dim] into row `lane` of a
    /// V tile. F16 stores saturate, the scales of Q8_0 too; codes are those of quantize_row().
    void (*store_k)(KvType type, const float* k, int head_dim, int lane, void* tile);
    void (*store_v)(KvType type, const float* v, int head_dim, int lane, void* tile);
    void (*attention_chunk)(const AttentionChunk& chunk);
    /// Merges what a later chunk gave, on a state of its own, into the state of those before it. o
    /// [head_dim], readable up to the next multiple of 16.
    void (*attention_merge)(int head_dim, float max, float sum, const float* o, float* state_max,
                            float* state_sum, float* out);
    /// out[head_dim] /= sum, once all chunks are merged
    void (*attention_finish)(float* out, float sum, int head_dim);

    // For benchmarks; *sink keeps the work from being left out.
    /// As many 8-bit products as the processor can do, from registers; codes [64], x [32]. Returns
    /// how many products and additions that were.
    std::int64_t (*probe_products)(std::int64_t n_rounds, const std::uint8_t* codes,
                                   const std::int8_t* x, std::int32_t* sink);
    /// Reads n_bytes (a multiple of 512) in order, once, as fast as the bus gives them; looks up to
    /// 4 KiB ahead by prefetches, which may go past the end.
    void (*probe_read)(const void* data, std::int64_t n_bytes, std::int32_t* sink);
};

/// `isa` must be one of supported_isas().
const KernelTable& kernel_table(Isa isa);

} // namespace sotto::kernels

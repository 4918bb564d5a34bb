// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sotto::kernels {

/// Storage types of weight matrices, named as in ggml.
enum class WeightType : std::uint8_t {
    F32,
    F16,
    BF16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q4_K,
    Q5_K,
    Q6_K,
    Q2_K,
    Q3_K,
    IQ4_NL,
    IQ4_XS
};
inline constexpr int kNWeightTypes = 15;

/// Rows are packed in groups of this many, one row per lane (numerics, rule 1).
inline constexpr int kGroupRows = 16;
/// Columns that share one activation scale (numerics, rule 2).
inline constexpr int kActBlock = 32;

struct WeightTraits {
    WeightType type;
    const char* name;      // "Q4_K"
    std::uint32_t ggml_id; // ggml_type in a GGUF tensor record
    int block_cols;        // columns in one block as stored in the file: 1, 32 or 256
    int block_bytes;       // bytes of such a block
    bool quantized;        // products take int8 activations; else f32 ones
};

const WeightTraits& traits(WeightType type);
/// Null for a ggml type that has no kernels here.
const WeightTraits* traits_of_ggml(std::uint32_t ggml_id);

/// Bytes of one row as stored in a file. n_cols % block_cols == 0.
std::size_t source_row_bytes(WeightType type, std::int64_t n_cols);
/// Bytes of one packed group of 16 rows.
std::size_t packed_group_bytes(WeightType type, std::int64_t n_cols);

/// Packs n_rows (1..16) consecutive source rows into one group at `dst`
/// (packed_group_bytes; 64-byte aligned); missing rows become zero.
void pack_group(WeightType type, const void* src, int n_rows, std::int64_t n_cols, void* dst);

/// Row `lane` of a packed group, widened exactly as a float holds it: dst[n_cols].
/// Used for embeddings, which are looked up in the packed table.
void unpack_row(WeightType type, const void* group, int lane, std::int64_t n_cols, float* dst);

/// One source row widened: dst[n_cols]. For vectors (norms) and tests.
void dequantize_row(WeightType type, const void* src, std::int64_t n_cols, float* dst);

} // namespace sotto::kernels

// SPDX-License-Identifier: Apache-2.0
// What an attention kernel's scratch memory holds. Included inside an unnamed namespace.

constexpr int kTileQueries = 4; // queries that share one reading of keys and values
/// Floats between the outputs of a tile's queries.
constexpr int padded_head_dim(int head_dim) {
    return (head_dim + 15) / 16 * 16;
}

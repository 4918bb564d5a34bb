// SPDX-License-Identifier: Apache-2.0
// Activations as the quantised products read them: tiles of kMaxRows, half as many .. 1 rows, block
// by block, with what the weight type needs beside the codes. Included inside an unnamed namespace.

/// Whether tiles of so many rows are multiplied by Simd::MatrixSum.
template <int kRows>
constexpr bool kOfMatrices = Simd::kHasMatrices&& kRows % 2 == 0;

/// One block (32 columns) of kRows activation rows.
template <int kRows>
struct ActTile {
    std::int8_t q[kRows][kActBlock]; // of matrices: [kRows / 2][4][2 rows][8 columns]
    float d[kRows];
    float min[kRows]; // d * float(sum of q): what a weight's min is multiplied by
    union {
        // Minus what the codes' offset adds to the integer sum: of 16 columns each, or [0] of all.
        std::int32_t offset[2][kRows];
        std::int32_t sums[kRows]; // Q2_K, which has no offset: the sums of 16 columns, 16 bits each
    };

    /// Of matrices: 8 columns of row r, in memory before those of row r + 1; r is even.
    SOTTO_MEMBER const std::int8_t* columns(int r, int column) const { return q[r] + 2 * column; }
    SOTTO_MEMBER void set_codes(int r, const std::int8_t* codes) {
        if constexpr (kOfMatrices<kRows>)
            for (int column = 0; column < kActBlock; column += 8)
                __builtin_memcpy(q[r / 2 * 2] + 2 * column + r % 2 * 8, codes + column, 8);
        else
            __builtin_memcpy(q[r], codes, kActBlock);
    }
};

/// What the codes of a type stand above what they mean, as this level's dot product takes them.
template <WeightType kType>
constexpr int kCodeOffset =
    PackedLayout<kType>::kSigned ? Simd::kSignedOffset : PackedLayout<kType>::kOffset;

template <WeightType kType, int kRows>
void fill_tile(const Activations& a, std::int64_t row, std::int64_t n_blocks, ActTile<kRows>* out) {
    static_assert(sizeof(ActTile<kRows>) == kRows * kPackedActBlockBytes);
    using Layout = PackedLayout<kType>;
    constexpr int kOffset = kCodeOffset<kType>;
    for (std::int64_t b = 0; b < n_blocks; ++b, ++out) {
        for (int r = 0; r < kRows; ++r) {
            const std::int64_t at = (row + r) * a.d_stride + b;
            const std::int32_t first = a.sum[2 * at], second = a.sum[2 * at + 1];
            out->set_codes(r, a.q + (row + r) * a.q_stride + b * kActBlock);
            out->d[r] = a.d[at];
            if constexpr (Layout::kPairs && Layout::kHasMin)
                out->sums[r] = (second << 16) | (first & 0xffff);
            else if constexpr (Layout::kHasMin)
                out->min[r] = a.d[at] * static_cast<float>(first + second);
            if constexpr (kOffset != 0) {
                out->offset[0][r] = -kOffset * (Layout::kHalves ? first : first + second);
                out->offset[1][r] = -kOffset * second;
            }
        }
    }
}

/// Rows of the tiles that take what is left of tiles of kRows.
template <int kRows>
constexpr int kSmallerTile = kRows == 12 ? 8 : kRows / 2;

/// Where the tiles of rows row.. begin.
SOTTO_INLINE std::int64_t tile_offset(std::int64_t row, std::int64_t n_blocks) {
    return row * n_blocks * kPackedActBlockBytes;
}

/// Rows row..row_end into tiles of kRows, then of half as many. Packing and multiplying walk alike.
template <WeightType kType, int kRows>
void fill_tiles(const Activations& a, std::int64_t row, std::int64_t row_end, std::int64_t n_blocks,
                unsigned char* packed) {
    for (; row + kRows <= row_end; row += kRows)
        fill_tile<kType>(a, row, n_blocks,
                         reinterpret_cast<ActTile<kRows>*>(packed + tile_offset(row, n_blocks)));
    if constexpr (kRows > 1)
        fill_tiles<kType, kSmallerTile<kRows>>(a, row, row_end, n_blocks, packed);
}

template <WeightType kType>
void pack_rows(const Activations& a, std::int64_t n_cols, std::int64_t begin, std::int64_t end,
               void* packed) {
    fill_tiles<kType, Simd::kMaxRows>(a, begin, end, n_cols / kActBlock,
                                      static_cast<unsigned char*>(packed));
}

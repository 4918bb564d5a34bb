// SPDX-License-Identifier: Apache-2.0
// Products of packed quantised weights with int8 activations, generic over Simd (simd/dot_<isa>.h)
// and the weight type. Included inside an unnamed namespace. The definition is scalar_matmul.cpp.
//
// Each group of weights is used for 32 rows of activations (act_tiles.inl.h), and of so many
// columns (a panel) that these stay in the first cache. Between panels the accumulators rest in y,
// which changes no bit.

constexpr int kPrefetchBytes = 4096; // ahead; measured: 2048 and 8192 are slower

/// What a block's scale d is multiplied by: an integer. `scales` is the block's first byte.
template <WeightType kType, int kRows, int kGroups>
SOTTO_INLINE void block_sums(const std::uint8_t* scales, const std::uint8_t* codes,
                             std::int64_t group_bytes, const ActTile<kRows>& x,
                             typename Pass<kRows, kGroups>::Floats& sum) {
    using P = Pass<kRows, kGroups>;
    typename P::Ints half;
    constexpr bool kHalves = PackedLayout<kType>::kHalves;
    dot<kType, kRows, kGroups, 0, kHalves ? 4 : 8>(codes, group_bytes, x, half);
    for (int v = 0; v < P::kVectors; ++v)
        for (int r = 0; r < kRows; ++r)
            sum[v][r] = Simd::to_floats(half[v][r]);
    if constexpr (kHalves) {
        // All below 2^24, so floats are exact; products of 32-bit integers take twice as long.
        dot<kType, kRows, kGroups, 4, 4>(codes, group_bytes, x, half);
        for (int v = 0; v < P::kVectors; ++v) {
            const std::uint8_t* p = scales + P::offset(v, group_bytes, 1);
            const auto s0 = Simd::to_floats(Simd::load_i8(p));
            const auto s1 = Simd::to_floats(Simd::load_i8(p + kGroupRows));
            for (int r = 0; r < kRows; ++r)
                sum[v][r] = Simd::fma(s1, Simd::to_floats(half[v][r]), Simd::mul(s0, sum[v][r]));
        }
    }
}

/// One block's step of the chains of a type whose scales are pairs. d and m belong to the
/// superblock; the mins of 16 columns are multiplied with the activations' sums as integers.
template <WeightType kType, int kRows, int kGroups>
SOTTO_INLINE void add_block_of_pairs(const std::uint8_t* block, std::int64_t group_bytes,
                                     int first_lane, const ActTile<kRows>& x,
                                     const typename Pass<kRows, kGroups>::Scales& d,
                                     const typename Pass<kRows, kGroups>::Scales& m,
                                     typename Pass<kRows, kGroups>::Floats& acc) {
    using Layout = PackedLayout<kType>;
    using P = Pass<kRows, kGroups>;
    const std::uint8_t* codes = block + Layout::kScaleBytes + first_lane * 4;
    typename P::Ints first, second;
    dot<kType, kRows, kGroups, 0, 4>(codes, group_bytes, x, first);
    dot<kType, kRows, kGroups, 4, 4>(codes, group_bytes, x, second);
    for (int v = 0; v < P::kVectors; ++v) {
        const std::uint8_t* p = block + 2 * first_lane + P::offset(v, group_bytes, 2);
        Simd::Ints scales, mins;
        if constexpr (Layout::kHasMin)
            scales = Simd::load_pairs_u4(p, mins);
        else
            scales = Simd::load_pairs_i8(p);
        for (int r = 0; r < kRows; ++r) {
            const auto dx = Simd::broadcast(&x.d[r]);
            const auto sum = Simd::dot_pairs(Simd::pair(first[v][r], second[v][r]), scales);
            acc[v][r] = Simd::fma(Simd::to_floats(sum), Simd::mul(d[v], dx), acc[v][r]);
            if constexpr (Layout::kHasMin) {
                const auto min = Simd::dot_pairs(Simd::broadcast_ints(&x.sums[r]), mins);
                acc[v][r] =
                    Simd::fma(Simd::to_floats(min), Simd::negate(Simd::mul(m[v], dx)), acc[v][r]);
            }
        }
    }
}

/// One block's step of the chains. d and m belong to the block or its superblock.
template <WeightType kType, int kRows, int kGroups>
SOTTO_INLINE void add_block(const std::uint8_t* block, std::int64_t group_bytes, int first_lane,
                            const ActTile<kRows>& x, const typename Pass<kRows, kGroups>::Scales& d,
                            const typename Pass<kRows, kGroups>::Scales& m,
                            typename Pass<kRows, kGroups>::Floats& acc) {
    using Layout = PackedLayout<kType>;
    using P = Pass<kRows, kGroups>;
    const std::uint8_t* scales = block + first_lane;
    typename P::Floats sum;
    block_sums<kType, kRows, kGroups>(scales, block + Layout::kScaleBytes + first_lane * 4,
                                      group_bytes, x, sum);
    for (int v = 0; v < P::kVectors; ++v) {
        Simd::Floats scale = d[v], min = m[v];
        const std::uint8_t* p = scales + P::offset(v, group_bytes, 1);
        if constexpr (Layout::kScales == SubScales::scale_min) {
            scale = Simd::mul(scale, Simd::load_u8(p));
            min = Simd::negate(Simd::mul(min, Simd::load_u8(p + kGroupRows)));
        }
        if constexpr (Layout::kScales == SubScales::one)
            scale = Simd::mul(scale, Simd::to_floats(Simd::load_i8(p)));
        for (int r = 0; r < kRows; ++r) {
            acc[v][r] = Simd::fma(sum[v][r], Simd::mul(scale, Simd::broadcast(&x.d[r])), acc[v][r]);
            if constexpr (Layout::kHasMin)
                acc[v][r] = Simd::fma(min, Simd::broadcast(&x.min[r]), acc[v][r]);
        }
    }
}

/// y[kRows][16 rows of each group] (+)= n_supers superblocks of weights times x.
template <WeightType kType, int kRows, int kGroups>
SOTTO_INLINE void multiply_groups(const std::uint8_t* w, std::int64_t group_bytes,
                                  std::int64_t n_supers, const ActTile<kRows>* x, bool first_panel,
                                  float* y, std::int64_t ldy) {
    using Layout = PackedLayout<kType>;
    using P = Pass<kRows, kGroups>;
    // What is fetched ahead lies in these groups or, near their end, in the next ones.
    const std::int64_t bytes = n_supers * Layout::kSuperBytes;
    const std::uint8_t* near_end = w + bytes - kPrefetchBytes;
    const std::int64_t into_next = kPrefetchBytes - bytes + kGroups * group_bytes;
    for (int lane = 0; lane < kGroupRows; lane += P::kLanes) {
        typename P::Floats acc;
        for (int v = 0; v < P::kVectors; ++v)
            for (int r = 0; r < kRows; ++r)
                acc[v][r] =
                    first_panel ? Simd::zero() : Simd::load_f32(y + r * ldy + lane + P::row(v));
        const std::uint8_t* head = w;
        const ActTile<kRows>* tile = x;
        for (std::int64_t s = 0; s < n_supers; ++s, head += Layout::kSuperBytes) {
            typename P::Scales d, m;
            for (int v = 0; v < P::kVectors; ++v) {
                const std::uint8_t* p = head + 2 * lane + P::offset(v, group_bytes, 2);
                d[v] = Simd::load_f16(p);
                m[v] = Layout::kHasMin ? Simd::load_f16(p + 2 * kGroupRows) : Simd::zero();
            }
            const std::uint8_t* block = head + Layout::kHeadBytes;
            for (int b = 0; b < Layout::kBlocks; ++b, block += Layout::kBlockBytes, ++tile) {
                const std::int64_t ahead = block < near_end ? kPrefetchBytes : into_next;
                for (int g = 0; g < kGroups; ++g)
                    for (int line = 0; line < Layout::kBlockBytes; line += 64)
                        Simd::prefetch(block + g * group_bytes + ahead + line);
                if constexpr (Layout::kPairs)
                    add_block_of_pairs<kType, kRows, kGroups>(block, group_bytes, lane, *tile, d, m,
                                                              acc);
                else
                    add_block<kType, kRows, kGroups>(block, group_bytes, lane, *tile, d, m, acc);
            }
        }
        for (int v = 0; v < P::kVectors; ++v)
            for (int r = 0; r < kRows; ++r)
                Simd::store(y + r * ldy + lane + P::row(v), acc[v][r]);
    }
}

constexpr std::int64_t kPanelRows = 36;
constexpr std::int64_t kPanelBytes = 64 * 1024; // of activations

/// What is multiplied: some columns of packed weights and of packed activations.
struct Panel {
    const std::uint8_t* w; // the matrix's first group, moved to the panel's first column
    std::int64_t group_bytes;
    const unsigned char* tiles; // the first row's
    std::int64_t row_blocks;    // of a whole row
    std::int64_t first_block, n_blocks;
};

/// Rows row..row_end times kMany groups.
template <WeightType kType, int kRows, int kMany>
void multiply_tiles(const Panel& panel, std::int64_t group, std::int64_t row, std::int64_t row_end,
                    float* y, std::int64_t ldy) {
    constexpr int kGroups =
        kMany < Simd::template kGroups<kRows> ? kMany : Simd::template kGroups<kRows>;
    for (; row + kRows <= row_end; row += kRows) {
        const auto* tiles = reinterpret_cast<const ActTile<kRows>*>(
            panel.tiles + tile_offset(row, panel.row_blocks));
        for (std::int64_t g = group; g < group + kMany; g += kGroups)
            multiply_groups<kType, kRows, kGroups>(
                panel.w + g * panel.group_bytes, panel.group_bytes,
                panel.n_blocks / PackedLayout<kType>::kBlocks, tiles + panel.first_block,
                panel.first_block == 0, y + row * ldy + g * kGroupRows, ldy);
    }
    if constexpr (kRows > 1)
        multiply_tiles<kType, kSmallerTile<kRows>, kMany>(panel, group, row, row_end, y, ldy);
}

/// Groups group..group_end, kMany at a time, what is left half as many.
template <WeightType kType, int kMany>
void multiply_range(const Panel& panel, std::int64_t group, std::int64_t group_end,
                    std::int64_t row, std::int64_t row_end, float* y, std::int64_t ldy) {
    for (; group + kMany <= group_end; group += kMany)
        multiply_tiles<kType, Simd::kMaxRows, kMany>(panel, group, row, row_end, y, ldy);
    if constexpr (kMany > 1)
        multiply_range<kType, kMany / 2>(panel, group, group_end, row, row_end, y, ldy);
}

/// Blocks of a panel for n_rows rows: all panels alike, of whole superblocks.
template <WeightType kType>
std::int64_t panel_blocks(std::int64_t n_blocks, std::int64_t n_rows) {
    constexpr std::int64_t kSuper = PackedLayout<kType>::kBlocks;
    const std::int64_t fits = kPanelBytes / kPackedActBlockBytes / n_rows / kSuper * kSuper;
    const std::int64_t n_panels = (n_blocks + fits - 1) / fits;
    return ((n_blocks + n_panels - 1) / n_panels + kSuper - 1) / kSuper * kSuper;
}

template <WeightType kType>
void matmul_quantized(const void* w, std::int64_t n_cols, std::int64_t group_begin,
                      std::int64_t group_end, const Activations& a, float* y, std::int64_t ldy) {
    using Layout = PackedLayout<kType>;
    const auto* weights = static_cast<const std::uint8_t*>(w);
    const std::int64_t n_blocks = n_cols / kActBlock, n_supers = n_blocks / Layout::kBlocks;
    Panel panel{weights,
                (n_supers * Layout::kSuperBytes + 63) / 64 * 64,
                static_cast<const unsigned char*>(a.packed),
                n_blocks,
                0,
                0};
    for (std::int64_t row = 0; row < a.n_rows; row += kPanelRows) {
        const std::int64_t row_end = row + kPanelRows < a.n_rows ? row + kPanelRows : a.n_rows;
        const std::int64_t fits = panel_blocks<kType>(n_blocks, row_end - row);
        for (std::int64_t block = 0; block < n_blocks; block += fits) {
            panel.w = weights + block / Layout::kBlocks * Layout::kSuperBytes;
            panel.first_block = block;
            panel.n_blocks = block + fits < n_blocks ? fits : n_blocks - block;
            multiply_range<kType, Simd::kGroupsAtOnce>(panel, group_begin, group_end, row, row_end,
                                                       y, ldy);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Products of packed F32, F16 and BF16 weights with float activations, generic over Simd: one chain
// of fused multiply-adds over the row (numerics, rule 4). Included inside an unnamed namespace.
//
// Activation rows are copied into a panel whose stride is known here (short addresses, and no two
// rows on the same cache sets); a single row is read where it is. Accumulators rest in y between
// panels.

template <int kRows, int kStride>
struct FloatPanel {
    static constexpr int kCols = kStride - 16;
    alignas(64) float x[kRows][kStride];
};
using SmallPanel = FloatPanel<4, 4096>;
using LargePanel = FloatPanel<32, 496>;

template <WeightType kType>
SOTTO_INLINE Simd::Floats load_weights(const std::uint8_t* p) {
    if constexpr (kType == WeightType::F32)
        return Simd::load_f32(p);
    if constexpr (kType == WeightType::F16)
        return Simd::load_f16(p);
    return Simd::load_bf16(p);
}

/// y[kRows][kGroups * 16] (+)= n columns of kGroups groups of weights times x[kRows][kStride].
template <WeightType kType, int kRows, int kGroups, int kStride>
SOTTO_INLINE void multiply_columns(const std::uint8_t* w, std::int64_t group_bytes, std::int64_t n,
                                   const float* x, bool first_panel, float* y, std::int64_t ldy) {
    constexpr int kVectors = kGroups * Simd::kParts;
    constexpr int kBytes = FloatLayout<kType>::kBytes;
    const std::int64_t bytes = n * kGroupRows * kBytes;
    const std::uint8_t* near_end = w + bytes - kPrefetchBytes;
    const std::int64_t into_next = kPrefetchBytes - bytes + kGroups * group_bytes;
    Simd::Floats acc[kVectors][kRows];
    for (int v = 0; v < kVectors; ++v)
        for (int r = 0; r < kRows; ++r)
            acc[v][r] = first_panel ? Simd::zero() : Simd::load_f32(y + r * ldy + v * Simd::kLanes);
    for (std::int64_t c = 0; c < n; ++c, w += kGroupRows * kBytes, ++x) {
        const std::int64_t ahead = w < near_end ? kPrefetchBytes : into_next;
        for (int g = 0; g < kGroups; ++g)
            Simd::prefetch(w + g * group_bytes + ahead);
        Simd::Floats weight[kVectors];
        for (int v = 0; v < kVectors; ++v)
            weight[v] = load_weights<kType>(w + v / Simd::kParts * group_bytes +
                                            v % Simd::kParts * (Simd::kLanes * kBytes));
        for (int r = 0; r < kRows; ++r) {
            const Simd::Floats value = Simd::broadcast(x + r * kStride);
            for (int v = 0; v < kVectors; ++v)
                acc[v][r] = Simd::fma(weight[v], value, acc[v][r]);
        }
    }
    for (int v = 0; v < kVectors; ++v)
        for (int r = 0; r < kRows; ++r)
            Simd::store(y + r * ldy + v * Simd::kLanes, acc[v][r]);
}

struct GroupRange {
    const std::uint8_t* w; // the matrix, moved to the panel's first column
    std::int64_t group_bytes, begin, end;
};

template <WeightType kType, int kRows, int kStride>
void multiply_groups(const GroupRange& groups, std::int64_t n, const float* x, bool first_panel,
                     float* y, std::int64_t ldy) {
    constexpr int kGroups = Simd::template kFloatGroups<kRows>;
    const std::int64_t bytes = groups.group_bytes;
    std::int64_t g = groups.begin;
    for (; g + kGroups <= groups.end; g += kGroups)
        multiply_columns<kType, kRows, kGroups, kStride>(groups.w + g * bytes, bytes, n, x,
                                                         first_panel, y + g * kGroupRows, ldy);
    for (; g < groups.end; ++g)
        multiply_columns<kType, kRows, 1, kStride>(groups.w + g * bytes, bytes, n, x, first_panel,
                                                   y + g * kGroupRows, ldy);
}

/// All rows of a panel: tiles of kRows, then of half as many.
template <WeightType kType, int kRows, int kStride>
void multiply_rows(const GroupRange& groups, std::int64_t n, const float* x, std::int64_t n_rows,
                   bool first_panel, float* y, std::int64_t ldy) {
    for (; n_rows >= kRows; n_rows -= kRows, x += kRows * kStride, y += kRows * ldy)
        multiply_groups<kType, kRows, kStride>(groups, n, x, first_panel, y, ldy);
    if constexpr (kRows > 1)
        multiply_rows<kType, kRows / 2, kStride>(groups, n, x, n_rows, first_panel, y, ldy);
}

template <WeightType kType, typename Panel, int kRows, int kStride>
void matmul_panels(GroupRange groups, std::int64_t n_cols, const Activations& a, std::int64_t row,
                   std::int64_t n_rows, float* y, std::int64_t ldy) {
    Panel panel;
    for (std::int64_t c = 0; c < n_cols; c += Panel::kCols) {
        const std::int64_t n = c + Panel::kCols < n_cols ? Panel::kCols : n_cols - c;
        for (std::int64_t r = 0; r < n_rows; ++r)
            __builtin_memcpy(panel.x[r], a.x + (row + r) * a.x_stride + c,
                             static_cast<std::size_t>(n) * sizeof(float));
        multiply_rows<kType, kRows, kStride>(groups, n, panel.x[0], n_rows, c == 0, y, ldy);
        groups.w += n * kGroupRows * FloatLayout<kType>::kBytes;
    }
}

template <WeightType kType>
void matmul_float(const void* w, std::int64_t n_cols, std::int64_t group_begin,
                  std::int64_t group_end, const Activations& a, float* y, std::int64_t ldy) {
    const std::int64_t bytes = (n_cols * kGroupRows * FloatLayout<kType>::kBytes + 63) / 64 * 64;
    const GroupRange groups{static_cast<const std::uint8_t*>(w), bytes, group_begin, group_end};
    if (a.n_rows == 1)
        return multiply_groups<kType, 1, 0>(groups, n_cols, a.x, true, y, ldy);
    if (a.n_rows <= 4)
        return matmul_panels<kType, SmallPanel, 4, 4096>(groups, n_cols, a, 0, a.n_rows, y, ldy);
    for (std::int64_t row = 0; row < a.n_rows; row += 32) {
        const std::int64_t n = row + 32 < a.n_rows ? 32 : a.n_rows - row;
        matmul_panels<kType, LargePanel, Simd::kMaxFloatRows, 496>(groups, n_cols, a, row, n,
                                                                   y + row * ldy, ldy);
    }
}

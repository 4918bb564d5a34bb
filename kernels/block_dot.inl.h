// SPDX-License-Identifier: Apache-2.0
// Exact integer products of a block (32 columns) of packed weights with int8 activations, generic
// over Simd (simd/dot_<isa>.h). Included inside an unnamed namespace.

template <WeightType kType>
struct Codes {
    using Layout = PackedLayout<kType>;

    /// Word kStep (4 columns) of kLanes rows; `p` is the block's first vector of codes, at the
    /// part's lane.
    template <int kStep>
    SOTTO_INLINE Simd::Bytes word(const std::uint8_t* p) {
        if constexpr (Layout::kBits == 8)
            return Simd::signed_codes(Simd::load(p + 64 * kStep));
        if constexpr (Layout::kBits < 4) {
            const Simd::Bytes two = Simd::bits<2 * (kStep % 4), 3>(Simd::load(p + kStep / 4 * 64));
            if constexpr (Layout::kBits == 2)
                return two;
            return Simd::or_bits<2 - kStep, 4>(two, Simd::load(p + 128));
        }
        const Simd::Bytes pair = Simd::load(p + 64 * (kStep % 4));
        const Simd::Bytes low = kStep < 4 ? Simd::low_nibbles(pair) : Simd::high_nibbles(pair);
        if constexpr (Layout::kBits == 5)
            return Simd::or_bits<4 - kStep, 0x10>(low, Simd::load(p + 256));
        if constexpr (Layout::kBits == 6)
            return Simd::or_bits<4 - 2 * (kStep % 4), 0x30>(low,
                                                            Simd::load(p + 256 + kStep / 4 * 64));
        if constexpr (Layout::kCodebook)
            return Simd::look_up(kIq4Values, low);
        return low;
    }
    /// As which Simd::Sum takes the words.
    static constexpr int kSumBits = Layout::kSigned ? 8 : Layout::kBits;
};

template <int kValue>
struct Constant {
    static constexpr int value = kValue;
};
template <int... kValues>
struct Sequence {};
template <int kCount, int... kValues>
struct Counted : Counted<kCount - 1, kCount - 1, kValues...> {};
template <int... kValues>
struct Counted<0, kValues...> {
    using type = Sequence<kValues...>;
};
template <typename Body, int... kValues>
SOTTO_INLINE void unrolled(Sequence<kValues...>, const Body& body) {
    (body(Constant<kValues>{}), ...);
}

/// The vectors that a pass works on: kPartsNow vectors of rows in each of kGroups neighbouring
/// groups.
template <int kRows, int kGroups>
struct Pass {
    static constexpr int kPartsNow = Simd::template kPartsAtOnce<kRows>;
    static constexpr int kVectors = kGroups * kPartsNow;
    static constexpr int kLanes = kPartsNow * Simd::kLanes;
    /// Bytes from the first vector's data to that of vector v, `bytes` of data a lane.
    SOTTO_INLINE std::int64_t offset(int v, std::int64_t group_bytes, int bytes) {
        return v / kPartsNow * group_bytes + v % kPartsNow * (Simd::kLanes * bytes);
    }
    SOTTO_INLINE std::int64_t row(int v) { return offset(v, kGroupRows, 1); }

    using Ints = Simd::Ints[kVectors][kRows];
    using Floats = Simd::Floats[kVectors][kRows];
    using Scales = Simd::Floats[kVectors];
};

/// Exact integer sums over words kFirst..kFirst+kCount-1 of a block, for each vector and row.
template <WeightType kType, int kRows, int kGroups, int kFirst, int kCount>
SOTTO_INLINE void dot_words(const std::uint8_t* codes, std::int64_t group_bytes,
                            const ActTile<kRows>& x, typename Pass<kRows, kGroups>::Ints& out) {
    using Of = Codes<kType>;
    using P = Pass<kRows, kGroups>;
    typename Simd::template Sum<Of::kSumBits> sum[P::kVectors][kRows];
    for (int v = 0; v < P::kVectors; ++v)
        for (int r = 0; r < kRows; ++r)
            if constexpr (kCodeOffset<kType> != 0)
                sum[v][r].start(&x.offset[kFirst / 4][r]);
            else
                sum[v][r].start();
    unrolled(typename Counted<kCount>::type{}, [&](auto step) SOTTO_INLINE_LAMBDA {
        constexpr int kStep = decltype(step)::value;
        Simd::Bytes w[P::kVectors];
        for (int v = 0; v < P::kVectors; ++v)
            w[v] = Of::template word<kFirst + kStep>(codes + P::offset(v, group_bytes, 4));
        for (int r = 0; r < kRows; ++r)
            for (int v = 0; v < P::kVectors; ++v)
                sum[v][r].template add<kStep>(w[v], &x.q[r][4 * (kFirst + kStep)]);
    });
    for (int v = 0; v < P::kVectors; ++v)
        for (int r = 0; r < kRows; ++r)
            out[v][r] = sum[v][r].total();
}

/// The same by products of two rows of weights with two rows of activations, 8 columns each. Traits
/// is Simd, a parameter because most have no MatrixSum.
template <class Traits, WeightType kType, int kRows, int kGroups, int kFirst, int kCount>
SOTTO_INLINE void dot_matrices(const std::uint8_t* codes, std::int64_t group_bytes,
                               const ActTile<kRows>& x, typename Pass<kRows, kGroups>::Ints& out) {
    using Of = Codes<kType>;
    using P = Pass<kRows, kGroups>;
    typename Traits::MatrixSum sum[P::kVectors][kRows / 2];
    for (auto& of_vector : sum)
        for (auto& of_pair : of_vector)
            of_pair.start();
    unrolled(typename Counted<kCount / 2>::type{}, [&](auto step) SOTTO_INLINE_LAMBDA {
        constexpr int kWord = kFirst + 2 * decltype(step)::value;
        for (int v = 0; v < P::kVectors; ++v) {
            const std::uint8_t* p = codes + P::offset(v, group_bytes, 4);
            const auto w =
                Traits::two_words(Of::template word<kWord>(p), Of::template word<kWord + 1>(p));
            for (int r = 0; r < kRows; r += 2)
                sum[v][r / 2].add(w, x.columns(r, 4 * kWord));
        }
    });
    for (int v = 0; v < P::kVectors; ++v)
        for (int r = 0; r < kRows; ++r) {
            out[v][r] = sum[v][r / 2].total(r % 2);
            if constexpr (kCodeOffset<kType> != 0)
                out[v][r] =
                    Simd::add_ints(out[v][r], Simd::broadcast_ints(&x.offset[kFirst / 4][r]));
        }
}

template <WeightType kType, int kRows, int kGroups, int kFirst, int kCount>
SOTTO_INLINE void dot(const std::uint8_t* codes, std::int64_t group_bytes, const ActTile<kRows>& x,
                      typename Pass<kRows, kGroups>::Ints& out) {
    if constexpr (kOfMatrices<kRows>)
        dot_matrices<Simd, kType, kRows, kGroups, kFirst, kCount>(codes, group_bytes, x, out);
    else
        dot_words<kType, kRows, kGroups, kFirst, kCount>(codes, group_bytes, x, out);
}

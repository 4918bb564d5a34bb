// SPDX-License-Identifier: Apache-2.0
// What the processor could do at most, generic over Simd (simd/dot_<isa>.h): benchmarks compare the
// engine with it. Included inside an unnamed namespace.

constexpr int kProbeSums = 12; // chains beside each other: enough to hide the latency of each

std::int64_t probe_products(std::int64_t n_rounds, const std::uint8_t* codes, const std::int8_t* x,
                            std::int32_t* sink) {
    const Simd::Bytes w = Simd::low_nibbles(Simd::load(codes));
    Simd::Sum<4> sums[kProbeSums];
    for (auto& sum : sums)
        sum.start();
    for (std::int64_t round = 0; round < n_rounds; ++round) {
#define SOTTO_PROBE_STEP(step)                                                                     \
    for (auto& sum : sums)                                                                         \
        sum.template add<step>(w, x + 4 * (step));
        SOTTO_PROBE_STEP(0)
        SOTTO_PROBE_STEP(1)
        SOTTO_PROBE_STEP(2)
        SOTTO_PROBE_STEP(3)
        SOTTO_PROBE_STEP(4)
        SOTTO_PROBE_STEP(5)
        SOTTO_PROBE_STEP(6)
        SOTTO_PROBE_STEP(7)
#undef SOTTO_PROBE_STEP
    }
    Simd::Ints all = sums[0].total();
    for (int i = 1; i < kProbeSums; ++i)
        all = Simd::add_ints(all, sums[i].total());
    float lanes[Simd::kLanes];
    Simd::store(lanes, Simd::to_floats(all));
    *sink = lanes[0] > 0 ? 1 : 0;
    constexpr std::int64_t kOpsOfStep = 2LL * 4 * Simd::kLanes; // a product and an addition
    return n_rounds * 8 * kProbeSums * kOpsOfStep;
}

constexpr int kProbeAhead = 4096; // bytes, as the products

void probe_read(const void* data, std::int64_t n_bytes, std::int32_t* sink) {
    constexpr int kStreams = 8, kVector = static_cast<int>(sizeof(Simd::Ints));
    const auto* p = static_cast<const char*>(data);
    Simd::Ints sums[kStreams];
    const std::int32_t zero = 0;
    for (auto& sum : sums)
        sum = Simd::broadcast_ints(&zero);
    for (std::int64_t i = 0; i + kStreams * kVector <= n_bytes; i += kStreams * kVector) {
        for (int line = 0; line < kStreams * kVector; line += 64)
            Simd::prefetch(p + i + line + kProbeAhead);
        for (int k = 0; k < kStreams; ++k)
            sums[k] = Simd::add_ints(sums[k], Simd::load_ints(p + i + k * kVector));
    }
    for (int k = 1; k < kStreams; ++k)
        sums[0] = Simd::add_ints(sums[0], sums[k]);
    float lanes[Simd::kLanes];
    Simd::store(lanes, Simd::to_floats(sums[0]));
    *sink = lanes[0] > 0 ? 1 : 0;
}

// SPDX-License-Identifier: Apache-2.0
// The vector operations once more, as loops that follow numerics.md word for word, and rows of
// hostile numbers to try them on.
#pragma once

#include "kernels/half.h"
#include "kernels/math.h"
#include "tests/kernels/weight_data.h"

#include <algorithm>
#include <limits>

namespace sotto::kernels::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();

/// What the numbers of a row look like.
enum class Row { ordinary, large, tiny, denormal, zeros, equal, huge, infinite, nan };
inline constexpr Row kFiniteRows[] = {Row::ordinary, Row::large, Row::tiny, Row::denormal,
                                      Row::zeros,    Row::equal, Row::huge};
inline constexpr Row kAllRows[] = {Row::ordinary, Row::large,    Row::tiny,
                                   Row::denormal, Row::zeros,    Row::equal,
                                   Row::huge,     Row::infinite, Row::nan};

inline float number(Row kind, Random& random) {
    const float x = random.real();
    switch (kind) {
    case Row::large:
        return 100.0f * x;
    case Row::tiny:
        return 1e-30f * x;
    case Row::denormal:
        return 1e-40f * x;
    case Row::zeros:
        return x < 0.0f ? -0.0f : 0.0f;
    case Row::equal:
        return 1.5f;
    case Row::huge:
        return 3e38f * x;
    case Row::infinite:
        return random.below(8) == 0 ? std::copysign(kInf, x) : x;
    case Row::nan:
        return random.below(8) == 0 ? std::numeric_limits<float>::quiet_NaN() : 4.0f * x;
    default:
        return 4.0f * x;
    }
}

inline std::vector<float> numbers(std::int64_t n, Row kind, Random& random) {
    std::vector<float> x(static_cast<std::size_t>(n));
    for (float& value : x)
        value = number(kind, random);
    return x;
}

/// A copy that starts `shift` floats after a 64-byte boundary and is followed by guards.
class Placed {
  public:
    Placed(const std::vector<float>& x, std::size_t shift)
        : shift_(shift), size_(x.size()), bytes_(aligned_bytes((shift + x.size() + kGuards) * 4)) {
        std::fill_n(begin() - shift, shift + size_ + kGuards, kGuard);
        std::copy(x.begin(), x.end(), begin());
    }
    float* begin() { return reinterpret_cast<float*>(bytes_.get()) + shift_; }
    std::vector<float> values() { return {begin(), begin() + size_}; }
    bool guards_hold() {
        const auto holds = [](float x) { return x == kGuard; };
        return std::all_of(begin() - shift_, begin(), holds) &&
               std::all_of(begin() + size_, begin() + size_ + kGuards, holds);
    }

  private:
    static constexpr std::size_t kGuards = 17;
    static constexpr float kGuard = -12345.0f;
    std::size_t shift_, size_;
    AlignedBytes bytes_;
};

namespace plain {

inline float larger(float a, float b) {
    return a > b ? a : b;
}

/// Numerics, rule 5: element i belongs to lane i mod 16, then a tree over the lanes.
template <typename Step, typename Join>
float reduce(std::int64_t n, float start, const Step& step, const Join& join) {
    float lanes[16];
    for (float& lane : lanes)
        lane = start;
    for (std::int64_t i = 0; i < n; ++i)
        lanes[i % 16] = step(lanes[i % 16], i);
    for (int i = 0; i < 8; ++i)
        lanes[i] = join(lanes[i], lanes[i + 8]);
    for (int i = 0; i < 4; ++i)
        lanes[i] = join(lanes[i], lanes[i + 4]);
    for (int i = 0; i < 2; ++i)
        lanes[i] = join(lanes[i], lanes[i + 2]);
    return join(lanes[0], lanes[1]);
}

inline float plus(float a, float b) {
    return a + b;
}

inline float max(const float* x, std::int64_t n) {
    return reduce(
        n, -kInf, [&](float lane, std::int64_t i) { return larger(x[i], lane); }, larger);
}

inline std::vector<float> rms_norm(const std::vector<float>& x, const std::vector<float>& w,
                                   float eps) {
    const auto n = static_cast<std::int64_t>(x.size());
    const float sum = reduce(
        n, 0.0f,
        [&](float lane, std::int64_t i) {
            const float value = x[static_cast<std::size_t>(i)];
            return std::fma(value, value, lane);
        },
        plus);
    const float mean = sum / static_cast<float>(n);
    const float inverse =
        std::isinf(mean) ? std::nanf("") : 1.0f / std::sqrt(mean + eps); // told, not hidden
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        y[i] = x[i] * inverse * w[i];
    return y;
}

inline std::vector<float> silu_mul(const std::vector<float>& gate, const std::vector<float>& up) {
    std::vector<float> y(gate.size());
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = gate[i] / (1.0f + exp_f32(-gate[i])) * up[i];
    return y;
}

inline std::vector<float> gelu_tanh_mul(const std::vector<float>& gate,
                                        const std::vector<float>& up) {
    const auto k1 = static_cast<float>(-2 * 0.797884560802865356);
    const auto k3 = static_cast<float>(-2 * 0.797884560802865356 * 0.044715);
    std::vector<float> y(gate.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        const float x = gate[i];
        y[i] = x / (1.0f + exp_f32(x * std::fma(x * x, k3, k1))) * up[i];
    }
    return y;
}

inline float exp_sum(const float* x, std::int64_t n, float top) {
    return reduce(
        n, 0.0f, [&](float lane, std::int64_t i) { return lane + exp_f32(x[i] - top); }, plus);
}

inline std::vector<float> softmax(const std::vector<float>& x) {
    const auto n = static_cast<std::int64_t>(x.size());
    const float top = max(x.data(), n), sum = exp_sum(x.data(), n, top);
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        y[i] = exp_f32(x[i] - top) / sum;
    return y;
}

inline float log_sum_exp(const std::vector<float>& x) {
    const auto n = static_cast<std::int64_t>(x.size());
    const float top = max(x.data(), n);
    return static_cast<float>(top + log_f64(exp_sum(x.data(), n, top)));
}

inline std::int64_t argmax(const std::vector<float>& x) {
    for (float value : x)
        if (!std::isfinite(value))
            return -1;
    return std::max_element(x.begin(), x.end()) - x.begin();
}

inline std::vector<float> rope(std::vector<float> x, int n_head, int head_dim, int n_rot,
                               const std::vector<float>& cos, const std::vector<float>& sin,
                               RopeStyle style) {
    for (int h = 0; h < n_head; ++h)
        for (int i = 0; i < n_rot / 2; ++i) {
            float* head = x.data() + h * head_dim;
            float& a = head[style == RopeStyle::halves ? i : 2 * i];
            float& b = head[style == RopeStyle::halves ? i + n_rot / 2 : 2 * i + 1];
            const float c = cos[static_cast<std::size_t>(i)], s = sin[static_cast<std::size_t>(i)];
            const float old = a;
            a = std::fma(old, c, -(b * s));
            b = std::fma(b, c, old * s);
        }
    return x;
}

/// The nearest half, ties to even, as a float; saturated. Through exact double arithmetic.
inline float as_half(float x) {
    if (std::isnan(x))
        return x;
    int exponent;
    std::frexp(x, &exponent);                                          // |x| = 0.5..1 * 2^exponent
    const double step = std::ldexp(1.0, std::max(exponent - 11, -24)); // of halves near x
    const double rounded = std::isinf(x) ? x : std::nearbyint(x / step) * step;
    return static_cast<float>(std::clamp(rounded, -65504.0, 65504.0));
}

} // namespace plain
} // namespace sotto::kernels::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::jinja {

/// Who wrote a byte: a person, a model or a tool (input), or the template's author (trusted).
/// Special tokens may be recognised in trusted text only.
enum class Origin : std::uint8_t { input, trusted };

/// Half-open range of bytes.
struct Span {
    std::size_t begin = 0, end = 0;
    bool operator==(const Span&) const = default;
};

/// Bytes of which each knows its origin. A text of one origin costs no more than its bytes.
class Text {
  public:
    Text() = default;
    Text(std::string bytes, Origin origin) : bytes_(std::move(bytes)), first_(origin) {}

    [[nodiscard]] std::string_view view() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    [[nodiscard]] std::size_t memory_bytes() const {
        return bytes_.capacity() + flips_.capacity() * sizeof(std::size_t);
    }

    void append(std::string_view bytes, Origin origin);
    void append(const Text& text) { append(text, 0, text.size()); }
    void append(const Text& text, std::size_t begin, std::size_t end);
    void append(char c, Origin origin) { append(std::string_view(&c, 1), origin); }

    [[nodiscard]] Text slice(std::size_t begin, std::size_t end) const;

    /// f(bytes, origin) for each stretch of one origin in [begin, end), in order.
    template <class F>
    void each_run(std::size_t begin, std::size_t end, F f) const {
        auto flip = std::upper_bound(flips_.begin(), flips_.end(), begin);
        while (begin < end) {
            const std::size_t stop = flip == flips_.end() ? end : std::min(end, *flip);
            f(view().substr(begin, stop - begin), origin_after(flip - flips_.begin()));
            begin = stop;
            if (flip != flips_.end()) {
                ++flip;
            }
        }
    }
    template <class F>
    void each_run(F f) const {
        each_run(0, size(), f);
    }

    /// The trusted stretches, in order, none of them empty.
    [[nodiscard]] std::vector<Span> trusted() const;
    [[nodiscard]] std::string release() && { return std::move(bytes_); }

  private:
    [[nodiscard]] Origin origin_after(std::ptrdiff_t n_flips) const {
        return (n_flips & 1) == 0        ? first_
               : first_ == Origin::input ? Origin::trusted
                                         : Origin::input;
    }

    std::string bytes_;
    Origin first_ = Origin::trusted;
    std::vector<std::size_t> flips_; // offsets at which the origin changes, ascending
};

} // namespace sotto::jinja

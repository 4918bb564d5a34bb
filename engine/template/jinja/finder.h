// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace sotto::jinja {

/// Looks for a text in others in linear time, whatever both are (Knuth, Morris, Pratt).
class Finder {
  public:
    static constexpr std::size_t kNone = std::string_view::npos;

    explicit Finder(std::string_view needle, bool backwards = false);
    /// The first place at or behind `from`.
    [[nodiscard]] std::size_t find(std::string_view text, std::size_t from = 0) const;
    /// The last place in all of `text`; for a Finder made backwards.
    [[nodiscard]] std::size_t find_last(std::string_view text) const;

  private:
    std::string_view needle_;
    std::vector<std::size_t> border_; // of each beginning: its longest beginning that ends it too
};

} // namespace sotto::jinja

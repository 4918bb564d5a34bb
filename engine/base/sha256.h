// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace sotto {

/// SHA-256 of bytes that come in pieces.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    void update(std::span<const std::byte> bytes);
    /// 64 hexadecimal digits; the object starts afresh.
    [[nodiscard]] std::string hex();

  private:
    struct Context;
    std::unique_ptr<Context> context_;
};

} // namespace sotto

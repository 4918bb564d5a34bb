// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <utility>

namespace sotto {

/// Zeroed memory at a multiple of 64 bytes. A larger block is mapped (pages.h): what is never used,
/// as the rows that no step has, costs nothing; from 4 MiB on in huge pages, which is worth much to
/// a product that reads a matrix once.
class AlignedBuffer {
  public:
    static constexpr std::size_t kAlignment = 64;
    static constexpr std::size_t kMappedFrom = std::size_t{256} << 10;
    static constexpr std::size_t kHugeFrom = std::size_t{4} << 20;

    AlignedBuffer() = default;
    /// no_memory, naming the size, if the system has none.
    static Result<AlignedBuffer> allocate(std::size_t n_bytes);
    ~AlignedBuffer() { release(); }
    AlignedBuffer(AlignedBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
        if (this != &other) {
            release();
            data_ = std::exchange(other.data_, nullptr);
            size_ = std::exchange(other.size_, 0);
        }
        return *this;
    }

    [[nodiscard]] std::byte* data() { return data_; }
    [[nodiscard]] const std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    void release();

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace sotto

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/failure.h"
#include "engine/template/jinja/limits.h"

#include <string>
#include <utility>

namespace sotto::jinja {

/// What a rendering has used up; each method throws a Failure at its limit.
class Meter {
  public:
    explicit Meter(const Limits& limits) : limits_(limits) {}

    void step(std::uint64_t n = 1) {
        steps_ += n;
        if (steps_ > limits_.max_steps) {
            fail("takes more than " + std::to_string(limits_.max_steps) + " steps");
        }
    }
    void copied(std::size_t n_bytes) { step(n_bytes / 128 + 1); }
    void scanned(std::size_t n_bytes) { step(n_bytes / 16 + 1); }

    /// Before a string of `n` bytes is made.
    void length(std::size_t n) const {
        if (n > limits_.max_output_bytes) {
            fail("makes a text longer than " + std::to_string(limits_.max_output_bytes) + " bytes");
        }
    }
    /// Before `n` bytes more are kept.
    void room(std::size_t n) const {
        if (n > limits_.max_memory_bytes || live_ > limits_.max_memory_bytes - n) {
            fail("needs more than " + std::to_string(limits_.max_memory_bytes) +
                 " bytes of memory");
        }
    }
    void take(std::size_t n) {
        room(n);
        live_ += n;
    }
    void give(std::size_t n) { live_ -= n; }

    void enter() {
        if (++depth_ > limits_.max_depth) {
            --depth_;
            fail("nests deeper than " + std::to_string(limits_.max_depth) + " levels");
        }
    }
    void leave() { --depth_; }

    [[noreturn]] static void fail(const std::string& what) {
        throw Failure{ErrorCode::bad_file, "the template " + what}; // at its limit
    }

  private:
    Limits limits_;
    std::uint64_t steps_ = 0;
    std::size_t live_ = 0;
    int depth_ = 0;
};

/// One level of nesting for as long as it lives.
class Level {
  public:
    explicit Level(Meter& meter) : meter_(meter) { meter_.enter(); }
    ~Level() { meter_.leave(); }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

  private:
    Meter& meter_;
};

/// Memory that an object counts for as long as it lives. Values of callers and of the template's
/// source have none.
class Charge {
  public:
    Charge() = default;
    Charge(Meter& meter, std::size_t n_bytes) : meter_(&meter), n_bytes_(n_bytes) {
        meter.take(n_bytes);
    }
    Charge(Charge&& other) noexcept
        : meter_(std::exchange(other.meter_, nullptr)), n_bytes_(other.n_bytes_) {}
    Charge& operator=(Charge&& other) noexcept {
        std::swap(meter_, other.meter_);
        std::swap(n_bytes_, other.n_bytes_);
        return *this;
    }
    ~Charge() {
        if (meter_ != nullptr) {
            meter_->give(n_bytes_);
        }
    }

  private:
    Meter* meter_ = nullptr;
    std::size_t n_bytes_ = 0;
};

} // namespace sotto::jinja

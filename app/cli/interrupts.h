// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM, and reading that they end whenever they come: also between a look at the
// count and the wait for the next byte, where a handler that only counts would be too late.
#pragma once

#include <array>
#include <streambuf>
#include <string>

namespace sotto::cli {

/// From now on Ctrl-C (SIGINT) and SIGTERM count instead of ending the process; the third
/// unanswered one ends it. std::cin is read through standard_input().
void catch_interrupts();
/// There are interrupts that no one has answered; after SIGTERM always.
bool interrupt_is_pending();
/// Interrupts since the last call: they are answered now.
int take_interrupts();
/// SIGTERM came: leave as soon as what runs has ended.
bool termination_requested();
/// 128 and the signal's number, as shells have it: 130 after Ctrl-C, 143 after SIGTERM.
int interrupted_code();

/// The bytes of a file descriptor for a std::istream. While an interrupt is pending there are none:
/// a read ends as at the end of the file (clear the stream's state to go on). One thread.
class InterruptibleInput final : public std::streambuf {
  public:
    explicit InterruptibleInput(int fd) : fd_(fd) {}
    /// Opens a file, a pipe or a device by its name (UTF-8).
    explicit InterruptibleInput(const std::string& path);
    ~InterruptibleInput() override;
    InterruptibleInput(const InterruptibleInput&) = delete;
    InterruptibleInput& operator=(const InterruptibleInput&) = delete;

    [[nodiscard]] bool is_open() const { return fd_ >= 0; }
    /// A read failed, as on a bad disk.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    int_type underflow() override;

    int fd_ = -1;
    bool owned_ = false;
    bool failed_ = false;
    std::array<char, 65536> piece_{};
};

/// File descriptor 0, which std::cin reads through as well.
InterruptibleInput& standard_input();

} // namespace sotto::cli

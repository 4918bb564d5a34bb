// SPDX-License-Identifier: Apache-2.0
// The platform calls for signals and for reading that they end.
#include "app/cli/interrupts.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>

#ifdef _WIN32
#include <fcntl.h>
#include <filesystem>
#include <io.h>
#else
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#endif

namespace sotto::cli {
namespace {

std::atomic<int> g_interrupts{0};
std::atomic<bool> g_terminated{false};
std::atomic<int> g_wake_write{-1}; // a byte in the pipe for each interrupt: poll() sees those too
int g_wake_read = -1;              // that came before it was called
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

#ifdef _WIN32
void wake() {}
void forget_wakes() {}
void wait_for_bytes(int) {}
void open_wake_pipe() {}
int open_to_read(const std::string& path) {
    const std::filesystem::path file(std::u8string(path.begin(), path.end()));
    return _wopen(file.c_str(), _O_RDONLY | _O_BINARY);
}
auto read_some(int fd, char* to, std::size_t n) {
    return _read(fd, to, static_cast<unsigned>(n));
}
void close_file(int fd) {
    _close(fd);
}
#else
void wake() { // in a signal handler
    const int error = errno;
    [[maybe_unused]] const auto n = ::write(g_wake_write, "", 1);
    errno = error;
}
void forget_wakes() {
    for (char byte[64]; ::read(g_wake_read, byte, sizeof byte) > 0;) {
    }
}
/// Returns when there is something to read, an end, or an interrupt. The pipe is emptied before the
/// count is looked at: what comes after that look is in the pipe when poll() is called.
void wait_for_bytes(int fd) {
    pollfd waits[] = {{fd, POLLIN, 0}, {g_wake_read, POLLIN, 0}};
    while (!interrupt_is_pending()) {
        if (::poll(waits, 2, -1) > 0 && waits[0].revents != 0) {
            return;
        }
        forget_wakes();
    }
}
void open_wake_pipe() {
    if (::fcntl(0, F_GETFD) < 0) { // closed: the next file opened must not be taken for it
        (void)::open("/dev/null", O_RDONLY);
    }
    int ends[2];
    if (::pipe(ends) != 0) {
        return; // what waits is then ended by the third signal
    }
    for (const int end : ends) {
        ::fcntl(end, F_SETFL, O_NONBLOCK);
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    g_wake_read = ends[0];
    g_wake_write = ends[1];
}
int open_to_read(const std::string& path) {
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}
auto read_some(int fd, char* to, std::size_t n) {
    return ::read(fd, to, n);
}
void close_file(int fd) {
    ::close(fd);
}
#endif

extern "C" void on_interrupt(int signal) {
    if (signal == SIGTERM) {
        g_terminated = true;
    }
    if (g_interrupts.fetch_add(1) >= 2) {
        std::_Exit(128 + signal);
    }
    wake();
}

} // namespace

void catch_interrupts() {
    open_wake_pipe();
#ifdef _WIN32
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
#else
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
#endif
    std::cin.rdbuf(&standard_input());
}

bool interrupt_is_pending() {
    return g_interrupts > 0 || g_terminated;
}
int take_interrupts() {
    forget_wakes(); // first: one that comes in between is counted and wakes once too often
    return g_interrupts.exchange(0);
}
bool termination_requested() {
    return g_terminated;
}
int interrupted_code() {
    return 128 + (g_terminated ? SIGTERM : SIGINT);
}

InterruptibleInput::InterruptibleInput(const std::string& path)
    : fd_(open_to_read(path)), owned_(true) {}

InterruptibleInput::~InterruptibleInput() {
    if (owned_ && fd_ >= 0) {
        close_file(fd_);
    }
}

InterruptibleInput::int_type InterruptibleInput::underflow() {
    for (;;) {
        wait_for_bytes(fd_);
        if (interrupt_is_pending()) {
            return traits_type::eof();
        }
        const auto n = read_some(fd_, piece_.data(), piece_.size());
        if (n > 0) {
            setg(piece_.data(), piece_.data(), piece_.data() + n);
            return traits_type::to_int_type(*gptr());
        }
        if (n == 0 || errno != EINTR) {
            failed_ = n < 0;
            return traits_type::eof();
        }
    }
}

InterruptibleInput& standard_input() {
    static InterruptibleInput input(0);
    return input;
}

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace sotto::ui {

/// A thread that runs tasks one after the other. Everything that may take longer than a frame
/// (loading, tokenizing, letting go of gigabytes) is handed to one of these, so that the window's
/// thread never waits.
class Worker final {
  public:
    Worker();
    /// Runs what is still queued, then joins.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Any thread, never blocks. Dropped after close(). The task is destroyed on the worker, with
    /// what it holds.
    void post(std::function<void()> task);
    /// No more tasks; the thread ends after those that are queued.
    void close();
    /// Whether the thread came to its end by `deadline`; only after close().
    [[nodiscard]] bool waitUntil(std::chrono::steady_clock::time_point deadline);

  private:
    void run();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_tasks;
    bool m_closed = false;
    bool m_ended = false;
    std::thread m_thread; // last: it uses all of the above
};

} // namespace sotto::ui

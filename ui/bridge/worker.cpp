// SPDX-License-Identifier: Apache-2.0
#include "ui/bridge/worker.h"

#include <utility>

namespace sotto::ui {

Worker::Worker() : m_thread([this] { run(); }) {}

Worker::~Worker() {
    close();
    m_thread.join();
}

void Worker::post(std::function<void()> task) {
    const std::lock_guard lock(m_mutex);
    if (!m_closed) {
        m_tasks.push_back(std::move(task));
        m_changed.notify_all();
    }
}

void Worker::close() {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_changed.notify_all();
}

bool Worker::waitUntil(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_until(lock, deadline, [this] { return m_ended; });
}

void Worker::run() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_closed || !m_tasks.empty(); });
        if (m_tasks.empty()) {
            break;
        }
        std::function<void()> task = std::move(m_tasks.front());
        m_tasks.pop_front();
        lock.unlock();
        task();
        task = nullptr; // what it holds dies here, on this thread, and not under the lock
        lock.lock();
    }
    m_ended = true;
    m_changed.notify_all();
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>

#include <algorithm>

namespace sotto::test {

/// Measures how long the event loop was away: a timer of no interval notes the time between two of
/// its turns.
class LoopWatch final {
  public:
    LoopWatch() {
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            m_worst = std::max(m_worst, m_clock.restart());
            ++m_turns;
        });
        m_timer.setTimerType(Qt::PreciseTimer);
        m_clock.start();
        m_timer.start(1);
    }
    /// Longest time between two turns so far, the one since the last turn included. Milliseconds.
    [[nodiscard]] qint64 worst() const { return std::max(m_worst, m_clock.elapsed()); }
    [[nodiscard]] int turns() const { return m_turns; }
    void reset() {
        m_worst = 0;
        m_clock.restart();
    }

  private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_worst = 0;
    int m_turns = 0;
};

/// The worst gap of `run(watch)`, the best of three times: what our own code costs is there every
/// time, what other programs on the machine take is not.
template <class Run>
qint64 bestWorstGap(qint64 wanted, Run run) {
    qint64 best = -1;
    for (int i = 0; i < 3 && (best < 0 || best > wanted); ++i) {
        LoopWatch watch;
        run(watch);
        best = best < 0 ? watch.worst() : std::min(best, watch.worst());
    }
    return best;
}

} // namespace sotto::test

// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/quit_signals.h"

#include <QtCore/QSocketNotifier>

#ifdef Q_OS_UNIX
#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#endif

namespace sotto::app {

#ifdef Q_OS_UNIX
namespace {

// A handler may do next to nothing: it writes a byte, and the event loop reads it.
std::array<int, 2> g_pipe{-1, -1};

extern "C" void onQuitSignal(int number) {
    std::signal(number, SIG_DFL);
    const char byte = 1;
    [[maybe_unused]] const auto written = write(g_pipe[1], &byte, 1);
}

} // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    if (pipe(g_pipe.data()) != 0) {
        return; // the signals end the process, as they would without us
    }
    for (const int fd : g_pipe) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    auto* notifier = new QSocketNotifier(g_pipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        Q_EMIT quitRequested();
    });
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
        std::signal(number, onQuitSignal);
    }
}
#else
QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {}
#endif

} // namespace sotto::app

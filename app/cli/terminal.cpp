// SPDX-License-Identifier: Apache-2.0
// The platform calls of the command line.
#include "app/cli/terminal.h"

#include "app/cli/interrupts.h"

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif
#ifdef SOTTO_LIBEDIT
#include <histedit.h>
#endif

namespace sotto::cli {
namespace {

bool is_terminal(int fd) {
#ifdef _WIN32
    return _isatty(fd) != 0;
#else
    return isatty(fd) != 0;
#endif
}

} // namespace

bool stdin_is_terminal() {
    return is_terminal(0);
}
bool stdout_is_terminal() {
    return is_terminal(1);
}
bool stderr_is_terminal() {
    return is_terminal(2);
}

#ifdef SOTTO_LIBEDIT
struct LineEditor::State {
    EditLine* editor = nullptr;
    History* history = nullptr;
    std::string prompt;
};

LineEditor::LineEditor() {
    if (!stdin_is_terminal() || !stderr_is_terminal()) {
        return;
    }
    // The editor counts columns by the locale; its messages stay as they are.
    const char* locale = std::setlocale(LC_CTYPE, "");
    if (!locale || std::string_view(locale) == "C" || std::string_view(locale) == "POSIX") {
        std::setlocale(LC_CTYPE, "C.UTF-8");
    }
    state_ = new State;
    state_->history = history_init();
    // The editor writes to stderr: stdout is for the model's text alone.
    state_->editor = el_init("sotto-cli", stdin, stderr, stderr);
    HistEvent event;
    ::history(state_->history, &event, H_SETSIZE, 200);
    el_set(state_->editor, EL_EDITOR, "emacs");
    el_set(state_->editor, EL_SIGNAL, 0);
    el_set(state_->editor, EL_HIST, ::history, state_->history);
    el_set(state_->editor, EL_CLIENTDATA, state_);
    el_set(
        state_->editor, EL_PROMPT, +[](EditLine* editor) {
            State* state = nullptr;
            el_get(editor, EL_CLIENTDATA, &state);
            return state->prompt.data();
        });
}

LineEditor::~LineEditor() {
    if (state_) {
        el_end(state_->editor);
        history_end(state_->history);
        delete state_;
    }
}

namespace {

LineEditor::End edit_line(EditLine* editor, History* history, std::string& line) {
    int n = 0;
    errno = 0;
    const char* text = el_gets(editor, &n);
    if (!text || n <= 0) {
        return errno == EINTR || interrupt_is_pending() ? LineEditor::End::interrupted
                                                        : LineEditor::End::end_of_input;
    }
    line.assign(text, static_cast<std::size_t>(n));
    if (line.back() == '\n') {
        line.pop_back();
    }
    if (!line.empty()) {
        HistEvent event;
        ::history(history, &event, H_ENTER, line.c_str());
    }
    return LineEditor::End::line;
}

} // namespace
#else
struct LineEditor::State {};
LineEditor::LineEditor() = default;
LineEditor::~LineEditor() = default;
#endif

LineEditor::End LineEditor::read(const std::string& prompt, std::string& line) {
#ifdef SOTTO_LIBEDIT
    if (state_) {
        state_->prompt = prompt;
        return edit_line(state_->editor, state_->history, line);
    }
#endif
    if (stdin_is_terminal()) {
        std::fputs(prompt.c_str(), stderr);
    }
    if (std::getline(std::cin, line)) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        return End::line;
    }
    if (!interrupt_is_pending()) {
        return End::end_of_input;
    }
    std::cin.clear(); // the signal broke the read off; the next one must not fail for it
    return End::interrupted;
}

void StatusLine::show(const std::string& text) {
    if (stderr_is_terminal()) {
        std::fprintf(stderr, "\r\033[K%s", text.c_str());
        std::fflush(stderr);
        shown_ = true;
    }
}

void StatusLine::clear() {
    if (shown_) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        shown_ = false;
    }
}

} // namespace sotto::cli

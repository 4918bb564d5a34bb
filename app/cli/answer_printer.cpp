// SPDX-License-Identifier: Apache-2.0
#include "app/cli/answer_printer.h"

#include "app/cli/terminal.h"

#include <cstdio>

namespace sotto::cli {
namespace {

void write(const std::string& text, std::FILE* to) {
    std::fwrite(text.data(), 1, text.size(), to);
    std::fflush(to);
}

} // namespace

AnswerPrinter::AnswerPrinter(bool show_thinking)
    : show_thinking_(show_thinking || stderr_is_terminal()), dimmed_(stderr_is_terminal()) {}

void AnswerPrinter::print(const std::string& thinking, const std::string& text) {
    if (show_thinking_ && !thinking.empty()) {
        if (!in_thought_ && dimmed_) {
            std::fputs("\033[2m", stderr);
        }
        in_thought_ = true;
        write(thinking, stderr);
    }
    if (!text.empty()) {
        end_thought();
        has_text_ = true;
        write(text, stdout);
    }
}

void AnswerPrinter::end(bool failed) {
    end_thought();
    if (!failed || has_text_) {
        write("\n", stdout);
    }
}

void AnswerPrinter::end_thought() {
    if (in_thought_) {
        // An empty line between them where both are on one terminal.
        write(dimmed_ ? "\033[0m\n\n" : "\n", stderr);
        in_thought_ = false;
    }
}

} // namespace sotto::cli

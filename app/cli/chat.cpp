// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/session.h"
#include "app/cli/terminal.h"

#include <CLI/App.hpp>

#include <cstdio>
#include <string_view>

namespace sotto::cli {
namespace {

constexpr const char* kHelp = "/system TEXT  set the system message and start again\n"
                              "/reset        start again\n"
                              "/exit, /quit  leave\n"
                              "Ctrl-C stops an answer; twice leaves.\n";

/// One conversation in the terminal.
class Chat {
  public:
    Chat(const Session& session, const SamplingParams& sampling, std::int64_t max_tokens,
         std::string system)
        : session_(session), sampling_(sampling), max_tokens_(max_tokens),
          system_(std::move(system)) {
        reset();
    }

    int run();

  private:
    void reset();
    /// False: leave.
    bool command(const std::string& line);
    bool answer(std::string text);

    const Session& session_;
    SamplingParams sampling_;
    std::int64_t max_tokens_;
    std::string system_;
    std::vector<ChatMessage> messages_;
    int exit_code_ = kOk;
};

void Chat::reset() {
    messages_.clear();
    if (!system_.empty()) {
        messages_.push_back({"system", system_});
    }
}

bool Chat::command(const std::string& line) {
    const std::string_view name = std::string_view(line).substr(0, line.find(' '));
    if (name == "/exit" || name == "/quit") {
        return false;
    }
    if (name == "/reset") {
        reset();
        std::fputs("started again\n", stderr);
    } else if (name == "/system") {
        const std::size_t at = line.find_first_not_of(' ', name.size());
        system_ = at == std::string::npos ? "" : line.substr(at);
        reset();
        std::fputs(system_.empty() ? "no system message; started again\n"
                                   : "system message set; started again\n",
                   stderr);
    } else {
        if (name != "/help") {
            std::fprintf(stderr, "there is no command '%.*s'\n", static_cast<int>(name.size()),
                         name.data());
        }
        std::fputs(kHelp, stderr);
    }
    return true;
}

bool Chat::answer(std::string text) {
    messages_.push_back({"user", std::move(text)});
    auto rendered = session_.model->render_chat(messages_, true);
    if (!rendered) {
        print_error(rendered.error());
        exit_code_ = kFailed;
        return false;
    }
    RequestOptions request;
    request.prompt = std::move(rendered->tokens);
    request.sampling = sampling_;
    request.max_tokens = max_tokens_;
    const Outcome outcome =
        run_request(*session_.engine, std::move(request), [](const std::string& piece) {
            std::fwrite(piece.data(), 1, piece.size(), stdout);
            std::fflush(stdout);
        });
    if (outcome.reason != FinishReason::error || !outcome.text.empty()) {
        std::puts("");
        std::fflush(stdout);
    }
    if (outcome.reason == FinishReason::error) {
        print_error(outcome.error);
        messages_.pop_back(); // the question is not part of the chat; the chat goes on
        if (!messages_.empty()) {
            std::fputs("[/reset starts again]\n", stderr);
        }
        exit_code_ = kFailed;
        return true;
    }
    exit_code_ = termination_requested() ? interrupted_code() : kOk;
    messages_.push_back({"assistant", outcome.text});
    if (outcome.reason == FinishReason::context) {
        std::fputs("[the context is full: /reset starts again]\n", stderr);
    } else if (outcome.reason == FinishReason::cancelled && !termination_requested()) {
        std::fputs("[stopped; Ctrl-C again leaves]\n", stderr);
    }
    if (stderr_is_terminal()) {
        std::fprintf(stderr, "[%s]\n", timings_text(outcome.timings).c_str());
    }
    if (outcome.reason != FinishReason::cancelled) {
        return true;
    }
    return take_interrupts() == 0 && !termination_requested();
}

int Chat::run() {
    LineEditor editor;
    if (stdin_is_terminal()) {
        std::fprintf(stderr, "%s. /help lists the commands.\n",
                     session_.model->info().name.c_str());
    }
    bool interrupted = false;
    for (std::string line;;) {
        switch (editor.read("> ", line)) {
        case LineEditor::End::end_of_input:
            return exit_code_;
        case LineEditor::End::interrupted:
            take_interrupts();
            if (interrupted || !stdin_is_terminal() || termination_requested()) {
                return interrupted_code();
            }
            interrupted = true;
            std::fputs("\n[Ctrl-C again leaves]\n", stderr);
            continue;
        case LineEditor::End::line:
            break;
        }
        interrupted = false;
        if (line.find_first_not_of(" \t") == std::string::npos) {
            continue;
        }
        if (!(line.front() == '/' ? command(line) : answer(line))) {
            return exit_code_;
        }
    }
}

} // namespace

int run_chat(int argc, char** argv) {
    OptionSet options(
        "chat", "Talk with a model in the terminal. Lines from a pipe are messages, one each.");
    ModelFlags model;
    SamplingParams sampling;
    std::string system;
    std::int64_t n = -1;
    model.add_to(options.app());
    options.app().add_option("--system", system, "system message");
    add_length_option(options.app(), n);
    add_sampling_flags(options.app(), sampling);
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    auto session = open_session(model);
    if (!session) {
        return fail(session.error());
    }
    return Chat(*session, sampling, n, system).run();
}

} // namespace sotto::cli

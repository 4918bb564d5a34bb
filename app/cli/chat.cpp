// SPDX-License-Identifier: Apache-2.0
#include "app/cli/answer_printer.h"
#include "app/cli/chat_flags.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/saved_context.h"
#include "app/cli/session.h"
#include "app/cli/terminal.h"

#include <CLI/App.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace sotto::cli {
namespace {

constexpr const char* kHelp = "/system TEXT  set the system message and start again\n"
                              "/think on     think before answering; /think off, /think auto\n"
                              "/reset        start again\n"
                              "/exit, /quit  leave\n"
                              "//TEXT        send /TEXT, a line that begins with /\n"
                              "Ctrl-C stops an answer; twice leaves.\n";

struct ChatSettings {
    SamplingParams sampling;
    std::int64_t max_tokens = -1;
    std::string system;
    ChatOptions options;
    ContextFull context_full = ContextFull::stop;
    std::string kv_file;
    bool show_thinking = false;
};

constexpr std::size_t kShownName = 40; // bytes of an unknown command's name

/// The first word is a command or one mistyped: "/word". A path is none.
bool is_command(std::string_view line) {
    const std::string_view name = line.substr(0, line.find_first_of(" \t"));
    return name.size() > 1 && name.front() == '/' &&
           std::ranges::all_of(name.substr(1), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// One conversation in the terminal.
class Chat {
  public:
    Chat(const Session& session, ChatSettings settings)
        : session_(session), settings_(std::move(settings)) {
        reset();
    }

    int run();

  private:
    void reset();
    // False: leave.
    bool take_line(const std::string& line);
    bool command(const std::string& line);
    void set_system(const std::string& text);
    void set_think(const std::string& word);
    bool answer(std::string text);
    Result<RequestOptions> make_request();
    void tell_dropped(int n_before) const;
    int end(int exit_code);

    const Session& session_;
    ChatSettings settings_;
    std::vector<ChatMessage> messages_;
    int n_dropped_ = 0;           // messages that no longer fit into the context
    std::vector<TokenId> tokens_; // of the last prompt and its answer
    std::string told_;            // the notice of the template
    int exit_code_ = kOk;
};

void Chat::reset() {
    messages_.clear();
    n_dropped_ = 0;
    if (!settings_.system.empty()) {
        messages_.push_back({.role = "system", .content = settings_.system});
    }
}

void Chat::set_system(const std::string& text) {
    settings_.system = text;
    reset();
    std::fputs(text.empty() ? "no system message; started again\n"
                            : "system message set; started again\n",
               stderr);
}

void Chat::set_think(const std::string& word) {
    std::optional<bool> think;
    if (!parse_think(word, think)) {
        std::fputs("/think takes on, off or auto\n", stderr);
        return;
    }
    if (check_think(session_.model->info(), think)) {
        settings_.options.enable_thinking = think;
        std::fprintf(stderr, "thinking: %s\n", word.c_str());
    }
}

bool Chat::command(const std::string& line) {
    const std::string name = line.substr(0, line.find_first_of(" \t"));
    const std::size_t at = line.find_first_not_of(" \t", name.size());
    const std::string rest = at == std::string::npos ? "" : line.substr(at);
    if (name == "/exit" || name == "/quit") {
        return false;
    }
    if (name == "/reset") {
        reset();
        std::fputs("started again\n", stderr);
    } else if (name == "/system") {
        set_system(rest);
    } else if (name == "/think") {
        set_think(rest.substr(0, rest.find_last_not_of(" \t") + 1));
    } else {
        if (name != "/help") {
            const bool cut = name.size() > kShownName;
            std::fprintf(stderr, "there is no command '%s%s'\n", name.substr(0, kShownName).c_str(),
                         cut ? "..." : "");
        }
        std::fputs(kHelp, stderr);
    }
    return true;
}

bool Chat::take_line(const std::string& line) {
    if (is_command(line)) {
        return command(line);
    }
    return answer(line.starts_with("//") ? line.substr(1) : line);
}

bool Chat::answer(std::string text) {
    messages_.push_back({.role = "user", .content = std::move(text)});
    const int n_before = n_dropped_;
    auto request = make_request();
    if (!request) {
        print_error(request.error());
        exit_code_ = kFailed;
        const bool goes_on = request.error().code == ErrorCode::too_long;
        messages_.pop_back();
        return goes_on;
    }
    tokens_ = request->prompt;
    AnswerPrinter printer(settings_.show_thinking);
    const Outcome outcome =
        run_request(*session_.engine, *std::move(request),
                    [&printer](const std::string& thinking, const std::string& piece) {
                        printer.print(thinking, piece);
                    });
    printer.end(outcome.reason == FinishReason::error);
    tokens_.insert(tokens_.end(), outcome.token_ids.begin(), outcome.token_ids.end());
    tell_dropped(n_before);
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
    messages_.push_back(
        {.role = "assistant", .content = outcome.text, .reasoning = outcome.thinking});
    if (outcome.reason == FinishReason::context) {
        std::fputs("[the context is full: /reset starts again; --context-full drop would leave out "
                   "the oldest turns]\n",
                   stderr);
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

/// The prompt, shortened if need be, now and while the answer is written.
Result<RequestOptions> Chat::make_request() {
    RequestOptions request;
    request.sampling = settings_.sampling;
    request.max_tokens = settings_.max_tokens;
    if (settings_.context_full == ContextFull::stop) {
        auto done = set_prompt(*session_.model, messages_, settings_.options, request, told_);
        return done ? Result<RequestOptions>(std::move(request)) : std::move(done).error();
    }
    const auto fit = [this, n_ctx = session_.engine->status().n_ctx](std::int64_t n_answer) {
        auto fitted =
            fit_chat(*session_.model, messages_, settings_.options, n_ctx, n_answer, n_dropped_);
        if (fitted) {
            n_dropped_ = fitted->n_dropped;
        }
        return fitted;
    };
    auto fitted = fit(0);
    if (!fitted) {
        return std::move(fitted).error();
    }
    take_chat(*session_.model, std::move(fitted->chat), request, told_);
    // While this thread waits for the answer, the scheduler's may use the chat.
    request.on_context_full = [this, fit](std::span<const TokenId> answer) {
        auto shorter = fit(static_cast<std::int64_t>(answer.size()));
        tokens_ = shorter ? shorter->chat.tokens : std::vector<TokenId>{};
        return tokens_;
    };
    return request;
}

void Chat::tell_dropped(int n_before) const {
    if (n_dropped_ > n_before) {
        std::fprintf(stderr,
                     "[the %d oldest messages no longer fit into the context and are left "
                     "out]\n",
                     n_dropped_);
    }
}

/// Keeps what was computed, if a file was named.
int Chat::end(int exit_code) {
    const bool saved = save_context(*session_.engine, tokens_, settings_.kv_file);
    return exit_code == kOk && !saved ? kFailed : exit_code;
}

int Chat::run() {
    restore_context(*session_.engine, settings_.kv_file);
    LineEditor editor;
    if (stdin_is_terminal()) {
        std::fprintf(stderr, "%s. /help lists the commands.\n",
                     session_.model->info().name.c_str());
    }
    bool interrupted = false;
    for (std::string line;;) {
        switch (editor.read("> ", line)) {
        case LineEditor::End::end_of_input:
            return end(exit_code_);
        case LineEditor::End::interrupted:
            take_interrupts();
            if (interrupted || !stdin_is_terminal() || termination_requested()) {
                return end(interrupted_code());
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
        if (!take_line(line)) {
            return end(exit_code_);
        }
    }
}

} // namespace

int run_chat(int argc, char** argv) {
    OptionSet options(
        "chat", "Talk with a model in the terminal. Lines from a pipe are messages, one each.");
    ModelFlags model;
    ChatSettings settings;
    ChatFlags chat_flags;
    CLI::App& app = options.app();
    model.add_to(app);
    app.add_option("--system", settings.system, "system message");
    chat_flags.add_think_to(app);
    app.add_flag("--show-thinking", settings.show_thinking,
                 "print thoughts on stderr even where it is no terminal");
    add_length_option(app, settings.max_tokens);
    add_context_full_option(app, settings.context_full);
    add_kv_file_option(app, settings.kv_file);
    add_sampling_flags(app, settings.sampling);
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    auto session = open_session(model);
    if (!session) {
        return fail(session.error());
    }
    auto chat_options = chat_flags.options();
    if (!chat_options) {
        return fail(chat_options.error());
    }
    check_template(session->model->info(), chat_options->enable_thinking);
    settings.options = *std::move(chat_options);
    return Chat(*session, std::move(settings)).run();
}

} // namespace sotto::cli

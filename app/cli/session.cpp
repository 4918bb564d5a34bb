// SPDX-License-Identifier: Apache-2.0
#include "app/cli/session.h"

#include "app/cli/command.h"
#include "app/cli/info_text.h"
#include "app/cli/interrupts.h"
#include "app/cli/shown_text.h"
#include "app/cli/terminal.h"

#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

namespace sotto::cli {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(20); // how late a Ctrl-C may be seen

/// Events on their way from the scheduler's thread to ours.
struct Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Event> events;

    void put(const Event& event) {
        const std::lock_guard lock(mutex);
        events.push_back(event);
        changed.notify_one();
    }
    std::deque<Event> take() {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, kPoll, [this] { return !events.empty(); });
        return std::exchange(events, {});
    }
};

} // namespace

void print_error(const Error& error) {
    std::fprintf(stderr, "sotto-cli: %s\n", error.message.c_str());
}

int fail(const Error& error) {
    print_error(error);
    return error.code == ErrorCode::cancelled ? interrupted_code() : kFailed;
}

Result<std::shared_ptr<const Model>> load(const std::string& path, int n_threads,
                                          const std::string& isa) {
    StatusLine status;
    LoadOptions options;
    options.n_threads = n_threads;
    options.isa = isa;
    options.on_progress = [&status, cancel = options.cancel](std::int64_t done,
                                                             std::int64_t total) {
        if (interrupt_is_pending()) {
            cancel.cancel();
        }
        status.show("loading " + std::to_string(total > 0 ? done * 100 / total : 100) + " %");
    };
    auto model = load_model(path, options);
    status.clear();
    if (take_interrupts() > 0) { // also one that came too late for the load to heed it
        return Error{ErrorCode::cancelled, "interrupted"};
    }
    if (model) {
        for (const std::string& warning : (*model)->info().warnings) {
            std::fprintf(stderr, "sotto-cli: %s\n", warning.c_str());
        }
    }
    return model;
}

Result<Session> open_session(const ModelFlags& flags) {
    auto model = load(flags.path, flags.engine.n_threads);
    if (!model) {
        return std::move(model).error();
    }
    EngineOptions options = flags.engine;
    if (const std::string warning = context_warning((*model)->info(), options.n_ctx);
        !warning.empty()) {
        std::fprintf(stderr, "sotto-cli: %s\n", warning.c_str());
    }
    auto engine = create_engine(*model, options);
    if (!engine) {
        return std::move(engine).error();
    }
    return Session{*std::move(model), *std::move(engine)};
}

bool Outcome::add(const Event& event) {
    timings = event.timings;
    text += event.text;
    thinking += event.thinking;
    if (event.kind == Event::Kind::token) {
        token_ids.push_back(event.token);
    }
    if (event.kind != Event::Kind::finished) {
        return false;
    }
    reason = event.reason;
    error = event.error;
    return true;
}

Outcome run_request(Engine& engine, RequestOptions options, const OnPiece& on_piece) {
    auto mailbox = std::make_shared<Mailbox>();
    options.on_event = [mailbox](const Event& event) { mailbox->put(event); };
    const auto request = engine.submit(std::move(options));
    Outcome outcome;
    StatusLine status;
    for (bool finished = false; !finished;) {
        if (take_interrupts() > 0) {
            request->cancel();
        }
        for (const Event& event : mailbox->take()) {
            finished = outcome.add(event);
            if (event.kind == Event::Kind::prefill) {
                if (event.prompt_done < event.prompt_total) {
                    status.show("reading " + std::to_string(event.prompt_done) + " of " +
                                std::to_string(event.prompt_total) + " tokens");
                }
                continue;
            }
            status.clear();
            if (on_piece && !(event.text.empty() && event.thinking.empty())) {
                on_piece(event.thinking, event.text);
            }
        }
    }
    return outcome;
}

namespace {

constexpr std::size_t kMaxText = std::size_t{256} << 20;

/// To the end, or to an interrupt: a device may have no end.
Result<std::string> read_whole(InterruptibleInput& in, const std::string& name) {
    std::string text;
    std::array<char, 65536> piece{};
    for (std::streamsize n = 0; (n = in.sgetn(piece.data(), piece.size())) > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(n));
        if (text.size() > kMaxText) {
            return Error{ErrorCode::bad_argument,
                         name + " is longer than " + std::to_string(kMaxText >> 20) + " MiB"};
        }
    }
    if (interrupt_is_pending()) {
        take_interrupts();
        return Error{ErrorCode::cancelled, "interrupted"};
    }
    if (in.failed()) {
        return Error{ErrorCode::io, name + " could not be read to its end"};
    }
    return text;
}

} // namespace

Result<std::shared_ptr<InterruptibleInput>> open_input(const std::string& path) {
    if (path == "-") { // not owned
        return std::shared_ptr<InterruptibleInput>(std::shared_ptr<void>(), &standard_input());
    }
    const std::filesystem::path file(std::u8string(path.begin(), path.end()));
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        return Error{ErrorCode::io, "'" + path + "' is a folder, not a file"};
    }
    auto input = std::make_shared<InterruptibleInput>(path);
    if (!input->is_open()) {
        return Error{ErrorCode::io, "'" + path + "' cannot be opened for reading"};
    }
    return input;
}

Result<std::string> read_text(const std::string& path) {
    auto input = open_input(path);
    if (!input) {
        return std::move(input).error();
    }
    return read_whole(**input, path == "-" ? "standard input" : "'" + path + "'");
}

Result<std::vector<TokenId>> read_ids(const std::string& path) {
    auto text = read_text(path);
    if (!text) {
        return std::move(text).error();
    }
    std::vector<TokenId> ids;
    constexpr const char* kBlank = " \t\r\n\f\v";
    for (std::size_t at = text->find_first_not_of(kBlank); at != std::string::npos;) {
        const std::size_t end = std::min(text->find_first_of(kBlank, at), text->size());
        const std::string word = text->substr(at, end - at);
        TokenId id = 0;
        const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), id);
        if (code != std::errc{} || stop != word.data() + word.size()) {
            return Error{ErrorCode::bad_argument,
                         "'" + path + "': '" + shown(word.substr(0, 40)) + "' is not a token id"};
        }
        ids.push_back(id);
        at = text->find_first_not_of(kBlank, end);
    }
    return ids;
}

std::string timings_text(const Timings& t) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "first token %.0f ms, reading %lld tokens at %.1f t/s (%lld reused), writing "
                  "%lld at %.1f t/s",
                  t.ttft_ms, static_cast<long long>(t.prefill_tokens), t.prefill_tokens_per_s,
                  static_cast<long long>(t.reused_tokens), static_cast<long long>(t.decode_tokens),
                  t.decode_tokens_per_s);
    return text;
}

} // namespace sotto::cli

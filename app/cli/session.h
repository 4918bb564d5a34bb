// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options.h"
#include "engine/engine.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sotto::cli {

class InterruptibleInput;

/// A model and an engine that runs it.
struct Session {
    std::shared_ptr<const Model> model;
    std::unique_ptr<Engine> engine;
};

/// "sotto-cli: MESSAGE" on stderr.
void print_error(const Error& error);
/// The same; the exit code that goes with it.
int fail(const Error& error);

/// Loads with a progress line on stderr; Ctrl-C cancels. Warnings of the file go to stderr.
Result<std::shared_ptr<const Model>> load(const std::string& path, int n_threads,
                                          const std::string& isa = {});
Result<Session> open_session(const ModelFlags& flags);

/// What a request came to.
struct Outcome {
    std::string text, thinking; // Event has them apart
    std::vector<TokenId> token_ids;
    FinishReason reason = FinishReason::error;
    Error error;
    Timings timings;

    /// Adds what an event tells; true if it is the last one.
    bool add(const Event& event);
};

/// Submits and waits; `on_piece` gets what is thought and what is answered as it comes, one of them
/// empty or both filled where the answer begins. Ctrl-C cancels the request.
using OnPiece = std::function<void(const std::string& thinking, const std::string& text)>;
Outcome run_request(Engine& engine, RequestOptions options, const OnPiece& on_piece);

/// A file, pipe or device, or standard input for "-". Errors: io, naming it.
Result<std::shared_ptr<InterruptibleInput>> open_input(const std::string& path);
/// A whole file, or standard input for "-".
Result<std::string> read_text(const std::string& path);
/// Whitespace-separated ids of a file or pipe; an Error naming the first word that is none.
Result<std::vector<TokenId>> read_ids(const std::string& path);

/// "reading 37 tokens at 512.0 t/s, writing 64 at 120.3 t/s"
std::string timings_text(const Timings& timings);

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch_run.h"
#include "app/cli/command.h"

#include <CLI/App.hpp>

namespace sotto::cli {
namespace {

constexpr const char* kDescription =
    "Continue many prompts at once. FILE has a JSON object on each line: {\"prompt\": TEXT, \"n\": "
    "200, \"temp\": 0.7, \"seed\": 1}; all but the prompt may be left out, for what the options "
    "say, and top_k, top_p, min_p, repeat_penalty and repeat_last_n may be given too. For each "
    "line "
    "there is a line on standard output, in the same order: the answer's text as a JSON string, or "
    "with --json the object that generate --json prints. A line that is wrong or fails gives "
    "{\"error\": \"line 7: ...\"} in its place, and the exit code 1 in the end. Blank lines are "
    "skipped.";

int batch(const RequestFlags& flags, const std::string& file) {
    auto input = open_input(file); // before the model is loaded: it takes time
    if (!input) {
        return fail(input.error());
    }
    auto session = open_session(flags.model);
    if (!session) {
        return fail(session.error());
    }
    RequestMaker maker(flags, *session->model);
    if (auto done = maker.prepare_chat(); !done) {
        return fail(done.error());
    }
    return BatchRun(flags, *session, maker, *std::move(input)).run();
}

} // namespace

int run_batch(int argc, char** argv) {
    OptionSet options("batch", kDescription);
    std::string file;
    RequestFlags flags;
    options.app()
        .add_option("-f,--file,file", file, "the prompts; - is standard input")
        ->required();
    flags.add_to(options.app(), "print a JSON object for each line");
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    return batch(flags, file);
}

} // namespace sotto::cli

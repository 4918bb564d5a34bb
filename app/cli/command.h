// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace sotto::cli {

/// Exit codes, for scripts.
enum ExitCode : int {
    kOk = 0,
    kFailed = 1, // the model, a file or the engine: a message says which
    kUsage = 2,  // the command line
                 // 130, 143: Ctrl-C, SIGTERM (terminal.h)
};

/// A row of the command table in main.cpp. Text goes to stdout, everything else to stderr.
struct Command {
    const char* name;
    const char* summary;
    int (*run)(int argc, char** argv); // argv[0] is the command's name
};

int run_generate(int argc, char** argv);
int run_batch(int argc, char** argv);
int run_chat(int argc, char** argv);
int run_tokenize(int argc, char** argv);
int run_render(int argc, char** argv);
int run_info(int argc, char** argv);
int run_perplexity(int argc, char** argv);
int run_bench(int argc, char** argv);

} // namespace sotto::cli

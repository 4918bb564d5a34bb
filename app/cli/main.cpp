// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/interrupts.h"

#include <cstdio>
#include <exception>
#include <string_view>

namespace {

using namespace sotto::cli;

constexpr Command kCommands[] = {
    {"generate", "continue a prompt", run_generate},
    {"batch", "continue many prompts at once, one on each line", run_batch},
    {"chat", "talk with a model in the terminal", run_chat},
    {"tokenize", "show the tokens of a text", run_tokenize},
    {"render", "show the text a chat template makes", run_render},
    {"info", "describe a model, or this CPU with --cpu", run_info},
    {"perplexity", "measure how well a model predicts a text, compare two", run_perplexity},
    {"bench", "measure speed beside what the machine could do", run_bench},
};

void print_usage(std::FILE* to) {
    std::fputs("usage: sotto-cli COMMAND [OPTIONS]\n\n", to);
    for (const Command& c : kCommands) {
        std::fprintf(to, "  %-12s %s\n", c.name, c.summary);
    }
    std::fputs("\n`sotto-cli COMMAND --help` lists a command's options.\n", to);
}

int run(int argc, char** argv) {
    if (argc < 2) {
        print_usage(stderr);
        return kUsage;
    }
    const std::string_view name = argv[1];
    if (name == "--help" || name == "-h" || name == "help") {
        print_usage(stdout);
        return kOk;
    }
    if (name == "--version" || name == "-V") {
        std::puts("sotto-cli " SOTTO_VERSION);
        return kOk;
    }
    for (const Command& c : kCommands) {
        if (name == c.name) {
            return c.run(argc - 1, argv + 1);
        }
    }
    std::fprintf(stderr, "sotto-cli: there is no command '%s'\n\n", argv[1]);
    print_usage(stderr);
    return kUsage;
}

} // namespace

int main(int argc, char** argv) {
    catch_interrupts();
    try {
        const int code = run(argc, argv);
        // A full disk or a closed pipe: a script must not take a cut answer for a whole one.
        const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
        if (!written) {
            std::fputs("sotto-cli: standard output could not be written to its end\n", stderr);
        }
        return written || code != kOk ? code : kFailed;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "sotto-cli: %s\n", e.what());
        return kFailed;
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.h"

#include "app/cli/command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace sotto::cli {

OptionSet::OptionSet(const char* command, const char* description)
    : app_(std::make_unique<CLI::App>(description, std::string("sotto-cli ") + command)) {
    app_->option_defaults()->always_capture_default(false);
}

OptionSet::~OptionSet() = default;

std::optional<int> OptionSet::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
        return {};
    } catch (const CLI::ParseError& e) {
        return app_->exit(e) == 0 ? kOk : kUsage;
    }
}

void ModelFlags::add_to(CLI::App& app) {
    app.add_option("-m,--model,model", path, "the GGUF file")->required();
    app.add_option("-t,--threads", engine.n_threads, "worker threads; 0: one for each core")
        ->check(CLI::Range(0, 256));
    app.add_option("--ctx", engine.n_ctx,
                   "tokens of context; 0: what the model was trained for, if it fits in memory")
        ->check(CLI::Range(0, 1 << 30));
    app.add_option("--batch", engine.n_batch, "prompt tokens computed at once (prefill chunk)")
        ->check(CLI::Range(1, 8192));
    app.add_flag("--kv-f32", cache_f32, "keep keys and values in 32 bits");
}

void add_sampling_flags(CLI::App& app, SamplingParams& params) {
    visit_params(params, [&app](const ParamInfo& info, auto& field) {
        CLI::Option* option = app.add_option(info.flag, field, info.help);
        if (info.decimals > 0) {
            option->check(CLI::Range(info.min, info.max));
        } else {
            option->check(CLI::NonNegativeNumber);
        }
        option->capture_default_str();
    });
}

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.h"

#include "app/cli/command.h"
#include "app/cli/number_check.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <limits>

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

void add_model_option(CLI::App& app, std::string& path) {
    app.add_option("-m,--model,model", path,
                   "a GGUF file, or a folder with config.json; --model may be left out");
    app.parse_complete_callback([&path] {
        if (path.empty()) {
            throw CLI::RequiredError("a model (a GGUF file, or a folder with config.json)");
        }
    });
}

void add_threads_option(CLI::App& app, int& n_threads) {
    app.add_option("-t,--threads", n_threads, "worker threads; 0: one for each core")
        ->check(in_range(0, 256));
}

void add_batch_option(CLI::App& app, int& n_batch) {
    app.add_option("--batch", n_batch, "prompt tokens computed at once (prefill chunk)")
        ->check(in_range(1, 8192));
}

void add_length_option(CLI::App& app, std::int64_t& n) {
    app.add_option("-n,--n", n,
                   "tokens to write at most; -1: until the model stops or the context is full")
        ->check(in_range(-1, 1 << 30));
}

namespace {

constexpr const char* kCacheTypeHelp =
    "how keys and values are kept: f16, f32, q8_0 (half the memory of f16, a little less exact); "
    "q8_0:f16 keeps keys and values apart";

/// What follows --kv-type, several separated by commas.
CLI::callback_t take_cache_types(std::function<void(CacheTypes)> take) {
    return [take](const CLI::results_t& texts) {
        for (const std::string& text : texts) {
            auto types = parse_cache_types(text);
            if (!types) {
                throw CLI::ValidationError("--kv-type", types.error().message);
            }
            take(*types);
        }
        return true;
    };
}

} // namespace

void add_cache_option(CLI::App& app, CacheTypes& types) {
    app.add_option("--kv-type", take_cache_types([&types](CacheTypes t) { types = t; }),
                   kCacheTypeHelp);
}

void add_cache_option(CLI::App& app, std::vector<CacheTypes>& list) {
    app.add_option("--kv-type", take_cache_types([&list](CacheTypes t) { list.push_back(t); }),
                   kCacheTypeHelp)
        ->delimiter(',')
        ->expected(1, CLI::detail::expected_max_vector_size);
}

void ModelFlags::add_to(CLI::App& app) {
    add_model_option(app, path);
    add_threads_option(app, engine.n_threads);
    app.add_option("--ctx", engine.n_ctx,
                   "tokens of context; 0: what the model was trained for, if it fits in memory")
        ->check(in_range(0, 1 << 30));
    add_batch_option(app, engine.n_batch);
    add_cache_option(app, engine.cache_type);
    app.add_option("--slots", engine.n_slots, "requests that run at once (16)")
        ->check(in_range(1, 256));
    app.add_option("--token-budget", engine.token_budget,
                   "prompt tokens computed in a step while answers are written; 0: as many as keep "
                   "the answers at a good pace (0)")
        ->check(in_range(0, 8192));
    app.add_option_function<std::int64_t>(
           "--kv-memory", [this](std::int64_t mib) { engine.max_kv_bytes = mib << 20; },
           "MiB for keys and values of all requests, running or earlier; 0: as free memory allows "
           "(0)")
        ->check(in_range<std::int64_t>(0, 1 << 30))
        ->type_name("MIB");
}

void add_sampling_flags(CLI::App& app, SamplingParams& params) {
    visit_params(params, [&app](const ParamInfo& info, auto& field) {
        CLI::Option* option = app.add_option(info.flag, field, info.help);
        using Field = std::remove_reference_t<decltype(field)>;
        if constexpr (std::is_integral_v<Field>) { // the window's slider ends earlier
            option->check(in_range<Field>(0, std::numeric_limits<Field>::max()));
        } else {
            option->check(in_range(info.min, info.max));
        }
        option->capture_default_str();
    });
}

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sotto::cli {

/// A command's options, declared once and parsed; wraps the library that does it.
class OptionSet {
  public:
    OptionSet(const char* command, const char* description);
    ~OptionSet();
    CLI::App& app() { return *app_; }
    /// The exit code if the command must end now (help was printed, or the line is wrong).
    std::optional<int> parse(int argc, char** argv);

  private:
    std::unique_ptr<CLI::App> app_;
};

/// MODEL or --model; the line is wrong without it.
void add_model_option(CLI::App& app, std::string& path);
void add_threads_option(CLI::App& app, int& n_threads);
void add_batch_option(CLI::App& app, int& n_batch);
void add_length_option(CLI::App& app, std::int64_t& n);
void add_cache_option(CLI::App& app, CacheTypes& types);
/// --kv-type with several, separated by commas, which are added to the list.
void add_cache_option(CLI::App& app, std::vector<CacheTypes>& list);

/// Flags of every command that runs a model.
struct ModelFlags {
    std::string path;
    EngineOptions engine;

    /// It must stay where it is until the line is parsed.
    void add_to(CLI::App& app);
};

/// --temp, --top-k, ...: one flag for each parameter the visitor names.
void add_sampling_flags(CLI::App& app, SamplingParams& params);

} // namespace sotto::cli

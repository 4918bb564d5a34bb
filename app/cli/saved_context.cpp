// SPDX-License-Identifier: Apache-2.0
#include "app/cli/saved_context.h"

#include "app/cli/session.h"

#include <CLI/App.hpp>

#include <cstdio>
#include <filesystem>

namespace sotto::cli {

void add_kv_file_option(CLI::App& app, std::string& path) {
    app.add_option("--kv-file", path,
                   "keep keys and values in this file at the end, and take them up at the start: "
                   "what was read then is not computed again (large, and readable like the text)")
        ->type_name("FILE");
}

void restore_context(Engine& engine, const std::string& path) {
    std::error_code ignored;
    const std::filesystem::path file(std::u8string(path.begin(), path.end()));
    if (path.empty() || !std::filesystem::exists(file, ignored)) {
        return; // the first time
    }
    const auto restored = engine.restore_context(path);
    if (!restored) {
        std::fprintf(stderr, "sotto-cli: %s; it is not used\n", restored.error().message.c_str());
    }
}

bool save_context(Engine& engine, std::span<const TokenId> tokens, const std::string& path) {
    if (path.empty()) {
        return true;
    }
    const auto saved = engine.save_context(tokens, path);
    if (!saved) {
        print_error(saved.error());
    }
    return saved.has_value();
}

} // namespace sotto::cli

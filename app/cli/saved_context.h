// SPDX-License-Identifier: Apache-2.0
// --kv-file: keys and values of a conversation, kept from one start to the next.
#pragma once

#include "engine/engine.h"

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace sotto::cli {

void add_kv_file_option(CLI::App& app, std::string& path);
/// Takes up what save_context() left, if there is such a file; one that does not fit or is damaged
/// is told on stderr and not used. Nothing for an empty path.
void restore_context(Engine& engine, const std::string& path);
/// Tells on stderr what stands in the way, and returns false then. Nothing for an empty path.
bool save_context(Engine& engine, std::span<const TokenId> tokens, const std::string& path);

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Runs the real command line as scripts do.
#pragma once

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>

namespace sotto::test {

/// The starter model's path, quoted for the shell.
inline std::string model() {
    const char* path = std::getenv("SOTTO_STARTER_MODEL");
    REQUIRE_MESSAGE(path != nullptr,
                    "SOTTO_STARTER_MODEL must name the starter model (./dev test sets it)");
    return std::string("'") + path + "'";
}

/// A file or folder of the tiny models, quoted: tiny("qwen3/hub").
inline std::string tiny(const std::string& name) {
    return std::string("'") + SOTTO_TEST_DATA + "/models/" + name + "'";
}

struct Output {
    int code = -1;
    std::string text; // stdout; stderr too where the command says 2>&1

    [[nodiscard]] bool has(const std::string& part) const {
        return text.find(part) != std::string::npos;
    }
};

/// One word for the shell, whatever is in it.
inline std::string one_word(const std::string& text) {
    std::string word = "'";
    for (const char c : text) {
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return word + "'";
}

/// In a shell line: waits until process $pid has handlers for SIGINT and SIGTERM (the shell, which
/// $pid is before, has none for SIGTERM). Until then SIGINT is ignored: the process was started
/// with
/// &.
inline const char* const kUntilItCatchesSignals =
    "until grep -q '^SigCgt:.*[4-7c-f]..[2367abef]$' /proc/$pid/status; do sleep 0.01; done; ";

/// Runs a shell line in which "sotto-cli" is the program under test. One that hangs ends with 124,
/// so that the test fails by name.
inline Output shell(std::string line) {
    const std::string name = "sotto-cli";
    for (std::size_t at = 0; (at = line.find(name, at)) != std::string::npos;) {
        const std::string program = std::string("'") + SOTTO_CLI + "'";
        line.replace(at, name.size(), program);
        at += program.size();
    }
    std::FILE* pipe = popen(("exec timeout -k 5 180 sh -c " + one_word(line)).c_str(), "r");
    REQUIRE(pipe != nullptr);
    Output out;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
        out.text.append(part.data(), n);
    }
    const int status = pclose(pipe);
    out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    return out;
}

inline nlohmann::json run_json(const std::string& line) {
    const Output out = shell(line);
    CAPTURE(line);
    REQUIRE(out.code == 0);
    return nlohmann::json::parse(out.text);
}

} // namespace sotto::test

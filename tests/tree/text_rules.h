// SPDX-License-Identifier: Apache-2.0
// What may not stand in the files of the repository, and what must.
#pragma once

#include "tests/tree/code_only.h"
#include "tests/tree/source_tree.h"

#include <regex>

namespace tree {

inline constexpr std::size_t kMaxLines = 600;

/// Lines of the code proper (no comments, no strings) on which `pattern` is found.
inline Faults code_faults(const SourceFile& file, const std::regex& pattern,
                          const std::string& why) {
    Faults faults;
    std::size_t number = 0;
    for (const auto& line : lines_of(code_only(file.text))) {
        ++number;
        if (std::regex_search(line, pattern))
            faults.push_back(file.path + ":" + std::to_string(number) + ": " + why);
    }
    return faults;
}

inline bool is_window_code(std::string_view path) {
    return is_cpp(path) && (in_folder(path, "ui") || in_folder(path, "app/desktop"));
}

/// What stalls the window: a nested event loop, or waiting for another thread. SQL statements of
/// the store have a method exec() too; they run on its own thread.
inline Faults blocking_faults(const SourceFile& file) {
    static const std::regex nested(R"(\bexec\s*\()");
    static const std::regex blocking(R"(\bBlockingQueuedConnection\b)");
    if (!is_window_code(file.path))
        return {};
    auto faults = code_faults(file, blocking, "waits for another thread");
    auto loops = code_faults(file, nested, "exec() runs a nested event loop: open() or popup()");
    bool main_loop = file.path == "app/desktop/main.cpp" && loops.size() == 1; // QApplication's own
    if (!main_loop && !in_folder(file.path, "ui/store"))
        faults.insert(faults.end(), loops.begin(), loops.end());
    return faults;
}

inline Faults style_sheet_faults(const SourceFile& file) {
    static const std::regex pattern(R"(\bsetStyleSheet\b)");
    return is_window_code(file.path)
               ? code_faults(file, pattern, "style sheet: use the proxy style")
               : Faults{};
}

/// Flags that would make results depend on the compiler or the machine.
inline Faults flag_faults(const SourceFile& file) {
    static const std::regex pattern(
        "-f(fast-math|unsafe-math\\S*|associative-math|finite-math-only)|-Ofast"
        "|-m(arch|cpu|tune)=native|-ffp-contract=(fast|on)|/fp:fast");
    Faults faults;
    std::size_t number = 0;
    for (const auto& line : is_cmake(file.path) ? lines_of(file.text) : Faults{}) {
        ++number;
        std::smatch match;
        auto code = line.substr(0, line.find('#'));
        if (std::regex_search(code, match, pattern))
            faults.push_back(file.path + ":" + std::to_string(number) + ": " + match[0].str());
    }
    return faults;
}

inline bool needs_licence_line(std::string_view path) {
    return is_cpp(path) || ends_with_any(path, {"CMakeLists.txt", ".cmake", ".sh", ".py"}) ||
           path == "dev" || path == ".ci/run";
}

inline Faults licence_faults(const SourceFile& file) {
    if (!needs_licence_line(file.path))
        return {};
    auto lines = lines_of(file.text);
    for (std::size_t i = 0; i < std::min<std::size_t>(3, lines.size()); ++i)
        if (lines[i].find("SPDX-License-Identifier: Apache-2.0") != std::string::npos)
            return {};
    return {file.path + ": no SPDX line at its head"};
}

inline Faults length_faults(const SourceFile& file) {
    auto n_lines = lines_of(file.text).size();
    if (!needs_licence_line(file.path) || n_lines <= kMaxLines)
        return {};
    return {file.path + ": " + std::to_string(n_lines) + " lines, at most " +
            std::to_string(kMaxLines)};
}

/// Paths of one person's machine. The names are put together here so that this file passes.
inline Faults path_faults(const SourceFile& file) {
    Faults faults;
    for (const std::string folder : {"work", "root", "tmp/w"}) {
        const std::regex pattern("(^|[\\s\"'`(=:,])/" + folder + "/");
        if (std::regex_search(file.text, pattern))
            faults.push_back(file.path + ": names /" + folder + "/ of one machine");
    }
    return faults;
}

/// Work that was left for later.
inline Faults leftover_faults(const SourceFile& file) {
    static const std::regex pattern(std::string("\\b(TO") + "DO|FIX" + "ME|XX" + "X)\\b");
    if (!needs_licence_line(file.path) || !std::regex_search(file.text, pattern))
        return {};
    return {file.path + ": work left for later belongs in an issue"};
}

/// A person who opens README finds the two commands at once.
inline Faults readme_faults(std::string_view text) {
    Faults faults;
    auto lines = lines_of(text);
    lines.resize(std::min<std::size_t>(lines.size(), 10));
    auto head = joined(lines);
    for (const char* command : {"./dev run", "./dev test"})
        if (head.find(command) == std::string::npos)
            faults.push_back("README.md: its first 10 lines do not name " + std::string(command));
    return faults;
}

} // namespace tree

// SPDX-License-Identifier: Apache-2.0
// Who may include what: the edges of ARCHITECTURE.md as a table.
#pragma once

#include "tests/tree/source_tree.h"

#include <array>
#include <map>
#include <regex>

namespace tree {

/// A folder and what its files may include of ours, itself apart: folders, or single headers.
struct Edge {
    std::string_view folder;
    std::vector<std::string_view> allowed;
};

// The longest matching folder counts. tests/ may include anything and has no row.
inline const std::vector<Edge>& edges() {
    static const std::vector<Edge> table = {
        {"kernels", {}},
        {"engine", {"kernels"}},
        {"ui", {"engine/engine.h"}},
        {"app/server", {"engine/engine.h"}},
        {"app/cli", {"engine/engine.h", "app/server"}},
        {"app/desktop", {"engine/engine.h", "ui", "app/server"}},
    };
    return table;
}

/// A header behind which the compiler spends seconds: few files may include it.
struct HeavyHeader {
    std::string_view prefix;
    int max_sources = 2;
    int max_headers = 1;
};
inline constexpr std::array<HeavyHeader, 3> kHeavyHeaders{
    {{"spdlog/"}, {"nlohmann/", 3}, {"pcre2"}}};

/// The name in each #include line, without quotes or brackets.
inline std::vector<std::string> includes_of(std::string_view text) {
    static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
    std::vector<std::string> names;
    std::smatch match;
    for (const auto& line : lines_of(text))
        if (std::regex_search(line, match, pattern))
            names.push_back(match[1]);
    return names;
}

inline bool is_ours(std::string_view include) {
    for (auto top : {"app", "ui", "engine", "kernels", "tests"})
        if (in_folder(include, top))
            return true;
    return false;
}

inline bool edge_allows(const Edge& edge, std::string_view include) {
    if (in_folder(include, edge.folder))
        return true;
    return std::any_of(edge.allowed.begin(), edge.allowed.end(), [&](auto allowed) {
        return include == allowed || (!allowed.ends_with(".h") && in_folder(include, allowed));
    });
}

inline Faults edge_faults(const SourceFile& file) {
    Faults faults;
    for (const auto& edge : edges()) {
        if (!is_cpp(file.path) || !in_folder(file.path, edge.folder))
            continue;
        for (const auto& include : includes_of(file.text))
            if (is_ours(include) && !edge_allows(edge, include))
                faults.push_back(file.path + ": may not include " + include);
    }
    return faults;
}

inline bool is_qt(std::string_view include) {
    return include.size() > 1 && include[0] == 'Q' &&
           (std::isupper(static_cast<unsigned char>(include[1])) != 0 || include[1] == 't') &&
           !include.ends_with(".h");
}

/// No Qt below ui/; elsewhere no header that stands for a whole module.
inline Faults qt_faults(const SourceFile& file) {
    static const std::regex umbrella(R"(^(Qt[A-Za-z]+)(/\1)?$)");
    Faults faults;
    bool below_ui = in_folder(file.path, "kernels") || in_folder(file.path, "engine") ||
                    in_folder(file.path, "app/cli");
    for (const auto& include : is_cpp(file.path) ? includes_of(file.text) : Faults{}) {
        if (below_ui && is_qt(include))
            faults.push_back(file.path + ": Qt is not for this folder: " + include);
        if (std::regex_match(include, umbrella))
            faults.push_back(file.path + ": includes the whole module " + include);
    }
    return faults;
}

/// Headers of one instruction set are for kernels/ alone.
inline Faults intrinsics_faults(const SourceFile& file) {
    static const std::regex pattern("^([a-z]*intrin|arm_neon|arm_sve|arm_acle|cpuid)\\.h$");
    Faults faults;
    if (!is_cpp(file.path) || in_folder(file.path, "kernels"))
        return faults;
    for (const auto& include : includes_of(file.text))
        if (std::regex_match(include, pattern))
            faults.push_back(file.path + ": only kernels/ may include " + include);
    return faults;
}

/// How often the programs (not the tests) include each heavy header.
inline Faults heavy_faults(const std::vector<SourceFile>& files) {
    Faults faults;
    for (const auto& heavy : kHeavyHeaders) {
        Faults sources, headers;
        for (const auto& file : files) {
            auto names = includes_of(file.text);
            bool uses = std::any_of(names.begin(), names.end(),
                                    [&](auto& name) { return name.starts_with(heavy.prefix); });
            if (uses && is_cpp(file.path) && !in_folder(file.path, "tests"))
                (file.path.ends_with(".h") ? headers : sources).push_back(file.path);
        }
        if (static_cast<int>(sources.size()) > heavy.max_sources)
            faults.push_back(std::string(heavy.prefix) + " in too many sources:" + joined(sources));
        if (static_cast<int>(headers.size()) > heavy.max_headers)
            faults.push_back(std::string(heavy.prefix) + " in too many headers:" + joined(headers));
    }
    return faults;
}

} // namespace tree

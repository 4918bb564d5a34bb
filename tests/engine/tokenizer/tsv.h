// SPDX-License-Identifier: Apache-2.0
// Tables of tests/data: lines of columns with tabs between, '#' begins a comment line.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::test {

/// Takes the escapes \n \t \r \\ and \xHH back.
inline std::string unescape(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            bytes += text[i];
            continue;
        }
        const char c = text[++i];
        if (c == 'x') {
            bytes += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            bytes += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
        }
    }
    return bytes;
}

/// Rows of a table in tests/data, unescaped.
inline std::vector<std::vector<std::string>> read_tsv(const std::string& name) {
    std::ifstream in(std::string(SOTTO_TEST_DATA) + "/" + name, std::ios::binary);
    REQUIRE_MESSAGE(in.good(), name);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        std::vector<std::string>& row = rows.emplace_back();
        for (std::size_t begin = 0; begin <= line.size();) {
            const std::size_t end = std::min(line.find('\t', begin), line.size());
            row.push_back(unescape(std::string_view(line).substr(begin, end - begin)));
            begin = end + 1;
        }
    }
    return rows;
}

} // namespace sotto::test

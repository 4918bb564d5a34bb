// SPDX-License-Identifier: Apache-2.0
// Tiny models of every architecture with the numbers that numpy got from them
// (tests/reference/tiny_models.py writes both).
#pragma once

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace sotto::test {

inline const char* const kFamilies[] = {"llama", "llama3", "mistral", "smollm3",
                                        "qwen2", "qwen3",  "gemma3"};

inline std::string models_folder() {
    return std::string(SOTTO_TEST_DATA) + "/models/";
}

struct TinyReference {
    std::vector<std::int32_t> prompt;
    std::vector<std::vector<float>> layers; // [n_layer][n_embd], at the last position
    std::vector<float> logits;              // there
    std::vector<std::int32_t> greedy;       // what follows
};

inline nlohmann::json read_json(const std::string& path) {
    std::ifstream in(path);
    REQUIRE_MESSAGE(in.good(), path);
    return nlohmann::json::parse(in);
}

inline TinyReference tiny_reference(const std::string& family) {
    const nlohmann::json data = read_json(models_folder() + family + "/reference.json");
    return {data["prompt"], data["layers"], data["logits"], data["greedy"]};
}

inline double cosine(std::span<const float> a, std::span<const float> b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        aa += static_cast<double>(a[i]) * static_cast<double>(a[i]);
        bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
    }
    return ab / std::sqrt(aa * bb);
}

inline float largest_difference(std::span<const float> a, std::span<const float> b) {
    float largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::fabs(a[i] - b[i]));
    }
    return largest;
}

} // namespace sotto::test

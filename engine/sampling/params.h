// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace sotto {

/// A snapshot of the sampling settings of one request; replaced as a whole while it runs.
struct SamplingParams {
    float temperature = 0.7f;        // 0: greedy
    std::int32_t top_k = 40;         // 0: off
    float top_p = 0.95f;             // 1: off
    float min_p = 0.05f;             // 0: off
    float repeat_penalty = 1.1f;     // 1: off
    std::int32_t repeat_last_n = 64; // tokens that repeat_penalty looks back over; 0: off
    std::uint64_t seed = 0;          // same seed, same text

    friend bool operator==(const SamplingParams&, const SamplingParams&) = default;
};

/// What sliders, flags and JSON fields need to know of one parameter.
struct ParamInfo {
    const char* key;   // JSON field, settings key: "top_k"
    const char* flag;  // command line: "--top-k"
    const char* label; // window: "Top-k"
    const char* help;  // one sentence
    double min, max, step;
    int decimals; // 0: an integer
};

/// Calls v(ParamInfo, field) for every parameter, in the order the window shows them. The one list
/// from which sliders, flags and JSON fields come: a new parameter is a field and a line here.
template <class Params, class Visitor>
void visit_params(Params& p, Visitor&& v) {
    v(
        ParamInfo{
            "temperature", "--temp", "Temperature",
            "Higher is more varied, lower more predictable; 0 always takes the likeliest token.", 0,
            2, 0.01, 2},
        p.temperature);
    v(ParamInfo{"top_p", "--top-p", "Top-p",
                "Keep the likeliest tokens whose probabilities add up to this; 1 is off.", 0, 1,
                0.01, 2},
      p.top_p);
    v(ParamInfo{"min_p", "--min-p", "Min-p",
                "Drop tokens less likely than this share of the likeliest one; 0 is off.", 0, 1,
                0.01, 2},
      p.min_p);
    v(ParamInfo{"top_k", "--top-k", "Top-k", "Keep this many of the likeliest tokens; 0 is off.", 0,
                200, 1, 0},
      p.top_k);
    v(ParamInfo{"repeat_penalty", "--repeat-penalty", "Repeat penalty",
                "Make tokens that came lately less likely; 1 is off.", 1, 2, 0.01, 2},
      p.repeat_penalty);
    v(ParamInfo{"repeat_last_n", "--repeat-last-n", "Repeat window",
                "How many of the latest tokens the repeat penalty looks at; 0 is off.", 0, 2048, 1,
                0},
      p.repeat_last_n);
    v(ParamInfo{"seed", "--seed", "Seed", "The same seed and settings give the same text.", 0,
                9007199254740991.0, 1, 0},
      p.seed);
}

} // namespace sotto

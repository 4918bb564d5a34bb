// SPDX-License-Identifier: Apache-2.0
// SamplingParams by key, over the visitor: what a row of the panel needs and no more.
#pragma once

#include "engine/engine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace sotto::ui {

/// The parameter as a double, exact: ranges stay below 2^53. 0 for a key that does not exist.
inline double paramValue(const SamplingParams& params, const char* key) {
    double value = 0;
    visit_params(params, [&](const ParamInfo& info, const auto& field) {
        if (std::strcmp(info.key, key) == 0)
            value = static_cast<double>(field);
    });
    return value;
}

/// Clamped to the parameter's range; what is not a number leaves the parameter as it is.
inline void setParamValue(SamplingParams& params, const char* key, double value) {
    if (std::isnan(value))
        return;
    visit_params(params, [&](const ParamInfo& info, auto& field) {
        using Field = std::remove_reference_t<decltype(field)>;
        if (std::strcmp(info.key, key) != 0)
            return;
        const double inside = std::clamp(value, info.min, info.max);
        field = static_cast<Field>(info.decimals == 0 ? std::round(inside) : inside);
    });
}

/// Every value inside its range, defaults where one is not a number.
inline SamplingParams clampedParams(const SamplingParams& params) {
    SamplingParams result;
    visit_params(params, [&](const ParamInfo& info, const auto& field) {
        setParamValue(result, info.key, static_cast<double>(field));
    });
    return result;
}

} // namespace sotto::ui

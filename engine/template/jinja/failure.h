// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <string>

namespace sotto::jinja {

/// Thrown inside this folder alone; Template::parse and Template::render turn it into an Error and
/// put the line before it.
struct Failure {
    ErrorCode code;
    std::string message;
};

/// For what the template does wrong.
[[noreturn]] inline void fail(std::string message) {
    throw Failure{ErrorCode::bad_file, std::move(message)};
}

} // namespace sotto::jinja

// SPDX-License-Identifier: Apache-2.0
// What is told of a model before its weights are read.
#include "engine/model/loaded_model.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sotto;
using namespace sotto::test;

namespace {

std::string quantization_with(std::optional<std::uint32_t> file_type) {
    GgufWriter w = tiny_model();
    if (file_type) {
        w.put("general.file_type", *file_type);
    }
    const TempFile file(w.build());
    const auto info = model::LoadedModel::describe(file.path());
    REQUIRE_MESSAGE(info.has_value(), (info ? std::string() : info.error().message));
    return info->quantization;
}

} // namespace

TEST_CASE("a file is called by the recipe it names, not by the type of its largest tensor") {
    CHECK(quantization_with(15) == "Q4_K_M");
    CHECK(quantization_with(7) == "Q8_0");
    CHECK(quantization_with(999) == "F16"); // of the tensors: the number is none that is known
    CHECK(quantization_with({}) == "F16");
}

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/describe.h"

#include <doctest/doctest.h>

using namespace sotto::model;

TEST_CASE("models are called by file, folder, or name in the hub's cache") {
    CHECK(display_name("a/Tiny-1B-Q4_K.gguf") == "Tiny-1B");
    CHECK(display_name("a/Tiny-1B") == "Tiny-1B");
    CHECK(display_name("a/Tiny-1B/") == "Tiny-1B");
    CHECK(display_name("/hub/models--Org--Tiny-1B/snapshots/0a1b2c") == "Tiny-1B");
    CHECK(display_name("/hub/models--Org--Tiny-1B/snapshots/0a1b2c/") == "Tiny-1B");
    CHECK(display_name("/hub/models--Org--模型/snapshots/0a1b2c") == "模型");
    CHECK(display_name("/hub/models--Org--Tiny/snapshots/0a1b2c/x-Q8_0.gguf") == "x");
}

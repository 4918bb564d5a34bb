// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/hub_config.h"

#include <doctest/doctest.h>

using namespace sotto;
using namespace sotto::formats;

namespace {

const json::Document& document() {
    static const json::Document d = *json::Document::parse(R"({
        "hidden_size": 576, "whole": 8.0, "half": 8.5, "big": 1e30, "negative": -1,
        "eps": 1e-05, "tie": true, "name": "llama", "none": null,
        "eos": [1, 2], "one": 3, "mixed": [1, "2"], "floats": [1, 2.5],
        "types": ["full_attention", "sliding_attention"], "empty": [],
        "rope_scaling": {"factor": 32.0, "type": "llama3", "inner": {"x": []}},
        "\u001b[31m": "x"
    })");
    return d;
}

HubConfig config() {
    return {document().root(), "config.json"};
}

template <class T>
std::string message(const Result<T>& result) {
    return result ? "no error" : result.error().message;
}

} // namespace

TEST_CASE("settings of every kind") {
    const HubConfig c = config();
    CHECK(*c.get_int("hidden_size") == 576);
    CHECK(*c.get_int("whole") == 8);
    CHECK(*c.get_int("negative") == -1);
    CHECK(*c.get_float("eps") == 1e-05);
    CHECK(*c.get_float("hidden_size") == 576.0);
    CHECK(*c.get_float("big") == 1e30);
    CHECK(*c.get_bool("tie") == true);
    CHECK(*c.get_string("name") == "llama");
    CHECK(*c.get_ints("eos") == std::vector<std::int64_t>{1, 2});
    CHECK(*c.get_ints("one") == std::vector<std::int64_t>{3});
    CHECK(*c.get_ints("empty") == std::vector<std::int64_t>{});
    CHECK(*c.get_floats("floats") == std::vector<double>{1, 2.5});
    CHECK(*c.get_strings("types") ==
          std::vector<std::string>{"full_attention", "sliding_attention"});
    CHECK(*c.get_strings("name") == std::vector<std::string>{"llama"});
    const HubConfig rope = **c.get_object("rope_scaling");
    CHECK(*rope.get_float("factor") == 32.0);
    CHECK(*rope.get_int("factor") == 32);
    CHECK((*rope.get_object("inner"))->has("x"));
}

TEST_CASE("missing and null are the same, and no error") {
    const HubConfig c = config();
    for (const char* key : {"other", "none"}) {
        CHECK(!c.has(key));
        CHECK(!c.get_int(key)->has_value());
        CHECK(!c.get_float(key)->has_value());
        CHECK(!c.get_bool(key)->has_value());
        CHECK(!c.get_string(key)->has_value());
        CHECK(!c.get_ints(key)->has_value());
        CHECK(!c.get_floats(key)->has_value());
        CHECK(!c.get_strings(key)->has_value());
        CHECK(!c.get_object(key)->has_value());
    }
    CHECK(c.has("empty"));
}

TEST_CASE("another kind, or outside the range") {
    const HubConfig c = config();
    CHECK(message(c.get_int("half")) == "config.json: key 'half' is 8.5, an integer is needed");
    CHECK(message(c.get_int("big")) == "config.json: key 'big' is 1e+30, an integer is needed");
    CHECK(message(c.get_int("name")) ==
          "config.json: key 'name' is a string, an integer is needed");
    CHECK(message(c.get_int("tie")) == "config.json: key 'tie' is a boolean, an integer is needed");
    CHECK(message(c.get_int("eos")) == "config.json: key 'eos' is a list, an integer is needed");
    CHECK(message(c.get_int("negative", {0, 100})) ==
          "config.json: key 'negative' is -1, outside 0 to 100");
    CHECK(message(c.get_int("whole", {9, 100})) ==
          "config.json: key 'whole' is 8, outside 9 to 100");
    CHECK(message(c.get_float("eps", {0.5, 1})) ==
          "config.json: key 'eps' is 1e-05, outside 0.5 to 1");
    CHECK(message(c.get_float("tie")) == "config.json: key 'tie' is a boolean, a number is needed");
    CHECK(message(c.get_bool("one")) == "config.json: key 'one' is 3, true or false is needed");
    CHECK(message(c.get_string("one")) == "config.json: key 'one' is 3, a string is needed");
    CHECK(message(c.get_ints("mixed")) ==
          "config.json: key 'mixed' element 2 is a string, an integer is needed");
    CHECK(message(c.get_ints("eos", {0, 1})) ==
          "config.json: key 'eos' element 2 is 2, outside 0 to 1");
    CHECK(message(c.get_strings("mixed")) ==
          "config.json: key 'mixed' element 1 is 1, a string is needed");
    CHECK(message(c.get_floats("name")) ==
          "config.json: key 'name' is a string, a number is needed");
    CHECK(message(c.get_object("one")) == "config.json: key 'one' is 3, an object is needed");
    CHECK(message((*c.get_object("rope_scaling"))->get_int("type")) ==
          "config.json: key 'rope_scaling.type' is a string, an integer is needed");
    CHECK(message(c.get_int("\x1B[31m")).find('\x1B') == std::string::npos);
}

TEST_CASE("a document that is no object has no keys") {
    const json::Document d = *json::Document::parse("[1]");
    CHECK(!HubConfig(d.root(), "x").has("a"));
    CHECK(!HubConfig(d.root(), "x").get_int("a")->has_value());
}

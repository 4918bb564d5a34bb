// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json.h"
#include "tests/support/sanitized.h"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>

using namespace sotto;
using json::Document;
using json::Kind;
using json::Value;

namespace {

Document parse(std::string_view text) {
    auto d = Document::parse(text);
    REQUIRE_MESSAGE(d.has_value(), d.error().message);
    return *std::move(d);
}

std::string refusal(std::string_view text, const json::Limits& limits = {}) {
    const auto d = Document::parse(text, limits);
    return d ? "no error" : d.error().message;
}

std::string repeated(std::string_view part, std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
        text += part;
    }
    return text;
}

double seconds_to_parse(const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(Document::parse(text));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

TEST_CASE("values of every kind, in their order") {
    const Document d = parse(
        R"( {"z": null, "y": true, "x": -7, "w": 0.5, "v": "text", "u": [1, [], {}], "t": {"a": 1}} )");
    const Value root = d.root();
    REQUIRE(root.is(Kind::object));
    REQUIRE(root.size() == 7);
    CHECK(root.key(0) == "z");
    CHECK(root.key(6) == "t");
    CHECK(root.at(0).is(Kind::null));
    CHECK(root.find("y")->boolean());
    CHECK(root.find("x")->integer() == -7);
    CHECK(root.find("x")->number() == -7.0);
    CHECK(root.find("w")->number() == 0.5);
    CHECK(root.find("v")->string() == "text");
    const Value list = *root.find("u");
    REQUIRE(list.size() == 3);
    CHECK(list.at(0).integer() == 1);
    CHECK(list.at(1).is(Kind::array));
    CHECK(list.at(2).size() == 0);
    CHECK(root.find("t")->find("a")->integer() == 1);
    CHECK(!root.find("a"));
    CHECK(!root.find(""));
}

TEST_CASE("a value alone") {
    CHECK(parse("null").root().is(Kind::null));
    CHECK(parse(" false\n").root().is(Kind::boolean));
    CHECK(parse("\xEF\xBB\xBF\"after a byte order mark\"").root().is(Kind::string));
    CHECK(parse("[]").root().size() == 0);
}

TEST_CASE("another kind than it is gives nothing, and no crash") {
    const Document d = parse(R"(["1", 1, 1.5, true, null, [1], {"k": 1}])");
    for (std::size_t i = 0; i < d.root().size(); ++i) {
        const Value v = d.root().at(i);
        CHECK(v.integer() == (i == 1 ? 1 : 0));
        CHECK(v.number() == (i == 1 ? 1.0 : i == 2 ? 1.5 : 0.0));
        CHECK(v.boolean() == (i == 3));
        CHECK(v.string() == (i == 0 ? "1" : ""));
        CHECK(v.size() == (i >= 5 ? 1 : 0));
        CHECK(v.find("k").has_value() == (i == 6));
    }
}

TEST_CASE("numbers") {
    struct Row {
        const char* text;
        Kind kind;
        std::int64_t integer;
        double number;
    };
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    const Row rows[] = {
        {"0", Kind::integer, 0, 0},
        {"9007199254740993", Kind::integer, 9007199254740993, 9007199254740992.0},
        {"9223372036854775807", Kind::integer, kMax, 9223372036854775808.0},
        {"-9223372036854775808", Kind::integer, -kMax - 1, -9223372036854775808.0},
        {"9223372036854775808", Kind::real, 0, 9223372036854775808.0},
        {"18446744073709551616", Kind::real, 0, 18446744073709551616.0},
        {"-9223372036854775809", Kind::real, 0, -9223372036854775808.0},
        {"1.0", Kind::real, 0, 1},
        {"1e5", Kind::real, 0, 100000},
        {"1E-6", Kind::real, 0, 1e-6},
        {"-0.0", Kind::real, 0, 0},
        {"1e-9999", Kind::real, 0, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(std::string(row.text));
        const Document d = parse(row.text);
        CHECK(d.root().kind() == row.kind);
        CHECK(d.root().integer() == row.integer);
        CHECK(d.root().number() == row.number);
    }
}

TEST_CASE("strings") {
    CHECK(parse(R"("\" \\ \/ \b\f\n\r\t")").root().string() == "\" \\ / \b\f\n\r\t");
    CHECK(parse(R"("\u0041\u00e9\u20AC\ud83d\uDE00")").root().string() ==
          "A\u00E9\u20AC\U0001F600");
    CHECK(parse(R"("a\u0000b")").root().string() == std::string_view("a\0b", 3));
    CHECK(parse("\"\u0120\u6A21\U0001F600\x7F\"").root().string() == "\u0120\u6A21\U0001F600\x7F");
    CHECK(parse(R"({"a\u0000": 1, "a": 2})").root().find(std::string_view("a\0", 2))->integer() ==
          1);
}

TEST_CASE("what is no JSON, and where") {
    struct Row {
        std::string text;
        const char* message;
    };
    const Row rows[] = {
        {"", "JSON, byte 0: "},
        {"   ", "JSON, byte 3: "},
        {"{\"a\": 1,}", "JSON, byte 9: "},
        {"[1 2]", "JSON, byte 5: "},
        {"[1,]", "JSON, byte 4: "},
        {"{\"a\"}", "JSON, byte 5: "},
        {"{a: 1}", "JSON, byte 2: "},
        {"{} x", "JSON, byte 4: "},
        {"{}{}", "JSON, byte 3: "},
        {"[1] // note", "JSON, byte 5: "},
        {"nul", "JSON, byte "},
        {"True", "JSON, byte 1: "},
        {"NaN", "JSON, byte 1: "},
        {"-Infinity", "JSON, byte 2: "},
        {"'a'", "JSON, byte 1: "},
        {"01", "JSON, byte 2: "},
        {"+1", "JSON, byte 1: "},
        {"1.", "JSON, byte 2: "},
        {".5", "JSON, byte 1: "},
        {"0x10", "JSON, byte 2: "},
        {"1e400", "a number beyond what a double holds"},
        {"-1e400", "a number beyond what a double holds"},
        {"\"a", "JSON, byte 2: "},
        {"\"a\nb\"", "JSON, byte 3: "},
        {"\"\\x\"", "JSON, byte 3: "},
        {"\"\\u12G4\"", "JSON, byte 6: "},
        {"\"\\uD800\"", "surrogate"},
        {"\"\\uDC00\"", "surrogate"},
        {"\"\\uD800\\u0041\"", "surrogate"},
        {"\"\xFF\"", "JSON, byte 2: "},
        {"\"\xC0\x80\"", "JSON, byte 2: "},
        {"\"\xED\xA0\x80\"", "JSON, byte 3: "},
        {"\"\xF5\x80\x80\x80\"", "JSON, byte 2: "},
        {"\"\xE2\x82\"", "JSON, byte 4: "},
        {std::string("{}\0", 3), "JSON, byte 2: a NUL byte"},
        {std::string("{}\0junk", 7), "JSON, byte 2: a NUL byte"},
        {std::string("\"\0\"", 3), "JSON, byte 1: a NUL byte"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.text);
        const std::string found = refusal(row.text);
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
    }
}

TEST_CASE("messages do not quote the file") {
    const std::string found = refusal("[\"a\x1B[31m\xFF\xFE]");
    CHECK(found.find('\x1B') == std::string::npos);
    CHECK(found.find('\xFF') == std::string::npos);
    CHECK(refusal(repeated("9", 5000) + "e9999").size() < 200);
    CHECK(refusal("{\"\\u001b\":1,\"\\u001b\":2}") ==
          "JSON, byte 23: key '?' is there twice in one object");
}

TEST_CASE("a key twice is refused, in small and large objects") {
    for (const int n : {2, 8, 9, 10, 1000}) {
        CAPTURE(n);
        std::string text = "{";
        for (int i = 0; i < n; ++i) {
            text += "\"k" + std::to_string(i) + "\": " + std::to_string(i) + ", ";
        }
        const Document d = parse(text + "\"last\": {\"k0\": 5}}");
        for (int i = 0; i < n; ++i) {
            const std::string key = "k" + std::to_string(i);
            CHECK(d.root().find(key)->integer() == i);
            CHECK(d.root().key(static_cast<std::size_t>(i)) == key);
        }
        CHECK(!d.root().find("k"));
        CHECK(!d.root().find("z"));
        CHECK(d.root().find("last")->find("k0")->integer() == 5);
        CHECK(refusal(text + "\"k1\": 1}").find("key 'k1' is there twice in one object") !=
              std::string::npos);
    }
}

TEST_CASE("limits") {
    CHECK(refusal(repeated("[", 64) + repeated("]", 64)) == "no error");
    CHECK(refusal(repeated("[", 65) + repeated("]", 65)) ==
          "JSON, byte 65: lists and objects more than 64 deep");
    CHECK(refusal(repeated("{\"a\":", 65)).find("deep") != std::string::npos);
    CHECK(refusal(repeated("[", 5000000)).find("deep") != std::string::npos);
    json::Limits limits;
    limits.max_values = 4;
    CHECK(refusal("[1,2,3]", limits) == "no error");
    CHECK(refusal("[1,2,3,4]", limits) == "JSON, byte 9: more than 4 values");
    CHECK(refusal("{\"a\":1,\"b\":2}", limits).find("more than 4 values") != std::string::npos);
    limits.max_bytes = 10;
    CHECK(refusal("[1,2,3]   ", limits) == "no error");
    CHECK(refusal("[1,2,3]    ", limits) == "JSON of 11 bytes, at most 10 are read");
}

TEST_CASE("cut at every length, and every byte changed") {
    const std::string good =
        R"({"a": [1, -2.5e3, "x\u00e9\ud83d\ude00"], "b": {"c": null, "d": true}, "e": "ü"})";
    CHECK(refusal(good) == "no error");
    for (std::size_t n = 0; n < good.size(); ++n) {
        CHECK(refusal(good.substr(0, n)) != "no error");
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (int b = 0; b < 256; ++b) {
            std::string bytes = good;
            bytes[i] = static_cast<char>(b);
            (void)refusal(bytes);
        }
    }
}

TEST_CASE("time grows with the text: many elements, many keys, keys with one beginning") {
    const std::size_t n = test::kSanitized ? 20000 : 200000;
    const std::string begin(50, 'k');
    std::string list = "[0";
    std::string object = "{\"a\":0";
    for (std::size_t i = 0; i < n; ++i) {
        list += ",[\"a\",\"b\"]";
        object += ",\"" + begin + std::to_string(i) + "\":" + std::to_string(i);
    }
    CHECK(seconds_to_parse(list + "]") < 2.0);
    CHECK(seconds_to_parse(object + "}") < 2.0);
    CHECK(seconds_to_parse("\"" + std::string(n * 10, 'x') + "\"") < 2.0);
}

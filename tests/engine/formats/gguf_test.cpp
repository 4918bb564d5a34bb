// SPDX-License-Identifier: Apache-2.0
// Files as they should be.
#include "engine/formats/gguf.h"
#include "tests/support/gguf_walk.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <limits>

using namespace sotto;
using namespace sotto::formats;
using test::GgufWriter;
using test::TempFile;

namespace {

std::unique_ptr<GgufFile> open(const GgufWriter& writer) {
    const TempFile temp(writer.build());
    auto file = GgufFile::open(temp.path());
    REQUIRE_MESSAGE(file.has_value(), (file ? "" : file.error().message));
    CHECK(test::walk(**file) == "");
    return *std::move(file);
}

template <class T>
std::string message(const Result<T>& result) {
    return result ? "no error" : result.error().message;
}

const std::string kNul("a\0b\xFF", 4);

GgufWriter every_type() {
    GgufWriter w;
    w.put("u8", std::uint8_t{200}).put("i8", std::int8_t{-100});
    w.put("u16", std::uint16_t{60000}).put("i16", std::int16_t{-30000});
    w.put("u32", std::uint32_t{4000000000}).put("i32", std::int32_t{-2000000000});
    w.put("u64", std::uint64_t{1} << 62).put("i64", std::int64_t{-1} << 62);
    w.put("u64 max", std::numeric_limits<std::uint64_t>::max());
    w.put("f32", 0.5f).put("f64", 0.1).put("true", true).put("false", false);
    w.put("text", "hello").put("empty text", "").put("bytes", kNul);
    w.put("texts", std::vector<std::string>{"", "one", kNul});
    w.put("u8s", std::vector<std::uint8_t>{1, 255}).put("i8s", std::vector<std::int8_t>{-1, 127});
    w.put("i64s", std::vector<std::int64_t>{-5, 1}).put("f32s", std::vector<float>{1.5f, -2.0f});
    w.put("u64s", std::vector<std::uint64_t>{1, std::uint64_t{1} << 63});
    w.put("bools", std::vector<bool>{true, false}).put("none", std::vector<std::string>{});
    return w;
}

} // namespace

TEST_CASE("values of every type") {
    const auto file = open(every_type());
    CHECK(file->version() == 3);
    CHECK(file->metadata().size() == 24);
    CHECK(file->metadata()[1].first == "i8");
    CHECK(*file->get_int("u8") == 200);
    CHECK(*file->get_int("i8") == -100);
    CHECK(*file->get_int("u16") == 60000);
    CHECK(*file->get_int("i16") == -30000);
    CHECK(*file->get_int("u32") == 4000000000);
    CHECK(*file->get_int("i32") == -2000000000);
    CHECK(*file->get_int("u64") == std::int64_t{1} << 62);
    CHECK(*file->get_int("i64") == -(std::int64_t{1} << 62));
    CHECK(*file->get_float("f32") == 0.5);
    CHECK(*file->get_float("f64") == 0.1);
    CHECK(*file->get_float("u8") == 200.0);
    CHECK(*file->get_float("u64 max") == 18446744073709551616.0);
    CHECK(*file->get_bool("true") == true);
    CHECK(*file->get_bool("false") == false);
    CHECK(*file->get_string("text") == "hello");
    CHECK(*file->get_string("empty text") == "");
    CHECK(*file->get_string("bytes") == kNul);
}

TEST_CASE("lists") {
    const auto file = open(every_type());
    CHECK(*file->get_strings("texts") == std::vector<std::string>{"", "one", kNul});
    CHECK(*file->get_strings("none") == std::vector<std::string>{});
    CHECK(*file->get_ints("u8s") == std::vector<std::int64_t>{1, 255});
    CHECK(*file->get_ints("i8s") == std::vector<std::int64_t>{-1, 127});
    CHECK(*file->get_ints("i64s") == std::vector<std::int64_t>{-5, 1});
    CHECK(*file->get_ints("i16") == std::vector<std::int64_t>{-30000}); // one number as a list
    CHECK(*file->get_floats("f32s") == std::vector<float>{1.5f, -2.0f});
}

TEST_CASE("a missing key is no error") {
    const auto file = open(every_type());
    CHECK(file->find("other") == nullptr);
    CHECK(!file->get_int("other")->has_value());
    CHECK(!file->get_float("other")->has_value());
    CHECK(!file->get_bool("other")->has_value());
    CHECK(!file->get_string("other")->has_value());
    CHECK(!file->get_strings("other")->has_value());
    CHECK(!file->get_ints("other")->has_value());
    CHECK(!file->get_floats("other")->has_value());
}

TEST_CASE("a value of another type is an error that names key, found and wanted type") {
    const auto file = open(every_type());
    CHECK(message(file->get_int("f32")) == "key 'f32' is stored as f32, an integer is needed");
    CHECK(message(file->get_int("true")) == "key 'true' is stored as bool, an integer is needed");
    CHECK(message(file->get_int("u64 max")) == "key 'u64 max' holds a number above 2^63 - 1");
    CHECK(message(file->get_float("text")) == "key 'text' is stored as string, a number is needed");
    CHECK(message(file->get_bool("u8")) == "key 'u8' is stored as u8, a boolean is needed");
    CHECK(message(file->get_string("texts")) ==
          "key 'texts' is stored as a list of string, a string is needed");
    CHECK(message(file->get_strings("text")) ==
          "key 'text' is stored as string, a list of strings is needed");
    CHECK(message(file->get_ints("f32s")) ==
          "key 'f32s' is stored as a list of f32, a list of integers is needed");
    CHECK(message(file->get_ints("u64s")) == "key 'u64s' holds a number above 2^63 - 1");
    CHECK(message(file->get_floats("u8s")) ==
          "key 'u8s' is stored as a list of u8, a list of f32 is needed");
}

TEST_CASE("values as text for people") {
    GgufWriter w = every_type();
    w.put("long", std::string(1000, 'x')).put("lines", "a\nb\x1B[31m").put("cut", "aa\xE2\x82\xAC");
    w.put("numbers", std::vector<std::int32_t>(100000, -7));
    const auto file = open(w);
    const auto text = [&](const char* key, std::size_t n) {
        return file->value_text(*file->find(key), n);
    };
    CHECK(text("i16", 40) == "-30000");
    CHECK(text("u64 max", 40).substr(0, 5) == "1.844");
    CHECK(text("f32", 40) == "0.5");
    CHECK(text("true", 40) == "true");
    CHECK(text("long", 5) == "xxxxx... (1000 bytes)");
    CHECK(text("lines", 40) == "a b [31m");
    CHECK(text("cut", 4) == "aa... (5 bytes)");
    CHECK(text("bytes", 40) == std::string("a b\xEF\xBF\xBD"));
    CHECK(text("bools", 40) == "[true, false] (2 elements)");
    CHECK(text("none", 40) == "[] (0 elements)");
    CHECK(text("numbers", 9) == "[-7, -7, ...] (100000 elements)");
}

TEST_CASE("tensors are found, placed and read") {
    for (const std::uint32_t alignment : {32u, 8u, 64u, 4096u, 1u << 20}) {
        GgufWriter w;
        w.alignment = alignment;
        w.put("general.alignment", alignment);
        w.add("a", {3}, std::vector<float>{1, 2, 3});
        w.add("b.weight", {32, 5, 1, 2}, 8, std::string(340, 'q'));
        w.add("c", {256}, 12, std::string(144, 'k'));
        const auto file = open(w);
        REQUIRE(file->tensors().size() == 3);
        const GgufTensor* b = file->find_tensor("b.weight");
        REQUIRE(b);
        CHECK(b->shape == std::vector<std::int64_t>{32, 5, 1, 2});
        CHECK(b->n_elements() == 320);
        CHECK(b->n_bytes == 340);
        CHECK(b->offset % alignment == 0);
        std::vector<float> a(2);
        REQUIRE(file->read_tensor(file->tensors()[0], 4, std::as_writable_bytes(std::span(a))));
        CHECK(a == std::vector<float>{2, 3});
        CHECK(file->find_tensor("d") == nullptr);
    }
}

TEST_CASE("what is unusual but right") {
    GgufWriter w = every_type();
    w.add("a", {1}, std::vector<float>{1});
    SUBCASE("version 2") {
        w.version = 2;
    }
    SUBCASE("bytes after the last tensor") {
        w.tail = "appended by some tool";
    }
    SUBCASE("no keys") {
        w = GgufWriter().add("a", {1}, std::vector<float>{1});
    }
    SUBCASE("no tensors") {
        w.tensors.clear();
    }
    SUBCASE("the longest key") {
        w.put(std::string(65535, 'k'), 1.0f);
    }
    SUBCASE("one part that calls itself so") {
        w.put("split.count", std::uint16_t{1});
    }
    SUBCASE("tensors in another order than their bytes") {
        w.add("b", {1}, std::vector<float>{2});
        std::swap(w.tensors[0].name, w.tensors[1].name);
        w.tensors[0].offset = 32;
        w.tensors[1].offset = 0;
    }
    open(w);
}

TEST_CASE("the end of the file may be the end of the last tensor") {
    GgufWriter w;
    w.add("a", {3}, std::vector<float>{1, 2, 3});
    const std::string bytes = w.build();
    const TempFile temp(std::string_view(bytes).substr(0, bytes.size() - 32 + 12));
    const auto file = GgufFile::open(temp.path());
    REQUIRE(file);
    CHECK(test::walk(**file) == "");
}

TEST_CASE("a vocabulary of 150000 tokens") {
    std::vector<std::string> tokens;
    for (int i = 0; i < 150000; ++i) {
        tokens.push_back("token" + std::to_string(i));
    }
    const auto file = open(GgufWriter().put("tokens", tokens).put("after", true));
    CHECK(*file->get_strings("tokens") == tokens);
    CHECK(*file->get_bool("after") == true);
}

// The sizes of every type that the original implementation writes, by its type table.
TEST_CASE("storage types") {
    CHECK(find_ggml_type(12)->block_elements == 256);
    CHECK(find_ggml_type(12)->block_bytes == 144);
    CHECK(std::string(ggml_type_name(20)) == "IQ4_NL");
    for (const std::uint32_t id : {4u, 5u, 31u, 36u, 200u, 0xFFFFFFFFu}) {
        CHECK(find_ggml_type(id) == nullptr);
    }
    for (const std::uint32_t id : {kFirstOwnType, kFirstOwnType + 5}) { // never in such a file
        const test::TempFile temp(GgufWriter().add("t", {1}, id, "xxxx").build());
        CHECK(!GgufFile::open(temp.path()));
    }
    for (std::uint32_t id = 0; id < 64; ++id) {
        if (const GgmlType* type = find_ggml_type(id)) {
            CHECK(type->id == id);
            GgufWriter w;
            w.add("t", {type->block_elements, 3}, id,
                  std::string(std::size_t{3} * type->block_bytes, 'x'));
            CHECK(open(w)->tensors()[0].n_bytes == 3 * type->block_bytes);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Files with one fault each: refused, with a message that names it.
#include "engine/formats/gguf.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <functional>

using namespace sotto;
using namespace sotto::formats;
using test::GgufBytes;
using test::GgufWriter;
using test::TempFile;

namespace {

constexpr auto kArray = static_cast<std::uint32_t>(GgufType::array);
constexpr std::uint32_t kU8 = 0, kF32 = 6, kU64 = 10;
constexpr std::uint64_t kMax = ~std::uint64_t{0};

GgufWriter small() {
    GgufWriter w;
    w.put("general.architecture", "llama").put("llama.block_count", std::uint32_t{1});
    w.put("tokens", std::vector<std::string>{"a", "b"});
    w.add("q.weight", {32, 2}, 8, std::string(68, 'q'));
    w.add("k.weight", {8, 2}, std::vector<float>(16, 1.0f));
    return w;
}

/// An Error's message without the path before it, which is checked; or "no error".
std::string refusal(const std::string& bytes) {
    const TempFile temp(bytes);
    const auto file = GgufFile::open(temp.path());
    if (file) {
        return "no error";
    }
    const std::string path = "'" + temp.path() + "'";
    CHECK(file.error().message.substr(0, path.size()) == path);
    return file.error().message.substr(path.size());
}

struct Row {
    const char* what;
    std::function<void(GgufWriter&)> bend;
    const char* message; // a part of it
};

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        CAPTURE(std::string(row.what));
        GgufWriter w = small();
        row.bend(w);
        const std::string found = refusal(w.build());
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
    }
}

GgufBytes value(std::uint32_t type) {
    return GgufBytes().number(type);
}

} // namespace

TEST_CASE("the file all rows begin from is right") {
    CHECK(refusal(small().build()) == "no error");
}

TEST_CASE("other files") {
    struct Front {
        std::string bytes;
        const char* message;
    };
    const std::string zeros(500, '\0');
    const Front rows[] = {
        {"", "is empty"},
        {"G", "the file ends in the magic: 4 bytes are wanted at 0, the file has 1; it is "
              "cut off or damaged: download it again"},
        {"GGUF", "the file ends in the version: 4 bytes are wanted at 4, the file has 4"},
        {"PK\x03\x04" + zeros, "zip archive"},
        {"GGML" + zeros, "a format before GGUF"},
        {"tjgg" + zeros, "a format before GGUF"},
        {"FUGG" + zeros, "reverse order"},
        {"<!DOCTYPE html><html>", "a web page"},
        {"<html>", "a web page"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0", "was not downloaded"},
        {std::string("\x40\0\0\0\0\0\0\0{\"a\":", 12) + zeros, "a safetensors file"},
        {"Just some text.\n", "a text file"},
        {"\x1F\x8B" + zeros, "a gzip archive"},
        {zeros, "an unfinished download"},
        {"\x01\x02\x03\x04" + zeros, "does not begin with the letters GGUF"},
    };
    for (const Front& row : rows) {
        const std::string found = refusal(row.bytes);
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
    }
}

TEST_CASE("versions and byte order") {
    check({
        {"version 0", [](auto& w) { w.version = 0; }, "GGUF version 0 is not supported"},
        {"version 1", [](auto& w) { w.version = 1; },
         "GGUF version 1 is not supported: 2 and 3 are"},
        {"version 4", [](auto& w) { w.version = 4; }, "GGUF version 4 is not supported"},
        {"version 99", [](auto& w) { w.version = 99; }, "GGUF version 99"},
        {"big-endian", [](auto& w) { w.version = 0x03000000; }, "big-endian byte order"},
        {"big-endian 2", [](auto& w) { w.version = 0x02000000; }, "big-endian byte order"},
    });
}

TEST_CASE("counts") {
    check({
        {"tensors 2^63", [](auto& w) { w.n_tensors = std::uint64_t{1} << 63; },
         "9223372036854775808 tensors are announced, the file could hold "},
        {"pairs 2^64-1", [](auto& w) { w.n_pairs = kMax; },
         "18446744073709551615 metadata pairs are announced, the file could hold "},
        {"one pair more", [](auto& w) { w.n_pairs = 4; }, "tensor record 1 of 2 has a name of "},
        {"one pair less", [](auto& w) { w.n_pairs = 2; }, "tensor 'tokens' has 9 dimensions"},
        {"one tensor more", [](auto& w) { w.n_tensors = 3; }, "tensor record 3 of 3"},
        {"too many pairs",
         [](auto& w) {
             w.n_pairs = 65537;
             w.tail.resize(2 << 20);
         },
         "65537 metadata pairs are announced, at most 65536"},
        {"too many tensors",
         [](auto& w) {
             w.n_tensors = 262145;
             w.tail.resize(9 << 20);
         },
         "262145 tensors are announced, at most 262144"},
    });
}

TEST_CASE("keys and values") {
    check({
        {"key twice", [](auto& w) { w.put("tokens", true); }, "key 'tokens' is there twice"},
        {"key without letters", [](auto& w) { w.put("", true); },
         "metadata pair 4 of 4 has an empty key"},
        {"key too long", [](auto& w) { w.put(std::string(65536, 'k'), true); },
         "a name of 65536 bytes, at most 65535 are allowed"},
        {"control characters in a key",
         [](auto& w) { w.put("\x1B[1m\n", 2.0f).put("\x1B[1m\n", 2.0f); },
         "key '?[1m?' is there twice"},
        {"string of a terabyte",
         [](auto& w) { w.put_raw("zz", value(8).number(std::uint64_t{1} << 40)); },
         "the file ends in key 'zz': 1099511627776 bytes are wanted at "},
        {"value type 13", [](auto& w) { w.put_raw("zz", value(13).number(std::uint64_t{0})); },
         "key 'zz' has value type 13, which does not exist"},
        {"boolean 2", [](auto& w) { w.put_raw("zz", value(7).number(std::uint8_t{2})); },
         "key 'zz' is a boolean of value 2"},
        {"boolean 255 in a list", [](auto& w) { w.put_array("zz", 7, 2, "\x01\xFF"); },
         "key 'zz' is a boolean of value 255"},
    });
}

TEST_CASE("lists") {
    check({
        {"bytes wrap", [](auto& w) { w.put_array("zz", kU64, std::uint64_t{1} << 61, "12345678"); },
         "key 'zz' announces 2305843009213693952 elements, the file could hold "},
        {"500 million", [](auto& w) { w.put_array("zz", kF32, 500000000, "1234"); },
         "key 'zz' announces 500000000 elements, the file could hold "},
        {"2^64-1 bytes", [](auto& w) { w.put_array("zz", kU8, kMax, ""); },
         "announces 18446744073709551615"},
        {"2^61 strings", [](auto& w) { w.put_array("zz", 8, std::uint64_t{1} << 61, ""); },
         "could hold"},
        {"a string in a list goes past the end",
         [](auto& w) { w.put_array("zz", 8, 1, std::string(8, '\x7F')); },
         "the file ends in key 'zz': 9187201950435737471 bytes"},
        {"element type 99", [](auto& w) { w.put_array("zz", 99, 2, ""); },
         "key 'zz' is a list of type 99"},
        {"list of lists", [](auto& w) { w.put_array("zz", kArray, 1, ""); },
         "key 'zz' is a list of lists, which is not allowed"},
        {"2000 deep",
         [](auto& w) {
             GgufBytes deep = value(kArray);
             for (int i = 0; i < 2000; ++i) {
                 deep.number(kArray).number(std::uint64_t{1});
             }
             w.put_raw("zz", deep.number(kU8).number(std::uint64_t{0}));
         },
         "key 'zz' is a list of lists"},
    });
}

TEST_CASE("alignment") {
    std::vector<Row> rows;
    for (const std::uint32_t a : {0u, 1u, 3u, 4u, 24u, 48u, 1u << 21, 1u << 31, 0xFFFFFFFFu}) {
        rows.push_back({"value", [a](auto& w) { w.put("general.alignment", a); },
                        ", a power of two from 8 to 1048576 is needed"});
    }
    rows.push_back({"text", [](auto& w) { w.put("general.alignment", "32"); },
                    "general.alignment is stored as string, u32 is needed"});
    rows.push_back({"u64", [](auto& w) { w.put("general.alignment", std::uint64_t{32}); },
                    "general.alignment is stored as u64"});
    rows.push_back({"list",
                    [](auto& w) { w.put("general.alignment", std::vector<std::uint32_t>{}); },
                    "general.alignment is stored as array"});
    rows.push_back({"larger than the writer's", [](auto& w) { w.put("general.alignment", 64u); },
                    "offset 96 is no multiple of the alignment 64"});
    check(rows);
}

TEST_CASE("shapes and types of tensors") {
    const auto dims = [](std::vector<std::uint64_t> to) {
        return [to = std::move(to)](GgufWriter& w) { w.tensor("k.weight").dims = to; };
    };
    check({
        {"no dimension", [](auto& w) { w.tensor("k.weight").n_dims = 0; },
         "tensor 'k.weight' has 0 dimensions, 1 to 4 are allowed"},
        {"five dimensions", [](auto& w) { w.tensor("k.weight").n_dims = 5; }, "has 5 dimensions"},
        {"2^32-1 dimensions", [](auto& w) { w.tensor("k.weight").n_dims = 0xFFFFFFFF; },
         "has 4294967295 dimensions"},
        {"no rows", dims({8, 0}), "tensor 'k.weight': dimension 2 is 0"},
        {"no columns", dims({0, 8}), "tensor 'k.weight': dimension 1 is 0"},
        {"dimension 2^63", dims({std::uint64_t{1} << 63}), "dimension 1 is 9223372036854775808"},
        {"product wraps to 0", dims({std::uint64_t{1} << 32, std::uint64_t{1} << 32}),
         "tensor 'k.weight': 4294967296x4294967296 F32 needs more bytes than can be counted"},
        {"bytes wrap to the right number", dims({8, (std::uint64_t{1} << 59) + 2}),
         "more bytes than can be counted"},
        {"four dimensions wrap", dims({1 << 16, 1 << 16, 1 << 16, 1 << 16}),
         "more bytes than can be counted"},
        {"part of a block",
         [](auto& w) {
             w.tensor("q.weight").dims = {33, 2};
         },
         "tensor 'q.weight': a row of 33 elements is no multiple of 32, as Q8_0 needs"},
        {"type 200", [](auto& w) { w.tensor("k.weight").type = 200; },
         "tensor 'k.weight' is stored as type 200, which is not known"},
        {"a withdrawn type", [](auto& w) { w.tensor("k.weight").type = 4; },
         "type 4, which is not known"},
    });
}

TEST_CASE("names of tensors") {
    check({
        {"twice", [](auto& w) { w.tensor("k.weight").name = "q.weight"; },
         "tensor 'q.weight' is there twice"},
        {"without letters", [](auto& w) { w.tensor("k.weight").name = ""; },
         "tensor record 2 of 2 has an empty name"},
        {"too long", [](auto& w) { w.tensor("k.weight").name = std::string(70000, 'n'); },
         "a name of 70000 bytes, at most 65535"},
        {"not UTF-8, and long, in a message",
         [](auto& w) {
             w.tensor("k.weight").type = 99;
             w.tensor("k.weight").name = "\xFF" + std::string(300, 'n');
         },
         "nnn...' is stored as type 99"},
    });
}

TEST_CASE("places of tensors") {
    check({
        {"a terabyte away", [](auto& w) { w.tensor("k.weight").offset = std::uint64_t{1} << 40; },
         "tensor 'k.weight': 8x2 F32 needs 64 bytes at offset 1099511628"},
        {"sum wraps", [](auto& w) { w.tensor("k.weight").offset = kMax - 31; },
         "tensor 'k.weight': offset 18446744073709551584 of the data, the file has "},
        {"not aligned", [](auto& w) { w.tensor("k.weight").offset = 97; },
         "tensor 'k.weight': offset 97 is no multiple of the alignment 32"},
        {"wider type at the end", [](auto& w) { w.tensor("k.weight").type = 28; },
         "tensor 'k.weight': 8x2 F64 needs 128 bytes at offset "},
        {"two sizes that wrap when added",
         [](auto& w) {
             w.add("x.a", {(std::uint64_t{1} << 61) - 8}, 0, "");
             w.add("x.b", {(std::uint64_t{1} << 61) + 16}, 0, "");
         },
         "tensor 'x.b': 2305843009213693968 F32 needs more bytes than"},
        {"same place", [](auto& w) { w.tensor("k.weight").offset = 0; },
         "tensors 'q.weight' and 'k.weight' overlap"},
        {"one into the next",
         [](auto& w) {
             w.tensor("q.weight").dims = {32, 3};
         },
         "tensors 'q.weight' and 'k.weight' overlap: the first ends at "},
    });
    GgufWriter w;
    w.add("blk.3.ffn_up.weight", {4096, 14336}, 12, std::string(64, 'x'));
    const std::size_t data = w.build().size() - 64;
    CHECK(refusal(w.build()) ==
          ": tensor 'blk.3.ffn_up.weight': 4096x14336 Q4_K needs 33030144 bytes at offset " +
              std::to_string(data) + ", the file has " + std::to_string(data + 64) +
              "; the file is cut off: download it again");
}

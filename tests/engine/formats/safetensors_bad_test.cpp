// SPDX-License-Identifier: Apache-2.0
// Files with one fault each, and damage done by rule.
#include "engine/formats/safetensors.h"
#include "tests/engine/formats/safetensors_writer.h"
#include "tests/engine/formats/source_walk.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

using namespace sotto;
using namespace sotto::formats;
using test::SafetensorsWriter;
using test::TempFile;

namespace {

constexpr std::uint64_t kMax = ~std::uint64_t{0};

SafetensorsWriter small() {
    SafetensorsWriter w;
    w.metadata = R"({"format":"pt"})";
    w.add("q", {2, 4}, std::vector<float>(8, 1.0f)).add("k", "F16", {2, 4}, std::string(16, 'k'));
    return w.add("v", "BF16", {8}, std::string(16, 'v'));
}

/// An Error's message without the path before it, which is checked; or "no error".
std::string refusal(const std::string& bytes) {
    const TempFile temp(bytes, "model.safetensors");
    const auto file = SafetensorsFile::open(temp.path());
    if (file) {
        CHECK(test::walk_source(**file) == "");
        return "no error";
    }
    const std::string path = "'" + temp.path() + "'";
    CHECK(file.error().message.substr(0, path.size()) == path);
    CHECK(file.error().message.find(path, 1) == std::string::npos); // once is enough
    return file.error().message.substr(path.size());
}

struct Row {
    const char* from; // a part of the header
    std::string to;
    const char* message; // a part of it
};

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        CAPTURE(std::string(row.to));
        std::string header = small().header();
        const std::size_t at = header.find(row.from);
        REQUIRE(at != std::string::npos);
        header.replace(at, std::string_view(row.from).size(), row.to);
        const std::string found = refusal(SafetensorsWriter::file(header, small().data()));
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
    }
}

} // namespace

TEST_CASE("the safetensors file all rows begin from is right") {
    CHECK(refusal(small().build()) == "no error");
    CHECK(small().header().find(R"("k":{"dtype":"F16","shape":[2,4],"data_offsets":[32,48]})") !=
          std::string::npos);
}

TEST_CASE("other files than safetensors") {
    struct Front {
        std::string bytes;
        const char* message;
    };
    const std::string zeros(500, '\0');
    const Front rows[] = {
        {"", "is empty"},
        {"1234567", "does not begin with a length and '{'"},
        {std::string(8, '\0'), "an unfinished download"},
        {"PK\x03\x04" + zeros, "zip archive"},
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0", "was not downloaded"},
        {"<!DOCTYPE html><html>", "a web page"},
        {"GGUF\x03" + zeros, "it looks like a GGUF file"},
        {R"({"a": 1})", "a JSON file"},
        {zeros, "an unfinished download"},
    };
    for (const Front& row : rows) {
        const std::string found = refusal(row.bytes);
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
    }
}

TEST_CASE("the length of the header") {
    const std::string header = small().header();
    const std::string data = small().data();
    const std::size_t n = header.size();
    struct Length {
        std::uint64_t length;
        const char* message;
    };
    const Length rows[] = {
        {0, "its header is broken: JSON, byte 0"},
        {1, "its header is broken: JSON, byte 1"},
        {n - 1, "its header is broken: JSON, byte "},
        {n + 1, "its header is broken: JSON, byte "},
        {n + data.size() + 1, " bytes, the file has "},
        {100'000'001, "the header has 100000001 bytes"},
        {std::uint64_t{1} << 63, "the header has 9223372036854775808 bytes"},
        {kMax - 4, "the header has 18446744073709551611 bytes"},
        {kMax, "the header has 18446744073709551615 bytes"},
    };
    for (const Length& row : rows) {
        CAPTURE(row.length);
        const std::string found = refusal(SafetensorsWriter::file(header, data, row.length));
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
    }
    CHECK(refusal(SafetensorsWriter::file(std::string(n, '?'), data)).find("and '{'") !=
          std::string::npos);
}

TEST_CASE("a long header is refused before it is read") {
    const TempFile temp(SafetensorsWriter::file("{", "", 2'000'000'000), "model.safetensors");
    std::error_code failed;
    std::filesystem::resize_file(test::native_path(temp.path()), 3'000'000'000, failed);
    if (failed) {
        MESSAGE("the temporary folder takes no sparse file of 3 GB: " << failed.message());
        return;
    }
    const auto file = SafetensorsFile::open(temp.path());
    REQUIRE(!file);
    CHECK(file.error().message.find("the header has 2000000000 bytes, the file has 3000000000 and "
                                    "100000000 are allowed") != std::string::npos);
}

TEST_CASE("records") {
    const char* kRecord = R"({"dtype":"F16","shape":[2,4],"data_offsets":[32,48]})";
    check({
        {R"("k")", R"("q")", "key 'q' is there twice"},
        {R"("k")", R"("")", "tensor '' has an empty name"},
        {kRecord, "[]", "tensor 'k' is a list, an object is needed"},
        {kRecord, "null", "tensor 'k' is null"},
        {kRecord, "{}", "tensor 'k' has no 'dtype'"},
        {kRecord, R"({"dtype":"F16"})", "tensor 'k' has no 'shape'"},
        {kRecord, R"({"dtype":"F16","shape":[8]})", "tensor 'k' has no 'data_offsets'"},
        {R"("dtype":"F16")", R"("dtype":"F16","dtype":"F16")", "key 'dtype' is there twice"},
        {R"({"format":"pt"})", R"({"format":1})", "key 'format' of '__metadata__' is an integer"},
        {R"({"format":"pt"})", R"({"format":{}})", "of '__metadata__' is an object"},
        {R"({"format":"pt"})", R"(["pt"])", "'__metadata__' is a list, an object is needed"},
        {R"({"format":"pt"})", R"({"a":"","a":""})", "key 'a' is there twice"},
        {kRecord, std::string(100, '['), "more than 8 deep"},
    });
}

TEST_CASE("types") {
    const auto type = [](const char* to) { return "\"dtype\":" + std::string(to); };
    check({
        {R"("dtype":"F16")", type("1"), "tensor 'k': 'dtype' is an integer, a string is needed"},
        {R"("dtype":"F16")", type("null"), "tensor 'k': 'dtype' is null"},
        {R"("dtype":"F16")", type(R"("F9")"),
         "tensor 'k' is stored as 'F9', which is not supported: BF16, F16, F32 are"},
        {R"("dtype":"F16")", type(R"("Q4_0")"), "tensor 'k' is stored as 'Q4_0', which is not"},
        {R"("dtype":"F16")", type(R"("F8_E4M3")"), "[2, 4] F8_E4M3 needs 8 bytes, it has 16"},
        {R"("dtype":"F16")", type(R"("F4")"), "[2, 4] F4 needs 4 bytes, it has 16"},
        {R"("dtype":"F16")", type(R"("f16")"), "is stored as 'f16'"},
        {R"("dtype":"F16")", type(R"("")"), "is stored as ''"},
        {R"("dtype":"F16")", type(R"("F32")"), "tensor 'k': [2, 4] F32 needs 32 bytes, it has 16"},
    });
}

TEST_CASE("shapes") {
    const auto shape = [](const char* to) { return "\"shape\":" + std::string(to) + ",\"da"; };
    std::vector<Row> rows;
    const std::pair<const char*, const char*> shapes[] = {
        {"8", "tensor 'k': 'shape' is an integer, a list is needed"},
        {"{}", "tensor 'k': 'shape' is an object"},
        {"[8,8]", "tensor 'k': [8, 8] F16 needs 128 bytes, it has 16"},
        {"[]", "tensor 'k': [1] F16 needs 2 bytes, it has 16"},
        {"[0]", "tensor 'k': [0] F16 needs 0 bytes, it has 16"},
        {"[2,-4]", "tensor 'k': dimension 2 is no integer of 0 to 2^63 - 1"},
        {"[2.0,4]", "tensor 'k': dimension 1 is no integer"},
        {"[\"2\",4]", "tensor 'k': dimension 1 is no integer"},
        {"[[2],4]", "tensor 'k': dimension 1 is no integer"},
        {"[9223372036854775808]", "tensor 'k': dimension 1 is no integer"},
        {"[4294967296,4294967296]", "needs more bytes than can be counted"},
        {"[2,4611686018427387908]", "needs more bytes than can be counted"},
        {"[4611686018427387904,4611686018427387904,0]", "needs more bytes than can be counted"},
        {"[0,4611686018427387904,4611686018427387904]", "needs more bytes than can be counted"},
    };
    for (const auto& [to, message] : shapes) {
        rows.push_back({R"("shape":[2,4],"da)", shape(to), message});
    }
    for (Row& row : rows) { // the first such text is that of "q"; move on to "k"
        row.from = R"("F16","shape":[2,4],"da)";
        row.to = "\"F16\"," + row.to;
    }
    check(rows);
}

TEST_CASE("places: ranges, overlaps, holes, ends") {
    check({
        {"[32,48]", "[]", "tensor 'k': 'data_offsets' is no list of two integers"},
        {"[32,48]", "[32]", "is no list of two integers"},
        {"[32,48]", "[32,48,48]", "is no list of two integers"},
        {"[32,48]", "48", "is no list of two integers"},
        {"[32,48]", "[-12288,0]", "'data_offsets' holds what is no integer of 0 to 2^63 - 1"},
        {"[32,48]", "[32,48.0]", "holds what is no integer"},
        {"[32,48]", "[32,\"48\"]", "holds what is no integer"},
        {"[32,48]", "[32,18446744073709551664]", "holds what is no integer"},
        {"[32,48]", "[48,32]",
         "tensor 'k': 'data_offsets' are [48, 32], the second is the smaller"},
        {"[32,48]", "[0,1099511627776]", "'data_offsets' are [0, 1099511627776], the data has 64"},
        {"[32,48]", "[32,65]", "the data has 64 bytes"},
        {"[32,48]", "[32,50]", "tensor 'k': [2, 4] F16 needs 16 bytes, it has 18"},
        {"[32,48]", "[30,46]", "tensor 'k' overlaps the one before it"},
        {"[32,48]", "[0,16]", "overlaps the one before it"},
        {"[32,48]", "[48,64]", "tensor 'k': there is a hole of 16 bytes before it"},
        {"[0,32]", "[32,64]", "tensor 'k': there is a hole of 32 bytes before it"},
    });
    const std::string header = small().header();
    const std::string data = small().data();
    CHECK(refusal(SafetensorsWriter::file(header, data + '\0')) ==
          ": after the last tensor there are 1 bytes that belong to none");
    CHECK(refusal(SafetensorsWriter::file(header, data + std::string(100, ' '))) ==
          ": after the last tensor there are 100 bytes that belong to none");
    CHECK(refusal(SafetensorsWriter::file("{}", "x")).find("belong to none") != std::string::npos);
}

TEST_CASE("a safetensors file cut at every length") {
    const std::string bytes = small().build();
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        CAPTURE(n);
        CHECK(refusal(bytes.substr(0, n)) != "no error");
    }
}

TEST_CASE("every byte before the data changed") {
    const std::string good = small().build();
    const std::size_t data = 8 + small().header().size();
    std::size_t n_refused = 0;
    for (std::size_t i = 0; i < data; ++i) {
        for (const unsigned mask : {0x01u, 0x10u, 0x80u, 0xFFu}) {
            std::string bytes = good;
            bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ mask);
            CAPTURE(i);
            n_refused += refusal(bytes) == "no error" ? 0 : 1;
        }
    }
    CHECK(n_refused > 3 * data); // letters of names may be others
}

TEST_CASE("many tensors are read in time") {
    std::string header = "{";
    constexpr int kTensors = 100000;
    for (int i = 0; i < kTensors; ++i) {
        header += (i > 0 ? ",\"" : "\"") + std::to_string(i) +
                  R"(":{"dtype":"F16","shape":[],"data_offsets":[)" + std::to_string(2 * i) + "," +
                  std::to_string(2 * i + 2) + "]}";
    }
    const std::string data(2 * kTensors, 'x');
    const TempFile temp(SafetensorsWriter::file(header + "}", data), "model.safetensors");
    const auto file = SafetensorsFile::open(temp.path());
    REQUIRE_MESSAGE(file.has_value(), file.error().message);
    CHECK((*file)->tensors().size() == kTensors);
    CHECK((*file)->find_tensor("99999")->file_index == 0);
}

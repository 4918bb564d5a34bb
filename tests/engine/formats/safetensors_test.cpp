// SPDX-License-Identifier: Apache-2.0
// Files as they should be, and what happens to a file while it is open.
#include "engine/formats/safetensors.h"
#include "tests/engine/formats/safetensors_writer.h"
#include "tests/engine/formats/source_walk.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

using namespace sotto;
using namespace sotto::formats;
using test::floats_of;
using test::SafetensorsWriter;
using test::TempFile;
using test::TempFolder;

namespace {

std::unique_ptr<SafetensorsFile> open(const std::string& bytes) {
    const TempFile temp(bytes, "model.safetensors");
    auto file = SafetensorsFile::open(temp.path());
    REQUIRE_MESSAGE(file.has_value(), file.error().message);
    CHECK(test::walk_source(**file) == "");
    CHECK((*file)->path() == temp.path());
    CHECK((*file)->file_bytes() == bytes.size());
    return *std::move(file);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    return text.replace(text.find(from), from.size(), to);
}

} // namespace

TEST_CASE("tensors are found, turned round, placed and read") {
    SafetensorsWriter w;
    w.metadata = R"({"format":"pt","note":"\u00e9"})";
    w.add("a.weight", {2, 3}, {1, 2, 3, 4, 5, 6}).add("b", "BF16", {4}, "12345678");
    w.add("c", "F16", {1, 2, 1, 2}, "abcdefgh");
    const auto file = open(w.build());
    REQUIRE(file->tensors().size() == 3);
    const StoredTensor& a = file->tensors()[0];
    CHECK(a.name == "a.weight");
    CHECK(a.shape == std::vector<std::int64_t>{3, 2});
    CHECK(a.ggml_type == 0);
    CHECK(a.n_elements() == 6);
    CHECK(floats_of(*file, "a.weight") == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(file->find_tensor("b")->ggml_type == 30);
    CHECK(file->find_tensor("c")->ggml_type == 1);
    CHECK(file->find_tensor("c")->shape == std::vector<std::int64_t>{2, 1, 2, 1});
    CHECK(file->find_tensor("__metadata__") == nullptr);
    REQUIRE(file->metadata().size() == 2);
    CHECK(file->metadata()[0] == std::pair<std::string, std::string>("format", "pt"));
    CHECK(file->metadata()[1].second == "\u00e9");
}

TEST_CASE("what is unusual but right") {
    SafetensorsWriter w;
    w.add("a", {2}, {1, 2}).add("b", {2}, {3, 4});
    std::string header = w.header();
    const std::string data = w.data();
    SUBCASE("blanks after the header") {
        open(SafetensorsWriter::file(header + "     ", data));
    }
    SUBCASE("records in another order than their bytes") {
        header = replaced(replaced(header, "\"a\"", "\"x\""), "\"b\"", "\"a\"");
        const auto file = open(SafetensorsWriter::file(replaced(header, "\"x\"", "\"b\""), data));
        CHECK(floats_of(*file, "a") == std::vector<float>{3, 4});
        CHECK(floats_of(*file, "b") == std::vector<float>{1, 2});
    }
    SUBCASE("fields in another order, with a field more") {
        open(SafetensorsWriter::file(
            R"({"a":{"data_offsets":[0,8],"new":[{}],"shape":[2],"dtype":"F32"}})", "12345678"));
    }
    SUBCASE("no tensors") {
        CHECK(open(SafetensorsWriter::file("{}", ""))->tensors().empty());
    }
    SUBCASE("a tensor without dimensions is one number") {
        CHECK(open(SafetensorsWriter().add("s", {}, {5}).build())->tensors()[0].shape ==
              std::vector<std::int64_t>{1});
    }
    SUBCASE("tensors without elements, at the front, between and at the end") {
        w = SafetensorsWriter().add("x", {0, 4}, {}).add("a", {2}, {1, 2});
        w.add("y", {3, 0}, {}).add("b", {1}, {3}).add("z", {0}, {});
        const auto file = open(w.build());
        CHECK(file->find_tensor("y")->n_elements() == 0);
        CHECK(floats_of(*file, "b") == std::vector<float>{3});
    }
    SUBCASE("types that hold no weights are listed") {
        w = SafetensorsWriter().add("i", "I64", {1}, "12345678").add("d", "F64", {1}, "12345678");
        w.add("j", "I32", {2}, "12345678").add("k", "I16", {1}, "12").add("l", "I8", {3}, "123");
        const auto file = open(w.build());
        CHECK(std::string(ggml_type_name(file->find_tensor("i")->ggml_type)) == "I64");
        CHECK(std::string(ggml_type_name(file->find_tensor("d")->ggml_type)) == "F64");
    }
    SUBCASE("names of any characters") {
        header = replaced(header, "\"a\"", R"("\u6a21 \ud83d\ude00/..\\\u0000")");
        const auto file = open(SafetensorsWriter::file(header, data));
        CHECK(file->tensors()[0].name == std::string("模 \U0001F600/..\\\0", 13));
    }
}

TEST_CASE("names of files in any script") {
    const std::string bytes = SafetensorsWriter().add("a", {1}, {1}).build();
    const TempFolder folder;
    for (const char* name : {"имя 模型 é.safetensors", "dir with blanks/#1 50%.safetensors"}) {
        test::write_file(folder.file(name), bytes);
        CHECK(SafetensorsFile::open(folder.file(name)));
    }
    const auto missing = SafetensorsFile::open(folder.file("нет.safetensors"));
    REQUIRE(!missing);
    CHECK(missing.error().message.find("нет.safetensors") != std::string::npos);
}

TEST_CASE("a file cut after it was opened") {
    SafetensorsWriter w;
    w.add("a", {8}, std::vector<float>(8, 1.0f)).add("b", {4096}, std::vector<float>(4096, 2.0f));
    const TempFile temp(w.build(), "model.safetensors");
    const auto file = *SafetensorsFile::open(temp.path());
    const StoredTensor& b = *file->find_tensor("b");
    std::filesystem::resize_file(test::native_path(temp.path()), b.offset + 1000);
    std::vector<std::byte> bytes(b.n_bytes);
    const auto done = file->read_tensor(b, 0, bytes);
    REQUIRE(!done);
    CHECK(done.error().code == ErrorCode::io);
    for (const std::string& part :
         {std::string("tensor 'b'"), temp.path(), std::to_string(b.offset + 1000)}) {
        CHECK_MESSAGE(done.error().message.find(part) != std::string::npos, done.error().message);
    }
    CHECK(floats_of(*file, "a") == std::vector<float>(8, 1.0f));
}

// 32-bit positions ended at 2 and 4 GiB. The file is a hole but for its ends.
TEST_CASE("a tensor beyond 4 GiB") {
    constexpr std::uint64_t kFar = std::uint64_t{5} << 30;
    const std::string header =
        R"({"near":{"dtype":"F32","shape":[5,268435456],"data_offsets":[0,5368709120]},)"
        R"("far":{"dtype":"F32","shape":[2],"data_offsets":[5368709120,5368709128]}})";
    const TempFile temp(SafetensorsWriter::file(header, ""), "model.safetensors");
    std::error_code failed;
    const std::uint64_t data = 8 + header.size();
    std::filesystem::resize_file(test::native_path(temp.path()), data + kFar + 8, failed);
    if (failed) {
        MESSAGE("the temporary folder takes no sparse file of 5 GiB: " << failed.message());
        return;
    }
    const std::vector<float> values{1.5f, -2.5f};
    {
        std::fstream out(test::native_path(temp.path()),
                         std::ios::binary | std::ios::in | std::ios::out);
        out.seekp(static_cast<std::streamoff>(data + kFar));
        out.write(reinterpret_cast<const char*>(values.data()), 8);
    }
    const auto file = SafetensorsFile::open(temp.path());
    REQUIRE_MESSAGE(file.has_value(), file.error().message);
    CHECK(test::walk_source(**file) == "");
    CHECK((*file)->find_tensor("far")->offset == data + kFar);
    CHECK(floats_of(**file, "far") == values);
}

TEST_CASE("types that nothing computes with may stand in a file") {
    struct Type {
        const char* name;
        std::uint64_t n_elements, n_bytes;
    };
    for (const Type& t : {Type{"BOOL", 3, 3},
                          {"U8", 3, 3},
                          {"U16", 3, 6},
                          {"U32", 3, 12},
                          {"U64", 3, 24},
                          {"F8_E4M3", 3, 3},
                          {"F8_E5M2", 3, 3},
                          {"F8_E8M0", 3, 3},
                          {"C64", 3, 24},
                          {"F4", 6, 3},
                          {"F6_E2M3", 4, 3},
                          {"F6_E3M2", 8, 6}}) {
        CAPTURE(std::string(t.name));
        SafetensorsWriter w;
        w.add("a", {1}, {1.0f}).add("odd", t.name, {t.n_elements}, std::string(t.n_bytes, 'x'));
        const TempFile temp(w.add("z", {1}, {2.0f}).build());
        const auto file = SafetensorsFile::open(temp.path());
        REQUIRE_MESSAGE(file.has_value(), file.error().message);
        CHECK(test::walk_source(**file) == "");
        const StoredTensor* odd = (*file)->find_tensor("odd");
        CHECK(std::string(ggml_type_name(odd->ggml_type)) == t.name);
        CHECK(odd->n_bytes == t.n_bytes);
    }
    SafetensorsWriter uneven; // 3 values of 4 bits are no whole number of bytes
    const TempFile temp(uneven.add("odd", "F4", {3}, "xx").build());
    CHECK(!SafetensorsFile::open(temp.path()));
}

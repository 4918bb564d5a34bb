// SPDX-License-Identifier: Apache-2.0
// Models in several GGUF files.
#include "engine/formats/gguf.h"
#include "engine/formats/split_name.h"
#include "tests/engine/formats/source_walk.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <functional>

using namespace sotto;
using namespace sotto::formats;
using test::floats_of;
using test::GgufWriter;
using test::TempFolder;

namespace {

/// Parts of a model with tensors t0, t1, ... of one float each, two in each part.
std::vector<GgufWriter> three_parts() {
    std::vector<GgufWriter> parts(3);
    float next = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        GgufWriter& w = parts[i];
        w.put("general.name", i == 0 ? "first" : "later");
        w.put("split.no", static_cast<std::uint16_t>(i)).put("split.count", std::uint16_t{3});
        w.put("split.tensors.count", std::int32_t{6});
        for (int k = 0; k < 2; ++k) {
            w.add("t" + std::to_string(static_cast<int>(next)), {1}, std::vector<float>{next});
            next += 1;
        }
    }
    return parts;
}

std::string part_name(std::size_t i, std::size_t n = 3) {
    return "m" + split_ending(i + 1, n, ".gguf");
}

void write_parts(const TempFolder& folder, const std::vector<GgufWriter>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        test::write_file(folder.file(part_name(i)), parts[i].build());
    }
}

std::string refusal(const std::string& path) {
    const auto file = GgufFile::open(path);
    return file ? "no error" : file.error().message;
}

} // namespace

TEST_CASE("names of parts") {
    const auto name = parse_split_name("dir-00001-of-00009/a.b-00002-of-00003.gguf", ".gguf");
    REQUIRE(name);
    CHECK(name->stem == "dir-00001-of-00009/a.b");
    CHECK(name->no == 2);
    CHECK(name->count == 3);
    CHECK(name->path_of(1) == "dir-00001-of-00009/a.b-00001-of-00003.gguf");
    CHECK(parse_split_name("-00001-of-00001.gguf", ".gguf")->stem.empty());
    CHECK(parse_split_name("m-99999-of-99999.gguf", ".gguf")->count == 99999);
    for (const char* no : {"", ".gguf", "m.gguf", "m-00001-of-00002", "m-00001-of-00002.GGUF",
                           "m-1-of-2.gguf", "m-00000-of-00002.gguf", "m-00003-of-00002.gguf",
                           "m-0000a-of-00002.gguf", "m-00001_of-00002.gguf", "m00001-of-00002.gguf",
                           "m-00001-of-0000-2.gguf", "m-00001-of-00002.gguf.part"}) {
        CHECK_MESSAGE(!parse_split_name(no, ".gguf"), no);
    }
}

TEST_CASE("any part opens the set") {
    const TempFolder folder;
    write_parts(folder, three_parts());
    for (std::size_t i = 0; i < 3; ++i) {
        const auto file = GgufFile::open(folder.file(part_name(i)));
        REQUIRE_MESSAGE(file.has_value(), file.error().message);
        CHECK((*file)->path() == folder.file(part_name(i)));
        CHECK(*(*file)->get_string("general.name") == "first");
        CHECK((*file)->tensors().size() == 6);
        CHECK((*file)->files().size() == 3);
        std::uint64_t n_bytes = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            n_bytes += std::filesystem::file_size(test::native_path(folder.file(part_name(k))));
        }
        CHECK((*file)->file_bytes() == n_bytes);
        CHECK(test::walk_source(**file) == "");
        for (int t = 0; t < 6; ++t) {
            CHECK(floats_of(**file, "t" + std::to_string(t)) ==
                  std::vector<float>{static_cast<float>(t)});
        }
    }
}

TEST_CASE("a renamed set, in a folder of any name") {
    const TempFolder folder;
    const auto parts = three_parts();
    for (std::size_t i = 0; i < 3; ++i) {
        test::write_file(folder.file("dir 00001-of-00002/новое" + split_ending(i + 1, 3, ".gguf")),
                         parts[i].build());
    }
    CHECK(refusal(folder.file("dir 00001-of-00002/новое-00002-of-00003.gguf")) == "no error");
}

TEST_CASE("parts without tensors, and large alignments") {
    auto parts = three_parts();
    parts[0].tensors.clear();
    parts[1].put("general.alignment", std::uint32_t{4096}).alignment = 4096;
    parts[0].set("split.tensors.count", std::int32_t{4});
    parts[1].drop("split.tensors.count");
    parts[2].set("split.tensors.count", std::int32_t{4});
    const TempFolder folder;
    write_parts(folder, parts);
    const auto file = GgufFile::open(folder.file(part_name(0)));
    REQUIRE_MESSAGE(file.has_value(), file.error().message);
    CHECK(test::walk_source(**file) == "");
}

TEST_CASE("a part that is missing is named") {
    for (std::size_t gone = 0; gone < 3; ++gone) {
        const TempFolder folder;
        write_parts(folder, three_parts());
        std::filesystem::remove(test::native_path(folder.file(part_name(gone))));
        for (std::size_t opened = 0; opened < 3; ++opened) {
            if (opened != gone) {
                const std::string found = refusal(folder.file(part_name(opened)));
                CHECK_MESSAGE(found.find("part " + std::to_string(gone + 1) + " of 3: '" +
                                         folder.file(part_name(gone)) + "' cannot be opened") == 0,
                              found);
            }
        }
    }
}

TEST_CASE("parts that do not agree") {
    struct Row {
        const char* what;
        std::function<void(std::vector<GgufWriter>&)> bend;
        const char* message;
    };
    const Row rows[] = {
        {"one says five", [](auto& p) { p[1].set("split.count", std::uint16_t{5}); },
         "m-00002-of-00003.gguf': the file is part 2 of 5 by its keys and part 2 of 3 by its name"},
        {"all say five",
         [](auto& p) {
             for (GgufWriter& w : p) {
                 w.set("split.count", std::uint16_t{5});
             }
         },
         "by its keys and part 1 of 3 by its name"},
        {"one says none", [](auto& p) { p[2].drop("split.count").drop("split.no"); },
         "m-00003-of-00003.gguf': the file is part 0 of 1 by its keys and part 3 of 3 by its name"},
        {"two swapped", [](auto& p) { std::swap(p[1], p[2]); },
         "m-00002-of-00003.gguf': the file is part 3 of 3 by its keys and part 2 of 3 by its name"},
        {"one twice", [](auto& p) { p[2] = p[1]; },
         "the file is part 2 of 3 by its keys and part 3"},
        {"number missing", [](auto& p) { p[1].drop("split.no"); },
         "m-00002-of-00003.gguf': split.no is missing and split.count 3"},
        {"number too large", [](auto& p) { p[1].set("split.no", std::uint16_t{3}); },
         "split.no is 3 and split.count 3, which is no part of a set"},
        {"number negative", [](auto& p) { p[1].set("split.no", std::int16_t{-1}); },
         "split.no is -1 and split.count 3"},
        {"count negative", [](auto& p) { p[1].set("split.count", std::int64_t{-3}); },
         "split.count -3"},
        {"count of text", [](auto& p) { p[1].set("split.count", "3"); },
         "m-00002-of-00003.gguf': key 'split.count' is stored as string, an integer is needed"},
        {"tensors: one fewer", [](auto& p) { p[2].tensors.pop_back(); },
         "m-00001-of-00003.gguf': split.tensors.count is 6, the parts together have 5 tensors"},
        {"tensors: one more", [](auto& p) { p[1].add("x", {1}, {1.0f}); },
         "split.tensors.count is 6, the parts together have 7 tensors"},
        {"tensors: other counts", [](auto& p) { p[1].set("split.tensors.count", std::int32_t{7}); },
         "m-00002-of-00003.gguf': split.tensors.count is 7, in the first part it is 6"},
        {"tensors: no count", [](auto& p) { p[0].drop("split.tensors.count"); },
         "m-00002-of-00003.gguf': split.tensors.count is 6, in the first part it is missing"},
        {"tensors: negative",
         [](auto& p) {
             for (GgufWriter& w : p) {
                 w.set("split.tensors.count", std::int32_t{-6});
             }
         },
         "split.tensors.count is -6"},
        {"a name in two parts", [](auto& p) { p[2].tensor("t5").name = "t0"; },
         "m-00003-of-00003.gguf': tensor 't0' is there, and in '"},
        {"a part of another kind", [](auto& p) { p[1].magic = "GGML"; }, "part 2 of 3: '"},
    };
    for (const Row& row : rows) {
        CAPTURE(std::string(row.what));
        auto parts = three_parts();
        row.bend(parts);
        const TempFolder folder;
        write_parts(folder, parts);
        const std::string found = refusal(folder.file(part_name(0)));
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
        for (std::size_t i = 1; i < 3; ++i) { // opened by another, another fault may come first
            const std::string other = refusal(folder.file(part_name(i)));
            const bool by_itself = other == "no error" && std::string(row.what) == "one says none";
            CHECK_MESSAGE((other != "no error" || by_itself), other);
        }
    }
}

TEST_CASE("a part under a name of its own") {
    const TempFolder folder;
    test::write_file(folder.file("model.gguf"), three_parts()[1].build());
    const std::string found = refusal(folder.file("model.gguf"));
    CHECK_MESSAGE(found.find("model.gguf': the file is part 2 of 3 by its keys; the others are "
                             "found by their names, so its own must end in "
                             "'-00002-of-00003.gguf'") != std::string::npos,
                  found);
}

TEST_CASE("a part whose name says other than its keys, told before others are looked for") {
    const TempFolder folder;
    for (const char* name : {"m-00002-of-00005.gguf", "m-00003-of-00003.gguf"}) {
        test::write_file(folder.file(name), three_parts()[1].build());
        const std::string found = refusal(folder.file(name));
        CHECK_MESSAGE(
            found.find(std::string(name) + "': the file is part 2 of 3 by its keys and part ") !=
                std::string::npos,
            found);
    }
}

TEST_CASE("each part cut at every length") {
    const TempFolder folder;
    const auto parts = three_parts();
    write_parts(folder, parts);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string bytes = parts[i].build();
        const std::size_t end = bytes.size() - 28; // the last tensor's bytes without their padding
        for (std::size_t n = 0; n < end; ++n) {
            test::write_file(folder.file(part_name(i)), bytes.substr(0, n));
            CAPTURE(i);
            CAPTURE(n);
            const std::string found = refusal(folder.file(part_name(0)));
            REQUIRE(found != "no error");
            CHECK(found.find(part_name(i)) != std::string::npos);
        }
        test::write_file(folder.file(part_name(i)), bytes);
    }
    CHECK(refusal(folder.file(part_name(0))) == "no error");
}

TEST_CASE("a part that shrinks after it was opened") {
    const TempFolder folder;
    write_parts(folder, three_parts());
    const auto file = *GgufFile::open(folder.file(part_name(0)));
    std::filesystem::resize_file(test::native_path(folder.file(part_name(1))), 10);
    std::array<std::byte, 4> bytes{};
    const auto done = file->read_tensor(*file->find_tensor("t2"), 0, bytes);
    REQUIRE(!done);
    CHECK(done.error().message.find(part_name(1)) != std::string::npos);
    CHECK(file->read_tensor(*file->find_tensor("t4"), 0, bytes));
}

TEST_CASE("a link of another name to any part opens the set") {
    const TempFolder folder;
    for (std::size_t i = 0; i < 3; ++i) {
        test::write_file(folder.file("parts/" + part_name(i)), three_parts()[i].build());
        const std::string link = folder.file("links/model" + std::to_string(i) + ".gguf");
        std::filesystem::create_directories(folder.path() / "links");
        std::error_code failed;
        std::filesystem::create_symlink("../parts/" + part_name(i), test::native_path(link),
                                        failed);
        if (failed) {
            return; // this system has no links for everyone
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string link = folder.file("links/model" + std::to_string(i) + ".gguf");
        const auto file = GgufFile::open(link);
        REQUIRE_MESSAGE(file.has_value(), file.error().message);
        CHECK((*file)->tensors().size() == 6);
        CHECK((*file)->path() == link);
    }
    std::filesystem::remove(folder.path() / "parts" / part_name(1));
    CHECK(refusal(folder.file("links/model0.gguf")).find(part_name(1)) != std::string::npos);
    test::write_file(folder.file("links/file.gguf"), three_parts()[0].build()); // no link
    CHECK(refusal(folder.file("links/file.gguf")).find("its own must end in") != std::string::npos);
}

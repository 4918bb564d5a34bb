// SPDX-License-Identifier: Apache-2.0
#include "engine/base/input_file.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <array>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <sys/stat.h>
#endif

using namespace sotto;
using test::TempFile;
using test::TempFolder;

namespace {

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string message_of_open(const std::string& path) {
    const auto file = InputFile::open(path);
    return file ? "opened" : file.error().message;
}

} // namespace

TEST_CASE("bytes are read from where they are") {
    const TempFile temp("0123456789");
    const auto file = InputFile::open(temp.path());
    REQUIRE(file);
    CHECK((*file)->size() == 10);
    CHECK((*file)->path() == temp.path());
    std::array<std::byte, 4> some{};
    REQUIRE((*file)->read(6, some));
    CHECK(std::to_integer<char>(some[0]) == '6');
    CHECK(std::to_integer<char>(some[3]) == '9');
    CHECK((*file)->read(10, {}));
}

TEST_CASE("reads past the end name path, position and size") {
    const TempFile temp("0123456789");
    const auto file = *InputFile::open(temp.path());
    std::array<std::byte, 4> some{};
    for (const std::uint64_t offset :
         {std::uint64_t{7}, std::uint64_t{11}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        const auto done = file->read(offset, some);
        REQUIRE(!done);
        CHECK(holds(done.error().message, temp.path()));
        CHECK(holds(done.error().message, "at " + std::to_string(offset)));
        CHECK(holds(done.error().message, "the file has 10"));
    }
}

TEST_CASE("a file that shrinks ends in an error") {
    const TempFile temp(std::string(100000, 'x'));
    const auto file = *InputFile::open(temp.path());
    std::filesystem::resize_file(test::native_path(temp.path()), 4096);
    std::vector<std::byte> all(100000);
    const auto done = file->read(0, all);
    REQUIRE(!done);
    CHECK(done.error().code == ErrorCode::io);
    CHECK(holds(done.error().message, temp.path()));
    CHECK(holds(done.error().message, "ends at byte 4096"));
    CHECK(holds(done.error().message, "100000"));
    CHECK(file->read(0, std::span(all).first(4096)));
}

TEST_CASE("what is no file to read says so") {
    const TempFolder folder;
    CHECK(holds(message_of_open(folder.file("missing")), "cannot be opened"));
    CHECK(holds(message_of_open(folder.file("")), "is a folder"));
    test::write_file(folder.file("empty"), "");
    CHECK(holds(message_of_open(folder.file("empty")), "is empty"));
    CHECK(message_of_open(folder.file("empty") + std::string("\0x", 2)) != "opened");
    CHECK(message_of_open("") != "opened");
#ifndef _WIN32
    REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    CHECK(holds(message_of_open(folder.file("pipe")), "a pipe")); // and does not wait for a writer
#endif
}

TEST_CASE("names in any script, with blanks and signs") {
    const TempFolder folder;
    for (const std::string name : {"имя модели.gguf", "模型.gguf", "é à #1 50%.gguf",
                                   "dir 模/имя.gguf", "😀.gguf", "'quoted' \"twice\".gguf"}) {
#ifdef _WIN32
        if (name.find('"') != std::string::npos) {
            continue;
        }
#endif
        test::write_file(folder.file(name), name);
        const auto file = InputFile::open(folder.file(name));
        REQUIRE(file);
        CHECK((*file)->size() == name.size());
        CHECK(holds((*file)->path(), name));
    }
}

TEST_CASE("several threads read one file") {
    std::string bytes(1 << 20, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(i * 31 >> 5);
    }
    const TempFile temp(bytes);
    const auto file = *InputFile::open(temp.path());
    std::array<std::size_t, 4> n_right{};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < n_right.size(); ++t) {
        threads.emplace_back([&, t] {
            std::string part(4096, '\0');
            for (std::size_t at = t * 100; at + part.size() <= bytes.size(); at += 9999) {
                const bool ok = file->read(at, std::as_writable_bytes(std::span(part))).has_value();
                n_right[t] += ok && bytes.compare(at, part.size(), part) == 0 ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (std::size_t t = 0; t < n_right.size(); ++t) {
        CHECK(n_right[t] == (bytes.size() - 4096 - t * 100) / 9999 + 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
// The file behind the header: what happens to it, where it lies, how large it is.
#include "engine/formats/gguf.h"
#include "tests/support/gguf_walk.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <thread>

using namespace sotto;
using namespace sotto::formats;
using test::GgufWriter;
using test::TempFile;
using test::TempFolder;

TEST_CASE("a file cut after it was opened") {
    GgufWriter w;
    w.add("a", {8}, std::vector<float>(8, 1.0f)).add("b", {4096}, std::vector<float>(4096, 2.0f));
    const TempFile temp(w.build());
    const auto file = *GgufFile::open(temp.path());
    const GgufTensor& b = file->tensors()[1];
    std::filesystem::resize_file(test::native_path(temp.path()), b.offset + 1000);

    std::vector<std::byte> bytes(b.n_bytes);
    const auto done = file->read_tensor(b, 0, bytes);
    REQUIRE(!done);
    CHECK(done.error().code == ErrorCode::io);
    for (const std::string& part :
         {std::string("tensor 'b'"), temp.path(), std::to_string(b.offset + 1000)}) {
        CHECK_MESSAGE(done.error().message.find(part) != std::string::npos, done.error().message);
    }
    CHECK(file->read_tensor(b, 0, std::span(bytes).first(1000)));
    CHECK(file->read_tensor(file->tensors()[0], 0, std::span(bytes).first(32)));
}

TEST_CASE("reads outside a tensor are refused") {
    GgufWriter w;
    w.add("a", {8}, std::vector<float>(8, 1.0f)).add("b", {8}, std::vector<float>(8, 2.0f));
    const TempFile temp(w.build());
    const auto file = *GgufFile::open(temp.path());
    const GgufTensor& a = file->tensors()[0];
    std::array<std::byte, 16> bytes{};
    CHECK(file->read_tensor(a, 16, bytes));
    CHECK(!file->read_tensor(a, 17, bytes));
    CHECK(!file->read_tensor(a, 33, std::span<std::byte>()));
    CHECK(!file->read_tensor(a, ~std::uint64_t{0} - 8, bytes));
}

// 32-bit positions ended at 2 and 4 GiB. The file is a hole but for its ends.
TEST_CASE("a tensor beyond 4 GiB") {
    constexpr std::uint64_t kFar = std::uint64_t{5} << 30;
    GgufWriter w;
    w.add("near", {8}, std::vector<float>(8, 1.0f)).add("far", {8}, std::vector<float>(8, 2.0f));
    w.tensor("far").offset = kFar;
    const std::string bytes = w.build();
    const std::size_t data = bytes.size() - 64;
    const TempFile temp(bytes);
    std::error_code failed;
    std::filesystem::resize_file(test::native_path(temp.path()), data + kFar + 32, failed);
    if (failed) {
        MESSAGE("the temporary folder takes no sparse file of 5 GiB: " << failed.message());
        return;
    }
    {
        std::fstream out(test::native_path(temp.path()),
                         std::ios::binary | std::ios::in | std::ios::out);
        out.seekp(static_cast<std::streamoff>(data + kFar));
        out.write(bytes.data() + data + 32, 32);
    }
    const auto file = GgufFile::open(temp.path());
    REQUIRE(file);
    CHECK(test::walk(**file) == "");
    const GgufTensor* far = (*file)->find_tensor("far");
    REQUIRE(far);
    CHECK(far->offset == data + kFar);
    std::vector<float> values(8);
    REQUIRE((*file)->read_tensor(*far, 0, std::as_writable_bytes(std::span(values))));
    CHECK(values == std::vector<float>(8, 2.0f));
}

// A header that asks for all of a large file is refused before it is read.
TEST_CASE("a header without end") {
    GgufWriter w;
    constexpr std::uint64_t kElements = std::uint64_t{3} << 30;
    w.put_array("zz", 0, kElements, "");
    const TempFile temp(w.build());
    std::error_code failed;
    std::filesystem::resize_file(test::native_path(temp.path()), kElements + 4096, failed);
    if (failed) {
        MESSAGE("the temporary folder takes no sparse file of 3 GiB: " << failed.message());
        return;
    }
    const auto file = GgufFile::open(temp.path());
    REQUIRE(!file);
    CHECK(file.error().message.find("the header goes on past 256 MiB in key 'zz'") !=
          std::string::npos);
}

TEST_CASE("names in any script") {
    const std::string bytes = GgufWriter().add("a", {8}, std::vector<float>(8, 1.0f)).build();
    const TempFolder folder;
    for (const char* name :
         {"good имя 模型 é.gguf", "dir with blanks/good #1 50%.gguf", "дом/模.gguf"}) {
        test::write_file(folder.file(name), bytes);
        const auto file = GgufFile::open(folder.file(name));
        REQUIRE(file);
        CHECK((*file)->path() == folder.file(name));
        CHECK((*file)->file_bytes() == bytes.size());
        CHECK(test::walk(**file) == "");
    }
    const auto missing = GgufFile::open(folder.file("нет.gguf"));
    REQUIRE(!missing);
    CHECK(missing.error().message.find("нет.gguf") != std::string::npos);
}

TEST_CASE("several threads read pieces of one tensor") {
    std::vector<float> values(1 << 18);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i);
    }
    const TempFile temp(GgufWriter().add("a", {values.size()}, values).build());
    const auto file = *GgufFile::open(temp.path());
    std::vector<float> found(values.size());
    std::array<bool, 4> ok{};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < ok.size(); ++t) {
        threads.emplace_back([&, t] {
            const std::size_t n = values.size() / ok.size();
            const auto piece = std::as_writable_bytes(std::span(found).subspan(t * n, n));
            ok[t] = file->read_tensor(file->tensors()[0], t * piece.size(), piece).has_value();
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(ok == std::array<bool, 4>{true, true, true, true});
    CHECK(found == values);
}

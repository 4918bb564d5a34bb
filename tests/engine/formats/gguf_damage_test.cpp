// SPDX-License-Identifier: Apache-2.0
// Damage done by rule rather than by example: every length, every field, every byte.
#include "engine/formats/gguf.h"
#include "tests/support/gguf_walk.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <set>

using namespace sotto;
using namespace sotto::formats;
using test::GgufBytes;
using test::GgufField;
using test::GgufWriter;

namespace {

GgufWriter small() {
    GgufWriter w;
    w.put("general.architecture", "llama").put("general.alignment", std::uint32_t{32});
    w.put("n", std::uint64_t{7}).put("yes", true).put("eps", 1e-5f);
    w.put("tokens", std::vector<std::string>{"a", "", "ccc"});
    w.put("types", std::vector<std::int32_t>{1, 2, 3}).put("flags", std::vector<bool>{true, false});
    w.add("q.weight", {32, 2}, 8, std::string(68, 'q'));
    w.add("k.weight", {4, 2, 1}, std::vector<float>(8, 1.0f));
    w.add("last", {8}, std::vector<float>(8, 1.0f)); // ends at a multiple of the alignment
    return w;
}

/// One file, written again and again.
class Scratch {
  public:
    Result<std::unique_ptr<GgufFile>> open(std::string_view bytes) const {
        test::write_file(path_, bytes);
        return GgufFile::open(path_);
    }

  private:
    test::TempFolder folder_;
    std::string path_ = folder_.file("damaged.gguf");
};

std::string with_field(const GgufBytes& file, const GgufField& field, std::uint64_t value) {
    std::string bytes = file.bytes;
    std::memcpy(bytes.data() + field.position, &value, field.n_bytes);
    return bytes;
}

std::uint64_t value_of(const GgufBytes& file, const GgufField& field) {
    std::uint64_t value = 0;
    std::memcpy(&value, file.bytes.data() + field.position, field.n_bytes);
    return value;
}

} // namespace

TEST_CASE("cut at every length") {
    const std::string bytes = small().build();
    const Scratch scratch;
    REQUIRE(scratch.open(bytes));
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        CAPTURE(n);
        const auto file = scratch.open(std::string_view(bytes).substr(0, n));
        REQUIRE(!file);
        const std::string& message = file.error().message;
        const bool names_size =
            message.find("the file has " + std::to_string(n)) != std::string::npos;
        const bool names_count = message.find("the file could hold ") != std::string::npos;
        const bool is_empty = n == 0 && message.find("is empty") != std::string::npos;
        CHECK_MESSAGE((names_size || names_count || is_empty), message);
    }
}

TEST_CASE("every count, length, type, dimension and offset set to extremes") {
    const GgufBytes good = small().build_with_fields();
    const Scratch scratch;
    REQUIRE(good.fields.size() > 40);
    for (const GgufField& field : good.fields) {
        const std::uint64_t old = value_of(good, field);
        std::set<std::uint64_t> values{0, 1, 2, 4, 9, 13, 255, old - 1, old + 1};
        for (const int bit : {8, 16, 31, 32, 40, 61, 62, 63}) {
            values.insert({(std::uint64_t{1} << bit) - 1, std::uint64_t{1} << bit});
        }
        values.insert(~std::uint64_t{0});
        for (std::uint64_t value : values) {
            value = field.n_bytes == 4 ? value & 0xFFFFFFFF : value;
            CAPTURE(field.name);
            CAPTURE(value);
            const auto file = scratch.open(with_field(good, field, value));
            if (file) {
                CHECK(test::walk(**file) == "");
                CHECK(value < good.bytes.size()); // nothing in so small a file is larger
            } else {
                CHECK(value != old);
                CHECK(!file.error().message.empty());
            }
        }
    }
}

TEST_CASE("every byte of the header changed") {
    const std::string good = small().build();
    const Scratch scratch;
    std::size_t n_refused = 0;
    for (std::size_t i = 0; i < good.size() - 200; ++i) { // the data is of no concern here
        for (const unsigned mask : {0x01u, 0x80u, 0xFFu}) {
            std::string bytes = good;
            bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ mask);
            CAPTURE(i);
            const auto file = scratch.open(bytes);
            if (file) {
                CHECK(test::walk(**file) == "");
            }
            n_refused += file ? 0 : 1;
        }
    }
    CHECK(n_refused > good.size()); // about half of the bytes are letters of names
}

// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/file_names.h"
#include "engine/formats/gguf.h"
#include "engine/formats/model_kind.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

using namespace sotto;
using namespace sotto::formats;
using test::TempFolder;

namespace {

std::string kind_of(const TempFolder& folder, const char* name) {
    const auto kind = find_model_kind(folder.file(name));
    if (!kind) {
        return kind.error().message;
    }
    return *kind == ModelKind::gguf ? "gguf" : "hub";
}

void check_part(const std::string& found, const char* part) {
    CHECK_MESSAGE(found.find(part) != std::string::npos, found);
}

} // namespace

TEST_CASE("what a path is to be opened as") {
    const TempFolder folder;
    const std::string gguf = test::GgufWriter().put("a", true).build();
    test::write_file(folder.file("a/m.gguf"), gguf);
    test::write_file(folder.file("a/blob-of-any-name"), gguf);
    test::write_file(folder.file("b/config.json"), "{}");
    test::write_file(folder.file("b/model.safetensors"), "x");
    test::write_file(folder.file("b/m.gguf"), gguf);
    test::write_file(folder.file("b/gguf.json"), gguf);
    CHECK(kind_of(folder, "a/m.gguf") == "gguf");
    CHECK(kind_of(folder, "a/blob-of-any-name") == "gguf");
    CHECK(kind_of(folder, "b") == "hub");
    CHECK(kind_of(folder, "b/") == "hub");
    CHECK(kind_of(folder, "b/config.json") == "hub");
    CHECK(kind_of(folder, "b/model.safetensors") == "hub");
    CHECK(kind_of(folder, "b/m.gguf") == "gguf");
    CHECK(kind_of(folder, "b/gguf.json") == "gguf");
}

TEST_CASE("what is no model says what it is") {
    const TempFolder folder;
    test::write_file(folder.file("empty/sub/x"), "x");
    test::write_file(folder.file("ggufs/m.gguf"), "GGUF");
    test::write_file(folder.file("torch/pytorch_model.bin"), "x");
    test::write_file(folder.file("loose/weights.safetensors"), "x");
    test::write_file(folder.file("nothing.gguf"), "");
    check_part(kind_of(folder, "empty"),
               "empty' is a folder without config.json, so it is no model");
    check_part(kind_of(folder, "ggufs"), "; it holds 'm.gguf', a GGUF file");
    check_part(kind_of(folder, "torch"), "; it holds 'pytorch_model.bin', a PyTorch checkpoint");
    check_part(kind_of(folder, "loose"), "is a folder without config.json");
    check_part(kind_of(folder, "loose/weights.safetensors"),
               "loose/weights.safetensors' has no config.json beside it, so it is no model");
    check_part(kind_of(folder, "gone.gguf"), "gone.gguf' cannot be opened");
    check_part(kind_of(folder, "gone/config.json"), "gone/config.json' cannot be opened");
    check_part(kind_of(folder, "nothing.gguf"), "is empty");
}

TEST_CASE("files of other formats are named by their bytes or their ending") {
    struct Row {
        const char* name;
        std::string bytes;
        const char* message;
    };
    const std::string junk("\x08\x07\x12\xFF\xFE junk", 10);
    const Row rows[] = {
        {"pytorch_model.bin", "PK\x03\x04" + junk, "a zip archive (a PyTorch checkpoint is one)"},
        {"pytorch_model.bin", "\x80\x02" + junk, "a Python pickle"},
        {"old.pt", junk, "a PyTorch checkpoint, which is not supported"},
        {"MODEL.PTH", junk, "a PyTorch checkpoint"},
        {"model.onnx", junk, "an ONNX model, which is not supported"},
        {"model.zip", "PK\x05\x06" + junk, "a zip archive"},
        {"tf_model.h5", "\x89HDF" + junk, "an HDF5 file"},
        {"flax_model.msgpack", junk, "a Flax checkpoint"},
        {"renamed.gguf", std::string("\x40\0\0\0\0\0\0\0{\"a\":", 12) + junk,
         "a safetensors file, which is opened with the config.json of its folder"},
        {"settings.txt", "{\"a\": 1}", "a JSON file"},
        {"unknown.gguf", junk, "this is no GGUF file: it does not begin with the letters GGUF"},
    };
    const TempFolder folder;
    for (const Row& row : rows) {
        CAPTURE(std::string(row.name));
        test::write_file(folder.file(row.name), row.bytes);
        CHECK(kind_of(folder, row.name) == "gguf");
        const auto file = GgufFile::open(folder.file(row.name));
        REQUIRE(!file);
        check_part(file.error().message, row.message);
    }
}

TEST_CASE("names and folders") {
    CHECK(folder_of("a/b/c") == "a/b");
    CHECK(folder_of("c") == ".");
    CHECK(folder_of("/c") == "/");
    CHECK(name_of("a/b/c") == "c");
    CHECK(name_of("c") == "c");
    CHECK(join_path("a", "b") == "a/b");
    CHECK(join_path("a/", "b") == "a/b");
    CHECK(join_path("/", "b") == "/b");
    CHECK(is_plain_name("model-00001-of-00002.safetensors"));
    CHECK(is_plain_name("модель ...x"));
    for (const char* name : {"", ".", "..", "a/b", "/a", "a\\b", "C:", "C:a", "a\nb", "../a"}) {
        CHECK_MESSAGE(!is_plain_name(name), name);
    }
}

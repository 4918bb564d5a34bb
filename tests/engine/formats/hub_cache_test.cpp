// SPDX-License-Identifier: Apache-2.0
// Folders of the hub client's download cache, links that lead to nothing, folders that are closed.
#include "engine/formats/hub_cache.h"
#include "engine/formats/hub_folder.h"
#include "engine/formats/model_kind.h"
#include "tests/engine/formats/safetensors_writer.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#ifndef _WIN32
#include <unistd.h>
#endif

using namespace sotto;
using namespace sotto::formats;
using test::TempFolder;

namespace {

const char* const kNames[] = {"config.json", "tokenizer.json", "tokenizer_config.json",
                              "generation_config.json", "model.safetensors"};

/// Every file of a model in `path`.
void write_model(const std::string& path) {
    for (const char* name : kNames) {
        test::write_file(path + "/" + name, "{}");
    }
    test::write_file(path + "/model.safetensors",
                     test::SafetensorsWriter().add("a", {1}, {1.0f}).build());
}

/// What both ways to look at a folder say; "" if it opens.
std::string refusal(const std::string& path) {
    const auto kind = find_model_kind(path);
    const auto hub = HubFolder::open(path);
    if (!kind) {
        CHECK(!hub);
        return kind.error().message;
    }
    if (!hub) {
        return hub.error().message;
    }
    const auto tokenizer = (*hub)->read_tokenizer();
    return tokenizer ? "" : tokenizer.error().message;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a folder of the cache stands for its snapshot") {
    const TempFolder folder;
    const std::string model = folder.file("models--Org--Tiny-1B");
    write_model(model + "/snapshots/abc");
    CHECK(refusal(model) == "");
    CHECK(refusal(model + "/") == "");
    CHECK((*HubFolder::open(model))->path() == model + "/snapshots/abc");
    write_model(model + "/snapshots/def");
    CHECK(contains(refusal(model), "Tiny-1B' holds 2 snapshots and does not say which is the "
                                   "current one; open one of them: 'abc', 'def'"));
    test::write_file(model + "/refs/main", "def\n");
    CHECK((*HubFolder::open(model))->path() == model + "/snapshots/def");
    test::write_file(model + "/refs/main", "../../elsewhere");
    CHECK(contains(refusal(model), "open one of them: 'abc', 'def'"));
    CHECK(refusal(model + "/snapshots/def") == "");
    // A model's own folder is never taken for one of the cache.
    write_model(folder.file("own"));
    write_model(folder.file("own/snapshots/x"));
    CHECK((*HubFolder::open(folder.file("own")))->path() == folder.file("own"));
    test::write_file(folder.file("models--O--G/snapshots/q/m.gguf"), "GGUF");
    CHECK(contains(refusal(folder.file("models--O--G")), "; it holds 'm.gguf', a GGUF file"));
    std::filesystem::create_directories(folder.path() / "models--O--E" / "snapshots");
    CHECK(contains(refusal(folder.file("models--O--E")), "is a folder without config.json"));
}

TEST_CASE("the model's name in the cache is not its revision") {
    CHECK(name_in_cache("/x/models--Org--Tiny-1B/snapshots/0a1b") == "Tiny-1B");
    CHECK(name_in_cache("models--gpt2/snapshots/0a1b") == "gpt2");
    CHECK(name_in_cache("/x/Tiny-1B/snapshots/0a1b") == "");
    CHECK(name_in_cache("/x/models--Org--Tiny-1B") == "");
    CHECK(name_in_cache("snapshots/a") == "");
    CHECK(name_in_cache("") == "");
}

TEST_CASE("files of a folder may be links; one that leads to nothing is an error, not missing") {
    for (const char* name : kNames) {
        CAPTURE(std::string(name));
        const TempFolder folder;
        write_model(folder.file("m"));
        const auto file = folder.path() / "m" / name;
        std::filesystem::rename(file, folder.path() / "blob");
        std::error_code failed;
        std::filesystem::create_symlink("../blob", file, failed);
        if (failed) {
            return; // this system has no links for everyone
        }
        CHECK(refusal(folder.file("m")) == "");
        std::filesystem::remove(folder.path() / "blob");
        CHECK(contains(refusal(folder.file("m")),
                       std::string(name) + "' is a link to a file that is not there"));
    }
}

#ifndef _WIN32
TEST_CASE("a folder that cannot be entered is not one without config.json") {
    const TempFolder folder;
    write_model(folder.file("m"));
    std::filesystem::permissions(folder.path() / "m", std::filesystem::perms::none);
    const bool is_root = geteuid() == 0;
    REQUIRE((!is_root || seteuid(65534) == 0)); // to root nothing is forbidden
    const std::string found = refusal(folder.file("m"));
    REQUIRE((!is_root || seteuid(0) == 0));
    std::filesystem::permissions(folder.path() / "m", std::filesystem::perms::owner_all);
    CHECK_MESSAGE(contains(found, "config.json' cannot be opened: Permission denied"), found);
}
#endif

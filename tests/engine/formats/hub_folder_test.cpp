// SPDX-License-Identifier: Apache-2.0
// Whole folders: which files are found, which are refused, and what models in several files may be.
#include "engine/formats/hub_folder.h"
#include "tests/engine/formats/safetensors_writer.h"
#include "tests/engine/formats/source_walk.h"
#include "tests/support/temp_file.h"

#include <doctest/doctest.h>

#include <map>

using namespace sotto;
using namespace sotto::formats;
using test::floats_of;
using test::SafetensorsWriter;
using test::TempFolder;

namespace {

const std::string kPart1 = "model-00001-of-00002.safetensors";
const std::string kPart2 = "model-00002-of-00002.safetensors";
const std::string kIndex = "model.safetensors.index.json";

using Files = std::map<std::string, std::string>;

std::string weights(const std::map<std::string, float>& values) {
    SafetensorsWriter w;
    for (const auto& [name, value] : values) {
        w.add(name, {1}, {value});
    }
    return w.build();
}

Files single() {
    return {{"config.json", R"({"model_type": "llama"})"},
            {"model.safetensors", weights({{"a", 1.0f}, {"b", 2.0f}})},
            {"tokenizer.json", R"({"version": "1.0"})"},
            {"tokenizer_config.json", R"({"chat_template": "from the config"})"},
            {"generation_config.json", R"({"eos_token_id": [1, 2]})"}};
}

std::string index_of(const std::map<std::string, std::string>& places) {
    std::string text;
    for (const auto& [tensor, file] : places) {
        text += (text.empty() ? "\"" : ", \"") + tensor + "\": \"" + file + "\"";
    }
    return R"({"metadata": {"total_size": 12}, "weight_map": {)" + text + "}}";
}

Files sharded() {
    Files files = single();
    files.erase("model.safetensors");
    files[kPart1] = weights({{"a", 1.0f}, {"b", 2.0f}});
    files[kPart2] = weights({{"c", 3.0f}});
    files[kIndex] = index_of({{"a", kPart1}, {"b", kPart1}, {"c", kPart2}});
    return files;
}

void write(const TempFolder& folder, const Files& files) {
    for (const auto& [name, text] : files) {
        test::write_file(folder.file("model/" + name), text);
    }
}

/// The message without the folder's path, or "no error" and the names of the tensors.
std::string outcome(const Files& files, const std::string& opened) {
    const TempFolder folder;
    write(folder, files);
    const auto hub = HubFolder::open(folder.file("model" + (opened.empty() ? "" : "/" + opened)));
    if (!hub) {
        std::string message = hub.error().message;
        const std::string path = folder.file("model");
        for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;) {
            message.replace(at, path.size(), "DIR");
        }
        return message;
    }
    CHECK((*hub)->path() == folder.file("model"));
    std::string names = "no error";
    for (const StoredTensor& t : (*hub)->tensors().tensors()) {
        names += " " + t.name;
    }
    return names;
}

struct Row {
    const char* what;
    std::string name;
    std::string text;
    const char* message;
};

void check(const Files& files, const std::vector<Row>& rows, const std::string& opened = "") {
    for (const Row& row : rows) {
        CAPTURE(std::string(row.what));
        Files bent = files;
        bent[row.name] = row.text;
        const std::string found = outcome(bent, opened);
        CHECK_MESSAGE(found.find(row.message) != std::string::npos, found);
    }
}

std::string without(Files files, const std::string& name, const std::string& opened = "") {
    files.erase(name);
    return outcome(files, opened);
}

void check_templates(const Files& files,
                     const std::vector<std::pair<std::string, std::string>>& wanted,
                     std::size_t n_warnings) {
    const TempFolder folder;
    write(folder, files);
    const auto hub = HubFolder::open(folder.file("model"));
    REQUIRE_MESSAGE(hub.has_value(), hub.error().message);
    std::vector<std::pair<std::string, std::string>> found;
    for (const NamedTemplate& t : (*hub)->chat_templates()) {
        found.emplace_back(t.name, t.text);
    }
    CHECK(found == wanted);
    CHECK((*hub)->warnings().size() == n_warnings);
}

} // namespace

TEST_CASE("a folder is opened by its path or by any file in it") {
    for (const auto& [name, text] : single()) {
        CHECK(outcome(single(), name) == "no error a b");
    }
    CHECK(outcome(single(), "") == "no error a b");
    for (const auto& [name, text] : sharded()) {
        CHECK(outcome(sharded(), name) == "no error a b c");
    }
    CHECK(outcome(sharded(), "") == "no error a b c");
    CHECK(outcome(single(), "missing.json").find("missing.json' cannot be opened") !=
          std::string::npos);
}

TEST_CASE("what a folder gives") {
    const TempFolder folder;
    write(folder, sharded());
    const auto hub = HubFolder::open(folder.file("model/") + kPart2);
    REQUIRE_MESSAGE(hub.has_value(), hub.error().message);
    const TensorSource& tensors = (*hub)->tensors();
    CHECK(test::walk_source(dynamic_cast<const TensorFiles&>(tensors)) == "");
    CHECK(floats_of(tensors, "b") == std::vector<float>{2});
    CHECK(floats_of(tensors, "c") == std::vector<float>{3});
    CHECK(tensors.file_bytes() == sharded()[kPart1].size() + sharded()[kPart2].size());
    CHECK((*hub)->config().find("model_type")->string() == "llama");
    CHECK((*hub)->generation_config()->find("eos_token_id")->size() == 2);
    CHECK((*hub)->read_tokenizer()->root().find("version")->string() == "1.0");
    CHECK(*(*hub)->chat_template() == "from the config");
    CHECK((*hub)->chat_template("tool_use") == nullptr);
    CHECK((*hub)->warnings().empty());
}

TEST_CASE("the folder's own name with a separator at its end, and in any script") {
    const TempFolder folder;
    for (const auto& [name, text] : single()) {
        test::write_file(folder.file("модель 模型 é/" + name), text);
    }
    CHECK(HubFolder::open(folder.file("модель 模型 é/")));
    CHECK(HubFolder::open(folder.file("модель 模型 é/config.json")));
}

TEST_CASE("files that may be missing, and those that may not") {
    CHECK(without(single(), "tokenizer.json") == "no error a b"); // told when it is asked for
    CHECK(without(single(), "tokenizer_config.json") == "no error a b");
    CHECK(without(single(), "generation_config.json") == "no error a b");
    CHECK(without(single(), "config.json").find("DIR/config.json' cannot be opened") == 1);
    CHECK(without(single(), "model.safetensors") ==
          "'DIR' has neither model.safetensors nor model.safetensors.index.json");
    Files files = single();
    files.erase("model.safetensors");
    files["pytorch_model.bin"] = "x";
    CHECK(outcome(files, "").find("; it holds 'pytorch_model.bin', a PyTorch checkpoint, which is "
                                  "not supported") != std::string::npos);
    const TempFolder folder;
    write(folder, {{"config.json", "{}"}, {"model.safetensors", weights({{"a", 1}})}});
    const auto hub = *HubFolder::open(folder.file("model"));
    CHECK(!hub->tokenizer_config());
    CHECK(!hub->generation_config());
    CHECK(hub->chat_template() == nullptr);
    const auto tokenizer = hub->read_tokenizer();
    REQUIRE(!tokenizer);
    CHECK(tokenizer.error().message.ends_with("model' has no tokenizer.json, which is needed"));
    test::write_file(folder.file("model/vocab.json"), "{}");
    test::write_file(folder.file("model/merges.txt"), "a b");
    CHECK(hub->read_tokenizer().error().message.ends_with(
        "needed; it has vocab.json and merges.txt, which are not read"));
    test::write_file(folder.file("model/tokenizer.model"), "x");
    CHECK(hub->read_tokenizer().error().message.ends_with(
        "needed; it has tokenizer.model, which is not read"));
}

TEST_CASE("a file that is there must be right") {
    for (const char* name : {"config.json", "tokenizer_config.json", "generation_config.json"}) {
        const std::string where = "'DIR/" + std::string(name) + "'";
        check(single(), {{"not JSON", name, "{\"a\": ", where.c_str()},
                         {"JSON, and where", name, "{\"a\": ", ": JSON, byte 6: "},
                         {"no object", name, "[]", "holds a list, an object is needed"},
                         {"empty", name, "", "is empty"},
                         {"a key twice", name, R"({"a": 1, "a": 2})", "key 'a' is there twice"},
                         {"deep", name, "{\"a\":" + std::string(100000, '['), "64 deep"}});
    }
    check(single(), {{"huge", "config.json", std::string((32 << 20) + 1, ' '),
                      "has 33554433 bytes, at most 33554432 are read of such a file"},
                     {"huge", "chat_template.jinja", std::string((4 << 20) + 1, ' '),
                      "at most 4194304 are read"},
                     {"weights", "model.safetensors", "x", "model.safetensors': this is no"}});
    const TempFolder folder;
    Files files = single();
    files["tokenizer.json"] = "{\"a\": 1";
    write(folder, files);
    const auto tokenizer = (*HubFolder::open(folder.file("model")))->read_tokenizer();
    REQUIRE(!tokenizer);
    CHECK(tokenizer.error().message.find("tokenizer.json': JSON, byte 7: ") != std::string::npos);
}

TEST_CASE("chat templates") {
    struct Template {
        const char* config; // value in tokenizer_config.json
        const char* file;   // null: not there
        std::vector<std::pair<std::string, std::string>> found;
        std::size_t n_warnings;
    };
    const Template rows[] = {
        {"\"one\"", nullptr, {{"default", "one"}}, 0},
        {"null", nullptr, {}, 0},
        {"\"one\"", "file", {{"default", "file"}}, 0},
        {"null", "file", {{"default", "file"}}, 0},
        {R"([{"name": "default", "template": "x"}, {"name": "tool_use", "template": "y"}])",
         nullptr,
         {{"default", "x"}, {"tool_use", "y"}},
         0},
        {R"([{"name": "default", "template": "x"}, {"name": "tool_use", "template": "y"}])",
         "file",
         {{"default", "file"}},
         0},
        {"[]", nullptr, {}, 0},
        {"5", nullptr, {}, 1},
        {R"({"name": "default", "template": "x"})", nullptr, {}, 1},
        {R"([{"name": "default"}])", nullptr, {}, 1},
        {R"(["x"])", nullptr, {}, 1},
        {R"([{"name": 1, "template": "x"}])", "file", {{"default", "file"}}, 0},
    };
    for (const Template& row : rows) {
        CAPTURE(std::string(row.config));
        Files files = single();
        files["tokenizer_config.json"] = R"({"chat_template": )" + std::string(row.config) + "}";
        if (row.file) {
            files["chat_template.jinja"] = row.file;
        }
        check_templates(files, row.found, row.n_warnings);
    }
}

TEST_CASE("chat templates: of the places where they have stood the newest that has any counts") {
    const std::string list = R"({"chat_template": [{"name": "rag", "template": "j"}]})";
    struct Place {
        Files more;
        std::vector<std::pair<std::string, std::string>> found;
        std::size_t n_warnings = 0;
    };
    const Place rows[] = {
        {{}, {{"default", "from the config"}}},
        {{{"chat_template.json", R"({"chat_template": "j"})"}}, {{"default", "j"}}},
        {{{"chat_template.json", list}}, {{"rag", "j"}}},
        {{{"chat_template.json", "{}"}}, {{"default", "from the config"}}},
        {{{"chat_template.json", R"({"chat_template": 5})"}}, {{"default", "from the config"}}, 1},
        {{{"chat_template.json", list}, {"chat_template.jinja", "f"}}, {{"default", "f"}}},
        {{{"chat_template.jinja", "f"},
          {"additional_chat_templates/tool_use.jinja", "t"},
          {"additional_chat_templates/rag.jinja", "r"},
          {"additional_chat_templates/notes.txt", "n"}},
         {{"default", "f"}, {"rag", "r"}, {"tool_use", "t"}}},
        {{{"additional_chat_templates/tool_use.jinja", "t"}}, {{"tool_use", "t"}}},
    };
    for (const Place& row : rows) {
        CAPTURE(row.more.size());
        Files files = single();
        files.insert(row.more.begin(), row.more.end());
        check_templates(files, row.found, row.n_warnings);
    }
    Files files = single();
    for (int i = 0; i < 101; ++i) {
        files["additional_chat_templates/" + std::to_string(i) + ".jinja"] = "x";
    }
    const TempFolder folder;
    write(folder, files);
    CHECK(HubFolder::open(folder.file("model")).error().message.find("at most 100") !=
          std::string::npos);
}

TEST_CASE("an index names files of its folder and nothing else") {
    for (const std::string& name : std::vector<std::string>{
             "../model/" + kPart1, "/etc/passwd", "..", ".", "", "sub/x.safetensors",
             "..\\\\model\\\\x", "C:x.safetensors", "a\\nb", "a\\u0000b", std::string(256, 'n')}) {
        CAPTURE(name);
        check(sharded(), {{"path", kIndex, index_of({{"a", kPart1}, {"b", name}, {"c", kPart2}}),
                           "'DIR/model.safetensors.index.json': the file of tensor 'b' is '"},
                          {"path", kIndex, index_of({{"a", kPart1}, {"b", name}, {"c", kPart2}}),
                           "', only names of files in the same folder are allowed"}});
    }
}

TEST_CASE("an index and its files must agree") {
    const std::string none_of = "', which does not have it";
    check(sharded(),
          {{"a ghost", kIndex,
            index_of({{"a", kPart1}, {"b", kPart1}, {"c", kPart2}, {"ghost", kPart2}}),
            "tensor 'ghost' is said to be in 'model-00002-of-00002.safetensors', which does not "
            "have it"},
           {"in the other file", kIndex, index_of({{"a", kPart1}, {"b", kPart2}, {"c", kPart2}}),
            "model-00001-of-00002.safetensors': tensor 'b' is there, the index has it in "
            "'model-00002-of-00002.safetensors'"},
           {"in both files", kPart2, weights({{"b", 5.0f}, {"c", 3.0f}}),
            "model-00002-of-00002.safetensors': tensor 'b' is there, the index has it in"},
           {"no file of that name", kIndex, index_of({{"a", "gone.safetensors"}}),
            "'DIR/gone.safetensors' cannot be opened"},
           {"a broken file", kPart2, "x", "'DIR/model-00002-of-00002.safetensors': this is no"},
           {"a file with bytes after the last", kPart2, weights({{"c", 3}}) + "x",
            "bytes that belong to none"},
           {"no weight_map", kIndex, "{}", "it has no object 'weight_map'"},
           {"an empty one", kIndex, R"({"weight_map": {}})", "it has no object 'weight_map'"},
           {"another kind", kIndex, R"({"weight_map": ["a"]})", "it has no object 'weight_map'"},
           {"a list", kIndex, "[]", "it has no object 'weight_map'"},
           {"a number as file", kIndex, R"({"weight_map": {"a": 1}})",
            "the file of tensor 'a' is an integer, a string is needed"},
           {"a tensor twice", kIndex, R"({"weight_map": {"a": "x", "a": "y"}})",
            "key 'a' is there twice"},
           {"no JSON", kIndex, "PK\x03\x04", "index.json': JSON, byte "}});
    for (const std::string& part : {kPart1, kPart2}) {
        CHECK(without(sharded(), part).find("'DIR/" + part + "' cannot be opened") == 0);
    }
}

TEST_CASE("tensors that the index does not name are left out, and told") {
    Files files = sharded();
    files[kPart2] = weights({{"c", 3.0f}, {"x", 4.0f}, {"y", 5.0f}});
    const TempFolder folder;
    write(folder, files);
    const auto hub = HubFolder::open(folder.file("model"));
    REQUIRE_MESSAGE(hub.has_value(), hub.error().message);
    CHECK((*hub)->tensors().tensors().size() == 3);
    CHECK((*hub)->tensors().find_tensor("x") == nullptr);
    REQUIRE((*hub)->warnings().size() == 1);
    CHECK((*hub)->warnings()[0].find("does not name tensor 'x' and 1 more of its files") !=
          std::string::npos);
}

TEST_CASE("which weights, where there are several") {
    Files files = sharded();
    files["model.safetensors"] = weights({{"s", 1.0f}});
    CHECK(outcome(files, "") == "no error s");
    CHECK(outcome(files, "config.json") == "no error s");
    CHECK(outcome(files, "model.safetensors") == "no error s");
    CHECK(outcome(files, kIndex) == "no error a b c");
    CHECK(outcome(files, kPart1) == "no error a b c");
    files["other.safetensors"] = weights({{"o", 1.0f}});
    CHECK(outcome(files, "other.safetensors") ==
          "'DIR/other.safetensors' is none of the files that 'model.safetensors.index.json' names");
    files.erase(kIndex);
    CHECK(outcome(files, "other.safetensors") == "no error o");
    CHECK(outcome(files, kPart2)
              .find("is part 2 of 2, and the index of the parts, "
                    "'model.safetensors.index.json', is missing") != std::string::npos);
    files = sharded();
    files["model.fp16.safetensors.index.json"] = index_of({{"c", kPart2}});
    CHECK(outcome(files, "model.fp16.safetensors.index.json") == "no error c");
}

TEST_CASE("every file of a folder cut at every length") {
    const TempFolder folder;
    const Files files = sharded();
    write(folder, files);
    for (const auto& file : files) {
        const auto& name = file.first;
        const auto& text = file.second;
        for (std::size_t n = 0; n < text.size(); ++n) {
            CAPTURE(name);
            CAPTURE(n);
            test::write_file(folder.file("model/" + name), text.substr(0, n));
            const auto hub = HubFolder::open(folder.file("model"));
            const bool refused = name == "tokenizer.json" && hub ? !(*hub)->read_tokenizer() : !hub;
            CHECK(refused);
        }
        test::write_file(folder.file("model/" + name), text);
    }
    CHECK(HubFolder::open(folder.file("model")));
}

TEST_CASE("links, as download caches make them") {
    const TempFolder folder;
    write(folder, sharded());
    std::error_code failed;
    std::filesystem::create_directory(folder.path() / "snapshot");
    for (const auto& [name, text] : sharded()) {
        std::filesystem::create_symlink(folder.path() / "model" / name,
                                        folder.path() / "snapshot" / name, failed);
    }
    if (failed) {
        MESSAGE("the temporary folder takes no links: " << failed.message());
        return;
    }
    CHECK(HubFolder::open(folder.file("snapshot")));
    CHECK(HubFolder::open(folder.file("snapshot/" + kPart1)));
}

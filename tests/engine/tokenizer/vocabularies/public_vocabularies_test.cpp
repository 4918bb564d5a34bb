// SPDX-License-Identifier: Apache-2.0
// Vocabulary-only GGUF files that llama.cpp publishes, each with texts (.inp) and the ids that the
// models' own tokenizers give for them (.out). SOTTO_VOCABULARIES names the folder.
#include "tests/engine/tokenizer/vocabularies/gguf_vocabulary.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sotto;
using tokenizer::TokenId;

namespace {

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    REQUIRE_MESSAGE(in.good(), path);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> texts_of(const std::string& path) {
    const std::string all = read_file(path), between = "\n__ggml_vocab_test__\n";
    std::vector<std::string> texts;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = all.find(between, begin)) != std::string::npos;
         begin = end + between.size()) {
        texts.push_back(all.substr(begin, end - begin));
    }
    if (begin < all.size()) {
        texts.push_back(all.substr(begin));
    }
    return texts;
}

std::vector<std::vector<TokenId>> ids_of(const std::string& path) {
    std::istringstream in(read_file(path));
    std::vector<std::vector<TokenId>> lists;
    for (std::string line; std::getline(in, line);) {
        std::istringstream numbers(line);
        std::vector<TokenId>& ids = lists.emplace_back();
        for (TokenId id = 0; numbers >> id;) {
            ids.push_back(id);
        }
    }
    return lists;
}

/// Why a vocabulary is not supported, or "".
std::string compare(const std::string& path) {
    std::vector<std::string> warnings;
    const auto made = tokenizer::make_tokenizer(test::read_gguf_vocabulary(path), warnings);
    if (!made) {
        return made.error().message;
    }
    if (!std::filesystem::exists(path + ".inp")) {
        return "no pairs to compare with; " + (*made)->description();
    }
    const auto texts = texts_of(path + ".inp");
    const auto expected = ids_of(path + ".out");
    REQUIRE(texts.size() == expected.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::vector<TokenId> ids;
        (*made)->encode(texts[i], false, ids);
        CAPTURE(texts[i]);
        CHECK(ids == expected[i]);
        CHECK(tokenizer::decode(**made, ids, true) == texts[i]);
    }
    MESSAGE("passed: " << (*made)->description() << ", " << texts.size() << " texts");
    return {};
}

} // namespace

TEST_CASE("public vocabularies give the ids of the models' own tokenizers") {
    const char* folder = std::getenv("SOTTO_VOCABULARIES");
    REQUIRE_MESSAGE((folder && std::filesystem::is_directory(folder)),
                    "SOTTO_VOCABULARIES must name the folder (./dev test packages fetches it)");
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".gguf") {
            paths.push_back(entry.path().string());
        }
    }
    std::ranges::sort(paths);
    int n_passed = 0;
    for (const std::string& path : paths) {
        CAPTURE(path);
        const std::string reason = compare(path);
        n_passed += reason.empty() ? 1 : 0;
        if (!reason.empty()) {
            MESSAGE("not compared: " << std::filesystem::path(path).filename().string() << ": "
                                     << reason);
        }
    }
    CHECK(n_passed == 14);
}

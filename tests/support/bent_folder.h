// SPDX-License-Identifier: Apache-2.0
// A folder of tests/data/models to be bent: its settings changed, then opened.
#pragma once

#include "tests/support/temp_file.h"
#include "tests/support/tiny_reference.h"

#include <cstdint>
#include <cstring>
#include <iterator>

namespace sotto::test {

class BentFolder {
  public:
    explicit BentFolder(const std::string& family) {
        std::filesystem::copy(native_path(models_folder() + family + "/hub"), native_path(path()));
        config = read_json(path("config.json"));
        tokenizer = read_json(path("tokenizer.json"));
    }
    /// Of a file in it; "": its own.
    [[nodiscard]] std::string path(const std::string& name = "") const {
        return folder_.file("model" + (name.empty() ? "" : "/" + name));
    }
    /// Writes both down.
    const BentFolder& written() const {
        write_file(path("config.json"), config.dump());
        write_file(path("tokenizer.json"), tokenizer.dump());
        return *this;
    }

    /// Changes the header of model.safetensors and what comes after it.
    template <class Bend>
    void bend_weights(const Bend& bend) const {
        std::ifstream in(native_path(path("model.safetensors")), std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(in), {}};
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data(), sizeof length);
        auto header = nlohmann::json::parse(bytes.substr(sizeof length, length));
        std::string data = bytes.substr(sizeof length + length);
        bend(header, data);
        const std::string text = header.dump();
        length = text.size();
        bytes.assign(reinterpret_cast<const char*>(&length), sizeof length);
        write_file(path("model.safetensors"), bytes + text + data);
    }

    nlohmann::json config, tokenizer;

  private:
    TempFolder folder_;
};

} // namespace sotto::test

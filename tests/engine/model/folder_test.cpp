// SPDX-License-Identifier: Apache-2.0
// What only the model loader can know is wrong with a folder, and how it is told.
#include "engine/model/loaded_model.h"
#include "tests/support/bent_folder.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

using namespace sotto;
using namespace sotto::test;

namespace {

auto load(const std::string& path) {
    return model::LoadedModel::load(path, {}, kernels::kernel_table(kernels::Isa::scalar));
}

} // namespace

TEST_CASE("a tensor of a type that nothing computes with matters only where it is needed") {
    for (const bool is_needed : {false, true}) {
        BentFolder folder("llama");
        folder.bend_weights([&](nlohmann::json& header, std::string& data) {
            auto& entry = header[is_needed ? "model.norm.weight" : "notes.mask"];
            const std::size_t n = is_needed ? entry["shape"][0].get<std::size_t>() : 3;
            if (is_needed) { // its old bytes belong to another
                header["left.over"] = entry;
            }
            entry = {{"dtype", "F8_E4M3"},
                     {"shape", {n}},
                     {"data_offsets", {data.size(), data.size() + n}}};
            data += std::string(n, 'x');
        });
        const auto m = load(folder.path());
        CHECK(m.has_value() == !is_needed);
        CHECK((m || m.error().message.ends_with("'model.norm.weight' is stored as F8_E4M3, which "
                                                "is not supported: BF16, F16, F32 are")));
    }
}

TEST_CASE("what is wrong with a config.json names the file in its folder") {
    for (const auto& [key, value] : {std::pair("hidden_size", nlohmann::json("x")),
                                     {"hidden_size", nullptr},
                                     {"rope_theta", 0.5},
                                     {"hidden_act", "relu"},
                                     {"model_type", "x"},
                                     {"model_type", nullptr},
                                     {"rope_scaling", {{"type", "linear"}}},
                                     {"num_key_value_heads", 3}}) {
        BentFolder folder("llama");
        folder.config[key] = value;
        const auto m = load(folder.written().path());
        REQUIRE_FALSE(m.has_value());
        const std::string where = "'" + folder.path("config.json") + "': ";
        CHECK(m.error().message.starts_with(where));
        CHECK(m.error().message.find("config.json", where.size()) == std::string::npos);
    }
}

TEST_CASE("a file without its end says what to do") {
    const std::string bytes = tiny_model().build();
    const TempFile file(std::string_view(bytes).substr(0, bytes.size() / 2));
    CHECK(load(file.path()).error().message.ends_with("; the file is cut off: download it again"));
}

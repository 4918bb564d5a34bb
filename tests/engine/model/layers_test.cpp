// SPDX-License-Identifier: Apache-2.0
// What every layer of every architecture gives, against numpy: says which layer is wrong.
#include "engine/model/loaded_model.h"
#include "tests/support/bent_folder.h"
#include "tests/support/tiny_reference.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sotto;
using namespace sotto::test;

namespace {

void run(const model::StepOp& op) {
    for (std::int64_t chunk = 0; chunk < op.n_chunks; ++chunk) {
        op.run(op.context, op.argument, chunk, 0);
    }
}

/// The residual stream of the last position after each layer.
std::vector<std::vector<float>> layers_of(const model::LoadedModel& m,
                                          const std::vector<std::int32_t>& prompt) {
    const model::ModelConfig& c = m.config();
    const cache::KvShape shape = model::kv_shape(c, CacheType::F32);
    model::StepContext context(c, m.weights(), m.kernel(), shape);
    const int n = static_cast<int>(prompt.size());
    REQUIRE(context.resize(n).has_value());
    REQUIRE(context.set_workers(1).has_value());
    cache::KvPool pool(shape, 1 << 28);
    cache::KvSequence kv(pool);
    REQUIRE(kv.reserve(0, n).has_value());
    std::vector<model::BatchRow> rows;
    for (int i = 0; i < n; ++i) {
        rows.push_back({prompt[static_cast<std::size_t>(i)], i, &kv, i == n - 1});
    }
    REQUIRE(context.begin(rows).has_value());
    model::StepPlan plan;
    m.architecture().plan(context, plan);
    const std::size_t per_layer = (plan.size() - 3) / static_cast<std::size_t>(c.n_layer);
    REQUIRE(plan.size() == 3 + per_layer * static_cast<std::size_t>(c.n_layer));
    std::vector<std::vector<float>> layers;
    for (std::size_t i = 0; i < plan.size() - 2; ++i) { // less the output's norm and product
        run(plan[i]);
        if (i > 0 && i % per_layer == 0) {
            layers.emplace_back(context.x.row(n - 1), context.x.row(n - 1) + c.n_embd);
        }
    }
    return layers;
}

/// The tiny Gemma as a model for images and text keeps it.
void add_images(BentFolder& folder, const std::string& prefix) {
    const std::string instead_of = "model.";
    folder.bend_weights([&](nlohmann::json& header, std::string& data) {
        nlohmann::json renamed;
        for (const auto& [name, entry] : header.items()) {
            const bool is_tensor = name.starts_with(instead_of);
            renamed[is_tensor ? prefix + name.substr(instead_of.size()) : name] = entry;
        }
        for (const char* name : {"vision_tower.a.weight", "multi_modal_projector.b.weight"}) {
            renamed[name] = {
                {"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {data.size(), data.size() + 4}}};
            data += std::string(4, '\0');
        }
        header = renamed;
    });
    const nlohmann::json text = folder.config;
    folder.config = {{"model_type", "gemma3"},
                     {"architectures", {"Gemma3ForConditionalGeneration"}},
                     {"eos_token_id", text["eos_token_id"]},
                     {"text_config", text},
                     {"vision_config", {{"model_type", "siglip_vision_model"}}}};
    folder.written();
}

} // namespace

TEST_CASE("every layer of every architecture gives numpy's output") {
    for (const std::string family : kFamilies) {
        CAPTURE(family);
        const TinyReference reference = tiny_reference(family);
        const auto loaded = model::LoadedModel::load(models_folder() + family + "/f32.gguf", {},
                                                     kernels::kernel_table(kernels::Isa::scalar));
        REQUIRE_MESSAGE(loaded.has_value(), loaded.error().message);
        const auto layers = layers_of(**loaded, reference.prompt);
        REQUIRE(layers.size() == reference.layers.size());
        for (std::size_t i = 0; i < layers.size(); ++i) {
            CAPTURE(i);
            CHECK(cosine(layers[i], reference.layers[i]) > 0.999999);
            CHECK(largest_difference(layers[i], reference.layers[i]) < 1e-3f);
        }
    }
}

TEST_CASE("the text part of a Gemma for images and text is read, its image part told") {
    const auto& table = kernels::kernel_table(kernels::Isa::scalar);
    const auto plain = model::LoadedModel::load(models_folder() + "gemma3/hub", {}, table);
    REQUIRE(plain.has_value());
    const auto prompt = tiny_reference("gemma3").prompt;
    for (const std::string prefix : {"language_model.model.", "model.language_model."}) {
        CAPTURE(prefix);
        BentFolder folder("gemma3");
        add_images(folder, prefix);
        const auto m = model::LoadedModel::load(folder.path(), {}, table);
        REQUIRE_MESSAGE(m.has_value(), m.error().message);
        CHECK(layers_of(**m, prompt) == layers_of(**plain, prompt));
        CHECK((*m)->info().architecture == "gemma3");
        const auto& warnings = (*m)->info().warnings;
        CHECK(warnings.size() == (*plain)->info().warnings.size() + 1);
        CHECK(std::ranges::count(warnings,
                                 "The image part of the model (2 tensors) is not read.") == 1);
    }
}

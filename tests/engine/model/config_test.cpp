// SPDX-License-Identifier: Apache-2.0
// What keys of files and of config.json come to. Divisors: transformers' rope_utils.
#include "engine/model/gguf_config.h"
#include "engine/model/hub_config.h"
#include "engine/model/registry.h"
#include "engine/model/rope_scaling.h"
#include "tests/support/temp_file.h"
#include "tests/support/tiny_model.h"

#include <doctest/doctest.h>

#include <functional>

using namespace sotto;
using namespace sotto::test;
using model::LayerConfig;
using model::ModelConfig;

namespace {

Result<ModelConfig> of_gguf(const std::function<void(GgufWriter&)>& bend) {
    GgufWriter w = tiny_model();
    bend(w);
    const TempFile file(w.build());
    auto opened = formats::GgufFile::open(file.path());
    REQUIRE(opened.has_value());
    std::vector<std::string> warnings;
    return model::read_gguf_config(**opened, warnings);
}

/// The tiny model's keys under the name of another architecture.
void rename_keys(GgufWriter& w, const std::string& architecture, std::uint32_t n_layer) {
    w.set("general.architecture", architecture);
    const std::string p = architecture + ".";
    w.put(p + "block_count", n_layer).put(p + "embedding_length", std::uint32_t{256});
    w.put(p + "feed_forward_length", std::uint32_t{512});
    w.put(p + "context_length", std::uint32_t{512});
    w.put(p + "attention.head_count", std::uint32_t{4});
    w.put(p + "attention.head_count_kv", std::uint32_t{2});
    w.put(p + "attention.layer_norm_rms_epsilon", 1e-6f);
}

Result<ModelConfig> of_hub(const std::string& type, const std::string& more) {
    const auto document = json::Document::parse(R"({"model_type": ")" + type +
                                                (more.find("num_hidden_layers") == std::string::npos
                                                     ? R"(", "num_hidden_layers": 12)"
                                                     : R"(")") +
                                                R"(, "hidden_size": 64, "intermediate_size": 96,
            "max_position_embeddings": 4096, "num_attention_heads": 4, "rms_norm_eps": 1e-6)" +
                                                (more.empty() ? "" : ", " + more) + "}");
    REQUIRE(document.has_value());
    std::vector<std::string> warnings;
    return model::read_hub_config(formats::HubConfig(document->root(), "config.json"), warnings);
}

std::string letters(const ModelConfig& c, const std::function<bool(const LayerConfig&)>& is) {
    std::string text;
    for (const LayerConfig& layer : c.layers) {
        text += is(layer) ? 'x' : '.';
    }
    return text;
}
std::string windows(const ModelConfig& c) {
    return letters(c, [](const LayerConfig& l) { return l.window > 0; });
}
std::string rotating(const ModelConfig& c) {
    return letters(c, [](const LayerConfig& l) { return l.rope; });
}

} // namespace

TEST_CASE("Gemma 3 files: pattern and local base are known where no key gives them") {
    const auto plain = of_gguf([](GgufWriter& w) {
        rename_keys(w, "gemma3", 12);
        w.put("gemma3.attention.sliding_window", std::uint32_t{512});
    });
    REQUIRE_MESSAGE(plain.has_value(), plain.error().message);
    CHECK(windows(*plain) == "xxxxx.xxxxx.");
    CHECK(plain->layers[0].window == 512);
    CHECK(plain->rope_freq_base_local == 10000.0);
    CHECK(plain->embd_scale == 16.0f);
    const auto listed = of_gguf([](GgufWriter& w) {
        rename_keys(w, "gemma3", 4);
        w.put("gemma3.attention.sliding_window", std::uint32_t{512});
        w.put("gemma3.attention.sliding_window_pattern",
              std::vector<bool>{true, false, false, true});
        w.put("gemma3.rope.freq_base_swa", 5000.0f);
    });
    REQUIRE_MESSAGE(listed.has_value(), listed.error().message);
    CHECK(windows(*listed) == "x..x");
    CHECK(listed->rope_freq_base_local == 5000.0);
    const auto period = of_gguf([](GgufWriter& w) {
        rename_keys(w, "gemma3", 4);
        w.put("gemma3.attention.sliding_window_pattern", std::uint32_t{2});
    });
    CHECK(windows(*period) == "x.x.");
    const auto large = of_gguf([](GgufWriter& w) { rename_keys(w, "gemma3", 62); });
    CHECK(large->attn_scale == doctest::Approx(1 / std::sqrt(256.0 / 4)));
}

TEST_CASE("Gemma 3 folders: pattern, kinds of layer, bases of either spelling") {
    CHECK(windows(*of_hub("gemma3_text", "")) == "xxxxx.xxxxx.");
    CHECK(windows(*of_hub("gemma3_text", R"("sliding_window_pattern": 3)")) == "xx.xx.xx.xx.");
    const auto typed = of_hub("gemma3_text",
                              R"("num_hidden_layers": 2,
           "layer_types": ["full_attention", "sliding_attention"], "sliding_window": 7,
           "rope_parameters": {"full_attention": {"rope_theta": 1e6, "rope_type": "linear",
           "factor": 8.0}, "sliding_attention": {"rope_theta": 20000.0, "rope_type": "default"}})");
    REQUIRE_MESSAGE(typed.has_value(), typed.error().message);
    CHECK(windows(*typed) == ".x");
    CHECK(typed->layers[1].window == 7);
    CHECK(typed->rope_freq_base == 1e6);
    CHECK(typed->rope_freq_base_local == 20000.0);
    CHECK(model::rope_divisors(*typed) == std::vector<float>(8, 8.0f));
    CHECK(of_hub("gemma3_text", R"("query_pre_attn_scalar": 256)")->attn_scale == 1 / 16.0f);
}

TEST_CASE("Gemma 3 for images and text: text_config, filled in with the format's own defaults") {
    const auto read = [](const std::string& text, std::vector<std::string>& warnings) {
        const auto document = json::Document::parse(text);
        REQUIRE(document.has_value());
        return model::read_hub_config(formats::HubConfig(document->root(), "config.json"),
                                      warnings);
    };
    std::vector<std::string> warnings;
    // As the official folders of 4B and 27B have it.
    const auto small = read(R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560,
        "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024},
        "vision_config": {"hidden_size": 1152}})",
                            warnings);
    REQUIRE_MESSAGE(small.has_value(), small.error().message);
    CHECK(small->n_layer == 34);
    CHECK(small->n_head == 8);
    CHECK(small->n_head_kv == 4);
    CHECK(small->head_dim == 256);
    CHECK(small->n_ctx_train == 131072);
    CHECK(small->layers[0].window == 1024);
    CHECK(windows(*small).substr(0, 12) == "xxxxx.xxxxx.");
    CHECK(small->rope_freq_base == 1e6);
    CHECK(small->rope_freq_base_local == 1e4);
    CHECK(small->rope_scaling.factor == 8.0);
    CHECK(small->attn_scale == 1 / 16.0f);
    CHECK(small->norm_rms_eps == 1e-6f);
    CHECK(small->tied == true);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("num_attention_heads, num_key_value_heads, head_dim,") !=
          std::string::npos);
    CHECK(warnings[0].find("sliding_window") == std::string::npos);
    const auto large = read(R"({"model_type": "gemma3", "text_config": {"head_dim": 128,
        "hidden_size": 5376, "intermediate_size": 21504, "model_type": "gemma3_text",
        "num_attention_heads": 32, "num_hidden_layers": 62, "num_key_value_heads": 16,
        "query_pre_attn_scalar": 168, "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
        "sliding_window": 1024}})",
                            warnings);
    REQUIRE_MESSAGE(large.has_value(), large.error().message);
    CHECK(large->n_head_kv == 16);
    CHECK(large->attn_scale == doctest::Approx(1 / std::sqrt(168.0)));
    // What has no default of a released model must be there, and is named with its object.
    const auto bare = read(R"({"model_type": "gemma3"})", warnings);
    CHECK(bare.error().message.find("'text_config' is missing") != std::string::npos);
    const auto other =
        read(R"({"model_type": "gemma3", "text_config": {"model_type": "x"}})", warnings);
    CHECK(other.error().message.find("'x' is not supported") != std::string::npos);
    const auto empty = read(R"({"model_type": "gemma3", "text_config": {}})", warnings);
    CHECK(empty.error().message.find("num_hidden_layers") != std::string::npos);
    // A model for text alone is filled in nowhere.
    CHECK(of_hub("gemma3_text", "")->head_dim == 16);
}

TEST_CASE("SmolLM3: every fourth layer does not rotate, or those a folder lists") {
    const auto file = of_gguf([](GgufWriter& w) { rename_keys(w, "smollm3", 9); });
    CHECK(rotating(*file) == "xxx.xxx.x");
    CHECK(rotating(*of_hub("smollm3", "")) == "xxx.xxx.xxx.");
    CHECK(rotating(*of_hub("smollm3", R"("no_rope_layer_interval": 3)")) == "xx.xx.xx.xx.");
    CHECK(rotating(*of_hub("smollm3", R"("no_rope_layers": [0,1,1,1,1,1,1,1,1,1,1,0])")) ==
          ".xxxxxxxxxx.");
}

TEST_CASE("windows of Mistral and Qwen2") {
    CHECK(windows(*of_hub("mistral", R"("sliding_window": 4096)")) == "xxxxxxxxxxxx");
    CHECK(windows(*of_hub("mistral", R"("sliding_window": null)")) == "............");
    CHECK(windows(*of_hub("qwen2", R"("sliding_window": 4096, "max_window_layers": 4)")) ==
          "............");
    CHECK(windows(*of_hub("qwen2", R"("use_sliding_window": true, "sliding_window": 4096,
                                      "max_window_layers": 4)")) == "....xxxxxxxx");
}

TEST_CASE("divisors of llama3 and yarn scaling are transformers'") {
    const auto llama3 = of_hub("llama", R"("head_dim": 32, "rope_theta": 500000.0,
        "rope_scaling": {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})");
    REQUIRE_MESSAGE(llama3.has_value(), llama3.error().message);
    const std::vector<double> expected = {1,        1,  1,  1,  1,  1,  1,  1,
                                          3.292263, 32, 32, 32, 32, 32, 32, 32};
    const std::vector<float> divisors = model::rope_divisors(*llama3);
    REQUIRE(divisors.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(static_cast<double>(divisors[i]) == doctest::Approx(expected[i]).epsilon(1e-6));
    }
    const auto yarn = of_hub("qwen2", R"("head_dim": 32, "rope_theta": 1000000.0,
        "rope_scaling": {"type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32768})");
    REQUIRE_MESSAGE(yarn.has_value(), yarn.error().message);
    const std::vector<double> by_yarn = {1,        1,   1, 1, 1, 1, 1.176471, 1.428571,
                                         1.818182, 2.5, 4, 4, 4, 4, 4,        4};
    const std::vector<float> ours = model::rope_divisors(*yarn);
    for (std::size_t i = 0; i < by_yarn.size(); ++i) {
        CHECK(static_cast<double>(ours[i]) == doctest::Approx(by_yarn[i]).epsilon(1e-6));
    }
    CHECK(model::rope_magnitude(yarn->rope_scaling) == doctest::Approx(1.138629436111989));
}

TEST_CASE("what would change results and is not computed is refused by its key") {
    struct Case {
        const char* type;
        const char* more;
        const char* part;
    };
    const Case cases[] = {
        {"llama", R"("mlp_bias": true)", "mlp_bias"},
        {"llama", R"("attention_bias": true)", "attention_bias"},
        {"llama", R"("partial_rotary_factor": 0.5)", "partial_rotary_factor"},
        {"llama", R"("rope_scaling": {"rope_type": "longrope", "factor": 2})", "longrope"},
        {"llama", R"("rope_scaling": {"rope_type": "llama3", "factor": 2})", "low_freq_factor"},
        {"llama", R"("rope_scaling": "yes")", "rope_scaling"},
        {"gemma3_text", R"("final_logit_softcapping": 30.0)", "final_logit_softcapping"},
        {"smollm3", R"("use_sliding_window": true)", "use_sliding_window"},
        {"smollm3", R"("no_rope_layers": [1, 0])", "no_rope_layers"},
        {"mixtral", "", "'mixtral' is not supported; known are: llama, mistral, smollm3"},
        {"llama", R"("rope_scaling": {"rope_type": "longrope", "long_factor": [1]})",
         "rope scaling 'longrope' is not supported"},
        {"llama", R"("rope_theta": 0.5)", "'rope_theta' is 0.5, outside 1 to 1e+15"},
        {"llama", R"("num_key_value_heads": 3)", "cannot share 3"},
        {"llama", R"("head_dim": 7)", "7 dimensions"},
        {"qwen2", R"("hidden_act": "gelu")",
         "key 'hidden_act' is 'gelu'; this architecture is computed with 'silu'"},
        {"llama", R"("hidden_act": "relu")", "'relu'; this architecture"},
        {"smollm3", R"("hidden_activation": "gelu_pytorch_tanh")", "'hidden_activation' is"},
        {"gemma3_text", R"("hidden_activation": "gelu")", "computed with 'gelu_pytorch_tanh'"},
        {"gemma3_text", R"("hidden_act": "silu")", "computed with 'gelu_pytorch_tanh'"},
        {"qwen3", R"("num_hidden_layers": 2,
         "layer_types": ["full_attention", "linear_attention"])",
         "key 'layer_types' names 'linear_attention', which is not supported"},
        {"qwen3", R"("layer_types": ["full_attention"])", "has 1 values for 12 layers"},
        {"gemma3_text", R"("layer_types": ["full_attention"])", "has 1 values for 12 layers"},
        {"qwen3", R"("num_hidden_layers": 2, "sliding_window": 8,
         "layer_types": ["full_attention", "sliding_attention"])",
         "has layer 1 as 'sliding_attention', the keys of the sliding window say otherwise"},
        {"llama", R"("num_local_experts": 8)", "a mixture of experts (8) is not supported"},
        {"qwen3", R"("num_experts": 128)", "a mixture of experts (128) is not supported"},
        {"llama", R"("logit_scale": 0.1)", "key 'logit_scale' is 0.1, which is not supported"},
        {"llama", R"("embedding_multiplier": 12)", "'embedding_multiplier' is 12,"},
        {"llama", R"("residual_multiplier": 0.22)", "'residual_multiplier' is 0.22,"},
        {"llama", R"("attention_multiplier": 0.0078125)", "'attention_multiplier'"},
        {"llama", R"("logits_scaling": 8)", "'logits_scaling'"},
        {"llama", R"("quantization_config": {"quant_method": "gptq", "bits": 4})",
         "the folder is quantised with 'gptq', which is not supported: weights in BF16, F16 or F32 "
         "are needed; or open a GGUF file of it"},
        {"qwen2", R"("quantization_config": {"load_in_8bit": true})", "a method it does not name"},
    };
    for (const Case& c : cases) {
        CAPTURE(std::string(c.more));
        const auto config = of_hub(c.type, c.more);
        REQUIRE_FALSE(config.has_value());
        CHECK_MESSAGE(config.error().message.find(c.part) != std::string::npos,
                      config.error().message);
    }
}

TEST_CASE("what says what is computed anyway is no reason to refuse") {
    for (const auto& [type, more] : {
             std::pair("llama", R"("hidden_act": "silu", "num_local_experts": 0)"),
             {"llama", R"("hidden_act": "swish", "logit_scale": 1.0, "num_experts": null)"},
             {"gemma3_text", R"("hidden_activation": "gelu_pytorch_tanh", "hidden_act": null)"},
             {"llama", R"("quantization_config": null, "residual_multiplier": 1)"},
             {"qwen3", R"("num_hidden_layers": 2,
              "layer_types": ["full_attention", "full_attention"])"},
         }) {
        const auto config = of_hub(type, more);
        CHECK_MESSAGE(config.has_value(), config.error().message);
    }
    CHECK(windows(*of_hub("qwen2", R"("num_hidden_layers": 3, "use_sliding_window": true,
        "sliding_window": 8, "max_window_layers": 0,
        "layer_types": ["full_attention", "sliding_attention", "full_attention"])")) == ".x.");
}

TEST_CASE("keys of files that change results and are not computed are refused") {
    struct Case {
        const char* key;
        float value;
        const char* part;
    };
    const Case cases[] = {
        {"llama.logit_scale", 0.5f, "key 'llama.logit_scale' is 0.5, which is not supported"},
        {"llama.embedding_scale", 12.0f, "'llama.embedding_scale' is 12"},
        {"llama.residual_scale", 0.25f, "'llama.residual_scale' is 0.25"},
        {"llama.attention.scale", 0.5f, "'llama.attention.scale' is 0.5, which is not supported"},
        {"llama.attn_logit_softcapping", 50.0f, "'llama.attn_logit_softcapping' is set"},
        {"llama.final_logit_softcapping", 1.0f, "'llama.final_logit_softcapping' is set"},
    };
    for (const Case& c : cases) {
        const auto bent = of_gguf([&](GgufWriter& w) { w.put(c.key, c.value); });
        REQUIRE_FALSE(bent.has_value());
        CHECK_MESSAGE(bent.error().message.find(c.part) != std::string::npos, bent.error().message);
    }
    const auto experts =
        of_gguf([](GgufWriter& w) { w.put("llama.expert_count", std::uint32_t{8}); });
    CHECK(experts.error().message ==
          "key 'llama.expert_count' is set: a mixture of experts (8) is not supported");
    const auto fine = of_gguf([](GgufWriter& w) {
        w.put("llama.expert_count", std::uint32_t{0}).put("llama.logit_scale", 1.0f);
        w.put("llama.residual_scale", 0.0f).put("llama.attention.scale", 0.125f);
    });
    CHECK_MESSAGE(fine.has_value(), fine.error().message);
}

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/loaded_model.h"

#include "engine/base/memory.h"
#include "engine/cache/kv_cache.h"
#include "engine/model/vocabulary.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

namespace sotto::model {
namespace {

/// "dir/SmolLM2-135M-Instruct.Q4_1.gguf" is "SmolLM2-135M-Instruct": people know their files by
/// name, while general.name is whatever the converter was told, often a training run's label.
std::string display_name(const std::string& path) {
    const std::u8string stem =
        std::filesystem::path(std::u8string(path.begin(), path.end())).stem().u8string();
    std::string name(stem.begin(), stem.end());
    const std::size_t cut = name.find_last_of(".-");
    if (cut == std::string::npos || cut == 0) {
        return name;
    }
    std::string type = name.substr(cut + 1);
    std::ranges::transform(type, type.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    });
    const bool is_type = (type.size() >= 2 && (type[0] == 'Q' || type[0] == 'F') &&
                          type[1] >= '1' && type[1] <= '9') ||
                         type.starts_with("IQ") || type == "BF16";
    return is_type ? name.substr(0, cut) : name;
}

} // namespace

Result<std::shared_ptr<const LoadedModel>> LoadedModel::load(const std::string& path,
                                                             const LoadOptions& options,
                                                             const kernels::KernelTable& kernel) {
    const auto start = std::chrono::steady_clock::now();
    auto file = formats::GgufFile::open(path);
    if (!file) {
        return std::move(file).error();
    }
    std::shared_ptr<LoadedModel> model(new LoadedModel);
    model->kernel_ = &kernel;
    if (auto done = model->read(**file, options); !done) {
        return std::move(done).error();
    }
    model->info_.load_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return std::shared_ptr<const LoadedModel>(std::move(model));
}

Result<void> LoadedModel::read(const formats::GgufFile& file, const LoadOptions& options) {
    auto architecture = file.get_string("general.architecture");
    if (!architecture) {
        return std::move(architecture).error();
    }
    if (*architecture) {
        architecture_ = find_architecture(**architecture);
        if (!architecture_) {
            return Error{ErrorCode::unsupported,
                         "architecture '" + **architecture +
                             "' is not supported; known are: " + known_architectures()};
        }
    }
    auto config = read_config(file, info_.warnings);
    if (!config) {
        return std::move(config).error();
    }
    config_ = *std::move(config);
    architecture_->adjust(config_);
    if (auto done = read_tokenizer(file); !done) {
        return done;
    }
    WeightLoader loader(file);
    architecture_->bind(config_, loader, weights_);
    LoadControl control;
    // More loaders than cores gain nothing.
    control.n_threads =
        options.n_threads > 0 ? std::min(options.n_threads, usable_cores()) : usable_cores();
    control.cancelled = [token = options.cancel] { return token.cancelled(); };
    control.on_progress = options.on_progress;
    if (auto done = loader.load(control); !done) {
        return done;
    }
    info_.weight_bytes = loader.packed_bytes();
    read_template(file);
    describe(file);
    return {};
}

Result<void> LoadedModel::read_tokenizer(const formats::GgufFile& file) {
    auto vocabulary = read_vocabulary(file);
    if (!vocabulary) {
        return std::move(vocabulary).error();
    }
    const auto n_tokens = static_cast<std::int64_t>(vocabulary->tokens.size());
    auto tokenizer = tokenizer::make_tokenizer(*std::move(vocabulary), info_.warnings);
    if (!tokenizer) {
        return std::move(tokenizer).error();
    }
    tokenizer_ = *std::move(tokenizer);
    // The embedding table says how many rows there are: padding rows beyond the tokens are usual,
    // fewer are not.
    const formats::GgufTensor* embd = file.find_tensor("token_embd.weight");
    if (!embd) {
        return Error{ErrorCode::bad_file, "tensor 'token_embd.weight' is missing"};
    }
    const std::int64_t n_rows = embd->shape.size() == 2 ? embd->shape[1] : 0;
    if (n_rows < n_tokens || n_rows > (1 << 24)) {
        return Error{ErrorCode::bad_file, "tensor 'token_embd.weight' has " +
                                              std::to_string(n_rows) + " rows for " +
                                              std::to_string(n_tokens) + " tokens"};
    }
    config_.n_vocab = static_cast<int>(n_rows);
    return {};
}

void LoadedModel::read_template(const formats::GgufFile& file) {
    std::string source;
    auto text = file.get_string("tokenizer.chat_template");
    if (text && *text) {
        source = **text;
    }
    template_ = chat::make_chat_template(source, *tokenizer_, no_template_);
    if (template_ && !no_template_.empty()) {
        info_.warnings.push_back(no_template_);
    }
}

void LoadedModel::describe(const formats::GgufFile& file) {
    ModelInfo& i = info_;
    i.path = file.path();
    i.name = display_name(file.path());
    i.architecture = config_.architecture;
    i.tokenizer = tokenizer_->description();
    i.chat_template = template_ ? std::string(template_->name()) : "none: " + no_template_;
    for (const auto& [key, value] : file.metadata()) {
        std::string type = formats::gguf_type_name(value.type);
        if (value.type == formats::GgufType::array) {
            type = "array of " + std::string(formats::gguf_type_name(value.element_type));
        }
        i.metadata.push_back({key, std::move(type), file.value_text(value, 120)});
    }
    std::map<std::string, TensorTypeCount> types;
    for (const formats::GgufTensor& t : file.tensors()) {
        TensorTypeCount& count = types[formats::ggml_type_name(t.ggml_type)];
        count.type = formats::ggml_type_name(t.ggml_type);
        ++count.n_tensors;
        count.n_bytes += static_cast<std::int64_t>(t.n_bytes);
        i.n_parameters += t.n_elements();
    }
    for (const auto& [name, count] : types) {
        i.tensor_types.push_back(count);
    }
    std::ranges::sort(i.tensor_types, std::ranges::greater{}, &TensorTypeCount::n_bytes);
    i.quantization = i.tensor_types.empty() ? "" : i.tensor_types.front().type;
    i.file_bytes = static_cast<std::int64_t>(file.file_bytes());
    i.kv_bytes_per_token = static_cast<std::int64_t>(
        cache::KvShape{config_.n_layer, config_.n_head_kv, config_.head_dim, kernels::KvType::F16}
            .bytes_per_token());
    i.n_vocab = config_.n_vocab;
    i.n_ctx_train = config_.n_ctx_train;
    i.n_layer = config_.n_layer;
    i.n_embd = config_.n_embd;
    i.n_head = config_.n_head;
    i.n_head_kv = config_.n_head_kv;
    i.head_dim = config_.head_dim;
    i.n_ff = config_.n_ff;
}

std::vector<TokenId> LoadedModel::tokenize(std::string_view text, bool add_bos,
                                           bool parse_special) const {
    std::vector<TokenId> ids;
    if (add_bos && adds_bos()) {
        ids.push_back(bos_token());
    }
    tokenizer_->encode(text, parse_special, ids);
    return ids;
}

std::string LoadedModel::token_bytes(TokenId id, bool special) const {
    return tokenizer_->token_bytes(id, special);
}

Result<RenderedChat> LoadedModel::render_chat(std::span<const ChatMessage> messages,
                                              bool add_generation_prompt) const {
    if (!template_) {
        return Error{ErrorCode::unsupported,
                     "the model has no chat template that can be run: " + no_template_};
    }
    std::vector<chat::Message> views;
    views.reserve(messages.size());
    for (const ChatMessage& m : messages) {
        views.push_back({m.role, m.content});
    }
    auto pieces = template_->render(views, add_generation_prompt);
    if (!pieces) {
        return std::move(pieces).error();
    }
    return RenderedChat{chat::join(*pieces), chat::tokenize(*pieces, *tokenizer_)};
}

} // namespace sotto::model

// SPDX-License-Identifier: Apache-2.0
#include "engine/model/loaded_model.h"

#include "engine/base/memory.h"
#include "engine/base/message.h"
#include "engine/model/describe.h"
#include "engine/model/hub_text_part.h"
#include "engine/model/rope_scaling.h"

#include <algorithm>
#include <chrono>

namespace sotto::model {

Result<std::shared_ptr<const LoadedModel>> LoadedModel::load(const std::string& path,
                                                             const LoadOptions& options,
                                                             const kernels::KernelTable& kernel) {
    const auto start = std::chrono::steady_clock::now();
    auto source = open_model_source(path);
    if (!source) {
        return std::move(source).error();
    }
    std::shared_ptr<LoadedModel> model(new LoadedModel);
    model->kernel_ = &kernel;
    if (auto done = model->read(**source); !done) {
        return std::move(done).error();
    }
    WeightLoader loader = model->loader_of(**source);
    if (auto done = model->read_weights(loader, options); !done) {
        return std::move(done).error();
    }
    model->info_.load_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return std::shared_ptr<const LoadedModel>(std::move(model));
}

Result<ModelInfo> LoadedModel::describe(const std::string& path) {
    auto source = open_model_source(path);
    if (!source) {
        return std::move(source).error();
    }
    LoadedModel model;
    if (auto done = model.read(**source); !done) {
        return std::move(done).error();
    }
    WeightLoader loader = model.loader_of(**source);
    if (auto done = model.bind(loader); !done) {
        return std::move(done).error();
    }
    return std::move(model.info_);
}

WeightLoader LoadedModel::loader_of(const ModelSource& source) const {
    return {source.tensors(),
            [this, &source](std::string_view name) { return source.stored_as(name, config_); }};
}

Result<void> LoadedModel::read(const ModelSource& source) {
    auto config = source.config(info_.warnings);
    if (!config) {
        return std::move(config).error();
    }
    config_ = *std::move(config);
    architecture_ = find_architecture(config_.architecture);
    if (auto done = count_rows(source); !done) {
        return done;
    }
    auto tokenizer = source.tokenizer(static_cast<std::size_t>(config_.n_vocab), info_.warnings);
    if (!tokenizer) {
        return std::move(tokenizer).error();
    }
    tokenizer_ = *std::move(tokenizer);
    count_tokens();
    templates_ = chat::TemplateSet(source.chat_templates(), *tokenizer_);
    templates_.describe(info_);
    model::describe(source, config_, info_);
    info_.tokenizer = tokenizer_->description();
    return {};
}

void LoadedModel::count_tokens() {
    const tokenizer::Vocabulary& v = tokenizer_->vocabulary();
    n_tokens_ = static_cast<int>(v.tokens.size());
    const auto is_padding = [&v](int id) {
        const auto i = static_cast<std::size_t>(id);
        return i < v.types.size() &&
               v.types[i] == static_cast<std::int32_t>(tokenizer::TokenType::unused) &&
               v.tokens[i] == "[PAD" + std::to_string(id) + "]";
    };
    while (n_tokens_ > 1 && is_padding(n_tokens_ - 1)) {
        --n_tokens_;
    }
}

/// The embedding table says how many rows there are: padding rows beyond the tokens are usual.
Result<void> LoadedModel::count_rows(const ModelSource& source) {
    const std::string name = source.stored_as("token_embd.weight", config_).name;
    const formats::StoredTensor* embd = source.tensors().find_tensor(name);
    if (!embd) {
        return Error{ErrorCode::bad_file, "tensor '" + name + "' is missing"};
    }
    const std::int64_t n_rows = embd->shape.size() == 2 ? embd->shape[1] : 0;
    if (n_rows < 1 || n_rows > (1 << 24)) {
        return Error{ErrorCode::bad_file,
                     "tensor '" + name + "' is no table of 1 to 16777216 rows, one for each token"};
    }
    if (config_.n_vocab > n_rows) {
        info_.warnings.push_back("The model's settings say vocab_size " +
                                 std::to_string(config_.n_vocab) + ", the embedding table has " +
                                 std::to_string(n_rows) + " rows; the rows count.");
    }
    config_.n_vocab = static_cast<int>(n_rows);
    return {};
}

/// Names what the model needs; tells how much it is and what is left over.
Result<void> LoadedModel::bind(WeightLoader& loader) {
    architecture_->bind(config_, loader, weights_);
    if (auto done = loader.check(); !done) {
        return done;
    }
    info_.weight_bytes = loader.packed_bytes();
    count_work();
    tell_unused(loader.unused());
    return {};
}

/// What a token costs, for benchmarks.
void LoadedModel::count_work() {
    const auto bytes_of = [](const Matrix& m) {
        return m.n_rows * static_cast<std::int64_t>(kernels::source_row_bytes(m.type, m.n_cols));
    };
    info_.bytes_per_token = bytes_of(weights_.output_matrix());
    info_.products_per_token = 0;
    weights_.for_each_layer_matrix([&](const Matrix& m) {
        info_.bytes_per_token += bytes_of(m);
        info_.products_per_token += m.n_rows * m.n_cols;
    });
}

Result<void> LoadedModel::read_weights(WeightLoader& loader, const LoadOptions& options) {
    if (auto done = bind(loader); !done) {
        return done;
    }
    LoadControl control;
    // More loaders than cores gain nothing.
    control.n_threads =
        options.n_threads > 0 ? std::min(options.n_threads, usable_cores()) : usable_cores();
    control.cancelled = [token = options.cancel] { return token.cancelled(); };
    control.on_progress = options.on_progress;
    if (auto done = loader.load(control, weights_.memory); !done) {
        return done;
    }
    scale_rope();
    return {};
}

/// Puts the config's scaling into the divisors, beside those that the weights may bring.
void LoadedModel::scale_rope() {
    const std::vector<float> divisors = rope_divisors(config_);
    if (weights_.rope_freqs.empty()) {
        weights_.rope_freqs = divisors;
    } else {
        for (std::size_t i = 0; i < divisors.size(); ++i) {
            weights_.rope_freqs[i] *= divisors[i];
        }
    }
    const double magnitude = rope_magnitude(config_.rope_scaling);
    config_.attn_scale *= static_cast<float>(magnitude * magnitude);
}

void LoadedModel::tell_unused(std::vector<std::string> names) {
    if (const std::size_t n = std::erase_if(names, is_image_tensor); n > 0) {
        info_.warnings.push_back("The image part of the model (" + message::counted(n, "tensor") +
                                 ") is not read.");
    }
    if (!names.empty()) {
        info_.warnings.push_back(
            std::to_string(names.size()) +
            (names.size() == 1 ? " tensor of the model is" : " tensors of the model are") +
            " not used, the first is '" + names.front() + "'.");
    }
}

std::vector<TokenId> LoadedModel::tokenize(std::string_view text, bool add_bos,
                                           bool parse_special) const {
    std::vector<TokenId> ids;
    if (add_bos && adds_bos()) {
        ids.push_back(bos_token());
    }
    tokenizer_->encode(text, parse_special, ids);
    if (add_bos && adds_bos() && ids.size() > 1 && ids[1] == bos_token()) {
        ids.erase(ids.begin()); // the text begins with it: a rendered chat, say
    }
    return ids;
}

std::string LoadedModel::token_bytes(TokenId id, bool special) const {
    return tokenizer_->token_bytes(id, special);
}

Result<RenderedChat> LoadedModel::render_chat(std::span<const ChatMessage> messages,
                                              const ChatOptions& options) const {
    auto chat = templates_.render(messages, options);
    if (!chat) {
        return std::move(chat).error();
    }
    RenderedChat rendered;
    rendered.tokens = chat::tokenize(*chat, *tokenizer_);
    rendered.thinking_open =
        options.add_generation_prompt && chat::ends_in_thought(chat->text, info_.thinking);
    rendered.text = std::move(chat->text);
    rendered.notice = std::move(chat->notice);
    return rendered;
}

} // namespace sotto::model

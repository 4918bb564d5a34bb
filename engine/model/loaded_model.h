// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/fast_hash.h"
#include "engine/engine.h"
#include "engine/model/config.h"
#include "engine/model/model_source.h"
#include "engine/model/registry.h"
#include "engine/model/weights.h"
#include "engine/template/template_set.h"
#include "engine/tokenizer/tokenizer.h"
#include "kernels/kernels.h"

#include <mutex>

namespace sotto::model {

/// The one kind of Model there is; the runtime reaches weights and kernels through it.
class LoadedModel final : public Model {
  public:
    /// What load() would tell, from headers, tokenizer and template alone; load_ms is 0. The errors
    /// are load()'s, but for those of weights that cannot be read.
    static Result<ModelInfo> describe(const std::string& path);
    /// Opens, checks, packs. `kernel` is the table all of its arithmetic uses.
    static Result<std::shared_ptr<const LoadedModel>>
    load(const std::string& path, const LoadOptions& options, const kernels::KernelTable& kernel);

    [[nodiscard]] const ModelInfo& info() const override { return info_; }
    [[nodiscard]] std::vector<TokenId> tokenize(std::string_view text, bool add_bos,
                                                bool parse_special) const override;
    [[nodiscard]] std::string token_bytes(TokenId id, bool special) const override;
    [[nodiscard]] TokenId bos_token() const override { return tokenizer_->vocabulary().bos; }
    [[nodiscard]] bool adds_bos() const override {
        return tokenizer_->vocabulary().add_bos && bos_token() >= 0;
    }
    [[nodiscard]] bool is_end_of_turn(TokenId id) const override {
        return tokenizer_->is_end_of_turn(id);
    }
    [[nodiscard]] Result<RenderedChat> render_chat(std::span<const ChatMessage> messages,
                                                   const ChatOptions& options) const override;

    [[nodiscard]] const ModelConfig& config() const { return config_; }
    [[nodiscard]] const Weights& weights() const { return weights_; }
    [[nodiscard]] const Architecture& architecture() const { return *architecture_; }
    [[nodiscard]] const kernels::KernelTable& kernel() const { return *kernel_; }
    /// Of everything that results depend on: weights and metadata. Computed at the first call, at
    /// the speed of memory; any thread.
    [[nodiscard]] const Hash128& hash() const;
    /// Tokens that may be sampled: rows of token_embd beyond the vocabulary are padding, and so are
    /// the tokens "[PAD293]" that converters write for them, which no folder has.
    [[nodiscard]] int n_tokens() const { return n_tokens_; }

  private:
    LoadedModel() = default;
    Result<void> read(const ModelSource& source);
    void count_tokens();
    Result<void> count_rows(const ModelSource& source);
    Result<void> read_weights(WeightLoader& loader, const LoadOptions& options);
    Result<void> bind(WeightLoader& loader);
    void count_work();
    [[nodiscard]] WeightLoader loader_of(const ModelSource& source) const;
    void scale_rope();
    void tell_unused(std::vector<std::string> names);

    int n_tokens_ = 0;
    ModelConfig config_;
    Weights weights_;
    const Architecture* architecture_ = nullptr;
    const kernels::KernelTable* kernel_ = nullptr;
    std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
    chat::TemplateSet templates_;
    mutable std::once_flag hashed_;
    mutable Hash128 hash_{};
    ModelInfo info_;
};

} // namespace sotto::model

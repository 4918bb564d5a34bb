// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <algorithm>
#include <string>

namespace sotto {
namespace {

constexpr double kKeptShare = 0.6; // of the context, once turns are left out

/// A chat that may be cut before some of its messages.
class Cuttable {
  public:
    Cuttable(const Model& model, std::span<const ChatMessage> messages, const ChatOptions& options)
        : model_(model), messages_(messages), options_(options) {
        const auto is_system = [](const ChatMessage& m) {
            return m.role == "system" || m.role == "developer";
        };
        n_system_ = static_cast<std::size_t>(std::ranges::find_if_not(messages, is_system) -
                                             messages.begin());
    }
    /// Where turns begin, of the messages after `n_dropped` that were left out before.
    [[nodiscard]] std::vector<std::size_t> cuts(std::size_t n_dropped) const {
        std::vector<std::size_t> all{std::min(n_system_ + n_dropped, messages_.size())};
        for (std::size_t i = all[0] + 1; i < messages_.size(); ++i) {
            if (messages_[i].role == "user") {
                all.push_back(i);
            }
        }
        return all;
    }
    [[nodiscard]] Result<FittedChat> render(std::size_t cut) const {
        std::vector<ChatMessage> kept(messages_.begin(),
                                      messages_.begin() + static_cast<std::ptrdiff_t>(n_system_));
        kept.insert(kept.end(), messages_.begin() + static_cast<std::ptrdiff_t>(cut),
                    messages_.end());
        auto chat = model_.render_chat(kept, options_);
        if (!chat) {
            return std::move(chat).error();
        }
        return FittedChat{*std::move(chat), static_cast<int>(cut - n_system_)};
    }

  private:
    const Model& model_;
    std::span<const ChatMessage> messages_;
    const ChatOptions& options_;
    std::size_t n_system_ = 0;
};

std::int64_t size_of(const FittedChat& fitted) {
    return static_cast<std::int64_t>(fitted.chat.tokens.size());
}

} // namespace

Result<FittedChat> fit_chat(const Model& model, std::span<const ChatMessage> messages,
                            const ChatOptions& options, int n_ctx, std::int64_t n_answer,
                            int n_dropped) {
    const Cuttable chat(model, messages, options);
    const std::vector<std::size_t> cuts = chat.cuts(static_cast<std::size_t>(n_dropped));
    auto fitted = chat.render(cuts.front());
    if (!fitted || size_of(*fitted) + n_answer + 1 <= n_ctx) {
        return fitted;
    }
    // The first cut that leaves little enough; later ones leave less.
    const auto wanted = static_cast<std::int64_t>(kKeptShare * n_ctx);
    std::size_t low = 1, high = cuts.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        auto tried = chat.render(cuts[middle]);
        if (!tried) {
            return tried;
        }
        if (size_of(*tried) + n_answer <= wanted) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    fitted = chat.render(cuts[std::min(low, cuts.size() - 1)]);
    if (fitted && size_of(*fitted) + n_answer + 1 > n_ctx) {
        return Error{ErrorCode::too_long, "the last message and its answer have " +
                                              std::to_string(size_of(*fitted) + n_answer) +
                                              " tokens, the context holds " +
                                              std::to_string(n_ctx)};
    }
    return fitted;
}

} // namespace sotto

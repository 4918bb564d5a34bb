// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/config.h"

#include <string>
#include <string_view>

namespace sotto::model {

/// How a folder of Hugging Face's format holds a family's tensors, beside the names they share.
struct HubTraits {
    /// The converter to GGUF permutes the rows of attn_q and attn_k of this family, so that the two
    /// halves of a head that RoPE turns together become neighbours. A folder holds them as trained,
    /// in halves: they are put into the file's order as they are packed, so that one model gives
    /// one set of bits from either.
    bool permute_rope_rows = false;
    /// Gemma: the folder holds w where the norm multiplies by 1 + w; a GGUF file holds 1 + w.
    bool norms_less_one = false;
    /// Gemma has norms after attention and feed-forward too, which shifts their names.
    bool sandwich_norms = false;
    /// What a config.json without "tie_word_embeddings" means.
    bool tied_by_default = false;
};

/// Where the source has a tensor that the model names as GGUF does, and in what form.
struct StoredAs {
    std::string name;
    int head_dim_in_halves = 0; ///< > 0: rows of heads of that many, to be put into pairs
    bool less_one = false;      ///< add 1 to each value
};

/// A folder's name for "blk.3.attn_q.weight"; an empty one where folders have no such tensor.
StoredAs hub_tensor(std::string_view gguf_name, const HubTraits& traits, int head_dim);

} // namespace sotto::model

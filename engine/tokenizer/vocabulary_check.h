// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/tokenizer.h"

namespace sotto::tokenizer {

/// Bounds and lengths of a vocabulary; ids out of range are taken for none and told of.
Result<void> check_vocabulary(Vocabulary& vocabulary, std::vector<std::string>& warnings);

/// Takes away the tokens that have no row in the model's tables: the tokenizer of a model for text
/// may have marks for images. Marks and unused entries go, which is told; an ordinary token, the
/// begin or the end token without a row is an Error. Comes before check_vocabulary(), which refuses
/// lists of unequal lengths.
Result<void> keep_tokens(Vocabulary& vocabulary, std::size_t n_rows,
                         std::vector<std::string>& warnings);

} // namespace sotto::tokenizer

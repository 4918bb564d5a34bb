// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/tokenizer.h"

namespace sotto::tokenizer {

/// Bounds and lengths of a vocabulary; ids out of range are taken for none and told of.
Result<void> check_vocabulary(Vocabulary& vocabulary, std::vector<std::string>& warnings);

} // namespace sotto::tokenizer

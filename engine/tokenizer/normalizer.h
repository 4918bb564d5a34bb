// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/tokenizer/pattern.h"
#include "engine/tokenizer/unicode_forms.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::tokenizer {

/// One step of a normalizer.
struct NormalizerStep {
    enum class Kind {
        form,      // a normalization form of Unicode
        lowercase, // each character by itself
        replace,   // matches of `pattern` by `text`
        prepend,   // `text` before what is not empty
        strip      // white space at the ends
    };
    Kind kind = Kind::form;
    UnicodeForm form = UnicodeForm::nfc;
    std::shared_ptr<const Pattern> pattern{};
    std::string text{};
    bool left = false, right = false;
};

/// Rewrites a text before it is split. Immutable; any thread; linear.
class Normalizer {
  public:
    Normalizer() = default;
    explicit Normalizer(std::vector<NormalizerStep> steps) : steps_(std::move(steps)) {}
    /// `text` itself, or a view into `storage`. Bytes that are no UTF-8 stay as they are.
    [[nodiscard]] std::string_view run(std::string_view text, std::string& storage) const;

  private:
    std::vector<NormalizerStep> steps_;
};

} // namespace sotto::tokenizer

// SPDX-License-Identifier: Apache-2.0
// A tokenizer from texts: what a folder does with its files.
#pragma once

#include "engine/tokenizer/tokenizer_json.h"

namespace sotto::test {

/// `config`: tokenizer_config.json; "" where there is none. Warnings are dropped.
inline Result<std::unique_ptr<tokenizer::Tokenizer>> hub_tokenizer(std::string_view json,
                                                                   std::string_view config = {}) {
    const auto document = json::Document::parse(json);
    const auto settings = json::Document::parse(config.empty() ? "{}" : config);
    for (const auto* file : {&document, &settings}) {
        if (!*file) {
            return file->error();
        }
    }
    std::vector<std::string> warnings;
    tokenizer::HubFiles files{document->root(), std::nullopt, {}};
    if (!config.empty()) {
        files.config = settings->root();
    }
    return tokenizer::read_tokenizer_json(files, warnings);
}

} // namespace sotto::test

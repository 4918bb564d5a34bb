// SPDX-License-Identifier: Apache-2.0
#include "app/cli/logit_file.h"

namespace sotto::cli {

void Fnv1a::add(const void* data, std::size_t n_bytes) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < n_bytes; ++i) {
        hash_ = (hash_ ^ bytes[i]) * 0x100000001b3;
    }
}

std::uint64_t vocabulary_hash(const Model& model) {
    Fnv1a hash;
    for (TokenId id = 0; id < model.info().n_vocab; ++id) {
        const std::string bytes = model.token_bytes(id, false);
        const auto length = static_cast<std::uint32_t>(bytes.size());
        hash.add(&length, sizeof length);
        hash.add(bytes.data(), bytes.size());
    }
    return hash.value();
}

} // namespace sotto::cli

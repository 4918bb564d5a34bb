// SPDX-License-Identifier: Apache-2.0
#include "engine/model/config.h"

#include <algorithm>

namespace sotto::model {
namespace {

Error unsupported(std::string message) {
    return Error{ErrorCode::unsupported, std::move(message)};
}

} // namespace

bool ModelConfig::has_local_rope() const {
    return std::ranges::any_of(layers, [](const LayerConfig& l) { return l.local_rope; });
}

Result<void> check_config(const ModelConfig& c) {
    if (c.n_head % c.n_head_kv != 0) {
        return Error{ErrorCode::bad_file, std::to_string(c.n_head) +
                                              " attention heads cannot share " +
                                              std::to_string(c.n_head_kv) + " key/value heads"};
    }
    if (c.head_dim < 8 || c.head_dim > 512 || c.head_dim % 8 != 0) {
        return unsupported("a head of " + std::to_string(c.head_dim) +
                           " dimensions is not supported: multiples of 8 up to 512 are");
    }
    if (c.n_rot % 2 != 0 || c.n_rot < 2 || c.n_rot > c.head_dim) {
        return unsupported("a rotation of " + std::to_string(c.n_rot) +
                           " dimensions is not supported for heads of " +
                           std::to_string(c.head_dim) + ": even numbers up to that are");
    }
    return {};
}

} // namespace sotto::model

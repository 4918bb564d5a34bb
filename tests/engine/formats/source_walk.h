// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/ggml_types.h"
#include "engine/formats/tensor_source.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sotto::test {

/// Reads the first and last bytes of each tensor of any source, and looks for overlaps. What it
/// promised and did not keep, or nothing.
inline std::string walk_source(const formats::TensorFiles& source) {
    std::string problem;
    std::vector<const formats::StoredTensor*> order;
    for (const formats::StoredTensor& t : source.tensors()) {
        const formats::GgmlType* type = formats::find_ggml_type(t.ggml_type);
        if (!type || t.shape.empty() || t.file_index >= source.files().size()) {
            return "record of " + t.name;
        }
        const auto n = static_cast<std::uint64_t>(t.n_elements());
        const std::uint64_t file_bytes = source.files()[t.file_index]->size();
        if (n / type->block_elements * type->block_bytes != t.n_bytes || t.offset > file_bytes ||
            t.n_bytes > file_bytes - t.offset) {
            problem += "size of " + t.name;
        }
        std::vector<std::byte> some(std::min<std::uint64_t>(t.n_bytes, 64));
        if (!source.read_tensor(t, 0, some) ||
            !source.read_tensor(t, t.n_bytes - some.size(), some) ||
            source.read_tensor(t, t.n_bytes - some.size() + 1, some)) {
            problem += "bytes of " + t.name;
        }
        if (source.find_tensor(t.name) != &t) {
            problem += "name of " + t.name;
        }
        order.push_back(&t);
    }
    const auto place = [](const auto* t) {
        return std::tuple(t->file_index, t->offset, t->n_bytes);
    };
    std::ranges::sort(order, {}, place);
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (order[i - 1]->file_index == order[i]->file_index &&
            order[i - 1]->offset + order[i - 1]->n_bytes > order[i]->offset) {
            problem += "overlap of " + order[i]->name;
        }
    }
    return problem;
}

/// All bytes of a tensor as floats.
inline std::vector<float> floats_of(const formats::TensorSource& source, std::string_view name) {
    const formats::StoredTensor* t = source.find_tensor(name);
    std::vector<float> values(t ? t->n_bytes / sizeof(float) : 0);
    if (!t || !source.read_tensor(*t, 0, std::as_writable_bytes(std::span(values)))) {
        return {};
    }
    return values;
}

} // namespace sotto::test

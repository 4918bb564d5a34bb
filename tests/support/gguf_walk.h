// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/utf8.h"
#include "engine/formats/gguf.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sotto::test {

/// Reads the first and the last bytes of a tensor; what is wrong with it, or nothing.
inline std::string walk_tensor(const formats::GgufFile& file, const formats::GgufTensor& t) {
    const formats::GgmlType* type = formats::find_ggml_type(t.ggml_type);
    if (!type || t.n_bytes == 0 ||
        t.n_bytes / type->block_bytes * type->block_elements !=
            static_cast<std::uint64_t>(t.n_elements())) {
        return "size of " + t.name;
    }
    if (t.offset > file.file_bytes() || t.n_bytes > file.file_bytes() - t.offset) {
        return "place of " + t.name;
    }
    std::vector<std::byte> some(static_cast<std::size_t>(std::min<std::uint64_t>(t.n_bytes, 64)));
    if (!file.read_tensor(t, 0, some) || !file.read_tensor(t, t.n_bytes - some.size(), some)) {
        return "bytes of " + t.name;
    }
    if (file.read_tensor(t, t.n_bytes - some.size() + 1, some)) {
        return "bytes beyond " + t.name;
    }
    return file.find_tensor(t.name) == &t ? "" : "name of " + t.name;
}

/// Calls every typed reader; exactly one family of them may take the value.
inline std::string walk_value(const formats::GgufFile& file, const std::string& key,
                              const formats::GgufValue& value) {
    if (file.find(key) != &value) {
        return "key " + key;
    }
    if (!utf8::valid(file.value_text(value, 40))) {
        return "text of " + key;
    }
    const bool as_bool = file.get_bool(key).has_value();
    const bool as_string = file.get_string(key).has_value();
    const bool as_number = file.get_float(key).has_value();
    const auto strings = file.get_strings(key);
    const auto ints = file.get_ints(key);
    const auto floats = file.get_floats(key);
    if (as_bool + as_string + as_number + strings.has_value() + floats.has_value() > 1) {
        return "type of " + key;
    }
    const auto wrong_size = [&](const auto& list) {
        return list && (*list)->size() != value.n_elements;
    };
    const bool int_without_ints = file.get_int(key).has_value() && !ints;
    return int_without_ints || wrong_size(strings) || wrong_size(ints) || wrong_size(floats)
               ? "value of " + key
               : "";
}

/// Reads all that an opened file says it has. What it promised and did not keep, or nothing.
inline std::string walk(const formats::GgufFile& file) {
    std::string problem;
    for (const auto& [key, value] : file.metadata()) {
        problem += walk_value(file, key, value);
    }
    std::vector<const formats::GgufTensor*> order;
    for (const formats::GgufTensor& t : file.tensors()) {
        problem += walk_tensor(file, t);
        order.push_back(&t);
    }
    std::ranges::sort(order, {}, &formats::GgufTensor::offset);
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (order[i - 1]->offset + order[i - 1]->n_bytes > order[i]->offset) {
            problem += "overlap of " + order[i]->name;
        }
    }
    return problem;
}

} // namespace sotto::test

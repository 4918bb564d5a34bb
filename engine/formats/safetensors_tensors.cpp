// SPDX-License-Identifier: Apache-2.0
// The part of the parser that finds out what each tensor is, and that the data is all theirs.
#include "engine/base/message.h"
#include "engine/formats/ggml_types.h"
#include "engine/formats/header_reader.h"
#include "engine/formats/safetensors_parser.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace sotto::formats {
namespace {

/// Types whose size is known, by the names that the format and ggml_types.h share. Few can be
/// computed with; the others may stand beside what a model needs.
constexpr std::string_view kDTypes[] = {
    "F32", "F16", "BF16", "F64",     "I64",     "I32",     "I16", "I8", "BOOL",    "U8",
    "U16", "U32", "U64",  "F8_E4M3", "F8_E5M2", "F8_E8M0", "C64", "F4", "F6_E2M3", "F6_E3M2"};

/// "tensor 'lm_head.weight': ..."
Error bad(const StoredTensor& t, const std::string& message) {
    return {ErrorCode::bad_file, "tensor " + message::quoted(t.name) + message};
}

std::string offsets(std::uint64_t begin, std::uint64_t end) {
    return "[" + std::to_string(begin) + ", " + std::to_string(end) + "]";
}

/// As the file has it: "[4096, 14336]".
std::string shape_text(const StoredTensor& t) {
    std::string text;
    for (auto n = t.shape.rbegin(); n != t.shape.rend(); ++n) {
        text += (text.empty() ? "" : ", ") + std::to_string(*n);
    }
    return "[" + text + "] " + ggml_type_name(t.ggml_type);
}

/// A number of bytes or elements as the header may write it; nullopt for anything else.
std::optional<std::uint64_t> count_of(json::Value v) {
    if (!v.is(json::Kind::integer) || v.integer() < 0) {
        return {};
    }
    return static_cast<std::uint64_t>(v.integer());
}

/// Nullopt if it does not fit 63 bits or is no whole number of bytes; a dimension of 0 does not
/// excuse the others, because other code multiplies the shape out.
std::optional<std::uint64_t> bytes_needed(const StoredTensor& t) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    const GgmlType& type = *find_ggml_type(t.ggml_type);
    std::uint64_t n = type.block_bytes;
    for (const std::int64_t d : t.shape) {
        const auto factor = static_cast<std::uint64_t>(std::max<std::int64_t>(d, 1));
        if (factor > kMax / n) {
            return {};
        }
        n *= factor;
    }
    n = std::ranges::find(t.shape, 0) == t.shape.end() ? n : 0;
    return n % type.block_elements == 0 ? std::optional(n / type.block_elements) : std::nullopt;
}

} // namespace

Result<void> SafetensorsParser::read_tensor(std::string_view name, json::Value value) {
    StoredTensor t;
    t.name = name;
    if (name.empty()) {
        return bad(t, " has an empty name");
    }
    if (!value.is(json::Kind::object)) {
        return bad(t,
                   std::string(" is ") + json::kind_name(value.kind()) + ", an object is needed");
    }
    for (const auto& [key, read] : {std::pair("dtype", &SafetensorsParser::read_dtype),
                                    std::pair("shape", &SafetensorsParser::read_shape),
                                    std::pair("data_offsets", &SafetensorsParser::read_place)}) {
        const auto field = value.find(key);
        if (!field) {
            return bad(t, std::string(" has no '") + key + "'");
        }
        if (auto done = (this->*read)(t, *field); !done) {
            return done;
        }
    }
    if (auto done = check_size(t); !done) {
        return done;
    }
    result_->tensors_.push_back(std::move(t));
    return {};
}

Result<void> SafetensorsParser::read_dtype(StoredTensor& t, json::Value value) {
    if (!value.is(json::Kind::string)) {
        return bad(t, std::string(": 'dtype' is ") + json::kind_name(value.kind()) +
                          ", a string is needed");
    }
    const auto name = std::ranges::find(kDTypes, value.string());
    const GgmlType* type = name != std::end(kDTypes) ? find_ggml_type(*name) : nullptr;
    if (!type) {
        return Error{ErrorCode::unsupported, "tensor " + message::quoted(t.name) +
                                                 " is stored as " +
                                                 message::quoted(value.string()) +
                                                 ", which is not supported: BF16, F16, F32 are"};
    }
    t.ggml_type = type->id;
    return {};
}

Result<void> SafetensorsParser::read_shape(StoredTensor& t, json::Value value) {
    if (!value.is(json::Kind::array)) {
        return bad(t, std::string(": 'shape' is ") + json::kind_name(value.kind()) +
                          ", a list is needed");
    }
    for (std::size_t i = value.size(); i > 0; --i) {
        const auto n = count_of(value.at(i - 1));
        if (!n) {
            return bad(t, ": dimension " + std::to_string(i) + " is no integer of 0 to 2^63 - 1");
        }
        t.shape.push_back(static_cast<std::int64_t>(*n));
    }
    if (t.shape.empty()) {
        t.shape.push_back(1);
    }
    return {};
}

Result<void> SafetensorsParser::read_place(StoredTensor& t, json::Value value) {
    if (!value.is(json::Kind::array) || value.size() != 2) {
        return bad(t, ": 'data_offsets' is no list of two integers");
    }
    const auto begin = count_of(value.at(0));
    const auto end = count_of(value.at(1));
    if (!begin || !end) {
        return bad(t, ": 'data_offsets' holds what is no integer of 0 to 2^63 - 1");
    }
    const std::uint64_t n_data = file_.size() - data_;
    if (*begin > *end || *end > n_data) {
        return bad(t, ": 'data_offsets' are " + offsets(*begin, *end) +
                          (*begin > *end ? ", the second is the smaller"
                                         : ", the data has " + std::to_string(n_data) +
                                               " bytes; the file is cut off: download it again"));
    }
    t.offset = data_ + *begin;
    t.n_bytes = *end - *begin;
    return {};
}

Result<void> SafetensorsParser::check_size(const StoredTensor& t) {
    const auto needed = bytes_needed(t);
    if (!needed) {
        return bad(t, ": " + shape_text(t) +
                          " needs more bytes than can be counted, or no whole number");
    }
    if (*needed != t.n_bytes) {
        return bad(t, ": " + shape_text(t) + " needs " + std::to_string(*needed) +
                          " bytes, it has " + std::to_string(t.n_bytes));
    }
    return {};
}

Result<void> SafetensorsParser::check_coverage() {
    std::vector<StoredTensor>& all = result_->tensors_;
    std::ranges::sort(all, {},
                      [](const StoredTensor& t) { return std::pair(t.offset, t.n_bytes); });
    std::uint64_t end = data_;
    for (const StoredTensor& t : all) {
        if (t.offset != end) {
            return bad(t, t.offset > end ? ": there is a hole of " +
                                               std::to_string(t.offset - end) + " bytes before it"
                                         : " overlaps the one before it");
        }
        end += t.n_bytes;
    }
    if (end != file_.size()) {
        return Error{ErrorCode::bad_file, "after the last tensor there are " +
                                              std::to_string(file_.size() - end) +
                                              " bytes that belong to none"};
    }
    result_->index_tensors(); // none twice: the parser of the JSON refuses that
    return {};
}

} // namespace sotto::formats

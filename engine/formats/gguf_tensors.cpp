// SPDX-License-Identifier: Apache-2.0
// The part of the parser that finds out where each tensor is, and that it is there.
#include "engine/formats/gguf_parser.h"

#include "engine/base/message.h"

#include <algorithm>
#include <limits>

namespace sotto::formats {
namespace {

constexpr std::uint64_t kMaxTensorName = 65535;
constexpr std::uint32_t kMaxDims = 4;
constexpr std::uint64_t kMaxSize = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t kDefaultAlignment = 32, kMinAlignment = 8, kMaxAlignment = 1 << 20;

/// "tensor 'blk.3.ffn_up.weight'"
std::string tensor_text(const GgufTensor& tensor) {
    return "tensor " + message::quoted(tensor.name);
}

/// "4096x14336 Q4_K"
std::string shape_text(const GgufTensor& tensor) {
    std::string text;
    for (const std::int64_t n : tensor.shape) {
        text += (text.empty() ? "" : "x") + std::to_string(n);
    }
    return text + " " + ggml_type_name(tensor.ggml_type);
}

/// false if the product does not fit a file position.
bool multiply(std::uint64_t& product, std::uint64_t factor) {
    if (factor > kMaxSize / product) { // product is 1 or more
        return false;
    }
    product *= factor;
    return true;
}

} // namespace

bool GgufParser::read_tensor_record() {
    GgufTensor t;
    if (!reader_.read_string(kMaxTensorName, t.name)) {
        return false;
    }
    if (t.name.empty()) {
        return fail(reader_.what() + " has an empty name");
    }
    reader_.begin("the record of " + tensor_text(t));
    if (!read_shape(t) || !reader_.read(t.ggml_type) || !reader_.read(t.offset) ||
        !check_tensor_size(t)) {
        return false;
    }
    gguf_->tensors_.push_back(std::move(t));
    return true;
}

bool GgufParser::read_shape(GgufTensor& t) {
    std::uint32_t n_dims = 0;
    if (!reader_.read(n_dims)) {
        return false;
    }
    if (n_dims < 1 || n_dims > kMaxDims) {
        return fail(tensor_text(t) + " has " + std::to_string(n_dims) +
                    " dimensions, 1 to 4 are allowed");
    }
    t.shape.reserve(n_dims);
    for (std::uint32_t i = 1; i <= n_dims; ++i) {
        std::uint64_t n = 0;
        if (!reader_.read(n)) {
            return false;
        }
        if (n < 1 || n > kMaxSize) {
            return fail(tensor_text(t) + ": dimension " + std::to_string(i) + " is " +
                        std::to_string(n) + ", 1 to " + std::to_string(kMaxSize) + " are allowed");
        }
        t.shape.push_back(static_cast<std::int64_t>(n));
    }
    return true;
}

bool GgufParser::check_tensor_size(GgufTensor& t) {
    const GgmlType* type = find_ggml_type(t.ggml_type);
    if (!type || t.ggml_type >= kFirstOwnType) {
        return reader_.fail(ErrorCode::unsupported, tensor_text(t) + " is stored as type " +
                                                        std::to_string(t.ggml_type) +
                                                        ", which is not known");
    }
    if (t.shape[0] % type->block_elements != 0) {
        return fail(tensor_text(t) + ": a row of " + std::to_string(t.shape[0]) +
                    " elements is no multiple of " + std::to_string(type->block_elements) +
                    ", as " + type->name + " needs");
    }
    std::uint64_t n_elements = 1; // must fit too: other code multiplies the shape out
    bool fits = true;
    for (const std::int64_t n : t.shape) {
        fits = fits && multiply(n_elements, static_cast<std::uint64_t>(n));
    }
    t.n_bytes = n_elements / type->block_elements;
    if (!fits || !multiply(t.n_bytes, type->block_bytes)) {
        return fail(tensor_text(t) + ": " + shape_text(t) +
                    " needs more bytes than can be counted, "
                    "the file has " +
                    std::to_string(reader_.file_bytes()));
    }
    return true;
}

bool GgufParser::read_alignment(std::uint64_t& alignment) {
    constexpr const char* kKey = "general.alignment";
    const GgufValue* value = gguf_->find(kKey);
    if (value && value->type != GgufType::u32) {
        return fail(std::string(kKey) + " is stored as " + gguf_type_name(value->type) +
                    ", u32 is needed");
    }
    std::uint32_t a = kDefaultAlignment;
    if (value) {
        std::memcpy(&a, gguf_->header_.data() + value->offset, sizeof a);
    }
    if (a < kMinAlignment || a > kMaxAlignment || (a & (a - 1)) != 0) {
        return fail(std::string(kKey) + " is " + std::to_string(a) + ", a power of two from " +
                    std::to_string(kMinAlignment) + " to " + std::to_string(kMaxAlignment) +
                    " is needed");
    }
    alignment = a;
    return true;
}

bool GgufParser::place_tensors() {
    std::uint64_t alignment = 0;
    if (!read_alignment(alignment)) {
        return false;
    }
    const std::uint64_t data = (reader_.position() + alignment - 1) / alignment * alignment;
    if (const GgufTensor* again = gguf_->index_tensors()) {
        return fail(tensor_text(*again) + " is there twice");
    }
    for (GgufTensor& t : gguf_->tensors_) {
        if (!place_tensor(t, data, alignment)) {
            return false;
        }
    }
    reader_.finish();
    return true;
}

bool GgufParser::place_tensor(GgufTensor& t, std::uint64_t data, std::uint64_t alignment) {
    if (t.offset % alignment != 0) {
        return fail(tensor_text(t) + ": offset " + std::to_string(t.offset) +
                    " is no multiple of the alignment " + std::to_string(alignment));
    }
    const std::uint64_t file = reader_.file_bytes();
    if (t.offset > kMaxSize - data) {
        return fail(tensor_text(t) + ": offset " + std::to_string(t.offset) +
                    " of the data, the file has " + std::to_string(file) + " bytes");
    }
    t.offset += data;
    if (t.offset > file || t.n_bytes > file - t.offset) {
        return fail(tensor_text(t) + ": " + shape_text(t) + " needs " + std::to_string(t.n_bytes) +
                    " bytes at offset " + std::to_string(t.offset) + ", the file has " +
                    std::to_string(file) + "; the file is cut off: download it again");
    }
    return true;
}

bool GgufParser::check_overlaps() {
    std::vector<const GgufTensor*> order;
    order.reserve(gguf_->tensors_.size());
    for (const GgufTensor& t : gguf_->tensors_) {
        order.push_back(&t);
    }
    std::ranges::sort(order, {}, &GgufTensor::offset);
    for (std::size_t i = 1; i < order.size(); ++i) {
        const GgufTensor& before = *order[i - 1];
        if (order[i]->offset < before.offset + before.n_bytes) {
            return fail("tensors " + message::quoted(before.name) + " and " +
                        message::quoted(order[i]->name) + " overlap: the first ends at " +
                        std::to_string(before.offset + before.n_bytes) + ", the second begins at " +
                        std::to_string(order[i]->offset));
        }
    }
    return true;
}

} // namespace sotto::formats

// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/gguf.h"

#include "engine/formats/gguf_parser.h"

#include <cstring>
#include <limits>
#include <new>

namespace sotto::formats {
namespace {

template <class T>
T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

} // namespace

const char* gguf_type_name(GgufType type) {
    constexpr const char* kNames[] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                      "bool", "string", "array", "u64", "i64", "f64"};
    return kNames[static_cast<std::size_t>(type)];
}

std::int64_t GgufTensor::n_elements() const {
    std::int64_t n = 1;
    for (const std::int64_t d : shape) {
        n *= d; // fits: looked at when the record was read
    }
    return n;
}

GgufFile::GgufFile(std::unique_ptr<InputFile> file) : file_(std::move(file)) {}

Result<std::unique_ptr<GgufFile>> GgufFile::open(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) {
        return std::move(file).error();
    }
    try {
        return GgufParser(*std::move(file)).run();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "'" + path + "': no memory is left for its header"};
    }
}

const GgufTensor* GgufFile::find_tensor(std::string_view name) const {
    const auto it = tensor_index_.find(name);
    return it == tensor_index_.end() ? nullptr : &tensors_[it->second];
}

const GgufValue* GgufFile::find(std::string_view key) const {
    const auto it = key_index_.find(key);
    return it == key_index_.end() ? nullptr : &metadata_[it->second].second;
}

Result<void> GgufFile::read_tensor(const GgufTensor& tensor, std::uint64_t offset,
                                   std::span<std::byte> dst) const {
    if (offset > tensor.n_bytes || dst.size() > tensor.n_bytes - offset) {
        return Error{ErrorCode::internal, "tensor " + quoted(tensor.name) + " has " +
                                              std::to_string(tensor.n_bytes) + " bytes, " +
                                              std::to_string(dst.size()) + " are wanted at " +
                                              std::to_string(offset)};
    }
    auto done = file_->read(tensor.offset + offset, dst);
    if (!done) {
        return Error{done.error().code,
                     "tensor " + quoted(tensor.name) + ": " + done.error().message};
    }
    return {};
}

double GgufFile::number_at(GgufType type, std::uint64_t offset) const {
    const std::byte* p = header_.data() + offset;
    switch (type) {
    case GgufType::f32:
        return static_cast<double>(load<float>(p));
    case GgufType::f64:
        return load<double>(p);
    case GgufType::u64:
        return static_cast<double>(load<std::uint64_t>(p));
    default:
        return static_cast<double>(integer_at(type, offset).value_or(0));
    }
}

std::optional<std::int64_t> GgufFile::integer_at(GgufType type, std::uint64_t offset) const {
    const std::byte* p = header_.data() + offset;
    switch (type) {
    case GgufType::u8:
        return load<std::uint8_t>(p);
    case GgufType::i8:
        return load<std::int8_t>(p);
    case GgufType::u16:
        return load<std::uint16_t>(p);
    case GgufType::i16:
        return load<std::int16_t>(p);
    case GgufType::u32:
        return load<std::uint32_t>(p);
    case GgufType::i32:
        return load<std::int32_t>(p);
    case GgufType::i64:
        return load<std::int64_t>(p);
    case GgufType::u64: {
        const auto n = load<std::uint64_t>(p);
        if (n <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return static_cast<std::int64_t>(n);
        }
        return {};
    }
    default:
        return {};
    }
}

std::string_view GgufFile::string_at(std::uint64_t& offset) const {
    const auto n = load<std::uint64_t>(header_.data() + offset);
    const auto* text = reinterpret_cast<const char*>(header_.data() + offset + 8);
    offset += 8 + n;
    return {text, static_cast<std::size_t>(n)};
}

} // namespace sotto::formats

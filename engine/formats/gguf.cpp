// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/gguf.h"

#include "engine/formats/file_names.h"
#include "engine/formats/gguf_parser.h"
#include "engine/formats/gguf_set.h"

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

GgufFile::GgufFile(std::unique_ptr<InputFile> file) {
    path_ = file->path();
    files_.push_back(std::move(file));
}

Result<std::unique_ptr<GgufFile>> GgufFile::open(const std::string& path) {
    try {
        auto file = open_one(path);
        return file ? GgufSet::complete(*std::move(file)) : std::move(file);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "'" + path + "': no memory is left for its header"};
    }
}

Result<std::unique_ptr<GgufFile>> GgufFile::open_one(const std::string& path) {
    auto file = open_file(path);
    if (!file) {
        return std::move(file).error();
    }
    return GgufParser(*std::move(file)).run();
}

const GgufValue* GgufFile::find(std::string_view key) const {
    const auto it = key_index_.find(key);
    return it == key_index_.end() ? nullptr : &metadata_[it->second].second;
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

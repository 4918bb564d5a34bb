// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/gguf_parser.h"

#include "engine/base/message.h"
#include "engine/formats/file_kind.h"

namespace sotto::formats {
namespace {

constexpr std::uint64_t kMaxKey = 65535;               // bytes, from the format's specification
constexpr std::uint64_t kMinPairBytes = 8 + 1 + 4 + 1; // a key of one letter, type, one byte
constexpr std::uint64_t kMinTensorBytes =
    8 + 1 + 4 + 8 + 4 + 8; // name of one letter, one dimension
// Far above any model, and they bound the memory that a large hostile file can ask for.
constexpr std::uint64_t kMaxPairs = 1 << 16;

constexpr auto kLastType = static_cast<std::uint32_t>(GgufType::f64);

} // namespace

std::size_t gguf_type_bytes(GgufType type) {
    switch (type) {
    case GgufType::u8:
    case GgufType::i8:
    case GgufType::boolean:
        return 1;
    case GgufType::u16:
    case GgufType::i16:
        return 2;
    case GgufType::u32:
    case GgufType::i32:
    case GgufType::f32:
        return 4;
    case GgufType::u64:
    case GgufType::i64:
    case GgufType::f64:
        return 8;
    case GgufType::string:
    case GgufType::array:
        break;
    }
    return 0;
}

GgufParser::GgufParser(std::unique_ptr<InputFile> file)
    : gguf_(new GgufFile(std::move(file))), reader_(*gguf_->files_.front(), gguf_->header_) {}

Result<std::unique_ptr<GgufFile>> GgufParser::run() {
    if (!parse()) {
        return reader_.take_error();
    }
    return std::move(gguf_);
}

bool GgufParser::parse() {
    if (!read_magic() || !read_version() || !read_counts()) {
        return false;
    }
    for (std::uint64_t i = 1; i <= n_pairs_; ++i) {
        reader_.begin("metadata pair " + std::to_string(i) + " of " + std::to_string(n_pairs_));
        if (!read_pair()) {
            return false;
        }
    }
    if (!index_keys()) {
        return false;
    }
    for (std::uint64_t i = 1; i <= n_tensors_; ++i) {
        reader_.begin("tensor record " + std::to_string(i) + " of " + std::to_string(n_tensors_));
        if (!read_tensor_record()) {
            return false;
        }
    }
    return place_tensors() && check_overlaps();
}

bool GgufParser::read_magic() {
    reader_.begin("the magic");
    constexpr std::string_view kMagic = "GGUF";
    const std::string_view front = reader_.peek(64);
    if (reader_.failed()) {
        return false;
    }
    if (front.starts_with(kMagic) || kMagic.starts_with(front)) {
        return reader_.skip(kMagic.size());
    }
    std::string_view kind = guess_file_kind(front);
    kind = kind.empty() ? guess_file_kind_by_name(gguf_->path()) : kind;
    std::string message = "this is no GGUF file: it does not begin with the letters GGUF";
    return fail(kind.empty() ? message : message.append("; it looks like ").append(kind));
}

bool GgufParser::read_version() {
    reader_.begin("the version");
    std::uint32_t v = 0;
    if (!reader_.read(v)) {
        return false;
    }
    if (v != 0 && (v & 0xFFFF) == 0) {
        return reader_.fail(ErrorCode::unsupported,
                            "the file is in big-endian byte order, made for another kind of "
                            "machine; only little-endian files are supported");
    }
    if (v < 2 || v > 3) {
        return reader_.fail(ErrorCode::unsupported,
                            "GGUF version " + std::to_string(v) + " is not supported: 2 and 3 are");
    }
    gguf_->version_ = v;
    return true;
}

bool GgufParser::read_counts() {
    reader_.begin("the counts");
    return reader_.read(n_tensors_) && reader_.read(n_pairs_) &&
           check_count("metadata pairs", n_pairs_, kMinPairBytes, kMaxPairs) &&
           check_count("tensors", n_tensors_, kMinTensorBytes, kMaxTensors);
}

bool GgufParser::check_count(const char* what, std::uint64_t n, std::uint64_t min_bytes,
                             std::uint64_t max) {
    const std::uint64_t could = reader_.remaining() / min_bytes;
    if (n > could) {
        return fail(std::to_string(n) + " " + what + " are announced, the file could hold " +
                    std::to_string(could));
    }
    if (n > max) {
        return fail(std::to_string(n) + " " + what + " are announced, at most " +
                    std::to_string(max) + " are allowed");
    }
    return true;
}

bool GgufParser::read_pair() {
    std::string key;
    if (!reader_.read_string(kMaxKey, key)) {
        return false;
    }
    if (key.empty()) {
        return fail(reader_.what() + " has an empty key");
    }
    reader_.begin("key " + message::quoted(key));
    GgufValue value;
    if (!read_value(value)) {
        return false;
    }
    gguf_->metadata_.emplace_back(std::move(key), value);
    return true;
}

bool GgufParser::read_value(GgufValue& value) {
    std::uint32_t type = 0;
    if (!reader_.read(type)) {
        return false;
    }
    if (type > kLastType) {
        return fail(reader_.what() + " has value type " + std::to_string(type) +
                    ", which does not exist");
    }
    value.type = value.element_type = static_cast<GgufType>(type);
    if (value.type == GgufType::array) {
        return read_array(value);
    }
    value.offset = reader_.position();
    if (value.type == GgufType::string) {
        return reader_.skip_string();
    }
    return reader_.skip(gguf_type_bytes(value.type)) && check_booleans(value);
}

bool GgufParser::read_element_type(GgufValue& value) {
    std::uint32_t type = 0;
    if (!reader_.read(type)) {
        return false;
    }
    if (type > kLastType) {
        return fail(reader_.what() + " is a list of type " + std::to_string(type) +
                    ", which does not exist");
    }
    value.element_type = static_cast<GgufType>(type);
    if (value.element_type == GgufType::array) {
        return fail(reader_.what() + " is a list of lists, which is not allowed");
    }
    return true;
}

bool GgufParser::read_array(GgufValue& value) {
    if (!read_element_type(value) || !reader_.read(value.n_elements)) {
        return false;
    }
    value.offset = reader_.position();
    const std::size_t fixed = gguf_type_bytes(value.element_type);
    const std::uint64_t could = reader_.remaining() / (fixed > 0 ? fixed : 8); // a string's length
    if (value.n_elements > could) {
        return fail(reader_.what() + " announces " + std::to_string(value.n_elements) +
                    " elements, the file could hold " + std::to_string(could));
    }
    if (fixed > 0) {
        return reader_.skip(value.n_elements * fixed) && check_booleans(value);
    }
    for (std::uint64_t i = 0; i < value.n_elements; ++i) {
        if (!reader_.skip_string()) {
            return false;
        }
    }
    return true;
}

bool GgufParser::check_booleans(const GgufValue& value) {
    if (value.element_type != GgufType::boolean) {
        return true;
    }
    for (std::uint64_t i = 0; i < value.n_elements; ++i) {
        const auto b = std::to_integer<unsigned>(gguf_->header_[value.offset + i]);
        if (b > 1) {
            return fail(reader_.what() + " is a boolean of value " + std::to_string(b) +
                        ", only 0 and 1 are allowed");
        }
    }
    return true;
}

bool GgufParser::index_keys() {
    for (std::size_t i = 0; i < gguf_->metadata_.size(); ++i) {
        const std::string& key = gguf_->metadata_[i].first;
        if (!gguf_->key_index_.emplace(key, i).second) {
            return fail("key " + message::quoted(key) + " is there twice");
        }
    }
    return true;
}

} // namespace sotto::formats

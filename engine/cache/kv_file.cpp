// SPDX-License-Identifier: Apache-2.0
#include "engine/cache/kv_file.h"

#include "engine/base/output_file.h"

#include <bit>
#include <cstring>
#include <utility>

namespace sotto::cache {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is written as memory has it");

constexpr char kMagic[8] = {'S', 'O', 'T', 'T', 'O', 'K', 'V', '\n'};
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::uint64_t kAlignment = 4096;
constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 28;

struct Header {
    char magic[8];
    std::uint32_t format_version, numerics_version;
    std::uint32_t page_tokens, n_layer, n_head_kv, head_dim, k_type, v_type;
    Hash128 model, chat_template;
    std::uint64_t page_bytes, n_tokens;
};
static_assert(sizeof(Header) == 8 + 8 * 4 + 2 * 16 + 2 * 8);

Header header_of(const KvFileKey& key, std::uint64_t n_tokens) {
    const KvShape& s = key.shape;
    const auto u32 = [](auto value) { return static_cast<std::uint32_t>(value); };
    Header h{};
    std::memcpy(h.magic, kMagic, sizeof kMagic);
    h.format_version = kFormatVersion;
    h.numerics_version = u32(kernels::kNumericsVersion);
    h.page_tokens = u32(kPageTokens);
    h.n_layer = u32(s.n_layer);
    h.n_head_kv = u32(s.n_head_kv);
    h.head_dim = u32(s.head_dim);
    h.k_type = u32(s.k_type);
    h.v_type = u32(s.v_type);
    h.model = key.model;
    h.chat_template = key.chat_template;
    h.page_bytes = s.page_bytes();
    h.n_tokens = n_tokens;
    return h;
}

std::uint64_t pages_of(std::uint64_t n_tokens) {
    return (n_tokens + kPageTokens - 1) / kPageTokens;
}

std::uint64_t head_bytes(std::uint64_t n_tokens) {
    const std::uint64_t bytes = sizeof(Header) + n_tokens * sizeof(std::int32_t);
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}

Hash128 hash_of_all(const std::vector<std::byte>& head, const std::vector<Hash128>& pages) {
    FastHash hash;
    hash.add(head);
    hash.add(bytes_of(pages));
    return hash.get();
}

/// What another program, model or cache wrote; empty if the file is for us.
std::string other_than(const Header& found, const Header& wanted) {
    if (found.format_version != wanted.format_version ||
        found.numerics_version != wanted.numerics_version ||
        found.page_tokens != wanted.page_tokens) {
        return "another version of this program";
    }
    if (found.model != wanted.model || found.n_layer != wanted.n_layer ||
        found.n_head_kv != wanted.n_head_kv || found.head_dim != wanted.head_dim) {
        return "another model";
    }
    if (found.chat_template != wanted.chat_template) {
        return "another chat template";
    }
    return found.k_type != wanted.k_type || found.v_type != wanted.v_type ||
                   found.page_bytes != wanted.page_bytes
               ? "another cache type"
               : "";
}

} // namespace

Result<void> write_kv_file(const std::string& path, const KvFileKey& key,
                           std::span<const std::int32_t> tokens, const KvSequence& kv) {
    const Header header = header_of(key, tokens.size());
    std::vector<std::byte> head(head_bytes(tokens.size()));
    std::memcpy(head.data(), &header, sizeof header);
    if (!tokens.empty()) {
        std::memcpy(head.data() + sizeof header, tokens.data(), tokens.size_bytes());
    }
    auto file = OutputFile::create(path);
    if (!file) {
        return std::move(file).error();
    }
    auto done = file->write(head);
    std::vector<Hash128> hashes;
    for (std::size_t i = 0; done && i < pages_of(tokens.size()); ++i) {
        const std::span<const std::byte> page(kv.page(i)->data, key.shape.page_bytes());
        hashes.push_back(hash_bytes(page));
        done = file->write(page);
    }
    const std::vector<Hash128> all{hash_of_all(head, hashes)};
    if (done) {
        done = file->write(bytes_of(hashes));
    }
    if (done) {
        done = file->write(bytes_of(all));
    }
    return done ? file->commit() : std::move(done);
}

Result<KvFileReader> KvFileReader::open(const std::string& path, const KvFileKey& key) {
    auto opened = InputFile::open(path);
    if (!opened) {
        return std::move(opened).error();
    }
    KvFileReader reader;
    reader.file_ = *std::move(opened);
    const auto bad = [&](const std::string& what) {
        return Error{ErrorCode::bad_file, "'" + path + "' " + what};
    };
    const std::uint64_t size = reader.file_->size();
    Header header{};
    if (size < sizeof header) {
        return bad("is too short to hold a saved conversation");
    }
    if (auto read = reader.file_->read(0, std::as_writable_bytes(std::span(&header, 1))); !read) {
        return std::move(read).error();
    }
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) {
        return bad("is no saved conversation");
    }
    const Header wanted = header_of(key, header.n_tokens);
    if (const std::string other = other_than(header, wanted); !other.empty()) {
        return Error{ErrorCode::unsupported, "'" + path + "' was saved by or for " + other};
    }
    const std::uint64_t n_pages = pages_of(header.n_tokens);
    reader.pages_at_ = head_bytes(header.n_tokens);
    if (header.n_tokens > kMaxTokens ||
        size !=
            reader.pages_at_ + n_pages * (header.page_bytes + sizeof(Hash128)) + sizeof(Hash128)) {
        return bad("is damaged: its size does not fit its header");
    }
    std::vector<std::byte> head(reader.pages_at_);
    reader.hashes_.resize(n_pages);
    Hash128 all{};
    const std::uint64_t hashes_at = reader.pages_at_ + n_pages * header.page_bytes;
    auto read = reader.file_->read(0, head);
    if (read) {
        read = reader.file_->read(hashes_at, std::as_writable_bytes(std::span(reader.hashes_)));
    }
    if (read) {
        read = reader.file_->read(size - sizeof all, std::as_writable_bytes(std::span(&all, 1)));
    }
    if (!read) {
        return std::move(read).error();
    }
    if (hash_of_all(head, reader.hashes_) != all) {
        return bad("is damaged: its checksum is wrong");
    }
    reader.tokens_.resize(header.n_tokens);
    if (header.n_tokens > 0) {
        std::memcpy(reader.tokens_.data(), head.data() + sizeof header,
                    header.n_tokens * sizeof(std::int32_t));
    }
    return reader;
}

Result<void> KvFileReader::read_page(std::size_t index, std::span<std::byte> to) const {
    if (auto read = file_->read(pages_at_ + index * to.size(), to); !read) {
        return read;
    }
    if (hash_bytes(to) != hashes_[index]) {
        return Error{ErrorCode::bad_file, "'" + file_->path() +
                                              "' is damaged: the checksum of page " +
                                              std::to_string(index) + " is wrong"};
    }
    return {};
}

} // namespace sotto::cache

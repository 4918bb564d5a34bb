// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/gguf_set.h"

#include "engine/base/message.h"
#include "engine/formats/file_names.h"
#include "engine/formats/gguf_parser.h"

namespace sotto::formats {
namespace {

Error bad(const std::string& path, const std::string& message) {
    return {ErrorCode::bad_file, "'" + path + "': " + message};
}

/// "part 2 of 3"
std::string part_text(std::int64_t no, std::int64_t count) {
    return "part " + std::to_string(no) + " of " + std::to_string(count);
}

} // namespace

Result<std::unique_ptr<GgufFile>> GgufSet::complete(std::unique_ptr<GgufFile> opened) {
    auto keys = read_keys(*opened);
    if (!keys) {
        return std::move(keys).error();
    }
    if (keys->count <= 1) {
        return opened;
    }
    auto name = read_name(opened->path(), *keys);
    if (!name) {
        return std::move(name).error();
    }
    return GgufSet(*std::move(name)).join(std::move(opened));
}

Result<GgufSet::Keys> GgufSet::read_keys(const GgufFile& part) {
    const auto no = part.get_int("split.no");
    const auto count = part.get_int("split.count");
    const auto n_tensors = part.get_int("split.tensors.count");
    for (const auto* value : {&no, &count, &n_tensors}) {
        if (!*value) {
            return bad(part.path(), value->error().message);
        }
    }
    const Keys keys{no->value_or(-1), count->value_or(1), *n_tensors};
    if (keys.count < 0 || (keys.count > 1 && (keys.no < 0 || keys.no >= keys.count))) {
        return bad(part.path(), "split.no is " + (*no ? std::to_string(**no) : "missing") +
                                    " and split.count " + std::to_string(keys.count) +
                                    ", which is no part of a set (the first is 0)");
    }
    return keys;
}

Result<SplitName> GgufSet::read_name(const std::string& path, const Keys& keys) {
    auto name = parse_split_name(path, ".gguf");
    if (!name) { // a link of another name: the other parts lie beside what it leads to
        name = parse_split_name(link_target(path), ".gguf");
    }
    const std::string is = "the file is " + part_text(keys.no + 1, keys.count) + " by its keys";
    if (!name) {
        return bad(path, is + "; the others are found by their names, so its own must end in '" +
                             split_ending(static_cast<std::uint64_t>(keys.no) + 1,
                                          static_cast<std::uint64_t>(keys.count), ".gguf") +
                             "'");
    }
    if (name->no != keys.no + 1 || name->count != keys.count) {
        return bad(path, is + " and " + part_text(name->no, name->count) + " by its name");
    }
    return *std::move(name);
}

Result<std::unique_ptr<GgufFile>> GgufSet::join(std::unique_ptr<GgufFile> opened) {
    const std::string path = opened->path();
    for (std::uint32_t no = 1; no <= name_.count; ++no) {
        Result<std::unique_ptr<GgufFile>> part =
            no == name_.no ? std::move(opened) : GgufFile::open_one(name_.path_of(no));
        if (!part) {
            return Error{part.error().code,
                         part_text(no, name_.count) + ": " + part.error().message};
        }
        if (auto done = add(*std::move(part), no); !done) {
            return std::move(done).error();
        }
    }
    if (auto done = check_tensors(); !done) {
        return std::move(done).error();
    }
    set_->path_ = path;
    return std::move(set_);
}

Result<void> GgufSet::add(std::unique_ptr<GgufFile> part, std::uint32_t no) {
    if (auto done = check_keys(*part, no); !done) {
        return done;
    }
    if (no == 1) {
        set_ = std::move(part);
        return {};
    }
    if (part->tensors().size() > kMaxTensors - set_->tensors().size()) {
        return bad(part->path(), "the parts up to this one have more than " +
                                     std::to_string(kMaxTensors) + " tensors");
    }
    set_->append(std::move(*part));
    return {};
}

Result<void> GgufSet::check_keys(const GgufFile& part, std::uint32_t no) {
    auto keys = read_keys(part);
    if (!keys) {
        return std::move(keys).error();
    }
    if (keys->count != name_.count || keys->no + 1 != no) {
        return bad(part.path(), "the file is " + part_text(keys->no + 1, keys->count) +
                                    " by its keys and " + part_text(no, name_.count) +
                                    " by its name");
    }
    if (no == 1) {
        n_tensors_ = keys->n_tensors;
    } else if (keys->n_tensors && keys->n_tensors != n_tensors_) {
        return bad(part.path(), "split.tensors.count is " + std::to_string(*keys->n_tensors) +
                                    ", in the first part it is " +
                                    (n_tensors_ ? std::to_string(*n_tensors_) : "missing"));
    }
    return {};
}

Result<void> GgufSet::check_tensors() {
    const std::size_t n = set_->tensors().size();
    const std::string& first = set_->files().front()->path();
    if (!n_tensors_) {
        return bad(first, "split.tensors.count is missing");
    }
    if (*n_tensors_ < 0 || static_cast<std::uint64_t>(*n_tensors_) != n) {
        return bad(first, "split.tensors.count is " + std::to_string(*n_tensors_) +
                              ", the parts together have " + std::to_string(n) + " tensors");
    }
    if (const StoredTensor* again = set_->index_tensors()) {
        const StoredTensor& before = *set_->find_tensor(again->name);
        return bad(set_->files()[again->file_index]->path(),
                   "tensor " + message::quoted(again->name) + " is there, and in '" +
                       set_->files()[before.file_index]->path() + "' too");
    }
    return {};
}

} // namespace sotto::formats

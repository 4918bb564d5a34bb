// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/safetensors_set.h"

#include "engine/base/message.h"
#include "engine/formats/file_names.h"
#include "engine/formats/header_reader.h"

#include <new>
#include <set>

namespace sotto::formats {
namespace {

constexpr std::size_t kMaxIndex = 64 << 20; // bytes

Error bad(const std::string& path, const std::string& message) {
    return {ErrorCode::bad_file, "'" + path + "': " + message};
}

Result<json::Document> read_index(const std::string& path) {
    auto text = read_text_file(path, kMaxIndex);
    if (!text) {
        return std::move(text).error();
    }
    auto index = json::Document::parse(*text, {kMaxIndex, 4 * kMaxTensors, 16});
    if (!index) {
        return Error{index.error().code, "'" + path + "': " + index.error().message};
    }
    return index;
}

/// The files it names, each once.
Result<std::set<std::string_view>> file_names(json::Value weight_map, const std::string& path) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < weight_map.size(); ++i) {
        const std::string tensor = "the file of tensor " + message::quoted(weight_map.key(i));
        const json::Value value = weight_map.at(i);
        if (!value.is(json::Kind::string)) {
            return bad(path,
                       tensor + " is " + json::kind_name(value.kind()) + ", a string is needed");
        }
        if (!is_plain_name(value.string())) {
            return bad(path, tensor + " is " + message::quoted(value.string()) +
                                 ", only names of files in the same folder are allowed");
        }
        names.insert(value.string());
    }
    return names;
}

} // namespace

Result<std::unique_ptr<SafetensorsSet>> SafetensorsSet::open(const std::string& index_path,
                                                             std::vector<std::string>& warnings) {
    try {
        auto index = read_index(index_path);
        if (!index) {
            return std::move(index).error();
        }
        const auto weight_map = index->root().find("weight_map");
        if (!weight_map || !weight_map->is(json::Kind::object) || weight_map->size() == 0 ||
            weight_map->size() > kMaxTensors) {
            return bad(index_path, "it has no object 'weight_map' of 1 to " +
                                       std::to_string(kMaxTensors) + " tensors");
        }
        std::unique_ptr<SafetensorsSet> set(new SafetensorsSet(index_path));
        if (auto done = set->open_files(*weight_map, warnings); !done) {
            return std::move(done).error();
        }
        return set;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "'" + index_path + "': no memory is left for it"};
    }
}

Result<void> SafetensorsSet::open_files(json::Value weight_map,
                                        std::vector<std::string>& warnings) {
    auto names = file_names(weight_map, path_);
    if (!names) {
        return std::move(names).error();
    }
    for (const std::string_view name : *names) {
        auto file = SafetensorsFile::open(join_path(folder_of(path_), name));
        if (!file) {
            return std::move(file).error();
        }
        if (auto done = take(**file, name, weight_map); !done) {
            return done;
        }
    }
    index_tensors(); // none twice: each is in the one file that the index says
    if (n_left_out_ > 0) {
        warnings.push_back("'" + path_ + "' does not name tensor " + message::quoted(left_out_) +
                           (n_left_out_ > 1 ? " and " + std::to_string(n_left_out_ - 1) + " more"
                                            : std::string()) +
                           " of its files; what it does not name is left out");
    }
    return check_map(weight_map);
}

Result<void> SafetensorsSet::take(SafetensorsFile& file, std::string_view name,
                                  json::Value weight_map) {
    std::vector<StoredTensor> kept;
    for (StoredTensor& t : file.tensors_) {
        const auto place = weight_map.find(t.name);
        if (!place) {
            left_out_ = n_left_out_++ == 0 ? t.name : left_out_;
            continue;
        }
        if (place->string() != name) {
            return bad(file.path(), "tensor " + message::quoted(t.name) +
                                        " is there, the index has it in " +
                                        message::quoted(place->string()));
        }
        kept.push_back(std::move(t));
    }
    file.tensors_ = std::move(kept);
    append(std::move(file));
    return {};
}

Result<void> SafetensorsSet::check_map(json::Value weight_map) {
    for (std::size_t i = 0; i < weight_map.size(); ++i) {
        if (!find_tensor(weight_map.key(i))) {
            return bad(path_,
                       "tensor " + message::quoted(weight_map.key(i)) + " is said to be in " +
                           message::quoted(weight_map.at(i).string()) + ", which does not have it");
        }
    }
    return {};
}

} // namespace sotto::formats

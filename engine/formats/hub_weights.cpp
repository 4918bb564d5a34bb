// SPDX-License-Identifier: Apache-2.0
// Which files of a folder are the weights.
#include "engine/base/message.h"
#include "engine/formats/file_names.h"
#include "engine/formats/header_reader.h"
#include "engine/formats/hub_folder_reader.h"
#include "engine/formats/model_kind.h"
#include "engine/formats/safetensors_set.h"
#include "engine/formats/split_name.h"

#include <algorithm>

namespace sotto::formats {
namespace {

constexpr std::string_view kSingle = "model.safetensors";
constexpr std::string_view kIndex = "model.safetensors.index.json";
constexpr std::string_view kEnding = ".safetensors";

bool has_file(const TensorFiles& files, std::string_view name) {
    return std::ranges::any_of(files.files(),
                               [&](const auto& file) { return name_of(file->path()) == name; });
}

} // namespace

Result<void> HubFolderReader::open_weights() {
    const bool has_index = path_exists(file(kIndex));
    if (chosen_.ends_with(".safetensors.index.json")) {
        return open_set(chosen_);
    }
    if (chosen_.ends_with(kEnding) && chosen_ != kSingle) {
        return has_index ? open_set(kIndex) : open_single(chosen_);
    }
    if (path_exists(file(kSingle))) {
        return open_single(kSingle);
    }
    return has_index ? open_set(kIndex) : no_weights();
}

Result<void> HubFolderReader::open_single(std::string_view name) {
    if (const auto part = parse_split_name(name, kEnding); part && part->count > 1) {
        return Error{ErrorCode::bad_file,
                     "'" + file(name) + "' is part " + std::to_string(part->no) + " of " +
                         std::to_string(part->count) + ", and the index of the parts, '" +
                         std::string(kIndex) + "', is missing"};
    }
    auto weights = SafetensorsFile::open(file(name));
    if (!weights) {
        return std::move(weights).error();
    }
    hub_->tensors_ = *std::move(weights);
    return {};
}

Result<void> HubFolderReader::open_set(std::string_view index) {
    auto set = SafetensorsSet::open(file(index), hub_->warnings_);
    if (!set) {
        return std::move(set).error();
    }
    if (chosen_.ends_with(kEnding) && !has_file(**set, chosen_)) {
        return Error{ErrorCode::bad_file, "'" + file(chosen_) + "' is none of the files that " +
                                              message::quoted(index) + " names"};
    }
    hub_->tensors_ = *std::move(set);
    return {};
}

Error HubFolderReader::no_weights() const {
    return {ErrorCode::bad_file, "'" + hub_->path_ + "' has neither " + std::string(kSingle) +
                                     " nor " + std::string(kIndex) + other_weights(hub_->path_)};
}

} // namespace sotto::formats

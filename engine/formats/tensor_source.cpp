// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tensor_source.h"

#include "engine/base/message.h"
#include "engine/formats/header_reader.h"

#include <algorithm>
#include <iterator>

namespace sotto::formats {

std::int64_t StoredTensor::n_elements() const {
    std::int64_t n = 1;
    for (const std::int64_t d : shape) {
        n *= d; // fits: looked at when the record was read
    }
    return n;
}

std::uint64_t TensorFiles::file_bytes() const {
    std::uint64_t n = 0;
    for (const auto& file : files_) {
        n += file->size();
    }
    return n;
}

const StoredTensor* TensorFiles::find_tensor(std::string_view name) const {
    const auto it = index_.find(name);
    return it == index_.end() ? nullptr : &tensors_[it->second];
}

Result<void> TensorFiles::read_tensor(const StoredTensor& tensor, std::uint64_t offset,
                                      std::span<std::byte> dst) const {
    if (offset > tensor.n_bytes || dst.size() > tensor.n_bytes - offset) {
        return Error{ErrorCode::internal, "tensor " + message::quoted(tensor.name) + " has " +
                                              std::to_string(tensor.n_bytes) + " bytes, " +
                                              std::to_string(dst.size()) + " are wanted at " +
                                              std::to_string(offset)};
    }
    auto done = files_[tensor.file_index]->read(tensor.offset + offset, dst);
    if (!done) {
        return Error{done.error().code,
                     "tensor " + message::quoted(tensor.name) + ": " + done.error().message};
    }
    return {};
}

const StoredTensor* TensorFiles::index_tensors() {
    index_.clear();
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        if (!index_.emplace(tensors_[i].name, i).second) {
            return &tensors_[i];
        }
    }
    return nullptr;
}

void TensorFiles::append(TensorFiles&& other) {
    index_.clear(); // its views are about to move
    const auto first = static_cast<std::uint32_t>(files_.size());
    for (StoredTensor& t : other.tensors_) {
        t.file_index += first;
    }
    std::ranges::move(other.tensors_, std::back_inserter(tensors_));
    std::ranges::move(other.files_, std::back_inserter(files_));
}

} // namespace sotto::formats

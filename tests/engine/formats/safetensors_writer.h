// SPDX-License-Identifier: Apache-2.0
// Writes safetensors files (engine/formats/safetensors.h has the layout) in memory, right ones and,
// by way of the header's text, wrong ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::test {

class SafetensorsWriter {
  public:
    struct Tensor {
        std::string name; // without what JSON would escape
        std::string dtype;
        std::vector<std::uint64_t> shape; // the last one is contiguous
        std::string bytes;
    };
    std::vector<Tensor> tensors;
    std::string metadata; // JSON, if there is to be any

    SafetensorsWriter& add(std::string name, std::string dtype, std::vector<std::uint64_t> shape,
                           std::string bytes) {
        tensors.push_back({std::move(name), std::move(dtype), std::move(shape), std::move(bytes)});
        return *this;
    }
    SafetensorsWriter& add(std::string name, std::vector<std::uint64_t> shape,
                           const std::vector<float>& values) {
        std::string bytes(values.size() * sizeof(float), '\0');
        if (!values.empty()) {
            std::memcpy(bytes.data(), values.data(), bytes.size());
        }
        return add(std::move(name), "F32", std::move(shape), std::move(bytes));
    }

    [[nodiscard]] std::string header() const {
        std::string text = metadata.empty() ? "" : "\"__metadata__\":" + metadata;
        std::size_t offset = 0;
        for (const Tensor& t : tensors) {
            text += (text.empty() ? "\"" : ",\"") + t.name + "\":{\"dtype\":\"" + t.dtype +
                    "\",\"shape\":" + list(t.shape) +
                    ",\"data_offsets\":" + list({offset, offset + t.bytes.size()}) + "}";
            offset += t.bytes.size();
        }
        return "{" + text + "}";
    }
    [[nodiscard]] std::string data() const {
        std::string bytes;
        for (const Tensor& t : tensors) {
            bytes += t.bytes;
        }
        return bytes;
    }
    /// A file of any header and data; `length` is written instead of the header's own.
    static std::string file(std::string_view header, std::string_view data, std::uint64_t length) {
        std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
        return bytes.append(header).append(data);
    }
    static std::string file(std::string_view header, std::string_view data) {
        return file(header, data, header.size());
    }
    [[nodiscard]] std::string build() const { return file(header(), data()); }

  private:
    static std::string list(const std::vector<std::uint64_t>& numbers) {
        std::string text;
        for (const std::uint64_t n : numbers) {
            text += (text.empty() ? "" : ",") + std::to_string(n);
        }
        return "[" + text + "]";
    }
};

} // namespace sotto::test

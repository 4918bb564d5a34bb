// SPDX-License-Identifier: Apache-2.0
// Writes GGUF files (engine/formats/gguf.h has the layout) in memory: whole tiny models, and files
// that are wrong in one chosen place.
#pragma once

#include "engine/formats/ggml_types.h"
#include "engine/formats/gguf.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sotto::test {

/// A number of the header that says how long, how many, which or where.
struct GgufField {
    std::string name; // "n_tensors", "dim 1 of 'a'", ...
    std::size_t position = 0;
    std::size_t n_bytes = 0; // 4 or 8
};

/// Little-endian bytes, with the fields among them.
struct GgufBytes {
    std::string bytes;
    std::vector<GgufField> fields;

    template <class T>
    GgufBytes& number(T value) {
        static_assert(std::is_arithmetic_v<T>);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    template <class T>
    GgufBytes& field(std::string name, T value) {
        fields.push_back({std::move(name), bytes.size(), sizeof value});
        return number(value);
    }
    GgufBytes& string(const std::string& what, std::string_view text) {
        field("length of " + what, std::uint64_t{text.size()});
        bytes += text;
        return *this;
    }
    GgufBytes& append(const GgufBytes& other) {
        for (const GgufField& f : other.fields) {
            fields.push_back({f.name, f.position + bytes.size(), f.n_bytes});
        }
        bytes += other.bytes;
        return *this;
    }
    GgufBytes& pad(std::size_t alignment) {
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
        return *this;
    }
};

template <class T>
constexpr formats::GgufType gguf_type_of() {
    using formats::GgufType;
    if constexpr (std::is_same_v<T, bool>) {
        return GgufType::boolean;
    } else if constexpr (std::is_same_v<T, float>) {
        return GgufType::f32;
    } else if constexpr (std::is_same_v<T, double>) {
        return GgufType::f64;
    } else if constexpr (std::is_integral_v<T>) {
        constexpr bool is_signed = std::is_signed_v<T>;
        switch (sizeof(T)) {
        case 1:
            return is_signed ? GgufType::i8 : GgufType::u8;
        case 2:
            return is_signed ? GgufType::i16 : GgufType::u16;
        case 4:
            return is_signed ? GgufType::i32 : GgufType::u32;
        default:
            return is_signed ? GgufType::i64 : GgufType::u64;
        }
    } else {
        static_assert(std::is_convertible_v<T, std::string_view>, "no type of GGUF");
        return GgufType::string;
    }
}

class GgufWriter {
  public:
    struct Tensor {
        std::string name;
        std::vector<std::uint64_t> dims; // dims[0] is the contiguous one
        std::uint32_t type = 0;          // number of a ggml type
        std::string bytes;
        std::optional<std::uint32_t> n_dims = {}; // written instead of the real one
        std::optional<std::uint64_t> offset = {}; // likewise, from the start of the data
    };

    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::uint32_t alignment = 32; // of the data; put "general.alignment" for readers to know
    std::optional<std::uint64_t> n_tensors = {}, n_pairs = {}; // written instead of the real ones
    std::string tail;                                          // after the last tensor
    std::vector<Tensor> tensors;

    /// The C++ type says the type in the file: std::uint32_t{1}, 1.5f, true, "text",
    /// std::vector<std::string>. A key that is there already comes twice.
    template <class T>
    GgufWriter& put(const std::string& key, const T& value) {
        return put_raw(key, value_bytes(key, value));
    }
    /// Value type and value as given.
    GgufWriter& put_raw(const std::string& key, GgufBytes payload) {
        pairs_.emplace_back(key, std::move(payload));
        return *this;
    }
    /// An array of a chosen type and announced length with any bytes for its elements.
    GgufWriter& put_array(const std::string& key, std::uint32_t type, std::uint64_t n,
                          std::string_view elements) {
        GgufBytes payload = array_head(key, type, n);
        payload.bytes += elements;
        return put_raw(key, std::move(payload));
    }
    /// Like put(), in the place of the key that is there.
    template <class T>
    GgufWriter& set(const std::string& key, const T& value) {
        pairs_[index_of(key)].second = value_bytes(key, value);
        return *this;
    }
    GgufWriter& drop(const std::string& key) {
        pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(index_of(key)));
        return *this;
    }

    GgufWriter& add(std::string name, std::vector<std::uint64_t> dims, std::uint32_t type,
                    std::string bytes) {
        tensors.push_back({std::move(name), std::move(dims), type, std::move(bytes)});
        return *this;
    }
    /// An F32 tensor.
    GgufWriter& add(std::string name, std::vector<std::uint64_t> dims,
                    const std::vector<float>& values) {
        std::string bytes(values.size() * sizeof(float), '\0');
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return add(std::move(name), std::move(dims), 0, std::move(bytes));
    }
    Tensor& tensor(std::string_view name) {
        for (Tensor& t : tensors) {
            if (t.name == name) {
                return t;
            }
        }
        throw std::out_of_range(std::string(name));
    }

    /// The file's bytes and its fields.
    [[nodiscard]] GgufBytes build_with_fields() const {
        GgufBytes out;
        out.bytes = magic;
        out.field("version", version);
        out.field("n_tensors", n_tensors.value_or(tensors.size()));
        out.field("n_pairs", n_pairs.value_or(pairs_.size()));
        for (const auto& [key, payload] : pairs_) {
            out.string("key '" + key + "'", key).append(payload);
        }
        std::uint64_t offset = 0;
        for (const Tensor& t : tensors) {
            append_record(out, t, offset);
            offset += (t.bytes.size() + alignment - 1) / alignment * alignment;
        }
        out.pad(alignment);
        for (const Tensor& t : tensors) {
            out.bytes += t.bytes;
            out.pad(alignment);
        }
        out.bytes += tail;
        return out;
    }
    [[nodiscard]] std::string build() const { return build_with_fields().bytes; }

  private:
    static GgufBytes array_head(const std::string& key, std::uint32_t type, std::uint64_t n) {
        GgufBytes out;
        out.field("type of '" + key + "'", static_cast<std::uint32_t>(formats::GgufType::array));
        out.field("element type of '" + key + "'", type).field("elements of '" + key + "'", n);
        return out;
    }
    template <class T>
    static void append_value(GgufBytes& out, const std::string& key, T value) {
        if constexpr (std::is_arithmetic_v<T>) {
            out.number(value);
        } else {
            out.string("a string of '" + key + "'", value);
        }
    }
    template <class T>
    static GgufBytes value_bytes(const std::string& key, const T& value) {
        GgufBytes out;
        out.field("type of '" + key + "'", static_cast<std::uint32_t>(gguf_type_of<T>()));
        append_value(out, key, value);
        return out;
    }
    template <class T>
    static GgufBytes value_bytes(const std::string& key, const std::vector<T>& list) {
        GgufBytes out = array_head(key, static_cast<std::uint32_t>(gguf_type_of<T>()), list.size());
        for (const T& value : list) {
            append_value(out, key, value);
        }
        return out;
    }
    static void append_record(GgufBytes& out, const Tensor& t, std::uint64_t offset) {
        const std::string of = " of tensor '" + t.name + "'";
        out.string("the name" + of, t.name);
        out.field("n_dims" + of, t.n_dims.value_or(static_cast<std::uint32_t>(t.dims.size())));
        for (std::size_t i = 0; i < t.dims.size(); ++i) {
            out.field("dim " + std::to_string(i) + of, t.dims[i]);
        }
        out.field("type" + of, t.type).field("offset" + of, t.offset.value_or(offset));
    }
    [[nodiscard]] std::size_t index_of(const std::string& key) const {
        const auto it = std::find_if(pairs_.begin(), pairs_.end(),
                                     [&](const auto& pair) { return pair.first == key; });
        if (it == pairs_.end()) {
            throw std::out_of_range(key);
        }
        return static_cast<std::size_t>(it - pairs_.begin());
    }

    std::vector<std::pair<std::string, GgufBytes>> pairs_;
};

} // namespace sotto::test

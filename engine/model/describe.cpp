// SPDX-License-Identifier: Apache-2.0
#include "engine/model/describe.h"

#include "engine/cache/kv_shape.h"
#include "engine/formats/ggml_types.h"
#include "engine/formats/hub_cache.h"
#include "engine/model/file_type.h"
#include "engine/model/step_context.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

namespace sotto::model {
namespace {

bool is_type_name(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    });
    return (text.size() >= 2 && (text[0] == 'Q' || text[0] == 'F') && text[1] >= '1' &&
            text[1] <= '9') ||
           text.starts_with("IQ") || text == "BF16";
}

/// "X-00001-of-00003" without its end.
std::string without_part(const std::string& name) {
    const std::size_t of = name.rfind("-of-");
    const bool is_part =
        of != std::string::npos && of >= 6 && name.size() == of + 9 && name[of - 6] == '-';
    return is_part ? name.substr(0, of - 6) : name;
}

void count_tensors(const formats::TensorSource& tensors, ModelInfo& info) {
    std::map<std::string, TensorTypeCount> types;
    for (const formats::StoredTensor& t : tensors.tensors()) {
        TensorTypeCount& count = types[formats::ggml_type_name(t.ggml_type)];
        count.type = formats::ggml_type_name(t.ggml_type);
        ++count.n_tensors;
        count.n_elements += t.n_elements();
        count.n_bytes += static_cast<std::int64_t>(t.n_bytes);
        info.n_parameters += t.n_elements();
    }
    for (const auto& [name, count] : types) {
        info.tensor_types.push_back(count);
    }
    std::ranges::sort(info.tensor_types, std::ranges::greater{}, &TensorTypeCount::n_bytes);
}

/// The recipe that the file names; else the type most bytes have.
std::string quantization_of(const ModelInfo& info) {
    for (const MetadataEntry& entry : info.metadata) {
        std::int64_t number = -1;
        if (entry.key == "general.file_type") {
            std::from_chars(entry.value.data(), entry.value.data() + entry.value.size(), number);
        }
        if (const std::string_view name = file_type_name(number); !name.empty()) {
            return std::string(name);
        }
    }
    return info.tensor_types.empty() ? "" : info.tensor_types.front().type;
}

} // namespace

std::string display_name(const std::string& path) {
    std::filesystem::path file(std::u8string(path.begin(), path.end()));
    if (file.filename().empty()) { // "folder/"
        file = file.parent_path();
    }
    const std::u8string whole = file.u8string();
    if (std::string name = formats::name_in_cache({whole.begin(), whole.end()}); !name.empty()) {
        return name;
    }
    const bool is_gguf = file.extension() == ".gguf" || file.extension() == ".GGUF";
    const std::u8string stem = (is_gguf ? file.stem() : file.filename()).u8string();
    const std::string name = without_part({stem.begin(), stem.end()});
    const std::size_t cut = name.find_last_of(".-");
    const bool has_type = cut != std::string::npos && cut > 0 && is_type_name(name.substr(cut + 1));
    return has_type ? name.substr(0, cut) : name;
}

void describe(const ModelSource& source, const ModelConfig& c, ModelInfo& i) {
    i.path = source.path();
    i.name = display_name(i.path);
    i.architecture = c.architecture;
    i.metadata = source.metadata();
    count_tensors(source.tensors(), i);
    i.quantization = quantization_of(i);
    i.file_bytes = static_cast<std::int64_t>(source.tensors().file_bytes());
    for (const CacheType type : kCacheTypes) {
        const cache::KvShape shape = kv_shape(c, type);
        i.kv_bytes_per_token[static_cast<std::size_t>(type)] =
            static_cast<std::int64_t>(shape.bytes_per_token());
    }
    i.n_vocab = c.n_vocab;
    i.n_ctx_train = c.n_ctx_train;
    i.n_layer = c.n_layer;
    i.n_embd = c.n_embd;
    i.n_head = c.n_head;
    i.n_head_kv = c.n_head_kv;
    i.head_dim = c.head_dim;
    i.n_ff = c.n_ff;
}

} // namespace sotto::model

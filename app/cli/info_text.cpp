// SPDX-License-Identifier: Apache-2.0
#include "app/cli/info_text.h"

#include "app/cli/shown_text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace sotto::cli {
namespace {

constexpr std::size_t kLabel = 17; // columns before a fact

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
std::string
format(const char* how, ...) {
    char text[200];
    va_list values;
    va_start(values, how);
    std::vsnprintf(text, sizeof text, how, values);
    va_end(values);
    return text;
}

double mib(std::int64_t bytes) {
    return static_cast<double>(bytes) / (1 << 20);
}

double bits_each(std::int64_t bytes, std::int64_t n) {
    return n > 0 ? 8 * static_cast<double>(bytes) / static_cast<double>(n) : 0;
}

std::string fact(const std::string& label, const std::string& text) {
    return wrapped(format("  %-15s", label.c_str()), text, kLabel);
}

std::string parameters(std::int64_t n) {
    return n < 1'000'000 ? format("%.1f thousand parameters", static_cast<double>(n) / 1e3)
                         : format("%.1f million parameters", static_cast<double>(n) / 1e6);
}

std::string thinking(const ModelInfo& i) {
    if (i.thinking.empty()) {
        return "no";
    }
    return "between " + i.thinking.open + " and " + i.thinking.close +
           (i.can_switch_thinking ? "; --think on, off" : "; cannot be switched");
}

std::string facts(const ModelInfo& i, int n_ctx) {
    std::string out = wrapped("", i.name, 2);
    out += fact("from", i.path);
    out += fact("size", format("%.1f MiB, ", mib(i.file_bytes)) + parameters(i.n_parameters));
    out += fact("architecture", i.architecture + format(": %d layers, width %d, ffn %d", i.n_layer,
                                                        i.n_embd, i.n_ff));
    out += fact("attention",
                format("%d heads of %d, %d of keys and values", i.n_head, i.head_dim, i.n_head_kv));
    out += fact("vocabulary", format("%d rows", i.n_vocab));
    out += fact("tokenizer", i.tokenizer);
    out += fact("chat template", i.chat_template);
    out += fact("thinking", thinking(i));
    out += fact("context", format("%d tokens trained", i.n_ctx_train));
    if (!i.template_warning.empty()) {
        out += fact("warning", i.template_warning);
    }
    if (const std::string warning = context_warning(i, n_ctx); !warning.empty()) {
        out += fact("warning", warning);
    }
    for (const std::string& warning : i.warnings) {
        out += fact("warning", warning);
    }
    return out;
}

std::string memory(const ModelInfo& i, int n_ctx) {
    std::string out = format("\nmemory with a context of %d tokens, in MiB\n", n_ctx);
    out += format("  %-10s  %10s  %12s  %10s  %10s\n", "cache", "weights", "keys, values",
                  "the rest", "together");
    EngineOptions options;
    options.n_ctx = n_ctx;
    MemoryEstimate e;
    for (const CacheType type : kCacheTypes) {
        options.cache_type = type;
        e = estimate_memory(i, options);
        out +=
            format("  %-10s  %10.1f  %12.1f  %10.1f  %10.1f%s\n", cache_type_name(type),
                   mib(e.weight_bytes), mib(e.kv_bytes), mib(e.vocabulary_bytes + e.buffer_bytes),
                   mib(e.total_bytes()), e.missing_bytes() > 0 ? "  more than is free" : "");
    }
    if (e.available_bytes > 0) {
        out += format("  %-10s  %48.1f\n", "free now", mib(e.available_bytes));
    }
    return out;
}

std::string tensor_line(const char* type, std::int64_t n, std::int64_t bytes, double bits) {
    return format("  %-8s  %6lld  %12.1f MiB", type, static_cast<long long>(n), mib(bytes)) +
           (bits > 0 ? format("  %6.2f bits a weight\n", bits) : "\n");
}

std::string tensors(const ModelInfo& i) {
    std::string out = "\ntensors\n";
    std::int64_t n = 0, bytes = 0;
    for (const TensorTypeCount& t : i.tensor_types) {
        out += tensor_line(t.type.c_str(), t.n_tensors, t.n_bytes, bits_per_weight(t));
        n += t.n_tensors;
        bytes += t.n_bytes;
    }
    return out + tensor_line("all", n, bytes, bits_per_weight(i));
}

/// "key  value", the value on lines of its own where both do not fit. Numbers and text tell their
/// type by themselves; lists say it.
std::string metadata(const ModelInfo& i) {
    std::size_t width = 0;
    for (const MetadataEntry& m : i.metadata) {
        width = std::max(width, m.key.size());
    }
    const std::size_t column = std::min<std::size_t>(width, 40) + 4;
    std::string out = i.metadata.empty() ? "" : "\nmetadata\n";
    for (const MetadataEntry& m : i.metadata) {
        std::string key = "  " + shown(m.key) + "  ";
        if (key.size() <= column) {
            key.resize(column, ' ');
        } else {
            out += wrapped("  ", m.key, 4);
            key.assign(column, ' ');
        }
        out += wrapped(key, m.value, column);
    }
    return out;
}

} // namespace

std::string context_warning(const ModelInfo& info, int n_ctx) {
    if (info.n_ctx_train <= 0 || n_ctx <= info.n_ctx_train) {
        return {};
    }
    return "A context of " + std::to_string(n_ctx) + " tokens is longer than the " +
           std::to_string(info.n_ctx_train) +
           " the model was trained with; beyond them it may write nonsense.";
}

double bits_per_weight(const TensorTypeCount& count) {
    return bits_each(count.n_bytes, count.n_elements);
}

double bits_per_weight(const ModelInfo& info) {
    std::int64_t bytes = 0;
    for (const TensorTypeCount& t : info.tensor_types) {
        bytes += t.n_bytes;
    }
    return bits_each(bytes, info.n_parameters);
}

std::string info_text(const ModelInfo& info, int n_ctx) {
    return facts(info, n_ctx) + memory(info, n_ctx) + tensors(info) + metadata(info);
}

} // namespace sotto::cli

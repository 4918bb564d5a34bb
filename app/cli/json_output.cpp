// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"

#include "app/cli/info_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void print(const Json& json) {
    std::puts(text_of(json).c_str());
}

Json to_json(const Timings& t) {
    return Json{{"load_ms", t.load_ms},
                {"ttft_ms", t.ttft_ms},
                {"prefill_tokens", t.prefill_tokens},
                {"prefill_tokens_per_s", t.prefill_tokens_per_s},
                {"reused_tokens", t.reused_tokens},
                {"decode_tokens", t.decode_tokens},
                {"decode_tokens_per_s", t.decode_tokens_per_s},
                {"threads_used", t.threads_used}};
}

Json to_json(const ModelInfo& i, int n_ctx) {
    Json metadata = Json::object();
    for (const MetadataEntry& m : i.metadata) {
        metadata[m.key] = {{"type", m.type}, {"value", m.value}};
    }
    Json tensors = Json::array();
    for (const TensorTypeCount& t : i.tensor_types) {
        tensors.push_back({{"type", t.type}, {"count", t.n_tensors}, {"bytes", t.n_bytes}});
        if (const double bits = bits_per_weight(t); bits > 0) {
            tensors.back()["bits_per_weight"] = bits;
        }
    }
    std::vector<std::string> warnings = i.warnings;
    if (!i.template_warning.empty()) {
        warnings.insert(warnings.begin(), i.template_warning);
    }
    if (std::string warning = context_warning(i, n_ctx); !warning.empty()) {
        warnings.push_back(std::move(warning));
    }
    const auto kv_bytes = [&](CacheType type) { return i.kv_bytes(type, n_ctx); };
    return {{"name", i.name},
            {"path", i.path},
            {"architecture", i.architecture},
            {"quantization", i.quantization},
            {"n_layer", i.n_layer},
            {"n_embd", i.n_embd},
            {"n_ff", i.n_ff},
            {"n_head", i.n_head},
            {"n_head_kv", i.n_head_kv},
            {"head_dim", i.head_dim},
            {"n_vocab", i.n_vocab},
            {"n_ctx_train", i.n_ctx_train},
            {"n_parameters", i.n_parameters},
            {"bits_per_weight", bits_per_weight(i)},
            {"file_bytes", i.file_bytes},
            {"weight_bytes", i.weight_bytes},
            {"kv_bytes", kv_bytes(CacheType::F16)},
            {"kv_f32_bytes", kv_bytes(CacheType::F32)},
            {"kv_q8_0_bytes", kv_bytes(CacheType::Q8_0)},
            {"n_ctx", n_ctx},
            {"tokenizer", i.tokenizer},
            {"chat_template", i.chat_template},
            {"template_source", i.template_source},
            {"thinking", i.thinking.empty()
                             ? Json()
                             : Json{{"open", i.thinking.open}, {"close", i.thinking.close}}},
            {"can_switch_thinking", i.can_switch_thinking},
            {"warnings", warnings},
            {"tensors", tensors},
            {"metadata", metadata}};
}

Json to_json(const DivergenceReport& k) {
    return {{"mean", k.mean},
            {"mean_error", k.mean_error},
            {"median", k.median},
            {"p90", k.p90},
            {"p95", k.p95},
            {"p99", k.p99},
            {"max", k.max},
            {"same_top", k.same_top},
            {"same_top_error", k.same_top_error},
            {"base_model", k.base_model},
            {"base_ppl", k.base_ppl},
            {"base_ppl_error", k.base_ppl_error},
            {"ppl_ratio", k.ppl_ratio},
            {"ppl_ratio_error", k.ppl_ratio_error}};
}

} // namespace

void print_json(const Outcome& outcome, const std::vector<TokenId>& prompt,
                const std::optional<std::string>& logits_hash,
                const std::optional<ForcedPicks>& forced) {
    Json json{{"text", outcome.text},
              {"token_ids", outcome.token_ids},
              {"prompt_token_ids", prompt},
              {"finish_reason", finish_reason_name(outcome.reason)},
              {"timings", to_json(outcome.timings)}};
    if (!outcome.thinking.empty()) {
        json["thinking"] = outcome.thinking;
    }
    if (logits_hash) {
        json["logits_hash"] = *logits_hash;
    }
    if (forced) {
        json["picks"] = forced->picks;
        json["margins"] = forced->margins;
    }
    print(json);
}

void print_json(const std::vector<TokenId>& ids, const std::vector<std::string>& pieces) {
    print({{"ids", ids}, {"pieces", pieces}});
}

void print_json(const CpuInfo& info) {
    print({{"cpu", info.description},
           {"levels", info.supported},
           {"used", info.used},
           {"cores", info.n_cores}});
}

void print_json(const ModelInfo& info, int n_ctx) {
    print(to_json(info, n_ctx));
}

void print_json(const PerplexityReport& r) {
    Json json{{"ppl", r.ppl},
              {"ppl_error", r.ppl_error},
              {"nll", r.nll},
              {"tokens", r.n_tokens},
              {"windows", r.n_windows}};
    if (r.kl) {
        json["kl"] = to_json(*r.kl);
    }
    print(json);
}

void print_json(const RenderedChat& chat) {
    print({{"text", chat.text}, {"ids", chat.tokens}, {"thinking_open", chat.thinking_open}});
}

void print_json_text(const std::string& text) {
    print(Json(text));
}

void print_json_error(const std::string& message) {
    print(Json{{"error", message}});
}

namespace {

/// What was measured beside a row; null where nothing was.
Json limits_of(const BenchResult& r) {
    if (r.limit_share.empty()) {
        return {{"limit_share", nullptr}};
    }
    return {{"limit_share", r.mean_share()},
            {"bandwidth_gb_per_s", r.limits.read_gb_per_s},
            {"products_giga_ops", r.limits.products_giga_ops}};
}

Json operations_of(const BenchResult& r) {
    Json operations = Json::array();
    const double all = seconds_of(r.operations);
    for (const OperationTotal& o : r.operations) {
        operations.push_back(
            {{"name", o.name}, {"share", o.seconds / all}, {"seconds", o.seconds}});
        if (o.n_products > 0) {
            operations.back()["gb_per_s"] = o.read_gb_per_s();
            operations.back()["giga_ops"] = o.giga_ops();
        }
    }
    return operations;
}

} // namespace

void print_json(const std::vector<BenchRow>& rows) {
    Json results = Json::array();
    double bandwidth = 0;
    for (const BenchRow& row : rows) {
        results.push_back({{"model", row.info.name},
                           {"quantization", row.info.quantization},
                           {"path", row.info.path},
                           {"file_bytes", row.info.file_bytes},
                           {"test", row.result.test},
                           {"isa", row.isa},
                           {"threads", row.n_threads},
                           {"kv_type", cache_types_name(row.cache)},
                           {"tokens_per_s", row.result.mean()},
                           {"stddev", row.result.stddev()},
                           {"runs", row.result.tokens_per_s}});
        results.back().update(limits_of(row.result));
        if (!row.result.operations.empty()) {
            results.back()["operations"] = operations_of(row.result);
        }
        bandwidth = std::max(bandwidth, row.result.limits.read_gb_per_s);
    }
    print({{"results", results}, {"bandwidth_gb_per_s", bandwidth > 0 ? Json(bandwidth) : Json()}});
}

std::string json_quoted(const std::string& text) {
    return text_of(Json(text));
}

} // namespace sotto::cli

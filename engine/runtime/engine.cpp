// SPDX-License-Identifier: Apache-2.0
// The functions of engine/engine.h.
#include "engine/engine.h"

#include "engine/base/memory.h"
#include "engine/base/sha256.h"
#include "engine/model/loaded_model.h"
#include "engine/runtime/machine_probe.h"
#include "engine/runtime/scheduler.h"
#include "kernels/fp_env.h"
#include "kernels/kernels.h"

#include <bit>
#include <cstdlib>
#include <new>

namespace sotto {
namespace {

/// `wanted`: a level's name; empty: SOTTO_ISA, or the best there is.
Result<kernels::Isa> chosen_isa(const std::string& wanted = {}) {
    kernels::Isa isa{};
    std::string error;
    const char* forced = wanted.empty() ? std::getenv("SOTTO_ISA") : wanted.c_str();
    if (!kernels::choose_isa(forced, isa, error)) {
        return Error{ErrorCode::bad_argument, error};
    }
    return isa;
}

/// Runs f; what the standard library throws for want of memory becomes an Error.
template <class F>
auto guarded(F&& f) -> decltype(f()) {
    try {
        return f();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "there is not enough memory"};
    } catch (const std::exception& e) {
        return Error{ErrorCode::internal, e.what()};
    }
}

} // namespace

Result<CpuInfo> cpu_info() {
    auto isa = chosen_isa();
    if (!isa) {
        return std::move(isa).error();
    }
    CpuInfo info;
    info.description = kernels::cpu_description();
    for (const kernels::Isa level : kernels::supported_isas()) {
        info.supported.emplace_back(kernels::isa_name(level));
    }
    info.used = kernels::isa_name(*isa);
    info.n_cores = usable_cores();
    return info;
}

Result<std::unique_ptr<MachineProbe>> create_machine_probe(int n_threads, const std::string& isa,
                                                           std::size_t memory_bytes) {
    return guarded([&]() -> Result<std::unique_ptr<MachineProbe>> {
        auto chosen = chosen_isa(isa);
        if (!chosen) {
            return std::move(chosen).error();
        }
        return runtime::make_machine_probe(n_threads > 0 ? n_threads : usable_cores(),
                                           kernels::kernel_table(*chosen), memory_bytes);
    });
}

Result<std::shared_ptr<const Model>> load_model(const std::string& path,
                                                const LoadOptions& options) {
    return guarded([&]() -> Result<std::shared_ptr<const Model>> {
        auto isa = chosen_isa(options.isa);
        if (!isa) {
            return std::move(isa).error();
        }
        auto model = model::LoadedModel::load(path, options, kernels::kernel_table(*isa));
        if (!model) {
            return std::move(model).error();
        }
        return std::shared_ptr<const Model>(*std::move(model));
    });
}

Result<ModelInfo> describe_model(const std::string& path) {
    return guarded([&] { return model::LoadedModel::describe(path); });
}

Result<std::unique_ptr<Engine>> create_engine(std::shared_ptr<const Model> model,
                                              const EngineOptions& options) {
    return guarded([&]() -> Result<std::unique_ptr<Engine>> {
        auto loaded = std::dynamic_pointer_cast<const model::LoadedModel>(std::move(model));
        if (!loaded) {
            return Error{ErrorCode::bad_argument, "the model was not loaded by load_model"};
        }
        return runtime::Scheduler::create(std::move(loaded), options);
    });
}

const char* cache_type_name(CacheType type) {
    switch (type) {
    case CacheType::F16:
        return "f16";
    case CacheType::F32:
        return "f32";
    case CacheType::Q8_0:
        return "q8_0";
    }
    return "f16";
}

std::string cache_types_name(CacheTypes types) {
    const std::string keys = cache_type_name(types.k);
    return types.k == types.v ? keys : keys + ":" + cache_type_name(types.v);
}

Result<CacheTypes> parse_cache_types(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view names[] = {
        text.substr(0, colon), colon == std::string_view::npos ? text : text.substr(colon + 1)};
    CacheType found[2] = {};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto it = std::ranges::find_if(
            kCacheTypes, [&](CacheType type) { return names[i] == cache_type_name(type); });
        if (it == kCacheTypes.end()) {
            return Error{ErrorCode::bad_argument,
                         "'" + std::string(names[i]) + "' is none of f16, f32, q8_0"};
        }
        found[i] = *it;
    }
    return CacheTypes{found[0], found[1]};
}

const char* finish_reason_name(FinishReason reason) {
    switch (reason) {
    case FinishReason::stop:
        return "stop";
    case FinishReason::length:
        return "length";
    case FinishReason::context:
        return "context";
    case FinishReason::cancelled:
        return "cancelled";
    case FinishReason::error:
        return "error";
    }
    return "error";
}

struct LogitsHash::State {
    Sha256 sha;
};

LogitsHash::LogitsHash() : state_(std::make_unique<State>()) {}
LogitsHash::~LogitsHash() = default;
LogitsHash::LogitsHash(LogitsHash&&) noexcept = default;
LogitsHash& LogitsHash::operator=(LogitsHash&&) noexcept = default;

void LogitsHash::add(std::span<const float> logits) {
    static_assert(std::endian::native == std::endian::little,
                  "rows are hashed as they lie in memory");
    state_->sha.update(std::as_bytes(logits));
}

std::string LogitsHash::hex() {
    return state_->sha.hex();
}

double negative_log_prob(std::span<const float> logits, TokenId token) {
    const kernels::DefaultFpEnv default_env;
    // Every level gives the same bits; the fastest is taken.
    static const kernels::KernelTable& kernel =
        kernels::kernel_table(kernels::supported_isas().back());
    const float log_sum =
        kernel.log_sum_exp(logits.data(), static_cast<std::int64_t>(logits.size()));
    return static_cast<double>(log_sum) -
           static_cast<double>(logits[static_cast<std::size_t>(token)]);
}

} // namespace sotto

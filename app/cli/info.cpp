// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/json_output.h"
#include "app/cli/number_check.h"
#include "app/cli/session.h"

#include <CLI/App.hpp>

#include <cstdio>

namespace sotto::cli {
namespace {

double mib(std::int64_t bytes) {
    return static_cast<double>(bytes) / (1 << 20);
}

int cpu(bool json) {
    auto info = cpu_info();
    if (!info) {
        return fail(info.error());
    }
    if (json) {
        print_json(*info);
        return kOk;
    }
    std::printf("cpu     %s\ncores   %d\nlevels ", info->description.c_str(), info->n_cores);
    for (const std::string& level : info->supported) {
        std::printf(" %s", level.c_str());
    }
    std::printf("\nused    %s\n", info->used.c_str());
    return kOk;
}

void print_text(const ModelInfo& i, int n_ctx) {
    std::printf("%s\n  file           %s, %.1f MiB\n", i.name.c_str(), i.path.c_str(),
                mib(i.file_bytes));
    std::printf("  architecture   %s, %d layers, width %d, ffn %d, %d heads (%d key/value) of %d\n",
                i.architecture.c_str(), i.n_layer, i.n_embd, i.n_ff, i.n_head, i.n_head_kv,
                i.head_dim);
    std::printf("  parameters     %.1f million\n", static_cast<double>(i.n_parameters) / 1e6);
    std::printf("  tokenizer      %s\n  chat template  %s\n", i.tokenizer.c_str(),
                i.chat_template.c_str());
    std::printf("  context        %d tokens trained\n", i.n_ctx_train);
    std::printf("  memory         %.1f MiB weights + %.1f MiB for a context of %d tokens\n",
                mib(i.weight_bytes), mib(i.kv_bytes_per_token * n_ctx), n_ctx);
    std::printf("\ntensors\n");
    for (const TensorTypeCount& t : i.tensor_types) {
        std::printf("  %-8s %5lld  %10.1f MiB\n", t.type.c_str(),
                    static_cast<long long>(t.n_tensors), mib(t.n_bytes));
    }
    std::printf("\nmetadata\n");
    for (const MetadataEntry& m : i.metadata) {
        std::printf("  %-40s %-16s %s\n", m.key.c_str(), m.type.c_str(), m.value.c_str());
    }
}

} // namespace

int run_info(int argc, char** argv) {
    OptionSet options("info", "Describe a model file, or this CPU with --cpu.");
    CLI::App& app = options.app();
    std::string path;
    bool show_cpu = false, json = false;
    int n_ctx = 0;
    app.add_option("-m,--model,model", path, "the model file");
    app.add_flag("--cpu", show_cpu, "what this CPU has and which instruction-set level is used");
    app.add_option("--ctx", n_ctx, "context for the memory figure; 0: the trained length")
        ->check(in_range(0, 1 << 30));
    app.add_flag("--json", json, "print one JSON object");
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    if (show_cpu) {
        return cpu(json);
    }
    if (path.empty()) {
        print_error({ErrorCode::bad_argument, "info needs a model file, or --cpu"});
        return kUsage;
    }
    auto model = load(path, 0);
    if (!model) {
        return fail(model.error());
    }
    const ModelInfo& info = (*model)->info();
    const int context = n_ctx > 0 ? n_ctx : info.n_ctx_train;
    if (json) {
        print_json(info, context);
    } else {
        print_text(info, context);
    }
    return kOk;
}

} // namespace sotto::cli

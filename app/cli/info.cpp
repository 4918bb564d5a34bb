// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/info_text.h"
#include "app/cli/json_output.h"
#include "app/cli/number_check.h"
#include "app/cli/session.h"

#include <CLI/App.hpp>

#include <cstdio>

namespace sotto::cli {
namespace {

struct InfoFlags {
    std::string path;
    bool cpu = false, json = false, source = false;
    int n_ctx = 0;

    void add_to(CLI::App& app) {
        app.add_option("-m,--model,model", path,
                       "a GGUF file (any part of a split one), or a folder with config.json");
        app.add_flag("--cpu", cpu, "what this CPU has and which instruction-set level is used");
        app.add_option("--ctx", n_ctx, "context for the memory figures; 0: the trained length")
            ->check(in_range(0, 1 << 30));
        auto* as_json = app.add_flag("--json", json, "print one JSON object");
        app.add_flag("--template", source, "print the chat template's source alone")
            ->excludes(as_json);
    }
};

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

int print(const ModelInfo& info, const InfoFlags& flags) {
    if (flags.source) {
        if (info.template_source.empty()) {
            return fail({ErrorCode::unsupported, "'" + info.path + "' has no chat template"});
        }
        std::fwrite(info.template_source.data(), 1, info.template_source.size(), stdout);
        return kOk;
    }
    const int n_ctx = flags.n_ctx > 0 ? flags.n_ctx : info.n_ctx_train;
    if (flags.json) {
        print_json(info, n_ctx);
    } else {
        std::fputs(info_text(info, n_ctx).c_str(), stdout);
    }
    return kOk;
}

} // namespace

int run_info(int argc, char** argv) {
    OptionSet options("info", "Describe a model, or this CPU with --cpu.");
    InfoFlags flags;
    flags.add_to(options.app());
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    if (flags.cpu) {
        return cpu(flags.json);
    }
    if (flags.path.empty()) {
        print_error({ErrorCode::bad_argument,
                     "info needs a model (a GGUF file, or a folder with config.json), or --cpu"});
        return kUsage;
    }
    auto info = describe_model(flags.path);
    if (!info) {
        return fail(info.error());
    }
    return print(*info, flags);
}

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/bench_options.h"
#include "app/cli/bench_run.h"
#include "app/cli/command.h"
#include "app/cli/json_output.h"
#include "app/cli/shown_text.h"

#include <algorithm>
#include <cstdio>

namespace sotto::cli {
namespace {

constexpr std::size_t kProbeBytes = std::size_t{1} << 30; // more than any cache

std::string percent(const BenchResult& r) {
    char text[16];
    std::snprintf(text, sizeof text, "%.0f %%", 100 * r.mean_share());
    return r.limit_share.empty() ? "" : text;
}

/// "12.3 GB/s (85 %), 140 GOPS (20 %)": of what the machine can do, where that is known.
std::string speed_text(const OperationTotal& o, const MachineLimits& limits) {
    const auto part = [](double value, double limit) {
        char text[32] = "";
        if (limit > 0) {
            std::snprintf(text, sizeof text, " (%.0f %%)", 100 * value / limit);
        }
        return std::string(text);
    };
    char text[64];
    std::snprintf(text, sizeof text, "%.1f GB/s%s, %.0f GOPS", o.read_gb_per_s(),
                  part(o.read_gb_per_s(), limits.read_gb_per_s).c_str(), o.giga_ops());
    return text + part(o.giga_ops(), limits.products_giga_ops);
}

void print_head() {
    std::puts("| model | size | level | threads | cache | test | tokens/s | of the limit |");
    std::puts("|---|---:|---|---:|---|---|---:|---:|");
}

void print_row(const BenchRow& row) {
    std::printf("| %s %s | %.1f MiB | %s | %d | %s | %s | %.2f ± %.2f | %s |\n",
                shown(row.info.name).c_str(), shown(row.info.quantization).c_str(),
                static_cast<double>(row.info.file_bytes) / (1 << 20), row.isa.c_str(),
                row.n_threads, cache_types_name(row.cache).c_str(), row.result.test.c_str(),
                row.result.mean(), row.result.stddev(), percent(row.result).c_str());
    std::fflush(stdout);
}

/// A line for each operation: its part of the time, and the bandwidth or products it reaches.
void print_operations(const BenchResult& result) {
    const double all = seconds_of(result.operations);
    for (const OperationTotal& o : result.operations) {
        std::printf("|   %s | | | | | | %.1f %% | %s |\n", o.name.c_str(), 100 * o.seconds / all,
                    o.n_products == 0 ? "" : speed_text(o, result.limits).c_str());
    }
}

/// Everything that is measured of one model at one level.
class Bench {
  public:
    explicit Bench(const BenchFlags& flags) : flags_(flags), tests_(flags.tests()) {}

    Result<void> run() {
        if (!flags_.json) {
            print_head();
        }
        for (const std::string& path : flags_.models) {
            for (const std::string& isa :
                 flags_.isas.empty() ? std::vector<std::string>{""} : flags_.isas) {
                if (auto done = run_model(path, isa); !done) {
                    return done;
                }
            }
        }
        return {};
    }
    [[nodiscard]] const std::vector<BenchRow>& rows() const { return rows_; }

  private:
    Result<void> run_model(const std::string& path, const std::string& isa) {
        auto model = load(path, 0, isa);
        if (!model) {
            return std::move(model).error();
        }
        const auto cpu = cpu_info();
        const std::string level = isa.empty() && cpu ? cpu->used : isa;
        for (const int n_threads : flags_.threads) {
            std::unique_ptr<MachineProbe> probe;
            if (auto made = make_probe(n_threads, isa, probe); !made) {
                return made;
            }
            const auto types =
                flags_.kv_types.empty() ? std::vector<CacheTypes>{CacheTypes{}} : flags_.kv_types;
            for (const CacheTypes cache : types) {
                const BenchRow setup{(*model)->info(), level, n_threads, cache, {}};
                if (auto done = run_setup(*model, setup, probe.get()); !done) {
                    return done;
                }
            }
        }
        return {};
    }

    Result<void> make_probe(int n_threads, const std::string& isa,
                            std::unique_ptr<MachineProbe>& probe) const {
        if (flags_.no_limits) {
            return {};
        }
        auto made = create_machine_probe(n_threads, isa, kProbeBytes);
        if (!made) {
            return Error{made.error().code,
                         "the machine's limits: " + made.error().message + "; see --no-limits"};
        }
        probe = *std::move(made);
        return {};
    }

    Result<void> run_setup(const std::shared_ptr<const Model>& model, const BenchRow& setup,
                           MachineProbe* probe) {
        OperationTotals operations; // of steps, which end before their request's answer does
        EngineOptions options;
        if (flags_.operations) {
            options.on_step_times = [&operations](auto step) { operations.add(step); };
        }
        options.n_threads = setup.n_threads;
        options.n_batch = flags_.n_batch;
        options.cache_type = setup.cache;
        for (const BenchTest& test : tests_) {
            options.n_ctx = std::max(options.n_ctx, test.n_ctx());
        }
        auto engine = create_engine(model, options);
        if (!engine) {
            return std::move(engine).error();
        }
        const Session session{model, *std::move(engine)};
        BenchRun run(session, probe, operations);
        for (const BenchTest& test : tests_) {
            auto result = run.run(test, flags_.n_repetitions);
            if (!result) {
                return std::move(result).error();
            }
            BenchRow& row = rows_.emplace_back(setup);
            row.n_threads = session.engine->status().n_threads;
            row.result = *std::move(result);
            if (!flags_.json) {
                print_row(row);
                print_operations(row.result);
            }
        }
        return {};
    }

    const BenchFlags& flags_;
    std::vector<BenchTest> tests_;
    std::vector<BenchRow> rows_;
};

void print_limits(const std::vector<BenchRow>& rows) {
    std::puts("");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const BenchRow& r = rows[i];
        const bool again =
            i > 0 && rows[i - 1].isa == r.isa && rows[i - 1].n_threads == r.n_threads;
        if (!again && !r.result.limit_share.empty()) {
            std::printf("%s, %d threads: reading %.1f GB/s, 8-bit products %.0f GOPS\n",
                        r.isa.c_str(), r.n_threads, r.result.limits.read_gb_per_s,
                        r.result.limits.products_giga_ops);
        }
    }
}

} // namespace

int run_bench(int argc, char** argv) {
    OptionSet options("bench", kBenchDescription);
    BenchFlags flags;
    flags.add_to(options.app());
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    if (flags.tests().empty()) {
        print_error({ErrorCode::bad_argument, "there is nothing to measure: --pp and --tg are 0"});
        return kUsage;
    }
    Bench bench(flags);
    if (auto done = bench.run(); !done) {
        return fail(done.error());
    }
    if (flags.json) {
        print_json(bench.rows());
    } else {
        print_limits(bench.rows());
    }
    return kOk;
}

} // namespace sotto::cli

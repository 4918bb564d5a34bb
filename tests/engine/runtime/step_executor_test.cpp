// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/step_executor.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <vector>

using sotto::model::StepOp;
using sotto::model::StepPlan;
using sotto::runtime::StepExecutor;

namespace {

/// Operations that depend on each other: each chunk adds one to its cell, and checks that the
/// operation before it left every cell as it must be.
struct Chain {
    std::vector<std::int64_t> cells;
    std::atomic<int> n_wrong{0};
    std::atomic<std::int64_t> n_calls{0};
    std::atomic<int> busy[StepExecutor::kMaxThreads]{};

    explicit Chain(std::size_t n) : cells(n, 0) {}

    static void run(void* context, std::int64_t argument, std::int64_t chunk, int worker) {
        Chain& c = *static_cast<Chain*>(context);
        ++c.n_calls;
        // No two calls at one time have the same worker.
        c.n_wrong += c.busy[worker].fetch_add(1) != 0;
        // The neighbour's cell was written by whichever worker ran it in the operation before.
        const auto n = static_cast<std::int64_t>(c.cells.size());
        const std::int64_t neighbour = (chunk + 1) % n;
        if (argument % 2 == 0) {
            c.cells[static_cast<std::size_t>(chunk)] += 1;
        } else {
            c.n_wrong += c.cells[static_cast<std::size_t>(neighbour)] != argument / 2 + 1;
        }
        c.busy[worker].fetch_sub(1);
    }

    [[nodiscard]] StepPlan plan(int n_ops) {
        StepPlan p;
        for (int i = 0; i < n_ops; ++i) {
            p.push_back({run, this, i, static_cast<std::int64_t>(cells.size())});
        }
        return p;
    }
};

} // namespace

TEST_CASE("every chunk runs once, in order of operations, for any number of threads") {
    for (const int n_threads : {1, 2, 3, 8}) {
        CAPTURE(n_threads);
        StepExecutor executor(n_threads, 64);
        for (int step = 0; step < 200; ++step) {
            Chain chain(static_cast<std::size_t>(1 + step % 17));
            const StepPlan plan = chain.plan(1 + step % 64);
            REQUIRE(executor.run(plan, nullptr));
            REQUIRE(chain.n_wrong == 0);
            REQUIRE(chain.n_calls == static_cast<std::int64_t>(plan.size() * chain.cells.size()));
        }
    }
}

TEST_CASE("an operation without chunks and a plan without operations are fine") {
    StepExecutor executor(2, 8);
    CHECK(executor.run({}, nullptr));
    Chain chain(3);
    StepPlan plan = chain.plan(1);
    plan.push_back({Chain::run, &chain, 0, 0});
    CHECK(executor.run(plan, nullptr));
    CHECK(chain.n_calls == 3);
}

TEST_CASE("the thread count changes between steps, up and down") {
    StepExecutor executor(1, 64);
    for (const int n : {1, 4, 2, 1, 3, 16, 1, 2, 2, 5}) {
        executor.set_n_threads(n);
        CHECK(executor.n_threads() == n);
        for (int step = 0; step < 20; ++step) {
            Chain chain(9);
            const StepPlan plan = chain.plan(30);
            REQUIRE(executor.run(plan, nullptr));
            REQUIRE(chain.n_wrong == 0);
        }
    }
}

TEST_CASE("workers that slept come back") {
    StepExecutor executor(3, 8);
    for (int round = 0; round < 5; ++round) {
        Chain chain(50);
        const StepPlan plan = chain.plan(8);
        REQUIRE(executor.run(plan, nullptr));
        REQUIRE(chain.n_wrong == 0);
        std::this_thread::sleep_for(
            std::chrono::milliseconds(5)); // longer than they stay awake: what is tested
    }
}

TEST_CASE("all workers take part where there is work for all") {
    struct Slow {
        static void run(void*, std::int64_t, std::int64_t, int) {
            std::this_thread::sleep_for(
                std::chrono::milliseconds(1)); // a chunk that takes its time
        }
    };
    StepExecutor executor(3, 4);
    executor.reset_threads_used();
    CHECK(executor.threads_used() == 0);
    const StepPlan plan{{Slow::run, nullptr, 0, 60}};
    for (int i = 0; i < 10 && executor.threads_used() < 3; ++i) {
        REQUIRE(executor.run(plan, nullptr));
    }
    CHECK(executor.threads_used() == 3);
}

TEST_CASE("a cancelled step ends soon and says so") {
    std::atomic<bool> cancel{false};
    struct Slow {
        static void run(void* context, std::int64_t, std::int64_t chunk, int) {
            if (chunk == 5) {
                static_cast<std::atomic<bool>*>(context)->store(true);
            }
            std::this_thread::sleep_for(
                std::chrono::milliseconds(1)); // a chunk that takes its time
        }
    };
    StepExecutor executor(2, 4);
    const StepPlan plan{{Slow::run, &cancel, 0, 100000}};
    const auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(executor.run(plan, &cancel));
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    Chain chain(4);
    CHECK(executor.run(chain.plan(4), nullptr)); // the next step is not affected
    CHECK(chain.n_calls == 16);
}

TEST_CASE("an executor may go while its workers are still awake") {
    for (int i = 0; i < 50; ++i) {
        StepExecutor executor(4, 8);
        Chain chain(8);
        REQUIRE(executor.run(chain.plan(4), nullptr));
    }
}

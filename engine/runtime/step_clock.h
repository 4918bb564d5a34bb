// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/model/step_plan.h"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sotto::runtime {

/// Hands the times of a step's operations to whoever measures. Scheduler's thread.
class StepClock {
  public:
    explicit StepClock(std::function<void(std::span<const OperationTime>)> on_times)
        : on_times_(std::move(on_times)) {}

    /// Where the next step's n_ops times go; null where no one measures.
    double* start(std::size_t n_ops) {
        seconds_.assign(on_times_ ? n_ops : 0, 0.0);
        return on_times_ ? seconds_.data() : nullptr;
    }
    void finish(const model::StepPlan& plan) {
        if (!on_times_) {
            return;
        }
        times_.clear();
        for (std::size_t i = 0; i < plan.size(); ++i) {
            times_.push_back({plan[i].name, seconds_[i], plan[i].weight_bytes, plan[i].n_products});
        }
        on_times_(times_);
    }

  private:
    std::function<void(std::span<const OperationTime>)> on_times_;
    std::vector<double> seconds_;
    std::vector<OperationTime> times_;
};

} // namespace sotto::runtime

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch_input.h"

#include <utility>

namespace sotto::cli {
namespace {

constexpr std::size_t kAheadLines = 64;
constexpr std::size_t kAheadBytes = std::size_t{1} << 20; // one line may be longer

bool is_blank(const BatchLine& line) {
    return !line.too_long && line.text.find_first_not_of(" \t\r") == std::string::npos;
}

} // namespace

BatchInput::BatchInput(std::shared_ptr<InterruptibleInput> in, std::function<void()> on_change)
    : in_(std::move(in)), on_change_(std::move(on_change)), thread_([this] { read(); }) {}

BatchInput::~BatchInput() {
    stop();
}

std::optional<BatchLine> BatchInput::next() {
    const std::lock_guard lock(mutex_);
    if (lines_.empty()) {
        return {};
    }
    BatchLine line = std::move(lines_.front());
    lines_.pop_front();
    n_bytes_ -= line.text.size();
    taken_.notify_one();
    return line;
}

bool BatchInput::ended() const {
    const std::lock_guard lock(mutex_);
    return at_end_ && lines_.empty();
}

void BatchInput::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        taken_.notify_one();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
    lines_.clear();
    n_bytes_ = 0;
}

void BatchInput::read() {
    std::int64_t number = 0;
    for (BatchLine line; read_line(line); line = {}) {
        line.number = ++number;
        if (!is_blank(line) && !put(std::move(line))) {
            break;
        }
    }
    {
        const std::lock_guard lock(mutex_);
        at_end_ = true;
    }
    on_change_();
}

/// False at the end; a line that an interrupt or a failure cut off is none.
bool BatchInput::read_line(BatchLine& line) {
    using Traits = InterruptibleInput::traits_type;
    for (;;) {
        const auto c = in_->sbumpc();
        if (Traits::eq_int_type(c, Traits::eof())) {
            const bool whole = !in_->failed() && !interrupt_is_pending();
            return whole && (line.too_long || !line.text.empty());
        }
        if (Traits::to_char_type(c) == '\n') {
            return true;
        }
        if (line.text.size() == kMaxLineBytes) {
            line.too_long = true;
            line.text = {};
        }
        if (!line.too_long) {
            line.text.push_back(Traits::to_char_type(c));
        }
    }
}

/// Waits for room; false once stopped.
bool BatchInput::put(BatchLine line) {
    {
        std::unique_lock lock(mutex_);
        taken_.wait(lock, [this] {
            return stopped_ || lines_.empty() ||
                   (lines_.size() < kAheadLines && n_bytes_ < kAheadBytes);
        });
        if (stopped_) {
            return false;
        }
        n_bytes_ += line.text.size();
        lines_.push_back(std::move(line));
    }
    on_change_();
    return true;
}

} // namespace sotto::cli

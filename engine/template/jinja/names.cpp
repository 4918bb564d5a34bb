// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/names.h"

#include <algorithm>

namespace sotto::jinja {

Names::Names(Source& source) : source_(source) {
    source_.hidden_top = hidden(open());
}

Symbol Names::intern(std::string_view name) {
    const auto at = symbols_.find(name);
    if (at != symbols_.end()) {
        return at->second;
    }
    const auto symbol = static_cast<Symbol>(source_.symbols.size());
    source_.symbols.emplace_back(name);
    symbols_.emplace(name, symbol);
    return symbol;
}

void Names::read(Symbol symbol) {
    frames_[current_].known.insert(symbol);
    frames_[current_].read.insert(symbol);
}

void Names::set(Symbol symbol) {
    FrameNames& frame = frames_[current_];
    if (frame.known.insert(symbol).second && frame.n_branches == 0) {
        frame.hidden->push_back(symbol);
    }
}

std::size_t Names::open() {
    source_.hidden.push_back(std::make_unique<Hidden>());
    FrameNames frame;
    frame.parent = current_;
    frame.hidden = source_.hidden.back().get();
    current_ = frames_.size();
    frames_.push_back(std::move(frame));
    return current_;
}

bool Names::reads(std::size_t frame, std::string_view name) const {
    const auto symbol = symbols_.find(name);
    const auto first = frames_.begin() + static_cast<std::ptrdiff_t>(frame);
    return symbol != symbols_.end() && std::any_of(first, frames_.end(), [&](const auto& f) {
               return f.read.contains(symbol->second);
           });
}

bool Names::outer_knows(std::size_t frame, Symbol symbol) const {
    while (frame != 0) {
        frame = frames_[frame].parent;
        if (frames_[frame].known.contains(symbol)) {
            return true;
        }
    }
    return false;
}

void Names::finish() {
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        std::erase_if(*frames_[i].hidden, [&](Symbol symbol) { return outer_knows(i, symbol); });
    }
}

} // namespace sotto::jinja

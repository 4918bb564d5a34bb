// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/backend.h"
#include "ui/bridge/event_queue.h"

#include <memory>
#include <string>

namespace sotto::ui {

/// Loads a model and makes its engine; blocks, on a worker. Gives a Loaded or LoadFailed event.
/// Progress goes into `events` meanwhile.
BridgeEvent loadSession(Backend& backend, const std::string& path, const EngineOptions& options,
                        std::uint64_t id, const CancelToken& cancel,
                        const std::shared_ptr<EventQueue>& events);

/// Another engine for a model that is loaded already: a Loaded or LoadFailed event; on a worker.
BridgeEvent remakeSession(Backend& backend, std::shared_ptr<const Model> model,
                          const EngineOptions& options, std::uint64_t id);

/// A Counted event for `text`; takes as long as the text is long, on a worker.
BridgeEvent countTokensOf(const Model& model, const std::string& text, std::uint64_t id);

} // namespace sotto::ui

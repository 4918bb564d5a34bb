// SPDX-License-Identifier: Apache-2.0
#include "ui/bridge/load_task.h"

#include <new>
#include <utility>

namespace sotto::ui {
namespace {

Result<std::shared_ptr<Session>> makeSession(Backend& backend, std::shared_ptr<const Model> model,
                                             const EngineOptions& options) {
    try {
        Result<std::unique_ptr<Engine>> engine = backend.createEngine(model, options);
        if (!engine) {
            return std::move(engine).error();
        }
        auto session = std::make_shared<Session>();
        session->model = std::move(model);
        session->engine = *std::move(engine);
        session->details.info = session->model->info();
        session->details.memory = MemorySettings::of(options);
        const EngineStatus status = session->engine->status();
        session->details.nCtx = status.n_ctx;
        session->details.nThreads = status.n_threads;
        return session;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "there is not enough memory to run this model"};
    }
}

BridgeEvent loadedOrFailed(Result<std::shared_ptr<Session>> session, std::uint64_t id) {
    BridgeEvent event;
    event.id = id;
    if (session) {
        event.kind = BridgeEvent::Kind::Loaded;
        event.session = *std::move(session);
        event.session->id = id;
    } else {
        event.kind = BridgeEvent::Kind::LoadFailed;
        event.error = std::move(session).error();
    }
    return event;
}

Result<std::shared_ptr<Session>> load(Backend& backend, const std::string& path,
                                      const EngineOptions& options,
                                      const LoadOptions& loadOptions) {
    try {
        Result<std::shared_ptr<const Model>> model = backend.loadModel(path, loadOptions);
        if (!model) {
            return std::move(model).error();
        }
        if (loadOptions.cancel.cancelled()) {
            return Error{ErrorCode::cancelled, "loading was cancelled"};
        }
        return makeSession(backend, *std::move(model), options);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "there is not enough memory to load this model"};
    }
}

} // namespace

BridgeEvent loadSession(Backend& backend, const std::string& path, const EngineOptions& options,
                        std::uint64_t id, const CancelToken& cancel,
                        const std::shared_ptr<EventQueue>& events) {
    LoadOptions loadOptions;
    loadOptions.n_threads = options.n_threads;
    loadOptions.cancel = cancel;
    loadOptions.on_progress = [events, id](std::int64_t done, std::int64_t total) {
        BridgeEvent progress;
        progress.kind = BridgeEvent::Kind::LoadProgress;
        progress.id = id;
        progress.done = done;
        progress.total = total;
        events->put(std::move(progress));
    };
    if (cancel.cancelled()) {
        return loadedOrFailed(Error{ErrorCode::cancelled, "loading was cancelled"}, id);
    }
    return loadedOrFailed(load(backend, path, options, loadOptions), id);
}

BridgeEvent remakeSession(Backend& backend, std::shared_ptr<const Model> model,
                          const EngineOptions& options, std::uint64_t id) {
    return loadedOrFailed(makeSession(backend, std::move(model), options), id);
}

BridgeEvent countTokensOf(const Model& model, const std::string& text, std::uint64_t id) {
    BridgeEvent event;
    event.kind = BridgeEvent::Kind::Counted;
    event.id = id;
    try {
        event.done = static_cast<std::int64_t>(model.tokenize(text, false, false).size());
    } catch (const std::bad_alloc&) {
        event.done = 0; // a counter is not worth an error; sending says it
    }
    return event;
}

} // namespace sotto::ui

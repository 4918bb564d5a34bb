// SPDX-License-Identifier: Apache-2.0
#include "ui/bridge/answer.h"

#include "ui/bridge/answer_feed.h"

#include <new>
#include <utility>

namespace sotto::ui {
namespace {

BridgeEvent failure(std::uint64_t id, Error error) {
    BridgeEvent event;
    event.kind = BridgeEvent::Kind::Finished;
    event.id = id;
    event.reason = FinishReason::error;
    event.error = std::move(error);
    return event;
}

} // namespace

void Answer::run(Session& session, const std::vector<ChatMessage>& messages,
                 const ChatOptions& chat, const std::shared_ptr<EventQueue>& events) {
    if (stopped()) {
        return;
    }
    Result<Prepared> prepared = prepare(session, messages, chat);
    if (!prepared) {
        events->put(failure(m_id, std::move(prepared).error()));
        return;
    }
    RequestOptions& options = prepared->options;
    BridgeEvent size;
    size.kind = BridgeEvent::Kind::Submitted;
    size.id = m_id;
    size.done = static_cast<std::int64_t>(options.prompt.size());
    size.total = session.details.nCtx;
    size.text = std::move(prepared->notice);
    if (size.total > 0 && size.done >= size.total) { // no room for a single token of the answer
        BridgeEvent event = failure(m_id, {ErrorCode::too_long, {}});
        event.done = size.done;
        event.total = size.total;
        events->put(std::move(event));
        return;
    }
    events->put(std::move(size));
    options.on_event = [feed = AnswerFeed(m_id, options.thinking_open, events)](
                           const Event& event) mutable { feed.put(event); };
    submit(session, std::move(options));
}

Result<Answer::Prepared> Answer::prepare(const Session& session,
                                         const std::vector<ChatMessage>& messages,
                                         const ChatOptions& chat) {
    try {
        Result<RenderedChat> rendered = session.model->render_chat(messages, chat);
        if (!rendered) {
            return std::move(rendered).error();
        }
        Prepared prepared;
        prepared.options.prompt = std::move(rendered->tokens);
        prepared.options.thinking = session.details.info.thinking;
        prepared.options.thinking_open = rendered->thinking_open;
        prepared.notice = std::move(rendered->notice);
        return prepared;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory, "there is not enough memory to prepare this message"};
    }
}

void Answer::submit(Session& session, RequestOptions options) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_stopped) {
            return;
        }
        m_submitting = true;
        options.sampling = m_params;
    }
    const SamplingParams submitted = options.sampling;
    std::shared_ptr<Request> request = session.engine->submit(std::move(options));
    const std::lock_guard lock(m_mutex);
    m_request = std::move(request);
    if (m_stopped) { // while submit() ran
        m_request->cancel();
    } else if (!(m_params == submitted)) {
        m_request->set_sampling(m_params);
    }
}

bool Answer::stop() {
    const std::lock_guard lock(m_mutex);
    m_stopped = true;
    if (m_request) {
        m_request->cancel();
    }
    return m_submitting;
}

void Answer::setSampling(const SamplingParams& params) {
    const std::lock_guard lock(m_mutex);
    m_params = params;
    if (m_request) {
        m_request->set_sampling(params);
    }
}

bool Answer::stopped() {
    const std::lock_guard lock(m_mutex);
    return m_stopped;
}

} // namespace sotto::ui

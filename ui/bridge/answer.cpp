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

void putDropped(EventQueue& events, std::uint64_t id, int nMessages) {
    BridgeEvent event;
    event.kind = BridgeEvent::Kind::Dropped;
    event.id = id;
    event.done = nMessages;
    events.put(std::move(event));
}

/// A chat that fills the context while its answer is written: without its oldest turns, the answer
/// goes on. Called on the engine's thread, so it holds all it needs.
class Shortener {
  public:
    Shortener(std::uint64_t id, const Session& session, const Question& question, int nDropped,
              std::shared_ptr<EventQueue> events)
        : m_id(id), m_model(session.model), m_nCtx(session.details.nCtx), m_question(question),
          m_events(std::move(events)) {
        m_question.nDropped = nDropped;
    }
    std::vector<TokenId> operator()(std::span<const TokenId> answer) {
        try {
            Result<FittedChat> fitted =
                fit_chat(*m_model, m_question.messages, m_question.chat, m_nCtx,
                         static_cast<std::int64_t>(answer.size()), m_question.nDropped);
            if (!fitted || fitted->n_dropped <= m_question.nDropped) {
                return {};
            }
            m_question.nDropped = fitted->n_dropped;
            putDropped(*m_events, m_id, m_question.nDropped);
            return std::move(fitted->chat.tokens);
        } catch (const std::bad_alloc&) {
            return {}; // the answer ends as it would without this
        }
    }

  private:
    std::uint64_t m_id;
    std::shared_ptr<const Model> m_model;
    int m_nCtx;
    Question m_question;
    std::shared_ptr<EventQueue> m_events;
};

Result<FittedChat> render(const Session& session, const Question& question) {
    if (question.contextFull == ContextFull::drop_turns) {
        return fit_chat(*session.model, question.messages, question.chat, session.details.nCtx, 0,
                        question.nDropped);
    }
    Result<RenderedChat> rendered = session.model->render_chat(question.messages, question.chat);
    if (!rendered) {
        return std::move(rendered).error();
    }
    return FittedChat{*std::move(rendered), 0};
}

} // namespace

void Answer::run(Session& session, const Question& question,
                 const std::shared_ptr<EventQueue>& events) {
    if (stopped()) {
        return;
    }
    Result<Prepared> prepared = prepare(session, question);
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
    if (question.contextFull == ContextFull::drop_turns) {
        if (prepared->nDropped > question.nDropped) {
            putDropped(*events, m_id, prepared->nDropped);
        }
        options.on_context_full = Shortener(m_id, session, question, prepared->nDropped, events);
    }
    options.on_event = [feed = AnswerFeed(m_id, options.thinking_open, events)](
                           const Event& event) mutable { feed.put(event); };
    submit(session, std::move(options));
}

Result<Answer::Prepared> Answer::prepare(const Session& session, const Question& question) {
    try {
        Result<FittedChat> fitted = render(session, question);
        if (!fitted) {
            return std::move(fitted).error();
        }
        RenderedChat* rendered = &fitted->chat;
        Prepared prepared;
        prepared.nDropped = fitted->n_dropped;
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

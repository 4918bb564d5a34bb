// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/event_queue.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sotto::ui {

/// What an answer is asked for.
struct Question {
    std::vector<ChatMessage> messages;
    ChatOptions chat;
    ContextFull contextFull = ContextFull::stop;
    int nDropped = 0; ///< messages left out before, see fit_chat()
};

/// One answer from send() to `Finished`: first a prompt being made on a worker, then a Request of
/// the engine. stop() and setSampling() act in either half and from any thread.
class Answer final {
  public:
    Answer(std::uint64_t id, const SamplingParams& params) : m_id(id), m_params(params) {}

    [[nodiscard]] std::uint64_t id() const { return m_id; }
    /// Renders, tokenizes and submits. Takes as long as the text is long: on a worker. Whatever
    /// comes of it ends in one Finished event.
    void run(Session& session, const Question& question, const std::shared_ptr<EventQueue>& events);
    /// False if nothing was submitted: no Finished event follows, none is waited for.
    bool stop();
    void setSampling(const SamplingParams& params);

  private:
    struct Prepared {
        RequestOptions options;
        std::string notice;
        int nDropped = 0;
    };
    [[nodiscard]] static Result<Prepared> prepare(const Session& session, const Question& question);
    void submit(Session& session, RequestOptions options);
    [[nodiscard]] bool stopped();

    const std::uint64_t m_id;
    std::mutex m_mutex;
    SamplingParams m_params;            // guarded
    std::shared_ptr<Request> m_request; // guarded; null until submitted
    bool m_submitting = false;          // guarded
    bool m_stopped = false;             // guarded
};

} // namespace sotto::ui

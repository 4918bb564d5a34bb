// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_engine.h"

#include <algorithm>
#include <utility>

namespace sotto::test {

// ---- the model -------------------------------------------------------------------------------

FakeModel::FakeModel(const std::string& path, FakeScript script,
                     std::shared_ptr<FakeBackend::Scripts> scripts,
                     std::shared_ptr<FakeRecord> record)
    : m_release_time(script.release_time), m_scripts(std::move(scripts)),
      m_record(std::move(record)) {
    m_info.path = path;
    m_info.name = script.name;
    m_info.architecture = "llama";
    m_info.quantization = "Q4_1";
    m_info.tokenizer = "bytes, 256 tokens";
    m_info.chat_template = "ChatML";
    m_info.template_source = script.template_source;
    m_info.template_warning = script.template_warning;
    m_info.thinking = script.marks;
    m_info.can_switch_thinking = script.can_switch_thinking;
    m_info.metadata = {{"general.architecture", "string", "llama"}};
    m_info.tensor_types = {{"Q4_1", 200, 90'000'000}, {"F32", 61, 140'000}};
    m_info.file_bytes = 98'362'432;
    m_info.weight_bytes = 101'000'000;
    m_info.n_parameters = 134'515'008;
    m_info.kv_bytes_per_token[static_cast<std::size_t>(CacheType::F16)] = 23'040;
    m_info.kv_bytes_per_token[static_cast<std::size_t>(CacheType::F32)] = 46'080;
    m_info.kv_bytes_per_token[static_cast<std::size_t>(CacheType::Q8_0)] = 12'960;
    m_info.n_vocab = 256;
    m_info.n_ctx_train = script.n_ctx;
    m_info.n_layer = 30;
    m_info.n_embd = 576;
    m_info.load_ms = static_cast<double>(script.load_time.count());
    ++m_record->n_models;
}

FakeModel::~FakeModel() {
    m_record->addThread(std::this_thread::get_id());
    std::this_thread::sleep_for(m_release_time);
    --m_record->n_models;
}

std::vector<TokenId> FakeModel::tokenize(std::string_view text, bool, bool) const {
    m_record->add("tokenize");
    return {text.begin(), text.end()};
}

std::string FakeModel::token_bytes(TokenId id, bool) const {
    return {static_cast<char>(id)};
}

Result<RenderedChat> FakeModel::render_chat(std::span<const ChatMessage> messages,
                                            const ChatOptions& options) const {
    const FakeScript now = script();
    m_record->addPrompt({messages.begin(), messages.end()});
    m_record->addChat(options);
    std::this_thread::sleep_for(now.render_time);
    if (now.render_error) {
        return *now.render_error;
    }
    RenderedChat chat;
    chat.notice = now.notice;
    chat.thinking_open = !now.thinking.empty() && options.enable_thinking.value_or(true);
    for (const ChatMessage& message : messages) {
        chat.text += message.content;
    }
    chat.tokens.assign(chat.text.begin(), chat.text.end());
    if (now.prompt_tokens > 0) {
        chat.tokens.assign(static_cast<std::size_t>(now.prompt_tokens), 1);
    }
    return chat;
}

// ---- a request -------------------------------------------------------------------------------

FakeRequest::FakeRequest(RequestOptions options, FakeScript script,
                         std::shared_ptr<FakeRecord> record)
    : m_options(std::move(options)), m_script(std::move(script)), m_record(std::move(record)) {}

void FakeRequest::cancel() {
    m_record->add("cancel");
    const std::lock_guard lock(m_mutex);
    m_cancelled = true;
    m_changed.notify_all();
}

void FakeRequest::set_sampling(const SamplingParams& params) {
    m_record->addSampling(params);
    const std::lock_guard lock(m_mutex);
    m_changes.push_back({m_written, params});
}

std::vector<SamplingChange> FakeRequest::sampling_changes() const {
    const std::lock_guard lock(m_mutex);
    return m_changes;
}

void FakeRequest::wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_finished; });
}

bool FakeRequest::pause(std::chrono::duration<double> time) {
    std::unique_lock lock(m_mutex);
    return !m_changed.wait_for(lock, time, [this] { return m_cancelled; });
}

void FakeRequest::put(Event event) {
    event.timings = m_timings;
    m_options.on_event(event);
}

void FakeRequest::run() {
    if (!read() || !write()) {
        finish(m_context_full ? FinishReason::context : FinishReason::cancelled);
    } else if (m_script.answer_error) {
        finish(FinishReason::error, *m_script.answer_error);
    } else {
        finish(m_script.reason);
    }
}

bool FakeRequest::read() {
    const auto total = static_cast<std::int64_t>(m_options.prompt.size());
    for (int step = 0; step < m_script.prefill_steps || m_script.prefill_never_ends; ++step) {
        const int done = std::min(step, m_script.prefill_steps - 1);
        Event event;
        event.kind = Event::Kind::prefill;
        event.prompt_total = total;
        event.prompt_done = total * done / m_script.prefill_steps;
        m_timings.n_context = m_timings.prefill_tokens = event.prompt_done;
        m_timings.prefill_tokens_per_s = 512;
        put(event);
        const milliseconds time = m_script.prefill_never_ends
                                      ? milliseconds(5)
                                      : m_script.prefill_time / m_script.prefill_steps;
        if (!pause(time)) {
            return false;
        }
    }
    m_timings.n_context = m_timings.prefill_tokens = total;
    return true;
}

/// Asks for a shorter prompt, as the engine does when the context is full.
bool FakeRequest::shorten() {
    const std::vector<TokenId> answer(static_cast<std::size_t>(m_script.context_full_after), 1);
    m_context_full = !m_options.on_context_full || m_options.on_context_full(answer).empty();
    return !m_context_full;
}

bool FakeRequest::write() {
    const bool thinks = m_options.thinking_open;
    return (!thinks || writeTokens(m_script.thinking, 1, &Event::thinking)) &&
           writeTokens(m_script.answer, m_script.repeat, &Event::text);
}

bool FakeRequest::writeTokens(const std::vector<std::string>& texts, int repeat,
                              std::string Event::*field) {
    const std::size_t n = texts.size() * static_cast<std::size_t>(repeat);
    const std::chrono::duration<double> gap(m_script.tokens_per_s > 0 ? 1 / m_script.tokens_per_s
                                                                      : 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (!pause(gap)) {
            return false;
        }
        Event event;
        event.index = m_written;
        event.token = static_cast<TokenId>(i);
        event.*field = texts[i % texts.size()];
        ++m_timings.n_context;
        m_timings.decode_tokens = event.index;
        m_timings.decode_tokens_per_s = m_script.tokens_per_s;
        m_timings.ttft_ms = static_cast<double>(m_script.prefill_time.count());
        put(event);
        ++m_record->n_tokens;
        if (m_script.context_full_after == event.index + 1 && !shorten()) {
            return false;
        }
        const std::lock_guard lock(m_mutex);
        m_written = event.index + 1;
    }
    return true;
}

void FakeRequest::finish(FinishReason reason, const Error& error) {
    Event event;
    event.kind = Event::Kind::finished;
    event.reason = reason;
    event.error = error;
    put(event);
    const std::lock_guard lock(m_mutex);
    m_finished = true;
    m_changed.notify_all();
}

// ---- the engine ------------------------------------------------------------------------------

FakeEngine::FakeEngine(std::shared_ptr<const Model> model, const EngineOptions& options)
    : m_model(std::move(model)),
      m_n_ctx(options.n_ctx > 0 ? options.n_ctx : m_model->info().n_ctx_train),
      m_thread([this] { run(); }) {
    ++fake().record()->n_engines;
    fake().record()->n_threads = options.n_threads;
}

FakeEngine::~FakeEngine() {
    fake().record()->addThread(std::this_thread::get_id());
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        if (m_running) {
            m_running->cancel();
        }
        for (const auto& request : m_waiting) {
            request->cancel();
        }
        m_changed.notify_all();
    }
    m_thread.join();
    --fake().record()->n_engines;
}

std::shared_ptr<Request> FakeEngine::submit(RequestOptions options) {
    fake().record()->add("submit");
    fake().record()->addSampling(options.sampling);
    fake().record()->addMarks(options.thinking);
    auto request =
        std::make_shared<FakeRequest>(std::move(options), fake().script(), fake().record());
    const std::lock_guard lock(m_mutex);
    m_waiting.push_back(request);
    m_changed.notify_all();
    return request;
}

void FakeEngine::set_n_threads(int n_threads) {
    fake().record()->n_threads = n_threads;
}

EngineStatus FakeEngine::status() const {
    EngineStatus status;
    status.n_threads = fake().record()->n_threads;
    status.n_ctx = m_n_ctx;
    status.kv_bytes = 24'000'000;
    status.kv_used_bytes = 12'000'000;
    status.kv_max_bytes = 96'000'000;
    status.prompt_tokens = 1200;
    status.reused_tokens = 900;
    return status;
}

void FakeEngine::run() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_closed || !m_waiting.empty(); });
        if (m_waiting.empty()) {
            return;
        }
        m_running = std::move(m_waiting.front());
        m_waiting.pop_front();
        const std::shared_ptr<FakeRequest> request = m_running;
        lock.unlock();
        request->run();
        lock.lock();
        m_running.reset();
    }
}

} // namespace sotto::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fake_backend.h"

#include <condition_variable>
#include <deque>

namespace sotto::test {

class FakeModel final : public Model {
  public:
    FakeModel(const std::string& path, FakeScript script,
              std::shared_ptr<FakeBackend::Scripts> scripts, std::shared_ptr<FakeRecord> record);
    ~FakeModel() override;
    [[nodiscard]] const ModelInfo& info() const override { return m_info; }
    /// A token a byte.
    [[nodiscard]] std::vector<TokenId> tokenize(std::string_view text, bool, bool) const override;
    [[nodiscard]] std::string token_bytes(TokenId id, bool) const override;
    [[nodiscard]] TokenId bos_token() const override { return -1; }
    [[nodiscard]] bool adds_bos() const override { return false; }
    [[nodiscard]] bool is_end_of_turn(TokenId) const override { return false; }
    [[nodiscard]] Result<RenderedChat> render_chat(std::span<const ChatMessage> messages,
                                                   const ChatOptions& options) const override;
    [[nodiscard]] FakeScript script() const { return m_scripts->of(m_info.path); }
    [[nodiscard]] const std::shared_ptr<FakeRecord>& record() const { return m_record; }

  private:
    ModelInfo m_info;
    milliseconds m_release_time;
    std::shared_ptr<FakeBackend::Scripts> m_scripts;
    std::shared_ptr<FakeRecord> m_record;
};

class FakeRequest final : public Request {
  public:
    FakeRequest(RequestOptions options, FakeScript script, std::shared_ptr<FakeRecord> record);
    void cancel() override;
    void set_sampling(const SamplingParams& params) override;
    [[nodiscard]] std::vector<SamplingChange> sampling_changes() const override;
    void wait() override;
    /// On the engine's thread: every event of the request.
    void run();

  private:
    bool pause(std::chrono::duration<double> time); ///< false: cancelled meanwhile
    bool read();
    bool shorten();
    bool write();
    bool writeTokens(const std::vector<std::string>& texts, int repeat, std::string Event::*field);
    void finish(FinishReason reason, const Error& error = {});
    void put(Event event);

    const RequestOptions m_options;
    const FakeScript m_script;
    const std::shared_ptr<FakeRecord> m_record;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_cancelled = false, m_finished = false;
    std::int64_t m_written = 0;
    std::vector<SamplingChange> m_changes;
    bool m_context_full = false; // the engine's thread alone
    Timings m_timings;           // the engine's thread alone
};

class FakeEngine final : public Engine {
  public:
    FakeEngine(std::shared_ptr<const Model> model, const EngineOptions& options);
    ~FakeEngine() override;
    std::shared_ptr<Request> submit(RequestOptions options) override;
    void set_n_threads(int n_threads) override;
    [[nodiscard]] EngineStatus status() const override;
    Result<std::int64_t> save_context(std::span<const TokenId>, const std::string&) override {
        return std::int64_t{0};
    }
    Result<std::int64_t> restore_context(const std::string&) override { return std::int64_t{0}; }
    [[nodiscard]] const std::shared_ptr<const Model>& model() const override { return m_model; }

  private:
    void run();
    [[nodiscard]] const FakeModel& fake() const { return static_cast<const FakeModel&>(*m_model); }

    const std::shared_ptr<const Model> m_model;
    const int m_n_ctx;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::shared_ptr<FakeRequest>> m_waiting;
    std::shared_ptr<FakeRequest> m_running;
    bool m_closed = false;
    std::thread m_thread;
};

} // namespace sotto::test

// SPDX-License-Identifier: Apache-2.0
// A scripted engine for tests of the window: it loads, reads and writes at the pace the test asks
// for, on threads of its own, and keeps a record of what it was told.
#pragma once

#include "ui/bridge/backend.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sotto::test {

using std::chrono::milliseconds;

/// How the fake behaves. Copied when a model is loaded and when a request is submitted.
struct FakeScript {
    // loading
    milliseconds load_time{0};
    int load_steps = 10;               ///< progress reports
    std::optional<Error> load_error;   ///< after load_time
    std::optional<Error> engine_error; ///< of createEngine
    milliseconds release_time{0};      ///< how long the model's destructor takes
    int n_ctx = 4096;
    std::string name = "Fake-1B";
    ThinkingMarks marks;
    bool can_switch_thinking = false;
    std::string template_source, template_warning;
    // preparing
    milliseconds render_time{0};
    std::optional<Error> render_error;
    std::string notice;
    int prompt_tokens = 0; ///< of every rendered chat; 0: one a byte of the messages
    // reading
    milliseconds prefill_time{0};
    int prefill_steps = 4;
    bool prefill_never_ends = false;
    // writing
    std::vector<std::string> thinking; ///< likewise, before the answer, unless switched off
    std::vector<std::string> answer = {"Hello", " there", "."}; ///< a text for each token
    int repeat = 1;                                             ///< the answer that many times over
    int context_full_after = 0; ///< tokens of an answer; then the request is asked for a prompt
    double tokens_per_s = 0;    ///< 0: as fast as possible
    FinishReason reason = FinishReason::stop;
    std::optional<Error> answer_error; ///< after the answer
};

/// What the fake was told, and where. All functions from any thread.
class FakeRecord {
  public:
    void add(const std::string& what); ///< an entry like "load /m/a.gguf"
    [[nodiscard]] std::vector<std::string> entries() const;
    [[nodiscard]] int count(const std::string& what) const;
    void addPrompt(std::vector<ChatMessage> messages);
    [[nodiscard]] std::vector<std::vector<ChatMessage>> prompts() const;
    void addChat(const ChatOptions& options);
    [[nodiscard]] std::vector<ChatOptions> chats() const;
    void addEngine(const EngineOptions& options);
    [[nodiscard]] std::vector<EngineOptions> engines() const;
    void addMarks(const ThinkingMarks& marks); ///< of a request
    [[nodiscard]] std::vector<ThinkingMarks> marks() const;
    void addSampling(const SamplingParams& params); ///< of submit and of every change
    [[nodiscard]] std::vector<SamplingParams> sampling() const;

    std::atomic<int> n_models{0}, n_engines{0}; ///< alive
    std::atomic<int> n_threads{0};              ///< last set
    std::atomic<std::int64_t> n_tokens{0};      ///< token events delivered
    /// Threads on which models were loaded, engines made or either destroyed.
    void addThread(std::thread::id id);
    [[nodiscard]] bool touchedBy(std::thread::id id) const;

  private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_entries;
    std::vector<std::vector<ChatMessage>> m_prompts;
    std::vector<ChatOptions> m_chats;
    std::vector<ThinkingMarks> m_marks;
    std::vector<EngineOptions> m_engines;
    std::vector<SamplingParams> m_sampling;
    std::vector<std::thread::id> m_threads;
};

class FakeBackend final : public ui::Backend {
  public:
    FakeBackend();

    /// From now on. `path` scripts a single file, else all others.
    void setScript(FakeScript script);
    void setScript(const std::string& path, FakeScript script);
    [[nodiscard]] const std::shared_ptr<FakeRecord>& record() const { return m_record; }

    Result<std::shared_ptr<const Model>> loadModel(const std::string& path,
                                                   const LoadOptions& options) override;
    Result<std::unique_ptr<Engine>> createEngine(std::shared_ptr<const Model> model,
                                                 const EngineOptions& options) override;

    /// The script in force for a file; engines look at it for every request.
    struct Scripts {
        std::mutex mutex;
        FakeScript common;
        std::map<std::string, FakeScript> of_path;
        [[nodiscard]] FakeScript of(const std::string& path);
    };

  private:
    std::shared_ptr<Scripts> m_scripts;
    std::shared_ptr<FakeRecord> m_record;
};

} // namespace sotto::test

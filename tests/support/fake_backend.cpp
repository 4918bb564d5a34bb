// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_backend.h"

#include "tests/support/fake_engine.h"

#include <algorithm>
#include <utility>

namespace sotto::test {

void FakeRecord::add(const std::string& what) {
    const std::lock_guard lock(m_mutex);
    m_entries.push_back(what);
}

std::vector<std::string> FakeRecord::entries() const {
    const std::lock_guard lock(m_mutex);
    return m_entries;
}

int FakeRecord::count(const std::string& what) const {
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(std::count(m_entries.begin(), m_entries.end(), what));
}

void FakeRecord::addPrompt(std::vector<ChatMessage> messages) {
    const std::lock_guard lock(m_mutex);
    m_prompts.push_back(std::move(messages));
}

std::vector<std::vector<ChatMessage>> FakeRecord::prompts() const {
    const std::lock_guard lock(m_mutex);
    return m_prompts;
}

void FakeRecord::addChat(const ChatOptions& options) {
    const std::lock_guard lock(m_mutex);
    m_chats.push_back(options);
}

std::vector<ChatOptions> FakeRecord::chats() const {
    const std::lock_guard lock(m_mutex);
    return m_chats;
}

void FakeRecord::addEngine(const EngineOptions& options) {
    const std::lock_guard lock(m_mutex);
    m_engines.push_back(options);
}

std::vector<EngineOptions> FakeRecord::engines() const {
    const std::lock_guard lock(m_mutex);
    return m_engines;
}

void FakeRecord::addMarks(const ThinkingMarks& marks) {
    const std::lock_guard lock(m_mutex);
    m_marks.push_back(marks);
}

std::vector<ThinkingMarks> FakeRecord::marks() const {
    const std::lock_guard lock(m_mutex);
    return m_marks;
}

void FakeRecord::addSampling(const SamplingParams& params) {
    const std::lock_guard lock(m_mutex);
    m_sampling.push_back(params);
}

std::vector<SamplingParams> FakeRecord::sampling() const {
    const std::lock_guard lock(m_mutex);
    return m_sampling;
}

void FakeRecord::addThread(std::thread::id id) {
    const std::lock_guard lock(m_mutex);
    m_threads.push_back(id);
}

bool FakeRecord::touchedBy(std::thread::id id) const {
    const std::lock_guard lock(m_mutex);
    return std::find(m_threads.begin(), m_threads.end(), id) != m_threads.end();
}

FakeScript FakeBackend::Scripts::of(const std::string& path) {
    const std::lock_guard lock(mutex);
    const auto found = of_path.find(path);
    return found == of_path.end() ? common : found->second;
}

FakeBackend::FakeBackend()
    : m_scripts(std::make_shared<Scripts>()), m_record(std::make_shared<FakeRecord>()) {}

void FakeBackend::setScript(FakeScript script) {
    const std::lock_guard lock(m_scripts->mutex);
    m_scripts->common = std::move(script);
}

void FakeBackend::setScript(const std::string& path, FakeScript script) {
    const std::lock_guard lock(m_scripts->mutex);
    m_scripts->of_path[path] = std::move(script);
}

Result<std::shared_ptr<const Model>> FakeBackend::loadModel(const std::string& path,
                                                            const LoadOptions& options) {
    m_record->add("load " + path);
    m_record->addThread(std::this_thread::get_id());
    const FakeScript script = m_scripts->of(path);
    for (int step = 0; step < script.load_steps; ++step) {
        if (options.cancel.cancelled()) {
            return Error{ErrorCode::cancelled, "loading was cancelled"};
        }
        options.on_progress(step, script.load_steps);
        std::this_thread::sleep_for(script.load_time / script.load_steps);
    }
    if (script.load_error) {
        return *script.load_error;
    }
    options.on_progress(script.load_steps, script.load_steps);
    return std::shared_ptr<const Model>(
        std::make_shared<const FakeModel>(path, script, m_scripts, m_record));
}

Result<std::unique_ptr<Engine>> FakeBackend::createEngine(std::shared_ptr<const Model> model,
                                                          const EngineOptions& options) {
    m_record->addThread(std::this_thread::get_id());
    m_record->addEngine(options);
    const FakeScript script = m_scripts->of(model->info().path);
    if (script.engine_error) {
        return *script.engine_error;
    }
    return std::unique_ptr<Engine>(std::make_unique<FakeEngine>(std::move(model), options));
}

} // namespace sotto::test

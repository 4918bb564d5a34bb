// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/tsan.h"
#include "tests/support/fake_backend.h"
#include "ui/bridge/bridge.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <thread>

#ifdef SOTTO_TSAN
// The watchdog of Qt Test and the list of posted events: Qt is not instrumented, its locks are not
// seen.
extern "C" const char* __tsan_default_suppressions() {
    return "race:QWaitCondition\nrace:QTest::qRun\nrace:QCoreApplication::postEvent\n";
}
#endif

namespace sotto::test {

using namespace std::chrono_literals;
using ui::Bridge;
using ui::ModelDetails;

inline const QString kA = QStringLiteral("/m/a.gguf");
inline const QString kB = QStringLiteral("/m/b.gguf");

inline std::vector<ChatMessage> hello() {
    return {{"user", "hello"}};
}

inline FakeScript endless() {
    FakeScript script;
    script.tokens_per_s = 200;
    script.repeat = 1'000'000;
    return script;
}

inline FakeScript thinker() {
    FakeScript script;
    script.marks = {"<think>", "</think>"};
    script.thinking = {"let", " me\xC3\xA9", "", " see"};
    script.tokens_per_s = 100;
    return script;
}

inline FakeScript slowLoad() {
    FakeScript script;
    script.load_time = 200ms;
    script.load_steps = 40;
    return script;
}

/// A bridge over a scripted engine, and what it said of the last answer. The tests' own classes
/// have the slots.
class BridgeTest : public QObject {
  protected:
    std::shared_ptr<FakeBackend> m_backend;
    std::unique_ptr<Bridge> m_bridge;
    QString m_text;
    QList<QVariant> m_end; ///< of answerFinished: reason, message, timings

    void open(const QString& path) {
        QSignalSpy loaded(m_bridge.get(), &Bridge::modelLoaded);
        m_bridge->openModel(path);
        QTRY_COMPARE(loaded.count(), 1);
    }
    [[nodiscard]] FinishReason reason() const { return m_end.at(0).value<FinishReason>(); }
    void setUp() {
        m_backend = std::make_shared<FakeBackend>();
        m_bridge = std::make_unique<Bridge>(m_backend);
        m_text.clear();
        m_end.clear();
        connect(m_bridge.get(), &Bridge::textArrived, this,
                [this](const QString& t) { m_text += t; });
        connect(m_bridge.get(), &Bridge::answerFinished, this,
                [this](FinishReason reason, const QString& message, const Timings& timings) {
                    m_end = {QVariant::fromValue(reason), message, QVariant::fromValue(timings)};
                });
    }
    void tearDown() {
        m_bridge.reset();
        QCOMPARE(m_backend->record()->n_models.load(), 0); // nothing outlives the bridge
        QCOMPARE(m_backend->record()->n_engines.load(), 0);
        // Models and engines are made and let go of on the bridge's own threads only.
        QVERIFY(!m_backend->record()->touchedBy(std::this_thread::get_id()));
    }
};

} // namespace sotto::test

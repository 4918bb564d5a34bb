// SPDX-License-Identifier: Apache-2.0
// Memory settings of the bridge: another engine for the same model, and chats that outgrow the
// context.
#include "tests/ui/bridge/bridge_fixture.h"

using namespace sotto;
using namespace sotto::test;
using namespace std::chrono_literals;
using sotto::ui::MemorySettings;

namespace {

MemorySettings small() {
    return {512, {CacheType::Q8_0, CacheType::F16}, 64, ContextFull::stop};
}

/// Question and answer in turn, the last one a question.
std::vector<ChatMessage> talk(int nMessages, std::size_t nBytes) {
    std::vector<ChatMessage> messages;
    for (int i = 0; i < nMessages; ++i) {
        messages.push_back({i % 2 == 0 ? "user" : "assistant", std::string(nBytes, 'x')});
    }
    return messages;
}

} // namespace

class BridgeMemoryTest final : public BridgeTest {
    Q_OBJECT
  private Q_SLOTS:
    void init() { setUp(); }
    void cleanup() { tearDown(); }

    void actsOnTheNextEngine() {
        m_bridge->setMemory(small());
        open(kA);
        const EngineOptions made = m_backend->record()->engines().back();
        QCOMPARE(made.n_ctx, 512);
        QVERIFY(made.cache_type == CacheTypes(CacheType::Q8_0, CacheType::F16));
        QCOMPARE(made.max_kv_bytes, std::int64_t{64} << 20);
        QVERIFY(m_bridge->details().memory == small());
    }

    void reloadKeepsTheModel() {
        open(kA);
        QSignalSpy loaded(m_bridge.get(), &Bridge::modelLoaded);
        QSignalSpy reloaded(m_bridge.get(), &Bridge::modelReloaded);
        QSignalSpy status(m_bridge.get(), &Bridge::engineStatus);
        m_bridge->setMemory(small());
        QVERIFY(m_bridge->reload());
        QVERIFY(!m_bridge->reload()); // under way
        QTRY_COMPARE(reloaded.count(), 1);
        QCOMPARE(loaded.count(), 0);
        QCOMPARE(m_bridge->details().nCtx, 512);
        QCOMPARE(m_backend->record()->engines().size(), std::size_t{2});
        QCOMPARE(m_backend->record()->count("load /m/a.gguf"), 1);
        QTRY_COMPARE(m_backend->record()->n_engines.load(), 1);
        QCOMPARE(m_backend->record()->n_models.load(), 1);
        QTRY_VERIFY(!status.isEmpty());
        QCOMPARE(status.back()[0].value<EngineStatus>().reused_tokens, std::int64_t{900});
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::stop);
    }

    void reloadEndsTheAnswer() {
        m_backend->setScript(endless());
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_text.isEmpty());
        QVERIFY(m_bridge->reload());
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::cancelled);
        QVERIFY(m_bridge->hasModel());
    }

    void failureKeepsTheOldEngine() {
        open(kA);
        FakeScript script;
        script.engine_error = Error{ErrorCode::no_memory, "a context of 512 tokens is too much"};
        m_backend->setScript(script);
        QSignalSpy failed(m_bridge.get(), &Bridge::loadFailed);
        m_bridge->setMemory(small());
        QVERIFY(m_bridge->reload());
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), kA);
        QCOMPARE(failed[0][2].toString(), QStringLiteral("a context of 512 tokens is too much"));
        QVERIFY(m_bridge->hasModel() && !m_bridge->isLoading());
        QCOMPARE(m_bridge->details().nCtx, 4096);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::stop);
    }

    void unloadGivesUpTheReload() {
        QVERIFY(!m_bridge->reload()); // no model
        open(kA);
        QSignalSpy reloaded(m_bridge.get(), &Bridge::modelReloaded);
        QVERIFY(m_bridge->reload());
        m_bridge->unload();
        QTRY_COMPARE(m_backend->record()->n_models.load(), 0);
        QTest::qWait(50);
        QVERIFY(!m_bridge->hasModel());
        QCOMPARE(reloaded.count(), 0);
    }

    void anotherModelGivesUpTheReload() {
        open(kA);
        QSignalSpy loaded(m_bridge.get(), &Bridge::modelLoaded);
        QSignalSpy reloaded(m_bridge.get(), &Bridge::modelReloaded);
        QVERIFY(m_bridge->reload());
        m_bridge->openModel(kB);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(reloaded.count(), 0);
        QCOMPARE(m_bridge->details().info.path, kB.toStdString());
    }

    void dropsTurnsBeforeAnAnswer() {
        FakeScript script;
        script.n_ctx = 100;
        m_backend->setScript(script);
        open(kA);
        QSignalSpy dropped(m_bridge.get(), &Bridge::turnsDropped);
        m_bridge->send(talk(11, 20), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::error); // the default: told, nothing left out
        QCOMPARE(dropped.count(), 0);
        m_end.clear();
        m_bridge->setMemory({0, {}, 0, ContextFull::drop_turns});
        m_bridge->send(talk(11, 20), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::stop);
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(dropped[0][0].toInt(), 8); // 3 of 20 are left of 60
        QCOMPARE(m_backend->record()->prompts().back().size(), std::size_t{3});
        m_end.clear();
        m_bridge->send(talk(11, 20), {}, {}, 8); // known: not told again
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::stop);
        QCOMPARE(dropped.count(), 1);
    }

    void dropsTurnsInsideAnAnswer_data() {
        QTest::addColumn<bool>("drop");
        QTest::newRow("stop") << false;
        QTest::newRow("drop") << true;
    }
    void dropsTurnsInsideAnAnswer() {
        QFETCH(bool, drop);
        FakeScript script;
        script.n_ctx = 100;
        script.repeat = 4;
        script.context_full_after = 6;
        m_backend->setScript(script);
        m_bridge->setMemory({0, {}, 0, drop ? ContextFull::drop_turns : ContextFull::stop});
        open(kA);
        QSignalSpy dropped(m_bridge.get(), &Bridge::turnsDropped);
        m_bridge->send(talk(5, 19), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), drop ? FinishReason::stop : FinishReason::context);
        QCOMPARE(dropped.count(), drop ? 1 : 0);
        if (drop) {
            QCOMPARE(dropped[0][0].toInt(), 4);
        }
    }

    void lastTurnTooLong() {
        FakeScript script;
        script.n_ctx = 100;
        m_backend->setScript(script);
        m_bridge->setMemory({0, {}, 0, ContextFull::drop_turns});
        open(kA);
        m_bridge->send(talk(3, 300), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::error);
        QVERIFY2(m_end.at(1).toString().contains(QStringLiteral("300")),
                 qPrintable(m_end.at(1).toString()));
        QCOMPARE(m_backend->record()->count("submit"), 0);
    }
};

QTEST_GUILESS_MAIN(BridgeMemoryTest)
#include "tst_bridge_memory.moc"

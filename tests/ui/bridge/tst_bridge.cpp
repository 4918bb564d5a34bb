// SPDX-License-Identifier: Apache-2.0
// The bridge over a scripted engine: what arrives, in which order, how often, on which thread, and
// that it may end at any moment.
#include "tests/ui/bridge/bridge_fixture.h"

using namespace sotto;
using namespace sotto::test;

class TestBridge final : public BridgeTest {
    Q_OBJECT

  private Q_SLOTS:
    void init() { setUp(); }
    void cleanup() { tearDown(); }

    void loads() {
        m_backend->setScript(slowLoad());
        QSignalSpy loading(m_bridge.get(), &Bridge::modelLoading);
        QSignalSpy progress(m_bridge.get(), &Bridge::loadProgress);
        QSignalSpy loaded(m_bridge.get(), &Bridge::modelLoaded);
        m_bridge->openModel(kA);
        QCOMPARE(loading.count(), 1);
        QVERIFY(m_bridge->isLoading());
        QVERIFY(!m_bridge->hasModel());
        QTRY_COMPARE(loaded.count(), 1);
        QVERIFY(!m_bridge->isLoading());
        QVERIFY(m_bridge->hasModel());
        QVERIFY(progress.count() >= 2);
        for (int i = 1; i < progress.count(); ++i) {
            QVERIFY(progress[i][0].toLongLong() >= progress[i - 1][0].toLongLong());
        }
        const auto details = loaded[0][0].value<ModelDetails>();
        QCOMPARE(details.info.path, kA.toStdString());
        QCOMPARE(details.nCtx, 4096);
    }

    void failedLoadKeepsTheOpenModel() {
        open(kA);
        FakeScript bad;
        bad.load_error = Error{ErrorCode::bad_file, "'b.gguf' is not a GGUF file"};
        m_backend->setScript(kB.toStdString(), bad);
        QSignalSpy failed(m_bridge.get(), &Bridge::loadFailed);
        m_bridge->openModel(kB);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), kB);
        QCOMPARE(failed[0][1].value<ErrorCode>(), ErrorCode::bad_file);
        QCOMPARE(failed[0][2].toString(), QStringLiteral("'b.gguf' is not a GGUF file"));
        QCOMPARE(m_bridge->details().info.path, kA.toStdString());
        QVERIFY(m_bridge->send(hello(), {}));
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(m_text, QStringLiteral("Hello there."));
    }

    void failedEngineKeepsTheOpenModel() {
        open(kA);
        FakeScript bad;
        bad.engine_error = Error{ErrorCode::no_memory, "the cache needs 9 GB"};
        m_backend->setScript(kB.toStdString(), bad);
        QSignalSpy failed(m_bridge.get(), &Bridge::loadFailed);
        m_bridge->openModel(kB);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(m_bridge->details().info.path, kA.toStdString());
    }

    void cancelledLoadKeepsTheOpenModel() {
        open(kA);
        FakeScript slow = slowLoad();
        slow.load_time = 60s;
        slow.load_steps = 6000;
        m_backend->setScript(kB.toStdString(), slow);
        QSignalSpy progress(m_bridge.get(), &Bridge::loadProgress);
        QSignalSpy cancelled(m_bridge.get(), &Bridge::loadCancelled);
        QSignalSpy failed(m_bridge.get(), &Bridge::loadFailed);
        m_bridge->openModel(kB);
        QTRY_VERIFY(progress.count() > 0);
        m_bridge->cancelLoad();
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!m_bridge->isLoading());
        QVERIFY(m_bridge->send(hello(), {}));
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(failed.count(), 0);
        QCOMPARE(m_bridge->details().info.path, kA.toStdString());
    }

    void secondLoadReplacesTheFirst() {
        m_backend->setScript(kA.toStdString(), slowLoad());
        QSignalSpy loaded(m_bridge.get(), &Bridge::modelLoaded);
        QSignalSpy failed(m_bridge.get(), &Bridge::loadFailed);
        m_bridge->openModel(kA);
        m_bridge->openModel(kB);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(loaded[0][0].value<ModelDetails>().info.path, kB.toStdString());
        QCOMPARE(failed.count(), 0);
    }

    void orderOfAnAnswer() {
        open(kA);
        QStringList order;
        const auto note = [&order](const QString& what) {
            if (order.isEmpty() || order.last() != what) {
                order += what;
            }
        };
        FakeScript script;
        script.prefill_time = 200ms;
        script.tokens_per_s = 50;
        m_backend->setScript(script);
        connect(m_bridge.get(), &Bridge::answerStarted, this,
                [&] { note(QStringLiteral("start")); });
        connect(m_bridge.get(), &Bridge::promptProgress, this,
                [&] { note(QStringLiteral("read")); });
        connect(m_bridge.get(), &Bridge::textArrived, this, [&] { note(QStringLiteral("text")); });
        connect(m_bridge.get(), &Bridge::answerFinished, this,
                [&] { note(QStringLiteral("end")); });
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(order.join(QLatin1Char(' ')), QStringLiteral("start read text end"));
        QCOMPARE(reason(), FinishReason::stop);
        QVERIFY(!m_bridge->isAnswering());
    }

    void manyTokensFewSignals() {
        FakeScript script;
        script.tokens_per_s = 5000;
        script.answer = {"a", "b", "c", "\xF0\x9F\x98\x80", "\n"};
        script.repeat = 500; // half a second and more
        open(kA);
        m_backend->setScript(script);
        QSignalSpy texts(m_bridge.get(), &Bridge::textArrived);
        QElapsedTimer clock;
        clock.start();
        m_bridge->send(hello(), {});
        QTRY_VERIFY_WITH_TIMEOUT(!m_end.isEmpty(), 20000);
        QCOMPARE(m_text, QStringLiteral("abc😀\n").repeated(500));
        QVERIFY2(texts.count() <= clock.elapsed() / 30 + 3,
                 qPrintable(QString::number(texts.count())));
    }

    void slowConsumerGetsEverything() {
        FakeScript script;
        script.answer = {"x"};
        script.repeat = 20000; // as fast as it can
        open(kA);
        m_backend->setScript(script);
        m_bridge->send(hello(), {});
        const auto& record = *m_backend->record();
        while (record.n_tokens < 20000) { // the window stands still meanwhile
            std::this_thread::yield();
        }
        QVERIFY(m_text.isEmpty());
        QSignalSpy texts(m_bridge.get(), &Bridge::textArrived);
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(m_text.size(), 20000);
        QVERIFY(texts.count() <= 2);
    }

    void stopKeepsTheText() {
        m_backend->setScript(endless());
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(m_text.size() > 20);
        m_bridge->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!m_end.isEmpty(), 1000);
        QCOMPARE(reason(), FinishReason::cancelled);
        QVERIFY(m_text.startsWith(QStringLiteral("Hello there.Hello")));
        QVERIFY(!m_bridge->isAnswering());
    }

    void stopWhileReading() {
        FakeScript script;
        script.prefill_never_ends = true;
        m_backend->setScript(script);
        open(kA);
        QSignalSpy progress(m_bridge.get(), &Bridge::promptProgress);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(progress.count() > 2);
        m_bridge->stop();
        QTRY_VERIFY_WITH_TIMEOUT(!m_end.isEmpty(), 1000);
        QCOMPARE(reason(), FinishReason::cancelled);
    }

    void stopWhileTokenizing() {
        FakeScript script;
        script.render_time = 500ms;
        m_backend->setScript(script);
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_COMPARE(m_backend->record()->prompts().size(), std::size_t(1));
        m_bridge->stop();
        QVERIFY(!m_end.isEmpty()); // at once
        QCOMPARE(reason(), FinishReason::cancelled);
        m_backend->setScript({});
        m_end.clear();
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(m_text, QStringLiteral("Hello there."));
        QCOMPARE(m_backend->record()->count("submit"), 1); // the stopped one never was
    }

    void newAnswerHearsNothingOfTheOld() {
        m_backend->setScript(endless());
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_text.isEmpty());
        FakeScript other;
        other.answer = {"new"};
        m_backend->setScript(other);
        m_bridge->send(hello(), {});
        QCOMPARE(reason(), FinishReason::cancelled); // of the first
        m_text.clear();
        m_end.clear();
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(m_text, QStringLiteral("new"));
        QCOMPARE(reason(), FinishReason::stop);
    }

    void otherModelWhileWriting() {
        m_backend->setScript(endless());
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_text.isEmpty());
        open(kB);
        QVERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::cancelled);
        const QString text = m_text;
        m_backend->setScript({});
        m_end.clear();
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(m_text, text + QStringLiteral("Hello there."));
    }

    void failedOrCancelledLoadLeavesTheAnswerAlone() {
        m_backend->setScript(endless());
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_text.isEmpty());
        FakeScript bad = slowLoad();
        bad.load_error = Error{ErrorCode::bad_file, "'b.gguf' is not a GGUF file"};
        m_backend->setScript(kB.toStdString(), bad);
        QSignalSpy failed(m_bridge.get(), &Bridge::loadFailed);
        m_bridge->openModel(kB);
        QTRY_COMPARE(failed.count(), 1);
        m_bridge->openModel(kB);
        m_bridge->cancelLoad();
        QVERIFY(m_bridge->isAnswering());
        QVERIFY(m_end.isEmpty());
        const qsizetype length = m_text.size();
        QTRY_VERIFY(m_text.size() > length);
        m_bridge->stop();
        QTRY_VERIFY(!m_end.isEmpty());
    }

    void contextIsEmptyAfterAnotherModelCame() {
        m_backend->setScript(endless());
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_text.isEmpty());
        QSignalSpy context(m_bridge.get(), &Bridge::contextUse);
        open(kB);
        QTest::qWait(100); // what the old engine still says
        QVERIFY(!context.isEmpty());
        QCOMPARE(context.last()[0].toLongLong(), 0);
    }

    void answerBegunDuringALoad() {
        m_backend->setScript(kA.toStdString(), endless());
        open(kA);
        m_backend->setScript(kB.toStdString(), slowLoad());
        QSignalSpy loaded(m_bridge.get(), &Bridge::modelLoaded);
        m_bridge->openModel(kB);
        m_bridge->send(hello(), {}); // the old model still answers
        QTRY_VERIFY(!m_text.isEmpty());
        QTRY_COMPARE(loaded.count(), 1);
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::cancelled);
    }

    void messageLongerThanTheContext() {
        FakeScript script;
        script.n_ctx = 4096;
        script.prompt_tokens = 5000;
        m_backend->setScript(script);
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::error);
        const QString message = m_end.at(1).toString();
        QVERIFY2(message.contains(QLocale().toString(5000)), qPrintable(message));
        QVERIFY2(message.contains(QLocale().toString(4096)), qPrintable(message));
        QCOMPARE(m_backend->record()->count("submit"), 0);
    }

    void errorsAreTold_data() {
        QTest::addColumn<bool>("atRender");
        QTest::newRow("template") << true;
        QTest::newRow("engine") << false;
    }
    void errorsAreTold() {
        QFETCH(bool, atRender);
        FakeScript script;
        const Error error{ErrorCode::non_finite, "layer 3 gave a NaN"};
        (atRender ? script.render_error : script.answer_error) = error;
        m_backend->setScript(script);
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(reason(), FinishReason::error);
        QCOMPARE(m_end.at(1).toString(), QStringLiteral("layer 3 gave a NaN"));
        m_backend->setScript({});
        m_end.clear();
        m_text.clear();
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(m_text, QStringLiteral("Hello there."));
    }

    void samplingReachesTheRunningAnswer() {
        m_backend->setScript(endless());
        open(kA);
        SamplingParams params;
        params.top_k = 11;
        m_bridge->send(hello(), params);
        params.top_k = 12; // perhaps before the request exists
        m_bridge->setSampling(params);
        QTRY_VERIFY(!m_text.isEmpty());
        params.top_k = 13;
        m_bridge->setSampling(params);
        const std::vector<SamplingParams> told = m_backend->record()->sampling();
        QCOMPARE(told.back().top_k, 13);
        QVERIFY(std::any_of(told.begin(), told.end(), [](const auto& p) { return p.top_k == 12; }));
    }

    void threads() {
        m_bridge->setThreads(3);
        open(kA);
        QCOMPARE(m_backend->record()->n_threads.load(), 3);
        m_bridge->setThreads(2);
        QCOMPARE(m_backend->record()->n_threads.load(), 2);
        QCOMPARE(m_bridge->details().nThreads, 2);
        m_bridge->openModel(kB);
        m_bridge->setThreads(5); // while it loads
        QTRY_COMPARE(m_bridge->details().info.path, kB.toStdString());
        QCOMPARE(m_backend->record()->n_threads.load(), 5);
    }

    void countsTheLastText() {
        open(kA);
        QSignalSpy counted(m_bridge.get(), &Bridge::tokensCounted);
        QTRY_COMPARE(counted.count(), 1); // after a model was opened
        for (int i = 1; i <= 100; ++i) {
            m_bridge->countTokens(QString(i, QLatin1Char('x')));
        }
        QTRY_COMPARE(counted.last()[0].toLongLong(), 100);
        QCOMPARE(m_backend->record()->count("tokenize"), 1);
        m_bridge->countTokens({});
        QTRY_COMPARE(counted.last()[0].toLongLong(), 0);
    }

    void contextAndMemory() {
        QSignalSpy memory(m_bridge.get(), &Bridge::memoryUse);
        open(kA);
        QTRY_VERIFY(memory.count() > 0);
        QCOMPARE(memory[0][0].toLongLong(), 101'000'000 + 24'000'000);
        QSignalSpy context(m_bridge.get(), &Bridge::contextUse);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(context.last()[0].toLongLong(), 5 + 3); // a byte a token, and three of the answer
        QCOMPARE(context.last()[1].toLongLong(), 4096);
    }

    void unload() {
        m_backend->setScript(endless());
        open(kA);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_text.isEmpty());
        QSignalSpy unloaded(m_bridge.get(), &Bridge::modelUnloaded);
        m_bridge->unload();
        QCOMPARE(unloaded.count(), 1);
        QVERIFY(!m_bridge->hasModel());
        QVERIFY(!m_bridge->send(hello(), {}));
        QTRY_COMPARE(m_backend->record()->n_models.load(), 0);
        QCOMPARE(reason(), FinishReason::cancelled);
    }

    void lettingGoOfAModelBlocksNothing() {
        FakeScript heavy;
        heavy.release_time = 400ms;
        m_backend->setScript(kA.toStdString(), heavy);
        open(kA);
        QElapsedTimer clock;
        clock.start();
        m_bridge->unload();
        QVERIFY2(clock.elapsed() < 50, qPrintable(QString::number(clock.elapsed())));
        QTRY_COMPARE(m_backend->record()->n_models.load(), 0);
    }

    void finishHasAGraceTime() {
        FakeScript heavy;
        heavy.release_time = 500ms;
        m_backend->setScript(heavy);
        open(kA);
        QVERIFY(!m_bridge->finish(20ms)); // still letting go
        QVERIFY(m_bridge->finish(10s));
        QVERIFY(!m_bridge->send(hello(), {}));
        m_bridge->openModel(kB);
        QVERIFY(!m_bridge->isLoading());
    }

    void destroyedAtAnyMoment_data() {
        QTest::addColumn<int>("moment");
        for (int moment = 0; moment < 24; ++moment) {
            QTest::addRow("%d", moment) << moment;
        }
    }
    void destroyedAtAnyMoment() {
        QFETCH(int, moment);
        FakeScript script = endless();
        script.load_time = 20ms;
        script.prefill_time = 20ms;
        script.render_time = 5ms;
        script.tokens_per_s = 2000;
        m_backend->setScript(script);
        m_bridge->openModel(kA);
        connect(m_bridge.get(), &Bridge::modelLoaded, m_bridge.get(),
                [this] { m_bridge->send(hello(), {}); });
        if (moment % 3 == 0) {
            connect(m_bridge.get(), &Bridge::textArrived, m_bridge.get(),
                    [this] { m_bridge->openModel(kB); });
        }
        QTest::qWait(moment * 8); // not to wait for something: the moment is what is tested
        m_bridge.reset();
        QCoreApplication::processEvents();
    }

    void destroyedBySlots_data() {
        QTest::addColumn<int>("signal");
        for (int i = 0; i < 12; ++i) {
            QTest::addRow("%d", i) << i;
        }
    }
    void destroyedBySlots() {
        QFETCH(int, signal);
        FakeScript script = thinker();
        script.notice = "a notice";
        m_backend->setScript(script);
        Bridge* b = m_bridge.get();
        bool gone = false;
        const auto die = [this, &gone] {
            gone = true;
            m_bridge.reset();
        };
        switch (signal) {
        case 0:
            connect(b, &Bridge::loadProgress, this, die);
            break;
        case 1:
            connect(b, &Bridge::modelLoaded, this, die);
            break;
        case 2:
            connect(b, &Bridge::answerStarted, this, die);
            break;
        case 3:
            connect(b, &Bridge::promptProgress, this, die);
            break;
        case 4:
            connect(b, &Bridge::textArrived, this, die);
            break;
        case 5:
            connect(b, &Bridge::answerFinished, this, die);
            break;
        case 6:
            connect(b, &Bridge::statistics, this, die);
            break;
        case 7:
            connect(b, &Bridge::contextUse, this, die);
            break;
        case 8:
            connect(b, &Bridge::memoryUse, this, die);
            break;
        case 9:
            connect(b, &Bridge::tokensCounted, this, die);
            break;
        case 10:
            connect(b, &Bridge::thinkingArrived, this, die);
            break;
        case 11:
            connect(b, &Bridge::chatNotice, this, die);
            break;
        }
        connect(b, &Bridge::modelLoaded, this, [this] {
            if (m_bridge) {
                m_bridge->send(hello(), {});
            }
        });
        b->openModel(kA);
        QTRY_VERIFY(gone);
    }
};

QTEST_GUILESS_MAIN(TestBridge)
#include "tst_bridge.moc"

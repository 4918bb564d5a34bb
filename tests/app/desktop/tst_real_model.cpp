// SPDX-License-Identifier: Apache-2.0
// The real window over the real engine and the starter model, whose path is in SOTTO_STARTER_MODEL.
#include "app/desktop/chip_button.h"
#include "app/desktop/header_bar.h"
#include "app/desktop/message_bar.h"
#include "tests/app/desktop/loop_watch.h"
#include "tests/app/desktop/window_fixture.h"
#include "ui/bridge/engine_backend.h"
#include "ui/panels/engine_panel.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtGui/QAction>

using namespace sotto;
using namespace std::chrono_literals;
using sotto::test::LoopWatch;
using sotto::test::WindowFixture;
using State = sotto::ui::Message::State;

namespace {

constexpr qint64 kMaxGapMs = test::kSanitized ? 200 : 50;
constexpr qint64 kMaxStopMs = test::kSanitized ? 1000 : 100;
constexpr int kLoadTimeoutMs = 120'000, kAnswerTimeoutMs = 120'000;

} // namespace

class TestRealModel final : public QObject {
    Q_OBJECT

    QString m_path;
    std::unique_ptr<WindowFixture> m;

    [[nodiscard]] bool openModel() { return openModel(m_path); }
    [[nodiscard]] bool openModel(const QString& path) {
        m->window().openPath(path);
        return QTest::qWaitFor([this] { return !m->bridge().isLoading(); }, kLoadTimeoutMs) &&
               m->bridge().hasModel();
    }
    /// Rather more than `nTokens` tokens of ordinary text.
    static QString longText(int nTokens) {
        return QStringLiteral(
                   "The ferry to the island leaves at noon and comes back in the evening. ")
            .repeated(nTokens / 14 + 1);
    }

  private Q_SLOTS:
    void initTestCase() {
        test::setUpApplication();
        m_path = qEnvironmentVariable("SOTTO_STARTER_MODEL");
        QVERIFY2(QFile::exists(m_path), "SOTTO_STARTER_MODEL must name the starter model's file");
    }
    void init() { m = std::make_unique<WindowFixture>(std::make_shared<ui::EngineBackend>()); }
    void cleanup() {
        QVERIFY(m->bridge().finish(60s));
        m.reset();
    }

    void loadsWithTheWindowAwake() {
        QTest::qWait(100);
        const qint64 gap =
            test::bestWorstGap(kMaxGapMs, [this](LoopWatch&) { QVERIFY(openModel()); });
        QVERIFY2(gap <= kMaxGapMs, qPrintable(QStringLiteral("gap of %1 ms").arg(gap)));
        QVERIFY(m->bridge().details().info.n_vocab == 49152);
        QVERIFY(m->bridge().details().nCtx > 0);
    }

    void answers() {
        QVERIFY(openModel());
        m->say(QStringLiteral("What is the capital of France?"));
        QVERIFY(m->waitUntilIdle(kAnswerTimeoutMs));
        QCOMPARE(m->last().state, State::Complete);
        const QString first = m->last().text;
        QVERIFY2(first.size() > 10, qPrintable(first));
        m->actions().regenerate->trigger(); // the next seed: another answer
        QVERIFY(m->last().text.isEmpty());
        QVERIFY(m->waitUntilIdle(kAnswerTimeoutMs));
        QVERIFY(!m->last().text.isEmpty());
        QVERIFY(m->last().text != first);
        m->say(QStringLiteral("Thank you. Say it in three words.")); // a second turn
        QVERIFY(QTest::qWaitFor([this] { return m->last().text.size() > 10; }, kAnswerTimeoutMs));
        m->actions().stop->trigger();
        QVERIFY(m->waitUntilIdle(5000));
    }

    /// A context that two turns fill, chosen while the model is open.
    void reloadsAndDropsTurns() {
        QVERIFY(openModel());
        m->bridge().setMemory({300, CacheType::Q8_0, 0, ContextFull::drop_turns});
        QSignalSpy reloaded(&m->bridge(), &ui::Bridge::modelReloaded);
        QVERIFY(m->bridge().reload());
        QTRY_COMPARE(reloaded.count(), 1);
        QCOMPARE(m->bridge().details().nCtx, 300);
        for (int i = 0; i < 3; ++i) {
            m->say(longText(120) + QStringLiteral("Which day is it?"));
            QVERIFY(
                QTest::qWaitFor([this] { return m->last().text.size() > 10; }, kAnswerTimeoutMs));
            m->actions().stop->trigger();
            QVERIFY(m->waitUntilIdle(5000));
            QVERIFY2(m->last().state != State::Failed, qPrintable(m->last().text));
        }
        QCOMPARE(m->conversation().count(), 6);
        QVERIFY(m->chat().nDropped() > 0);
    }

    void stopsWhileWriting() {
        QVERIFY(openModel());
        m->say(QStringLiteral("Count from one to two hundred in words."));
        QVERIFY(QTest::qWaitFor([this] { return m->last().text.size() > 10; }, kAnswerTimeoutMs));
        m->window().enginePanel().setThreads(1); // while it writes
        QElapsedTimer clock;
        clock.start();
        QTest::keyClick(m->edit(), Qt::Key_Escape);
        QVERIFY(m->waitUntilIdle(5000));
        QVERIFY2(clock.elapsed() <= kMaxStopMs, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(m->last().state, State::Stopped);
    }

    void stopsInALongPrompt() {
        QVERIFY(openModel());
        qint64 stopMs = kMaxStopMs + 1;
        const qint64 gap = test::bestWorstGap(kMaxGapMs, [&](LoopWatch& watch) {
            m->chat().newChat();
            m->window().composer().setText(longText(4000));
            QTest::qWait(500); // counted, laid out
            watch.reset();
            QTest::keyClick(m->edit(), Qt::Key_Return);
            const auto reading = [this] { return m->last().promptDone > 0; };
            QVERIFY(QTest::qWaitFor(reading, kAnswerTimeoutMs));
            QVERIFY(m->last().promptTotal >= 4000);
            QVERIFY(m->last().promptDone < m->last().promptTotal);
            QElapsedTimer clock;
            clock.start();
            QTest::keyClick(m->edit(), Qt::Key_Escape);
            QVERIFY(m->waitUntilIdle(5000));
            stopMs = std::min(stopMs, clock.elapsed());
            QTest::qWait(100);
        });
        QVERIFY2(stopMs <= kMaxStopMs, "Stop took too long");
        QVERIFY2(gap <= kMaxGapMs, qPrintable(QStringLiteral("gap of %1 ms").arg(gap)));
        qInfo("stop in %lld ms, worst gap %lld ms", static_cast<long long>(stopMs),
              static_cast<long long>(gap));
        m->actions().newChat->trigger(); // and it is usable at once
        m->say(QStringLiteral("Say hello."));
        QVERIFY(QTest::qWaitFor([this] { return !m->last().text.isEmpty(); }, kAnswerTimeoutMs));
        m->actions().stop->trigger();
        QVERIFY(m->waitUntilIdle(5000));
    }

    void longerThanTheContext() {
        QVERIFY(openModel());
        const int nCtx = m->bridge().details().nCtx;
        m->say(longText(nCtx + 500));
        QVERIFY(m->waitUntilIdle(kAnswerTimeoutMs));
        QCOMPARE(m->last().state, State::Failed);
        QVERIFY2(m->last().note.contains(QLocale().toString(nCtx)), qPrintable(m->last().note));
    }

    void folder_data() {
        QTest::addColumn<QString>("path");
        const QString folder = QStringLiteral(SOTTO_SOURCE_DIR "/tests/data/models/qwen3/hub");
        QTest::newRow("folder") << folder;
        QTest::newRow("with a slash") << folder + QLatin1Char('/');
        QTest::newRow("config.json") << folder + QStringLiteral("/config.json");
        QTest::newRow("a part of the weights")
            << folder + QStringLiteral("/model-00002-of-00002.safetensors");
    }
    void folder() {
        QFETCH(QString, path);
        QVERIFY2(openModel(path), qPrintable(m->window().messages().text()));
        const ModelInfo info = m->bridge().details().info;
        QCOMPARE(QString::fromStdString(info.architecture), QStringLiteral("qwen3"));
        QCOMPARE(QFileInfo(QString::fromStdString(info.path)).fileName(), QStringLiteral("hub"));
        QVERIFY(m->window().header().chip()->text().startsWith(QStringLiteral("hub")));
        QCOMPARE(m->settings().recentModels().first(), QString::fromStdString(info.path));
        m->say(QStringLiteral("Hello")); // random weights: whatever it says, it ends or is stopped
        const auto begun = [this] { return !m->chat().isBusy() || !m->last().text.isEmpty(); };
        QVERIFY(QTest::qWaitFor(begun, kAnswerTimeoutMs));
        m->actions().stop->trigger();
        QVERIFY(m->waitUntilIdle(5000));
        QVERIFY2(m->last().state != State::Failed, qPrintable(m->last().note));
    }

    void noFolder() {
        m->window().openPath(m->makeFolder(QStringLiteral("Empty model")));
        QVERIFY(QTest::qWaitFor([this] { return !m->bridge().isLoading(); }, kLoadTimeoutMs));
        QVERIFY(m->window().messages().text().contains(QStringLiteral("Empty model")));
        QVERIFY(!m->bridge().hasModel());
    }

    void notAModel() {
        QVERIFY(openModel());
        const QString name = m->bridge().details().info.name.c_str();
        m->window().openPath(m->makeFile(QStringLiteral("empty.gguf")));
        QVERIFY(QTest::qWaitFor([this] { return !m->bridge().isLoading(); }, kLoadTimeoutMs));
        QVERIFY(!m->window().messages().isHidden());
        QVERIFY(m->window().messages().text().contains(QStringLiteral("empty.gguf")));
        QCOMPARE(QString::fromStdString(m->bridge().details().info.name), name);
    }
};

QTEST_MAIN(TestRealModel)
#include "tst_real_model.moc"

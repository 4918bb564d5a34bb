// SPDX-License-Identifier: Apache-2.0
// The window stays awake: event-loop gaps while the engine reads, writes and stops.
#include "tests/app/desktop/loop_watch.h"
#include "tests/app/desktop/window_fixture.h"

#include <QtGui/QAction>

using namespace sotto;
using namespace std::chrono_literals;
using sotto::test::FakeBackend;
using sotto::test::FakeScript;
using sotto::test::LoopWatch;
using sotto::test::WindowFixture;

namespace {

const QString kModel = QStringLiteral("/m/a.gguf");
constexpr qint64 kMaxGapMs = test::kSanitized ? 150 : 50;
constexpr qint64 kMaxStopMs = test::kSanitized ? 200 : 100;

} // namespace

class TestResponsiveness final : public QObject {
    Q_OBJECT

    std::shared_ptr<FakeBackend> m_backend;
    std::unique_ptr<WindowFixture> m;

    void openAndSettle() {
        QVERIFY(m->open(kModel));
        QTest::qWait(100); // first layouts are not what is measured
    }
    /// Runs it up to three times, see bestWorstGap().
    template <class Run>
    void checkGap(Run run) {
        const qint64 gap = test::bestWorstGap(kMaxGapMs, [&](LoopWatch& watch) {
            m->chat().newChat();
            QVERIFY(QTest::qWaitFor([this] { return !m->bridge().isAnswering(); }));
            QTest::qWait(50);
            watch.reset();
            run(watch);
            QVERIFY2(watch.turns() > 5, "the event loop did not turn");
        });
        QVERIFY2(gap <= kMaxGapMs, qPrintable(QStringLiteral("gap of %1 ms").arg(gap)));
    }

  private Q_SLOTS:
    void initTestCase() { test::setUpApplication(); }
    void init() {
        m_backend = std::make_shared<FakeBackend>();
        m = std::make_unique<WindowFixture>(m_backend);
    }
    void cleanup() { m.reset(); }

    void firstPaintInUnderASecond() {
        FakeScript slow;
        slow.load_time = 5s;
        slow.load_steps = 500;
        m_backend->setScript(slow);
        m->settings().setValue(ui::Setting::LastModel, kModel);
        QElapsedTimer clock;
        clock.start();
        app::MainWindow window(m_backend, &m->settings(), {});
        window.show();
        window.openLastModel();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.repaint();
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(window.bridge().isLoading()); // painted before the model is there
    }

    void loading() {
        FakeScript slow;
        slow.load_time = 1s;
        slow.load_steps = 500;
        slow.release_time = 300ms;
        m_backend->setScript(slow);
        checkGap([this](LoopWatch&) {
            QVERIFY(m->open(kModel));
            QVERIFY(m->open(QStringLiteral("/m/b.gguf"))); // and lets go of the first
            QTest::qWait(400);
        });
    }

    void readingALongPrompt() {
        openAndSettle();
        FakeScript script;
        script.prompt_tokens = 4000;
        script.prefill_steps = 16;
        script.prefill_time = 1500ms;
        m_backend->setScript(script);
        checkGap([this](LoopWatch&) {
            m->say(QStringLiteral("hello"));
            QVERIFY(m->waitUntilIdle(10000));
            QVERIFY(m->last().promptTotal == 4000);
        });
    }

    void stopWhileReading() {
        openAndSettle();
        FakeScript script;
        script.prompt_tokens = 4000;
        script.prefill_never_ends = true;
        m_backend->setScript(script);
        qint64 stopMs = kMaxStopMs + 1;
        checkGap([&](LoopWatch&) {
            m->say(QStringLiteral("hello"));
            QVERIFY(QTest::qWaitFor([this] { return m->last().promptTotal == 4000; }));
            QElapsedTimer clock;
            clock.start();
            QTest::keyClick(m->edit(), Qt::Key_Escape);
            QVERIFY(m->waitUntilIdle(2000));
            stopMs = std::min(stopMs, clock.elapsed());
            QTest::qWait(100);
        });
        QVERIFY2(stopMs <= kMaxStopMs, "Stop took too long");
    }

    void manyTokens() {
        openAndSettle();
        FakeScript script;
        script.tokens_per_s = 5000;
        script.answer = {"word ", "after ", "word\n", "```", "\ncode ", "```", "\n\n"};
        script.repeat = 1000;
        m_backend->setScript(script);
        checkGap([this](LoopWatch&) {
            m->say(QStringLiteral("hello"));
            QVERIFY(m->waitUntilIdle(30000));
        });
    }

    void slowConsumer() {
        openAndSettle();
        FakeScript script;
        script.answer = {"word "};
        script.repeat = 20000;
        m_backend->setScript(script);
        checkGap([this](LoopWatch& watch) {
            const std::int64_t before = m_backend->record()->n_tokens;
            m->say(QStringLiteral("hello"));
            while (m_backend->record()->n_tokens < before + 20000) { // the window stands still
                std::this_thread::yield();
            }
            watch.reset(); // from here on: the heap of text arrives at once
            QVERIFY(m->waitUntilIdle(10000));
            QCOMPARE(m->last().text.size(), 100000);
            QTest::qWait(100);
        });
    }

    void longMessage_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("a megabyte of lines")
            << QStringLiteral("one line of a long text\n").repeated(44000);
        QTest::newRow("60 kB in one line")
            << QStringLiteral("words without an end ").repeated(3000);
        QTest::newRow("a megabyte in one line")
            << QStringLiteral("words without an end ").repeated(50000);
    }
    void longMessage() {
        QFETCH(QString, text);
        FakeScript script;
        script.n_ctx = 8'000'000;
        script.render_time = 300ms; // as tokenizing that much takes
        script.prefill_time = 300ms;
        m_backend->setScript(script);
        openAndSettle();
        checkGap([&](LoopWatch& watch) {
            m->window().composer().setText(text);
            QTest::qWait(500);
            watch.reset(); // a paste is the composer's matter and has tests there
            QTest::keyClick(m->edit(), Qt::Key_Return);
            QVERIFY(m->waitUntilIdle(10000));
            QCOMPARE(m->conversation().at(0).text, text);
            QTest::qWait(200);
        });
    }
};

QTEST_MAIN(TestResponsiveness)
#include "tst_responsiveness.moc"

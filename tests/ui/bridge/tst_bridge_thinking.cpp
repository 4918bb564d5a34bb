// SPDX-License-Identifier: Apache-2.0
// What a model thinks before it answers, on its way through the bridge.
#include "tests/ui/bridge/bridge_fixture.h"
#include "ui/bridge/answer_feed.h"

#include <QtCore/QRegularExpression>

using namespace sotto;
using namespace sotto::test;

class TestBridgeThinking final : public BridgeTest {
    Q_OBJECT

  private Q_SLOTS:
    void init() { setUp(); }
    void cleanup() { tearDown(); }

    void thoughtAndAnswerStayApart() {
        m_backend->setScript(thinker());
        open(kA);
        QStringList order;
        qint64 tokens = 0;
        double ms = 0;
        QString thought;
        connect(m_bridge.get(), &Bridge::thinkingArrived, this,
                [&](const QString& text, qint64 nTokens, double took) {
                    order += QStringLiteral("thought");
                    thought += text;
                    tokens += nTokens;
                    ms += took;
                });
        connect(m_bridge.get(), &Bridge::textArrived, this,
                [&] { order += QStringLiteral("text"); });
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(thought, QString::fromUtf8("let me\xC3\xA9 see"));
        QCOMPARE(m_text, QStringLiteral("Hello there."));
        QCOMPARE(tokens, 4); // the one without text of its own, too
        QVERIFY2(ms > 4 * 1000 / 100.0 * 0.5 && ms < 5000, qPrintable(QString::number(ms)));
        QVERIFY(order.indexOf(QStringLiteral("text")) >
                order.lastIndexOf(QStringLiteral("thought")));
        const auto& record = *m_backend->record();
        QCOMPARE(record.marks().back().close, std::string("</think>"));
        QVERIFY(!record.chats().back().enable_thinking.has_value());
    }

    void thoughtTokens_data() {
        QTest::addColumn<bool>("open");
        QTest::addColumn<QStringList>("pieces"); // "t:" thought, "a:" answer, "" neither
        QTest::addColumn<int>("tokens");
        QTest::addColumn<QString>("kinds");
        const auto row = [](const char* name, bool open, const char* pieces, int tokens,
                            const char* kinds) {
            QTest::newRow(name) << open << QString::fromLatin1(pieces).split(u'|') << tokens
                                << QString::fromLatin1(kinds);
        };
        row("marks in the answer", false, "|t:a|t:b||a:x", 2, "tax");
        row("opened by the prompt", true, "t:a|t:b||a:x", 2, "tax");
        row("half characters and blanks", true, "|t:a||t:b|||a:x", 4, "tax");
        row("both in one token", true, "t:a|t:b+a:x|a:y", 2, "tax");
        row("no thought", false, "a:x||a:y", 0, "ax");
        row("nothing else", true, "t:a|t:b", 2, "tx");
    }
    void thoughtTokens() {
        QFETCH(bool, open);
        QFETCH(QStringList, pieces);
        QFETCH(int, tokens);
        QFETCH(QString, kinds);
        QObject receiver;
        const auto events = std::make_shared<ui::EventQueue>(&receiver);
        ui::AnswerFeed feed(7, open, events);
        auto now = ui::AnswerFeed::Clock::time_point{} + 1s;
        Event event;
        event.kind = Event::Kind::prefill;
        feed.put(event, now);
        for (const QString& piece : pieces) {
            event = {};
            for (const QString& part : piece.split(u'+')) {
                (part.startsWith(u't') ? event.thinking : event.text) = part.mid(2).toStdString();
            }
            feed.put(event, now += 10ms);
        }
        event = {};
        event.kind = Event::Kind::finished;
        feed.put(event, now);
        QString seen;
        qint64 counted = 0;
        double ms = 0;
        for (const ui::BridgeEvent& each : events->take()) {
            using Kind = ui::BridgeEvent::Kind;
            counted += each.tokens;
            ms += each.ms;
            seen += each.kind == Kind::Thinking   ? QStringLiteral("t")
                    : each.kind == Kind::Text     ? QStringLiteral("a")
                    : each.kind == Kind::Finished ? QStringLiteral("x")
                                                  : QString();
        }
        QCOMPARE(seen, kinds);
        QCOMPARE(counted, tokens);
        const auto last = pieces.lastIndexOf(QRegularExpression(QStringLiteral("^t.*")));
        QCOMPARE(qRound(ms), open ? 10 * int(last + 1) : 10 * tokens);
        events->detach();
    }

    void thinkingIsSwitched() {
        m_backend->setScript(thinker());
        open(kA);
        QSignalSpy thoughts(m_bridge.get(), &Bridge::thinkingArrived);
        ChatOptions options;
        options.enable_thinking = false;
        m_bridge->send(hello(), {}, options);
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(thoughts.count(), 0);
        QCOMPARE(m_text, QStringLiteral("Hello there."));
        QCOMPARE(m_backend->record()->chats().back().enable_thinking, std::optional<bool>(false));
    }

    void longThoughtFewSignals() {
        FakeScript script = thinker();
        script.tokens_per_s = 0;
        script.thinking.assign(20000, "x");
        script.thinking[7] = ""; // what has no text parts nothing
        open(kA);
        m_backend->setScript(script);
        m_bridge->send(hello(), {});
        while (m_backend->record()->n_tokens < 20003) { // the window stands still meanwhile
            std::this_thread::yield();
        }
        QSignalSpy thoughts(m_bridge.get(), &Bridge::thinkingArrived);
        QTRY_VERIFY(!m_end.isEmpty());
        QVERIFY2(thoughts.count() <= 2, qPrintable(QString::number(thoughts.count())));
        qint64 tokens = 0;
        qsizetype size = 0;
        for (const auto& piece : thoughts) {
            size += piece[0].toString().size();
            tokens += piece[1].toLongLong();
        }
        QCOMPARE(size, 19999);
        QCOMPARE(tokens, 20000);
        QCOMPARE(m_text, QStringLiteral("Hello there."));
    }

    void noticeIsTold() {
        FakeScript script;
        script.notice = "The model's own chat template failed; ChatML stands in";
        m_backend->setScript(script);
        open(kA);
        QSignalSpy notices(m_bridge.get(), &Bridge::chatNotice);
        QSignalSpy started(m_bridge.get(), &Bridge::answerStarted);
        m_bridge->send(hello(), {});
        QTRY_VERIFY(!m_end.isEmpty());
        QCOMPARE(notices.count(), 1);
        QCOMPARE(started.count(), 1);
        QCOMPARE(notices[0][0].toString(), QString::fromStdString(script.notice));
    }
};

QTEST_GUILESS_MAIN(TestBridgeThinking)
#include "tst_bridge_thinking.moc"

// SPDX-License-Identifier: Apache-2.0
// What a model thinks, in the chat view: closed it costs no layout, open it is read, marked and
// copied like the rest; the line over it is a button for mouse, keyboard and screen reader.
#include "chat_fixture.h"
#include "ui/chat/thought_label.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QRandomGenerator>
#include <QtGui/QAccessible>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>
#include <memory>

using namespace sotto::ui;
using State = Message::State;

namespace {

const QString kThought =
    QStringLiteral("They want a **sum**.\n\n```py\ntotal = 0\n```\n- first\n- then");
const QString kAnswer = QStringLiteral("Use the `csv` module.\n\nIt is simple.");

struct ThoughtPage : ChatFixture {
    using ChatFixture::ChatFixture;

    int think(const QString& thought, const QString& answer, State state = State::Complete) {
        Message message;
        message.role = Message::Role::Assistant;
        message.state = state;
        message.author = QStringLiteral("model");
        message.thinking = thought;
        message.thinkingTokens = 61;
        message.thinkingMs = 4100;
        message.text = answer;
        const int index = conversation.append(message);
        view.flush();
        return index;
    }
    QPoint lineOf(int index) {
        const QRect rect = view.thoughtRect(index);
        return {rect.left() + 30, rect.center().y()};
    }
    void activate() {
        view.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&view));
    }
    void click(const QPoint& at) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at); }
    QString clipboard() { return QGuiApplication::clipboard()->text(); }
};

void drag(QWidget* area, QPoint from, QPoint to) {
    QTest::mousePress(area, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, area->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     {});
    QCoreApplication::sendEvent(area, &move);
    QTest::mouseRelease(area, Qt::LeftButton, {}, to);
}

} // namespace

class ThoughtsTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        // No desktop to ask: light, whatever this machine prefers.
        Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
        Theme::instance().install();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }
    void labels_data();
    void labels();
    void closedCostsNoLayout();
    void opensByMouse();
    void asThePersonLastChose();
    void streamsWhatCame();
    void thenTheAnswer();
    void tickIsShort_data();
    void tickIsShort();
    void lineKeepsItsPlace();
    void followsAThoughtThatGoesOn();
    void marksAcross();
    void closingEndsTheMarkInIt();
    void copiesTheAnswerOnly();
    void copiesCodeInIt();
    void keyboard();
    void tabLeavesTheView();
    void accessible();
    void removedWhileFocused();
    void hostile();
};

void ThoughtsTest::labels_data() {
    QTest::addColumn<bool>("writing");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<double>("ms");
    QTest::addColumn<QString>("expected");
    const auto row = [](bool writing, int tokens, double ms, const char* expected) {
        QTest::newRow(expected) << writing << tokens << ms << QString::fromUtf8(expected);
    };
    row(true, 12, 900, "Thinking … 12 tokens");
    row(true, 1, 0, "Thinking … 1 token");
    row(false, 61, 4100, "Thought for 4 s · 61 tokens");
    row(false, 3, 20, "Thought for 0.1 s · 3 tokens");
    row(false, 3, 949, "Thought for 0.9 s · 3 tokens");
    row(false, 3, 951, "Thought for 1 s · 3 tokens");
    row(false, 20000, 125'000, "Thought for 2 min 5 s · 20,000 tokens");
    row(false, 0, 0, "Thought");
}

void ThoughtsTest::labels() {
    QFETCH(bool, writing);
    QFETCH(int, tokens);
    QFETCH(double, ms);
    QFETCH(QString, expected);
    Message message;
    message.role = Message::Role::Assistant;
    message.thinking = kThought;
    message.thinkingTokens = tokens;
    message.thinkingMs = ms;
    message.state = writing ? State::Writing : State::Complete;
    QCOMPARE(thoughtLabel(message), expected);
}

void ThoughtsTest::closedCostsNoLayout() {
    ThoughtPage page;
    page.think(kThought.repeated(1000), kAnswer);
    page.settle();
    const MessageItem& item = page.view.item(0);
    QVERIFY(!item.isThoughtOpen());
    QCOMPARE(item.list(Part::Thought).count(), 0); // not even parsed
    QVERIFY(item.isExact());
    ThoughtPage plain;
    plain.answer(kAnswer);
    const int more = item.height() - plain.view.item(0).height();
    QVERIFY2(more > 20 && more < 50, qPrintable(QString::number(more)));
    page.view.setThoughtOpen(0, true);
    page.settle();
    QVERIFY(item.list(Part::Thought).count() > 3000);
    page.view.setThoughtOpen(0, false);
    for (const TextBlock& block : item.list(Part::Thought).blocks())
        QVERIFY(!block.isLaidOut());
    QCOMPARE(item.height() - plain.view.item(0).height(), more);
}

void ThoughtsTest::opensByMouse() {
    ThoughtPage page;
    page.think(kThought, kAnswer);
    MessageItem& item = page.view.item(0);
    QCOMPARE(item.shownText(Part::Thought), QString());
    page.click(page.lineOf(0));
    QVERIFY(item.isThoughtOpen());
    const QString shown = item.shownText(Part::Thought);
    QVERIFY2(shown.contains(QStringLiteral("They want a sum.")), qPrintable(shown));
    QCOMPARE(item.shownText(), QStringLiteral("Use the csv module.\u2028\u2028It is simple."));
    page.click(page.lineOf(0));
    QVERIFY(!item.isThoughtOpen());
    QVERIFY(!page.view.hasSelection());
    // Beside the words nothing folds.
    page.click({page.view.thoughtRect(0).right() + 40, page.lineOf(0).y()});
    QVERIFY(!item.isThoughtOpen());
}

void ThoughtsTest::asThePersonLastChose() {
    ThoughtPage page;
    QSignalSpy spy(&page.view, &ChatView::opensThoughtsChanged);
    page.think(kThought, kAnswer);
    page.think(kThought, kAnswer);
    page.view.setThoughtOpen(0, true);
    QCOMPARE(spy.size(), 1);
    QVERIFY(spy[0][0].toBool());
    QVERIFY(!page.view.isThoughtOpen(1)); // those that are there stay
    QVERIFY(page.view.isThoughtOpen(page.think(kThought, kAnswer)));
    page.view.setThoughtOpen(2, false);
    QVERIFY(!page.view.isThoughtOpen(page.think(kThought, kAnswer)));
    QVERIFY(page.view.isThoughtOpen(0));
    QCOMPARE(spy.size(), 2);
    page.view.setThoughtOpen(7, true);
    page.view.setThoughtOpen(-1, true);
    QCOMPARE(spy.size(), 2);
}

/// Opened at whatever moment, it shows what it shows when it comes whole.
void ThoughtsTest::streamsWhatCame() {
    ThoughtPage whole;
    whole.view.setOpensThoughts(true);
    whole.think(kThought, kAnswer);
    const QString expected = whole.view.item(0).shownText(Part::Thought);
    QRandomGenerator random(3);
    for (int round = 0; round < 20; ++round) {
        ThoughtPage page;
        page.say(Message::Role::Assistant, {}, State::Writing);
        for (int at = 0; at < kThought.size();) {
            const int length = 1 + random.bounded(round + 1);
            page.conversation.appendThinking(0, kThought.mid(at, length), 1, 10);
            at += length;
            if (random.bounded(3) == 0)
                page.view.flush();
            if (random.bounded(4) == 0)
                page.view.setThoughtOpen(0, !page.view.isThoughtOpen(0));
        }
        page.conversation.appendText(0, kAnswer);
        page.view.setThoughtOpen(0, true);
        page.view.flush();
        QCOMPARE(page.view.item(0).shownText(Part::Thought), expected);
        QCOMPARE(page.view.item(0).shownText(), whole.view.item(0).shownText());
        page.settle();
        // The caret of an answer that is being written takes no room.
        QCOMPARE(page.view.item(0).height(), whole.view.item(0).height());
    }
}

void ThoughtsTest::thenTheAnswer() {
    ThoughtPage page;
    page.say(Message::Role::Assistant, {}, State::Writing);
    page.conversation.appendThinking(0, QStringLiteral("well"), 1, 100);
    page.conversation.appendThinking(0, {}, 2, 100); // half a character
    QVERIFY(page.conversation.at(0).isThinking());
    QCOMPARE(page.conversation.at(0).thinkingTokens, 3);
    page.view.flush();
    const int height = page.view.item(0).height();
    page.conversation.appendText(0, QStringLiteral("Yes"));
    page.view.flush();
    QVERIFY(!page.conversation.at(0).isThinking());
    QVERIFY(page.view.item(0).height() > height + 15);
    QCOMPARE(page.conversation.at(0).text, QStringLiteral("Yes"));
    QCOMPARE(page.conversation.at(0).thinking, QStringLiteral("well"));
}

void ThoughtsTest::tickIsShort_data() {
    QTest::addColumn<bool>("open");
    QTest::addColumn<QString>("token");
    QTest::addColumn<int>("limitMs");
    QTest::newRow("closed") << false << QStringLiteral("word ") << 16;
    QTest::newRow("closed lines") << false << QStringLiteral("ab\n\n") << 16;
    QTest::newRow("open") << true << QStringLiteral("word ") << 16;
    QTest::newRow("open lines") << true << QStringLiteral("ab\n\n") << 16;
    QTest::newRow("open marks") << true << QStringLiteral("so **b** `c` ") << 32;
}

/// A thought of 20,000 tokens at 2,000 tokens/s, taken in 30 times a second.
void ThoughtsTest::tickIsShort() {
    QFETCH(bool, open);
    QFETCH(QString, token);
    QFETCH(int, limitMs);
    constexpr int kTicks = 300, kTokensPerTick = 67;
    ThoughtPage page({820, 760});
    page.view.setOpensThoughts(open);
    page.say(Message::Role::Assistant, {}, State::Writing);
    QVERIFY(QTest::qWaitForWindowExposed(&page.view));
    const QString piece = token.repeated(kTokensPerTick);
    std::vector<qint64> times;
    for (int tick = 0; tick < kTicks; ++tick) {
        QElapsedTimer clock;
        clock.start();
        page.conversation.appendThinking(0, piece, kTokensPerTick, 33);
        page.view.flush();
        page.view.viewport()->repaint();
        times.push_back(clock.nsecsElapsed() / 1000);
    }
    QCOMPARE(page.conversation.at(0).thinkingTokens, kTicks * kTokensPerTick);
    QVERIFY(page.view.followsEnd());
    std::sort(times.begin(), times.end());
    const qint64 median = times[kTicks / 2];
    const qint64 slow = times[kTicks * 95 / 100];
    qInfo("tick: median %.2f ms, 95 %% %.2f ms, worst %.2f ms", median / 1000.0, slow / 1000.0,
          times.back() / 1000.0);
    QVERIFY2(median < limitMs * 1000 * kSlowdown, qPrintable(QString::number(median)));
    QVERIFY2(slow < 3 * limitMs * 1000 * kSlowdown, qPrintable(QString::number(slow)));
    QElapsedTimer clock;
    clock.start();
    page.view.setThoughtOpen(0, !open);
    page.view.viewport()->repaint();
    QVERIFY2(clock.elapsed() < 200 * kSlowdown, qPrintable(QString::number(clock.elapsed())));
}

void ThoughtsTest::lineKeepsItsPlace() {
    ThoughtPage page;
    page.fill(6);
    const int index = page.think(kThought.repeated(30), kAnswer);
    page.fill(1);
    page.settle();
    QVERIFY(page.view.followsEnd());
    const int top = page.view.thoughtRect(index).top();
    QVERIFY(top > 0);
    page.view.setThoughtOpen(index, true);
    QCOMPARE(page.view.thoughtRect(index).top(), top);
    QVERIFY(!page.view.followsEnd()); // the end is far below
    page.settle();
    QVERIFY(qAbs(page.view.thoughtRect(index).top() - top) <= 1);
    page.view.setThoughtOpen(index, false);
    QVERIFY(qAbs(page.view.thoughtRect(index).top() - top) <= 1);
    QVERIFY(page.view.followsEnd());
}

void ThoughtsTest::followsAThoughtThatGoesOn() {
    ThoughtPage page;
    page.fill(4);
    const int index = page.say(Message::Role::Assistant, {}, State::Writing);
    page.conversation.appendThinking(index, kThought.repeated(40), 100, 100);
    page.settle();
    page.view.setThoughtOpen(index, true);
    QVERIFY(page.view.followsEnd());
    for (int i = 0; i < 20; ++i) {
        page.conversation.appendThinking(index, QStringLiteral("\n\nand more"), 3, 10);
        page.view.flush();
        QCOMPARE(page.bar()->value(), page.bar()->maximum());
    }
    QTest::keyClick(&page.view, Qt::Key_PageUp);
    const int value = page.bar()->value();
    page.conversation.appendThinking(index, QStringLiteral("\n\nand more").repeated(20), 3, 10);
    page.view.flush();
    QCOMPARE(page.bar()->value(), value);
}

void ThoughtsTest::marksAcross() {
    ThoughtPage page({700, 700});
    page.ask(QStringLiteral("a question"));
    page.think(QStringLiteral("some thought here"), QStringLiteral("the answer"));
    page.ask(QStringLiteral("another"));
    page.view.setThoughtOpen(1, true);
    page.settle();
    QWidget* area = page.view.viewport();
    const auto inThought = [&](int offset) {
        const QRect rect = page.view.positionRect({1, offset, Part::Thought});
        return QPoint(rect.left() + 1, rect.center().y());
    };
    drag(area, inThought(5), page.pointOf(1, 3));
    QCOMPARE(page.view.selectedText(), QStringLiteral("thought here\n\nthe"));
    drag(area, page.pointOf(1, 3), inThought(5)); // upwards
    QCOMPARE(page.view.selectedText(), QStringLiteral("thought here\n\nthe"));
    drag(area, page.pointOf(0, 2), page.pointOf(2, 3));
    QCOMPARE(page.view.selectedText(),
             QStringLiteral("question\n\nsome thought here\n\nthe answer\n\nano"));
    drag(area, inThought(0), inThought(4));
    QCOMPARE(page.view.selectedText(), QStringLiteral("some"));
    QTest::mouseDClick(area, Qt::LeftButton, {}, inThought(7));
    QCOMPARE(page.view.selectedText(), QStringLiteral("thought"));
    page.view.selectAll();
    page.view.setFocus();
    QTest::keyClick(&page.view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(page.clipboard(),
             QStringLiteral("a question\n\nsome thought here\n\nthe answer\n\nanother"));
    page.view.setThoughtOpen(1, false); // what is hidden is not in it
    QCOMPARE(page.view.selectedText(), QStringLiteral("a question\n\nthe answer\n\nanother"));
}

void ThoughtsTest::closingEndsTheMarkInIt() {
    ThoughtPage page;
    page.think(QStringLiteral("some thought here"), QStringLiteral("the answer"));
    page.view.setThoughtOpen(0, true);
    QSignalSpy spy(&page.view, &ChatView::selectionChanged);
    const QRect rect = page.view.positionRect({0, 7, Part::Thought});
    QTest::mouseDClick(page.view.viewport(), Qt::LeftButton, {}, rect.center());
    QVERIFY(page.view.hasSelection());
    page.view.setThoughtOpen(0, false);
    QVERIFY(!page.view.hasSelection());
    QVERIFY(spy.size() >= 2);
    QGuiApplication::clipboard()->setText(QStringLiteral("kept"));
    page.view.copy();
    QCOMPARE(page.clipboard(), QStringLiteral("kept"));
}

void ThoughtsTest::copiesTheAnswerOnly() {
    ThoughtPage page;
    page.think(kThought, kAnswer);
    page.view.setThoughtOpen(0, true);
    page.view.copyMessage(0);
    QCOMPARE(page.clipboard(), kAnswer);
    const QPoint at = page.pointOf(0, 1);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, page.view.viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(page.view.viewport(), &event);
    auto* menu = page.view.findChild<QMenu*>();
    QVERIFY(menu);
    for (QAction* action : menu->actions())
        if (action->text().remove(u'&') == QStringLiteral("Copy thought"))
            action->trigger();
    QCOMPARE(page.clipboard(), kThought);
    menu->close();
}

void ThoughtsTest::copiesCodeInIt() {
    ThoughtPage page;
    page.think(kThought, kAnswer);
    page.view.setThoughtOpen(0, true);
    const int right = page.view.messageRect(0).width() - 20;
    BlockRef code;
    int y = 0;
    for (; y < 300 && code.isNull(); ++y)
        code = page.view.item(0).copyButtonAt({right, y});
    QCOMPARE(code.part, Part::Thought);
    page.click(page.view.messageRect(0).topLeft() + QPoint(right, y + 4));
    QCOMPARE(page.clipboard(), QStringLiteral("total = 0"));
}

void ThoughtsTest::keyboard() {
    ThoughtPage page({700, 700});
    page.think(kThought, kAnswer);
    page.ask(QStringLiteral("more"));
    page.think(kThought, kAnswer);
    page.activate();
    page.view.setFocus(Qt::TabFocusReason);
    QCOMPARE(page.view.focusedThought(), -1);
    QTest::keyClick(&page.view, Qt::Key_Tab);
    QCOMPARE(page.view.focusedThought(), 0);
    QTest::keyClick(&page.view, Qt::Key_Return);
    QVERIFY(page.view.isThoughtOpen(0));
    QTest::keyClick(&page.view, Qt::Key_Space);
    QVERIFY(!page.view.isThoughtOpen(0));
    const QImage first = page.view.viewport()->grab().toImage();
    QTest::keyClick(&page.view, Qt::Key_Tab);
    QCOMPARE(page.view.focusedThought(), 2);
    QVERIFY(page.view.viewport()->grab().toImage() != first); // the ring went on
    QTest::keyClick(&page.view, Qt::Key_Enter);
    QVERIFY(page.view.isThoughtOpen(2));
    QTest::keyClick(&page.view, Qt::Key_Backtab);
    QCOMPARE(page.view.focusedThought(), 0);
    QTest::keyClick(&page.view, Qt::Key_Backtab);
    QCOMPARE(page.view.focusedThought(), -1);
    QVERIFY(page.view.hasFocus());
    QTest::keyClick(&page.view, Qt::Key_Return); // of nothing
    QVERIFY(!page.view.isThoughtOpen(0));
}

void ThoughtsTest::tabLeavesTheView() {
    QWidget window;
    auto* rows = new QVBoxLayout(&window);
    auto* before = new QLineEdit;
    auto* view = new ChatView;
    auto* after = new QLineEdit;
    for (QWidget* widget :
         {static_cast<QWidget*>(before), static_cast<QWidget*>(view), static_cast<QWidget*>(after)})
        rows->addWidget(widget);
    Conversation conversation;
    view->setConversation(&conversation);
    for (int i = 0; i < 60; ++i) { // most of them out of sight
        Message message;
        message.role = Message::Role::Assistant;
        message.thinking = kThought;
        message.text = kAnswer;
        conversation.append(message);
    }
    window.resize(600, 500);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    view->flush();
    before->setFocus();
    int stops = 0;
    for (; stops < 40 && !after->hasFocus(); ++stops)
        QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
    QVERIFY(after->hasFocus());
    QVERIFY2(stops >= 3 && stops < 12, qPrintable(QString::number(stops)));
    QTest::keyClick(window.focusWidget(), Qt::Key_Backtab);
    QVERIFY(view->hasFocus());
    QCOMPARE(view->focusedThought(), 59);
}

void ThoughtsTest::accessible() {
    ThoughtPage page;
    page.ask(QStringLiteral("q"));
    page.think(kThought, kAnswer);
    QAccessibleInterface* view = QAccessible::queryAccessibleInterface(&page.view);
    QAccessibleInterface* message = view->child(1);
    QCOMPARE(view->child(0)->childCount(), 0);
    QCOMPARE(message->childCount(), 1);
    QCOMPARE(message->text(QAccessible::Value), kAnswer);
    QAccessibleInterface* thought = message->child(0);
    QVERIFY(thought && thought->isValid());
    QCOMPARE(thought->role(), QAccessible::Button);
    QCOMPARE(thought->text(QAccessible::Name), QStringLiteral("Thought for 4 s · 61 tokens"));
    QCOMPARE(thought->parent(), message);
    QCOMPARE(message->indexOfChild(thought), 0);
    QVERIFY(thought->state().expandable && thought->state().collapsed);
    QVERIFY(!thought->state().expanded);
    QCOMPARE(thought->text(QAccessible::Value), QString());
    QVERIFY(thought->actionInterface());
    thought->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QVERIFY(page.view.isThoughtOpen(1));
    QVERIFY(thought->state().expanded && !thought->state().collapsed);
    QCOMPARE(thought->text(QAccessible::Value), kThought);
    page.activate();
    thought->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
    QVERIFY(thought->state().focused);
    const QPoint inside = thought->rect().center();
    QCOMPARE(message->childAt(inside.x(), inside.y()), thought);
    page.conversation.removeFrom(1);
    QVERIFY(!thought->isValid());
    QVERIFY(thought->rect().isNull());
    QCOMPARE(thought->text(QAccessible::Name), QString());
}

void ThoughtsTest::removedWhileFocused() {
    ThoughtPage page;
    page.ask(QStringLiteral("q"));
    page.think(kThought, kAnswer);
    page.activate();
    page.view.setFocus();
    page.view.focusThought(1);
    QCOMPARE(page.view.focusedThought(), 1);
    page.view.setThoughtOpen(1, true);
    page.view.selectAll();
    page.conversation.removeFrom(1);
    QCOMPARE(page.view.focusedThought(), -1);
    QTest::keyClick(&page.view, Qt::Key_Return);
    QTest::keyClick(&page.view, Qt::Key_Space);
    page.view.viewport()->repaint();
    page.conversation.clear();
    page.view.viewport()->repaint();
}

void ThoughtsTest::hostile() {
    ThoughtPage page({60, 40});
    page.view.setOpensThoughts(true);
    for (const QString& text :
         {QString(5000, QChar(0)), QString(3000, QChar(0xd800)), QString(3000, u'\n'),
          QStringLiteral("```\n").repeated(2000), QStringLiteral("</think>").repeated(100),
          QStringLiteral("<img src='http://localhost:1/x.png'>").repeated(50)}) {
        page.think(text, {});
        page.think(text, text);
        page.view.viewport()->repaint();
        for (int y = 0; y < 40; y += 7)
            (void)page.view.positionAt({30, y});
    }
    for (const QSize size : {QSize(1, 1), QSize(0, 300), QSize(3000, 2000), QSize(700, 500)}) {
        page.view.resize(size);
        page.view.viewport()->repaint();
        page.settle();
    }
    for (int i = 0; i < page.view.itemCount(); ++i) {
        page.view.setThoughtOpen(i, false);
        page.view.viewport()->repaint();
    }
}

QTEST_MAIN(ThoughtsTest)
#include "tst_thoughts.moc"

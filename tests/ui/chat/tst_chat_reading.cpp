// SPDX-License-Identifier: Apache-2.0
// What the reader does with the chat view: mark, copy, menus, keys, tools, and what a screen reader
// sees.
#include "chat_fixture.h"

#include <QtCore/QMimeData>
#include <QtGui/QAccessible>
#include <QtGui/QClipboard>
#include <QtGui/QDropEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QStyleHints>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>

#include <memory>

using namespace sotto::ui;

namespace {

QString clipboard() {
    return QGuiApplication::clipboard()->text();
}

void drag(QWidget* area, QPoint from, QPoint to) {
    QTest::mousePress(area, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, area->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     {});
    QCoreApplication::sendEvent(area, &move);
    QTest::mouseRelease(area, Qt::LeftButton, {}, to);
}

QAction* actionNamed(QMenu* menu, const QString& text) {
    for (QAction* action : menu->actions())
        if (action->text().remove(u'&') == text)
            return action;
    return nullptr;
}

} // namespace

class ChatReadingTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        // No desktop to ask: light, whatever this machine prefers.
        Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
        Theme::instance().install();
    }
    void copiesTheSourceExactly();
    void dragsOverMessages();
    void dragScrolls();
    void wordsAndLines();
    void marksComeWithWhatTheyMark();
    void copiesCode();
    void keys();
    void menu();
    void tools();
    void emptyState();
    void dropsAreNotTaken();
    void accessible();
};

void ChatReadingTest::copiesTheSourceExactly() {
    const QString text =
        QStringLiteral("a\r\n\r\n\tb  \n\n\n```py\r\n\tx = 1\r\n```\n**c** `d`\u00a0e ❤️\n\n");
    ChatFixture page;
    page.ask(text);
    page.view.setFocus();
    QSignalSpy spy(&page.view, &ChatView::selectionChanged);
    QTest::keyClick(&page.view, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&page.view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(clipboard(), text);
    QCOMPARE(spy.size(), 1);
    page.answer(text);
    page.view.selectAll();
    page.view.copy();
    QCOMPARE(clipboard(), text + QStringLiteral("\n\n") + text);
    page.view.copyMessage(1);
    QCOMPARE(clipboard(), text);
    page.view.clearSelection();
    QGuiApplication::clipboard()->setText(QStringLiteral("kept"));
    page.view.copy();
    QCOMPARE(clipboard(), QStringLiteral("kept"));
}

void ChatReadingTest::dragsOverMessages() {
    ChatFixture page;
    page.ask(QStringLiteral("first question"));
    page.answer(QStringLiteral("the **whole** answer"));
    page.ask(QStringLiteral("second question"));
    QWidget* area = page.view.viewport();
    drag(area, page.pointOf(0, 6), page.pointOf(2, 6));
    const QString expected = QStringLiteral("question\n\nthe **whole** answer\n\nsecond");
    QCOMPARE(page.view.selectedText(), expected);
    drag(area, page.pointOf(2, 6), page.pointOf(0, 6)); // upwards
    QCOMPARE(page.view.selectedText(), expected);
    QTest::mouseClick(area, Qt::LeftButton, {}, page.pointOf(1, 2));
    QVERIFY(!page.view.hasSelection());
    QTest::mouseClick(area, Qt::LeftButton, Qt::ShiftModifier, page.pointOf(2, 6));
    QCOMPARE(page.view.selectedText(), QStringLiteral("e **whole** answer\n\nsecond"));
}

void ChatReadingTest::dragScrolls() {
    ChatFixture page;
    page.fill(20);
    page.settle();
    page.bar()->setValue(0);
    QWidget* area = page.view.viewport();
    QTest::mousePress(area, Qt::LeftButton, {}, {200, 200});
    const QPoint below(200, area->height() + 60);
    QMouseEvent move(QEvent::MouseMove, below, area->mapToGlobal(below), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(area, &move);
    QTRY_VERIFY(page.bar()->value() > 200);
    const QString some = page.view.selectedText();
    QTRY_VERIFY(page.view.selectedText().size() > some.size());
    QTest::mouseRelease(area, Qt::LeftButton, {}, below);
    const int value = page.bar()->value();
    QTest::qWait(100);
    QCOMPARE(page.bar()->value(), value);
}

void ChatReadingTest::wordsAndLines() {
    ChatFixture page;
    page.answer(QStringLiteral("Some words here\nand `code` there"));
    QWidget* area = page.view.viewport();
    const QPoint word = page.pointOf(0, 6);
    QTest::mouseClick(area, Qt::LeftButton, {}, word);
    QTest::mouseDClick(area, Qt::LeftButton, {}, word);
    QCOMPARE(page.view.selectedText(), QStringLiteral("words"));
    QTest::mouseClick(area, Qt::LeftButton, {}, word);
    QCOMPARE(page.view.selectedText(), QStringLiteral("Some words here"));
    // Words stay whole while the drag goes on.
    QTest::qWait(QGuiApplication::styleHints()->mouseDoubleClickInterval() + 50);
    QTest::mouseDClick(area, Qt::LeftButton, {}, word);
    QTest::mousePress(area, Qt::LeftButton, {}, {5, 5});
    QTest::mouseRelease(area, Qt::LeftButton, {}, {5, 5});
    QTest::qWait(QGuiApplication::styleHints()->mouseDoubleClickInterval() + 50);
    QMouseEvent press(QEvent::MouseButtonDblClick, word, area->mapToGlobal(word), Qt::LeftButton,
                      Qt::LeftButton, {});
    QCoreApplication::sendEvent(area, &press);
    const QPoint target = page.pointOf(0, 28); // in "there"
    QMouseEvent move(QEvent::MouseMove, target, area->mapToGlobal(target), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(area, &move);
    QTest::mouseRelease(area, Qt::LeftButton, {}, target);
    QCOMPARE(page.view.selectedText(), QStringLiteral("words here\nand `code` there"));
}

void ChatReadingTest::marksComeWithWhatTheyMark() {
    ChatFixture page;
    page.answer(QStringLiteral("**bold** and `code` end"));
    QWidget* area = page.view.viewport();
    QTest::mouseDClick(area, Qt::LeftButton, {}, page.pointOf(0, 4));
    QCOMPARE(page.view.selectedText(), QStringLiteral("bold"));
    drag(area, page.pointOf(0, 2), page.pointOf(0, 11)); // from the b to inside "and"
    QCOMPARE(page.view.selectedText(), QStringLiteral("**bold** an"));
    drag(area, page.pointOf(0, 9), page.pointOf(0, 18)); // to the end of the code
    QCOMPARE(page.view.selectedText(), QStringLiteral("and `code`"));
    drag(area, page.pointOf(0, 3), page.pointOf(0, 11)); // not from its first letter
    QCOMPARE(page.view.selectedText(), QStringLiteral("old** an"));
}

void ChatReadingTest::copiesCode() {
    ChatFixture page;
    const QString code =
        QStringLiteral("int a;\n\n\tint b;") + QStringLiteral("\nx").repeated(3000);
    page.answer(QStringLiteral("Look:\n```cpp\n") + code + QStringLiteral("\n```\ndone"));
    page.bar()->setValue(0);
    const MessageItem& item = page.view.item(0);
    BlockRef block;
    for (int y = 0; y < 200 && block.isNull(); ++y)
        block = item.copyButtonAt({page.view.messageRect(0).width() - 20, y});
    QVERIFY(!block.isNull());
    const QPoint at = page.view.messageRect(0).topLeft() + item.blockPos(block) +
                      QPoint(page.view.messageRect(0).width() - 20, 10);
    QTest::mouseClick(page.view.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(clipboard(), code);
    QVERIFY(!page.view.hasSelection());
}

void ChatReadingTest::keys() {
    ChatFixture page;
    page.fill(20);
    page.settle();
    page.view.setFocus();
    QVERIFY(page.view.focusPolicy() & Qt::TabFocus);
    QTest::keyClick(&page.view, Qt::Key_Home);
    QCOMPARE(page.bar()->value(), 0);
    QTest::keyClick(&page.view, Qt::Key_Down);
    QVERIFY(page.bar()->value() > 0);
    QTest::keyClick(&page.view, Qt::Key_Up);
    QCOMPARE(page.bar()->value(), 0);
    QTest::keyClick(&page.view, Qt::Key_PageDown);
    QVERIFY(page.bar()->value() > 200);
    QTest::keyClick(&page.view, Qt::Key_End);
    QCOMPARE(page.bar()->value(), page.bar()->maximum());
    // Copying wins over a shortcut of the window while the focus is here.
    QKeyEvent wish(QEvent::ShortcutOverride, Qt::Key_C, Qt::ControlModifier);
    wish.ignore();
    QCoreApplication::sendEvent(&page.view, &wish);
    QVERIFY(wish.isAccepted());
}

void ChatReadingTest::menu() {
    ChatFixture page;
    page.ask(QStringLiteral("q"));
    const int last = page.answer(QStringLiteral("an answer"));
    QSignalSpy copied(&page.view, &ChatView::copyMessageRequested);
    QSignalSpy again(&page.view, &ChatView::regenerateRequested);
    const QPoint at = page.pointOf(last, 1);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, page.view.viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(page.view.viewport(),
                                &event); // returns: the menu pops up, it is not run
    auto* menu = page.view.findChild<QMenu*>();
    QVERIFY(menu);
    QVERIFY(!actionNamed(menu, QStringLiteral("Copy"))->isEnabled());
    actionNamed(menu, QStringLiteral("Copy message"))->trigger();
    QCOMPARE(clipboard(), QStringLiteral("an answer"));
    QCOMPARE(copied.size(), 1);
    QCOMPARE(copied[0][0].toInt(), last);
    QVERIFY(actionNamed(menu, QStringLiteral("Regenerate"))->isEnabled());
    actionNamed(menu, QStringLiteral("Regenerate"))->trigger();
    QCOMPARE(again.size(), 1);
    QCOMPARE(again[0][0].toInt(), last);
    menu->close();

    page.conversation.setState(last, Message::State::Writing);
    QCOMPARE(page.view.regenerable(), -1);
    QContextMenuEvent key(QContextMenuEvent::Keyboard, {}, {});
    QCoreApplication::sendEvent(page.view.viewport(), &key);
    menu = page.view.findChild<QMenu*>();
    QVERIFY(menu);
    QVERIFY(!actionNamed(menu, QStringLiteral("Regenerate"))->isEnabled());
    menu->close();
}

void ChatReadingTest::tools() {
    ChatFixture page;
    page.ask(QStringLiteral("question"));
    page.answer(QStringLiteral("answer"));
    QSignalSpy copied(&page.view, &ChatView::copyMessageRequested);
    QSignalSpy again(&page.view, &ChatView::regenerateRequested);
    QWidget* area = page.view.viewport();
    const QImage plain = area->grab().toImage();
    const QRect answer = page.view.messageRect(1);
    QTest::mouseMove(area, answer.topLeft() + QPoint(50, 30));
    QVERIFY(area->grab().toImage() != plain); // they show
    QTest::mouseClick(area, Qt::LeftButton, {}, answer.topRight() + QPoint(-10, 8));
    QCOMPARE(copied.size(), 1);
    QCOMPARE(clipboard(), QStringLiteral("answer"));
    QTest::mouseClick(area, Qt::LeftButton, {}, answer.topRight() + QPoint(-34, 8));
    QCOMPARE(again.size(), 1);
    const QRect bubble = page.view.item(0).bubble().translated(page.view.messageRect(0).topLeft());
    QTest::mouseClick(area, Qt::LeftButton, {}, bubble.topLeft() + QPoint(-20, 20));
    QCOMPARE(copied.size(), 2);
    QCOMPARE(clipboard(), QStringLiteral("question"));
    page.conversation.setState(1, Message::State::Reading);
    page.view.flush();
    QTest::mouseClick(area, Qt::LeftButton, {}, answer.topRight() + QPoint(-34, 8));
    QCOMPARE(again.size(), 1);
}

void ChatReadingTest::emptyState() {
    ChatFixture page;
    page.view.setEmptyState(
        {QStringLiteral("Model & <b>more</b>"),
         {QStringLiteral("line")},
         {QStringLiteral("one & two"), QStringLiteral("b"), QStringLiteral("c")},
         QStringLiteral("hint"),
         false});
    auto* empty = page.view.findChild<EmptyStateView*>();
    QVERIFY(empty && empty->isVisible());
    QSignalSpy chosen(&page.view, &ChatView::exampleChosen);
    QSignalSpy open(&page.view, &ChatView::openModelRequested);
    QAbstractButton* card = nullptr;
    QPushButton* button = nullptr;
    for (auto* each : empty->findChildren<QAbstractButton*>()) {
        if (each->accessibleName() == QStringLiteral("one & two"))
            card = each;
        if (auto* push = qobject_cast<QPushButton*>(each))
            button = push;
    }
    QVERIFY(card && button);
    QVERIFY(!button->isVisible());
    QVERIFY(card->focusPolicy() & Qt::TabFocus);
    QTest::keyClick(card, Qt::Key_Return);
    QTest::mouseClick(card, Qt::LeftButton);
    QTest::keyClick(card, Qt::Key_Space);
    QCOMPARE(chosen.size(), 3);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("one & two"));
    page.view.setEmptyState({QStringLiteral("No model yet"), {}, {}, {}, true});
    QVERIFY(button->isVisible());
    button->click();
    QCOMPARE(open.size(), 1);
    page.ask(QStringLiteral("x"));
    QVERIFY(!empty->isVisible());
    page.conversation.clear();
    QVERIFY(empty->isVisible());
}

void ChatReadingTest::dropsAreNotTaken() {
    ChatFixture page;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("model.gguf"))});
    QVERIFY(!page.view.acceptDrops());
    QVERIFY(!page.view.viewport()->acceptDrops());
    QDragEnterEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    event.ignore();
    QCoreApplication::sendEvent(page.view.viewport(), &event);
    QVERIFY(!event.isAccepted());
}

void ChatReadingTest::accessible() {
    ChatFixture page;
    page.ask(QStringLiteral("the question"));
    page.answer(QStringLiteral("the **answer**"));
    QAccessibleInterface* view = QAccessible::queryAccessibleInterface(&page.view);
    QVERIFY(view);
    QCOMPARE(view->role(), QAccessible::List);
    QVERIFY(!view->text(QAccessible::Name).isEmpty());
    QVERIFY(view->childCount() >= 2);
    QAccessibleInterface* second = view->child(1);
    QVERIFY(second && second->isValid());
    QCOMPARE(second->role(), QAccessible::ListItem);
    QCOMPARE(second->text(QAccessible::Name), QStringLiteral("model"));
    QCOMPARE(second->text(QAccessible::Value), QStringLiteral("the **answer**"));
    QCOMPARE(view->child(0)->text(QAccessible::Value), QStringLiteral("the question"));
    QCOMPARE(view->indexOfChild(second), 1);
    QCOMPARE(second->parent(), view);
    QVERIFY(second->rect().isValid());
    QVERIFY(!second->state().busy);
    const QPoint inside = second->rect().center();
    QCOMPARE(view->childAt(inside.x(), inside.y()), second);
    for (int i = 0; i < view->childCount(); ++i)
        QVERIFY(view->child(i));
    page.conversation.setState(1, Message::State::Writing);
    QVERIFY(second->state().busy);
    page.conversation.removeFrom(1);
    QVERIFY(!second->isValid());
    QCOMPARE(second->text(QAccessible::Value), QString());
    QVERIFY(second->rect().isNull());
}

QTEST_MAIN(ChatReadingTest)
#include "tst_chat_reading.moc"

// SPDX-License-Identifier: Apache-2.0
// The composer: Enter and input methods, growth, exact text, pastes, what is refused and why.
#include "ui/chat/column.h"
#include "ui/chat/composer.h"
#include "ui/chat/composer_edit.h"
#include "ui/theme/theme.h"

#include <QtCore/QMimeData>
#include <QtGui/QClipboard>
#include <QtGui/QDropEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QInputMethodEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QVBoxLayout>

#include <memory>

using namespace sotto::ui;

namespace {

struct Fixture {
    QWidget window;
    Composer* composer = nullptr;
    ComposerEdit* edit = nullptr;
    QPushButton* button = nullptr;
    QLabel* status = nullptr;
    explicit Fixture(QSize size = {800, 600}) {
        auto* rows = new QVBoxLayout(&window);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->addStretch(1);
        composer = new Composer;
        rows->addWidget(composer);
        window.resize(size);
        window.show();
        edit = composer->findChild<ComposerEdit*>();
        button = composer->findChild<QPushButton*>();
        status = composer->findChild<QLabel*>();
        composer->focusText();
        QCoreApplication::processEvents();
    }
    void compose(const QString& preedit, const QString& commit = {}) {
        QInputMethodEvent event(preedit, {});
        event.setCommitString(commit);
        QCoreApplication::sendEvent(edit, &event);
    }
    void paste(const QString& text) {
        QGuiApplication::clipboard()->setText(text);
        edit->paste();
    }
};

} // namespace

class ComposerTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        // No desktop to ask: light, whatever this machine prefers.
        Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
        Theme::instance().install();
    }
    void enterSends();
    void shiftEnterBreaks();
    void inputMethodKeepsEnter();
    void refusalsSayWhy();
    void busyStops();
    void grows();
    void pasteIsExact();
    void tooLargePaste();
    void counter();
    void recall();
    void undo();
    void drops();
    void column();
    void accessible();
};

void ComposerTest::enterSends() {
    Fixture page;
    QSignalSpy sent(page.composer, &Composer::sendRequested);
    QSignalSpy edited(page.composer, &Composer::textEdited);
    QTest::keyClick(page.edit, Qt::Key_Return);
    QVERIFY(!page.button->isEnabled());
    page.composer->setText(QStringLiteral(" \n\t "));
    QTest::keyClick(page.edit, Qt::Key_Return);
    QCOMPARE(sent.size(), 0);
    page.composer->clear();
    QTest::keyClicks(page.edit, QStringLiteral("hello"));
    QVERIFY(edited.size() >= 5);
    QTest::keyClick(page.edit, Qt::Key_Return);
    QTest::keyClick(page.edit, Qt::Key_Enter, Qt::KeypadModifier);
    QTest::keyClick(page.edit, Qt::Key_Return, Qt::ControlModifier);
    QTest::mouseClick(page.button, Qt::LeftButton);
    QCOMPARE(sent.size(), 4);
    for (const auto& each : sent)
        QCOMPARE(each[0].toString(), QStringLiteral("hello"));
    QCOMPARE(page.composer->text(), QStringLiteral("hello")); // the window clears it
    QKeyEvent held(QEvent::KeyPress, Qt::Key_Return, {}, QStringLiteral("\r"), true);
    QCoreApplication::sendEvent(page.edit, &held);
    QCOMPARE(sent.size(), 4);
}

void ComposerTest::shiftEnterBreaks() {
    Fixture page;
    QSignalSpy sent(page.composer, &Composer::sendRequested);
    QTest::keyClicks(page.edit, QStringLiteral("a"));
    QTest::keyClick(page.edit, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClicks(page.edit, QStringLiteral("b"));
    QCOMPARE(page.composer->text(), QStringLiteral("a\nb"));
    QCOMPARE(sent.size(), 0);
}

/// The Enter that confirms a word belongs to the input method, whether it comes before its commit
/// or not at all.
void ComposerTest::inputMethodKeepsEnter() {
    Fixture page;
    QSignalSpy sent(page.composer, &Composer::sendRequested);
    QTest::keyClicks(page.edit, QStringLiteral("x "));
    page.compose(QStringLiteral("にほ"));
    QVERIFY(page.edit->isComposing());
    QTest::keyClick(page.edit, Qt::Key_Return);
    QTest::keyClick(page.edit, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(page.edit, Qt::Key_Up);
    QCOMPARE(sent.size(), 0);
    QCOMPARE(page.composer->text(), QStringLiteral("x "));
    page.compose({}, QStringLiteral("日本"));
    QCOMPARE(sent.size(), 0);
    QCOMPARE(page.composer->text(), QStringLiteral("x 日本"));
    QTest::keyClick(page.edit, Qt::Key_Return);
    QCOMPARE(sent.size(), 1);
    QCOMPARE(sent[0][0].toString(), QStringLiteral("x 日本"));
    // Given up without a commit.
    page.compose(QStringLiteral("に"));
    page.compose({});
    QTest::keyClick(page.edit, Qt::Key_Return);
    QCOMPARE(sent.size(), 2);
}

void ComposerTest::refusalsSayWhy() {
    Fixture page;
    QSignalSpy sent(page.composer, &Composer::sendRequested);
    page.composer->setCounter(3, 100);
    page.composer->setSendEnabled(false, QStringLiteral("No model is open"));
    page.composer->setText(QStringLiteral("hello"));
    QVERIFY(!page.button->isEnabled());
    QCOMPARE(page.status->text(), QStringLiteral("No model is open"));
    QTest::keyClick(page.edit, Qt::Key_Return);
    QCOMPARE(sent.size(), 0);
    QCOMPARE(page.status->text(), QStringLiteral("No model is open"));
    QCOMPARE(page.composer->text(), QStringLiteral("hello"));
    page.composer->setSendEnabled(true);
    QTest::keyClick(page.edit, Qt::Key_Return);
    QCOMPARE(sent.size(), 1);
}

void ComposerTest::busyStops() {
    Fixture page;
    QSignalSpy sent(page.composer, &Composer::sendRequested);
    QSignalSpy stopped(page.composer, &Composer::stopRequested);
    const QSize size = page.button->size();
    page.composer->setText(QStringLiteral("next"));
    page.composer->setBusy(true);
    QCOMPARE(page.button->text(), QStringLiteral("Stop"));
    QCOMPARE(page.button->size(), size);
    QTest::keyClick(page.edit, Qt::Key_Return);
    QCOMPARE(sent.size(), 0);
    QVERIFY(page.status->text().contains(QStringLiteral("stop it first")));
    QTest::keyClick(page.edit, Qt::Key_Escape);
    QTest::mouseClick(page.button, Qt::LeftButton);
    QCOMPARE(stopped.size(), 2);
    QCOMPARE(page.composer->text(), QStringLiteral("next"));
    page.composer->setBusy(false);
    QTest::keyClick(page.edit, Qt::Key_Escape);
    QCOMPARE(stopped.size(), 2);
    QTest::keyClick(page.edit, Qt::Key_Return);
    QCOMPARE(sent.size(), 1);
}

void ComposerTest::grows() {
    Fixture page;
    const int one = page.composer->height();
    page.composer->setText(QStringLiteral("a\nb\nc"));
    QTRY_VERIFY(qAbs(page.composer->height() - one - 2 * page.edit->lineHeight()) <= 2);
    QCOMPARE(page.edit->verticalScrollBar()->value(), 0);
    QCOMPARE(page.edit->verticalScrollBar()->maximum(), 0); // all of it in sight
    page.composer->setText(QStringLiteral("line\n").repeated(100));
    QTRY_VERIFY(page.composer->height() > page.window.height() * 0.3);
    QVERIFY(page.composer->height() <= page.window.height() * 0.42);
    QVERIFY(page.edit->verticalScrollBar()->maximum() > 0);
    page.window.resize(800, 1000);
    QTRY_VERIFY(page.composer->height() > 350);
    page.composer->setText(QStringLiteral("word ").repeated(60)); // one line that wraps
    QTRY_VERIFY(page.composer->height() > one);
    page.composer->clear();
    QTRY_COMPARE(page.composer->height(), one);
    // A wider window needs fewer lines.
    page.window.resize(400, 800);
    page.composer->setText(QStringLiteral("word ").repeated(60));
    QCoreApplication::processEvents();
    const int narrow = page.composer->height();
    page.window.resize(800, 800);
    QTRY_VERIFY(page.composer->height() < narrow);
}

void ComposerTest::pasteIsExact() {
    Fixture page;
    const QString text = QStringLiteral("a\n\n\n\tb  \n<i>\u00a0x</i> \u2028 👩‍👩‍👧\n");
    page.paste(text);
    QCOMPARE(page.composer->text(), text);
    page.edit->selectAll();
    page.edit->copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), text);
    page.composer->setText(text);
    QCOMPARE(page.composer->text(), text);
    page.composer->clear();
    page.paste(QStringLiteral("a\r\nb\rc\u2029d"));
    QCOMPARE(page.composer->text(), QStringLiteral("a\nb\nc\nd"));
    // The plain side of rich text, not what it would look like.
    page.composer->clear();
    auto* rich = new QMimeData;
    rich->setHtml(QStringLiteral("<b>bold</b><img src='http://localhost:1/x.png'>"));
    rich->setText(QStringLiteral("plain <b>"));
    QGuiApplication::clipboard()->setMimeData(rich);
    page.edit->paste();
    QCOMPARE(page.composer->text(), QStringLiteral("plain <b>"));
}

void ComposerTest::tooLargePaste() {
    Fixture page;
    page.composer->setText(QStringLiteral("kept"));
    page.paste(QString(ComposerEdit::kMaxPaste + 1, u'x'));
    QCOMPARE(page.composer->text(), QStringLiteral("kept"));
    QVERIFY2(page.status->text().contains(QStringLiteral("limit")),
             qPrintable(page.status->text()));
    page.paste(QString(ComposerEdit::kMaxPaste / 3 + 1, QChar(0x4e00))); // three bytes each
    QCOMPARE(page.composer->text(), QStringLiteral("kept"));
    QElapsedTimer clock;
    clock.start();
    page.paste(QStringLiteral("word word\n").repeated(100000));
    QVERIFY2(clock.elapsed() < 20000, qPrintable(QString::number(clock.elapsed())));
    qInfo("1 MB of lines pasted in %lld ms", clock.elapsed());
    QCOMPARE(page.composer->text().size(), qsizetype(1000004));
    QVERIFY(page.status->text().isEmpty()); // the message goes with the next change
}

void ComposerTest::counter() {
    Fixture page;
    page.composer->setCounter(1234, 5412);
    QCOMPARE(page.status->text(), QLocale().toString(1234) + QStringLiteral(" tokens · ") +
                                      QLocale().toString(5412) + QStringLiteral(" left"));
    page.composer->setCounter(9000, -88);
    QVERIFY(page.status->text().contains(QStringLiteral("88 too many")));
    page.composer->setCounter(-1, 0);
    QCOMPARE(page.status->text(), QString());
}

void ComposerTest::recall() {
    Fixture page;
    QSignalSpy recalled(page.composer, &Composer::recallRequested);
    QTest::keyClick(page.edit, Qt::Key_Up);
    QCOMPARE(recalled.size(), 1);
    page.composer->setText(QStringLiteral("x"));
    QTest::keyClick(page.edit, Qt::Key_Up);
    QCOMPARE(recalled.size(), 1);
}

void ComposerTest::undo() {
    Fixture page;
    QTest::keyClicks(page.edit, QStringLiteral("one"));
    page.composer->setText(QStringLiteral("two"));
    page.edit->undo();
    QCOMPARE(page.composer->text(), QStringLiteral("one"));
    page.edit->redo();
    QCOMPARE(page.composer->text(), QStringLiteral("two"));
}

void ComposerTest::drops() {
    Fixture page;
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(QStringLiteral("model.gguf"))});
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &file, Qt::LeftButton, {});
    QCoreApplication::sendEvent(page.edit->viewport(), &enter);
    QVERIFY(!enter.isAccepted());
    QDropEvent drop({5, 5}, Qt::CopyAction, &file, Qt::LeftButton, {});
    QCoreApplication::sendEvent(page.edit->viewport(), &drop);
    QVERIFY(!drop.isAccepted());
    QVERIFY(page.composer->text().isEmpty());
    QMimeData text;
    text.setText(QStringLiteral("words"));
    QDragEnterEvent enterText({5, 5}, Qt::CopyAction, &text, Qt::LeftButton, {});
    QCoreApplication::sendEvent(page.edit->viewport(), &enterText);
    QVERIFY(enterText.isAccepted());
}

void ComposerTest::column() {
    Fixture page({1200, 600});
    const Column column = columnIn(1200);
    QCOMPARE(column.width, kColumnMaxWidth);
    QVERIFY(page.edit->x() > column.left && page.edit->geometry().right() < column.right());
    page.window.resize(500, 600);
    QCOMPARE(columnIn(500).width, 500 - 2 * kColumnMargin);
    QTRY_VERIFY(page.button->geometry().right() < 500 - kColumnMargin);
    QVERIFY(page.status->geometry().right() < page.button->x());
}

void ComposerTest::accessible() {
    Fixture page;
    QVERIFY(!page.edit->accessibleName().isEmpty());
    QVERIFY(!page.button->text().isEmpty());
    QCOMPARE(page.composer->focusProxy(), page.edit);
    QTest::keyClicks(page.edit, QStringLiteral("x"));
    QTest::keyClick(page.edit, Qt::Key_Tab); // Tab leaves the field
    QVERIFY(!page.edit->hasFocus());
    QCOMPARE(page.composer->text(), QStringLiteral("x"));
}

QTEST_MAIN(ComposerTest)
#include "tst_composer.moc"

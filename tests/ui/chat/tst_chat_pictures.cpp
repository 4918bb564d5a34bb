// SPDX-License-Identifier: Apache-2.0
// Paints the chat in its states, light and dark. With SOTTO_SCREENSHOT_DIR set, writes them there
// to be looked at; in any case looks for the colours that must be in them.
#include "ui/chat/chat_view.h"
#include "ui/chat/composer.h"
#include "ui/theme/theme.h"

#include <QtCore/QDir>
#include <QtTest/QTest>
#include <QtWidgets/QVBoxLayout>

#include <memory>

using namespace sotto::ui;

namespace {

struct Page {
    QWidget window;
    Conversation conversation;
    ChatView* view = nullptr;
    Composer* composer = nullptr;

    explicit Page(QSize size = {745, 700}) {
        auto* rows = new QVBoxLayout(&window);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        view = new ChatView;
        composer = new Composer;
        rows->addWidget(view, 1);
        rows->addWidget(composer);
        window.resize(size);
        view->setConversation(&conversation);
        composer->setCounter(0, 5412);
    }

    void say(Message::Role role, const QString& text,
             Message::State state = Message::State::Complete, const QString& note = {}) {
        Message message;
        message.role = role;
        message.text = text;
        message.state = state;
        message.note = note;
        message.author = QStringLiteral("SmolLM2-135M-Instruct");
        conversation.append(message);
    }

    QImage picture(const QString& name) {
        window.show();
        view->flush();
        QCoreApplication::processEvents();
        QImage image = window.grab().toImage();
        const QString dir = qEnvironmentVariable("SOTTO_SCREENSHOT_DIR");
        if (!dir.isEmpty()) {
            QDir().mkpath(dir);
            const QString file = QStringLiteral("chat-%1-%2-%3x.png")
                                     .arg(name, Theme::instance().isDark() ? "dark" : "light")
                                     .arg(window.devicePixelRatioF());
            if (!image.save(QDir(dir).filePath(file)))
                qWarning("cannot write %s", qPrintable(file));
        }
        return image;
    }
};

qint64 countOf(const QImage& image, Role role) {
    const QRgb wanted = Theme::instance().color(role).rgb();
    qint64 found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            found += (image.pixel(x, y) | 0xff000000) == wanted;
    return found;
}

const QString kAnswer = QStringLiteral(
    "Use the **csv** module; it handles quoting, which a plain `split(\",\")` does not:\n\n"
    "```python\nimport csv\n\nwith open(\"sales.csv\", newline=\"\") as f:\n"
    "    total = sum(float(row[\"amount\"]) for row in csv.DictReader(f))\nprint(total)\n```\n\n"
    "If some cells are empty, skip them with `if row[\"amount\"]` before the sum. It costs $5 and "
    "$6, "
    "8547*47854*2 stays, snake_case_names too, and so does <smirk>.\n\n"
    "## What to watch\n- The first line names the columns\n- Numbers may use a comma\n"
    "  - then replace it first\n1. Open the file\n2. Read it row by row");

} // namespace

class ChatPictures final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        // No desktop to ask: light, whatever this machine prefers.
        Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
        Theme::instance().install();
    }
    void paints_data();
    void paints();
};

void ChatPictures::paints_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void ChatPictures::paints() {
    QFETCH(bool, dark);
    Theme::instance().setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
    {
        Page page;
        page.view->setEmptyState({QStringLiteral("No model yet"),
                                  {QStringLiteral("Sotto runs language models on this computer."),
                                   QStringLiteral("Nothing you write leaves it.")},
                                  {},
                                  QStringLiteral("A GGUF file can also be dropped on this window."),
                                  true});
        page.composer->setSendEnabled(false, QStringLiteral("No model is open"));
        QVERIFY(countOf(page.picture(QStringLiteral("nomodel")), Role::Accent) > 1000);
    }
    {
        Page page;
        page.view->setEmptyState(
            {QStringLiteral("SmolLM2-135M-Instruct"),
             {QStringLiteral("135 million parameters, 8,192 tokens of context."),
              QStringLiteral("Small and quick: short answers, simple rewriting, English.")},
             {QStringLiteral("Explain in two sentences why the sky is blue."),
              QStringLiteral("Write a polite reminder about an unpaid bill."),
              QStringLiteral("What is a prime number? Give three examples.")},
             QStringLiteral("Ctrl+N begins a new chat at any time."),
             false});
        QVERIFY(countOf(page.picture(QStringLiteral("empty")), Role::Card) > 10000);
    }
    {
        Page page;
        page.say(Message::Role::User,
                 QStringLiteral("How do I sum one column of a CSV file in plain Python?"));
        page.say(Message::Role::Assistant, kAnswer);
        page.composer->setText(
            QStringLiteral("And what if the file has 20 GB?\n\nIt does not fit."));
        page.window.show();
        page.view->flush();
        QTest::mouseMove(page.view->viewport(), QPoint(300, 130));
        const QImage image = page.picture(QStringLiteral("code"));
        QVERIFY(countOf(image, Role::AccentGround) > 5000);
        QVERIFY(countOf(image, Role::CodeGround) > 20000);
    }
    {
        Page page;
        page.say(Message::Role::User,
                 QStringLiteral("你好，世界 👋🏽 ❤️ 👩‍👩‍👧 "
                                "\u0645\u0631\u062d\u0628\u0627"));
        page.say(Message::Role::Assistant,
                 QStringLiteral(
                     "你好！这是一个**重要**"
                     "的例子：今天的天气很好，我们可以去公园散步，然后一起喝茶。\n\n"
                     "日本語の文章もここで折り返されます。한국어도 됩니다. 🎉🎊 "
                     "👨‍💻 "
                     "🇩🇪\n\n"
                     "\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645 \u0641\u064a "
                     "\u0627\u0644\u0628\u0631\u0646\u0627\u0645\u062c (Sotto) 123.\n"
                     "- \u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd\n\nTab\there, control "
                     "\x01 and an emoji ✅ in **bold 🎉**.\n\n"));
        page.view->selectAll();
        QVERIFY(countOf(page.picture(QStringLiteral("scripts")), Role::Selection) > 2000);
    }
    {
        Page page;
        for (int i = 0; i < 6; ++i) {
            page.say(Message::Role::User, QStringLiteral("Question %1, a short one").arg(i));
            page.say(
                Message::Role::Assistant,
                QStringLiteral("An answer of some lines that goes on for a while, so that the "
                               "conversation is longer than the window.\n\nA second paragraph."));
        }
        page.say(Message::Role::User, QStringLiteral("And now?"));
        page.say(
            Message::Role::Assistant,
            QStringLiteral("If some cells are empty, skip them with `if row[\"amount\"]` before "),
            Message::State::Writing);
        page.composer->setBusy(true);
        page.composer->focusText();
        QVERIFY(countOf(page.picture(QStringLiteral("writing")), Role::Accent) > 1000);
        QTest::keyClick(page.view, Qt::Key_PageUp);
        page.picture(QStringLiteral("scrolled"));
    }
    {
        Page page;
        page.say(Message::Role::User, QStringLiteral("How do I sum one column of a CSV file?"));
        Message message;
        message.role = Message::Role::Assistant;
        message.author = QStringLiteral("SmolLM3-3B");
        message.thinking = QStringLiteral(
            "They want to **sum** a column. First the plain way:\n\n```python\ntotal = 0\n```\n"
            "- `csv` reads quoted fields\n- then add up\n\nThat is enough, and it is short; a "
            "longer line follows so that it is broken somewhere in the middle of it.");
        message.thinkingTokens = 61;
        message.thinkingMs = 4100;
        message.text = QStringLiteral("Use the **csv** module.");
        page.conversation.append(message);
        page.view->setThoughtOpen(1, true);
        page.say(Message::Role::User, QStringLiteral("And with pandas?"));
        message.state = Message::State::Writing;
        message.text.clear();
        message.thinkingTokens = 12;
        page.conversation.append(message);
        page.view->setThoughtOpen(3, false);
        page.window.show();
        page.view->flush();
        const QRect line = page.view->thoughtRect(3);
        QTest::mouseMove(page.view->viewport(), line.center());
        QVERIFY(countOf(page.picture(QStringLiteral("thoughts")), Role::Line) > 300);
        page.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page.window));
        page.view->setFocus(Qt::TabFocusReason);
        page.view->focusThought(1);
        QVERIFY(countOf(page.picture(QStringLiteral("thoughts-focus")), Role::Focus) > 50);
        page.view->selectAll();
        page.picture(QStringLiteral("thoughts-marked"));
    }
    {
        Page page;
        page.say(Message::Role::User, QStringLiteral("Summarise this long text, please."));
        page.say(Message::Role::Assistant, {}, Message::State::Reading);
        page.conversation.setProgress(1, 512, 3400);
        QVERIFY(countOf(page.picture(QStringLiteral("reading")), Role::Groove) > 100);
    }
    {
        Page page;
        page.say(Message::Role::User, QStringLiteral("Tell me a story"));
        page.say(Message::Role::Assistant, QStringLiteral("Once upon a time"),
                 Message::State::Stopped, QStringLiteral("Stopped"));
        page.say(Message::Role::User, QStringLiteral("Go on"));
        page.say(Message::Role::Assistant, QStringLiteral("there was a"), Message::State::Failed,
                 QStringLiteral(
                     "The context is full: 8,192 of 8,192 tokens. Begin a new chat (Ctrl+N), or "
                     "load the model with a larger context."));
        page.composer->setCounter(9000, -808);
        QVERIFY(countOf(page.picture(QStringLiteral("failed")), Role::Warning) > 50);
    }
}

QTEST_MAIN(ChatPictures)
#include "tst_chat_pictures.moc"

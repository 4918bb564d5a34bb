// SPDX-License-Identifier: Apache-2.0
// The real window, offscreen, over a scripted engine.
#include "app/desktop/chip_button.h"
#include "app/desktop/header_bar.h"
#include "app/desktop/load_bar.h"
#include "app/desktop/message_bar.h"
#include "app/desktop/status_line.h"
#include "app/desktop/toast.h"
#include "tests/app/desktop/window_fixture.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/sampler_panel.h"

#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QInputMethodEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDialog>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTreeWidget>

using namespace sotto;
using namespace std::chrono_literals;
using sotto::test::FakeBackend;
using sotto::test::FakeScript;
using sotto::test::WindowFixture;
using State = sotto::ui::Message::State;
using Role = sotto::ui::Message::Role;

namespace {

const QString kA = QStringLiteral("/m/a.gguf");
const QString kB = QStringLiteral("/m/b.gguf");

FakeScript endless() {
    FakeScript script;
    script.tokens_per_s = 200;
    script.repeat = 1'000'000;
    return script;
}

} // namespace

class TestMainWindow final : public QObject {
    Q_OBJECT

    std::shared_ptr<FakeBackend> m_backend;
    std::unique_ptr<WindowFixture> m;

    [[nodiscard]] QAction* recentAction(const QString& part) {
        for (QAction* action : m->actions().recent->actions()) {
            if (action->text().contains(part)) {
                return action;
            }
        }
        return nullptr;
    }
    [[nodiscard]] QString currentPath() {
        return QString::fromStdString(m->bridge().details().info.path);
    }

  private Q_SLOTS:
    void initTestCase() { test::setUpApplication(); }
    void init() {
        m_backend = std::make_shared<FakeBackend>();
        m = std::make_unique<WindowFixture>(m_backend);
    }
    void cleanup() {
        m.reset();
        QCOMPARE(m_backend->record()->n_models.load(), 0);
        QCOMPARE(m_backend->record()->n_engines.load(), 0);
    }

    void emptyWindow() {
        QVERIFY(!m->window().composer().isSendEnabled());
        QVERIFY(!m->actions().stop->isEnabled());
        QVERIFY(!m->actions().regenerate->isEnabled());
        QVERIFY(m->window().loadBar().isHidden());
        QVERIFY(m->window().messages().isHidden());
        m->say(QStringLiteral("hello"));
        QCOMPARE(m->conversation().count(), 0); // and the draft is kept
        QCOMPARE(m->window().composer().text(), QStringLiteral("hello"));
    }

    void sendsAndStreams() {
        QVERIFY(m->open(kA));
        QVERIFY(m->window().composer().isSendEnabled());
        QCOMPARE(m->window().header().chip()->text(), QStringLiteral("Fake-1B · Q4_1"));
        FakeScript script;
        script.prefill_time = 100ms;
        m_backend->setScript(script);
        m->say(QStringLiteral("hello"));
        QCOMPARE(m->window().composer().text(), QString());
        QCOMPARE(m->conversation().count(), 2);
        QCOMPARE(m->conversation().at(0).text, QStringLiteral("hello"));
        QCOMPARE(m->last().state, State::Reading);
        QVERIFY(m->window().composer().isBusy());
        QVERIFY(m->actions().stop->isEnabled());
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
        QCOMPARE(m->last().state, State::Complete);
        QCOMPARE(m->last().author, QStringLiteral("Fake-1B"));
        QVERIFY(!m->window().composer().isBusy());
        QCOMPARE(m->window().header().title(), QStringLiteral("hello"));
    }

    void historyIsSent() {
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        m->say(QStringLiteral("two"));
        QVERIFY(m->waitUntilIdle());
        const auto prompts = m_backend->record()->prompts();
        QCOMPARE(prompts.size(), std::size_t(2));
        QCOMPARE(prompts[1].size(), std::size_t(3));
        QCOMPARE(prompts[1][1].role, std::string("assistant"));
        QCOMPARE(prompts[1][1].content, std::string("Hello there."));
        QCOMPARE(prompts[1][2].content, std::string("two"));
    }

    void stopKeepsTheText() {
        m_backend->setScript(endless());
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QTRY_VERIFY(m->last().text.size() > 10);
        QTest::keyClick(m->edit(), Qt::Key_Escape);
        QVERIFY(m->waitUntilIdle(1000));
        QCOMPARE(m->last().state, State::Stopped);
        QVERIFY(m->last().text.startsWith(QStringLiteral("Hello there.")));
        QVERIFY(m->window().composer().isSendEnabled());
    }

    void stopByMenuWhileReading() {
        FakeScript script;
        script.prefill_never_ends = true;
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QTRY_VERIFY(m->last().promptTotal > 0);
        m->actions().stop->trigger();
        QVERIFY(m->waitUntilIdle(1000));
        QCOMPARE(m->last().state, State::Stopped);
    }

    void regenerate() {
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        FakeScript other;
        other.answer = {"Again"};
        m_backend->setScript(other);
        QVERIFY(m->actions().regenerate->isEnabled());
        m->actions().regenerate->trigger();
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->conversation().count(), 2);
        QCOMPARE(m->last().text, QStringLiteral("Again"));
        QCOMPARE(m_backend->record()->prompts()[1].size(),
                 std::size_t(1)); // the old answer is not told
    }

    void copyLastAnswer() {
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        m->actions().copyAnswer->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Hello there."));
    }

    void newChatAndUndo() {
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        m->actions().newChat->trigger();
        QCOMPARE(m->conversation().count(), 0);
        QCOMPARE(m->window().header().title(), QStringLiteral("New chat"));
        QVERIFY(!m->window().toast().isHidden());
        QTest::keyClick(m->edit(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m->conversation().count(), 2);
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
        QVERIFY(m->window().toast().isHidden());
        m->actions().newChat->trigger();
        QTest::mouseClick(m->window().toast().undoButton(), Qt::LeftButton);
        QCOMPARE(m->conversation().count(), 2);
        m->actions().newChat->trigger();
        m->say(QStringLiteral("other"));
        QVERIFY(m->waitUntilIdle());
        QVERIFY(!m->chat().canUndoNewChat());
        QCOMPARE(m_backend->record()->prompts().back().size(), std::size_t(1));
    }

    void newChatWhileWriting() {
        m_backend->setScript(endless());
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QTRY_VERIFY(!m->last().text.isEmpty());
        m->actions().newChat->trigger();
        QVERIFY(!m->chat().isBusy());
        m_backend->setScript({});
        m->say(QStringLiteral("second")); // at once: the first may still be on its way out
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->conversation().count(), 2);
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
        QCOMPARE(m->last().state, State::Complete);
    }

    void newChatWhileWritingThenUndo() {
        m_backend->setScript(endless());
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QTRY_VERIFY(!m->last().text.isEmpty());
        m->actions().newChat->trigger();
        m->actions().undo->trigger();
        QCOMPARE(m->conversation().count(), 2);
        QCOMPARE(m->last().state, State::Stopped);
        QTRY_VERIFY(!m->bridge().isAnswering());
        QCOMPARE(m->last().state, State::Stopped);
    }

    void samplingActsOnTheRunningAnswer() {
        m_backend->setScript(endless());
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QTRY_VERIFY(!m->last().text.isEmpty());
        SamplingParams params = m->window().sampler().params();
        params.temperature = 1.5f;
        m->window().sampler().setParams(params);
        QCOMPARE(m_backend->record()->sampling().back(), params);
        QCOMPARE(m->settings().sampling(), params);
        m->actions().stop->trigger();
        QVERIFY(m->waitUntilIdle());
        m_backend->setScript({});
        m->say(QStringLiteral("again"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m_backend->record()->sampling().back(), params);
    }

    void threadsReachTheEngine() {
        QVERIFY(m->open(kA));
        m->window().enginePanel().setThreads(3);
        QCOMPARE(m_backend->record()->n_threads.load(), 3);
        QCOMPARE(m->settings().value(ui::Setting::Threads).toInt(), 3);
        QVERIFY(m->open(kB));
        QCOMPARE(m_backend->record()->n_threads.load(), 3);
    }

    void failedLoadKeepsTheModel() {
        QVERIFY(m->open(kA));
        FakeScript bad;
        bad.load_error = Error{ErrorCode::bad_file, "the magic word is 'PK', not 'GGUF'"};
        m_backend->setScript(kB.toStdString(), bad);
        m->window().openPath(kB);
        QTRY_VERIFY(!m->window().messages().isHidden());
        const QString text = m->window().messages().text();
        QVERIFY2(text.contains(QStringLiteral("b.gguf")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("'PK'")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("Fake-1B stays open")), qPrintable(text));
        QVERIFY(m->window().loadBar().isHidden());
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
        QCOMPARE(m->settings().value(ui::Setting::LastModel).toString(), kA);
    }

    void loadIsShownAndCancelled() {
        FakeScript slow;
        slow.load_time = 60s;
        slow.load_steps = 6000;
        m_backend->setScript(slow);
        m->window().openPath(kA);
        QVERIFY(!m->window().loadBar().isHidden());
        QTRY_VERIFY(m->window().loadBar().fraction() > 0);
        m->window().composer().setText(QStringLiteral("written meanwhile"));
        auto* cancel = m->window().loadBar().findChild<QPushButton*>();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QVERIFY(m->window().loadBar().isHidden());
        QVERIFY(!m->bridge().isLoading());
        QCOMPARE(m->window().composer().text(), QStringLiteral("written meanwhile"));
    }

    void secondModelWhileWriting() {
        m_backend->setScript(endless());
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QTRY_VERIFY(!m->last().text.isEmpty());
        QVERIFY(m->open(kB));
        QVERIFY(m->waitUntilIdle(1000));
        QCOMPARE(m->last().state, State::Stopped);
        QVERIFY(!m->last().text.isEmpty());
        const QString text = m->last().text;
        m_backend->setScript({});
        m->say(QStringLiteral("more"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->conversation().at(1).text, text); // nothing of the old answer came late
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
    }

    void drops() {
        test::drop(&m->window(), {QUrl::fromLocalFile(QStringLiteral("/m/photo.png"))});
        QVERIFY(m->window().messages().text().contains(QStringLiteral("photo.png")));
        QVERIFY(m->window().messages().text().contains(QStringLiteral(".gguf")));
        test::drop(&m->window(), {QUrl(QStringLiteral("https://example.org/m.gguf"))});
        QVERIFY(!m->bridge().isLoading());
        test::drop(m->edit()->viewport(), {QUrl::fromLocalFile(QStringLiteral("/m/имя é.GGUF"))});
        QTRY_COMPARE(currentPath(), QStringLiteral("/m/имя é.GGUF"));
        QCOMPARE(m->window().composer().text(), QString()); // the name was not pasted
    }

    void recentModels() {
        const QString there = m->makeFile(QStringLiteral("there.gguf"));
        QVERIFY(m->open(there));
        QVERIFY(m->open(kA)); // does not exist on this disk
        Q_EMIT m->actions().recent->aboutToShow();
        QTRY_VERIFY(recentAction(QStringLiteral("(missing)")));
        QVERIFY(
            recentAction(QStringLiteral("a.gguf"))->text().contains(QStringLiteral("(missing)")));
        QVERIFY(!recentAction(QStringLiteral("there.gguf"))
                     ->text()
                     .contains(QStringLiteral("missing")));
        recentAction(QStringLiteral("there.gguf"))->trigger();
        QTRY_COMPARE(currentPath(), there);
        recentAction(QStringLiteral("(missing)"))->trigger();
        QVERIFY(!m->window().messages().isHidden());
        m->window().messages().actionButton()->click();
        QCOMPARE(m->settings().recentModels(), QStringList{there});
        QVERIFY(!recentAction(QStringLiteral("(missing)")));
    }

    void lastModelOpensInTheBackground() {
        m->window().openLastModel();
        QVERIFY(!m->bridge().isLoading()); // there is none yet
        QVERIFY(m->open(kA));
        app::MainWindow second(m_backend, &m->settings(), {});
        second.show();
        second.openLastModel();
        QVERIFY(second.bridge().isLoading());
        QTRY_VERIFY(second.bridge().hasModel());
        m->settings().setValue(ui::Setting::OpenLastModel, false);
        app::MainWindow third(m_backend, &m->settings(), {});
        third.openLastModel();
        QVERIFY(!third.bridge().isLoading());
    }

    void enterConfirmsAComposedWordFirst() {
        QVERIFY(m->open(kA));
        m->window().composer().focusText();
        QInputMethodEvent preedit(QStringLiteral("にほん"), {});
        QApplication::sendEvent(m->edit(), &preedit);
        QTest::keyClick(m->edit(), Qt::Key_Return);
        QCOMPARE(m->conversation().count(), 0);
        QInputMethodEvent commit(QString(), {});
        commit.setCommitString(QStringLiteral("日本"));
        QApplication::sendEvent(m->edit(), &commit);
        QTest::keyClick(m->edit(), Qt::Key_Return);
        QCOMPARE(m->conversation().count(), 2);
        QCOMPARE(m->conversation().at(0).text, QStringLiteral("日本"));
        QVERIFY(m->waitUntilIdle());
    }

    void messageLongerThanTheContext() {
        FakeScript script;
        script.n_ctx = 100;
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        const QString text(5000, QLatin1Char('x'));
        m->say(text);
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().state, State::Failed);
        QVERIFY2(m->last().note.contains(QStringLiteral("5,000")), qPrintable(m->last().note));
        QVERIFY2(m->last().note.contains(QStringLiteral("100")), qPrintable(m->last().note));
        QCOMPARE(m->window().composer().text(), text); // to be shortened
        m->say(QStringLiteral("short"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().state, State::Complete); // the long one is not told again
        QCOMPARE(m_backend->record()->prompts().back().size(), std::size_t(1));
    }

    void fullContext() {
        FakeScript script;
        script.reason = FinishReason::context;
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().state, State::Complete);
        QVERIFY2(m->last().note.contains(QStringLiteral("4,096")), qPrintable(m->last().note));
        m->actions().newChat->trigger();
        m_backend->setScript({});
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().state, State::Complete);
    }

    void failedAnswerKeepsItsText() {
        FakeScript script;
        script.answer_error = Error{ErrorCode::non_finite, "layer 3 gave a NaN"};
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().state, State::Failed);
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
        QVERIFY(m->last().note.contains(QStringLiteral("layer 3")));
    }

    void unload() {
        QVERIFY(m->open(kA));
        m->actions().unload->trigger();
        QVERIFY(!m->bridge().hasModel());
        QVERIFY(!m->window().composer().isSendEnabled());
        QTRY_COMPARE(m_backend->record()->n_models.load(), 0);
    }

    void dialogsDoNotBlock() {
        QVERIFY(m->open(kA));
        m->actions().modelDetails->trigger();
        m->actions().shortcuts->trigger();
        m->actions().about->trigger();
        m->actions().openModel->trigger(); // all of them return
        for (const char* name : {"modelDetails", "shortcuts", "about"}) {
            auto* dialog = m->window().findChild<QDialog*>(QLatin1String(name));
            QVERIFY2(dialog && dialog->isVisible(), name);
        }
        QVERIFY(m->window().findChild<QTreeWidget*>()->topLevelItemCount() > 0);
        auto* files = m->window().findChild<QFileDialog*>();
        QVERIFY(files && files->isVisible());
        files->reject();
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
    }

    void dialogBeginsWhereModelsAre() {
        m->settings().setValue(ui::Setting::ModelFolder, QStringLiteral("/nonexistent/folder"));
        m->settings().setValue(ui::Setting::LastModel, QString());
        m->actions().openModel->trigger();
        auto* files = m->window().findChild<QFileDialog*>();
        const QString folder = files->directory().absolutePath();
        QVERIFY2(folder == QDir::homePath() || folder.endsWith(QStringLiteral("/sotto/models")),
                 qPrintable(folder));
        files->reject();
    }

    void dialogRemembersTheFolder() {
        const QString file = m->makeFile(QStringLiteral("имя 模型 é.gguf"));
        m->actions().openModel->trigger();
        auto* files = m->window().findChild<QFileDialog*>();
        files->selectFile(file);
        static_cast<QDialog*>(files)->accept();
        QTRY_COMPARE(currentPath(), file);
        QCOMPARE(m->settings().value(ui::Setting::ModelFolder).toString(), QFileInfo(file).path());
    }

    void zoomAndTheme() {
        auto& theme = ui::Theme::instance();
        m->actions().zoomIn->trigger();
        QCOMPARE(theme.zoom(), 1.1);
        QCOMPARE(m->settings().value(ui::Setting::Zoom).toInt(), 110);
        for (int i = 0; i < 40; ++i) {
            m->actions().zoomIn->trigger();
        }
        QCOMPARE(theme.zoom(), 3.0);
        m->actions().zoomReset->trigger();
        QCOMPARE(theme.zoom(), 1.0);
        m->actions().themes->actions().last()->trigger();
        QVERIFY(theme.isDark());
        m->actions().themes->actions()[1]->trigger();
        QVERIFY(!theme.isDark());
        m->actions().themes->actions().first()->trigger();
    }

    void layoutSurvivesRestart() {
        m->window().resize(700, 600);
        m->window().close();
        app::MainWindow second(m_backend, &m->settings(), {});
        QCOMPARE(second.size(), QSize(700, 600));
    }

    void closesQuicklyWhileWriting() {
        FakeScript heavy = endless();
        heavy.release_time = 1s;
        m_backend->setScript(heavy);
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("hello"));
        QTRY_VERIFY(!m->last().text.isEmpty());
        QElapsedTimer clock;
        clock.start();
        m->window().close();
        QVERIFY(!m->window().isVisible());
        QVERIFY2(clock.elapsed() < 300, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(m->bridge().finish(10s));
    }

    void everyActionHasOneShortcut() {
        QHash<QString, QString> seen;
        for (const QAction* action : m->window().findChildren<QAction*>()) {
            for (const QKeySequence& keys : action->shortcuts()) {
                const QString text = keys.toString();
                QVERIFY2(!seen.contains(text),
                         qPrintable(text + QLatin1Char(' ') + action->text()));
                seen[text] = action->text();
            }
        }
        QVERIFY(seen.size() >= 15);
    }

    void narrowWindow() {
        QVERIFY(m->open(QStringLiteral("/m/") + QString(200, QLatin1Char('n')) +
                        QStringLiteral(".gguf")));
        FakeScript bad;
        bad.load_error = Error{ErrorCode::bad_file, std::string(400, 'x')};
        m_backend->setScript(kB.toStdString(), bad);
        m->window().openPath(kB);
        QTRY_VERIFY(!m->window().messages().isHidden());
        m->window().resize(480, 500); // long names hold nothing open
        QTRY_VERIFY(m->window().width() <= 520);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"

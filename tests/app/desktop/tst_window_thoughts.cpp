// SPDX-License-Identifier: Apache-2.0
// Thoughts, thinking on and off, folders and templates in the real window, over a scripted engine.
#include "app/desktop/chip_button.h"
#include "app/desktop/header_bar.h"
#include "app/desktop/message_bar.h"
#include "app/desktop/model_path.h"
#include "app/desktop/status_line.h"
#include "app/desktop/wrap_label.h"
#include "tests/app/desktop/window_fixture.h"
#include "ui/chat/empty_state.h"

#include <QtCore/QDir>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QDialog>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QLabel>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>

#include <algorithm>

using namespace sotto;
using namespace std::chrono_literals;
using sotto::test::FakeBackend;
using sotto::test::FakeScript;
using sotto::test::WindowFixture;
using State = sotto::ui::Message::State;

namespace {

const QString kA = QStringLiteral("/m/a.gguf");

FakeScript thinker() {
    FakeScript script;
    script.marks = {"<think>", "</think>"};
    script.can_switch_thinking = true;
    script.thinking = {"let", " me", " see"};
    script.template_source = "{%- for m in messages -%}\n{{ m.content }}\n{%- endfor -%}";
    return script;
}

} // namespace

class TestWindowThoughts final : public QObject {
    Q_OBJECT

    std::shared_ptr<FakeBackend> m_backend;
    std::unique_ptr<WindowFixture> m;

    [[nodiscard]] app::ChipButton& chip() { return *m->window().header().thinkingChip(); }
    [[nodiscard]] QString currentPath() {
        return QString::fromStdString(m->bridge().details().info.path);
    }
    [[nodiscard]] std::optional<bool> lastSwitch() {
        return m_backend->record()->chats().back().enable_thinking;
    }
    void drop(const QString& path) { test::drop(&m->window(), {QUrl::fromLocalFile(path)}); }

  private Q_SLOTS:
    void initTestCase() { test::setUpApplication(); }
    void init() {
        m_backend = std::make_shared<FakeBackend>();
        m = std::make_unique<WindowFixture>(m_backend);
    }
    void cleanup() { m.reset(); }

    void thoughtIsNoText() {
        m_backend->setScript(thinker());
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
        QCOMPARE(m->last().thinking, QStringLiteral("let me see"));
        QCOMPARE(m->last().thinkingTokens, 3);
        m->actions().copyAnswer->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Hello there."));
        m->say(QStringLiteral("two"));
        QVERIFY(m->waitUntilIdle());
        const auto prompt = m_backend->record()->prompts().back();
        QCOMPARE(prompt.size(), std::size_t(3));
        QCOMPARE(prompt[1].content, std::string("Hello there."));
        QCOMPARE(prompt[1].reasoning, std::string("let me see"));
    }

    void stoppedInAThought() {
        FakeScript slow = thinker();
        slow.thinking.assign(100000, "on and on ");
        slow.tokens_per_s = 200;
        m_backend->setScript(slow);
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("one"));
        QTRY_VERIFY(m->last().isThinking());
        QTest::keyClick(m->edit(), Qt::Key_Escape);
        QVERIFY(m->waitUntilIdle(1000));
        QCOMPARE(m->last().state, State::Stopped);
        QVERIFY(m->last().hasThought());
        m_backend->setScript(thinker());
        m->say(QStringLiteral("two")); // question and answer take turns all the same
        QVERIFY(m->waitUntilIdle());
        const auto prompt = m_backend->record()->prompts().back();
        QCOMPARE(prompt.size(), std::size_t(1));
        QCOMPARE(prompt[0].content, std::string("one\n\ntwo"));
    }

    void failedInAThoughtKeepsTheQuestion() {
        FakeScript bad = thinker();
        bad.answer.clear();
        bad.answer_error = Error{ErrorCode::non_finite, "layer 3 gave a NaN"};
        m_backend->setScript(bad);
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().state, State::Failed);
        QCOMPARE(m->window().composer().text(), QString()); // it was not refused
    }

    void endsAfterTheThought() {
        FakeScript script = thinker();
        script.answer.clear();
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m->last().state, State::Complete);
        QVERIFY(!m->last().note.isEmpty());
    }

    void chipSwitches() {
        QVERIFY(m->open(kA)); // does not think
        QVERIFY(chip().isHidden());
        QVERIFY(!m->actions().thinking->isEnabled());
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        QVERIFY(!lastSwitch().has_value());

        m_backend->setScript(thinker());
        QVERIFY(m->open(kA));
        QVERIFY(!chip().isHidden());
        QVERIFY(chip().isEnabled() && chip().isChecked());
        QCOMPARE(chip().text(), QStringLiteral("Thinking on"));
        m->say(QStringLiteral("two"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(lastSwitch(), std::optional<bool>(true));

        QTest::mouseClick(&chip(), Qt::LeftButton);
        QCOMPARE(chip().text(), QStringLiteral("Thinking off"));
        QVERIFY(!m->actions().thinking->isChecked());
        QVERIFY(!m->settings().value(ui::Setting::Thinking).toBool());
        m->say(QStringLiteral("three"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(lastSwitch(), std::optional<bool>(false));
        QVERIFY(!m->last().hasThought());

        QTest::keyClick(&chip(), Qt::Key_Return);
        QCOMPARE(chip().text(), QStringLiteral("Thinking on"));
        m->actions().thinking->trigger();
        QCOMPARE(chip().text(), QStringLiteral("Thinking off"));
        QVERIFY(!chip().isChecked());

        app::MainWindow second(m_backend, &m->settings(), {}); // remembered
        second.openPath(kA);
        QTRY_VERIFY(second.bridge().hasModel());
        QVERIFY(!second.header().thinkingChip()->isChecked());
        m->bridge().unload();
        QVERIFY(chip().isHidden());
    }

    void alwaysThinks() {
        FakeScript script = thinker();
        script.can_switch_thinking = false;
        m_backend->setScript(script);
        m->settings().setValue(ui::Setting::Thinking, false);
        QVERIFY(m->open(kA));
        QVERIFY(!chip().isHidden() && !chip().isEnabled());
        QCOMPARE(chip().text(), QStringLiteral("Thinking on"));
        QVERIFY(chip().toolTip().contains(QStringLiteral("always thinks")));
        QVERIFY(m->actions().thinking->isChecked() && !m->actions().thinking->isEnabled());
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        QVERIFY(!lastSwitch().has_value());
        QVERIFY(m->last().hasThought());
    }

    void chipGivesWayInANarrowWindow() {
        m_backend->setScript(thinker());
        QVERIFY(m->open(kA));
        auto& header = m->window().header();
        header.resize(200, header.height());
        QVERIFY(chip().isHidden());
        header.resize(700, header.height());
        QVERIFY(!chip().isHidden());
        QVERIFY(chip().geometry().right() < 700);
        QVERIFY(!chip().geometry().intersects(header.chip()->geometry()));
    }

    void openThoughtsAreRemembered() {
        m_backend->setScript(thinker());
        QVERIFY(m->open(kA));
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        QVERIFY(!m->window().chatView().isThoughtOpen(1));
        m->window().chatView().setThoughtOpen(1, true);
        QVERIFY(m->settings().value(ui::Setting::OpenThoughts).toBool());
        app::MainWindow second(m_backend, &m->settings(), {});
        QVERIFY(second.chatView().opensThoughts());
    }

    void noticeOnceAChat() {
        FakeScript script;
        script.notice = "The model's own chat template failed; ChatML stands in";
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        auto& bar = m->window().messages();
        m->say(QStringLiteral("one"));
        QVERIFY(m->waitUntilIdle());
        QVERIFY(!bar.isHidden());
        QCOMPARE(bar.text(), QString::fromStdString(script.notice));
        bar.hide();
        m->say(QStringLiteral("two"));
        QVERIFY(m->waitUntilIdle());
        QVERIFY(bar.isHidden());
        m->actions().newChat->trigger();
        m->say(QStringLiteral("three"));
        QVERIFY(m->waitUntilIdle());
        QVERIFY(!bar.isHidden());
    }

    void modelPaths_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("isModel");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* path, bool isModel, const char* name) {
            QTest::newRow(path) << QString::fromUtf8(path) << isModel << QString::fromUtf8(name);
        };
        row("/m/a.gguf", true, "a.gguf");
        row("/m/a-00001-of-00003.GGUF", true, "a-00001-of-00003.GGUF");
        row("/m/Qwen/model.safetensors", true, "Qwen/model.safetensors");
        row("/m/Qwen/model.safetensors.index.json", true, "Qwen/model.safetensors.index.json");
        row("/m/Qwen/config.json", true, "Qwen/config.json");
        row("/m/notes.json", false, "m/notes.json");
        row("/m/photo.png", false, "photo.png");
        row("/m/no/such/folder", false, "folder");
        row("/m/folder/", false, "folder");
        row("/", true, "");
    }
    void modelPaths() {
        QFETCH(QString, path);
        QFETCH(bool, isModel);
        QFETCH(QString, name);
        QCOMPARE(app::isModelPath(path), isModel);
        QCOMPARE(app::modelFileName(path), name);
    }

    void folders() {
        const QString folder = m->makeFolder(QStringLiteral("Qwen3 имя & 0.6B"));
        drop(folder + QLatin1Char('/'));
        QTRY_COMPARE(currentPath(), folder);
        bool named = false;
        for (const QLabel* label : m->window().statusLine().findChildren<QLabel*>()) {
            named = named || label->text() == QStringLiteral("Qwen3 имя & 0.6B");
        }
        QVERIFY(named);
        QCOMPARE(m->settings().recentModels(), QStringList{folder});
        QVERIFY(m->window().header().chip()->menu()->actions().first()->text().contains(
            QStringLiteral("Qwen3 имя && 0.6B")));
        QVERIFY(m->open(kA));
        QVERIFY(QDir().rmdir(folder));
        QMenu* recent = m->actions().recent;
        Q_EMIT recent->aboutToShow(); // looks
        QAction* missing = nullptr;
        QTRY_VERIFY([&] {
            for (QAction* action : recent->actions()) {
                const bool ours = action->text().contains(QStringLiteral("Qwen3"));
                missing =
                    ours && action->text().contains(QStringLiteral("(missing)")) ? action : missing;
            }
            return missing != nullptr;
        }());
        missing->trigger();
        QVERIFY(m->window().messages().text().contains(QStringLiteral("Qwen3 имя & 0.6B")));
        m->window().messages().actionButton()->click();
        QCOMPARE(m->settings().recentModels(), QStringList{kA});
    }

    void filesOfAFolderCanBeDropped() {
        drop(QStringLiteral("/m/Qwen/config.json"));
        QTRY_COMPARE(currentPath(), QStringLiteral("/m/Qwen/config.json"));
        drop(QStringLiteral("/m/Qwen/model.safetensors"));
        QTRY_COMPARE(currentPath(), QStringLiteral("/m/Qwen/model.safetensors"));
        drop(QStringLiteral("/m/Qwen/notes.txt"));
        QVERIFY(m->window().messages().text().contains(QStringLiteral("folder")));
    }

    void folderDialog() {
        const QString folder = m->makeFolder(QStringLiteral("Qwen3"));
        m->actions().openFolder->trigger(); // returns
        auto* dialog = m->window().findChild<QFileDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
        Q_EMIT dialog->fileSelected(folder);
        QTRY_COMPARE(currentPath(), folder);
        QCOMPARE(m->settings().value(ui::Setting::ModelFolder).toString(),
                 QFileInfo(folder).path());
        m->actions().openModel->trigger(); // takes the place of the other
        QTRY_COMPARE(m->window().findChildren<QFileDialog*>().size(), 1);
        dialog = m->window().findChild<QFileDialog*>();
        QCOMPARE(dialog->fileMode(), QFileDialog::ExistingFile);
        for (const char* end : {"*.gguf", "*.safetensors", "*.json"}) {
            QVERIFY(dialog->nameFilters().first().contains(QLatin1String(end)));
        }
        dialog->reject();
    }

    void adviceNamesNoFormat() {
        FakeScript bad;
        bad.load_error = Error{ErrorCode::bad_file, "'/m/Qwen' is a folder without config.json"};
        m_backend->setScript("/m/Qwen", bad);
        m->window().openPath(QStringLiteral("/m/Qwen/"));
        QTRY_VERIFY(!m->window().messages().isHidden());
        const QString text = m->window().messages().text();
        QVERIFY2(text.startsWith(QStringLiteral("Qwen could not be opened")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("GGUF")), qPrintable(text));
    }

    void detailsShowTheTemplate() {
        m_backend->setScript(thinker());
        QVERIFY(m->open(kA));
        m->actions().modelDetails->trigger();
        auto* dialog = m->window().findChild<QDialog*>(QStringLiteral("modelDetails"));
        auto* source = dialog->findChild<QPlainTextEdit*>(QStringLiteral("templateSource"));
        QVERIFY(source && source->isReadOnly());
        QCOMPARE(source->toPlainText(), QString::fromStdString(thinker().template_source));
        bool marks = false;
        for (const app::WrapLabel* label : dialog->findChildren<app::WrapLabel*>()) {
            marks = marks || label->text().contains(QStringLiteral("<think>"));
        }
        QVERIFY(marks);
        dialog->close();
    }

    void aMissingTemplateIsTold() {
        const QString told = QStringLiteral("The model has no chat template; so that is used.");
        FakeScript script = thinker();
        script.template_warning = told.toStdString();
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        const auto* page = m->window().findChild<ui::EmptyStateView*>();
        QVERIFY(std::ranges::any_of(page->findChildren<QLabel*>(), [&told](const QLabel* label) {
            return label->text().remove(QChar(0x200B)) == told; // where it may break
        }));
        m->actions().modelDetails->trigger();
        auto* dialog = m->window().findChild<QDialog*>(QStringLiteral("modelDetails"));
        QVERIFY(std::ranges::any_of(
            dialog->findChildren<app::WrapLabel*>(),
            [&told](const app::WrapLabel* label) { return label->text() == told; }));
        dialog->close();
    }

    void hugeTemplate() {
        FakeScript script = thinker();
        script.template_source.assign(20'000'000, 'x');
        m_backend->setScript(script);
        QVERIFY(m->open(kA));
        QElapsedTimer clock;
        clock.start();
        m->actions().modelDetails->trigger();
        auto* dialog = m->window().findChild<QDialog*>(QStringLiteral("modelDetails"));
        dialog->repaint();
        QVERIFY2(clock.elapsed() < (test::kSanitized ? 10000 : 1000),
                 qPrintable(QString::number(clock.elapsed())));
        dialog->close();
    }
};

QTEST_MAIN(TestWindowThoughts)
#include "tst_window_thoughts.moc"

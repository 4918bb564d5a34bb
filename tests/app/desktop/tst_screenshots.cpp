// SPDX-License-Identifier: Apache-2.0
// Draws the window in its states, light and dark, at the scale of QT_SCALE_FACTOR; checks that each
// state is drawn, and keeps the pictures in SOTTO_SCREENSHOT_DIR if that is set.
//   QT_QPA_PLATFORM=offscreen:configfile=tests/support/screens.json SOTTO_SCREENSHOT_DIR=/tmp/shots
//   [QT_SCALE_FACTOR=2] tst_screenshots
#include "app/desktop/toast.h"
#include "tests/app/desktop/window_fixture.h"
#include "ui/panels/dock_host.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/kv_panel.h"

#include <QtCore/QDir>
#include <QtCore/QSet>
#include <QtGui/QAction>
#include <QtGui/QImage>
#include <QtGui/QPixmap>
#include <QtWidgets/QDialog>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QTabWidget>

#include <iterator>

using namespace sotto;
using namespace std::chrono_literals;
using sotto::test::FakeBackend;
using sotto::test::FakeScript;
using sotto::test::WindowFixture;
using sotto::ui::Theme;

namespace {

constexpr QSize kSize(1280, 800);
const QString kModel = QStringLiteral("/home/ada/models/SmolLM2-135M-Instruct.Q4_1.gguf");

const char* const kAnswer =
    "Use the **csv** module; it handles quoting, which a plain `split(\",\")` does not:\n\n"
    "```python\nimport csv\n\nwith open(\"sales.csv\", newline=\"\") as f:\n"
    "    total = sum(float(row[\"amount\"]) for row in csv.DictReader(f))\nprint(total)\n```\n\n"
    "If some cells are empty, skip them with `if row[\"amount\"]` before ";

const char* const kThoughtWords[] = {"They ",    "want ",    "to ",         "sum ",     "one ",
                                     "column, ", "without ", "pandas.\n\n", "The ",     "`csv` ",
                                     "module ",  "reads ",   "quoted ",     "fields; ", "then ",
                                     "`sum()` ", "over ",    "the ",        "rows. "};

const char* const kTemplate =
    "{%- for message in messages -%}\n"
    "    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}\n"
    "{%- endfor -%}\n"
    "{%- if add_generation_prompt -%}\n"
    "    {{- '<|im_start|>assistant\\n' -}}\n"
    "    {%- if enable_thinking is defined and not enable_thinking -%}\n"
    "        {{- '<think>\\n\\n</think>\\n\\n' -}}\n"
    "    {%- endif -%}\n"
    "{%- endif -%}\n";

} // namespace

class TestScreenshots final : public QObject {
    Q_OBJECT

    std::shared_ptr<FakeBackend> m_backend;
    std::unique_ptr<WindowFixture> m;

    void keep(const QString& state) { keep(state, &m->window()); }
    void keepDialog(const QString& name) {
        auto* dialog = m->window().findChild<QDialog*>(name);
        QVERIFY(dialog);
        keep(name, dialog);
        dialog->close();
    }
    void keepOpenDialog(const QString& name, const QString& state) {
        auto* dialog = m->window().findChild<QDialog*>(name);
        QVERIFY(dialog);
        keep(state, dialog);
    }
    void keep(const QString& state, QWidget* widget) {
        QTest::qWait(150); // caret and scroll bars come to rest
        const QImage image = widget->grab().toImage();
        QCOMPARE(image.size(), widget->size() * widget->devicePixelRatioF());
        QSet<QRgb> colours;
        for (int y = 0; y < image.height(); y += 7) {
            for (int x = 0; x < image.width(); x += 7) {
                colours.insert(image.pixel(x, y));
            }
        }
        QVERIFY2(colours.size() > 8, "the window is all but empty");
        const QString folder = qEnvironmentVariable("SOTTO_SCREENSHOT_DIR");
        if (!folder.isEmpty()) {
            const QString name = QStringLiteral("%1/%2-%3-%4x.png")
                                     .arg(folder, state,
                                          Theme::instance().isDark() ? QStringLiteral("dark")
                                                                     : QStringLiteral("light"))
                                     .arg(m->window().devicePixelRatioF());
            QVERIFY(QDir().mkpath(folder) && image.save(name));
        }
    }

    void chatInProgress() {
        FakeScript script;
        script.name = "SmolLM2-135M-Instruct";
        script.n_ctx = 8192;
        script.answer = {kAnswer};
        for (int i = 0; i < 600; ++i) { // then it goes on without a visible end
            script.answer.push_back("");
        }
        script.tokens_per_s = 40;
        script.prompt_tokens = 3780;
        script.prefill_time = 200ms;
        m_backend->setScript(script);
        m->say(QStringLiteral("How do I sum one column of a CSV file in plain Python?"));
        QTRY_VERIFY(m->last().promptTotal > 0);
        keep(QStringLiteral("reading"));
        QTRY_VERIFY(!m->last().text.isEmpty());
        QTest::qWait(400); // some rates to show
        keep(QStringLiteral("chat"));
        auto* docks = m->window().findChild<ui::DockHost*>();
        QVERIFY(docks->raise(m->window().enginePanel().id()));
        keep(QStringLiteral("engine-panel"));
        ui::KvPanel& memory = m->window().memoryPanel();
        QVERIFY(docks->raise(memory.id()));
        keep(QStringLiteral("memory-panel"));
        memory.setSettings({1 << 20, CacheType::F32, 0, ContextFull::drop_turns});
        keep(QStringLiteral("memory-panel-too-much"));
        memory.setSettings({});
    }
    void thinking() {
        FakeScript script;
        script.name = "SmolLM3-3B";
        script.n_ctx = 8192;
        script.marks = {"<think>", "</think>"};
        script.can_switch_thinking = true;
        script.template_source = kTemplate;
        script.prompt_tokens = 3780;
        for (int i = 0; i < 61; ++i) {
            script.thinking.push_back(kThoughtWords[i % std::size(kThoughtWords)]);
        }
        script.tokens_per_s = 40;
        script.answer = {kAnswer};
        for (int i = 0; i < 600; ++i) {
            script.answer.push_back("");
        }
        m_backend->setScript(script);
        QVERIFY(m->open(QStringLiteral("/home/ada/models/SmolLM3-3B")));
        m->chat().newChat();
        m->window().toast().hide();
        m->say(QStringLiteral("How do I sum one column of a CSV file in plain Python?"));
        QTRY_VERIFY(m->last().thinkingTokens > 20);
        keep(QStringLiteral("thinking"));
        m->window().chatView().setThoughtOpen(1, true);
        keep(QStringLiteral("thinking-open"));
        m->window().chatView().setThoughtOpen(1, false);
        QTRY_VERIFY(!m->last().text.isEmpty());
        keep(QStringLiteral("thought"));
        m->window().chatView().setFocus(Qt::TabFocusReason);
        m->window().chatView().setThoughtOpen(1, true);
        m->window().chatView().focusThought(1);
        keep(QStringLiteral("thought-open"));
        m->window().chatView().setThoughtOpen(1, false);
        m->actions().modelDetails->trigger();
        auto* pages = m->window().findChild<QTabWidget*>();
        QVERIFY(pages);
        keepOpenDialog(QStringLiteral("modelDetails"), QStringLiteral("details-metadata"));
        pages->setCurrentIndex(1);
        keepOpenDialog(QStringLiteral("modelDetails"), QStringLiteral("details-template"));
        m->window().findChild<QDialog*>(QStringLiteral("modelDetails"))->close();
        m->actions().thinking->trigger();
        keep(QStringLiteral("thinking-off"));
        m->actions().thinking->trigger();
        m->chat().stop();
        QVERIFY(m->waitUntilIdle());
        script.can_switch_thinking = false;
        m_backend->setScript(script);
        QVERIFY(m->open(kModel));
        keep(QStringLiteral("always-thinks"));
        m->actions().openFolder->trigger();
        auto* files = m->window().findChild<QFileDialog*>();
        keep(QStringLiteral("open-folder"), files);
        files->reject();
    }
    void errorBar() {
        FakeScript bad;
        bad.load_error =
            Error{ErrorCode::bad_file,
                  "tensor 'blk.3.ffn_up': 4096x14336 Q4_K needs 33030144 bytes, file has 1024"};
        m_backend->setScript("/home/ada/downloads/cut-short.gguf", bad);
        m->window().openPath(QStringLiteral("/home/ada/downloads/cut-short.gguf"));
        QTRY_VERIFY(!m->bridge().isLoading());
        keep(QStringLiteral("error"));
    }
    void toast() {
        m->actions().newChat->trigger();
        keep(QStringLiteral("new-chat"));
        m->actions().undo->trigger();
    }
    void zoomed() {
        Theme::instance().setZoom(2.0);
        m->window().resize(kSize);
        m->actions().openModel->trigger();
        auto* files = m->window().findChild<QFileDialog*>();
        keep(QStringLiteral("zoomed-open"), files);
        files->reject();
        m->actions().newChat->trigger();
        keep(QStringLiteral("zoomed-empty"));
        m->bridge().unload();
        keep(QStringLiteral("zoomed-no-model"));
        Theme::instance().setZoom(1.0);
    }
    void narrow() {
        m->window().resize(560, 700);
        keep(QStringLiteral("narrow"));
    }

  private Q_SLOTS:
    void initTestCase() { test::setUpApplication(); }
    void init() {
        m_backend = std::make_shared<FakeBackend>();
        FakeScript script;
        script.name = "SmolLM2-135M-Instruct";
        script.n_ctx = 8192;
        m_backend->setScript(script);
        m = std::make_unique<WindowFixture>(m_backend);
        m->window().resize(kSize);
    }
    void cleanup() { m.reset(); }

    void window_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void window() {
        QFETCH(bool, dark);
        Theme::instance().setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        keep(QStringLiteral("first-start"));
        FakeScript slow;
        slow.load_time = 60s;
        slow.load_steps = 6000;
        m_backend->setScript(QStringLiteral("/home/ada/models/Large.gguf").toStdString(), slow);
        m->window().openPath(QStringLiteral("/home/ada/models/Large.gguf"));
        QTest::qWait(600);
        keep(QStringLiteral("loading"));
        m->bridge().cancelLoad();
        QVERIFY(m->open(kModel));
        keep(QStringLiteral("empty"));
        chatInProgress();
        m->actions().modelDetails->trigger();
        keepDialog(QStringLiteral("modelDetails"));
        m->actions().shortcuts->trigger();
        keepDialog(QStringLiteral("shortcuts"));
        thinking();
        errorBar();
        toast();
        narrow();
        zoomed();
    }
};

QTEST_MAIN(TestScreenshots)
#include "tst_screenshots.moc"

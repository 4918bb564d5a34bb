// SPDX-License-Identifier: Apache-2.0
// The memory panel in the window: settings, Reload, and chats that outgrow the context.
#include "app/desktop/header_bar.h"
#include "app/desktop/message_bar.h"
#include "tests/app/desktop/window_fixture.h"
#include "ui/panels/kv_panel.h"
#include "ui/panels/kv_rows.h"

#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

using namespace sotto;
using namespace sotto::test;
using sotto::ui::MemorySettings;
using sotto::ui::Setting;

class WindowMemoryTest final : public QObject {
    Q_OBJECT

    std::shared_ptr<FakeBackend> m_backend;
    std::unique_ptr<WindowFixture> m;
    const QString m_path = QStringLiteral("/m/a.gguf");

    ui::KvPanel& panel() { return m->window().memoryPanel(); }
    QPushButton* reload() { return panel().findChild<QPushButton*>(QStringLiteral("reload")); }
    /// As a person would: what is chosen is told.
    void choose(const char* name, int index) {
        for (auto* box : panel().findChildren<ui::ChoiceBox*>()) {
            if (box->accessibleName() == QLatin1String(name)) {
                box->setCurrentIndex(index);
            }
        }
    }

  private Q_SLOTS:
    void initTestCase() { setUpApplication(); }
    void init() {
        m_backend = std::make_shared<FakeBackend>();
        m = std::make_unique<WindowFixture>(m_backend);
    }
    void cleanup() { m.reset(); }

    void settingsSurviveARestart() {
        choose("Keys", 2);
        choose("Values", 1);
        choose("When the context is full", 1);
        m->settings().setValue(Setting::MemoryContext, 1024);
        m->settings().setValue(Setting::MemoryLimit, 256);
        m->window().close();
        m->destroyWindow();
        app::MainWindow second(m_backend, &m->settings(), {QStringLiteral("avx2"), 4});
        const MemorySettings wanted{
            1024, {CacheType::Q8_0, CacheType::F32}, 256, ContextFull::drop_turns};
        QVERIFY(second.memoryPanel().settings() == wanted);
        QSignalSpy loaded(&second.bridge(), &ui::Bridge::modelLoaded);
        second.openPath(m_path);
        QTRY_COMPARE(loaded.count(), 1);
        QCOMPARE(m_backend->record()->engines().back().n_ctx, 1024);
    }

    void damagedSettingsAreBroughtIntoRange() {
        m->settings().setValue(Setting::MemoryKeys, 77);
        m->settings().setValue(Setting::MemoryContext, -4);
        m->settings().setValue(Setting::ContextFull, 9);
        app::MainWindow second(m_backend, &m->settings(), {QStringLiteral("avx2"), 4});
        QVERIFY(second.memoryPanel().settings() ==
                (MemorySettings{0, {CacheType::Q8_0, CacheType::F16}, 0, ContextFull::drop_turns}));
    }

    void reloadKeepsTheChat() {
        QVERIFY(m->open(m_path));
        m->say(QStringLiteral("hello"));
        QVERIFY(m->waitUntilIdle());
        const QString title = m->window().header().title();
        QVERIFY(!reload()->isEnabled());
        choose("Keys", 2);
        QVERIFY(reload()->isEnabled());
        QSignalSpy reloaded(&m->bridge(), &ui::Bridge::modelReloaded);
        QTest::mouseClick(reload(), Qt::LeftButton);
        QVERIFY(!reload()->isEnabled());
        QTRY_COMPARE(reloaded.count(), 1);
        QVERIFY(!reload()->isEnabled());
        QCOMPARE(m->conversation().count(), 2);
        QCOMPARE(m->last().text, QStringLiteral("Hello there."));
        QCOMPARE(m->window().header().title(), title);
        QCOMPARE(m->settings().value(Setting::LastModel).toString(), m_path);
        m->say(QStringLiteral("again"));
        QVERIFY(m->waitUntilIdle());
        QCOMPARE(m_backend->record()->prompts().back().size(), std::size_t{3});
    }

    void reloadThatFailsIsTold() {
        QVERIFY(m->open(m_path));
        FakeScript script;
        script.engine_error = Error{ErrorCode::no_memory, "there is too little memory"};
        m_backend->setScript(script);
        choose("Keys", 1);
        QTest::mouseClick(reload(), Qt::LeftButton);
        QTRY_VERIFY(m->window().messages().isVisible());
        QVERIFY2(m->window().messages().text().contains(
                     QStringLiteral("could not be reloaded: there is too little memory")),
                 qPrintable(m->window().messages().text()));
        QVERIFY(m->bridge().hasModel());
        QVERIFY(reload()->isEnabled());
    }

    void longChatDropsItsTurns() {
        FakeScript script;
        script.n_ctx = 100;
        m_backend->setScript(script);
        QVERIFY(m->open(m_path));
        choose("When the context is full", 1); // without a reload
        for (int i = 0; i < 6; ++i) {
            m->say(QStringLiteral("question number %1").arg(i));
            QVERIFY(m->waitUntilIdle());
            QCOMPARE(m->last().state, ui::Message::State::Complete);
        }
        QCOMPARE(m->conversation().count(), 12); // all are shown
        const int dropped = m->chat().nDropped();
        QVERIFY(dropped > 0 && dropped % 2 == 0);
        QVERIFY2(m->window().messages().text().contains(
                     QStringLiteral("The %1 oldest messages no longer fit").arg(dropped)),
                 qPrintable(m->window().messages().text()));
        m->chat().newChat();
        QCOMPARE(m->chat().nDropped(), 0);
        m->chat().undoNewChat();
        QCOMPARE(m->chat().nDropped(), dropped);
    }
};

QTEST_MAIN(WindowMemoryTest)
#include "tst_window_memory.moc"

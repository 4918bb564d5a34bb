// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/kv_panel.h"
#include "ui/panels/kv_rows.h"
#include "ui/panels/number_field.h"
#include "ui/theme/digits.h"
#include "ui/theme/theme.h"

#include <QtCore/QLocale>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

using namespace sotto;
using namespace sotto::ui;

namespace {

ModelDetails model() {
    ModelDetails details;
    details.info.weight_bytes = 100 << 20;
    details.info.kv_bytes_per_token = {1 << 10, 2 << 10, 544};
    details.info.n_ctx_train = 2048;
    details.nCtx = 2048;
    return details;
}

} // namespace

class KvPanelTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
        Theme::instance().install();
    }

    void valuesInAndOut() {
        KvPanel panel;
        QVERIFY(panel.settings() == MemorySettings());
        QSignalSpy changed(&panel, &KvPanel::settingsChanged);
        const MemorySettings wanted{
            8192, {CacheType::Q8_0, CacheType::F32}, 512, ContextFull::drop_turns};
        panel.setSettings(wanted);
        QVERIFY(panel.settings() == wanted);
        QCOMPARE(changed.count(), 0);
    }

    void clamps() {
        KvPanel panel;
        panel.setSettings({-5, {}, -1, ContextFull::stop});
        QCOMPARE(panel.settings().nCtx, 0);
        QCOMPARE(panel.settings().kvMiB, 0);
        panel.setSettings({2'000'000'000, {}, 2'000'000'000, ContextFull::stop});
        QCOMPARE(panel.settings().nCtx, KvPanel::kMaxContext);
        QCOMPARE(panel.settings().kvMiB, KvPanel::kMaxMiB);
    }

    void byKeyboard() {
        KvPanel panel;
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        QSignalSpy changed(&panel, &KvPanel::settingsChanged);
        auto* context = control<NumberField>(panel, "Context");
        QCOMPARE(context->text(), QStringLiteral("auto"));
        type(context, QStringLiteral("4096"));
        QCOMPARE(panel.settings().nCtx, 4096);
        auto* limit = control<NumberField>(panel, "Memory limit");
        type(limit, QStringLiteral("300"));
        QCOMPARE(panel.settings().kvMiB, 300);
        QCOMPARE(limit->text(), QStringLiteral("300 MiB"));
        type(limit, QStringLiteral("0"));
        QCOMPARE(limit->text(), QStringLiteral("auto"));
        auto* keys = control<ChoiceBox>(panel, "Keys");
        keys->setFocus();
        QTest::keyClick(keys, Qt::Key_End);
        QVERIFY(panel.settings().cacheTypes == CacheTypes(CacheType::Q8_0, CacheType::F16));
        auto* full = control<ChoiceBox>(panel, "When the context is full");
        full->setFocus();
        QTest::keyClick(full, Qt::Key_Down);
        QCOMPARE(panel.settings().contextFull, ContextFull::drop_turns);
        QCOMPARE(changed.count(), 5);
    }

    void estimate() {
        KvPanel panel;
        QCOMPARE(line(panel, "keys and values"), QStringLiteral("–"));
        panel.setModel(model());
        panel.setSettings({1024, CacheType::F32, 0, ContextFull::stop});
        QCOMPARE(line(panel, "tokens"), QStringLiteral("1,024"));
        QCOMPARE(line(panel, "keys and values"), QStringLiteral("2 MiB"));
        QCOMPARE(line(panel, "weights"), QStringLiteral("105 MiB"));
        QVERIFY(warning(panel)->isHidden());
        panel.setSettings({1024, CacheType::F32, 1, ContextFull::stop});
        QVERIFY2(warning(panel)->text().contains(QStringLiteral("512 of these tokens")),
                 qPrintable(warning(panel)->text()));
        ModelDetails huge = model();
        huge.info.kv_bytes_per_token = {std::int64_t{1} << 32, std::int64_t{1} << 33, 1 << 30};
        panel.setModel(huge);
        panel.setSettings({1 << 20, {}, 0, ContextFull::stop});
        QVERIFY(!warning(panel)->isHidden());
        QVERIFY2(warning(panel)->text().contains(QStringLiteral("more than is free")),
                 qPrintable(warning(panel)->text()));
        panel.clearModel();
        QVERIFY(warning(panel)->isHidden());
        QCOMPARE(line(panel, "together"), QStringLiteral("–"));
    }

    void reloadOnlyWhenNeeded() {
        KvPanel panel;
        auto* reload = panel.findChild<QPushButton*>(QStringLiteral("reload"));
        panel.setSettings({1024, {}, 0, ContextFull::stop});
        QVERIFY(!reload->isEnabled()); // no model
        panel.setModel(model());
        QVERIFY(reload->isEnabled());
        panel.setSettings({0, {}, 0, ContextFull::drop_turns}); // needs none
        QVERIFY(!reload->isEnabled());
        panel.setSettings({0, CacheType::Q8_0, 0, ContextFull::stop});
        QVERIFY(reload->isEnabled());
        panel.setLoading(true);
        QVERIFY(!reload->isEnabled());
        panel.setLoading(false);
        QSignalSpy requested(&panel, &KvPanel::reloadRequested);
        QTest::keyClick(reload, Qt::Key_Space);
        QCOMPARE(requested.count(), 1);
        ModelDetails now = model();
        now.memory = panel.settings();
        panel.setModel(now);
        QVERIFY(!reload->isEnabled());
        panel.clearModel();
        QVERIFY(!reload->isEnabled());
    }

    void now() {
        KvPanel panel;
        QCOMPARE(line(panel, "held"), QStringLiteral("–"));
        panel.setModel(model());
        EngineStatus status;
        status.n_ctx = 2048;
        status.kv_bytes = 20 << 20;
        status.kv_used_bytes = 5 << 20;
        status.kv_max_bytes = std::int64_t{3} << 30;
        status.prompt_tokens = 1200;
        status.reused_tokens = 900;
        panel.setStatus(status);
        QCOMPARE(line(panel, "used"), QStringLiteral("5 MiB"));
        QCOMPARE(line(panel, "held"), QStringLiteral("20 MiB"));
        QCOMPARE(line(panel, "limit"), QStringLiteral("3,072 MiB"));
        QCOMPARE(line(panel, "reused"), QStringLiteral("900 of 1,200"));
    }

    void everyControlIsExplained() {
        KvPanel panel;
        const QList<QWidget*> controls = {
            control<NumberField>(panel, "Context"), control<NumberField>(panel, "Memory limit"),
            control<ChoiceBox>(panel, "Keys"), control<ChoiceBox>(panel, "Values"),
            control<ChoiceBox>(panel, "When the context is full")};
        for (QWidget* part : controls) {
            QVERIFY(part);
            QVERIFY(part->toolTip().contains(QStringLiteral("Acts ")));
            QVERIFY(part->accessibleDescription().contains(QStringLiteral("Acts ")));
            QVERIFY(part->focusPolicy() & Qt::TabFocus);
        }
        QVERIFY(!panel.findChild<QPushButton*>()->accessibleDescription().isEmpty());
    }

  private:
    static QString line(const KvPanel& panel, const char* name) {
        auto* number = control<NumberLabel>(panel, name);
        return number ? number->text() : QStringLiteral("no such line");
    }
    static QLabel* warning(const KvPanel& panel) {
        return panel.findChild<QLabel*>(QStringLiteral("memoryWarning"));
    }
    template <class T>
    static T* control(const KvPanel& panel, const char* name) {
        for (T* part : panel.findChildren<T*>())
            if (part->accessibleName() == QLatin1String(name))
                return part;
        return nullptr;
    }
    static void type(NumberField* field, const QString& text) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }
};

QTEST_MAIN(KvPanelTest)
#include "tst_kv_panel.moc"

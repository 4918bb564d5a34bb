// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/engine_panel.h"
#include "ui/panels/number_field.h"
#include "ui/panels/param_row.h"
#include "ui/theme/digits.h"
#include "ui/theme/theme.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

#include <limits>

using namespace sotto;
using namespace sotto::ui;

class EnginePanelTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void threads();
    void threadsByHand();
    void threadsBeyondTheCores();
    void oneCore();
    void timings();
    void oddTimings();
    void info();
    void savesAndRestores();

  private:
    static QString line(const EnginePanel& panel, const QString& name) {
        for (const NumberLabel* label : panel.findChildren<NumberLabel*>())
            if (label->accessibleName() == name)
                return label->text();
        return QStringLiteral("no such line");
    }
};

void EnginePanelTest::initTestCase() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
    Theme::instance().install();
}

void EnginePanelTest::threads() {
    EnginePanel panel(8);
    QCOMPARE(panel.threads(), 8);
    QSignalSpy changed(&panel, &EnginePanel::threadsChanged);
    panel.setThreads(3);
    QCOMPARE(panel.threads(), 3);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toInt(), 3);
    panel.setThreads(0); // one per core
    QCOMPARE(panel.threads(), 8);
    panel.setThreads(-7);
    QCOMPARE(changed.count(), 2);
    panel.setThreads(100000);
    QCOMPARE(panel.threads(), 256);
}

void EnginePanelTest::threadsByHand() {
    EnginePanel panel(8);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    QSignalSpy changed(&panel, &EnginePanel::threadsChanged);
    ValueSlider* slider = panel.findChild<ValueSlider*>();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(panel.threads(), 7);
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(panel.threads(), 1);
    QTest::keyClick(slider, Qt::Key_Left);
    QCOMPARE(panel.threads(), 1);
    QCOMPARE(changed.count(), 2);
}

void EnginePanelTest::threadsBeyondTheCores() {
    EnginePanel panel(4);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    NumberField* field = panel.findChild<NumberField*>();
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("200"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(panel.threads(), 200);
    QCOMPARE(panel.findChild<ValueSlider*>()->number(), 4.0); // at its end
    QCOMPARE(field->value(), 200.0);
}

void EnginePanelTest::oneCore() {
    EnginePanel panel(0);
    QCOMPARE(panel.threads(), 1);
    panel.resize(288, 400);
    panel.grab(); // a slider without a way must not divide by it
    ValueSlider* slider = panel.findChild<ValueSlider*>();
    slider->QSlider::setValue(1);
    QCOMPARE(slider->number(), 1.0);
}

void EnginePanelTest::timings() {
    EnginePanel panel(2);
    const QString none = QStringLiteral("\u2013");
    for (const char* name : {"first token", "reading", "writing", "reused"})
        QCOMPARE(line(panel, QLatin1String(name)), none);
    Timings timings;
    timings.ttft_ms = 214;
    timings.prefill_tokens_per_s = 284.4;
    timings.decode_tokens_per_s = 38.21;
    timings.reused_tokens = 3512;
    timings.threads_used = 2;
    panel.setTimings(timings);
    QCOMPARE(line(panel, QStringLiteral("first token")), QStringLiteral("0.21 s"));
    QCOMPARE(line(panel, QStringLiteral("reading")), QStringLiteral("284 t/s"));
    QCOMPARE(line(panel, QStringLiteral("writing")), QStringLiteral("38.2 t/s"));
    QCOMPARE(line(panel, QStringLiteral("reused")), QStringLiteral("3,512"));
    QCOMPARE(line(panel, QStringLiteral("threads at work")), QStringLiteral("2"));
    panel.clearTimings();
    QCOMPARE(line(panel, QStringLiteral("writing")), none);
}

void EnginePanelTest::oddTimings() {
    EnginePanel panel(2);
    Timings timings;
    timings.ttft_ms = std::numeric_limits<double>::infinity();
    timings.prefill_tokens_per_s = std::numeric_limits<double>::quiet_NaN();
    timings.decode_tokens_per_s = -1;
    panel.setTimings(timings);
    for (const char* name : {"first token", "reading", "writing"})
        QCOMPARE(line(panel, QLatin1String(name)), QStringLiteral("\u2013"));
}

void EnginePanelTest::info() {
    EnginePanel panel(2);
    panel.setEngineInfo({QStringLiteral("avx2"), 4096, 8192, 2});
    QCOMPARE(line(panel, QStringLiteral("instructions")), QStringLiteral("avx2"));
    QCOMPARE(line(panel, QStringLiteral("context")), QStringLiteral("4,096"));
    QCOMPARE(line(panel, QStringLiteral("trained for")), QStringLiteral("8,192"));
    panel.setEngineInfo({});
    QCOMPARE(line(panel, QStringLiteral("context")), QStringLiteral("\u2013"));
}

void EnginePanelTest::savesAndRestores() {
    EnginePanel panel(8), other(8);
    panel.setThreads(5);
    other.restoreState(panel.saveState());
    QCOMPARE(other.threads(), 5);
    // "One per core" stays that on a machine with other cores.
    panel.setThreads(0);
    EnginePanel larger(16);
    larger.setThreads(3);
    larger.restoreState(panel.saveState());
    QCOMPARE(larger.threads(), 16);
    larger.restoreState({{QStringLiteral("threads"), QStringLiteral("many")}});
    QCOMPARE(larger.threads(), 16);
}

QTEST_MAIN(EnginePanelTest)
#include "tst_engine_panel.moc"

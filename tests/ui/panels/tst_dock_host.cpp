// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/dock_host.h"
#include "ui/panels/dock_title.h"
#include "ui/panels/panel.h"
#include "ui/theme/theme.h"

#include <QtGui/QAction>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTextEdit>
#include <QtWidgets/QToolButton>

#include <memory>

using namespace sotto::ui;

namespace {

class NotePanel final : public Panel {
  public:
    explicit NotePanel(const QString& id) : Panel(id, id.toUpper()) {}
    QString note;
    QVariantMap saveState() const override { return {{QStringLiteral("note"), note}}; }
    void restoreState(const QVariantMap& state) override {
        note = state.value(QStringLiteral("note")).toString();
    }
};

struct Window {
    QMainWindow window;
    DockHost* host;
    QList<NotePanel*> panels;
    QList<QDockWidget*> docks;

    explicit Window(int n = 3) : host(new DockHost(&window)) {
        window.setCentralWidget(new QTextEdit);
        for (int i = 0; i < n; ++i) {
            panels << new NotePanel(QStringLiteral("p%1").arg(i));
            docks << host->add(panels.last());
        }
        window.resize(1200, 700);
        window.show();
    }
    [[nodiscard]] QList<bool> shown() const {
        QList<bool> flags;
        for (const QDockWidget* dock : docks)
            flags << !dock->isHidden();
        return flags;
    }
    [[nodiscard]] bool inFront(int i) const { return !panels[i]->visibleRegion().isEmpty(); }
};

const QList<bool> kAll = {true, true, true}, kNone = {false, false, false};

} // namespace

class DockHostTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void tabsOnTop();
    void width();
    void narrowHides();
    void narrowKeepsTheFrontTab();
    void narrowLeavesWhatThePersonHid();
    void narrowFloatingStays();
    void layoutOfFewerPanels();
    void sideAction();
    void sideActionWhileNarrow();
    void toggleActions();
    void titleBars();
    void floatAction();
    void titleButtons();
    void raise();
    void savesAndRestores();
    void savesTheWideLayout();
    void savesHidden();
    void refusesOtherBytes();
    void zoomMovesTheLimit();
};

void DockHostTest::initTestCase() {
    Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
    Theme::instance().install();
}

void DockHostTest::tabsOnTop() {
    Window w;
    QTRY_VERIFY(w.inFront(0));
    const auto bars = w.window.findChildren<QTabBar*>();
    QCOMPARE(bars.size(), 1);
    QCOMPARE(bars[0]->count(), 3);
    QVERIFY(bars[0]->isVisible());
    QCOMPARE(bars[0]->tabText(0), QStringLiteral("P0"));
    QVERIFY(bars[0]->geometry().bottom() <= w.docks[0]->geometry().top());
    QCOMPARE(bars[0]->y(), 0);
}

void DockHostTest::width() {
    Window w;
    QTRY_COMPARE(w.docks[0]->width(), DockHost::kPanelWidth);
    QVERIFY(w.docks[0]->geometry().left() > 800);
}

void DockHostTest::narrowHides() {
    Window w;
    QSignalSpy narrow(w.host, &DockHost::narrowChanged);
    w.window.resize(899, 700);
    QTRY_COMPARE(w.shown(), kNone);
    QVERIFY(w.host->isNarrow());
    QTRY_VERIFY(!w.host->sideAction()->isChecked());
    w.window.resize(900, 700);
    QTRY_COMPARE(w.shown(), kAll);
    QTRY_VERIFY(w.host->sideAction()->isChecked());
    QTRY_COMPARE(w.docks[0]->width(), DockHost::kPanelWidth);
    QCOMPARE(narrow.count(), 2);
    QVERIFY(w.window.findChildren<QTabBar*>()[0]->isVisible());
}

void DockHostTest::narrowKeepsTheFrontTab() {
    Window w;
    QTRY_VERIFY(w.inFront(0));
    w.docks[2]->raise();
    QTRY_VERIFY(w.inFront(2));
    w.window.resize(700, 700);
    QTRY_COMPARE(w.shown(), kNone);
    w.window.resize(1200, 700);
    QTRY_COMPARE(w.shown(), kAll);
    QTRY_VERIFY(w.inFront(2));
    QVERIFY(!w.inFront(0));
}

void DockHostTest::narrowLeavesWhatThePersonHid() {
    Window w;
    w.docks[1]->close();
    w.window.resize(700, 700);
    QTRY_COMPARE(w.shown(), kNone);
    w.window.resize(1200, 700);
    const QList<bool> wanted = {true, false, true};
    QTRY_COMPARE(w.shown(), wanted);
}

void DockHostTest::narrowFloatingStays() {
    Window w;
    w.docks[1]->setFloating(true);
    w.window.resize(700, 700);
    const QList<bool> wanted = {false, true, false};
    QTRY_COMPARE(w.shown(), wanted);
}

/// The panels of an older version were fewer: the new one joins the tabs.
void DockHostTest::layoutOfFewerPanels() {
    Window old(2);
    old.docks[1]->raise();
    const QByteArray state = old.host->saveState();
    Window w(3);
    QVERIFY(w.host->restoreState(state));
    QTRY_VERIFY(!w.docks[2]->isHidden());
    QCOMPARE(w.window.tabifiedDockWidgets(w.docks[0]).size(), 2);
    QTRY_COMPARE(w.docks[1]->width(), DockHost::kPanelWidth);
    QVERIFY(w.host->raise(w.panels[2]->id()));
    QTRY_VERIFY(w.inFront(2));
}

void DockHostTest::sideAction() {
    Window w;
    QAction* side = w.host->sideAction();
    QTRY_VERIFY(side->isChecked());
    side->trigger();
    QTRY_COMPARE(w.shown(), kNone);
    // What the person hid does not come back with the room.
    w.window.resize(700, 700);
    w.window.resize(1200, 700);
    QCoreApplication::processEvents();
    QCOMPARE(w.shown(), kNone);
    QVERIFY(!side->isChecked());
    side->trigger();
    QTRY_COMPARE(w.shown(), kAll);
    QTRY_VERIFY(side->isChecked());
    // All closed one by one: the action opens all of them.
    for (QDockWidget* dock : w.docks)
        dock->close();
    QTRY_VERIFY(!side->isChecked());
    side->trigger();
    QTRY_COMPARE(w.shown(), kAll);
}

void DockHostTest::sideActionWhileNarrow() {
    Window w;
    w.window.resize(700, 700);
    QTRY_COMPARE(w.shown(), kNone);
    w.host->sideAction()->trigger(); // asked for: shown, narrow or not
    QTRY_COMPARE(w.shown(), kAll);
    w.window.resize(1200, 700);
    QCoreApplication::processEvents();
    QCOMPARE(w.shown(), kAll);
    w.window.resize(700, 700);
    QTRY_COMPARE(w.shown(), kNone);
}

void DockHostTest::toggleActions() {
    Window w;
    const QList<QAction*> actions = w.host->toggleActions();
    QCOMPARE(actions.size(), 3);
    QCOMPARE(actions[1]->text(), QStringLiteral("P1"));
    QVERIFY(actions[1]->isChecked());
    actions[1]->trigger();
    QVERIFY(w.docks[1]->isHidden());
    actions[1]->trigger();
    QVERIFY(!w.docks[1]->isHidden());
    QCOMPARE(w.window.tabifiedDockWidgets(w.docks[0]).size(), 2); // back among the tabs
}

void DockHostTest::titleBars() {
    Window w(2);
    const auto title = [&](int i) { return static_cast<DockTitle*>(w.docks[i]->titleBarWidget()); };
    QTRY_VERIFY(title(0)->isFolded() && title(1)->isFolded());
    QTRY_COMPARE(title(0)->height(), 0);
    w.docks[1]->close();
    QTRY_VERIFY(!title(0)->isFolded()); // alone: no tabs say what it is
    QTRY_VERIFY(title(0)->height() > 20);
    w.docks[1]->show();
    QTRY_VERIFY(title(0)->isFolded());
    w.docks[1]->setFloating(true);
    QTRY_VERIFY(!title(1)->isFolded() && !title(0)->isFolded());
}

void DockHostTest::floatAction() {
    Window w;
    QTRY_VERIFY(w.inFront(0));
    w.docks[1]->raise();
    QTRY_VERIFY(w.inFront(1));
    w.host->floatAction()->trigger();
    QVERIFY(w.docks[1]->isFloating());
    w.docks[0]->close();
    w.docks[2]->close();
    QTRY_COMPARE(w.host->floatAction()->text(), QStringLiteral("Put Panel Back"));
    w.host->floatAction()->trigger();
    QVERIFY(!w.docks[1]->isFloating());
    w.docks[1]->close();
    QTRY_VERIFY(!w.host->floatAction()->isEnabled());
}

void DockHostTest::titleButtons() {
    Window w(1);
    const auto buttons = w.docks[0]->titleBarWidget()->findChildren<QToolButton*>();
    QCOMPARE(buttons.size(), 2);
    for (QToolButton* button : buttons)
        QVERIFY(!button->accessibleName().isEmpty());
    QTRY_VERIFY(buttons[0]->isVisible());
    QTest::mouseClick(buttons[0], Qt::LeftButton);
    QVERIFY(w.docks[0]->isFloating());
    QTest::mouseClick(buttons[0], Qt::LeftButton);
    QVERIFY(!w.docks[0]->isFloating());
    QTest::mouseClick(buttons[1], Qt::LeftButton);
    QVERIFY(w.docks[0]->isHidden());
}

void DockHostTest::raise() {
    Window w;
    QVERIFY(!w.host->raise(QStringLiteral("nobody")));
    QVERIFY(w.host->raise(QStringLiteral("p2")));
    QTRY_VERIFY(w.inFront(2));
    w.window.resize(700, 700);
    QTRY_COMPARE(w.shown(), kNone);
    QVERIFY(w.host->raise(QStringLiteral("p1")));
    QTRY_VERIFY(w.inFront(1));
}

void DockHostTest::savesAndRestores() {
    Window first;
    first.panels[1]->note = QStringLiteral("kept");
    first.docks[0]->close();
    first.docks[2]->raise();
    QTRY_VERIFY(first.inFront(2));
    first.window.resizeDocks({first.docks[2]}, {350}, Qt::Horizontal);
    QTRY_COMPARE(first.docks[2]->width(), 350);
    const QByteArray state = first.host->saveState();
    Window second;
    QVERIFY(second.host->restoreState(state));
    QTRY_COMPARE(second.shown(), first.shown());
    QTRY_VERIFY(second.inFront(2));
    QTRY_COMPARE(second.docks[2]->width(), 350);
    QCOMPARE(second.panels[1]->note, QStringLiteral("kept"));
}

void DockHostTest::savesTheWideLayout() {
    Window first;
    first.window.resize(700, 700);
    QTRY_COMPARE(first.shown(), kNone);
    const QByteArray state = first.host->saveState();
    Window second;
    QVERIFY(second.host->restoreState(state));
    QTRY_COMPARE(second.shown(), kAll);
    Window third;
    third.window.resize(700, 700);
    QTRY_COMPARE(third.shown(), kNone);
    QVERIFY(third.host->restoreState(state));
    QTRY_COMPARE(third.shown(), kNone); // still narrow
    third.window.resize(1200, 700);
    QTRY_COMPARE(third.shown(), kAll);
}

void DockHostTest::savesHidden() {
    Window first;
    first.host->sideAction()->trigger();
    const QByteArray state = first.host->saveState();
    Window second;
    QVERIFY(second.host->restoreState(state));
    QTRY_COMPARE(second.shown(), kNone);
    second.host->sideAction()->trigger();
    QTRY_COMPARE(second.shown(), kAll);
}

void DockHostTest::refusesOtherBytes() {
    Window w;
    const QByteArray good = w.host->saveState();
    QVERIFY(!w.host->restoreState({}));
    QVERIFY(!w.host->restoreState(QByteArray(100, 'x')));
    QVERIFY(!w.host->restoreState(QByteArray(4 << 20, 'x')));
    for (qsizetype n = 0; n < good.size(); ++n)
        QVERIFY2(!w.host->restoreState(good.left(n)), qPrintable(QString::number(n)));
    QVERIFY(!w.host->restoreState(good + 'x'));
    QCOMPARE(w.shown(), kAll);
    QVERIFY(w.host->restoreState(good));
}

void DockHostTest::zoomMovesTheLimit() {
    Window w;
    Theme::instance().setZoom(1.5); // 1200 < 900 * 1.5
    QTRY_COMPARE(w.shown(), kNone);
    Theme::instance().setZoom(1);
    QTRY_COMPARE(w.shown(), kAll);
}

QTEST_MAIN(DockHostTest)
#include "tst_dock_host.moc"

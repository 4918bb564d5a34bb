// SPDX-License-Identifier: Apache-2.0
// Names of models as people have them: as long as a file system allows, the same in many folders.
#include "app/desktop/context_meter.h"
#include "app/desktop/status_line.h"
#include "tests/app/desktop/window_fixture.h"
#include "ui/chat/example_card.h"

#include <QtGui/QAction>
#include <QtWidgets/QDialog>
#include <QtWidgets/QMenu>

using namespace sotto;
using sotto::test::FakeBackend;
using sotto::test::FakeScript;
using sotto::test::WindowFixture;

class TestNames final : public QObject {
    Q_OBJECT

    std::shared_ptr<FakeBackend> m_backend;
    std::unique_ptr<WindowFixture> m;

    [[nodiscard]] QStringList recentTexts() {
        Q_EMIT m->actions().recent->aboutToShow();
        QStringList texts;
        for (const QAction* action : m->actions().recent->actions()) {
            texts += action->text();
        }
        return texts;
    }
    [[nodiscard]] bool isInside(const QWidget* part) {
        const QPoint at = part->mapTo(&m->window(), QPoint(0, 0));
        return m->window().rect().contains(QRect(at, part->size()));
    }

  private Q_SLOTS:
    void initTestCase() { test::setUpApplication(); }
    void init() {
        m_backend = std::make_shared<FakeBackend>();
        m = std::make_unique<WindowFixture>(m_backend);
    }
    void cleanup() { m.reset(); }

    void longOnesAreCut() {
        m->window().resize(900, 640);
        QVERIFY(m->open(QStringLiteral("/m/a.gguf")));
        const int least = m->window().minimumSizeHint().width();
        FakeScript script;
        script.name = std::string(250, 'y');
        m_backend->setScript(script);
        QVERIFY(m->open(QStringLiteral("/m/%1.gguf").arg(QString(250, QLatin1Char('y')))));
        QVERIFY(QTest::qWaitForWindowExposed(&m->window()));
        QTest::qWait(50); // layouts settle
        QVERIFY(m->window().minimumSizeHint().width() <= least + 4);
        const auto cards = m->window().findChildren<ui::ExampleCard*>();
        QCOMPARE(cards.size(), 3);
        for (const auto* card : cards) {
            QVERIFY(isInside(card));
        }
        QVERIFY(isInside(m->window().findChild<app::ContextMeter*>()));
        for (const QString& text : recentTexts()) {
            QVERIFY2(text.size() < 100, qPrintable(text));
        }
    }

    void detailsFitASmallScreen() {
        FakeScript script;
        script.name = std::string(250, 'y');
        m_backend->setScript(script);
        QVERIFY(m->open(QStringLiteral("/m/%1.gguf").arg(QString(250, QLatin1Char('y')))));
        m->actions().modelDetails->trigger();
        const auto* dialog = m->window().findChild<QDialog*>(QStringLiteral("modelDetails"));
        QVERIFY2(dialog->minimumSizeHint().width() < 600,
                 qPrintable(QString::number(dialog->minimumSizeHint().width())));
        QVERIFY2(dialog->minimumSizeHint().height() < 400, // at 200 % on 1280 x 900
                 qPrintable(QString::number(dialog->minimumSizeHint().height())));
    }

    void windowIsGoneBeforeTheDiskAnswers() {
        for (int i = 0; i < 50; ++i) {
            QVERIFY(m->open(QStringLiteral("/m/a.gguf"))); // looks at the list's files
            Q_EMIT m->actions().recent->aboutToShow();
            m = std::make_unique<WindowFixture>(m_backend);
            QCoreApplication::processEvents();
        }
    }

    void equalOnesAreToldApart() {
        QVERIFY(m->open(QStringLiteral("/models/qwen/hub")));
        QVERIFY(m->open(QStringLiteral("/models/llama/hub")));
        QVERIFY(m->open(QStringLiteral("/models/other")));
        const QStringList texts = recentTexts();
        QVERIFY2(texts.join(QLatin1Char('|')).contains(QStringLiteral("in /models/qwen")),
                 qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY(texts.join(QLatin1Char('|')).contains(QStringLiteral("in /models/llama")));
        QVERIFY(!texts.join(QLatin1Char('|')).contains(QStringLiteral("other in")));
    }
};

QTEST_MAIN(TestNames)
#include "tst_names.moc"

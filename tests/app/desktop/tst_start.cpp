// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/format.h"
#include "app/desktop/start_options.h"

#include <QtCore/QLocale>
#include <QtTest/QTest>

using namespace sotto::app;

class TestStart final : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void arguments_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("problem");
        const auto list = [](const char* text) {
            return QString::fromUtf8(text).split(QLatin1Char('|'));
        };
        QTest::newRow("none") << QStringList() << QString() << QString();
        QTest::newRow("path") << list("имя é.gguf") << QStringLiteral("имя é.gguf") << QString();
        QTest::newRow("dashes") << list("--|--help.gguf") << QStringLiteral("--help.gguf")
                                << QString();
        QTest::newRow("qt") << list("-platform|xcb|a.gguf") << QStringLiteral("a.gguf")
                            << QString();
        QTest::newRow("unknown") << list("--what") << QString() << QStringLiteral("--what");
        QTest::newRow("two") << list("a|b") << QStringLiteral("a") << QStringLiteral("'b'");
    }
    void arguments() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, path);
        QFETCH(QString, problem);
        const StartOptions options = parseArguments(arguments);
        QCOMPARE(options.modelPath, path);
        QCOMPARE(options.problem.isEmpty(), problem.isEmpty());
        QVERIFY(options.problem.contains(problem));
    }

    void helpAndVersion() {
        QVERIFY(parseArguments({QStringLiteral("--help")}).showHelp);
        QVERIFY(parseArguments({QStringLiteral("--version")}).showVersion);
        QVERIFY(helpText().contains(QStringLiteral("[MODEL]")));
        QVERIFY(versionText().startsWith(QStringLiteral("sotto ")));
    }

    void display() {
        for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
            qunsetenv(name);
        }
        QVERIFY(displayProblem({}).contains(QStringLiteral("sotto-cli chat")));
        QVERIFY(
            displayProblem({QStringLiteral("-platform"), QStringLiteral("offscreen")}).isEmpty());
        for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
            qputenv(name, "x");
            QVERIFY(displayProblem({}).isEmpty());
            qunsetenv(name);
        }
    }

    void numbers() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QCOMPARE(countText(9192), QStringLiteral("9,192"));
        QCOMPARE(rateText(38.24), QStringLiteral("38.2 t/s"));
        QCOMPARE(rateText(284.4), QStringLiteral("284 t/s"));
        QCOMPARE(rateText(0), QStringLiteral("–"));
        QCOMPARE(rateText(qQNaN()), QStringLiteral("–"));
        QCOMPARE(rateText(qInf()), QStringLiteral("–"));
        QCOMPARE(bytesText(2'100'000'000), QStringLiteral("2.1 GB"));
        QCOMPARE(bytesText(98'362'432), QStringLiteral("98 MB"));
        QCOMPARE(parametersText(134'515'008), QStringLiteral("135M"));
        QCOMPARE(parametersText(8'030'000'000), QStringLiteral("8.0B"));
        QCOMPARE(parametersText(70'600'000'000), QStringLiteral("71B"));
    }
};

QTEST_GUILESS_MAIN(TestStart)
#include "tst_start.moc"

// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QSet>
#include <QtCore/QTemporaryDir>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>

using sotto::SamplingParams;
using sotto::ui::Setting;
using sotto::ui::SettingRow;
using sotto::ui::Settings;
using sotto::ui::settingTable;

class TestSettings final : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    int m_files = 0;

    QString newFile() { return m_dir.filePath(QStringLiteral("%1/sotto.ini").arg(++m_files)); }
    static void write(const QString& path, const QByteArray& bytes) {
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), qint64(bytes.size()));
    }

  private Q_SLOTS:
    void tableIsWhole() {
        QSet<QString> keys;
        int index = 0;
        for (const SettingRow& row : settingTable()) {
            QCOMPARE(static_cast<int>(row.setting), index++);
            QVERIFY(row.fallback.isValid());
            keys.insert(QLatin1String(row.key));
        }
        QCOMPARE(keys.size(), index);
    }

    void defaults() {
        const Settings settings(newFile());
        for (const SettingRow& row : settingTable()) {
            QCOMPARE(settings.value(row.setting), row.fallback);
        }
        QCOMPARE(settings.sampling(), SamplingParams{});
        QVERIFY(settings.problem().isEmpty());
    }

    void remembers() {
        const QString file = newFile();
        SamplingParams params;
        params.temperature = 0.123f;
        params.top_k = 7;
        params.seed = 9007199254740991;
        {
            Settings settings(file);
            settings.setValue(Setting::Threads, 3);
            settings.setValue(Setting::OpenLastModel, false);
            settings.setValue(Setting::LastModel, QStringLiteral("/m/имя модель é=;,\"\\.gguf"));
            settings.setValue(Setting::WindowGeometry, QByteArray("\0\1\xff\n", 4));
            settings.setSampling(params);
        }
        const Settings settings(file);
        QCOMPARE(settings.value(Setting::Threads).toInt(), 3);
        QCOMPARE(settings.value(Setting::OpenLastModel).toBool(), false);
        QCOMPARE(settings.value(Setting::LastModel).toString(),
                 QStringLiteral("/m/имя модель é=;,\"\\.gguf"));
        QCOMPARE(settings.value(Setting::WindowGeometry).toByteArray(),
                 QByteArray("\0\1\xff\n", 4));
        QCOMPARE(settings.sampling(), params);
    }

    void changeIsWrittenSoon() {
        const QString file = newFile();
        Settings settings(file);
        settings.setValue(Setting::Threads, 5);
        QTRY_VERIFY(QFile::exists(file));
        const Settings other(file);
        QCOMPARE(other.value(Setting::Threads).toInt(), 5);
    }

    void wrongValues_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("words") << QByteArray("threads=many\n");
        QTest::newRow("empty") << QByteArray("threads=\n");
        QTest::newRow("list") << QByteArray("threads=1, 2, 3\n");
    }
    void wrongValues() {
        QFETCH(QByteArray, text);
        const QString file = newFile();
        write(file, "[engine]\n" + text +
                        "[model]\nopen_last=perhaps\n[sampling]\n"
                        "temperature=nan\ntop_p=inf\nmin_p=-1\ntop_k=1e300\nrepeat_penalty=1.1x\n"
                        "seed=-5\n");
        const Settings settings(file);
        QCOMPARE(settings.value(Setting::Threads).toInt(), 0);
        QCOMPARE(settings.value(Setting::OpenLastModel).toBool(), true);
        QCOMPARE(settings.sampling(), SamplingParams{});
    }

    void numbersAreClamped() {
        const QString file = newFile();
        write(file, "[engine]\nthreads=-4\n[window]\nzoom_percent=1000000\ntheme=17\n");
        const Settings settings(file);
        QCOMPARE(settings.value(Setting::Threads).toInt(), 0);
        QCOMPARE(settings.value(Setting::Zoom).toInt(), 300);
        QCOMPARE(settings.value(Setting::Theme).toInt(), 2);
        const QString other = newFile();
        write(other, "[engine]\nthreads=99999999999999\n[window]\nzoom_percent=-99999999999999\n");
        const Settings far(other);
        QCOMPARE(far.value(Setting::Threads).toInt(), 256);
        QCOMPARE(far.value(Setting::Zoom).toInt(), 50);
    }

    void damagedFile_data() {
        QTest::addColumn<QByteArray>("bytes");
        QByteArray noise;
        for (int i = 0; i < 4096; ++i) {
            noise += static_cast<char>((i * 2654435761u) >> 13);
        }
        QTest::newRow("noise") << noise;
        QTest::newRow("text") << QByteArray("this is a letter\nto nobody\n");
        QTest::newRow("two megabytes") << QByteArray(2 << 20, 'x');
    }
    void damagedFile() {
        QFETCH(QByteArray, bytes);
        const QString file = newFile();
        write(file, bytes);
        {
            Settings settings(file);
            QVERIFY2(settings.problem().contains(QStringLiteral("damaged")),
                     qPrintable(settings.problem()));
            QCOMPARE(settings.value(Setting::Zoom).toInt(), 100);
            settings.setValue(Setting::Zoom, 120);
        }
        const Settings again(file);
        QVERIFY(again.problem().isEmpty());
        QCOMPARE(again.value(Setting::Zoom).toInt(), 120);
        QVERIFY(
            QFile::exists(file + QStringLiteral(".damaged"))); // nothing of the person's is lost
    }

    void unwritableIsToldOnce() {
        const QString blocker = m_dir.filePath(QStringLiteral("blocker"));
        write(blocker, "a file where the folder should be");
        Settings settings(blocker + QStringLiteral("/sotto.ini"));
        QSignalSpy told(&settings, &Settings::problemFound);
        for (int i = 0; i < 5; ++i) {
            settings.setValue(Setting::Threads, i);
            settings.save();
        }
        QVERIFY(settings.problem().contains(QStringLiteral("sotto.ini")));
        QVERIFY(told.count() <= 1);
        QCOMPARE(settings.value(Setting::Threads).toInt(), 4); // holds while the program runs
    }

    void recentModels() {
        Settings settings(newFile());
        for (int i = 0; i < 15; ++i) {
            settings.addRecentModel(QStringLiteral("/m/%1.gguf").arg(i));
        }
        QCOMPARE(settings.recentModels().size(), Settings::kMaxRecent);
        QCOMPARE(settings.recentModels().first(), QStringLiteral("/m/14.gguf"));
        settings.addRecentModel(QStringLiteral("/m/10.gguf"));
        QCOMPARE(settings.recentModels().first(), QStringLiteral("/m/10.gguf"));
        QCOMPARE(settings.recentModels().count(QStringLiteral("/m/10.gguf")), 1);
        settings.removeRecentModel(QStringLiteral("/m/10.gguf"));
        QVERIFY(!settings.recentModels().contains(QStringLiteral("/m/10.gguf")));
    }

    void recentModelsOfAFileByHand() {
        const QString file = newFile();
        write(file, "[model]\nrecent=/one.gguf\n");
        const Settings settings(file);
        QCOMPARE(settings.recentModels(), QStringList{QStringLiteral("/one.gguf")});
    }
};

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"

// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/emoji.h"

#include <QtGui/QFontDatabase>
#include <QtTest/QTest>

using namespace sotto::ui;

class EmojiTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void runs_data();
    void runs();
    void drawnText_data();
    void drawnText();
    void drawnEmoji();
    void formats();
    void hostile();
};

void EmojiTest::runs_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("wanted"); // start, length, ...
    const auto row = [](const char* name, const char16_t* text, QList<int> wanted) {
        QTest::newRow(name) << QString::fromUtf16(text) << wanted;
    };
    row("none", u"plain text, 12 * 3 # ok", {});
    row("grinning", u"a\U0001F600b", {1, 2});
    row("two in a row", u"\U0001F600\U0001F680", {0, 4});
    row("heart is text", u"\u2764", {});
    row("heart is a picture", u"\u2764\uFE0F!", {0, 2});
    row("watch as text", u"\u231A\uFE0E", {});
    row("watch", u"\u231A", {0, 1});
    row("flag", u"\U0001F1E9\U0001F1EA", {0, 4});
    row("half a flag", u"\U0001F1E9 x", {});
    row("keycap", u"1\uFE0F\u20E3 1", {0, 3});
    row("keycap without style", u"#\u20E3", {0, 2});
    row("digit with style alone", u"7\uFE0F", {});
    row("skin tone", u"\U0001F44D\U0001F3FD.", {0, 4});
    row("pointing, skin tone", u"\u261D\U0001F3FD", {0, 3});
    row("family", u"\U0001F468\u200D\U0001F469\u200D\U0001F467", {0, 8});
    row("rainbow flag", u"\U0001F3F3\uFE0F\u200D\U0001F308", {0, 6});
    row("health worker", u"\U0001F469\u200D\u2695\uFE0F", {0, 5});
    row("scotland", u"\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",
        {0, 14});
    row("joiner at the end", u"\U0001F468\u200D", {0, 2});
    row("copyright is text", u"\u00A9 2024", {});
    row("arrows are text", u"a \u2192 b", {});
    row("chinese", u"\u5FB7\u8BED\uFE0F", {});
    row("persian with joiners", u"\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645\u200D", {});
}

void EmojiTest::runs() {
    QFETCH(QString, text);
    QFETCH(QList<int>, wanted);
    QList<int> found;
    for (const EmojiRun& run : emojiRuns(text))
        found << run.start << run.length;
    QCOMPARE(found, wanted);
}

void EmojiTest::drawnText_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("empty") << QString();
    QTest::newRow("plain") << QStringLiteral("plain");
    QTest::newRow("one") << QString::fromUtf16(u"a\u2764\uFE0Fb");
    QTest::newRow("first") << QString::fromUtf16(u"\uFE0Fab");
    QTest::newRow("many") << QString::fromUtf16(
        u"\u2764\uFE0F\u2764\uFE0F 1\uFE0F\u20E3x\uFE0F\uFE0F");
}

void EmojiTest::drawnText() {
    QFETCH(QString, source);
    const DrawnText drawn(source);
    QString expected = source;
    expected.remove(QChar(0xFE0F));
    QCOMPARE(drawn.text(), expected);
    QCOMPARE(drawn.toSource(0), 0);
    QCOMPARE(drawn.toDrawn(0), 0);
    QCOMPARE(drawn.toDrawn(int(source.size())), int(expected.size()));
    if (!expected.isEmpty())
        QCOMPARE(drawn.toSource(int(expected.size())), int(source.size()));
    for (int at = 0; at <= expected.size(); ++at) {
        const int back = drawn.toSource(at);
        QVERIFY(back >= at && back <= source.size());
        QCOMPARE(drawn.toDrawn(back), at);
        if (at > 0 && at < expected.size())
            QCOMPARE(source[back], expected[at]); // the same character stands behind it
        if (at > 0)
            QVERIFY(back > drawn.toSource(at - 1));
    }
}

void EmojiTest::drawnEmoji() {
    const DrawnText drawn(QString::fromUtf16(u"x\u2764\uFE0F y \u2764 1\uFE0F\u20E3"));
    const std::vector<EmojiRun> wanted = {{1, 1}, {7, 2}}; // the bare heart is text still
    QVERIFY(drawn.emoji() == wanted);
}

void EmojiTest::formats() {
    const auto formats = emojiFormats(QString::fromUtf16(u"ab \U0001F600 c"), 10);
    if (emojiFamily().isEmpty()) {
        QVERIFY(formats.isEmpty());
        return;
    }
    QVERIFY(QFontDatabase::hasFamily(emojiFamily()));
    QCOMPARE(formats.size(), 1);
    QCOMPARE(formats[0].start, 13);
    QCOMPARE(formats[0].length, 2);
    QCOMPARE(formats[0].format.fontFamilies().toStringList(), QStringList{emojiFamily()});
}

/// Any UTF-16, lone surrogates and endless sequences too: runs lie inside, in order, and time is
/// linear.
void EmojiTest::hostile() {
    const char16_t alphabet[] = {u'1',   u'#',   0x20E3, 0xFE0F, 0xFE0E, 0x200D, 0x2764, 0xD83D,
                                 0xDE00, 0xD83C, 0xDDE9, 0xDFFD, 0xDB40, 0xDC67, u'a'};
    quint32 state = 12345;
    for (int round = 0; round < 2000; ++round) {
        QString text;
        for (int i = 0; i < 24; ++i) {
            state = state * 1664525u + 1013904223u;
            text.append(QChar(alphabet[(state >> 16) % std::size(alphabet)]));
        }
        int end = 0;
        for (const EmojiRun& run : emojiRuns(text)) {
            QVERIFY(run.length > 0 && run.start >= end && run.start + run.length <= text.size());
            end = run.start + run.length;
        }
        const DrawnText drawn(text);
        QVERIFY(!drawn.text().contains(QChar(0xFE0F)));
    }
    const QString joined = QString::fromUtf16(u"\u2764\u200D").repeated(200000);
    QVERIFY(emojiRuns(joined).size() <= 1);
}

QTEST_MAIN(EmojiTest)
#include "tst_emoji.moc"

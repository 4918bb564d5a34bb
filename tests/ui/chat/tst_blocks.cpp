// SPDX-License-Identifier: Apache-2.0
// The blocks of a message and the text they show: nothing lost, whatever the pieces in which it
// came.
#include "ui/chat/block_parser.h"
#include "ui/chat/shown_text.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QRandomGenerator>
#include <QtTest/QTest>

using namespace sotto::ui;

namespace {

using Blocks = std::vector<BlockSpec>;

Blocks whole(const QString& text, Markup markup = Markup::Light) {
    Blocks blocks;
    updateBlocks(text, markup, blocks);
    return blocks;
}

QString shownOf(const QString& text, Markup markup = Markup::Light) {
    QStringList lines;
    for (const BlockSpec& spec : whole(text, markup))
        lines += ShownText(text, spec).text();
    return lines.join(u'\n').replace(QChar(QChar::LineSeparator), u'\n');
}

/// Pieces that meet in unhappy ways when put together at random.
QString randomText(QRandomGenerator& random, int parts) {
    static const QStringList kParts = {
        "a",      "word ",   "\n",        "\r\n",  "\r",
        "```",    "```py\n", "\n```\n",   "~~~\n", "`",
        "**",     "# ",      "- ",        "12. ",  "\t",
        "  ",     "\n\n",    "é",         "你好",  "👩‍👩‍👧",
        "❤️", "\u2028",  "*",         "_",     "<b>",
        "```` ",  "\n> ",    "مرحبا",     "x`y",   "**b**",
        "`c`",    "\n1) ",   "###### x\n"};
    QString text;
    for (int i = 0; i < parts; ++i)
        text += kParts[random.bounded(kParts.size())];
    return text;
}

} // namespace

class BlocksTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void kinds();
    void tilesAndGrows();
    void longPieces_data();
    void longPieces();
    void shows_data();
    void shows();
    void literalIsLiteral();
    void mapsThereAndBack();
    void hostile();
    void isLinear();
};

void BlocksTest::kinds() {
    const QString text =
        QStringLiteral("Hi\n\n## Head\n- one\n  - two\n3. three\n```cpp\nint a;\n```\nend");
    const Blocks blocks = whole(text);
    const std::vector<BlockKind> expected = {
        BlockKind::Paragraph, BlockKind::Blank,    BlockKind::Heading, BlockKind::ListItem,
        BlockKind::ListItem,  BlockKind::ListItem, BlockKind::Code,    BlockKind::Paragraph};
    QCOMPARE(blocks.size(), expected.size());
    for (size_t i = 0; i < blocks.size(); ++i)
        QCOMPARE(blocks[i].kind, expected[i]);
    QCOMPARE(blocks[2].level, quint8(2));
    QCOMPARE(blocks[4].level, quint8(1));
    QCOMPARE(fenceLanguage(text, blocks[6].fenceBegin), QStringLiteral("cpp"));
    QCOMPARE(text.mid(blocks[6].textBegin, blocks[6].textEnd - blocks[6].textBegin),
             QStringLiteral("int a;"));
}

/// Any way of cutting a text into appended parts ends in the same blocks, which tile the text.
void BlocksTest::tilesAndGrows() {
    QRandomGenerator random(7);
    for (int round = 0; round < 400; ++round) {
        const QString text = randomText(random, 1 + random.bounded(60));
        for (const Markup markup : {Markup::Light, Markup::None}) {
            Blocks grown;
            QString soFar;
            while (soFar.size() < text.size()) {
                soFar += text.mid(soFar.size(), 1 + random.bounded(7));
                const Blocks before = grown;
                const int from = updateBlocks(soFar, markup, grown);
                for (int i = 0; i < from; ++i)
                    QVERIFY(grown[i] == before[i]);
            }
            const Blocks expected = whole(text, markup);
            QVERIFY2(grown == expected, qPrintable(text));
            int at = 0;
            for (const BlockSpec& spec : grown) {
                QCOMPARE(spec.begin, at);
                QVERIFY(spec.begin <= spec.textBegin && spec.textBegin <= spec.textEnd &&
                        spec.textEnd <= spec.end);
                QVERIFY(spec.textEnd - spec.textBegin <= kMaxPiece);
                at = spec.end;
            }
            QCOMPARE(at, int(text.size()));
        }
    }
}

void BlocksTest::longPieces_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("no blanks") << QString(50000, u'a');
    QTest::newRow("prose") << QStringLiteral("Some words make a sentence. ").repeated(2000);
    QTest::newRow("pairs") << QStringLiteral("👍").repeated(20000);
    QTest::newRow("marks") << QStringLiteral("e\u0301").repeated(20000);
    QTest::newRow("only marks") << QString(20000, QChar(0x301));
    QTest::newRow("code") << QStringLiteral("```\n") +
                                 QStringLiteral("int a = 1;\n").repeated(3000);
    QTest::newRow("code line") << QStringLiteral("```\n") + QString(30000, u'x') +
                                      QStringLiteral("\n```\nend");
    QTest::newRow("list item") << QStringLiteral("- ") + QStringLiteral("word ").repeated(4000);
    QTest::newRow("blanks") << QString(20000, u' ');
    QTest::newRow("closed at a full piece") << QStringLiteral("```\n") +
                                                   QStringLiteral("x").repeated(kMaxPiece) +
                                                   QStringLiteral("\n```\nend");
}

void BlocksTest::longPieces() {
    QFETCH(QString, text);
    const Blocks expected = whole(text);
    Blocks grown;
    for (int at = 0; at < text.size();) {
        at = qMin(at + 977, int(text.size()));
        updateBlocks(QStringView(text).left(at), Markup::Light, grown);
    }
    QVERIFY(grown == expected);
    QString joined;
    for (const BlockSpec& spec : grown) {
        QVERIFY(spec.textEnd - spec.textBegin <= kMaxPiece);
        if (spec.begin > 0)
            QVERIFY(!(text[spec.begin].isLowSurrogate() && text[spec.begin - 1].isHighSurrogate()));
        joined += text.mid(spec.begin, spec.end - spec.begin);
    }
    QCOMPARE(joined, text);
}

void BlocksTest::shows_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("shown");
    const auto same = [](const char* text) {
        QTest::newRow(text) << QString(text) << QString(text);
    };
    same("<smirk> & <b>bold</b> &amp;");
    same("costs $5 and $6");
    same("8547*47854*2 and 2**3**4 and a ** b ** c");
    same("snake_case_name __init__ *one star*");
    same("![picture](http://example.org/a.png) [link](http://example.org)");
    same("an open ** star and an open ` tick");
    same("**** and *** and ** ");
    same("#hash 1.5 -x");
    same("a `` b ` c");
    same("``` not ` a fence");
    QTest::newRow("bold") << "so **very** good"
                          << "so very good";
    QTest::newRow("bold Chinese") << "这是**重要**的"
                                  << "这是重要的";
    QTest::newRow("code") << "call `a ** b` now"
                          << "call a ** b now";
    QTest::newRow("double ticks") << "x ``a ` b`` y"
                                  << "x a ` b y";
    QTest::newRow("code in bold") << "**run `x` now**"
                                  << "run x now";
    QTest::newRow("tick behind bold") << "**a ` b** c `d` e"
                                      << "a ` b c d e";
    QTest::newRow("CR LF") << "a\r\nb"
                           << "a\nb";
    QTest::newRow("fence") << "```c\r\nint a;\r\n\r\nint b;\r\n```"
                           << "int a;\n\nint b;";
    QTest::newRow("indented fence") << "- x\n  ```\n  a\n    b\n c\n  ```"
                                    << "x\na\n  b\nc";
    QTest::newRow("NUL") << QString("a") + QChar(0) + "b" << QString::fromUtf8("a\uFFFDb");
    QTest::newRow("half pair") << QString("a") + QChar(0xd83d) + "b"
                               << QString::fromUtf8("a\uFFFDb");
    QTest::newRow("turned round") << QString("a") + QChar(0x202e) + "b"
                                  << QString::fromUtf8("a\uFFFDb");
    QTest::newRow("selector") << QString::fromUtf8("I ❤\uFE0F it") << QString::fromUtf8("I ❤ it");
}

void BlocksTest::shows() {
    QFETCH(QString, source);
    QFETCH(QString, shown);
    QCOMPARE(shownOf(source), shown);
}

void BlocksTest::literalIsLiteral() {
    const QString text = QStringLiteral("# a\n**b** `c`\n\n\n- d\n```\ne\n```\n\ttab <i>");
    QCOMPARE(shownOf(text, Markup::None), text);
}

void BlocksTest::mapsThereAndBack() {
    const QString text = QStringLiteral("ab **cd** `ef` ❤️g");
    const ShownText shown(text, whole(text).front());
    QCOMPARE(shown.text(), QStringLiteral("ab cd ef ❤g"));
    for (int at = 0; at <= shown.text().size(); ++at) {
        QCOMPARE(shown.toShown(shown.toSourceBegin(at)), at);
        QCOMPARE(shown.toShown(shown.toSourceEnd(at)), at);
        QVERIFY(shown.toSourceEnd(at) <= shown.toSourceBegin(at));
    }
    QCOMPARE(shown.toSourceBegin(3), 5); // behind the stars
    QCOMPARE(shown.toSourceEnd(3), 3);   // before them
    QCOMPARE(shown.toSourceEnd(5), 7);
    QCOMPARE(shown.toSourceEnd(int(shown.text().size())), int(text.size()));
}

/// Random units of UTF-16: no crash, positions stay in range.
void BlocksTest::hostile() {
    QRandomGenerator random(11);
    for (int round = 0; round < 200; ++round) {
        QString text;
        for (int i = 0, n = random.bounded(300); i < n; ++i)
            text +=
                QChar(ushort(random.bounded(4) ? random.bounded(0x80) : random.bounded(0x10000)));
        for (const BlockSpec& spec : whole(text)) {
            const ShownText shown(text, spec);
            for (int at = 0; at <= shown.text().size(); ++at) {
                const int source = shown.toSourceBegin(at);
                QVERIFY(source >= spec.textBegin && source <= spec.textEnd);
                QVERIFY(shown.toSourceEnd(at) <= source);
            }
            for (const QChar c : shown.text())
                QVERIFY(c.unicode() >= 0x20 || c == u'\t');
        }
    }
}

/// Marks without partners are looked for once, not once each.
void BlocksTest::isLinear() {
    QString text;
    for (int i = 1; text.size() < 400000; i = i % 60 + 1)
        text += QString(i, u'`') + QStringLiteral("x **y");
    QElapsedTimer clock;
    clock.start();
    (void)shownOf(text);
    (void)whole(QStringLiteral("```\n") + QString(1 << 23, u'x')); // one line of code
    (void)whole(QString(1 << 23, u'x'));
    QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
    qInfo("%lld ms", clock.elapsed());
}

QTEST_GUILESS_MAIN(BlocksTest)
#include "tst_blocks.moc"

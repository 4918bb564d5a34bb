// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/palette.h"
#include "ui/theme/roles.h"

#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

using namespace sotto::ui;

namespace {

/// Relative luminance and contrast ratio as WCAG 2.1 defines them.
double linear(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

constexpr double kText = 4.5, kControl = 3.0;

struct Rule {
    const char* name;
    Role front;
    std::initializer_list<Role> grounds;
    double least;
};

const Rule kRules[] = {
    {"ink",
     Role::Ink,
     {Role::Page, Role::Side, Role::Card, Role::AccentGround, Role::CodeGround, Role::Hover,
      Role::Pressed, Role::Selection},
     kText},
    {"muted", // placeholders too
     Role::Muted,
     {Role::Page, Role::Side, Role::Card, Role::AccentGround, Role::CodeGround, Role::Hover},
     kText},
    {"accent as text",
     Role::Accent,
     {Role::Page, Role::Side, Role::Card, Role::AccentGround, Role::CodeGround, Role::Hover},
     kText},
    {"warning",
     Role::Warning,
     {Role::Page, Role::Side, Role::Card, Role::AccentGround, Role::CodeGround, Role::Hover},
     kText},
    {"on accent", Role::OnAccent, {Role::Accent, Role::AccentHover}, kText},
    {"control line", Role::ControlLine, {Role::Page, Role::Side, Role::Card}, kControl},
    {"focus",
     Role::Focus,
     {Role::Page, Role::Side, Role::Card, Role::AccentGround, Role::CodeGround, Role::Hover},
     kControl},
    {"filled part of a bar", Role::Accent, {Role::Groove, Role::Side, Role::Page}, kControl},
};

} // namespace

class ContrastTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void knownValues();
    void roles_data();
    void roles();
    void palette_data();
    void palette();
    void disabledLooksDisabled();
};

void ContrastTest::knownValues() {
    QCOMPARE(std::round(contrast(Qt::black, Qt::white)), 21.0);
    QVERIFY(std::abs(contrast(QColor("#777777"), Qt::white) - 4.48) < 0.01);
}

void ContrastTest::roles_data() {
    QTest::addColumn<int>("rule");
    QTest::addColumn<bool>("dark");
    for (int i = 0; i < int(std::size(kRules)); ++i)
        for (const bool dark : {false, true})
            QTest::addRow("%s, %s", kRules[i].name, dark ? "dark" : "light") << i << dark;
}

void ContrastTest::roles() {
    QFETCH(int, rule);
    QFETCH(bool, dark);
    const Rule& wanted = kRules[rule];
    for (const Role ground : wanted.grounds) {
        const QColor front = roleColor(wanted.front, dark), back = roleColor(ground, dark);
        const double ratio = contrast(front, back);
        QVERIFY2(
            ratio >= wanted.least,
            qPrintable(QStringLiteral("%1 on %2: %3").arg(front.name(), back.name()).arg(ratio)));
    }
}

void ContrastTest::palette_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

/// Whatever Qt's own widgets pair up is readable, with the window in front or behind.
void ContrastTest::palette() {
    QFETCH(bool, dark);
    const QPalette palette = themePalette(dark);
    const std::pair<QPalette::ColorRole, QPalette::ColorRole> pairs[] = {
        {QPalette::WindowText, QPalette::Window},
        {QPalette::Text, QPalette::Base},
        {QPalette::Text, QPalette::AlternateBase},
        {QPalette::PlaceholderText, QPalette::Base},
        {QPalette::ButtonText, QPalette::Button},
        {QPalette::HighlightedText, QPalette::Highlight},
        {QPalette::ToolTipText, QPalette::ToolTipBase},
        {QPalette::Link, QPalette::Base},
        {QPalette::Link, QPalette::Window},
        {QPalette::LinkVisited, QPalette::Base},
        {QPalette::BrightText, QPalette::Window}};
    for (const auto group : {QPalette::Active, QPalette::Inactive})
        for (const auto& [text, ground] : pairs)
            QVERIFY2(contrast(palette.color(group, text), palette.color(group, ground)) >= kText,
                     qPrintable(QStringLiteral("role %1 on %2").arg(text).arg(ground)));
}

void ContrastTest::disabledLooksDisabled() {
    for (const bool dark : {false, true}) {
        const QPalette palette = themePalette(dark);
        for (const auto text : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
            const QColor on = palette.color(QPalette::Active, text),
                         off = palette.color(QPalette::Disabled, text);
            const QColor ground = palette.color(QPalette::Disabled, QPalette::Window);
            QVERIFY(contrast(off, ground) < contrast(on, ground) / 2);
            QVERIFY(contrast(off, ground) > 1.8); // still there to be seen
        }
    }
}

QTEST_GUILESS_MAIN(ContrastTest)
#include "tst_contrast.moc"

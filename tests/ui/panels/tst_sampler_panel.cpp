// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/number_field.h"
#include "ui/panels/param_access.h"
#include "ui/panels/param_row.h"
#include "ui/panels/row_label.h"
#include "ui/panels/sampler_panel.h"
#include "ui/panels/seed_row.h"
#include "ui/theme/theme.h"

#include <QtGui/QWheelEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include <cmath>
#include <limits>
#include <vector>

using namespace sotto;
using namespace sotto::ui;

namespace {

std::vector<ParamInfo> allInfos() {
    std::vector<ParamInfo> infos;
    SamplingParams params;
    visit_params(params, [&](const ParamInfo& info, auto&) { infos.push_back(info); });
    return infos;
}

/// A value of the parameter that is not its default.
double otherValue(const ParamInfo& info) {
    const double value = info.min + std::round((info.max - info.min) * 0.3 / info.step) * info.step;
    return value == paramValue(SamplingParams{}, info.key) ? value + info.step : value;
}

void turnWheel(QWidget* widget, int eighths) {
    const QPointF middle(widget->rect().center());
    QWheelEvent event(middle, widget->mapToGlobal(middle), {}, {0, eighths}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

void typeInto(QWidget* field, const QString& text) {
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

} // namespace

class SamplerPanelTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void startsWithDefaults();
    void everyParameterHasARow();
    void roundTrip_data() { parameters(); }
    void roundTrip();
    void exactValuesSurvive();
    void outOfRange();
    void typed_data() { parameters(); }
    void typed();
    void typingTellsOnlyTheEnd();
    void decimalPointAndComma();
    void sliderKeys_data() { parameters(); }
    void sliderKeys();
    void sliderReachesEveryValue();
    void wheelNeedsFocus();
    void doubleClickResets();
    void contextMenuResets();
    void resetAll();
    void randomSeed();
    void seedField();
    void tabOrder();
    void names();
    void savesAndRestores();

  private:
    void parameters();
    [[nodiscard]] ParamRow* row(const char* key) const {
        return m_panel->findChild<ParamRow*>(QLatin1String(key));
    }
    [[nodiscard]] SeedRow* seed() const { return m_panel->findChild<SeedRow*>(); }

    std::unique_ptr<SamplerPanel> m_panel;
};

void SamplerPanelTest::initTestCase() {
    QLocale::setDefault(QLocale::c());
    Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
    Theme::instance().install();
}

void SamplerPanelTest::init() {
    m_panel = std::make_unique<SamplerPanel>();
    m_panel->resize(288, 600);
    m_panel->show();
    QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
}

void SamplerPanelTest::cleanup() {
    m_panel.reset();
}

void SamplerPanelTest::parameters() {
    QTest::addColumn<int>("index");
    const auto infos = allInfos();
    for (size_t i = 0; i < infos.size(); ++i)
        QTest::newRow(infos[i].key) << int(i);
}

void SamplerPanelTest::startsWithDefaults() {
    QCOMPARE(m_panel->params(), SamplingParams{});
}

void SamplerPanelTest::everyParameterHasARow() {
    for (const ParamInfo& info : allInfos()) {
        auto* widget = m_panel->findChild<QWidget*>(QLatin1String(info.key));
        QVERIFY2(widget, info.key);
        QCOMPARE(widget->findChild<RowLabel*>()->text(), QLatin1String(info.label));
        QVERIFY(widget->toolTip().contains(QLatin1String(info.help).left(20)));
    }
}

void SamplerPanelTest::roundTrip() {
    QFETCH(int, index);
    const ParamInfo info = allInfos()[size_t(index)];
    SamplingParams wanted;
    setParamValue(wanted, info.key, otherValue(info));
    QVERIFY(!(wanted == SamplingParams{}));
    QSignalSpy changed(m_panel.get(), &SamplerPanel::paramsChanged);
    m_panel->setParams(wanted);
    QCOMPARE(m_panel->params(), wanted);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].value<SamplingParams>(), wanted);
    m_panel->setParams(wanted);
    QCOMPARE(changed.count(), 1); // nothing new
    if (ParamRow* slider = row(info.key))
        QCOMPARE(slider->slider()->number(), paramValue(wanted, info.key));
    else
        QCOMPARE(seed()->field()->text(), QString::number(wanted.seed));
}

/// A value finer than the field shows is not rounded by being shown, nor by an edit of another row.
void SamplerPanelTest::exactValuesSurvive() {
    SamplingParams params;
    params.temperature = 0.7125f;
    params.seed = (1ull << 53) - 1;
    m_panel->setParams(params);
    row("top_k")->slider()->setFocus();
    QTest::keyClick(row("top_k")->slider(), Qt::Key_Up);
    row("temperature")->field()->setFocus();
    row("top_p")->field()->setFocus();
    params.top_k = 41;
    QCOMPARE(m_panel->params(), params);
}

void SamplerPanelTest::outOfRange() {
    SamplingParams params;
    params.temperature = 1e9f;
    params.top_p = std::numeric_limits<float>::quiet_NaN();
    params.min_p = -std::numeric_limits<float>::infinity();
    params.top_k = -5;
    params.seed = ~0ull;
    m_panel->setParams(params);
    const SamplingParams taken = m_panel->params();
    QCOMPARE(taken.temperature, 2.0f);
    QCOMPARE(taken.top_p, SamplingParams{}.top_p);
    QCOMPARE(taken.min_p, 0.0f);
    QCOMPARE(taken.top_k, 0);
    QCOMPARE(taken.seed, (1ull << 53) - 1);
}

void SamplerPanelTest::typed() {
    QFETCH(int, index);
    const ParamInfo info = allInfos()[size_t(index)];
    const double value = otherValue(info);
    QSignalSpy changed(m_panel.get(), &SamplerPanel::paramsChanged);
    QWidget* field =
        row(info.key) ? static_cast<QWidget*>(row(info.key)->field()) : seed()->field();
    typeInto(field, QString::number(value, 'f', info.decimals));
    SamplingParams wanted;
    setParamValue(wanted, info.key, value);
    QCOMPARE(m_panel->params(), wanted);
    QCOMPARE(changed.count(), 1);
}

/// On the way from 0.70 to 1.25 nobody may see 1 or 1.2: the answer being written would be sampled
/// with it.
void SamplerPanelTest::typingTellsOnlyTheEnd() {
    QSignalSpy changed(m_panel.get(), &SamplerPanel::paramsChanged);
    NumberField* field = row("temperature")->field();
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, QStringLiteral("1.25"));
    QCOMPARE(changed.count(), 0);
    row("top_p")->field()->setFocus();
    QCOMPARE(changed.count(), 1);
    QCOMPARE(m_panel->params().temperature, 1.25f);
}

void SamplerPanelTest::decimalPointAndComma() {
    for (const QLocale& locale :
         {QLocale(QLocale::C), QLocale(QLocale::German), QLocale(QLocale::English)}) {
        for (const char* text : {"1.5", "1,5"}) {
            NumberField field({0, 2, 0.01, 2});
            field.setLocale(locale);
            QString typed = QLatin1String(text);
            int position = 3;
            QCOMPARE(field.validate(typed, position), QValidator::Acceptable);
            QCOMPARE(field.valueFromText(typed), 1.5);
        }
    }
}

void SamplerPanelTest::sliderKeys() {
    QFETCH(int, index);
    const ParamInfo info = allInfos()[size_t(index)];
    if (!row(info.key)) {
        QVERIFY(seed()->objectName() == QLatin1String(info.key)); // no slider: its own tests
        return;
    }
    ValueSlider* slider = row(info.key)->slider();
    const auto value = [&] { return paramValue(m_panel->params(), info.key); };
    const auto close = [&](double wanted) { return std::abs(value() - wanted) < info.step / 100; };
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QVERIFY(close(info.min));
    QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(close(info.min + info.step));
    QTest::keyClick(slider, Qt::Key_Up);
    QVERIFY(close(info.min + 2 * info.step));
    QTest::keyClick(slider, Qt::Key_Left);
    QVERIFY(close(info.min + info.step));
    QTest::keyClick(slider, Qt::Key_PageUp);
    QVERIFY(close(info.min + 11 * info.step));
    QTest::keyClick(slider, Qt::Key_End);
    QVERIFY(close(info.max));
    QTest::keyClick(slider, Qt::Key_Right);
    QVERIFY(close(info.max));
    QCOMPARE(row(info.key)->field()->value(), info.max);
}

/// Dragged over its whole way, a slider meets both ends, never goes back, and small whole numbers
/// one by one.
void SamplerPanelTest::sliderReachesEveryValue() {
    for (const ParamInfo& info : allInfos()) {
        if (!row(info.key))
            continue;
        ValueSlider* slider = row(info.key)->slider();
        slider->setNumber(info.max);
        double before = info.min - info.step;
        QList<double> met;
        for (int position = 0; position <= slider->maximum(); ++position) {
            slider->QSlider::setValue(position);
            QVERIFY(slider->number() >= before);
            before = slider->number();
            met << before;
        }
        QCOMPARE(met.first(), info.min);
        QCOMPARE(met.last(), info.max);
        if (info.decimals == 0)
            for (double small = 0; small <= 40; ++small)
                QVERIFY2(
                    met.contains(small),
                    qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(info.key)).arg(small)));
    }
}

void SamplerPanelTest::wheelNeedsFocus() {
    ParamRow* temperature = row("temperature");
    m_panel->findChild<QPushButton*>(QStringLiteral("reset"))->setFocus();
    turnWheel(temperature->slider(), 120);
    turnWheel(temperature->field(), 120);
    turnWheel(temperature, 120);
    QCOMPARE(m_panel->params(), SamplingParams{});
    QVERIFY(!temperature->field()->hasFocus() && !temperature->slider()->hasFocus());
    temperature->slider()->setFocus();
    turnWheel(temperature->slider(), 120);
    QCOMPARE(m_panel->params().temperature, 0.71f);
    temperature->field()->setFocus();
    turnWheel(temperature->field(), -120);
    QCOMPARE(m_panel->params().temperature, 0.7f);
}

void SamplerPanelTest::doubleClickResets() {
    SamplingParams params;
    params.min_p = 0.5f;
    params.seed = 12;
    m_panel->setParams(params);
    QTest::mouseDClick(row("min_p")->findChild<RowLabel*>(), Qt::LeftButton);
    QCOMPARE(m_panel->params().min_p, SamplingParams{}.min_p);
    QCOMPARE(m_panel->params().seed, 12ull);
    QTest::mouseDClick(seed()->findChild<RowLabel*>(), Qt::LeftButton);
    QCOMPARE(m_panel->params(), SamplingParams{});
}

void SamplerPanelTest::contextMenuResets() {
    SamplingParams params;
    params.top_k = 7;
    m_panel->setParams(params);
    QAction* action = row("top_k")->actions().value(0);
    QVERIFY(action);
    QCOMPARE(action->text(), QStringLiteral("Reset Top-k to 40"));
    action->trigger();
    QCOMPARE(m_panel->params().top_k, 40);
}

void SamplerPanelTest::resetAll() {
    SamplingParams params;
    for (const ParamInfo& info : allInfos())
        setParamValue(params, info.key, otherValue(info));
    m_panel->setParams(params);
    QCOMPARE(m_panel->params(), params);
    QSignalSpy changed(m_panel.get(), &SamplerPanel::paramsChanged);
    auto* button = m_panel->findChild<QPushButton*>(QStringLiteral("reset"));
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(m_panel->params(), SamplingParams{});
    QCOMPARE(changed.count(), 1);
}

void SamplerPanelTest::randomSeed() {
    QSet<quint64> seeds;
    for (int i = 0; i < 20; ++i) {
        QTest::mouseClick(seed()->randomButton(), Qt::LeftButton);
        QVERIFY(m_panel->params().seed < (1ull << 53));
        QCOMPARE(seed()->field()->text(), QString::number(m_panel->params().seed));
        seeds.insert(m_panel->params().seed);
    }
    QCOMPARE(seeds.size(), 20);
}

void SamplerPanelTest::seedField() {
    typeInto(seed()->field(), QStringLiteral("9007199254740991"));
    QCOMPARE(m_panel->params().seed, 9007199254740991ull);
    typeInto(seed()->field(), QStringLiteral("9999999999999999")); // above the range
    QCOMPARE(m_panel->params().seed, 9007199254740991ull);
    QCOMPARE(seed()->field()->text(), QStringLiteral("9007199254740991"));
    typeInto(seed()->field(), QStringLiteral("-4x2"));
    QCOMPARE(m_panel->params().seed, 42ull);
    seed()->field()->clear();
    QTest::keyClick(seed()->field(), Qt::Key_Return);
    QCOMPARE(m_panel->params().seed, 42ull);
    QCOMPARE(seed()->field()->text(), QStringLiteral("42"));
}

/// Tab goes through the panel from the top to the bottom, each field before its slider.
void SamplerPanelTest::tabOrder() {
    row("temperature")->field()->setFocus();
    QList<QWidget*> order;
    for (const ParamInfo& info : allInfos())
        if (ParamRow* r = row(info.key))
            order << r->field() << r->slider();
    order << seed()->field() << seed()->randomButton()
          << m_panel->findChild<QPushButton*>(QStringLiteral("reset"));
    for (QWidget* widget : order) {
        QCOMPARE(QApplication::focusWidget(), widget);
        QTest::keyClick(widget, Qt::Key_Tab);
    }
}

void SamplerPanelTest::names() {
    const auto sliders = m_panel->findChildren<ValueSlider*>();
    const auto fields = m_panel->findChildren<NumberField*>();
    QCOMPARE(sliders.size(), fields.size());
    for (ValueSlider* slider : sliders)
        QVERIFY(!slider->accessibleName().isEmpty() && !slider->accessibleDescription().isEmpty());
    for (NumberField* field : fields)
        QVERIFY(!field->accessibleName().isEmpty());
    QVERIFY(!seed()->randomButton()->accessibleName().isEmpty());
    QCOMPARE(m_panel->accessibleName(), m_panel->title());
}

void SamplerPanelTest::savesAndRestores() {
    SamplingParams params;
    for (const ParamInfo& info : allInfos())
        setParamValue(params, info.key, otherValue(info));
    params.temperature = 0.123f;
    params.seed = (1ull << 53) - 1;
    m_panel->setParams(params);
    const QVariantMap state = m_panel->saveState();
    SamplerPanel other;
    other.restoreState(state);
    QCOMPARE(other.params(), params);
    other.restoreState({{QStringLiteral("temperature"), QStringLiteral("hot")},
                        {QStringLiteral("top_p"), std::numeric_limits<double>::quiet_NaN()},
                        {QStringLiteral("top_k"), 1e300},
                        {QStringLiteral("unknown"), 1}});
    params.top_k = 200;
    QCOMPARE(other.params(), params);
}

QTEST_MAIN(SamplerPanelTest)
#include "tst_sampler_panel.moc"

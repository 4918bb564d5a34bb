// SPDX-License-Identifier: Apache-2.0
// The flat controls, by their pixels, at one and at two device pixels a pixel and between.
#include "ui/theme/theme.h"

#include <QtGui/QImage>
#include <QtGui/QPainter>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDialog>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSlider>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QVBoxLayout>

#include <cmath>

using namespace sotto::ui;

namespace {

QImage painted(QWidget& widget, qreal dpr) {
    QImage image((QSizeF(widget.size()) * dpr).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(dpr);
    image.fill(Theme::instance().color(Role::Page));
    widget.render(&image);
    return image;
}

/// The colour at a place in device-independent pixels.
QColor at(const QImage& image, qreal x, qreal y) {
    const qreal dpr = image.devicePixelRatio();
    return image.pixelColor(static_cast<int>(x * dpr), static_cast<int>(y * dpr));
}

int count(const QImage& image, const QColor& color) {
    int n = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            n += image.pixelColor(x, y) == color;
    return n;
}

/// Thin slanted strokes have few pixels that are all theirs.
int countNear(const QImage& image, const QColor& color) {
    int n = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor c = image.pixelColor(x, y);
            n += std::abs(c.red() - color.red()) + std::abs(c.green() - color.green()) +
                     std::abs(c.blue() - color.blue()) <
                 120;
        }
    return n;
}

QColor role(Role r) {
    return Theme::instance().color(r);
}

} // namespace

class StyleTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void looks_data();
    void slider_data() { looks_data(); }
    void slider();
    void tabs_data() { looks_data(); }
    void tabs();
    void buttons_data() { looks_data(); }
    void buttons();
    void fields_data() { looks_data(); }
    void fields();
    void checks_data() { looks_data(); }
    void checks();
    void progress_data() { looks_data(); }
    void progress();
    void scrollBar_data() { looks_data(); }
    void scrollBar();
    void menus_data() { looks_data(); }
    void menus();
    void sharpLines();
    void keyboardFocusShows();
    void sliderClickGoesThere();
    void sliderUpsideDown();
    void tabsKeepTheirPlaces();
    void noStyleSheets();
};

void StyleTest::initTestCase() {
    Theme::instance().setColorScheme(std::make_unique<ColorScheme>());
    Theme::instance().install();
}

void StyleTest::looks_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<qreal>("dpr");
    for (const bool dark : {false, true})
        for (const qreal dpr : {1.0, 1.25, 2.0})
            QTest::addRow("%s %g", dark ? "dark" : "light", dpr) << dark << dpr;
}

#define SOTTO_LOOK()                                                                               \
    QFETCH(bool, dark);                                                                            \
    QFETCH(qreal, dpr);                                                                            \
    Theme::instance().setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light)

void StyleTest::slider() {
    SOTTO_LOOK();
    QSlider slider(Qt::Horizontal);
    slider.setRange(0, 100);
    slider.setValue(50);
    slider.resize(218, slider.sizeHint().height());
    const QImage image = painted(slider, dpr);
    const qreal y = slider.height() / 2.0;
    QCOMPARE(at(image, 40, y), role(Role::Accent));
    QCOMPARE(at(image, 180, y), role(Role::Groove));
    QCOMPARE(at(image, 109, y), role(Role::Card)); // inside the ring
    QCOMPARE(at(image, 40, y - 6), role(Role::Page));
    slider.setEnabled(false);
    QCOMPARE(count(painted(slider, dpr), role(Role::Accent)), 0);
}

void StyleTest::tabs() {
    SOTTO_LOOK();
    QTabBar bar;
    bar.setExpanding(false);
    bar.addTab(QStringLiteral("Sampler"));
    bar.addTab(QStringLiteral("Engine"));
    bar.resize(bar.sizeHint());
    const QImage image = painted(bar, dpr);
    const QRect first = bar.tabRect(0), second = bar.tabRect(1);
    QCOMPARE(at(image, first.center().x(), first.bottom() + 0.1), role(Role::Accent));
    QCOMPARE(at(image, first.center().x(), first.bottom() - 0.5), role(Role::Accent));
    QCOMPARE(at(image, second.center().x(), second.bottom() + 0.9), role(Role::Line));
    QCOMPARE(at(image, second.center().x(), second.bottom() - 0.9), role(Role::Page));
}

void StyleTest::buttons() {
    SOTTO_LOOK();
    QPushButton plain(QStringLiteral("Cancel")), filled(QStringLiteral("Send"));
    filled.setDefault(true);
    for (QPushButton* button : {&plain, &filled})
        button->resize(button->sizeHint());
    QCOMPARE(at(painted(plain, dpr), 5, 5), role(Role::Card));
    const QImage image = painted(filled, dpr);
    QCOMPARE(at(image, 5, 5), role(Role::Accent));
    QCOMPARE(at(image, 0, 0), role(Role::Page));     // round corner
    QVERIFY(count(image, role(Role::OnAccent)) > 0); // the text
    filled.setEnabled(false);
    QCOMPARE(count(painted(filled, dpr), role(Role::Accent)), 0);
}

void StyleTest::fields() {
    SOTTO_LOOK();
    QLineEdit edit;
    QDoubleSpinBox spin;
    spin.setButtonSymbols(QAbstractSpinBox::NoButtons);
    QComboBox combo;
    combo.addItem(QStringLiteral("one"));
    for (QWidget* field : {static_cast<QWidget*>(&edit), static_cast<QWidget*>(&spin),
                           static_cast<QWidget*>(&combo)}) {
        field->resize(120, field->sizeHint().height());
        QVERIFY(field->height() >= 26);
        const QImage image = painted(*field, dpr);
        QCOMPARE(at(image, 60, 0.1), role(Role::ControlLine));
        QCOMPARE(at(image, 60, field->height() - 0.1), role(Role::ControlLine));
        QCOMPARE(at(image, 0.1, field->height() / 2.0), role(Role::ControlLine));
        QCOMPARE(at(image, 4, field->height() / 2.0), role(Role::Card));
    }
}

void StyleTest::checks() {
    SOTTO_LOOK();
    QCheckBox box;
    QRadioButton radio;
    for (QAbstractButton* button :
         {static_cast<QAbstractButton*>(&box), static_cast<QAbstractButton*>(&radio)}) {
        button->resize(button->sizeHint());
        QCOMPARE(count(painted(*button, dpr), role(Role::Accent)), 0);
        QVERIFY(countNear(painted(*button, dpr), role(Role::ControlLine)) > 8);
        button->setChecked(true);
        QVERIFY(count(painted(*button, dpr), role(Role::Accent)) > 60);
        QVERIFY(countNear(painted(*button, dpr), role(Role::OnAccent)) > 2);
    }
}

void StyleTest::progress() {
    SOTTO_LOOK();
    QProgressBar bar;
    bar.setRange(0, 100);
    bar.setValue(25);
    bar.resize(200, bar.sizeHint().height());
    QCOMPARE(bar.height(), 4);
    const QImage image = painted(bar, dpr);
    QCOMPARE(at(image, 20, 2), role(Role::Accent));
    QCOMPARE(at(image, 100, 2), role(Role::Groove));
    bar.setRange(0, 0);
    QCOMPARE(at(painted(bar, dpr), 100, 2), role(Role::AccentMid));
}

void StyleTest::scrollBar() {
    SOTTO_LOOK();
    QScrollBar bar(Qt::Vertical);
    bar.setRange(0, 100);
    bar.setPageStep(100);
    bar.resize(bar.sizeHint().width(), 200);
    QCOMPARE(bar.width(), 12);
    const QImage image = painted(bar, dpr);
    QCOMPARE(at(image, 7, 50),
             role(Role::ControlLine)); // the handle: half of the way, from the top
    QCOMPARE(at(image, 7, 150), role(Role::Page));
    bar.setRange(0, 0);
    QCOMPARE(count(painted(bar, dpr), role(Role::ControlLine)), 0);
}

void StyleTest::menus() {
    SOTTO_LOOK();
    QMenuBar bar;
    QMenu* file = bar.addMenu(QStringLiteral("&File"));
    bar.addMenu(QStringLiteral("&Edit"));
    QAction* checked = file->addAction(QStringLiteral("Dark"));
    checked->setCheckable(true);
    checked->setChecked(true);
    file->addSeparator();
    file->addAction(QStringLiteral("Open\u2026"))
        ->setShortcut(QKeySequence(QStringLiteral("Ctrl+O")));
    bar.resize(300, bar.sizeHint().height());
    const QImage image = painted(bar, dpr);
    QCOMPARE(at(image, 250, 5), role(Role::Side));
    QCOMPARE(at(image, 250, bar.height() - 0.1), role(Role::Line));
    file->resize(file->sizeHint());
    const QImage menu = painted(*file, dpr);
    QCOMPARE(at(menu, 0.1, 20), role(Role::ControlLine));
    QCOMPARE(at(menu, file->width() / 2.0, 3), role(Role::Card));
    QVERIFY(count(menu, role(Role::Ink)) > 0);
}

/// A line of one pixel is as many device pixels as it should be, and nothing of it is spread over a
/// neighbour.
void StyleTest::sharpLines() {
    Theme::instance().setMode(Theme::Mode::Light);
    QWidget window;
    QLineEdit edit(&window);
    edit.setGeometry(7, 5, 101, 27); // odd places: 8.75 and 6.25 device pixels at 1.25
    window.resize(130, 40);
    for (const qreal dpr : {1.0, 1.25, 1.5, 2.0, 3.0}) {
        const QImage image = painted(window, dpr);
        const int x = static_cast<int>(60 * dpr);
        int lines = 0;
        for (int y = 0; y < image.height(); ++y) {
            const QColor c = image.pixelColor(x, y);
            lines += c == role(Role::ControlLine);
            QVERIFY2(
                c == role(Role::ControlLine) || c == role(Role::Card) || c == role(Role::Page),
                qPrintable(QStringLiteral("%1 at row %2, ratio %3").arg(c.name()).arg(y).arg(dpr)));
        }
        QCOMPARE(lines, 2 * static_cast<int>(std::lround(dpr)));
    }
}

void StyleTest::keyboardFocusShows() {
    Theme::instance().setMode(Theme::Mode::Light);
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    QList<QWidget*> controls = {new QLineEdit,
                                new QSpinBox,
                                new QPushButton(QStringLiteral("Reset")),
                                new QCheckBox(QStringLiteral("Check")),
                                new QSlider(Qt::Horizontal),
                                new QComboBox,
                                new QTabBar};
    static_cast<QTabBar*>(controls.last())->addTab(QStringLiteral("Tab"));
    for (QWidget* control : controls)
        layout->addWidget(control);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QList<QImage> without;
    window.setFocus();
    for (QWidget* control : controls)
        without << painted(*control, 1);
    for (int i = 0; i < controls.size(); ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY2(controls[i]->hasFocus(), controls[i]->metaObject()->className());
        const QImage with = painted(*controls[i], 1);
        QVERIFY2(count(with, role(Role::Focus)) > count(without[i], role(Role::Focus)) + 20,
                 controls[i]->metaObject()->className());
    }
    // On the accent, where the ring would not be seen, it is drawn inside in the text's colour.
    auto* button = static_cast<QPushButton*>(controls[2]);
    button->setDefault(true);
    const QImage plain = painted(*button, 1);
    button->setFocus(Qt::TabFocusReason);
    QVERIFY(count(painted(*button, 1), role(Role::OnAccent)) >
            count(plain, role(Role::OnAccent)) + 100);
}

void StyleTest::sliderClickGoesThere() {
    QSlider slider(Qt::Horizontal);
    slider.setRange(0, 100);
    slider.resize(218, slider.sizeHint().height());
    QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(109, slider.height() / 2));
    QVERIFY(std::abs(slider.value() - 50) <= 1);
    QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(217, slider.height() / 2));
    QCOMPARE(slider.value(), 100);
}

void StyleTest::sliderUpsideDown() {
    Theme::instance().setMode(Theme::Mode::Light);
    QSlider slider(Qt::Horizontal);
    slider.setRange(0, 100);
    slider.setValue(25);
    slider.setInvertedAppearance(true);
    slider.resize(218, slider.sizeHint().height());
    const QImage image = painted(slider, 1);
    QCOMPARE(at(image, 205, slider.height() / 2.0), role(Role::Accent));
    QCOMPARE(at(image, 40, slider.height() / 2.0), role(Role::Groove));
    QSlider upright(Qt::Vertical);
    upright.setRange(0, 100);
    upright.setValue(25);
    upright.resize(upright.sizeHint().width(), 218);
    const QImage tall = painted(upright, 1);
    QCOMPARE(at(tall, upright.width() / 2.0, 205), role(Role::Accent));
    QCOMPARE(at(tall, upright.width() / 2.0, 40), role(Role::Groove));
}

/// Choosing another tab makes its text bold; no tab may move for that.
void StyleTest::tabsKeepTheirPlaces() {
    QTabBar bar;
    bar.setExpanding(false);
    for (const char* text : {"Sampler", "Engine", "KV", "Drafts"})
        bar.addTab(QLatin1String(text));
    bar.resize(bar.sizeHint());
    const auto places = [&] {
        QList<QRect> rects;
        for (int i = 0; i < bar.count(); ++i)
            rects << bar.tabRect(i);
        return rects;
    };
    const QList<QRect> before = places();
    QVERIFY(before.last().right() <= 288);
    bar.setCurrentIndex(2);
    QCOMPARE(places(), before);
}

void StyleTest::noStyleSheets() {
    QVERIFY(qApp->styleSheet().isEmpty());
}

QTEST_MAIN(StyleTest)
#include "tst_style.moc"

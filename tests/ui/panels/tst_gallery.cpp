// SPDX-License-Identifier: Apache-2.0
// The panels and every control in one window, light and dark. Writes gallery-*.png into
// $SOTTO_SCREENSHOT_DIR if that is set, for people to look at.
#include "ui/panels/dock_host.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/sampler_panel.h"
#include "ui/theme/digits.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtCore/QDir>
#include <QtGui/QAction>
#include <QtTest/QTest>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QDockWidget>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QMainWindow>
#include <QtWidgets/QMenu>
#include <QtWidgets/QMenuBar>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QRadioButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSlider>
#include <QtWidgets/QSpinBox>
#include <QtWidgets/QStatusBar>
#include <QtWidgets/QToolButton>
#include <QtWidgets/QVBoxLayout>

using namespace sotto;
using namespace sotto::ui;

namespace {

QWidget* buttons() {
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    auto* stop = new QPushButton(QStringLiteral("Stop"));
    stop->setDefault(true);
    auto* off = new QPushButton(QStringLiteral("Disabled"));
    off->setEnabled(false);
    auto* flat = new QPushButton(icon(Icon::Plus, Role::Muted), QStringLiteral("Attach"));
    flat->setFlat(true);
    for (QPushButton* button : {stop, new QPushButton(QStringLiteral("Cancel")), off, flat})
        layout->addWidget(button);
    layout->addStretch();
    return box;
}

QWidget* icons() {
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    layout->setSpacing(0);
    for (int i = 0; i < kIconCount; ++i) {
        auto* button = new QToolButton;
        button->setAutoRaise(true);
        button->setIcon(icon(static_cast<Icon>(i)));
        button->setChecked(i == 3);
        button->setEnabled(i % 7 != 6);
        layout->addWidget(button);
    }
    layout->addStretch();
    return box;
}

QWidget* choices() {
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    auto* on = new QCheckBox(QStringLiteral("Checked"));
    on->setChecked(true);
    auto* part = new QCheckBox(QStringLiteral("In part"));
    part->setCheckState(Qt::PartiallyChecked);
    auto* off = new QCheckBox(QStringLiteral("Disabled"));
    off->setChecked(true);
    off->setEnabled(false);
    auto* radio = new QRadioButton(QStringLiteral("Radio"));
    radio->setChecked(true);
    for (QWidget* button :
         {static_cast<QWidget*>(on), static_cast<QWidget*>(new QCheckBox(QStringLiteral("Empty"))),
          static_cast<QWidget*>(part), static_cast<QWidget*>(off), static_cast<QWidget*>(radio),
          static_cast<QWidget*>(new QRadioButton(QStringLiteral("Other")))})
        layout->addWidget(button);
    layout->addStretch();
    return box;
}

QWidget* list() {
    auto* list = new QListWidget;
    for (int i = 0; i < 20; ++i)
        list->addItem(QStringLiteral("Row %1").arg(i));
    list->setCurrentRow(1);
    list->setFixedHeight(90);
    return list;
}

QWidget* controls() {
    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    auto* edit = new QLineEdit;
    edit->setPlaceholderText(QStringLiteral("Search chats\u2026"));
    auto* text = new QLineEdit(QStringLiteral("with text selected"));
    text->selectAll();
    auto* combo = new QComboBox;
    combo->addItems({QStringLiteral("F16"), QStringLiteral("F32")});
    auto* spin = new QSpinBox;
    spin->setValue(42);
    auto* progress = new QProgressBar;
    progress->setValue(40);
    auto* busy = new QProgressBar;
    busy->setRange(0, 0);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(30);
    auto* off = new QSlider(Qt::Horizontal);
    off->setValue(60);
    off->setEnabled(false);
    auto* message = new QLabel(QStringLiteral("A message in its own size, <code>code</code> too"));
    useFont(message, FontRole::Message);
    auto* warning =
        new QLabel(QStringLiteral("tensor 'blk.3.ffn_up' needs 33,030,144 bytes, file has 1,024"));
    useTextRole(warning, Role::Warning);
    auto* link = new QLabel(QStringLiteral("<a href='x'>a link</a>"));
    form->addRow(QStringLiteral("Buttons"), buttons());
    form->addRow(QStringLiteral("Icons"), icons());
    form->addRow(QStringLiteral("Choices"), choices());
    form->addRow(QStringLiteral("Empty field"), edit);
    form->addRow(QStringLiteral("Field"), text);
    form->addRow(QStringLiteral("Combo"), combo);
    form->addRow(QStringLiteral("Spin"), spin);
    form->addRow(QStringLiteral("Progress"), progress);
    form->addRow(QStringLiteral("Busy"), busy);
    form->addRow(QStringLiteral("Slider"), slider);
    form->addRow(QStringLiteral("Disabled"), off);
    form->addRow(QStringLiteral("Message"), message);
    form->addRow(QStringLiteral("Warning"), warning);
    form->addRow(QStringLiteral("Link"), link);
    form->addRow(QStringLiteral("List"), list());
    return page;
}

void fillMenus(QMenuBar* bar) {
    QMenu* file = bar->addMenu(QStringLiteral("&File"));
    file->addAction(icon(Icon::Plus), QStringLiteral("&New chat"))->setShortcut(QKeySequence::New);
    file->addAction(icon(Icon::Folder), QStringLiteral("&Open model\u2026"))
        ->setShortcut(QKeySequence::Open);
    file->addMenu(QStringLiteral("&Recent"))->addAction(QStringLiteral("SmolLM2"));
    file->addSeparator();
    QAction* dark = file->addAction(QStringLiteral("&Dark"));
    dark->setCheckable(true);
    dark->setChecked(true);
    file->addAction(QStringLiteral("&Quit"))->setEnabled(false);
    for (const char* title : {"&Edit", "&Chat", "&Model", "&View", "&Help"})
        bar->addMenu(QLatin1String(title));
}

void save(const QPixmap& pixmap, const QString& name) {
    const QString folder = qEnvironmentVariable("SOTTO_SCREENSHOT_DIR");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    const QString path =
        QStringLiteral("%1/%2@%3x.png").arg(folder, name).arg(pixmap.devicePixelRatio());
    QVERIFY2(pixmap.save(path), qPrintable(path));
}

} // namespace

class GalleryTest final : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void look_data();
    void look();
};

void GalleryTest::look_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<qreal>("zoom");
    QTest::newRow("light") << false << 1.0;
    QTest::newRow("dark") << true << 1.0;
    QTest::newRow("light-large") << false << 1.5;
}

void GalleryTest::look() {
    QFETCH(bool, dark);
    QFETCH(qreal, zoom);
    Theme& theme = Theme::instance();
    theme.setColorScheme(std::make_unique<ColorScheme>());
    theme.install();
    theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
    theme.setZoom(zoom);

    QMainWindow window;
    DockHost host(&window);
    auto* sampler = new SamplerPanel;
    auto* engine = new EnginePanel(16);
    QDockWidget* first = host.add(sampler);
    host.add(engine);
    window.setCentralWidget(controls());
    fillMenus(window.menuBar());
    auto* number = new NumberLabel(nullptr, Qt::AlignLeft);
    number->setFontRole(FontRole::Small);
    number->setRole(Role::Muted);
    number->setText(QStringLiteral("3,780 of 9,192"));
    window.statusBar()->addWidget(number);
    Timings timings;
    timings.ttft_ms = 214;
    timings.prefill_tokens_per_s = 284;
    timings.decode_tokens_per_s = 38.2;
    timings.reused_tokens = 3512;
    timings.threads_used = 16;
    engine->setTimings(timings);
    engine->setEngineInfo({QStringLiteral("avx512vnni"), 9192, 65536, 16});
    window.resize(QSize(1000, 640) * zoom);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const QString name = QStringLiteral("gallery-") + QLatin1String(QTest::currentDataTag());
    QTRY_VERIFY(!sampler->visibleRegion().isEmpty());
    save(window.grab(), name + QStringLiteral("-sampler"));
    // All of a panel fits into the side: nothing is cut off at its right edge.
    QVERIFY(sampler->minimumSizeHint().width() <= first->width());
    QVERIFY(engine->minimumSizeHint().width() <= first->width());
    QVERIFY(host.raise(QStringLiteral("engine")));
    QTRY_VERIFY(!engine->visibleRegion().isEmpty());
    for (const QScrollArea* area :
         window.findChildren<QScrollArea*>()) // nothing to scroll: no bars
        QTRY_VERIFY(!area->verticalScrollBar()->isVisible());
    save(window.grab(), name + QStringLiteral("-engine"));

    auto* file = window.menuBar()->findChild<QMenu*>();
    file->popup(window.mapToGlobal(QPoint(10, 30)));
    QTRY_VERIFY(file->isVisible());
    QTest::keyClick(file, Qt::Key_Down);
    save(file->grab(), name + QStringLiteral("-menu"));
    file->close();
}

QTEST_MAIN(GalleryTest)
#include "tst_gallery.moc"

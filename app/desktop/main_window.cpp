// SPDX-License-Identifier: Apache-2.0
// How the window is put together; what happens in it is in main_window_actions.cpp and
// main_window_model.cpp.
#include "app/desktop/main_window.h"

#include "app/desktop/actions.h"
#include "app/desktop/chat_controller.h"
#include "app/desktop/chip_button.h"
#include "app/desktop/drop_filter.h"
#include "app/desktop/header_bar.h"
#include "app/desktop/load_bar.h"
#include "app/desktop/message_bar.h"
#include "app/desktop/recent_models.h"
#include "app/desktop/status_line.h"
#include "app/desktop/toast.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/composer.h"
#include "ui/panels/dock_host.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/kv_panel.h"
#include "ui/panels/sampler_panel.h"
#include "ui/theme/theme.h"

#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QCloseEvent>
#include <QtGui/QScreen>
#include <QtWidgets/QMenu>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QStatusBar>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sotto::app {
namespace {

using ui::Bridge;
using ui::ChatView;
using ui::Composer;
using ui::Setting;
using ui::Settings;
using ui::Theme;

constexpr QSize kFirstSize(1280, 800);

} // namespace

MainWindow::MainWindow(std::shared_ptr<ui::Backend> backend, Settings* settings,
                       const MachineInfo& machine)
    : m_settings(settings), m_machine(machine), m_bridge(new Bridge(std::move(backend), this)),
      m_chat(new ChatController(m_bridge, this)), m_recent(new RecentModels(settings, this)),
      m_actions(new Actions(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    buildCentre();
    buildPanels();
    buildModelMenu();
    connectActions();
    connectEditActions();
    connectViewActions();
    connectBridge();
    connectChat();
    auto* drops = new DropFilter(this);
    connect(drops, &DropFilter::modelDropped, this, &MainWindow::openPath);
    connect(drops, &DropFilter::refused, this,
            [this](const QString& sentence) { m_messages->showMessage(sentence); });
    connect(settings, &Settings::problemFound, m_status, &StatusLine::showNotice);
    if (!settings->problem().isEmpty()) {
        m_status->showNotice(settings->problem());
    }
    restoreLook();
    updateAll();
    m_composer->focusText();
}

MainWindow::~MainWindow() {
    disconnect(m_bridge, nullptr, nullptr, nullptr); // its end reports to no half-destroyed window
}

void MainWindow::buildCentre() {
    auto* centre = new QWidget(this);
    ui::useGround(centre, ui::Role::Page);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_header = new HeaderBar(centre);
    m_loadBar = new LoadBar(centre);
    m_messages = new MessageBar(centre);
    m_view = new ChatView(centre);
    m_composer = new Composer(centre);
    column->addWidget(m_header);
    column->addWidget(m_loadBar);
    column->addWidget(m_messages);
    column->addWidget(m_view, 1);
    column->addWidget(m_composer);
    m_toast = new Toast(m_composer, centre);
    setCentralWidget(centre);
    m_view->setConversation(m_chat->conversation());

    m_status = new StatusLine(this);
    auto* bar = new QStatusBar(this);
    bar->setSizeGripEnabled(false);
    bar->setContentsMargins(0, 0, 0, 0);
    bar->addWidget(m_status, 1);
    setStatusBar(bar);
    for (auto* edit : m_composer->findChildren<QPlainTextEdit*>()) {
        edit->installEventFilter(this);
    }
}

void MainWindow::buildPanels() {
    m_docks = new ui::DockHost(this);
    m_sampler = new ui::SamplerPanel;
    m_engine = new ui::EnginePanel(m_machine.nCores);
    m_docks->add(m_sampler);
    m_memory = new ui::KvPanel;
    m_docks->add(m_engine);
    m_docks->add(m_memory);
    QMenu* view = m_actions->view;
    QAction* before = view->actions().constFirst();
    view->insertActions(before, m_docks->toggleActions());
    view->insertActions(before, {m_docks->sideAction(), m_docks->floatAction()});

    m_sampler->setParams(m_settings->sampling());
    m_chat->setSampling(m_sampler->params());
    connect(m_sampler, &ui::SamplerPanel::paramsChanged, this,
            [this](const SamplingParams& params) {
                m_chat->setSampling(params);
                m_settings->setSampling(params);
            });
    m_chat->setThinking(m_settings->value(Setting::Thinking).toBool());
    m_view->setOpensThoughts(m_settings->value(Setting::OpenThoughts).toBool());
    const int threads = m_settings->value(Setting::Threads).toInt();
    m_engine->setThreads(threads);
    m_bridge->setThreads(threads);
    connect(m_engine, &ui::EnginePanel::threadsChanged, this, [this](int nThreads) {
        m_bridge->setThreads(nThreads);
        m_settings->setValue(Setting::Threads, nThreads == m_machine.nCores ? 0 : nThreads);
    });
    connectMemory();
    showEngineInfo(0);
}

void MainWindow::buildModelMenu() {
    m_recent->fill(m_actions->recent);
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    m_recent->fill(menu, {m_actions->openModel, m_actions->openFolder, m_actions->modelDetails});
    m_header->chip()->setMenu(menu);
    connect(m_recent, &RecentModels::chosen, this, &MainWindow::openPath);
    connect(m_recent, &RecentModels::missingChosen, this, &MainWindow::offerRemoval);
}

void MainWindow::restoreLook() {
    Theme& theme = Theme::instance();
    const int mode = m_settings->value(Setting::Theme).toInt();
    theme.setMode(static_cast<Theme::Mode>(mode));
    for (QAction* action : m_actions->themes->actions()) {
        action->setChecked(action->data().toInt() == mode);
    }
    theme.setZoom(m_settings->value(Setting::Zoom).toInt() / 100.0);
    if (!restoreGeometry(m_settings->value(Setting::WindowGeometry).toByteArray())) {
        const QScreen* own = screen();
        resize(own ? kFirstSize.boundedTo(own->availableGeometry().size()) : kFirstSize);
    }
    m_docks->restoreState(m_settings->value(Setting::DockLayout).toByteArray());
}

void MainWindow::saveLook() {
    m_settings->setValue(Setting::WindowGeometry, saveGeometry());
    m_settings->setValue(Setting::DockLayout, m_docks->saveState());
    m_settings->setValue(Setting::LastDark, Theme::instance().isDark());
    m_settings->save();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    saveLook();
    m_bridge->cancelLoad();
    m_bridge->stop();
    event->accept(); // what is still busy ends on the bridge's workers, with no window in sight
}

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
// Opening models, and what the engine reports.
#include "app/desktop/actions.h"
#include "app/desktop/chat_controller.h"
#include "app/desktop/empty_states.h"
#include "app/desktop/format.h"
#include "app/desktop/header_bar.h"
#include "app/desktop/load_bar.h"
#include "app/desktop/main_window.h"
#include "app/desktop/message_bar.h"
#include "app/desktop/model_path.h"
#include "app/desktop/recent_models.h"
#include "app/desktop/status_line.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/composer.h"
#include "ui/panels/engine_panel.h"
#include "ui/panels/kv_panel.h"
#include "ui/theme/theme.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>
#include <QtCore/QTimer>
#include <QtGui/QScreen>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTreeView>

#include <algorithm>
#include <utility>

namespace sotto::app {
namespace {

using ui::Bridge;
using ui::Setting;

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

/// What a person can do about it.
QString advice(ErrorCode code) {
    switch (code) {
    case ErrorCode::io:
        return MainWindow::tr("Check that it is there and that you may read it.");
    case ErrorCode::bad_file:
        return MainWindow::tr("It may be damaged, incomplete, or no model at all.");
    case ErrorCode::unsupported:
        return MainWindow::tr("Choose another model: this kind cannot be run yet.");
    case ErrorCode::no_memory:
        return MainWindow::tr("Close other programs, or choose a smaller model.");
    default:
        return {};
    }
}

/// A dialog's own size follows neither the zoom nor what a path needs.
QSize roomyDialogSize(const QWidget& window) {
    const ui::Theme& theme = ui::Theme::instance();
    const QSize wanted(theme.px(760), theme.px(480));
    return window.screen() ? wanted.boundedTo(window.screen()->availableGeometry().size() * 0.9)
                           : wanted;
}

/// Of Qt's own file dialog, which is used where the desktop has none: room for a model's name.
void widenColumns(QFileDialog& dialog) {
    const ui::Theme& theme = ui::Theme::instance();
    if (auto* splitter = dialog.findChild<QSplitter*>(QStringLiteral("splitter"))) {
        splitter->setSizes({theme.px(150), theme.px(580)});
    }
    if (auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"))) {
        const int widths[] = {300, 80, 80, 120}; // name, size, type, date
        for (int i = 0; i < 4; ++i) {
            files->header()->resizeSection(i, theme.px(widths[i]));
        }
    }
}

} // namespace

// ---- opening ---------------------------------------------------------------------------------

void MainWindow::openPath(const QString& path) {
    m_messages->hide();
    m_bridge->openModel(QDir::cleanPath(QDir::current().absoluteFilePath(path)));
}

void MainWindow::openLastModel() {
    const QString path = m_settings->value(Setting::LastModel).toString();
    if (!path.isEmpty() && m_settings->value(Setting::OpenLastModel).toBool()) {
        openPath(path);
    }
}

/// Where a person would look for models first: where they last were, where the open one is, where
/// `dev` puts the starter model, at home.
QString MainWindow::modelFolder() const {
    const QString shared = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    const QString candidates[] = {m_settings->value(Setting::ModelFolder).toString(),
                                  folderAround(m_settings->value(Setting::LastModel).toString()),
                                  shared + QStringLiteral("/sotto/models")};
    for (const QString& folder : candidates) {
        if (QDir::isAbsolutePath(folder) && QFileInfo(folder).isDir()) {
            return folder;
        }
    }
    return QDir::homePath();
}

void MainWindow::showOpenDialog() {
    auto* dialog = new QFileDialog(this, tr("Open Model"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Models (*.gguf *.safetensors *.json *.GGUF)"), tr("All files (*)")});
    showDialog(dialog);
}

/// Shows files, too: by them a person knows the folder.
void MainWindow::showOpenFolderDialog() {
    auto* dialog = new QFileDialog(this, tr("Open Model Folder"));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly, false);
    showDialog(dialog);
}

void MainWindow::showDialog(QFileDialog* dialog) {
    if (m_openDialog) {
        m_openDialog->reject(); // deletes itself
    }
    m_openDialog = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setDirectory(modelFolder());
    dialog->resize(roomyDialogSize(*this));
    widenColumns(*dialog);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings->setValue(Setting::ModelFolder, folderAround(path));
        openPath(path);
    });
    dialog->open();
}

void MainWindow::offerRemoval(const QString& path) {
    m_messages->showMessage(tr("%1 is not there any more. Put it back, or take it off the list.")
                                .arg(QDir::toNativeSeparators(path)),
                            tr("Remove from list"), [this, path] { m_recent->remove(path); });
}

// ---- reports of the bridge -------------------------------------------------------------------

void MainWindow::connectBridge() {
    connect(m_bridge, &Bridge::modelLoading, this, &MainWindow::onModelLoading);
    connect(m_bridge, &Bridge::loadProgress, m_loadBar, &LoadBar::setProgress);
    connect(m_loadBar, &LoadBar::cancelRequested, m_bridge, &Bridge::cancelLoad);
    connect(m_bridge, &Bridge::modelLoaded, this, &MainWindow::onModelLoaded);
    connect(m_bridge, &Bridge::loadFailed, this, &MainWindow::onLoadFailed);
    connect(m_bridge, &Bridge::loadCancelled, this, [this](const QString& path) {
        m_loadBar->end();
        m_cancelNotice = tr("Opening %1 was cancelled").arg(modelFileName(path));
        m_status->showNotice(m_cancelNotice);
        updateAll();
    });
    connect(m_bridge, &Bridge::modelUnloaded, this, &MainWindow::onModelUnloaded);
    connect(m_bridge, &Bridge::statistics, this, &MainWindow::onStatistics);
    connect(m_bridge, &Bridge::contextUse, this, &MainWindow::onContextUse);
    connect(m_bridge, &Bridge::memoryUse, m_status, &StatusLine::setMemory);
    connect(m_bridge, &Bridge::tokensCounted, this, [this](qint64 nTokens) {
        m_draftTokens = nTokens;
        updateCounter();
    });
}

void MainWindow::onModelLoading(const QString& path) {
    m_reloading = false; // given up
    m_status->endNotice(m_cancelNotice);
    m_loadBar->begin(modelFileName(path));
    updateAll();
}

void MainWindow::onModelLoaded(const ui::ModelDetails& details) {
    const QString path = text(details.info.path);
    m_loadBar->end();
    m_recent->add(path);
    m_settings->setValue(Setting::LastModel, path);
    m_status->setModel(modelFileName(path), QDir::toNativeSeparators(path));
    m_status->clearTimings();
    m_engine->clearTimings();
    m_memory->setModel(details);
    showEngineInfo(0);
    updateAll();
}

void MainWindow::onLoadFailed(const QString& path, ErrorCode code, const QString& message) {
    if (std::exchange(m_reloading, false)) {
        onReloadFailed(message);
        return;
    }
    m_loadBar->end();
    QStringList sentences = {tr("%1 could not be opened: %2.").arg(modelFileName(path), message),
                             advice(code)};
    if (m_bridge->hasModel()) {
        sentences += tr("%1 stays open.").arg(text(m_bridge->details().info.name));
    }
    sentences.removeAll(QString());
    const QString sentence = sentences.join(QLatin1Char(' '));
    if (m_recent->paths().contains(path)) {
        m_messages->showMessage(sentence, tr("Remove from list"),
                                [this, path] { m_recent->remove(path); });
    } else {
        m_messages->showMessage(sentence);
    }
    m_recent->check();
    updateAll();
}

void MainWindow::onModelUnloaded() {
    m_contextUsed = 0;
    m_reloading = false;
    m_memory->clearModel();
    m_settings->setValue(Setting::LastModel, QString()); // the person wants it closed next time too
    m_status->setModel({}, {});
    m_engine->clearTimings();
    showEngineInfo(0);
    updateAll();
}

void MainWindow::onStatistics(const Timings& timings) {
    if (!m_chat->isBusy()) {
        return;
    }
    m_status->setTimings(timings);
    m_engine->setTimings(timings);
    if (timings.threads_used != m_threadsUsed) {
        showEngineInfo(timings.threads_used);
    }
}

void MainWindow::onContextUse(qint64 used, qint64 nCtx) {
    if (used > 0 && !m_chat->isBusy()) {
        return; // of a chat that was put away
    }
    showContext(used, nCtx);
}

void MainWindow::showContext(qint64 used, qint64 nCtx) {
    m_contextUsed = used;
    m_status->setContext(used, nCtx);
    updateCounter();
}

void MainWindow::showEngineInfo(int threadsUsed) {
    m_threadsUsed = threadsUsed;
    const ui::ModelDetails details = m_bridge->details();
    ui::EngineInfo info;
    info.instructionSet = m_machine.level;
    info.nCtx = details.nCtx;
    info.nCtxTrain = details.info.n_ctx_train;
    info.threadsUsed = threadsUsed;
    m_engine->setEngineInfo(info);
}

void MainWindow::updateEmptyState() {
    if (m_bridge->hasModel()) {
        const ui::ModelDetails details = m_bridge->details();
        m_view->setEmptyState(modelState(details));
        m_header->setModel(
            tr("%1 · %2").arg(text(details.info.name), text(details.info.quantization)),
            QDir::toNativeSeparators(text(details.info.path)));
    } else {
        m_header->setModel(tr("Choose a model"), tr("Open a model"));
        m_view->setEmptyState(m_bridge->isLoading()
                                  ? loadingState(modelFileName(m_bridge->loadingPath()))
                                  : noModelState());
    }
}

void MainWindow::updateCounter() {
    if (!m_bridge->hasModel()) {
        m_composer->setCounter(-1, 0);
        return;
    }
    const qint64 nCtx = m_bridge->details().nCtx;
    qint64 left = nCtx - m_contextUsed - m_draftTokens;
    if (m_memory->settings().contextFull == ContextFull::drop_turns && m_draftTokens < nCtx) {
        left = std::max<qint64>(left, 0); // older turns give way: it is not too long
    }
    m_composer->setCounter(static_cast<int>(m_draftTokens), static_cast<int>(left));
}

} // namespace sotto::app

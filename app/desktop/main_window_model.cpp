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
#include "app/desktop/recent_models.h"
#include "app/desktop/status_line.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/composer.h"
#include "ui/panels/engine_panel.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QTimer>
#include <QtWidgets/QFileDialog>

#include <algorithm>

namespace sotto::app {
namespace {

using ui::Bridge;
using ui::Setting;

QString fileName(const QString& path) {
    return QFileInfo(path).fileName();
}

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

/// What a person can do about it.
QString advice(ErrorCode code) {
    switch (code) {
    case ErrorCode::io:
        return MainWindow::tr("Check that the file is there and that you may read it.");
    case ErrorCode::bad_file:
        return MainWindow::tr("The file is damaged or not a GGUF model: download it again.");
    case ErrorCode::unsupported:
        return MainWindow::tr("Choose another model: this kind cannot be run yet.");
    case ErrorCode::no_memory:
        return MainWindow::tr("Close other programs, or choose a smaller model.");
    default:
        return {};
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

void MainWindow::showOpenDialog() {
    if (m_openDialog) {
        m_openDialog->raise();
        return;
    }
    m_openDialog = new QFileDialog(this, tr("Open Model"));
    m_openDialog->setAttribute(Qt::WA_DeleteOnClose);
    m_openDialog->setFileMode(QFileDialog::ExistingFile);
    m_openDialog->setNameFilters({tr("Models (*.gguf *.GGUF)"), tr("All files (*)")});
    m_openDialog->setDirectory(m_settings->value(Setting::ModelFolder).toString());
    connect(m_openDialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings->setValue(Setting::ModelFolder, QFileInfo(path).path());
        openPath(path);
    });
    m_openDialog->open();
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
        m_cancelNotice = tr("Opening %1 was cancelled").arg(fileName(path));
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
    m_status->endNotice(m_cancelNotice);
    m_loadBar->begin(fileName(path));
    updateAll();
}

void MainWindow::onModelLoaded(const ui::ModelDetails& details) {
    const QString path = text(details.info.path);
    m_loadBar->end();
    m_recent->add(path);
    m_settings->setValue(Setting::LastModel, path);
    m_status->setModel(fileName(path), QDir::toNativeSeparators(path));
    m_status->clearTimings();
    m_engine->clearTimings();
    showEngineInfo(0);
    updateAll();
}

void MainWindow::onLoadFailed(const QString& path, ErrorCode code, const QString& message) {
    m_loadBar->end();
    QStringList sentences = {tr("%1 could not be opened: %2.").arg(fileName(path), message),
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
                                  ? loadingState(fileName(m_bridge->loadingPath()))
                                  : noModelState());
    }
}

void MainWindow::updateCounter() {
    if (!m_bridge->hasModel()) {
        m_composer->setCounter(-1, 0);
        return;
    }
    const qint64 left = m_bridge->details().nCtx - m_contextUsed - m_draftTokens;
    m_composer->setCounter(static_cast<int>(m_draftTokens), static_cast<int>(left));
}

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
// What the menus, the composer and the chat do.
#include "app/desktop/actions.h"
#include "app/desktop/chat_controller.h"
#include "app/desktop/chip_button.h"
#include "app/desktop/dialogs.h"
#include "app/desktop/header_bar.h"
#include "app/desktop/main_window.h"
#include "app/desktop/message_bar.h"
#include "app/desktop/toast.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/composer.h"
#include "ui/panels/kv_panel.h"
#include "ui/theme/theme.h"

#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>

#include <algorithm>

namespace sotto::app {
namespace {

using ui::Bridge;
using ui::ChatView;
using ui::Composer;
using ui::Setting;
using ui::Theme;

constexpr int kZoomStep = 10;

/// Calls `call` on the text field that has the focus; false without one.
template <class Call>
bool onFocusedField(Call call) {
    QWidget* focus = QApplication::focusWidget();
    if (auto* edit = qobject_cast<QPlainTextEdit*>(focus)) {
        call(edit);
        return true;
    }
    if (auto* line = qobject_cast<QLineEdit*>(focus)) {
        call(line);
        return true;
    }
    return false;
}

} // namespace

void MainWindow::connectActions() {
    const auto on = [this](QAction* action, auto run) {
        connect(action, &QAction::triggered, this, run);
    };
    on(m_actions->openModel, [this] { showOpenDialog(); });
    on(m_actions->openFolder, [this] { showOpenFolderDialog(); });
    connect(m_actions->thinking, &QAction::triggered, this, &MainWindow::setThinking);
    connect(m_header->thinkingChip(), &QAbstractButton::clicked, this, &MainWindow::setThinking);
    on(m_actions->quit, [this] { close(); });
    on(m_actions->newChat, [this] { onNewChat(); });
    on(m_actions->stop, [this] { m_chat->stop(); });
    on(m_actions->regenerate, [this] { m_chat->regenerate(); });
    on(m_actions->copyAnswer,
       [this] { QGuiApplication::clipboard()->setText(m_chat->lastAnswer()); });
    on(m_actions->modelDetails, [this] { openModelDetails(this, m_bridge->details()); });
    on(m_actions->unload, [this] { m_bridge->unload(); });
    on(m_actions->shortcuts, [this] { openShortcuts(this, m_actions->withShortcut()); });
    on(m_actions->about, [this] { openAbout(this, m_machine.level); });
}

void MainWindow::connectEditActions() {
    connect(m_actions->undo, &QAction::triggered, this, &MainWindow::undo);
    connect(m_actions->redo, &QAction::triggered, this,
            [] { onFocusedField([](auto* field) { field->redo(); }); });
    connect(m_actions->copy, &QAction::triggered, this, &MainWindow::copy);
    connect(m_actions->selectAll, &QAction::triggered, this, &MainWindow::selectAll);
}

void MainWindow::connectViewActions() {
    connect(m_actions->themes, &QActionGroup::triggered, this, [this](QAction* action) {
        Theme::instance().setMode(static_cast<Theme::Mode>(action->data().toInt()));
        m_settings->setValue(Setting::Theme, action->data());
    });
    const auto zoomBy = [this](int step) {
        return [this, step] { setZoomPercent(m_settings->value(Setting::Zoom).toInt() + step); };
    };
    connect(m_actions->zoomIn, &QAction::triggered, this, zoomBy(kZoomStep));
    connect(m_actions->zoomOut, &QAction::triggered, this, zoomBy(-kZoomStep));
    connect(m_actions->zoomReset, &QAction::triggered, this, [this] { setZoomPercent(100); });
}

void MainWindow::setZoomPercent(int percent) {
    m_settings->setValue(Setting::Zoom, percent); // brought into the range of the setting
    Theme::instance().setZoom(m_settings->value(Setting::Zoom).toInt() / 100.0);
}

void MainWindow::connectChat() {
    connect(m_composer, &Composer::sendRequested, this, &MainWindow::onSend);
    connect(m_composer, &Composer::stopRequested, m_chat, &ChatController::stop);
    connect(m_composer, &Composer::textEdited, this,
            [this] { m_bridge->countTokens(m_composer->text()); });
    connect(m_composer, &Composer::recallRequested, this,
            [this] { m_composer->setText(m_chat->lastQuestion()); });
    connect(m_view, &ChatView::regenerateRequested, m_chat, &ChatController::regenerate);
    connect(m_view, &ChatView::openModelRequested, this, &MainWindow::showOpenDialog);
    connect(m_view, &ChatView::opensThoughtsChanged, this,
            [this](bool open) { m_settings->setValue(Setting::OpenThoughts, open); });
    connect(m_view, &ChatView::exampleChosen, this, [this](const QString& text) {
        m_composer->setText(text);
        m_composer->focusText();
    });
    connect(m_toast, &Toast::undoRequested, this, &MainWindow::undoNewChat);
    connect(m_chat, &ChatController::changed, this, &MainWindow::updateAll);
    connect(m_chat, &ChatController::noticed, this,
            [this](const QString& sentence) { m_messages->showMessage(sentence); });
    connect(m_chat, &ChatController::messageRefused, this, [this](const QString& text) {
        if (m_composer->text().isEmpty()) { // to be shortened and sent again
            m_composer->setText(text);
            m_bridge->countTokens(text);
        }
    });
}

void MainWindow::setThinking(bool on) {
    m_settings->setValue(Setting::Thinking, on);
    m_chat->setThinking(on);
    updateThinking();
}

void MainWindow::updateThinking() {
    const ModelInfo info = m_bridge->details().info;
    const bool on = m_settings->value(Setting::Thinking).toBool();
    ThinkingChip state = ThinkingChip::Hidden;
    if (info.can_switch_thinking) {
        state = on ? ThinkingChip::On : ThinkingChip::Off;
    } else if (!info.thinking.empty()) {
        state = ThinkingChip::Always;
    }
    m_header->setThinking(state);
    m_actions->thinking->setEnabled(info.can_switch_thinking);
    m_actions->thinking->setChecked(state == ThinkingChip::On || state == ThinkingChip::Always);
    m_actions->thinking->setToolTip(state == ThinkingChip::Hidden
                                        ? tr("This model does not think before it answers")
                                        : m_header->thinkingChip()->toolTip());
}

void MainWindow::onSend(const QString& text) {
    if (m_chat->send(text)) {
        m_composer->clear();
        m_bridge->countTokens({});
        m_toast->hide();
        m_view->scrollToEnd();
    }
}

void MainWindow::onNewChat() {
    if (m_chat->conversation()->count() > 0) {
        const qint64 used = m_contextUsed;
        m_chat->newChat();
        onContextUse(0, m_bridge->details().nCtx);
        m_contextPutAway = used;
        m_toast->showText(tr("A new chat was begun"));
    }
    m_composer->focusText();
}

void MainWindow::undo() {
    bool done = false;
    onFocusedField([&done](auto* field) {
        if constexpr (requires { field->document(); }) {
            done = field->document()->isUndoAvailable();
        } else {
            done = field->isUndoAvailable();
        }
        if (done) {
            field->undo();
        }
    });
    if (!done && m_chat->canUndoNewChat()) {
        undoNewChat();
    }
}

void MainWindow::undoNewChat() {
    m_toast->hide();
    m_chat->undoNewChat();
    showContext(m_contextPutAway, m_bridge->details().nCtx);
}

void MainWindow::copy() {
    if (m_view->hasSelection() && !qobject_cast<QLineEdit*>(QApplication::focusWidget())) {
        auto* edit = qobject_cast<QPlainTextEdit*>(QApplication::focusWidget());
        if (!edit || !edit->textCursor().hasSelection()) {
            m_view->copy();
            return;
        }
    }
    onFocusedField([](auto* field) { field->copy(); });
}

void MainWindow::selectAll() {
    if (!onFocusedField([](auto* field) { field->selectAll(); })) {
        m_view->selectAll();
    }
}

/// A text field takes Ctrl+Z for itself even if it has nothing to undo; then it is meant for the
/// chat.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    auto* edit = qobject_cast<QPlainTextEdit*>(watched);
    if (edit && event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool undoChat = key->matches(QKeySequence::Undo) && m_chat->canUndoNewChat() &&
                              !edit->document()->isUndoAvailable();
        const bool copyChat = key->matches(QKeySequence::Copy) && m_view->hasSelection() &&
                              !edit->textCursor().hasSelection();
        if (undoChat || copyChat) {
            event->ignore();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::updateAll() {
    const bool busy = m_chat->isBusy(), model = m_bridge->hasModel();
    m_actions->stop->setEnabled(busy);
    m_actions->regenerate->setEnabled(m_chat->canRegenerate());
    m_actions->newChat->setEnabled(m_chat->conversation()->count() > 0);
    m_actions->copyAnswer->setEnabled(!m_chat->lastAnswer().isEmpty());
    m_actions->modelDetails->setEnabled(model);
    m_actions->unload->setEnabled(model);
    m_actions->undo->setText(m_chat->canUndoNewChat() && m_composer->text().isEmpty()
                                 ? tr("&Undo New Chat")
                                 : tr("&Undo"));
    m_memory->setLoading(m_bridge->isLoading());
    m_composer->setBusy(busy);
    m_composer->setSendEnabled(model, m_bridge->isLoading() ? tr("The model is still loading")
                                                            : tr("No model is open (Ctrl+O)"));
    m_header->setTitle(m_chat->title());
    setWindowTitle(tr("%1 — Sotto").arg(m_header->title()));
    updateThinking();
    updateEmptyState();
    updateCounter();
}

} // namespace sotto::app

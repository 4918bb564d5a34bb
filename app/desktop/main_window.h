// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/settings/settings.h"

#include <QtWidgets/QMainWindow>

#include <memory>

class QFileDialog;

namespace sotto::ui {
class ChatView;
class Composer;
class DockHost;
class EnginePanel;
class KvPanel;
class SamplerPanel;
} // namespace sotto::ui

namespace sotto::app {

class Actions;
class ChatController;
class HeaderBar;
class LoadBar;
class MessageBar;
class RecentModels;
class StatusLine;
class Toast;

/// What the window tells of the machine.
struct MachineInfo {
    QString level;  ///< instruction set in use; empty: not known
    int nCores = 1; ///< logical processors this process may use
};

/// The window: wiring between its parts, each of which is a class of its own. Nothing here waits.
class MainWindow final : public QMainWindow {
    Q_OBJECT
  public:
    /// `settings` outlives the window.
    MainWindow(std::shared_ptr<ui::Backend> backend, ui::Settings* settings,
               const MachineInfo& machine);
    ~MainWindow() override;

    /// Opens in the background; what goes wrong is told in the message bar.
    void openPath(const QString& path);
    /// The model of the last time, if settings want that and there is one.
    void openLastModel();

    // The parts, for tests.
    [[nodiscard]] ui::Bridge& bridge() { return *m_bridge; }
    [[nodiscard]] ChatController& chat() { return *m_chat; }
    [[nodiscard]] ui::ChatView& chatView() { return *m_view; }
    [[nodiscard]] ui::Composer& composer() { return *m_composer; }
    [[nodiscard]] ui::SamplerPanel& sampler() { return *m_sampler; }
    [[nodiscard]] ui::EnginePanel& enginePanel() { return *m_engine; }
    [[nodiscard]] ui::KvPanel& memoryPanel() { return *m_memory; }
    [[nodiscard]] Actions& actions() { return *m_actions; }
    [[nodiscard]] HeaderBar& header() { return *m_header; }
    [[nodiscard]] LoadBar& loadBar() { return *m_loadBar; }
    [[nodiscard]] MessageBar& messages() { return *m_messages; }
    [[nodiscard]] StatusLine& statusLine() { return *m_status; }
    [[nodiscard]] Toast& toast() { return *m_toast; }

  protected:
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildCentre();
    void buildPanels();
    void buildModelMenu();
    void connectActions();
    void connectEditActions();
    void connectViewActions();
    void connectBridge();
    void connectChat();
    void connectMemory();
    void restoreLook();
    void saveLook();

    [[nodiscard]] QString modelFolder() const;
    void showOpenDialog();
    void showOpenFolderDialog();
    void showDialog(QFileDialog* dialog);
    void offerRemoval(const QString& path);
    void onModelLoading(const QString& path);
    void onModelLoaded(const ui::ModelDetails& details);
    void onLoadFailed(const QString& path, ErrorCode code, const QString& message);
    void onModelReloaded(const ui::ModelDetails& details);
    void onReloadFailed(const QString& message);
    void onModelUnloaded();
    void onStatistics(const Timings& timings);
    void onContextUse(qint64 used, qint64 nCtx);
    void showContext(qint64 used, qint64 nCtx);
    void onSend(const QString& text);
    void onNewChat();
    void undo();
    void undoNewChat();
    void copy();
    void selectAll();
    void setZoomPercent(int percent);

    void updateAll(); ///< what follows from the state of bridge and chat: actions, texts, what is
                      ///< enabled
    void updateEmptyState();
    void updateThinking();
    void setThinking(bool on);
    void updateCounter();
    void showEngineInfo(int threadsUsed);

    ui::Settings* const m_settings;
    const MachineInfo m_machine;
    ui::Bridge* m_bridge;
    ChatController* m_chat;
    RecentModels* m_recent;
    Actions* m_actions;
    HeaderBar* m_header = nullptr;
    LoadBar* m_loadBar = nullptr;
    MessageBar* m_messages = nullptr;
    ui::ChatView* m_view = nullptr;
    ui::Composer* m_composer = nullptr;
    StatusLine* m_status = nullptr;
    Toast* m_toast = nullptr;
    ui::DockHost* m_docks = nullptr;
    ui::SamplerPanel* m_sampler = nullptr;
    ui::EnginePanel* m_engine = nullptr;
    ui::KvPanel* m_memory = nullptr;
    QPointer<QFileDialog> m_openDialog;
    QString m_cancelNotice;
    qint64 m_contextUsed = 0;
    qint64 m_contextPutAway = 0; ///< of the chat before New chat
    qint64 m_draftTokens = 0;
    int m_threadsUsed = 0;
    bool m_reloading = false; ///< the open model gets another engine
};

} // namespace sotto::app

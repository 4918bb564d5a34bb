// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/session.h"
#include "ui/panels/panel.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace sotto::ui {

class ChoiceBox;
class NumberField;
class NumberLabel;

/// How long chats may be and what their keys and values take: what is chosen, what that will need,
/// and what it is now. All but the policy for a full context is fixed when an engine is made, so
/// there is a button that makes another one.
class KvPanel final : public Panel {
    Q_OBJECT
  public:
    static constexpr int kMaxContext = 1 << 20, kMaxMiB = 1 << 19;

    explicit KvPanel(QWidget* parent = nullptr);

    [[nodiscard]] MemorySettings settings() const;
    /// Clamped to what the fields take; emits nothing.
    void setSettings(const MemorySettings& settings);
    /// The open model and what its engine was made with.
    void setModel(const ModelDetails& details);
    void clearModel();
    /// Nothing can be reloaded meanwhile.
    void setLoading(bool loading);
    void setStatus(const EngineStatus& status);

  Q_SIGNALS:
    void settingsChanged(const sotto::ui::MemorySettings& settings); ///< by the person
    void reloadRequested();

  private:
    void addChoices(QVBoxLayout* layout);
    void addEstimate(QVBoxLayout* layout);
    void addNow(QVBoxLayout* layout);
    void onEdited();
    void refresh();
    void showEstimate();
    void showNow();

    bool m_hasModel = false, m_loading = false;
    ModelDetails m_details;
    EngineStatus m_status;
    NumberField *m_context, *m_limit;
    ChoiceBox *m_keys, *m_values, *m_whenFull;
    NumberLabel *m_fitsTokens, *m_weights, *m_kv, *m_together, *m_free;
    QLabel* m_warning;
    QPushButton* m_reload;
    NumberLabel *m_used, *m_held, *m_most, *m_reused;
};

} // namespace sotto::ui

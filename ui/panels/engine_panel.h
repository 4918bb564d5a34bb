// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/panels/panel.h"

namespace sotto::ui {

class NumberLabel;
class ParamRow;

/// What the engine panel shows of the machine and the loaded model.
struct EngineInfo {
    QString instructionSet; ///< "avx2"; empty: not known
    int nCtx = 0;           ///< tokens; 0: no model
    int nCtxTrain = 0;      ///< 0: not known
    int threadsUsed = 0;    ///< 0: not known
};

/// Threads, and how fast the current answer comes.
class EnginePanel final : public Panel {
    Q_OBJECT
  public:
    static constexpr int kMaxThreads = 256;

    /// `nCores`: the slider's end and the default.
    explicit EnginePanel(int nCores, QWidget* parent = nullptr);

    [[nodiscard]] int threads() const;
    /// Clamped to 1..kMaxThreads; 0 is one per core. Emits threadsChanged() if it differs.
    void setThreads(int nThreads);
    void setTimings(const Timings& timings);
    void clearTimings();
    void setEngineInfo(const EngineInfo& info);

    [[nodiscard]] QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

  Q_SIGNALS:
    void threadsChanged(int nThreads);

  private:
    void showThreadsUsed(int nThreads);

    const int m_nCores;
    ParamRow* m_threads;
    NumberLabel *m_firstToken, *m_reading, *m_writing, *m_reused;
    NumberLabel *m_threadsUsed, *m_instructionSet, *m_context, *m_trained;
};

} // namespace sotto::ui

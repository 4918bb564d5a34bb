// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QtCore/QTimer>
#include <QtWidgets/QWidget>

class QLabel;

namespace sotto::ui {
class NumberLabel;
}

namespace sotto::app {

class ContextMeter;

/// The foot of the window: file, context, speeds, memory. What does not fit is left out, the least
/// needed first.
class StatusLine final : public QWidget {
    Q_OBJECT
  public:
    explicit StatusLine(QWidget* parent = nullptr);
    /// An empty name: no model.
    void setModel(const QString& fileName, const QString& path);
    void setContext(qint64 used, qint64 nCtx);
    void setTimings(const Timings& timings);
    void clearTimings();
    void setMemory(qint64 bytes); ///< 0: nothing to tell
    /// A sentence in place of everything else, for some seconds.
    void showNotice(const QString& sentence);
    void endNotice(const QString& sentence); ///< if it is the one being shown

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Part {
        QWidget* widget;
        int gap;  ///< before it
        int rank; ///< the highest is left out first
    };
    void arrange();
    ui::NumberLabel* addNumber(int gap, int rank, const QString& name);
    void add(QWidget* widget, int gap, int rank);

    QList<Part> m_parts;
    QLabel *m_file, *m_contextLabel, *m_notice;
    ContextMeter* m_meter;
    ui::NumberLabel *m_context, *m_speeds, *m_reused, *m_memory;
    QTimer m_noticeTime;
    bool m_hasModel = false;
};

} // namespace sotto::app

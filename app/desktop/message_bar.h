// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QWidget>

#include <functional>

class QPushButton;
class QToolButton;

namespace sotto::app {

class WrapLabel;

/// A sentence over the conversation that stays until it is closed or replaced: what went wrong,
/// with what, and what to do. Never in the way of working on.
class MessageBar final : public QWidget {
    Q_OBJECT
  public:
    explicit MessageBar(QWidget* parent = nullptr);
    /// With an empty `actionText` there is no button beside Close.
    void showMessage(const QString& text, const QString& actionText = {},
                     std::function<void()> action = {});
    [[nodiscard]] QString text() const;
    [[nodiscard]] QPushButton* actionButton() const { return m_action; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    WrapLabel* m_label;
    QPushButton* m_action;
    QToolButton* m_close;
    std::function<void()> m_run;
};

} // namespace sotto::app

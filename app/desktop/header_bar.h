// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QWidget>

namespace sotto::app {

class ChipButton;

/// Whether a model thinks before it answers.
enum class ThinkingChip {
    Hidden, ///< it never does
    Always, ///< it cannot be switched off
    On,
    Off
};

/// The strip over the conversation: the chat's title, the model, and whether it thinks. The title
/// gives way first, then the last of these.
class HeaderBar final : public QWidget {
    Q_OBJECT
  public:
    explicit HeaderBar(QWidget* parent = nullptr);
    /// Empty: "New chat".
    void setTitle(const QString& title);
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] ChipButton* chip() const { return m_chip; }
    void setModel(const QString& name, const QString& toolTip);
    [[nodiscard]] ChipButton* thinkingChip() const { return m_thinkingChip; }
    void setThinking(ThinkingChip state);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void arrange();
    QString m_title;
    QString m_shown; ///< the title as far as it fits
    [[nodiscard]] int thinkingRoom(int room) const;
    ChipButton* m_chip;
    ChipButton* m_thinkingChip;
    ThinkingChip m_thinking = ThinkingChip::Hidden;
};

} // namespace sotto::app

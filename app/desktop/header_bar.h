// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QWidget>

namespace sotto::app {

class ChipButton;

/// The strip over the conversation: the chat's title and the model. The title gives way first.
class HeaderBar final : public QWidget {
    Q_OBJECT
  public:
    explicit HeaderBar(QWidget* parent = nullptr);
    /// Empty: "New chat".
    void setTitle(const QString& title);
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] ChipButton* chip() const { return m_chip; }
    void setModel(const QString& name, const QString& toolTip);

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
    ChipButton* m_chip;
};

} // namespace sotto::app

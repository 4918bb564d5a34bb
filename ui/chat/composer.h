// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;

namespace sotto::ui {

class ComposerEdit;

/// The card under the conversation in which a message is written: a text field that grows, a
/// counter, and one button that sends or stops. Takes the conversation's column of the width it is
/// given.
class Composer final : public QWidget {
    Q_OBJECT
  public:
    explicit Composer(QWidget* parent = nullptr);

    /// The draft. Every character stays as typed or pasted, except that line ends (CR LF, CR, and
    /// the paragraph separator) are LF.
    [[nodiscard]] QString text() const;
    void setText(const QString& text); ///< replaces the draft; the step can be undone
    void clear();                      ///< after sending; nothing is left to undo

    void setBusy(bool busy); ///< an answer is being written: the button and Esc stop it
    [[nodiscard]] bool isBusy() const { return m_busy; }

    /// With false, Enter and the button send nothing and `reason` is shown ("No model is open").
    void setSendEnabled(bool enabled, const QString& reason = {});
    [[nodiscard]] bool isSendEnabled() const { return m_sendEnabled; }

    /// "12 tokens · 5,412 left". `left` below zero is shown as a warning; tokens < 0 empties it.
    void setCounter(int tokens, int left);
    /// A line in the footer in place of the counter, until the text changes; empty takes it away.
    void showNotice(const QString& notice);

    void focusText(); ///< puts the keyboard focus into the text field

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    void sendRequested(const QString& text); ///< the window clears the draft once it is taken
    void stopRequested();
    void textEdited();      ///< the draft changed: time to count tokens
    void recallRequested(); ///< Up in the empty field: put the last message back with setText()

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void connectEdit();
    void trySend();
    void onTextChanged();
    void arrange();
    void grow();
    void updateFooter();
    void applyTheme();
    [[nodiscard]] int chrome() const; ///< height of everything but the text
    [[nodiscard]] int editHeight() const;

    ComposerEdit* m_edit = nullptr;
    QLabel* m_status = nullptr;
    QPushButton* m_button = nullptr;
    QString m_counter; ///< what the footer says, in falling weight: notice, reason, counter
    QString m_reason;
    QString m_notice;
    QRect m_card;
    int m_editHeight = 0;
    int m_buttonWidth = 0;
    bool m_counterWarns = false;
    bool m_busy = false;
    bool m_sendEnabled = true;
};

} // namespace sotto::ui

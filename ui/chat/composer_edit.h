// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QPlainTextEdit>

namespace sotto::ui {

/// The composer's text field: plain text in and out, Enter as a signal, and no Enter while an input
/// method composes.
class ComposerEdit final : public QPlainTextEdit {
    Q_OBJECT
  public:
    static constexpr qsizetype kMaxPaste = 1 << 20; ///< bytes of UTF-8 in one paste or drop

    explicit ComposerEdit(QWidget* parent);

    /// The text with LF line ends; everything else is as it was typed or pasted, no-break spaces
    /// too.
    [[nodiscard]] QString text() const;
    void replaceText(const QString& text); ///< one step of undo
    [[nodiscard]] bool isComposing() const { return !m_preedit.isEmpty(); }
    void setBusy(bool busy) { m_busy = busy; }
    /// Height of the laid-out text with its margins, px.
    [[nodiscard]] int wantedHeight() const;
    [[nodiscard]] int lineHeight() const;

  Q_SIGNALS:
    void enterPressed();
    void stopPressed();
    void recallPressed();
    void pasteRefused(qint64 bytes); ///< larger than kMaxPaste: nothing was inserted
    void focusChanged();

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;
    QMimeData* createMimeDataFromSelection() const override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    [[nodiscard]] bool takesEnter(QKeyEvent* event);

    QString m_preedit; ///< what the input method is composing
    bool m_busy = false;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/composer_edit.h"

#include <QtCore/QMimeData>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QDropEvent>
#include <QtGui/QFontMetricsF>
#include <QtGui/QInputMethodEvent>
#include <QtGui/QTextBlock>
#include <QtWidgets/QMenu>

#include <cmath>

namespace sotto::ui {
namespace {

constexpr int kMeasuredBlocks = 100;

bool isEnter(const QKeyEvent* event) {
    return event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
}

/// QTextDocument's own plain text turns no-break spaces into spaces and U+2028 into line ends.
QString plainFrom(QString raw) {
    return raw.replace(QChar(QChar::ParagraphSeparator), u'\n');
}

} // namespace

ComposerEdit::ComposerEdit(QWidget* parent) : QPlainTextEdit(parent) {
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
}

QString ComposerEdit::text() const {
    return plainFrom(document()->toRawText());
}

void ComposerEdit::replaceText(const QString& text) {
    QTextCursor cursor(document());
    cursor.select(QTextCursor::Document);
    cursor.insertText(text);
    cursor.movePosition(QTextCursor::End);
    setTextCursor(cursor);
}

int ComposerEdit::lineHeight() const {
    return int(std::ceil(QFontMetricsF(font()).lineSpacing()));
}

int ComposerEdit::wantedHeight() const {
    const int blocks = document()->blockCount();
    if (blocks > kMeasuredBlocks) // more than any window shows
        return blocks * lineHeight();
    // Lines with emoji or Chinese are higher than the font says.
    qreal height = 0;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        height += blockBoundingRect(block).height();
    return qMax(lineHeight(), int(std::ceil(height)) + 1);
}

void ComposerEdit::inputMethodEvent(QInputMethodEvent* event) {
    // Kept here, as the layout's copy is only brought up to date by the base class: the Enter that
    // ends a composition may come first.
    m_preedit = event->preeditString();
    QPlainTextEdit::inputMethodEvent(event);
}

bool ComposerEdit::event(QEvent* event) {
    // Esc must not reach a shortcut of the window while it ends a composition or stops an answer.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && (m_busy || isComposing())) {
            event->accept();
            return true;
        }
    }
    return QPlainTextEdit::event(event);
}

/// Whether this Enter is the composer's: not the input method's, and no line break.
bool ComposerEdit::takesEnter(QKeyEvent* event) {
    if (isComposing()) {
        event->accept(); // the input method's, not ours and not the document's
        return false;
    }
    if (event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier)) {
        textCursor().insertBlock(); // not U+2028, as the base class would
        ensureCursorVisible();
        return false;
    }
    return !event->isAutoRepeat();
}

void ComposerEdit::keyPressEvent(QKeyEvent* event) {
    if (isEnter(event)) {
        if (takesEnter(event))
            Q_EMIT enterPressed();
        return;
    }
    if (isComposing()) {
        QPlainTextEdit::keyPressEvent(event);
    } else if (event->key() == Qt::Key_Escape && m_busy) {
        Q_EMIT stopPressed();
    } else if (event->key() == Qt::Key_Up && event->modifiers() == Qt::NoModifier &&
               document()->isEmpty()) {
        Q_EMIT recallPressed();
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

void ComposerEdit::focusInEvent(QFocusEvent* event) {
    QPlainTextEdit::focusInEvent(event);
    Q_EMIT focusChanged();
}

void ComposerEdit::focusOutEvent(QFocusEvent* event) {
    m_preedit.clear();
    QPlainTextEdit::focusOutEvent(event);
    Q_EMIT focusChanged();
}

bool ComposerEdit::canInsertFromMimeData(const QMimeData* source) const {
    return source->hasText() && !source->hasUrls();
}

void ComposerEdit::insertFromMimeData(const QMimeData* source) {
    if (!source->hasText())
        return;
    const QString text = source->text();
    const qsizetype bytes = text.size() > kMaxPaste ? text.size() : text.toUtf8().size();
    if (bytes > kMaxPaste) {
        Q_EMIT pasteRefused(bytes);
        return;
    }
    textCursor().insertText(text);
    ensureCursorVisible();
}

QMimeData* ComposerEdit::createMimeDataFromSelection() const {
    auto* mime = new QMimeData;
    mime->setText(plainFrom(textCursor().selectedText()));
    return mime;
}

void ComposerEdit::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = createStandardContextMenu(event->pos());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event->globalPos());
}

// Files are the window's: it opens models. An ignored event goes up to it.
void ComposerEdit::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->ignore();
    else
        QPlainTextEdit::dragEnterEvent(event);
}

void ComposerEdit::dragMoveEvent(QDragMoveEvent* event) {
    if (event->mimeData()->hasUrls())
        event->ignore();
    else
        QPlainTextEdit::dragMoveEvent(event);
}

void ComposerEdit::dropEvent(QDropEvent* event) {
    if (event->mimeData()->hasUrls())
        event->ignore();
    else
        QPlainTextEdit::dropEvent(event);
}

} // namespace sotto::ui

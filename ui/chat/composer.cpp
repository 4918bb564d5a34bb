// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/composer.h"

#include "ui/chat/column.h"
#include "ui/chat/composer_edit.h"
#include "ui/theme/theme.h"

#include <QtCore/QLocale>
#include <QtGui/QMouseEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollBar>

namespace sotto::ui {
namespace {

constexpr int kPad = 12;         ///< inside the card
constexpr int kBelow = 12;       ///< under the card
constexpr int kFooterGap = 8;    ///< between text and footer
constexpr qreal kMaxShare = 0.4; ///< of the window's height, for the text

int px(qreal length) {
    return Theme::instance().px(length);
}

} // namespace

Composer::Composer(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_edit = new ComposerEdit(this);
    m_edit->setPlaceholderText(tr("Message\u2026 (Enter sends, Shift+Enter breaks the line)"));
    m_edit->setAccessibleName(tr("Message"));
    m_status = new QLabel(this);
    m_status->setTextFormat(Qt::PlainText);
    m_button = new QPushButton(tr("Send"), this);
    m_button->setDefault(true);
    setFocusProxy(m_edit);
    useFont(m_edit, FontRole::Message);
    useFont(m_status, FontRole::Small);
    connectEdit();
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_busy)
            Q_EMIT stopRequested();
        else
            trySend();
    });
    connect(&Theme::instance(), &Theme::changed, this, &Composer::applyTheme);
    applyTheme();
}

void Composer::connectEdit() {
    connect(m_edit, &ComposerEdit::enterPressed, this, &Composer::trySend);
    connect(m_edit, &ComposerEdit::stopPressed, this, &Composer::stopRequested);
    connect(m_edit, &ComposerEdit::recallPressed, this, &Composer::recallRequested);
    connect(m_edit, &ComposerEdit::focusChanged, this, qOverload<>(&QWidget::update));
    connect(m_edit, &QPlainTextEdit::textChanged, this, &Composer::onTextChanged);
    connect(m_edit, &ComposerEdit::pasteRefused, this, [this](qint64 bytes) {
        const QLocale locale;
        showNotice(tr("The pasted text has %1, the limit is %2: nothing was inserted.")
                       .arg(locale.formattedDataSize(bytes),
                            locale.formattedDataSize(ComposerEdit::kMaxPaste)));
    });
}

QString Composer::text() const {
    return m_edit->text();
}

void Composer::setText(const QString& text) {
    m_edit->replaceText(text);
}

void Composer::clear() {
    m_edit->clear();
}

void Composer::focusText() {
    m_edit->setFocus(Qt::OtherFocusReason);
}

void Composer::setBusy(bool busy) {
    m_busy = busy;
    m_edit->setBusy(busy);
    updateFooter();
}

void Composer::setSendEnabled(bool enabled, const QString& reason) {
    m_sendEnabled = enabled;
    m_reason = enabled ? QString() : reason;
    updateFooter();
}

void Composer::setCounter(int tokens, int left) {
    const QLocale locale;
    m_counter.clear();
    if (tokens >= 0)
        m_counter =
            left >= 0
                ? tr("%1 tokens \u00b7 %2 left").arg(locale.toString(tokens), locale.toString(left))
                : tr("%1 tokens \u00b7 %2 too many")
                      .arg(locale.toString(tokens), locale.toString(-qint64(left)));
    m_counterWarns = tokens >= 0 && left < 0;
    updateFooter();
}

void Composer::showNotice(const QString& notice) {
    m_notice = notice;
    updateFooter();
}

void Composer::trySend() {
    if (m_busy) {
        showNotice(tr("An answer is being written: stop it first (Esc)."));
    } else if (!m_sendEnabled) {
        showNotice(m_reason.isEmpty() ? tr("Sending is not possible now.") : m_reason);
    } else if (const QString message = text(); !message.trimmed().isEmpty()) {
        Q_EMIT sendRequested(message);
    }
}

void Composer::onTextChanged() {
    m_notice.clear();
    updateFooter();
    grow();
    Q_EMIT textEdited();
}

void Composer::updateFooter() {
    const bool notice = !m_notice.isEmpty();
    const QString line = notice ? m_notice : (m_reason.isEmpty() ? m_counter : m_reason);
    const bool warns = notice || (m_reason.isEmpty() && m_counterWarns);
    useTextRole(m_status, warns ? Role::Warning : Role::Muted);
    m_status->setText(line);
    m_status->setToolTip(line);
    const bool blank = m_edit->text().trimmed().isEmpty();
    m_button->setText(m_busy ? tr("Stop") : tr("Send"));
    m_button->setToolTip(m_busy ? tr("Stop the answer (Esc)") : m_reason);
    m_button->setEnabled(m_busy || (m_sendEnabled && !blank));
}

void Composer::applyTheme() {
    m_buttonWidth = 0; // one width for both words: the button must not jump
    for (const QString& word : {tr("Send"), tr("Stop")}) {
        m_button->setText(word);
        m_buttonWidth = qMax(m_buttonWidth, m_button->sizeHint().width());
    }
    updateFooter();
    QPalette colors = m_edit->palette();
    colors.setColor(QPalette::Base, Qt::transparent);
    m_edit->setPalette(colors);
    m_editHeight = 0;
    grow();
    arrange();
    update();
}

int Composer::chrome() const {
    return 2 * px(kPad) + px(kFooterGap) + m_button->sizeHint().height() + px(kBelow);
}

int Composer::editHeight() const {
    const int room = qRound(window()->height() * kMaxShare) - chrome();
    const int line = m_edit->lineHeight();
    return qMax(line, qMin(m_edit->wantedHeight(), qMax(room, 3 * line)));
}

/// Takes the height that the text needs; beyond the largest one, the text scrolls.
void Composer::grow() {
    const int height = editHeight();
    const bool scrolls = m_edit->wantedHeight() > height;
    m_edit->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    if (height == m_editHeight)
        return;
    m_editHeight = height;
    setFixedHeight(height + chrome());
    arrange();
}

QSize Composer::sizeHint() const {
    return {px(kColumnMaxWidth), editHeight() + chrome()};
}

QSize Composer::minimumSizeHint() const {
    return {px(240), m_edit->lineHeight() + chrome()};
}

void Composer::arrange() {
    const Column column = columnIn(width());
    m_card = QRect(column.left, 0, column.width, height() - px(kBelow));
    const QRect inner = m_card.adjusted(px(kPad), px(kPad), -px(kPad), -px(kPad));
    const QSize button(m_buttonWidth, m_button->sizeHint().height());
    m_edit->setGeometry(inner.x(), inner.y(), inner.width(),
                        inner.height() - button.height() - px(kFooterGap));
    m_button->setGeometry(QRect(
        QPoint(inner.right() + 1 - button.width(), inner.bottom() + 1 - button.height()), button));
    m_status->setGeometry(inner.x(), m_button->y(), m_button->x() - inner.x() - px(kFooterGap),
                          button.height());
    // It scrolled to keep the cursor in sight while it was lower.
    if (m_edit->verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
        m_edit->verticalScrollBar()->setValue(0);
}

void Composer::resizeEvent(QResizeEvent*) {
    arrange();
    grow(); // another width breaks other lines
}

bool Composer::event(QEvent* event) {
    // The largest height is a share of the window's: followed when the window lays its parts out
    // again.
    if (event->type() == QEvent::Move || event->type() == QEvent::Show ||
        event->type() == QEvent::LayoutRequest)
        grow();
    return QWidget::event(event);
}

void Composer::mousePressEvent(QMouseEvent* event) {
    if (m_card.contains(event->position().toPoint()))
        focusText();
}

void Composer::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.color(Role::Page));
    const bool focused = m_edit->hasFocus();
    const qreal width = focused ? 1.5 : 1;
    painter.setPen(QPen(theme.color(focused ? Role::Focus : Role::Line), width));
    painter.setBrush(theme.color(Role::Card));
    const qreal in = width / 2;
    painter.drawRoundedRect(QRectF(m_card).adjusted(in, in, -in, -in), px(12), px(12));
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/empty_state.h"

#include "ui/chat/column.h"
#include "ui/chat/example_card.h"
#include "ui/theme/theme.h"

#include <QtWidgets/QBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>

namespace sotto::ui {
namespace {

constexpr int kCardsInRow = 560; ///< narrower columns stack the cards, px before zoom

QLabel* plainLabel(QWidget* parent, FontRole font, Role role) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    label->setWordWrap(true);
    useFont(label, font);
    useTextRole(label, role);
    return label;
}

/// The same text, which may also be broken inside long names: a label breaks at blanks alone.
QString breakable(const QString& text) {
    constexpr int kRun = 16;
    QString out;
    int run = 0;
    for (const QChar c : text) {
        out += c;
        run = c.isSpace() ? 0 : run + 1;
        const bool mark = QStringLiteral("-_./\\").contains(c);
        if ((mark || run >= kRun) && !c.isHighSurrogate() && !c.isSpace()) {
            out += QChar(0x200B); // zero-width space
            run = 0;
        }
    }
    return out;
}

void showText(QLabel* label, const QString& text) {
    label->setText(breakable(text));
    label->setAccessibleName(text);
}

void emptyOut(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

} // namespace

EmptyStateView::EmptyStateView(QWidget* parent) : QWidget(parent) {
    build();
    connect(&Theme::instance(), &Theme::changed, this, &EmptyStateView::applyTheme);
    applyTheme();
}

void EmptyStateView::build() {
    // A low window or a large zoom: what does not fit is scrolled, never cut.
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_column = new QWidget(m_scroll);
    m_scroll->setWidget(m_column);
    for (QWidget* widget : {static_cast<QWidget*>(m_column), m_scroll->viewport()}) {
        widget->setAutoFillBackground(false);
    }
    m_title = new QLabel(m_column);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setAlignment(Qt::AlignHCenter);
    m_title->setWordWrap(true);
    useTextRole(m_title, Role::Ink);
    m_hint = plainLabel(m_column, FontRole::Small, Role::Muted);
    m_open = new QPushButton(tr("Open a model (Ctrl+O)"), m_column);
    m_open->setDefault(true);
    connect(m_open, &QPushButton::clicked, this, &EmptyStateView::openModelRequested);

    m_lines = new QBoxLayout(QBoxLayout::TopToBottom);
    m_lines->setSpacing(4);
    m_cards = new QBoxLayout(QBoxLayout::LeftToRight);
    auto* rows = new QVBoxLayout(m_column);
    rows->addSpacing(12); // where there is no room for the stretch
    rows->addStretch(2);
    rows->addWidget(m_title);
    rows->addSpacing(8);
    rows->addLayout(m_lines);
    rows->addSpacing(24);
    rows->addLayout(m_cards);
    rows->addWidget(m_open, 0, Qt::AlignHCenter);
    rows->addSpacing(16);
    rows->addWidget(m_hint);
    rows->addStretch(3);
    rows->addSpacing(12);
    rows->setSpacing(0);
}

void EmptyStateView::setState(const EmptyState& state) {
    showText(m_title, state.title);
    addLines(state.lines);
    m_hint->setText(state.hint);
    m_hint->setVisible(!state.hint.isEmpty());
    m_open->setVisible(state.offersModel);
    addExamples(state.examples);
}

void EmptyStateView::addLines(const QStringList& lines) {
    emptyOut(m_lines);
    for (const QString& text : lines) {
        QLabel* line = plainLabel(m_column, FontRole::Base, Role::Muted);
        showText(line, text);
        m_lines->addWidget(line);
        line->show();
    }
}

void EmptyStateView::addExamples(const QStringList& examples) {
    emptyOut(m_cards);
    for (const QString& text : examples) {
        auto* card = new ExampleCard(text, m_column);
        connect(card, &QAbstractButton::clicked, this,
                [this, text] { Q_EMIT exampleChosen(text); });
        m_cards->addWidget(card);
        card->show();
    }
}

void EmptyStateView::applyTheme() {
    const Theme& theme = Theme::instance();
    QFont title = theme.messageFont();
    title.setPointSizeF(title.pointSizeF() * 1.5);
    title.setWeight(QFont::DemiBold);
    m_title->setFont(title);
    m_cards->setSpacing(theme.px(12));
    updateGeometry();
}

void EmptyStateView::resizeEvent(QResizeEvent*) {
    const Column column = columnIn(width());
    m_scroll->setGeometry(rect());
    m_column->layout()->setContentsMargins(column.left, 0, qMax(0, width() - column.right()), 0);
    m_cards->setDirection(column.width < Theme::instance().px(kCardsInRow)
                              ? QBoxLayout::TopToBottom
                              : QBoxLayout::LeftToRight);
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtWidgets/QWidget>

class QBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace sotto::ui {

/// What the chat view shows while the conversation has no messages.
struct EmptyState {
    QString title;            ///< the model's name, or "No model yet"
    QStringList lines;        ///< what it can do, one plain sentence each
    QStringList examples;     ///< prompts, each a card that can be clicked
    QString hint;             ///< small, below
    bool offersModel = false; ///< a button "Open a model (Ctrl+O)"
};

/// The centred page of an EmptyState. Cards and button are real buttons: Tab, Space, Enter and a
/// screen reader reach them.
class EmptyStateView final : public QWidget {
    Q_OBJECT
  public:
    explicit EmptyStateView(QWidget* parent = nullptr);
    void setState(const EmptyState& state);

  Q_SIGNALS:
    void exampleChosen(const QString& text);
    void openModelRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void build();
    void applyTheme();
    void addLines(const QStringList& lines);
    void addExamples(const QStringList& examples);

    QLabel* m_title = nullptr;
    QLabel* m_hint = nullptr;
    QPushButton* m_open = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_column = nullptr;
    QBoxLayout* m_lines = nullptr;
    QBoxLayout* m_cards = nullptr;
};

} // namespace sotto::ui

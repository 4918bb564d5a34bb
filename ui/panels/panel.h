// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>
#include <QtCore/QVariantMap>
#include <QtWidgets/QWidget>

namespace sotto::ui {

/// A page of the side area. A new one is a subclass and one DockHost::add() line.
class Panel : public QWidget {
    Q_OBJECT
  public:
    /// `id`: never shown and never changed, layouts are saved by it. `title`: the tab.
    Panel(QString id, QString title, QWidget* parent = nullptr);

    [[nodiscard]] const QString& id() const { return m_id; }
    [[nodiscard]] const QString& title() const { return m_title; }

    /// What the panel wants to find again after a restart; values that settings can hold.
    [[nodiscard]] virtual QVariantMap saveState() const { return {}; }
    /// Takes what it understands, ignores the rest.
    virtual void restoreState(const QVariantMap& state) { Q_UNUSED(state) }

  private:
    QString m_id, m_title;
};

} // namespace sotto::ui

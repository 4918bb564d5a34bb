// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/settings/settings.h"

#include <QtCore/QObject>
#include <QtCore/QSet>

class QAction;
class QMenu;

namespace sotto::app {

/// The models opened lately, as menus show them. Whether a file or folder is still there is asked
/// on another thread: a disk that does not answer must not hold up the window.
class RecentModels final : public QObject {
    Q_OBJECT
  public:
    explicit RecentModels(ui::Settings* settings, QObject* parent = nullptr);

    [[nodiscard]] QStringList paths() const { return m_settings->recentModels(); }
    [[nodiscard]] bool isMissing(const QString& path) const { return m_missing.contains(path); }
    void add(const QString& path);
    void remove(const QString& path);
    void removeMissing();
    /// Looks again; checked() follows.
    void check();
    /// Fills the menu with one action a model whenever it is about to show, and looks for missing
    /// ones. `tail`: actions kept at the end.
    void fill(QMenu* menu, const QList<QAction*>& tail = {});

  Q_SIGNALS:
    void checked();
    void chosen(const QString& path);
    void missingChosen(const QString& path);

  private:
    void setMissing(const QSet<QString>& missing);
    void rebuild(QMenu* menu, const QList<QAction*>& tail);
    void addModel(QMenu* menu, const QString& path, int number);

    ui::Settings* const m_settings;
    QSet<QString> m_missing;
};

} // namespace sotto::app

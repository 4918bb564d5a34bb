// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/recent_models.h"

#include "app/desktop/format.h"
#include "app/desktop/model_path.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QPointer>
#include <QtCore/QThreadPool>
#include <QtGui/QAction>
#include <QtWidgets/QMenu>

#include <algorithm>
#include <memory>

namespace sotto::app {

RecentModels::RecentModels(ui::Settings* settings, QObject* parent)
    : QObject(parent), m_settings(settings) {}

void RecentModels::add(const QString& path) {
    m_settings->addRecentModel(path);
    m_missing.remove(path);
    Q_EMIT checked();
}

void RecentModels::remove(const QString& path) {
    m_settings->removeRecentModel(path);
    m_missing.remove(path);
    Q_EMIT checked();
}

void RecentModels::removeMissing() {
    for (const QString& path : paths()) {
        if (isMissing(path)) {
            m_settings->removeRecentModel(path);
        }
    }
    m_missing.clear();
    Q_EMIT checked();
}

/// Looks at the disk on another thread, which may take as long as a network drive does: the window,
/// and this with it, may be gone when the answer comes.
void RecentModels::check() {
    const QPointer<RecentModels> self(this);
    QThreadPool::globalInstance()->start([self, paths = paths()] {
        QSet<QString> missing;
        for (const QString& path : paths) {
            if (!QFileInfo::exists(path)) {
                missing.insert(path);
            }
        }
        const auto tell = [self, missing] {
            if (self) {
                self->setMissing(missing);
            }
        };
        QMetaObject::invokeMethod(qApp, tell, Qt::QueuedConnection);
    });
}

void RecentModels::setMissing(const QSet<QString>& missing) {
    if (m_missing != missing) {
        m_missing = missing;
        Q_EMIT checked();
    }
}

void RecentModels::fill(QMenu* menu, const QList<QAction*>& tail) {
    connect(menu, &QMenu::aboutToShow, this, [this, menu, tail] {
        rebuild(menu, tail);
        check();
    });
    connect(this, &RecentModels::checked, menu, [this, menu, tail] { rebuild(menu, tail); });
    rebuild(menu, tail);
}

void RecentModels::rebuild(QMenu* menu, const QList<QAction*>& tail) {
    for (QAction* action : menu->actions()) {
        if (!tail.contains(action)) {
            menu->removeAction(action);
            if (action->parent() == menu) {
                action->deleteLater(); // perhaps the one that is being triggered
            }
        }
    }
    int number = 0;
    for (const QString& path : paths()) {
        addModel(menu, path, ++number);
    }
    if (number == 0) {
        menu->addAction(tr("No models opened yet"))->setEnabled(false);
    }
    if (!m_missing.isEmpty()) {
        menu->addSeparator();
        connect(menu->addAction(tr("Remove missing models from this list")), &QAction::triggered,
                this, &RecentModels::removeMissing);
    }
    if (!tail.isEmpty()) {
        menu->addSeparator();
        menu->addActions(tail); // moves them to the end
    }
}

void RecentModels::addModel(QMenu* menu, const QString& path, int number) {
    const QStringList all = paths();
    const auto name = [](const QString& p) { return shortName(modelFileName(p)); };
    const bool ambiguous = std::count_if(all.begin(), all.end(), [&](const QString& other) {
                               return name(other) == name(path);
                           }) > 1;
    QString text = name(path);
    if (ambiguous) { // what tells them apart is where they are
        text =
            tr("%1 in %2").arg(text, shortName(QDir::toNativeSeparators(folderAround(path)), 48));
    }
    text.replace(QLatin1Char('&'), QLatin1String("&&"));
    const QString label = isMissing(path) ? tr("%1 (missing)").arg(text) : text;
    QAction* action = menu->addAction(number < 10 ? tr("&%1  %2").arg(number).arg(label) : label);
    action->setToolTip(QDir::toNativeSeparators(path));
    connect(action, &QAction::triggered, this,
            [this, path] { Q_EMIT(isMissing(path) ? missingChosen(path) : chosen(path)); });
}

} // namespace sotto::app

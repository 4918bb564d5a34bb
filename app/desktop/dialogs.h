// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/session.h"

#include <QtCore/QList>

class QAction;
class QWidget;

namespace sotto::app {

/// Each opens a dialog over `parent` that deletes itself when closed, and returns at once.
void openModelDetails(QWidget* parent, const ui::ModelDetails& details);
void openShortcuts(QWidget* parent, const QList<QAction*>& actions);
void openAbout(QWidget* parent, const QString& cpuLevel);

} // namespace sotto::app

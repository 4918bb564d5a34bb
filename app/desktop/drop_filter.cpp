// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/drop_filter.h"

#include "app/desktop/model_path.h"

#include <QtCore/QMimeData>
#include <QtCore/QUrl>
#include <QtGui/QDropEvent>
#include <QtWidgets/QWidget>

namespace sotto::app {

DropFilter::DropFilter(QWidget* window) : QObject(window) {
    window->setAcceptDrops(true);
    window->installEventFilter(this);
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        if (widget->acceptDrops()) {
            widget->installEventFilter(this);
        }
    }
}

bool DropFilter::eventFilter(QObject* watched, QEvent* event) {
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove;
    if (!drag && event->type() != QEvent::Drop) {
        return QObject::eventFilter(watched, event);
    }
    auto* drop = static_cast<QDropEvent*>(event); // the base of the drag events as well
    if (!drop->mimeData()->hasUrls()) {
        return QObject::eventFilter(watched, event);
    }
    drop->setDropAction(Qt::CopyAction); // a model is opened where it lies, never moved
    drop->accept();
    if (!drag) {
        take(drop->mimeData());
    }
    return true;
}

void DropFilter::take(const QMimeData* data) {
    const QList<QUrl> urls = data->urls();
    for (const QUrl& url : urls) {
        if (url.isLocalFile() && isModelPath(url.toLocalFile())) {
            Q_EMIT modelDropped(url.toLocalFile());
            return;
        }
    }
    const QString name = urls.isEmpty() ? tr("What was dropped") : urls.first().fileName();
    Q_EMIT refused(
        tr("%1 cannot be opened. Drop a model from this machine: a .gguf file, or a folder with "
           "config.json and .safetensors files")
            .arg(name.isEmpty() ? tr("What was dropped") : name));
}

} // namespace sotto::app

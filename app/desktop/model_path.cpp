// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/model_path.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>

namespace sotto::app {

bool isModelPath(const QString& path) {
    for (const char* end : {".gguf", ".safetensors", ".safetensors.index.json"}) {
        if (path.endsWith(QLatin1String(end), Qt::CaseInsensitive)) {
            return true;
        }
    }
    const QFileInfo info(path);
    return info.fileName() == QLatin1String("config.json") || info.isDir();
}

QString modelFileName(const QString& path) {
    const QFileInfo info(QDir::cleanPath(path)); // of "folder/", too
    QString name = info.fileName();
    for (const char* end : {".safetensors", ".json"}) {
        if (name.endsWith(QLatin1String(end), Qt::CaseInsensitive)) {
            return info.dir().dirName() + QLatin1Char('/') + name;
        }
    }
    return name;
}

QString folderAround(const QString& path) {
    return QFileInfo(QDir::cleanPath(path)).path();
}

} // namespace sotto::app

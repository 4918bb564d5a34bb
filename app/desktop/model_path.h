// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>

namespace sotto::app {

/// Whether a dropped path may be a model: a GGUF file, a folder, or a file that stands for its
/// folder. Looks at the disk for folders only.
bool isModelPath(const QString& path);

/// What a model is called where there is no room for its path: the name of its file or folder; of a
/// file that is called the same in every folder, both.
QString modelFileName(const QString& path);

/// The folder in which the next model is looked for.
QString folderAround(const QString& path);

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>

namespace sotto::app {

/// Numbers as the window writes them, in the person's locale.
QString countText(qint64 value);           ///< "9,192"
QString rateText(double tokensPerSecond);  ///< "38.2 t/s", "284 t/s"; "–" for nothing measured
QString bytesText(qint64 bytes);           ///< "2.1 GB", powers of 1000
QString parametersText(qint64 parameters); ///< "135M", "8.0B", "640K"
/// A name that was cut in its middle where it is longer: file names may have 255 characters.
QString shortName(const QString& name, int longest = 64);

} // namespace sotto::app

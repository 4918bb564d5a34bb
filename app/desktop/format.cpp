// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/format.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

#include <cmath>

namespace sotto::app {

QString countText(qint64 value) {
    return QLocale().toString(value);
}

QString rateText(double tokensPerSecond) {
    if (!(tokensPerSecond > 0) || !std::isfinite(tokensPerSecond)) {
        return QStringLiteral("–");
    }
    const int decimals = tokensPerSecond < 100 ? 1 : 0;
    return QCoreApplication::translate("format", "%1 t/s")
        .arg(QLocale().toString(tokensPerSecond, 'f', decimals));
}

QString bytesText(qint64 bytes) {
    return QLocale().formattedDataSize(bytes, bytes < 1'000'000'000 ? 0 : 1,
                                       QLocale::DataSizeSIFormat);
}

QString parametersText(qint64 parameters) {
    const auto n = static_cast<double>(parameters);
    if (n >= 999.5e6) {
        return QLocale().toString(n / 1e9, 'f', n < 9.95e9 ? 1 : 0) + QLatin1Char('B');
    }
    if (n >= 999.5e3) {
        return QLocale().toString(n / 1e6, 'f', n < 9.95e6 ? 1 : 0) + QLatin1Char('M');
    }
    return QLocale().toString(n / 1e3, 'f', 0) + QLatin1Char('K');
}

QString shortName(const QString& name, int longest) {
    if (name.size() <= longest) {
        return name;
    }
    const int end = longest / 3; // of two files of a kind it is the end that differs
    return name.left(longest - end - 1) + QChar(0x2026) + name.right(end);
}

} // namespace sotto::app

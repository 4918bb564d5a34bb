// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/fonts.h"

#include <QtCore/QStringList>
#include <QtGui/QFontDatabase>
#include <QtGui/QFontInfo>

namespace sotto::ui {
namespace {

constexpr qreal kOwnSize = 10;

bool namesNothing(const QFont& font) {
    static const QStringList generic = {QString(), QStringLiteral("sans"),
                                        QStringLiteral("sans serif"), QStringLiteral("sans-serif"),
                                        QStringLiteral("system-ui")};
    const QString family = font.family().toLower();
    if (generic.contains(family))
        return true;
    return family == QLatin1String("dejavu sans") && font.pointSizeF() == 9;
}

} // namespace

QFont platformFontFor(const QFont& named) {
    QFont font = named;
    if (font.pointSizeF() <= 0) // a size in pixels: the platform's points at its own resolution
        font.setPointSizeF(QFontInfo(font).pointSizeF());
    if (!namesNothing(font))
        return font;
    if (QFontDatabase::hasFamily(QStringLiteral("Inter")))
        font.setFamilies({QStringLiteral("Inter")});
    font.setPointSizeF(kOwnSize);
    return font;
}

QFont platformFont() {
    return platformFontFor(QFontDatabase::systemFont(QFontDatabase::GeneralFont));
}

QString monospaceFamily() {
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (QFontInfo(fixed).fixedPitch())
        return QFontInfo(fixed).family();
    for (const char* name :
         {"DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", "Menlo", "Consolas"})
        if (QFontDatabase::hasFamily(QLatin1String(name)))
            return QLatin1String(name);
    QFont any;
    any.setStyleHint(QFont::Monospace);
    any.setFixedPitch(true);
    return QFontInfo(any).family();
}

} // namespace sotto::ui

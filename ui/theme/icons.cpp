// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/icons.h"

#include "ui/theme/theme.h"

#include <QtCore/QFile>
#include <QtCore/QHash>
#include <QtGui/QIconEngine>
#include <QtGui/QPainter>
#include <QtSvg/QSvgRenderer>

#include <algorithm>
#include <cmath>

// Resources of a static library are only linked in if somebody asks; must stand outside the
// namespace.
static void initIconResources() {
    Q_INIT_RESOURCE(resources);
}

namespace sotto::ui {
namespace {

constexpr const char* kFiles[kIconCount] = {
    "send",         "stop",          "plus",   "copy",       "regenerate",
    "panel-left",   "panel-right",   "folder", "chevron-up", "chevron-down",
    "chevron-left", "chevron-right", "close",  "float",      "dock",
    "check",        "dice",          "reset",  "search",
};

constexpr int kLargest = 4096; // device pixels
constexpr qsizetype kCacheLimit = 512;

QByteArray source(Icon name) {
    initIconResources();
    QFile file(
        QStringLiteral(":/sotto/icons/%1.svg").arg(QLatin1String(kFiles[static_cast<int>(name)])));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPixmap render(Icon name, int side, const QColor& color) {
    QByteArray svg = source(name);
    svg.replace("currentColor", color.name(QColor::HexRgb).toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(side, side);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, side, side));
    return pixmap;
}

struct Key {
    Icon name;
    int side;
    int dpr; ///< in thousandths
    QRgb color;
    friend bool operator==(const Key&, const Key&) = default;
};
size_t qHash(const Key& key, size_t seed = 0) {
    return qHashMulti(seed, static_cast<int>(key.name), key.side, key.dpr, key.color);
}

QColor shade(Role role, QIcon::Mode mode) {
    return Theme::instance().color(mode == QIcon::Disabled ? Role::Disabled : role);
}

class ThemeIconEngine final : public QIconEngine {
  public:
    ThemeIconEngine(Icon name, Role role) : m_name(name), m_role(role) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const int size = std::min(rect.width(), rect.height());
        const QRect square(rect.center() - QPoint((size - 1) / 2, (size - 1) / 2),
                           QSize(size, size));
        painter->drawPixmap(
            square.topLeft(),
            iconPixmap(m_name, size, painter->device()->devicePixelRatio(), shade(m_role, mode)));
    }
    /// `size` in device pixels, as QIcon hands it over.
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        return iconPixmap(m_name, std::min(size.width(), size.height()), 1, shade(m_role, mode));
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return pixmap(size, mode, state);
    }
    QIconEngine* clone() const override { return new ThemeIconEngine(m_name, m_role); }
    QString key() const override { return QStringLiteral("sotto"); }
    bool isNull() override { return false; }

  private:
    Icon m_name;
    Role m_role;
};

} // namespace

QIcon icon(Icon name, Role role) {
    return QIcon(new ThemeIconEngine(name, role));
}

QPixmap iconPixmap(Icon name, int size, qreal dpr, const QColor& color) {
    static QHash<Key, QPixmap> cache;
    const int side = std::clamp(static_cast<int>(std::lround(size * dpr)), 1, kLargest);
    const Key key{name, side, static_cast<int>(std::lround(dpr * 1000)), color.rgb()};
    if (const auto found = cache.constFind(key); found != cache.constEnd())
        return *found;
    QPixmap pixmap = render(name, side, color);
    pixmap.setDevicePixelRatio(dpr);
    if (cache.size() >= kCacheLimit)
        cache.clear();
    cache.insert(key, pixmap);
    return pixmap;
}

} // namespace sotto::ui

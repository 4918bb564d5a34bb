// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/theme.h"

#include "ui/theme/fonts.h"
#include "ui/theme/palette.h"
#include "ui/theme/sotto_style.h"

#include <QtCore/QEvent>
#include <QtCore/QPointer>
#include <QtGui/QPalette>
#include <QtWidgets/QApplication>
#include <QtWidgets/QToolTip>
#include <QtWidgets/QWidget>

#include <algorithm>
#include <cmath>

namespace sotto::ui {
namespace {

constexpr qreal kSmall = 0.9, kMessage = 1.1, kMonospace = 0.96;
constexpr qreal kSmallestMessage = 10.5; // pt
constexpr qreal kSmallestBase = 6, kLargestBase = 32;

} // namespace

Theme& Theme::instance() {
    static QPointer<Theme> theme;
    if (!theme) {
        theme = new Theme;
        theme->setParent(qApp);
    }
    return *theme;
}

Theme::Theme() : m_platform(platformFont()), m_base(m_platform) {
    const QPalette found = QGuiApplication::palette();
    m_assumedDark =
        found.color(QPalette::Window).lightness() < found.color(QPalette::WindowText).lightness();
    m_dark = m_assumedDark;
}

Theme::~Theme() = default;

void Theme::install() {
    m_installed = true;
    if (!m_scheme)
        setColorScheme(ColorScheme::create());
    QApplication::setStyle(new SottoStyle);
    refresh();
    apply();
}

bool Theme::reducedMotion() const {
    return m_scheme && m_scheme->reducedMotion();
}

void Theme::setMode(Mode mode) {
    m_mode = mode;
    refresh();
}

void Theme::assumeDark(bool dark) {
    m_assumedDark = dark;
    refresh();
}

void Theme::setColorScheme(std::unique_ptr<ColorScheme> scheme) {
    m_scheme = std::move(scheme);
    if (m_scheme)
        connect(m_scheme.get(), &ColorScheme::changed, this, &Theme::refresh);
    refresh();
}

/// Decides between light and dark anew.
void Theme::refresh() {
    const auto asked = m_scheme ? m_scheme->current() : ColorScheme::Scheme::Unknown;
    bool dark =
        asked == ColorScheme::Scheme::Unknown ? m_assumedDark : asked == ColorScheme::Scheme::Dark;
    if (m_mode != Mode::System)
        dark = m_mode == Mode::Dark;
    if (dark == m_dark)
        return;
    m_dark = dark;
    apply();
}

void Theme::apply() {
    if (m_installed) {
        const QPalette palette = themePalette(m_dark);
        QApplication::setPalette(palette);
        QToolTip::setPalette(palette);
        QApplication::setFont(baseFont());
        QToolTip::setFont(smallFont());
        relayout();
    }
    Q_EMIT changed();
}

/// The style's sizes depend on the zoom, and colours come from here rather than from palettes:
/// every widget is told, which lays it out and paints it again. QApplication tells of fonts and
/// palettes only once its event loop runs, and windows are built before that.
void Theme::relayout() {
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets)
        for (const auto type : {QEvent::ApplicationPaletteChange, QEvent::ApplicationFontChange,
                                QEvent::StyleChange}) {
            QEvent event(type);
            QCoreApplication::sendEvent(widget, &event);
        }
}

QFont Theme::font(FontRole role) const {
    QFont font = m_base;
    const qreal base = m_base.pointSizeF();
    qreal size = base;
    switch (role) {
    case FontRole::Base:
        break;
    case FontRole::Heading:
        font.setWeight(QFont::DemiBold);
        size = base * kSmall;
        break;
    case FontRole::Small:
        size = base * kSmall;
        break;
    case FontRole::Message:
        size = std::max(base * kMessage, kSmallestMessage);
        break;
    case FontRole::Monospace:
        font = QFont(monospaceFamily());
        font.setStyleHint(QFont::Monospace);
        font.setFixedPitch(true);
        size = std::max(base * kMessage, kSmallestMessage) * kMonospace;
        break;
    }
    font.setPointSizeF(size * m_zoom);
    return font;
}

void Theme::setBaseSize(qreal points) {
    const qreal size =
        points > 0 ? std::clamp(points, kSmallestBase, kLargestBase) : m_platform.pointSizeF();
    if (size == m_base.pointSizeF())
        return;
    m_base.setPointSizeF(size);
    apply();
}

void Theme::setZoom(qreal zoom) {
    const qreal wanted = std::isfinite(zoom) ? std::clamp(zoom, kMinZoom, kMaxZoom) : 1;
    if (wanted == m_zoom)
        return;
    m_zoom = wanted;
    apply();
}

int Theme::px(qreal length) const {
    const int rounded = static_cast<int>(std::lround(length * m_zoom));
    return length > 0 ? std::max(rounded, 1) : rounded;
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/color_scheme.h"
#include "ui/theme/roles.h"

#include <QtCore/QMargins>
#include <QtCore/QObject>
#include <QtGui/QFont>

#include <memory>

class QLayout;
class QWidget;

namespace sotto::ui {

enum class FontRole {
    Base,      ///< controls and labels
    Small,     ///< hints, captions, status bar: 0.9 x base
    Message,   ///< the conversation: 1.1 x base, at least 10.5 pt (before zoom)
    Monospace, ///< code inside messages: fits beside Message
    Heading,   ///< captions of blocks in panels: small and semi-bold
};

/// Colours, fonts and sizes of the application; one per QApplication. Window's thread only.
/// Widgets that paint ask color() while painting, and need nothing else to follow a change: every
/// widget is repainted and, where sizes changed, laid out again before changed() is emitted.
class Theme final : public QObject {
    Q_OBJECT
  public:
    enum class Mode { System, Light, Dark };
    static constexpr qreal kMinZoom = 0.5, kMaxZoom = 3.0;

    /// The application's theme; made on first use, gone with the QApplication.
    static Theme& instance();
    ~Theme() override;

    /// Sets style, palette and fonts of the application, and starts to follow the desktop. Call
    /// once, before the first window.
    void install();

    [[nodiscard]] QColor color(Role role) const { return roleColor(role, m_dark); }
    [[nodiscard]] bool isDark() const { return m_dark; }
    [[nodiscard]] bool reducedMotion() const;

    [[nodiscard]] Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    /// What Mode::System means until the desktop has answered: what it was last time, so that the
    /// first paint is right. Light if never called (or what the platform's own palette is).
    void assumeDark(bool dark);
    /// Where Mode::System comes from; install() takes ColorScheme::create() if nothing was set.
    void setColorScheme(std::unique_ptr<ColorScheme> scheme);

    /// Sizes carry the zoom.
    [[nodiscard]] QFont font(FontRole role) const;
    [[nodiscard]] QFont baseFont() const { return font(FontRole::Base); }
    [[nodiscard]] QFont smallFont() const { return font(FontRole::Small); }
    [[nodiscard]] QFont messageFont() const { return font(FontRole::Message); }
    [[nodiscard]] QFont monospaceFont() const { return font(FontRole::Monospace); }
    /// Points, before zoom.
    [[nodiscard]] qreal baseSize() const { return m_base.pointSizeF(); }
    /// Another base size than the platform's, in points before zoom (6 to 32); 0: the platform's
    /// again.
    void setBaseSize(qreal points);

    [[nodiscard]] qreal zoom() const { return m_zoom; }
    /// Clamped to kMinZoom..kMaxZoom; anything that is not a number is 1.
    void setZoom(qreal zoom);
    /// A length in device-independent pixels of the design, zoomed and rounded; at least 1 for
    /// lengths above 0.
    [[nodiscard]] int px(qreal length) const;

  Q_SIGNALS:
    void changed();

  private:
    Theme();
    void refresh();
    void apply();
    void relayout();

    std::unique_ptr<ColorScheme> m_scheme;
    Mode m_mode = Mode::System;
    QFont m_platform; ///< as found at start
    QFont m_base;     ///< without zoom
    qreal m_zoom = 1;
    bool m_assumedDark = false;
    bool m_dark = false;
    bool m_installed = false;
};

/// Gives the widget that font, now and after every change.
void useFont(QWidget* widget, FontRole role);
/// Draws the widget's text in that colour, now and after every change; its disabled text stays
/// Disabled.
void useTextRole(QWidget* widget, Role role);
/// Fills the widget's ground with that colour, now and after every change.
void useGround(QWidget* widget, Role role);
/// Margins and spacing of a layout, in pixels of the design; zoomed now and after every change.
void useSpacing(QLayout* layout, const QMargins& margins, int spacing);

} // namespace sotto::ui

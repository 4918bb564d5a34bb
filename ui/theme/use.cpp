// SPDX-License-Identifier: Apache-2.0
// Widgets that follow the theme: useFont(), useTextRole(), useGround().
#include "ui/theme/theme.h"

#include <QtCore/QVariant>
#include <QtGui/QPalette>
#include <QtWidgets/QLayout>
#include <QtWidgets/QWidget>

namespace sotto::ui {
namespace {

constexpr char kText[] = "sottoTextRole", kGround[] = "sottoGroundRole";

/// Runs now and after each change, as long as the follower lives.
template <class Action>
void follow(QObject* follower, Action action) {
    action();
    QObject::connect(&Theme::instance(), &Theme::changed, follower, action);
}

/// Starts from an empty palette, so that only what was asked for is fixed and the rest follows the
/// application.
void applyRoles(QWidget* widget) {
    const Theme& theme = Theme::instance();
    const QVariant text = widget->property(kText), ground = widget->property(kGround);
    QPalette palette;
    if (text.isValid())
        for (const auto to : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
            palette.setColor(QPalette::All, to, theme.color(static_cast<Role>(text.toInt())));
            palette.setColor(QPalette::Disabled, to, theme.color(Role::Disabled));
        }
    if (ground.isValid())
        palette.setColor(QPalette::All, widget->backgroundRole(),
                         theme.color(static_cast<Role>(ground.toInt())));
    widget->setPalette(palette);
}

void useRole(QWidget* widget, const char* property, Role role) {
    const bool following = widget->property(kText).isValid() || widget->property(kGround).isValid();
    widget->setProperty(property, static_cast<int>(role));
    if (following)
        applyRoles(widget);
    else
        follow(widget, [widget] { applyRoles(widget); });
}

} // namespace

void useFont(QWidget* widget, FontRole role) {
    follow(widget, [widget, role] { widget->setFont(Theme::instance().font(role)); });
}

void useTextRole(QWidget* widget, Role role) {
    useRole(widget, kText, role);
}

void useGround(QWidget* widget, Role role) {
    widget->setAutoFillBackground(true);
    useRole(widget, kGround, role);
}

void useSpacing(QLayout* layout, const QMargins& margins, int spacing) {
    follow(layout, [layout, margins, spacing] {
        const Theme& theme = Theme::instance();
        layout->setContentsMargins(theme.px(margins.left()), theme.px(margins.top()),
                                   theme.px(margins.right()), theme.px(margins.bottom()));
        layout->setSpacing(theme.px(spacing));
    });
}

} // namespace sotto::ui

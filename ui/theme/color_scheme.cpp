// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/color_scheme.h"

#include "ui/theme/color_scheme_portal.h"

namespace sotto::ui {

void ColorScheme::report(Scheme scheme, bool reducedMotion) {
    if (scheme == m_scheme && reducedMotion == m_reducedMotion)
        return;
    m_scheme = scheme;
    m_reducedMotion = reducedMotion;
    Q_EMIT changed();
}

/// Elsewhere than on the free desktops the scheme stays Unknown: there the platform's own palette,
/// which Theme looks at when it starts, is light or dark already.
std::unique_ptr<ColorScheme> ColorScheme::create() {
#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)
    return std::make_unique<PortalColorScheme>(QString());
#else
    return std::make_unique<ColorScheme>();
#endif
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/panel.h"

#include "ui/theme/theme.h"

#include <utility>

namespace sotto::ui {

Panel::Panel(QString id, QString title, QWidget* parent)
    : QWidget(parent), m_id(std::move(id)), m_title(std::move(title)) {
    setAccessibleName(m_title);
    useGround(this, Role::Side);
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/bridge/session.h"
#include "ui/chat/empty_state.h"

namespace sotto::app {

/// What an empty chat shows.
ui::EmptyState noModelState();
ui::EmptyState loadingState(const QString& fileName);
ui::EmptyState modelState(const ui::ModelDetails& details);

} // namespace sotto::app

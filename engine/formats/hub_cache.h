// SPDX-License-Identifier: Apache-2.0
// The download cache of the hub's own client: "models--Org--Name" holds
//
//   snapshots/<revision>/   a model's folder each, its files links into blobs/
//   refs/main               the revision that is current
//
#pragma once

#include "engine/base/result.h"

#include <string>

namespace sotto::formats {

/// The folder with a model's files: `folder` itself, or the snapshot where it is one of the cache:
/// the only one, of several the current one; else an Error that names them.
Result<std::string> model_folder(const std::string& folder);

/// "Name" of ".../models--Org--Name/snapshots/<revision>"; empty for any other folder.
std::string name_in_cache(const std::string& folder);

} // namespace sotto::formats

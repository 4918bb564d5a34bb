// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/hub_folder.h"

namespace sotto::formats {

/// Fills a HubFolder, file by file.
class HubFolderReader {
  public:
    /// `chosen` is the name of the file that was pointed at, or empty.
    HubFolderReader(std::string folder, std::string chosen);
    Result<std::unique_ptr<HubFolder>> run();

  private:
    // hub_folder.cpp
    Result<void> read_object(const char* name, std::optional<json::Document>& to);

    // hub_templates.cpp
    Result<void> read_templates();
    Result<void> read_template_files();
    void read_template_value(std::optional<json::Value> object, const char* file_name);
    bool add_template_list(json::Value list);
    Result<void> add_template_file(std::string_view name, const std::string& path);
    void add_template(std::string_view name, std::string_view text);

    // hub_weights.cpp
    Result<void> open_weights();
    Result<void> open_single(std::string_view name);
    Result<void> open_set(std::string_view index);
    [[nodiscard]] Error no_weights() const;
    [[nodiscard]] std::string file(std::string_view name) const;

    std::unique_ptr<HubFolder> hub_;
    std::string chosen_;
};

} // namespace sotto::formats

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/cli/shell.h"
#include "tests/support/temp_file.h"

#include <fstream>

namespace sotto::test {

/// The tiny Qwen3 folder with a chat template of the test's own.
class TemplateFolder {
  public:
    explicit TemplateFolder(const std::string& source) {
        REQUIRE(shell("cp -r " + tiny("qwen3/hub") + " " + model()).code == 0);
        write("hub/chat_template.jinja", source);
    }
    /// Quoted for the shell.
    [[nodiscard]] std::string model() const { return "'" + folder_.file("hub") + "'"; }
    /// Writes a file beside it; its path, quoted.
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_.file(name), std::ios::binary) << text;
        return "'" + folder_.file(name) + "'";
    }

  private:
    TempFolder folder_;
};

} // namespace sotto::test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sotto::test {

/// A new empty folder below the system's temporary one; removed with all it holds at the end.
class TempFolder {
  public:
    TempFolder() {
        static std::atomic<unsigned> n_made{0};
        const std::string name =
            "sotto-test-" + std::to_string(std::random_device()()) + "-" + std::to_string(n_made++);
        path_ = std::filesystem::temp_directory_path() / name;
        std::filesystem::create_directory(path_);
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Of a file in it, in UTF-8; `name` is UTF-8 too.
    [[nodiscard]] std::string file(std::string_view name) const {
        const std::u8string full =
            (path_ / std::filesystem::path(std::u8string(name.begin(), name.end()))).u8string();
        return {full.begin(), full.end()};
    }

  private:
    std::filesystem::path path_;
};

/// A path in UTF-8, as this system spells it.
inline std::filesystem::path native_path(std::string_view utf8) {
    return std::u8string(utf8.begin(), utf8.end());
}

/// Writes the file anew, with the folders above it.
inline void write_file(const std::string& path, std::string_view bytes) {
    const std::filesystem::path native = native_path(path);
    std::filesystem::create_directories(native.parent_path());
    std::filesystem::remove(
        native); // some file systems flush a file that is emptied and filled again
    std::ofstream out(native, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) {
        throw std::runtime_error("cannot write " + path);
    }
}

/// One file in a folder of its own.
class TempFile {
  public:
    explicit TempFile(std::string_view bytes, std::string_view name = "file.gguf")
        : path_(folder_.file(name)) {
        write_file(path_, bytes);
    }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    TempFolder folder_;
    std::string path_;
};

} // namespace sotto::test

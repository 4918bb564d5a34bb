// SPDX-License-Identifier: Apache-2.0
#include "engine/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <optional>

namespace sotto::log {
namespace {

/// Of SOTTO_LOG; nullopt if it names no level.
std::optional<spdlog::level::level_enum> wanted_level() {
    const char* name = std::getenv("SOTTO_LOG");
    if (!name || !*name) {
        return spdlog::level::warn;
    }
    const auto level = spdlog::level::from_str(name); // "off" for words it does not know
    if (level == spdlog::level::off && std::string_view(name) != "off") {
        return std::nullopt;
    }
    return level;
}

spdlog::logger* make_logger() {
    auto* logger = new spdlog::logger("sotto", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%H:%M:%S.%e %n %l: %v");
    const auto level = wanted_level();
    logger->set_level(level.value_or(spdlog::level::warn));
    if (!level) {
        logger->warn("SOTTO_LOG names no level; debug, info, warn, error and off are known");
    }
    return logger;
}

spdlog::logger& logger() {
    // Never destroyed: threads may outlive main.
    static spdlog::logger* const instance = make_logger();
    return *instance;
}

} // namespace

void debug(std::string_view message) {
    logger().debug(message);
}
void info(std::string_view message) {
    logger().info(message);
}
void warn(std::string_view message) {
    logger().warn(message);
}
void error(std::string_view message) {
    logger().error(message);
}

} // namespace sotto::log

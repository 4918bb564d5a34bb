// SPDX-License-Identifier: Apache-2.0
#include "tests/tree/include_rules.h"

#include <doctest/doctest.h>

using namespace tree;

static Faults edges_of(const std::string& path, const std::string& include) {
    return edge_faults({path, "#pragma once\n#include \"" + include + "\"\n"});
}

TEST_CASE("the tree is read") {
    CHECK(this_tree().size() > 20);
    auto is_this = [](const SourceFile& file) {
        return file.path == "tests/tree/include_test.cpp";
    };
    CHECK(std::count_if(this_tree().begin(), this_tree().end(), is_this) == 1);
}

TEST_CASE("edges: the checker sees what is forbidden and lets the rest pass") {
    CHECK(edges_of("kernels/a.cpp", "kernels/b.h").empty());
    CHECK(edges_of("engine/model/a.cpp", "kernels/kernels.h").empty());
    CHECK(edges_of("ui/bridge/a.cpp", "engine/engine.h").empty());
    CHECK(edges_of("app/desktop/a.cpp", "ui/chat/view.h").empty());
    CHECK(edges_of("app/cli/a.cpp", "app/server/http.h").empty());
    CHECK(edges_of("tests/ui/tst_a.cpp", "engine/base/result.h").empty());

    CHECK(edges_of("kernels/a.cpp", "engine/engine.h").size() == 1);
    CHECK(edges_of("engine/a.cpp", "ui/chat/view.h").size() == 1);
    CHECK(edges_of("ui/a.cpp", "engine/base/result.h").size() == 1);
    CHECK(edges_of("ui/a.cpp", "kernels/kernels.h").size() == 1);
    CHECK(edges_of("app/cli/a.cpp", "ui/chat/view.h").size() == 1);
    CHECK(edges_of("app/cli/a.cpp", "app/desktop/window.h").size() == 1);
    CHECK(edges_of("app/desktop/a.cpp", "engine/model/loader.h").size() == 1);
    CHECK(edges_of("ui/a.cpp", "tests/ui/fake.h").size() == 1);
    CHECK(edge_faults({"ui/a.cpp", "  #  include <engine/base/result.h>\n"}).size() == 1);
}

TEST_CASE("edges: this tree") {
    auto faults = check_all(edge_faults);
    CHECK_MESSAGE(faults.empty(), joined(faults));
}

TEST_CASE("Qt: the checker") {
    CHECK(qt_faults({"engine/a.cpp", "#include <QtCore/QString>\n"}).size() == 1);
    CHECK(qt_faults({"app/cli/a.cpp", "#include <QString>\n"}).size() == 1);
    CHECK(qt_faults({"ui/a.cpp", "#include <QtWidgets>\n"}).size() == 1);
    CHECK(qt_faults({"ui/a.cpp", "#include <QtWidgets/QtWidgets>\n"}).size() == 1);
    CHECK(qt_faults({"ui/a.cpp", "#include <QtWidgets/QWidget>\n"}).empty());
    CHECK(qt_faults({"engine/a.cpp", "#include \"engine/Quick.h\"\n#include <vector>\n"}).empty());
}

TEST_CASE("Qt: this tree") {
    auto faults = check_all(qt_faults);
    CHECK_MESSAGE(faults.empty(), joined(faults));
}

TEST_CASE("intrinsics: the checker") {
    CHECK(intrinsics_faults({"engine/a.cpp", "#include <immintrin.h>\n"}).size() == 1);
    CHECK(intrinsics_faults({"ui/a.cpp", "#include <arm_neon.h>\n"}).size() == 1);
    CHECK(intrinsics_faults({"kernels/a.cpp", "#include <immintrin.h>\n"}).empty());
}

TEST_CASE("intrinsics: this tree") {
    auto faults = check_all(intrinsics_faults);
    CHECK_MESSAGE(faults.empty(), joined(faults));
}

TEST_CASE("heavy headers: the checker counts sources and headers apart") {
    SourceFile a{"engine/a.cpp", "#include <spdlog/spdlog.h>\n"};
    SourceFile b{"engine/b.cpp", "#include <spdlog/sinks/base_sink.h>\n"};
    SourceFile c{"engine/c.cpp", "#include <spdlog/spdlog.h>\n"};
    SourceFile test{"tests/c_test.cpp", "#include <spdlog/spdlog.h>\n"};
    SourceFile h{"engine/h.h", "#include <nlohmann/json.hpp>\n"};
    SourceFile i{"engine/i.h", "#include <nlohmann/json.hpp>\n"};
    CHECK(heavy_faults({a, b, test, h}).empty());
    CHECK(heavy_faults({a, b, c}).size() == 1);
    CHECK(heavy_faults({h, i}).size() == 1);
}

TEST_CASE("heavy headers: this tree") {
    auto faults = heavy_faults(this_tree());
    CHECK_MESSAGE(faults.empty(), joined(faults));
}

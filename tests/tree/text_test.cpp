// SPDX-License-Identifier: Apache-2.0
#include "tests/tree/text_rules.h"

#include <doctest/doctest.h>

using namespace tree;

template <typename Check>
static void check_tree(const Check& check) {
    auto faults = check_all(check);
    CHECK_MESSAGE(faults.empty(), joined(faults));
}

TEST_CASE("code without comments and strings") {
    CHECK(code_only("a // b\nc") == "a \nc");
    CHECK(code_only("a /* b\n c */ d") == "a \n d");
    CHECK(code_only("f(\"x // y\\\" z\", 'q')") == "f(\"\", '')");
    CHECK(code_only("n = 1'000'000; // m") == "n = 1'000'000; ");
    CHECK(code_only("R\"x(a)\" )x\" b") == "\"\" b");
    CHECK(code_only("/* never closed") == "");
    CHECK(code_only("\"never closed") == "\"");
    CHECK(code_only("R\"(never closed") == "\"\"");
}

TEST_CASE("blocking calls: the checker") {
    CHECK(blocking_faults({"ui/a.cpp", "dialog.exec();\n"}).size() == 1);
    CHECK(blocking_faults({"ui/a.cpp", "menu->exec (pos);\n"}).size() == 1);
    CHECK(blocking_faults({"ui/a.cpp", "// dialog.exec()\nf(\"x.exec()\");\n"}).empty());
    CHECK(blocking_faults({"ui/a.cpp", "query.executed();\n"}).empty());
    CHECK(blocking_faults({"app/desktop/main.cpp", "return app.exec();\n"}).empty());
    CHECK(blocking_faults({"app/desktop/main.cpp", "d.exec();\nreturn app.exec();\n"}).size() == 2);
    CHECK(blocking_faults({"app/desktop/a.cpp", "x(Qt::BlockingQueuedConnection);\n"}).size() == 1);
    CHECK(blocking_faults({"engine/a.cpp", "x.exec();\n"}).empty());
}

TEST_CASE("blocking calls: this tree") {
    check_tree(blocking_faults);
}

TEST_CASE("style sheets") {
    CHECK(style_sheet_faults({"ui/a.cpp", "w->setStyleSheet(s);\n"}).size() == 1);
    CHECK(style_sheet_faults({"ui/a.cpp", "// no setStyleSheet\n"}).empty());
    check_tree(style_sheet_faults);
}

TEST_CASE("compiler flags") {
    CHECK(flag_faults({"CMakeLists.txt", "add_compile_options(-ffast-math)\n"}).size() == 1);
    CHECK(flag_faults({"cmake/a.cmake", "set(F \"-O2 -march=native\")\n"}).size() == 1);
    CHECK(flag_faults({"CMakePresets.json", "\"F\": \"-Ofast\"\n"}).size() == 1);
    CHECK(
        flag_faults({"CMakeLists.txt", "# never -ffast-math\nset(A -march=armv8.2-a)\n"}).empty());
    check_tree(flag_faults);
}

TEST_CASE("the licence line") {
    CHECK(licence_faults({"ui/a.cpp", "int a;\n"}).size() == 1);
    CHECK(licence_faults({"packaging/dev/a.sh", ""}).size() == 1);
    CHECK(licence_faults({"ui/a.h", "// SPDX-License-Identifier: Apache-2.0\nint a;\n"}).empty());
    CHECK(licence_faults({"README.md", "words\n"}).empty());
    check_tree(licence_faults);
}

TEST_CASE("the length of files") {
    CHECK(length_faults({"ui/a.cpp", std::string(kMaxLines + 1, '\n')}).size() == 1);
    CHECK(length_faults({"ui/a.cpp", std::string(kMaxLines, '\n')}).empty());
    check_tree(length_faults);
}

TEST_CASE("paths of one machine") {
    CHECK(path_faults({"README.md", std::string("see /ro") + "ot/x\n"}).size() == 1);
    CHECK(path_faults({"a.py", std::string("open('/wo") + "rk/x')\n"}).size() == 1);
    CHECK(path_faults({"a.sh", "cd $base/root/x; ls /worker/y\n"}).empty());
    check_tree(path_faults);
}

TEST_CASE("work left for later") {
    CHECK(leftover_faults({"ui/a.cpp", std::string("// TO") + "DO: later\n"}).size() == 1);
    CHECK(leftover_faults({"ui/a.cpp", "int todo;\n"}).empty());
    check_tree(leftover_faults);
}

TEST_CASE("the head of README") {
    CHECK(readme_faults("# x\n./dev run\n./dev test\n").empty());
    CHECK(readme_faults("# x\n./dev run\n").size() == 1);
    CHECK(readme_faults(std::string(10, '\n') + "./dev run\n./dev test\n").size() == 2);
    bool found = false;
    for (const auto& file : this_tree())
        if (file.path == "README.md") {
            found = true;
            auto faults = readme_faults(file.text);
            CHECK_MESSAGE(faults.empty(), joined(faults));
        }
    CHECK(found);
}

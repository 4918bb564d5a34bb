// SPDX-License-Identifier: Apache-2.0
// render_template TEMPLATE CONTEXT: prints what our Jinja makes of a template file and the values
// in a JSON file, whose keys are the template's globals. With --origins, text from the input stands
// between two marks. A failure prints "error: ..." and exits with 1, or with 2 if the template
// itself refused. The clock stands at 2024-02-29 13:05:09.
#include "engine/template/jinja/json.h"
#include "engine/template/jinja/template.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

using namespace sotto;

namespace {

std::string contents(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

int complain(const Error& error) {
    std::cout << "error: " << error.message << "\n";
    return error.code == ErrorCode::bad_argument ? 2 : 1;
}

std::tm fixed_time() {
    std::tm time{};
    time.tm_year = 124;
    time.tm_mon = 1;
    time.tm_mday = 29;
    time.tm_hour = 13;
    time.tm_min = 5;
    time.tm_sec = 9;
    return time;
}

/// The text with what is not trusted between marks.
std::string marked(const jinja::Rendered& rendered) {
    std::string out;
    std::size_t at = 0;
    const auto input = [&](std::size_t end) {
        out += end > at ? "\x02" + rendered.text.substr(at, end - at) + "\x03" : "";
    };
    for (const jinja::Span& span : rendered.trusted) {
        input(span.begin);
        out += rendered.text.substr(span.begin, span.end - span.begin);
        at = span.end;
    }
    input(rendered.text.size());
    return out;
}

} // namespace

int main(int argc, char** argv) {
    const bool origins = argc == 4 && std::string_view(argv[1]) == "--origins";
    if (argc != 3 && !origins) {
        std::cerr << "usage: render_template [--origins] TEMPLATE CONTEXT\n";
        return 64;
    }
    const auto parsed = jinja::Template::parse(contents(argv[argc - 2]));
    if (!parsed) {
        return complain(parsed.error());
    }
    const auto globals =
        jinja::from_json(contents(argv[argc - 1]), jinja::Origin::input, jinja::Origin::trusted);
    if (!globals) {
        std::cerr << "context: " << globals.error().message << "\n";
        return 64;
    }
    jinja::RenderOptions options;
    options.now = fixed_time;
    const auto rendered = (*parsed)->render(*globals, options);
    if (!rendered) {
        return complain(rendered.error());
    }
    std::cout << (origins ? marked(*rendered) : rendered->text);
    return 0;
}

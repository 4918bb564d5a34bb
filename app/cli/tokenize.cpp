// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/json_output.h"
#include "app/cli/session.h"
#include "app/cli/terminal.h"

#include <CLI/App.hpp>

#include <cstdio>

namespace sotto::cli {
namespace {

void print_table(const Model& model, const std::vector<TokenId>& ids) {
    for (const TokenId id : ids) {
        std::printf("%7d  %s\n", id, json_quoted(model.token_bytes(id, true)).c_str());
    }
}

} // namespace

int run_tokenize(int argc, char** argv) {
    OptionSet options(
        "tokenize",
        "Show the tokens of a text. Without --prompt or --file standard input is read.");
    CLI::App& app = options.app();
    std::string path, prompt, file = "-";
    bool no_bos = false, parse_special = false, json = false;
    add_model_option(app, path);
    auto* given = app.add_option("-p,--prompt", prompt, "the text");
    app.add_option("-f,--file", file, "take the text from a file; - is standard input")
        ->excludes(given);
    app.add_flag("--no-bos", no_bos, "add no begin token");
    app.add_flag("--parse-special", parse_special, "text that spells a special token becomes it");
    app.add_flag("--json", json, "print one JSON object: ids and pieces");
    if (const auto code = options.parse(argc, argv)) {
        return *code;
    }
    if (given->empty()) {
        auto text = read_text(file);
        if (!text) {
            return fail(text.error());
        }
        prompt = *std::move(text);
    }
    auto model = load(path, 0);
    if (!model) {
        return fail(model.error());
    }
    const std::vector<TokenId> ids = (*model)->tokenize(prompt, !no_bos, parse_special);
    if (!json) {
        print_table(**model, ids);
        return kOk;
    }
    std::vector<std::string> pieces;
    for (const TokenId id : ids) {
        pieces.push_back((*model)->token_bytes(id, true));
    }
    print_json(ids, pieces);
    return kOk;
}

} // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/empty_states.h"

#include "app/desktop/format.h"

#include <QtCore/QCoreApplication>

namespace sotto::app {
namespace {

using ui::EmptyState;

QString tr(const char* text) {
    return QCoreApplication::translate("empty_states", text);
}
QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

} // namespace

EmptyState noModelState() {
    EmptyState state;
    state.title = tr("No model yet");
    state.lines = {tr("Sotto talks to a language model on this machine: a GGUF file, or a folder "
                      "as Hugging Face has them."),
                   tr("What you write stays here.")};
    state.hint = tr("A .gguf file or a model's folder can also be dropped on this window");
    state.offersModel = true;
    return state;
}

EmptyState loadingState(const QString& fileName) {
    EmptyState state;
    state.title = tr("Opening %1").arg(shortName(fileName));
    state.lines = {tr("You can write already; sending waits for the model.")};
    return state;
}

EmptyState modelState(const ui::ModelDetails& details) {
    const ModelInfo& info = details.info;
    EmptyState state;
    state.title = shortName(text(info.name));
    state.lines = {tr("%1 parameters in %2, %3 in memory")
                       .arg(parametersText(info.n_parameters), text(info.quantization),
                            bytesText(info.weight_bytes)),
                   tr("Keeps %1 tokens of a chat in view").arg(countText(details.nCtx))};
    if (!info.template_warning.empty()) {
        state.lines += text(info.template_warning);
    }
    for (const std::string& warning : info.warnings) {
        state.lines += text(warning);
    }
    state.examples = {tr("Explain why the sky is blue in three sentences"),
                      tr("Write a short birthday message for a colleague"),
                      tr("List five things to pack for a weekend hike")};
    state.hint = tr("Runs on this machine; what you write stays here");
    return state;
}

} // namespace sotto::app

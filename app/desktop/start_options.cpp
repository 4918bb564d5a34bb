// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/start_options.h"

#include <QtCore/QtGlobal>

namespace sotto::app {
namespace {

/// Options of QGuiApplication that take a value of their own.
bool isQtOptionWithValue(const QString& argument) {
    static const QStringList names = {
        QStringLiteral("platform"),        QStringLiteral("platformpluginpath"),
        QStringLiteral("platformtheme"),   QStringLiteral("plugin"),
        QStringLiteral("style"),           QStringLiteral("stylesheet"),
        QStringLiteral("qwindowgeometry"), QStringLiteral("qwindowtitle"),
        QStringLiteral("qwindowicon"),     QStringLiteral("display"),
        QStringLiteral("session"),
    };
    QString name = argument;
    while (name.startsWith(QLatin1Char('-'))) {
        name.remove(0, 1);
    }
    return argument.startsWith(QLatin1Char('-')) && names.contains(name);
}

void parseOption(const QString& argument, StartOptions& options) {
    if (argument == QLatin1String("-h") || argument == QLatin1String("--help")) {
        options.showHelp = true;
    } else if (argument == QLatin1String("-V") || argument == QLatin1String("--version")) {
        options.showVersion = true;
    } else if (argument != QLatin1String("-reverse")) {
        options.problem = QStringLiteral("unknown option '%1'; see sotto --help").arg(argument);
    }
}

} // namespace

StartOptions parseArguments(const QStringList& arguments) {
    StartOptions options;
    bool optionsEnded = false;
    for (int i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        if (!optionsEnded && argument == QLatin1String("--")) {
            optionsEnded = true;
        } else if (!optionsEnded && isQtOptionWithValue(argument)) {
            ++i;
        } else if (!optionsEnded && argument.startsWith(QLatin1Char('-')) && argument.size() > 1) {
            parseOption(argument, options);
        } else if (options.modelPath.isEmpty()) {
            options.modelPath = argument;
        } else {
            options.problem =
                QStringLiteral("only one model can be opened, and '%1' is a second").arg(argument);
        }
    }
    return options;
}

QString helpText() {
    return QStringLiteral(
        "Usage: sotto [MODEL]\n"
        "A window to chat with a language model that runs on this machine.\n\n"
        "  MODEL           the model to open: a .gguf file, or a folder with config.json and\n"
        "                  .safetensors files; without it, the last one\n"
        "  -V, --version   print the version and leave\n"
        "  -h, --help      print this and leave\n\n"
        "Without a display, use: sotto-cli chat --model MODEL\n");
}

QString versionText() {
    return QStringLiteral("sotto " SOTTO_VERSION "\n");
}

QString displayProblem(const QStringList& arguments) {
#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)
    if (arguments.contains(QLatin1String("-platform")) ||
        arguments.contains(QLatin1String("--platform"))) {
        return {};
    }
    for (const char* name : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
        if (!qEnvironmentVariableIsEmpty(name)) {
            return {};
        }
    }
    return QStringLiteral(
        "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is "
        "set); use `sotto-cli chat` instead");
#else
    Q_UNUSED(arguments)
    return {};
#endif
}

} // namespace sotto::app

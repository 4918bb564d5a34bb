// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringList>

namespace sotto::app {

inline constexpr int kExitUsage = 2;
inline constexpr int kExitNoDisplay = 3;

/// The command line of the window's program.
struct StartOptions {
    bool showHelp = false;
    bool showVersion = false;
    QString modelPath; ///< to open at once; empty: the last one
    QString problem;   ///< what is wrong with the command line, a sentence
};

/// `arguments` without the program's name. Options that Qt itself takes (-platform, -style, ...)
/// pass.
StartOptions parseArguments(const QStringList& arguments);
QString helpText();
QString versionText();

/// Why no window can be opened, a sentence, or empty. Looked at before QApplication exists, which
/// would abort. `arguments` may name a platform of their own.
QString displayProblem(const QStringList& arguments);

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/main_window.h"
#include "app/desktop/quit_signals.h"
#include "app/desktop/start_options.h"
#include "engine/engine.h"
#include "ui/bridge/engine_backend.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"

#include <QtCore/QLibraryInfo>
#include <QtCore/QLocale>
#include <QtCore/QThreadPool>
#include <QtCore/QTranslator>
#include <QtWidgets/QApplication>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace sotto;
using namespace std::chrono_literals;

constexpr auto kGrace = 3s; // for threads to end once the window is gone

void print(std::FILE* to, const QString& text) {
    std::fputs(text.toLocal8Bit().constData(), to);
}

QStringList argumentList(int argc, char** argv) {
    QStringList list;
    for (int i = 1; i < argc; ++i) {
        list += QString::fromLocal8Bit(argv[i]);
    }
    return list;
}

/// The locale "C" has no separators in its numbers; a person at a window wants them.
void setUpLocale(QTranslator& ours, QTranslator& qts) {
    if (QLocale::system().language() == QLocale::C) {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }
    const QString qtFolder = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    if (qts.load(QLocale(), QStringLiteral("qtbase"), QStringLiteral("_"), qtFolder)) {
        QCoreApplication::installTranslator(&qts);
    }
    if (ours.load(QLocale(), QStringLiteral("sotto"), QStringLiteral("_"),
                  QStringLiteral(":/translations"))) {
        QCoreApplication::installTranslator(&ours);
    }
}

/// Qt ends the process where no window can be opened, by abort(): say what a person can do instead.
void explainNoWindow(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (type != QtFatalMsg) {
        print(stderr, qFormatLogMessage(type, context, message) + QLatin1Char('\n'));
        return;
    }
    print(stderr,
          QStringLiteral("sotto: no window can be opened (%1); use `sotto-cli chat` instead\n")
              .arg(message.section(QLatin1Char('\n'), 0, 0)));
    std::_Exit(app::kExitNoDisplay);
}

int openWindow(int argc, char** argv, const app::StartOptions& options) {
    QCoreApplication::setApplicationName(QStringLiteral("sotto"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SOTTO_VERSION));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Sotto"));
    QGuiApplication::setDesktopFileName(QStringLiteral("sotto"));
    const Result<CpuInfo> cpu = cpu_info();
    if (!cpu) { // SOTTO_ISA asks for what is not there
        print(stderr,
              QStringLiteral("sotto: %1\n").arg(QString::fromStdString(cpu.error().message)));
        return EXIT_FAILURE;
    }
    const auto previous = qInstallMessageHandler(explainNoWindow);
    QApplication application(argc, argv);
    qInstallMessageHandler(previous);
    QTranslator ours, qts;
    setUpLocale(ours, qts);
    ui::Settings settings;
    ui::Theme& theme = ui::Theme::instance();
    theme.assumeDark(settings.value(ui::Setting::LastDark).toBool());
    theme.install();
    app::MainWindow window(std::make_shared<ui::EngineBackend>(), &settings,
                           {QString::fromStdString(cpu->used), cpu->n_cores});
    const app::QuitSignals quitSignals;
    QObject::connect(&quitSignals, &app::QuitSignals::quitRequested, &window, &QWidget::close);
    window.show();
    options.modelPath.isEmpty() ? window.openLastModel() : window.openPath(options.modelPath);
    const int code = QApplication::exec();
    settings.save();
    constexpr int kGraceMs = std::chrono::milliseconds(kGrace).count();
    if (!window.bridge().finish(kGrace) || !QThreadPool::globalInstance()->waitForDone(kGraceMs)) {
        std::_Exit(code); // a disk that does not answer must not keep the process
    }
    return code;
}

} // namespace

int main(int argc, char** argv) {
    const QStringList arguments = argumentList(argc, argv);
    const app::StartOptions options = app::parseArguments(arguments);
    if (!options.problem.isEmpty()) {
        print(stderr, QStringLiteral("sotto: %1\n").arg(options.problem));
        return app::kExitUsage;
    }
    if (options.showHelp || options.showVersion) {
        print(stdout, options.showHelp ? app::helpText() : app::versionText());
        return EXIT_SUCCESS;
    }
    const QString problem = app::displayProblem(arguments);
    if (!problem.isEmpty()) {
        print(stderr, QStringLiteral("sotto: %1\n").arg(problem));
        return app::kExitNoDisplay;
    }
    return openWindow(argc, argv, options);
}

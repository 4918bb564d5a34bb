// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/desktop/actions.h"
#include "app/desktop/chat_controller.h"
#include "app/desktop/main_window.h"
#include "tests/support/fake_backend.h"
#include "tests/support/sanitized.h"
#include "ui/chat/chat_view.h"
#include "ui/chat/composer.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"

#include <QtCore/QDir>
#include <QtCore/QLocale>
#include <QtCore/QMimeData>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtGui/QDropEvent>
#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QPlainTextEdit>

#include <memory>

namespace sotto::test {

/// What main() does before the first window; the desktop of the machine that runs the tests is not
/// asked.
inline void setUpApplication() {
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    ui::Theme::instance().setColorScheme(std::make_unique<ui::ColorScheme>());
    ui::Theme::instance().install();
}

/// As a file manager drops files on `target`.
inline void drop(QWidget* target, const QList<QUrl>& urls) {
    QMimeData data;
    data.setUrls(urls);
    const QPoint at = target->rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton,
                          Qt::NoModifier);
    QApplication::sendEvent(target, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &event);
    QVERIFY(event.isAccepted());
    QCOMPARE(event.dropAction(), Qt::CopyAction);
}

/// The real window over a backend, with settings of its own.
class WindowFixture final {
  public:
    explicit WindowFixture(std::shared_ptr<ui::Backend> backend)
        : m_settings(m_dir.filePath(QStringLiteral("sotto.ini"))),
          m_window(std::make_unique<app::MainWindow>(std::move(backend), &m_settings,
                                                     app::MachineInfo{QStringLiteral("avx2"), 4})) {
        m_window->show();
    }

    [[nodiscard]] app::MainWindow& window() { return *m_window; }
    [[nodiscard]] ui::Settings& settings() { return m_settings; }
    [[nodiscard]] ui::Bridge& bridge() { return m_window->bridge(); }
    [[nodiscard]] app::ChatController& chat() { return m_window->chat(); }
    [[nodiscard]] ui::Conversation& conversation() { return *m_window->chat().conversation(); }
    [[nodiscard]] app::Actions& actions() { return m_window->actions(); }
    [[nodiscard]] QPlainTextEdit* edit() {
        return m_window->composer().findChild<QPlainTextEdit*>();
    }

    /// A file that exists, for menus that look.
    QString makeFile(const QString& name) {
        QFile file(m_dir.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("cannot write %s", qPrintable(file.fileName()));
        }
        return file.fileName();
    }
    QString makeFolder(const QString& name) {
        if (!QDir(m_dir.path()).mkdir(name)) {
            qFatal("cannot make %s", qPrintable(name));
        }
        return m_dir.filePath(name);
    }
    [[nodiscard]] bool open(const QString& path) {
        QSignalSpy loaded(&bridge(), &ui::Bridge::modelLoaded);
        m_window->openPath(path);
        return QTest::qWaitFor([&] { return loaded.count() == 1; });
    }
    /// Types into the composer and presses Enter.
    void say(const QString& text) {
        m_window->composer().setText(text);
        QTest::keyClick(edit(), Qt::Key_Return);
    }
    [[nodiscard]] bool waitUntilIdle(int timeoutMs = 5000) {
        return QTest::qWaitFor([this] { return !chat().isBusy(); }, timeoutMs);
    }
    [[nodiscard]] const ui::Message& last() {
        return conversation().at(conversation().count() - 1);
    }
    void destroyWindow() { m_window.reset(); }

  private:
    QTemporaryDir m_dir;
    ui::Settings m_settings;
    std::unique_ptr<app::MainWindow> m_window;
};

} // namespace sotto::test

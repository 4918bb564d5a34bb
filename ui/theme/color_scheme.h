// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>

#include <memory>

namespace sotto::ui {

/// What the desktop asks for: light or dark, and whether things may move. One subclass a platform.
/// Lives on the window's thread and never blocks it; values arrive later, with changed().
class ColorScheme : public QObject {
    Q_OBJECT
  public:
    enum class Scheme { Unknown, Light, Dark };

    explicit ColorScheme(QObject* parent = nullptr) : QObject(parent) {}
    /// Unknown: not answered yet, or nobody to ask. A desktop without a wish is Light.
    [[nodiscard]] Scheme current() const { return m_scheme; }
    [[nodiscard]] bool reducedMotion() const { return m_reducedMotion; }

    /// The one for this platform.
    static std::unique_ptr<ColorScheme> create();

  Q_SIGNALS:
    void changed();

  protected:
    void report(Scheme scheme, bool reducedMotion);

  private:
    Scheme m_scheme = Scheme::Unknown;
    bool m_reducedMotion = false;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/settings/setting_table.h"

#include <QtCore/QObject>
#include <QtCore/QSettings>
#include <QtCore/QStringList>
#include <QtCore/QTimer>

#include <memory>

namespace sotto::ui {

/// What is remembered, in an INI file of the user's configuration folder. A file that is damaged or
/// cannot be written stops nothing: the defaults hold, and problemFound() tells it once. Window's
/// thread.
class Settings final : public QObject {
    Q_OBJECT
  public:
    static constexpr int kMaxRecent = 10;

    /// An empty path is the user's own file.
    explicit Settings(const QString& file = {}, QObject* parent = nullptr);
    ~Settings() override;

    [[nodiscard]] QString file() const { return m_file; }
    [[nodiscard]] QVariant value(Setting setting) const;
    void setValue(Setting setting, const QVariant& value);
    [[nodiscard]] SamplingParams sampling() const;
    void setSampling(const SamplingParams& params);

    /// Paths of models, the latest first.
    [[nodiscard]] QStringList recentModels() const;
    void addRecentModel(const QString& path);
    void removeRecentModel(const QString& path);

    /// Writes now; otherwise it happens half a second after a change.
    void save();
    /// A sentence about the file, or empty: for what was found before anyone listened.
    [[nodiscard]] QString problem() const { return m_problem; }

  Q_SIGNALS:
    void problemFound(const QString& sentence);

  private:
    void open();
    void setAsideDamaged();
    void store(const QString& key, const QVariant& value);
    void tell(const QString& sentence);

    QString m_file;
    QString m_problem;
    std::unique_ptr<QSettings> m_store;
    QTimer m_saveDelay;
};

} // namespace sotto::ui

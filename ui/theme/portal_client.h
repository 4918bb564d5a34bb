// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtCore/QVariant>
#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusVariant>

namespace sotto::ui {

/// The half of PortalColorScheme that lives on its thread. Emits found() for every answer and
/// change.
class PortalClient final : public QObject {
    Q_OBJECT
  public:
    explicit PortalClient(const QString& busAddress);
    ~PortalClient() override;

  public Q_SLOTS:
    void start();

  Q_SIGNALS:
    /// `value`: unwrapped from the variants it came in.
    void found(const QString& nameSpace, const QString& key, const QVariant& value);

  private Q_SLOTS:
    void settingChanged(const QString& nameSpace, const QString& key, const QDBusVariant& value);

  private:
    void readAll();
    void read(const QString& method, const QString& nameSpace, const QString& key);

    const QString m_address, m_name;
    QDBusConnection m_bus;
};

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QStandardPaths>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace sotto::ui {
namespace {

constexpr int kSaveDelayMs = 500;
constexpr qint64 kMaxFileBytes = 1 << 20; // ours has a few kilobytes

QString defaultFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/sotto/sotto.ini");
}

QString paramKey(const ParamInfo& info) {
    return QStringLiteral("sampling/") + QLatin1String(info.key);
}

/// The shortest text that reads back as the same number.
template <class T>
QString numberText(T value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return QString::fromLatin1(text, end - text);
}

/// False, and `value` as it was, unless all of `text` is a number in the range of `info`.
template <class T>
bool readNumber(const QString& text, const ParamInfo& info, T& value) {
    const QByteArray latin = text.toLatin1();
    T read{};
    const auto [end, code] = std::from_chars(latin.begin(), latin.end(), read);
    if (code != std::errc{} || end != latin.end() || latin.isEmpty()) {
        return false;
    }
    const auto number = static_cast<double>(read);
    if (!std::isfinite(number) || number < info.min || number > info.max) {
        return false;
    }
    value = read;
    return true;
}

/// QSettings takes anything and silently drops it at the next write; this tells a settings file
/// from others.
bool looksLikeSettings(const QByteArray& bytes) {
    if (bytes.contains('\0')) {
        return false;
    }
    const QList<QByteArray> lines = bytes.split('\n');
    return std::all_of(lines.begin(), lines.end(), [](const QByteArray& line) {
        const QByteArray text = line.trimmed();
        const bool section = text.startsWith('[') && text.endsWith(']');
        return text.isEmpty() || section || text.startsWith(';') || text.contains('=');
    });
}

bool isDamaged(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        return false; // missing or out of reach, which is another matter
    }
    return file.size() > kMaxFileBytes || !looksLikeSettings(file.read(kMaxFileBytes));
}

} // namespace

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent), m_file(file.isEmpty() ? defaultFile() : file) {
    m_saveDelay.setSingleShot(true);
    m_saveDelay.setInterval(kSaveDelayMs);
    connect(&m_saveDelay, &QTimer::timeout, this, &Settings::save);
    open();
}

Settings::~Settings() {
    m_store->sync();
}

void Settings::open() {
    if (isDamaged(m_file)) {
        setAsideDamaged();
    }
    m_store = std::make_unique<QSettings>(m_file, QSettings::IniFormat);
    if (m_store->status() == QSettings::AccessError || !m_store->isWritable()) {
        tell(tr("Settings cannot be saved: %1 is not writable")
                 .arg(QDir::toNativeSeparators(m_file)));
    }
}

void Settings::setAsideDamaged() {
    const QString aside = m_file + QStringLiteral(".damaged");
    QFile::remove(aside);
    if (QFile::rename(m_file, aside)) {
        tell(tr("The settings file was damaged; it was kept as %1 and the defaults are used")
                 .arg(QDir::toNativeSeparators(aside)));
    } else {
        tell(tr("The settings file %1 is damaged; the defaults are used")
                 .arg(QDir::toNativeSeparators(m_file)));
    }
}

QVariant Settings::value(Setting setting) const {
    const SettingRow& row = settingTable()[static_cast<std::size_t>(setting)];
    return checkedSetting(row, m_store->value(QLatin1String(row.key)));
}

void Settings::setValue(Setting setting, const QVariant& value) {
    const SettingRow& row = settingTable()[static_cast<std::size_t>(setting)];
    store(QLatin1String(row.key), checkedSetting(row, value));
}

SamplingParams Settings::sampling() const {
    SamplingParams params;
    visit_params(params, [this](const ParamInfo& info, auto& field) {
        readNumber(m_store->value(paramKey(info)).toString(), info, field);
    });
    return params;
}

void Settings::setSampling(const SamplingParams& params) {
    visit_params(params, [this](const ParamInfo& info, const auto& field) {
        store(paramKey(info), numberText(field));
    });
}

QStringList Settings::recentModels() const {
    QStringList paths = value(Setting::RecentModels).toStringList();
    paths.removeAll(QString());
    paths.removeDuplicates();
    return paths.mid(0, kMaxRecent);
}

void Settings::addRecentModel(const QString& path) {
    QStringList paths = recentModels();
    paths.removeAll(path);
    paths.prepend(path);
    setValue(Setting::RecentModels, paths.mid(0, kMaxRecent));
}

void Settings::removeRecentModel(const QString& path) {
    QStringList paths = recentModels();
    paths.removeAll(path);
    setValue(Setting::RecentModels, paths);
}

void Settings::store(const QString& key, const QVariant& value) {
    m_store->setValue(key, value);
    m_saveDelay.start();
}

void Settings::save() {
    m_saveDelay.stop();
    m_store->sync();
    if (m_store->status() != QSettings::NoError) {
        tell(tr("Settings cannot be saved: %1 is not writable")
                 .arg(QDir::toNativeSeparators(m_file)));
    }
}

void Settings::tell(const QString& sentence) {
    if (m_problem.isEmpty()) { // once is enough
        m_problem = sentence;
        Q_EMIT problemFound(sentence);
    }
}

} // namespace sotto::ui

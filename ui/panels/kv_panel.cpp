// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/kv_panel.h"

#include "ui/panels/kv_rows.h"
#include "ui/panels/number_field.h"
#include "ui/panels/row_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QtCore/QSignalBlocker>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace sotto::ui {
namespace {

constexpr int kControlWidth = 92;

QStringList typeNames() {
    QStringList names;
    for (const CacheType type : kCacheTypes)
        names += QString::fromLatin1(cache_type_name(type)).toUpper();
    return names;
}

CacheType typeAt(const ChoiceBox* box) {
    const auto last = static_cast<int>(kCacheTypes.size()) - 1;
    return kCacheTypes[static_cast<std::size_t>(std::clamp(box->currentIndex(), 0, last))];
}

} // namespace

KvPanel::KvPanel(QWidget* parent) : Panel(QStringLiteral("kv"), tr("Memory"), parent) {
    auto* layout = new QVBoxLayout(this);
    useSpacing(layout, {14, 12, 14, 12}, 6);
    addChoices(layout);
    addEstimate(layout);
    addNow(layout);
    layout->addStretch(1);
    clearModel();
}

void KvPanel::addChoices(QVBoxLayout* layout) {
    const QString reload = tr("after reload");
    m_context = makeAutoField({0, kMaxContext, 512, 0}, {}, this);
    m_keys = new ChoiceBox(typeNames(), this);
    m_values = new ChoiceBox(typeNames(), this);
    m_limit = makeAutoField({0, kMaxMiB, 64, 0}, tr(" MiB"), this);
    m_whenFull = new ChoiceBox({tr("Stop and say so"), tr("Drop the oldest turns")}, this);
    addControl(layout,
               {tr("Context"), reload,
                tr("Tokens a chat may hold. 0 (auto): as many as the model was trained for and "
                   "memory allows. Acts after reload.")},
               m_context, kControlWidth);
    addControl(layout,
               {tr("Keys"), reload,
                tr("How keys are kept. Q8_0 takes about half the memory of F16, at a small loss. "
                   "Acts after reload.")},
               m_keys, kControlWidth);
    addControl(layout,
               {tr("Values"), reload,
                tr("How values are kept. Q8_0 takes about half the memory of F16, at a small "
                   "loss. Acts after reload.")},
               m_values, kControlWidth);
    addControl(layout,
               {tr("Memory limit"), reload,
                tr("Memory for keys and values of all chats, in MiB. 0 (auto): one full context, "
                   "and more while memory is free. Acts after reload.")},
               m_limit, kControlWidth);
    addWideControl(layout,
                   {tr("When the context is full"), tr("next message"),
                    tr("Stop: the answer ends there and says so. Drop: the oldest questions and "
                       "answers are left out of what the model sees; the chat still shows them. "
                       "Acts on the next message.")},
                   m_whenFull);
    for (NumberField* field : {m_context, m_limit})
        connect(field, &QDoubleSpinBox::valueChanged, this, &KvPanel::onEdited);
    for (ChoiceBox* box : {m_keys, m_values, m_whenFull})
        connect(box, &QComboBox::currentIndexChanged, this, &KvPanel::onEdited);
}

void KvPanel::addEstimate(QVBoxLayout* layout) {
    addBlockCaption(layout, tr("With these settings"), this);
    m_fitsTokens = addNumber(layout, tr("tokens"), tr("Tokens a chat may hold then"), this);
    m_weights = addNumber(layout, tr("weights"), tr("The model itself, with its vocabulary"), this);
    m_kv =
        addNumber(layout, tr("keys and values"), tr("Keys and values of one full context"), this);
    m_together = addNumber(layout, tr("together"),
                           tr("Weights, keys and values, and what a step works in"), this);
    m_free = addNumber(layout, tr("free for it"),
                       tr("Memory that is free now, with what this model holds already"), this);
    m_warning = new QLabel(this);
    m_warning->setObjectName(QStringLiteral("memoryWarning"));
    m_warning->setTextFormat(Qt::PlainText);
    m_warning->setWordWrap(true);
    useTextRole(m_warning, Role::Warning);
    layout->addWidget(m_warning);
    m_reload = new QPushButton(icon(Icon::Reset), tr("Reload"), this);
    m_reload->setObjectName(QStringLiteral("reload"));
    m_reload->setAccessibleDescription(
        tr("Runs the open model with these settings now; the chat stays"));
    connect(m_reload, &QPushButton::clicked, this, &KvPanel::reloadRequested);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_reload);
    foot->addStretch(1);
    useSpacing(foot, {0, 6, 0, 0}, 0);
    layout->addLayout(foot);
}

void KvPanel::addNow(QVBoxLayout* layout) {
    addBlockCaption(layout, tr("Keys and values now"), this);
    m_used = addNumber(layout, tr("used"), tr("What running and reusable tokens take"), this);
    m_held = addNumber(layout, tr("held"), tr("Memory set aside for keys and values"), this);
    m_most = addNumber(layout, tr("limit"), tr("What keys and values may grow to"), this);
    m_reused = addNumber(
        layout, tr("reused"),
        tr("Prompt tokens of all requests that were computed already and cost nothing"), this);
}

MemorySettings KvPanel::settings() const {
    MemorySettings settings;
    settings.nCtx = static_cast<int>(m_context->value());
    settings.cacheTypes = {typeAt(m_keys), typeAt(m_values)};
    settings.kvMiB = static_cast<int>(m_limit->value());
    settings.contextFull =
        m_whenFull->currentIndex() == 1 ? ContextFull::drop_turns : ContextFull::stop;
    return settings;
}

void KvPanel::setSettings(const MemorySettings& settings) {
    const QSignalBlocker quiet[] = {QSignalBlocker(m_context), QSignalBlocker(m_limit),
                                    QSignalBlocker(m_keys), QSignalBlocker(m_values),
                                    QSignalBlocker(m_whenFull)};
    m_context->setValue(settings.nCtx);
    m_limit->setValue(settings.kvMiB);
    m_keys->setCurrentIndex(static_cast<int>(settings.cacheTypes.k));
    m_values->setCurrentIndex(static_cast<int>(settings.cacheTypes.v));
    m_whenFull->setCurrentIndex(settings.contextFull == ContextFull::drop_turns ? 1 : 0);
    refresh();
}

void KvPanel::onEdited() {
    refresh();
    Q_EMIT settingsChanged(settings());
}

} // namespace sotto::ui

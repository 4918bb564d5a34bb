// SPDX-License-Identifier: Apache-2.0
// What the memory panel shows of the open model and its engine.
#include "ui/panels/kv_panel.h"

#include "ui/panels/row_label.h"
#include "ui/theme/digits.h"

#include <QtCore/QLocale>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include <algorithm>

namespace sotto::ui {
namespace {

const QString kNoNumber = QStringLiteral("\u2013");

QString countText(qint64 n) {
    return QLocale().toString(n);
}

QString mebibytes(qint64 bytes) {
    return KvPanel::tr("%1 MiB").arg(countText((bytes + (1 << 19)) >> 20));
}

} // namespace

void KvPanel::setModel(const ModelDetails& details) {
    m_hasModel = true;
    m_details = details;
    m_status = {};
    refresh();
}

void KvPanel::clearModel() {
    m_hasModel = false;
    m_details = {};
    m_status = {};
    refresh();
}

void KvPanel::setLoading(bool loading) {
    if (loading == m_loading)
        return;
    m_loading = loading;
    refresh();
}

void KvPanel::setStatus(const EngineStatus& status) {
    m_status = status;
    refresh();
}

void KvPanel::refresh() {
    const bool differs = m_hasModel && !settings().sameEngine(m_details.memory);
    m_reload->setEnabled(differs && !m_loading);
    m_reload->setToolTip(
        wrappedTip(m_loading     ? tr("A model is being loaded")
                   : !m_hasModel ? tr("No model is open; the settings act on the next one")
                   : differs     ? tr("Runs the open model with these settings now; the chat stays")
                                 : tr("The open model runs with these settings already")));
    showEstimate();
    showNow();
}

void KvPanel::showEstimate() {
    m_warning->hide();
    if (!m_hasModel) {
        for (NumberLabel* number : {m_fitsTokens, m_weights, m_kv, m_together, m_free})
            number->setText(kNoNumber);
        return;
    }
    EngineOptions options;
    settings().applyTo(options);
    // The open model stays, and its keys and values give way to the new ones.
    const MemoryEstimate alone = estimate_memory(m_details.info, options);
    const std::int64_t own = alone.weight_bytes + alone.vocabulary_bytes + m_status.kv_bytes;
    const MemoryEstimate e = estimate_memory(m_details.info, options, own);
    m_fitsTokens->setText(countText(e.n_ctx));
    m_weights->setText(mebibytes(e.weight_bytes + e.vocabulary_bytes));
    m_kv->setText(mebibytes(e.kv_bytes));
    m_together->setText(mebibytes(e.total_bytes()));
    m_free->setText(e.available_bytes > 0 ? mebibytes(e.available_bytes + own) : kNoNumber);
    if (e.missing_bytes() > 0) {
        m_warning->setText(tr("%1 more than is free. Choose a smaller context or Q8_0, or close "
                              "other programs.")
                               .arg(mebibytes(e.missing_bytes())));
        m_warning->show();
    } else if (options.max_kv_bytes > 0 && options.max_kv_bytes < e.kv_bytes) {
        m_warning->setText(tr("The memory limit holds only %1 of these tokens.")
                               .arg(countText(options.max_kv_bytes /
                                              std::max<qint64>(1, m_details.info.kv_bytes(
                                                                      options.cache_type, 1)))));
        m_warning->show();
    }
}

void KvPanel::showNow() {
    const bool known = m_hasModel && m_status.n_ctx > 0;
    m_used->setText(known ? mebibytes(m_status.kv_used_bytes) : kNoNumber);
    m_held->setText(known ? mebibytes(m_status.kv_bytes) : kNoNumber);
    m_most->setText(known ? mebibytes(m_status.kv_max_bytes) : kNoNumber);
    m_reused->setText(
        known ? tr("%1 of %2")
                    .arg(countText(m_status.reused_tokens), countText(m_status.prompt_tokens))
              : kNoNumber);
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/engine_panel.h"

#include "ui/panels/kv_rows.h"
#include "ui/panels/param_row.h"
#include "ui/panels/row_label.h"
#include "ui/theme/digits.h"
#include "ui/theme/theme.h"

#include <QtCore/QLocale>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace sotto::ui {
namespace {

const QString kNothing = QStringLiteral("\u2013");

QString rate(double tokensPerS) {
    if (!std::isfinite(tokensPerS) || tokensPerS <= 0)
        return kNothing;
    return EnginePanel::tr("%1 t/s").arg(
        QLocale().toString(tokensPerS, 'f', tokensPerS < 100 ? 1 : 0));
}

QString seconds(double ms) {
    if (!std::isfinite(ms) || ms <= 0)
        return kNothing;
    return EnginePanel::tr("%1 s").arg(QLocale().toString(ms / 1000, 'f', ms < 100000 ? 2 : 0));
}

QString count(qint64 n) {
    return QLocale().toString(n);
}

ParamSpec threadsSpec(int nCores) {
    ParamSpec spec;
    spec.label = EnginePanel::tr("Threads");
    spec.help =
        EnginePanel::tr("Processor threads that compute the answer. More than the processor's "
                        "cores (%1) seldom helps.")
            .arg(nCores);
    spec.hint = EnginePanel::tr("acts now");
    spec.range = {1, static_cast<double>(nCores), 1, 0};
    spec.defaultValue = nCores;
    spec.fieldMax = EnginePanel::kMaxThreads;
    return spec;
}

} // namespace

EnginePanel::EnginePanel(int nCores, QWidget* parent)
    : Panel(QStringLiteral("engine"), tr("Engine"), parent),
      m_nCores(std::clamp(nCores, 1, kMaxThreads)),
      m_threads(new ParamRow(threadsSpec(m_nCores), this)) {
    auto* layout = new QVBoxLayout(this);
    useSpacing(layout, {14, 12, 14, 12}, 6);
    layout->addWidget(m_threads);
    addBlockCaption(layout, tr("This answer"), this);
    m_firstToken = addNumber(layout, tr("first token"),
                             tr("Time to first token: from sending to the first word"), this);
    m_reading = addNumber(layout, tr("reading"),
                          tr("Prefill: tokens of the prompt computed in a second"), this);
    m_writing = addNumber(layout, tr("writing"),
                          tr("Decode: tokens of the answer computed in a second"), this);
    m_reused =
        addNumber(layout, tr("reused"),
                  tr("Tokens of the prompt that were in the cache already and cost nothing"), this);
    m_threadsUsed =
        addNumber(layout, tr("threads at work"), tr("Threads that really took part"), this);
    addBlockCaption(layout, tr("Model and machine"), this);
    m_context = addNumber(
        layout, tr("context"),
        tr("Tokens a chat may hold. It is fixed when the model is loaded; another size acts "
           "after reload."),
        this);
    m_trained = addNumber(layout, tr("trained for"),
                          tr("The context length the model was trained with"), this);
    m_instructionSet =
        addNumber(layout, tr("instructions"),
                  tr("The instruction-set level that is used; it is chosen at the start"), this);
    layout->addStretch(1);
    connect(m_threads, &ParamRow::edited, this, [this] { Q_EMIT threadsChanged(threads()); });
    clearTimings();
    setEngineInfo({});
}

int EnginePanel::threads() const {
    return static_cast<int>(std::lround(m_threads->value()));
}

void EnginePanel::setThreads(int nThreads) {
    const int wanted = nThreads <= 0 ? m_nCores : std::min(nThreads, kMaxThreads);
    if (wanted == threads())
        return;
    m_threads->setValue(wanted);
    Q_EMIT threadsChanged(wanted);
}

void EnginePanel::setTimings(const Timings& timings) {
    m_firstToken->setText(seconds(timings.ttft_ms));
    m_reading->setText(rate(timings.prefill_tokens_per_s));
    m_writing->setText(rate(timings.decode_tokens_per_s));
    m_reused->setText(count(timings.reused_tokens));
    showThreadsUsed(timings.threads_used);
}

void EnginePanel::clearTimings() {
    for (NumberLabel* number : {m_firstToken, m_reading, m_writing, m_reused, m_threadsUsed})
        number->setText(kNothing);
}

void EnginePanel::showThreadsUsed(int nThreads) {
    m_threadsUsed->setText(nThreads > 0 ? count(nThreads) : kNothing);
}

void EnginePanel::setEngineInfo(const EngineInfo& info) {
    m_instructionSet->setText(info.instructionSet.isEmpty() ? kNothing : info.instructionSet);
    m_context->setText(info.nCtx > 0 ? count(info.nCtx) : kNothing);
    m_trained->setText(info.nCtxTrain > 0 ? count(info.nCtxTrain) : kNothing);
    if (info.threadsUsed > 0)
        showThreadsUsed(info.threadsUsed);
}

QVariantMap EnginePanel::saveState() const {
    return {{QStringLiteral("threads"), threads() == m_nCores ? 0 : threads()}};
}

void EnginePanel::restoreState(const QVariantMap& state) {
    bool ok = false;
    const int saved = state.value(QStringLiteral("threads")).toInt(&ok);
    if (ok)
        setThreads(saved);
}

} // namespace sotto::ui

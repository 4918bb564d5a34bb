// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/status_line.h"

#include "app/desktop/context_meter.h"
#include "app/desktop/format.h"
#include "ui/theme/digits.h"
#include "ui/theme/theme.h"

#include <QtGui/QPainter>
#include <QtWidgets/QLabel>

#include <algorithm>

namespace sotto::app {
namespace {

using ui::FontRole;
using ui::NumberLabel;
using ui::Role;
using ui::Theme;

constexpr int kHeight = 28, kSide = 14, kGroupGap = 22, kGap = 8;
constexpr int kNoticeMs = 6000;

QLabel* smallLabel(QWidget* parent, const QString& text = {}) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    ui::useFont(label, FontRole::Small);
    ui::useTextRole(label, Role::Muted);
    return label;
}

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent), m_file(smallLabel(this)), m_contextLabel(smallLabel(this, tr("context"))),
      m_notice(smallLabel(this)), m_meter(new ContextMeter(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    add(m_file, 0, 0);
    add(m_contextLabel, kGroupGap, 2);
    add(m_meter, kGap, 3);
    m_context = addNumber(kGap, 1, tr("Context use"));
    m_speeds = addNumber(kGroupGap, 4, tr("Speeds"));
    m_reused = addNumber(0, 5, tr("Reused tokens"));
    m_memory = new NumberLabel(this);
    m_memory->setFontRole(FontRole::Small);
    m_memory->setRole(Role::Muted);
    m_memory->setToolTip(
        tr("Memory for the weights and for the keys and values of the chat (KV cache)"));
    m_context->setToolTip(
        tr("Tokens of this chat that the model holds, of those that fit (n_ctx)"));
    m_meter->setToolTip(m_context->toolTip());
    m_contextLabel->setToolTip(m_context->toolTip());
    m_speeds->setToolTip(tr("Reading: tokens of the prompt computed per second (prefill).\n"
                            "Writing: tokens of the answer per second (decode)."));
    m_reused->setToolTip(tr("Tokens of the prompt that were already computed (prefix reuse)"));
    m_noticeTime.setSingleShot(true);
    m_noticeTime.setInterval(kNoticeMs);
    connect(&m_noticeTime, &QTimer::timeout, this, &StatusLine::arrange);
    connect(&Theme::instance(), &Theme::changed, this, &StatusLine::arrange);
    setModel({}, {});
    clearTimings();
}

void StatusLine::add(QWidget* widget, int gap, int rank) {
    m_parts.append({widget, gap, rank});
}

NumberLabel* StatusLine::addNumber(int gap, int rank, const QString& name) {
    auto* label = new NumberLabel(this, Qt::AlignLeft);
    label->setFontRole(FontRole::Small);
    label->setRole(Role::Muted);
    label->setAccessibleName(name);
    add(label, gap, rank);
    return label;
}

void StatusLine::setModel(const QString& fileName, const QString& path) {
    m_hasModel = !fileName.isEmpty();
    m_file->setText(m_hasModel ? shortName(fileName, 48) : tr("No model is open"));
    m_file->setToolTip(path);
    if (!m_hasModel) {
        setMemory(0);
    }
    arrange();
}

void StatusLine::setContext(qint64 used, qint64 nCtx) {
    m_meter->setUse(used, nCtx);
    m_context->setText(tr("%1 of %2").arg(countText(used), countText(nCtx)));
    m_context->setWidest(tr("%1 of %2").arg(countText(nCtx), countText(nCtx)));
    arrange();
}

void StatusLine::setTimings(const Timings& t) {
    m_noticeTime.stop(); // the person went on
    m_speeds->setText(tr("reading %1 · writing %2")
                          .arg(rateText(t.prefill_tokens_per_s), rateText(t.decode_tokens_per_s)));
    const qint64 prompt = t.prefill_tokens + t.reused_tokens;
    m_reused->setText(tr(" · reused %1 of %2").arg(countText(t.reused_tokens), countText(prompt)));
    arrange();
}

void StatusLine::clearTimings() {
    m_speeds->setText({});
    m_reused->setText({});
    arrange();
}

void StatusLine::setMemory(qint64 bytes) {
    m_memory->setText(bytes > 0 ? bytesText(bytes) : QString());
    arrange();
}

void StatusLine::showNotice(const QString& sentence) {
    m_notice->setText(sentence);
    m_noticeTime.start();
    arrange();
}

void StatusLine::endNotice(const QString& sentence) {
    if (m_notice->text() == sentence) {
        m_noticeTime.stop();
        arrange();
    }
}

QSize StatusLine::sizeHint() const {
    return {600, Theme::instance().px(kHeight)};
}

QSize StatusLine::minimumSizeHint() const {
    return {100, Theme::instance().px(kHeight)};
}

void StatusLine::arrange() {
    const Theme& theme = Theme::instance();
    const int side = theme.px(kSide);
    const bool notice = m_noticeTime.isActive();
    m_notice->setVisible(notice);
    m_notice->setGeometry(side, 0, width() - 2 * side, height());
    const int memory = m_memory->sizeHint().width();
    m_memory->setGeometry(width() - side - memory, 0, memory, height());
    m_memory->setVisible(m_hasModel && !notice);

    const int room = width() - 2 * side - memory - theme.px(kGroupGap);
    QList<Part> shown = m_parts;
    const auto needed = [&] {
        int sum = 0;
        for (const Part& part : shown) {
            sum += theme.px(part.gap) + part.widget->sizeHint().width();
        }
        return sum;
    };
    if (!m_hasModel) {
        shown = {m_parts.first()};
    }
    while (shown.size() > 1 && needed() > room) {
        shown.erase(std::max_element(shown.begin(), shown.end(),
                                     [](const Part& a, const Part& b) { return a.rank < b.rank; }));
    }
    int x = side;
    for (const Part& part : m_parts) {
        const bool fits =
            !notice && std::any_of(shown.begin(), shown.end(),
                                   [&part](const Part& p) { return p.widget == part.widget; });
        part.widget->setVisible(fits);
        if (fits) {
            const QSize size = part.widget->sizeHint();
            const int width = std::min(size.width(), std::max(0, room));
            x += theme.px(part.gap);
            part.widget->setGeometry(x, (height() - size.height()) / 2, width, size.height());
            x += width;
        }
    }
}

void StatusLine::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Side));
}

void StatusLine::resizeEvent(QResizeEvent*) {
    arrange();
}

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_metrics.h"

#include "ui/theme/theme.h"

#include <QtGui/QFontInfo>
#include <QtGui/QFontMetricsF>

namespace sotto::ui {
namespace {

constexpr qreal kLeading = 1.45;
constexpr qreal kHeadingScale[6] = {1.35, 1.2, 1.1, 1.0, 1.0, 1.0};

int spacing(const QFont& font, qreal factor) {
    return qRound(qMax(QFontInfo(font).pixelSize() * factor, QFontMetricsF(font).height()));
}

} // namespace

ChatMetrics::ChatMetrics()
    : ChatMetrics(Theme::instance().messageFont(), Theme::instance().monospaceFont()) {}

ChatMetrics ChatMetrics::ofThoughts() {
    const Theme& theme = Theme::instance();
    const QFont text = theme.baseFont();
    QFont code = theme.monospaceFont();
    code.setPointSizeF(code.pointSizeF() * text.pointSizeF() / theme.messageFont().pointSizeF());
    return {text, code};
}

ChatMetrics::ChatMetrics(const QFont& text, const QFont& code) : message(text), mono(code) {
    const Theme& theme = Theme::instance();
    small = theme.smallFont();
    label = theme.baseFont();
    for (int i = 0; i < 6; ++i) {
        headings[i] = message;
        headings[i].setPointSizeF(message.pointSizeF() * kHeadingScale[i]);
        headings[i].setWeight(QFont::DemiBold);
    }
    const QFontMetricsF messageMetrics(message);
    const QFontMetricsF monoMetrics(mono);
    lineHeight = spacing(message, kLeading);
    codeLineHeight = spacing(mono, kLeading);
    smallLineHeight = spacing(small, kLeading);
    averageWidth = qMax(1, qRound(messageMetrics.averageCharWidth()));
    monoWidth = qMax(1, qRound(monoMetrics.horizontalAdvance(u'0')));
    tabStop = qMax(1.0, messageMetrics.horizontalAdvance(u'0') * 4);
    codeTabStop = qMax(1.0, monoMetrics.horizontalAdvance(u'0') * 4);
    messageGap = theme.px(18);
    lineGap = theme.px(2);
    blockGap = theme.px(8);
    authorGap = theme.px(4);
    codePad = theme.px(12);
    codeHeader = qMax(theme.px(26), smallLineHeight + theme.px(6));
    thoughtHeader = qMax(theme.px(24), spacing(label, 1.2));
    thoughtIndent = theme.px(12);
    thoughtMark = theme.px(12);
    bubblePadX = theme.px(14);
    bubblePadY = theme.px(10);
    bubbleRadius = theme.px(12);
    codeRadius = theme.px(8);
    listIndent = theme.px(24);
    listStep = theme.px(18);
    caretWidth = theme.px(7);
    toolSize = theme.px(24);
}

const QFont& ChatMetrics::fontOf(const BlockSpec& spec) const {
    if (spec.kind == BlockKind::Code)
        return mono;
    return spec.kind == BlockKind::Heading ? headings[qBound(1, int(spec.level), 6) - 1] : message;
}

int ChatMetrics::lineHeightOf(const BlockSpec& spec) const {
    if (spec.kind == BlockKind::Code)
        return codeLineHeight;
    return spec.kind == BlockKind::Heading ? spacing(fontOf(spec), 1.3) : lineHeight;
}

int ChatMetrics::indentOf(const BlockSpec& spec) const {
    if (spec.kind == BlockKind::Code)
        return codePad;
    return spec.kind == BlockKind::ListItem ? listIndent + qMin(int(spec.level), 6) * listStep : 0;
}

int ChatMetrics::gap(const BlockSpec& above, const BlockSpec& below, int blanks) const {
    if (below.kind == BlockKind::Literal || !below.first)
        return 0;
    if (below.kind == BlockKind::Heading)
        return blockGap * 2;
    if (above.kind == BlockKind::Heading)
        return blockGap / 2;
    if (above.kind == BlockKind::Code || below.kind == BlockKind::Code)
        return blockGap;
    return blanks > 0 ? blockGap : lineGap;
}

} // namespace sotto::ui

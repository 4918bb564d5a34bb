// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/block_list.h"

#include <algorithm>

namespace sotto::ui {

const QString& BlockList::text() const {
    const Message& message = m_conversation.at(m_index);
    return m_part == Part::Thought ? message.thinking : message.text;
}

bool BlockList::isExact() const {
    return std::all_of(m_blocks.begin(), m_blocks.end(),
                       [](const TextBlock& block) { return block.isExact(); });
}

void BlockList::setWidth(int width) {
    m_width = width;
    m_firstEstimate = 0;
    for (TextBlock& block : m_blocks)
        block.estimate(m_metrics, m_width);
    place();
}

void BlockList::refresh() {
    const bool written = m_conversation.at(m_index).role == Message::Role::Assistant;
    const std::vector<BlockSpec> tail(m_specs.empty() ? m_specs.end() : m_specs.end() - 1,
                                      m_specs.end());
    const int from = updateBlocks(text(), written ? Markup::Light : Markup::None, m_specs);
    // Text only grows: an equal place in the source holds equal text.
    const bool same = !tail.empty() && from < int(m_specs.size()) && m_specs[from] == tail.front();
    m_firstEstimate = qMin(m_firstEstimate, from);
    m_blocks.erase(m_blocks.begin() + from + (same ? 1 : 0), m_blocks.end());
    for (size_t i = m_blocks.size(); i < m_specs.size(); ++i) {
        m_blocks.emplace_back(m_specs[i]);
        m_blocks.back().estimate(m_metrics, m_width);
    }
    place();
}

void BlockList::place() {
    int y = 0;
    int blanks = 0;
    const BlockSpec* above = nullptr;
    m_tops.resize(m_blocks.size());
    for (size_t i = 0; i < m_blocks.size(); ++i) {
        const BlockSpec& spec = m_blocks[i].spec();
        if (spec.kind == BlockKind::Blank) {
            ++blanks;
        } else {
            y += above ? m_metrics.gap(*above, spec, blanks) : 0;
            above = &spec;
            blanks = 0;
        }
        m_tops[i] = y;
        y += m_blocks[i].height();
    }
    m_blank = above == nullptr;
    m_height = y;
}

bool BlockList::layoutRange(int top, int bottom, bool all) {
    bool changed = false;
    int moved = 0; // heights above have changed by that much
    for (int i = all ? 0 : qMax(0, blockAt(top)); i < count(); ++i) {
        TextBlock& block = m_blocks[i];
        const int y = m_tops[i] + moved;
        if (y >= bottom && !all)
            break;
        const bool inside = y < bottom && y + block.height() >= top;
        if (block.isLaidOut() || (!inside && (!all || block.isExact())))
            continue;
        const int before = block.height();
        changed = changed || !block.isExact();
        block.layout(text(), m_metrics, m_width);
        moved += block.height() - before;
    }
    if (changed)
        place();
    return changed;
}

bool BlockList::layoutSome(const QDeadlineTimer& deadline) {
    bool changed = false;
    for (; m_firstEstimate < count() && !deadline.hasExpired(); ++m_firstEstimate) {
        TextBlock& block = m_blocks[m_firstEstimate];
        if (block.isExact())
            continue;
        block.layout(text(), m_metrics, m_width);
        block.release();
        changed = true;
    }
    if (changed)
        place();
    return m_firstEstimate < count();
}

bool BlockList::ensureLaidOut(int block) {
    if (m_blocks[block].isLaidOut())
        return false;
    m_blocks[block].layout(text(), m_metrics, m_width);
    place();
    return true;
}

void BlockList::releaseOutside(int top, int bottom) {
    for (size_t i = 0; i < m_blocks.size(); ++i)
        if (m_tops[i] + m_blocks[i].height() < top || m_tops[i] > bottom)
            m_blocks[i].release();
}

int BlockList::blockAt(int y) const {
    const auto it = std::upper_bound(m_tops.begin(), m_tops.end(), y);
    int block = int(it - m_tops.begin()) - 1;
    // Blanks share the top of what follows them.
    while (block > 0 && m_blocks[block].spec().kind == BlockKind::Blank)
        --block;
    return m_blocks.empty() ? -1 : qMax(0, block);
}

int BlockList::blockOf(int sourceOffset) const {
    const auto it = std::upper_bound(m_specs.begin(), m_specs.end(), sourceOffset,
                                     [](int at, const BlockSpec& spec) { return at < spec.begin; });
    return m_specs.empty() ? -1 : qMax(0, int(it - m_specs.begin()) - 1);
}

TextRange BlockList::paragraphAt(int sourceOffset) const {
    const int block = blockOf(sourceOffset);
    if (block < 0)
        return {sourceOffset, sourceOffset};
    const BlockSpec& spec = m_specs[block];
    if (spec.kind != BlockKind::Code)
        return {spec.textBegin, spec.textEnd};
    const qsizetype before = sourceOffset > 0 ? text().lastIndexOf(u'\n', sourceOffset - 1) : -1;
    const qsizetype behind = text().indexOf(u'\n', sourceOffset);
    return {qMax(spec.textBegin, int(before) + 1),
            behind < 0 ? spec.textEnd : qMin(spec.textEnd, int(behind))};
}

QString BlockList::codeOf(int block) const {
    int last = block;
    while (last + 1 < count() && m_specs[last + 1].fenceBegin == m_specs[block].fenceBegin)
        ++last;
    return text().mid(m_specs[block].textBegin, m_specs[last].textEnd - m_specs[block].textBegin);
}

int BlockList::lastShown() const {
    int last = count() - 1;
    while (last >= 0 && m_blocks[last].spec().kind == BlockKind::Blank)
        --last;
    return last;
}

} // namespace sotto::ui

// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/dialogs.h"

#include "app/desktop/format.h"
#include "app/desktop/wrap_label.h"
#include "ui/theme/theme.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtGui/QAction>
#include <QtGui/QScreen>
#include <QtWidgets/QDialog>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTreeWidget>
#include <QtWidgets/QVBoxLayout>

namespace sotto::app {
namespace {

using ui::Theme;

QString tr(const char* text) {
    return QCoreApplication::translate("dialogs", text);
}
QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

struct Page {
    QDialog* dialog;
    QVBoxLayout* layout;
};

Page makeDialog(QWidget* parent, const QString& title, const QString& objectName) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setObjectName(objectName);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(12);
    return {dialog, layout};
}

void openWithClose(const Page& page) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, page.dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, page.dialog, &QDialog::reject);
    page.layout->addWidget(buttons);
    buttons->button(QDialogButtonBox::Close)->setFocus();
    page.dialog->open();
}

QLabel* plainLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void addRow(QFormLayout* form, const QString& name, const QString& value) {
    auto* label = new QLabel(name, form->parentWidget());
    ui::useTextRole(label, ui::Role::Muted);
    auto* text = new WrapLabel(ui::Role::Ink, form->parentWidget()); // breaks long paths
    text->setText(value);
    form->addRow(label, text);
}

QTreeWidget* metadataTable(const ModelInfo& info, QWidget* parent) {
    auto* table = new QTreeWidget(parent);
    table->setHeaderLabels({tr("Key"), tr("Type"), tr("Value")});
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    for (const MetadataEntry& entry : info.metadata) {
        auto* row =
            new QTreeWidgetItem(table, {text(entry.key), text(entry.type), text(entry.value)});
        row->setToolTip(2, text(entry.value));
    }
    table->setColumnWidth(0, Theme::instance().px(240));
    table->setColumnWidth(1, Theme::instance().px(100));
    return table;
}

/// As it stands in the model, which may be long.
QWidget* templatePage(const ModelInfo& info, QWidget* parent) {
    constexpr std::size_t kMostShown = 200'000;
    auto* page = new QPlainTextEdit(parent);
    page->setObjectName(QStringLiteral("templateSource"));
    page->setReadOnly(true);
    page->setLineWrapMode(QPlainTextEdit::NoWrap);
    page->setAccessibleName(tr("Chat template"));
    ui::useFont(page, ui::FontRole::Monospace);
    QString source = text(info.template_source.substr(0, kMostShown));
    if (info.template_source.size() > kMostShown) {
        source +=
            tr("\n… and %1 more")
                .arg(bytesText(static_cast<qint64>(info.template_source.size() - kMostShown)));
    }
    page->setPlainText(source);
    return page;
}

QString thinkingText(const ModelInfo& info) {
    if (info.thinking.empty()) {
        return tr("does not think before it answers");
    }
    const QString close = text(info.thinking.close);
    const QString marks = info.thinking.open.empty()
                              ? tr("up to %1").arg(close)
                              : tr("between %1 and %2").arg(text(info.thinking.open), close);
    return info.can_switch_thinking ? tr("%1; can be switched off").arg(marks)
                                    : tr("%1; always").arg(marks);
}

QString tensorText(const ModelInfo& info) {
    QStringList parts;
    for (const TensorTypeCount& type : info.tensor_types) {
        parts += tr("%1 %2 (%3)")
                     .arg(countText(type.n_tensors), text(type.type), bytesText(type.n_bytes));
    }
    return parts.join(QStringLiteral(", "));
}

void addOverview(QFormLayout* form, const ui::ModelDetails& details) {
    const ModelInfo& info = details.info;
    addRow(form, tr("Name"), text(info.name));
    addRow(form, tr("Path"), QDir::toNativeSeparators(text(info.path)));
    addRow(form, tr("Size"),
           tr("%1 on disk, %2 in memory")
               .arg(bytesText(info.file_bytes), bytesText(info.weight_bytes)));
    addRow(form, tr("Architecture"),
           tr("%1, %2 parameters, %3 layers, width %4")
               .arg(text(info.architecture), parametersText(info.n_parameters))
               .arg(info.n_layer)
               .arg(info.n_embd));
    addRow(form, tr("Tensors"), tensorText(info));
    addRow(form, tr("Context"),
           tr("%1 tokens here, %2 trained; a token takes %3")
               .arg(countText(details.nCtx), countText(info.n_ctx_train),
                    bytesText(info.kv_bytes(CacheType::F16, 1))));
    addRow(form, tr("Tokenizer"), text(info.tokenizer));
    addRow(form, tr("Chat template"), text(info.chat_template));
    addRow(form, tr("Thinking"), thinkingText(info));
    if (!info.template_warning.empty()) {
        addRow(form, tr("Note"), text(info.template_warning));
    }
    for (const std::string& warning : info.warnings) {
        addRow(form, tr("Note"), text(warning));
    }
}

/// Scrolled where a low screen or a large zoom has no room for it.
QWidget* overviewPage(const ui::ModelDetails& details, QWidget* parent) {
    auto* scroll = new QScrollArea(parent);
    scroll->setObjectName(QStringLiteral("overview"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(scroll);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 12, 12, 0);
    form->setHorizontalSpacing(16);
    addOverview(form, details);
    scroll->setWidget(page);
    for (QWidget* widget : {page, scroll->viewport()}) {
        widget->setAutoFillBackground(false);
    }
    return scroll;
}

} // namespace

void openModelDetails(QWidget* parent, const ui::ModelDetails& details) {
    const Page page = makeDialog(parent, tr("Model Details"), QStringLiteral("modelDetails"));
    auto* pages = new QTabWidget(page.dialog);
    pages->setDocumentMode(true);
    pages->addTab(overviewPage(details, pages), tr("Overview"));
    pages->addTab(metadataTable(details.info, pages), tr("Metadata"));
    if (!details.info.template_source.empty()) {
        pages->addTab(templatePage(details.info, pages), tr("Template source"));
    }
    page.layout->addWidget(pages, 1);
    const QSize wanted(Theme::instance().px(640), Theme::instance().px(560));
    const QScreen* screen = parent->screen();
    page.dialog->resize(screen ? wanted.boundedTo(screen->availableGeometry().size() * 0.9)
                               : wanted);
    openWithClose(page);
}

void openShortcuts(QWidget* parent, const QList<QAction*>& actions) {
    const Page page = makeDialog(parent, tr("Keyboard Shortcuts"), QStringLiteral("shortcuts"));
    auto* form = new QFormLayout;
    page.layout->addLayout(form);
    form->setHorizontalSpacing(24);
    const auto row = [&](const QString& keys, const QString& what) { addRow(form, keys, what); };
    row(tr("Enter"), tr("Send the message"));
    row(tr("Shift+Enter"), tr("Break the line"));
    for (const QAction* action : actions) {
        QString name = action->text();
        name.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
        row(action->shortcut().toString(QKeySequence::NativeText), name);
    }
    openWithClose(page);
}

void openAbout(QWidget* parent, const QString& cpuLevel) {
    const Page page = makeDialog(parent, tr("About Sotto"), QStringLiteral("about"));
    auto* title = new QLabel(QStringLiteral("Sotto " SOTTO_VERSION), page.dialog);
    QFont font = Theme::instance().messageFont();
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    page.layout->addWidget(title);
    page.layout->addWidget(plainLabel(
        tr("Chat with language models that run on this machine. What you write stays here."),
        page.dialog));
    if (!cpuLevel.isEmpty()) {
        page.layout->addWidget(
            plainLabel(tr("Instruction set in use: %1").arg(cpuLevel), page.dialog));
    }
    page.layout->addWidget(
        plainLabel(tr("Apache License 2.0. Built with Qt %1 (LGPL 3), oneTBB, spdlog, "
                      "PCRE2 and utf8proc.")
                       .arg(QLatin1String(qVersion())),
                   page.dialog));
    page.dialog->setMinimumWidth(Theme::instance().px(380));
    openWithClose(page);
}

} // namespace sotto::app

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtWidgets/QWidget>

class QLabel;
class QPushButton;

namespace sotto::app {

/// Under the header while a model loads: a thin line, the file's name and a way out. Hidden
/// otherwise.
class LoadBar final : public QWidget {
    Q_OBJECT
  public:
    explicit LoadBar(QWidget* parent = nullptr);
    void begin(const QString& fileName);
    void setProgress(qint64 done, qint64 total);
    void end();
    [[nodiscard]] double fraction() const { return m_fraction; }

  Q_SIGNALS:
    void cancelRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void showText();
    QString m_fileName;
    double m_fraction = 0;
    QLabel* m_label;
    QPushButton* m_cancel;
};

} // namespace sotto::app

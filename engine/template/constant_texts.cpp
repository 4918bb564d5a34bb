// SPDX-License-Identifier: Apache-2.0
#include "engine/template/constant_texts.h"

#include <algorithm>
#include <utility>

namespace sotto::chat {
namespace {

class Reader {
  public:
    explicit Reader(std::string_view source) : rest_(source) {}

    std::vector<std::string> run() {
        while (!rest_.empty()) {
            if (outside()) {
                inside();
            }
        }
        return std::move(texts_);
    }

  private:
    /// Over text and the "{{" or "{%" of the tag behind it; false if that is a comment, which is
    /// skipped whole.
    bool outside() {
        std::size_t at = 0;
        for (; at < rest_.size(); ++at) {
            const std::string_view two = rest_.substr(at, 2);
            if (two == "{{" || two == "{%" || two == "{#") {
                break;
            }
        }
        text_ = rest_.substr(0, at);
        flush();
        const bool comment = rest_.substr(at, 2) == "{#";
        skip(at + 2);
        if (comment) {
            const std::size_t end = rest_.find("#}");
            skip(end == std::string_view::npos ? end : end + 2);
        }
        return !comment;
    }

    /// Over the rest of a tag.
    void inside() {
        bool joined = false;
        while (!rest_.empty()) {
            const char c = rest_[0];
            if (rest_.starts_with("}}") || rest_.starts_with("%}")) {
                skip(2);
                break;
            }
            if (c == '\'' || c == '"') {
                if (!std::exchange(joined, false)) {
                    flush();
                }
                literal(c);
                continue;
            }
            if (c == '+' || c == '~') {
                joined = !text_.empty();
            } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
                joined = false;
                flush();
            }
            skip(1);
        }
        flush();
    }

    void literal(char quote) {
        std::size_t i = 1;
        for (; i < rest_.size() && rest_[i] != quote; ++i) {
            if (rest_[i] == '\\' && i + 1 < rest_.size()) {
                const char c = rest_[++i];
                text_ += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
            } else {
                text_ += rest_[i];
            }
        }
        skip(i + 1);
    }

    void skip(std::size_t n) { rest_.remove_prefix(std::min(n, rest_.size())); }

    void flush() {
        if (!text_.empty()) {
            texts_.push_back(std::exchange(text_, {}));
        }
    }

    std::string_view rest_;
    std::string text_; // not yet in the list
    std::vector<std::string> texts_;
};

} // namespace

std::vector<std::string> constant_texts(std::string_view source) {
    return Reader(source).run();
}

} // namespace sotto::chat

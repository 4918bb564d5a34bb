// SPDX-License-Identifier: Apache-2.0
// C++ without its comments and without what its strings say, so that a check of the code does not
// stumble over words.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace tree {

class CodeOnly {
  public:
    explicit CodeOnly(std::string_view text) : text_(text) {}

    /// Comments and the contents of literals are gone; line ends stay, so that lines keep their
    /// number.
    std::string run() {
        while (at_ < text_.size())
            step();
        return out_;
    }

  private:
    bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

    bool after_word() const {
        return at_ > 0 && (std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0 ||
                           text_[at_ - 1] == '_');
    }

    void step() {
        if (starts("//"))
            skip_until("\n", false);
        else if (starts("/*"))
            skip_until("*/", true);
        else if (starts("R\"") && !after_word())
            skip_raw_string();
        else if (text_[at_] == '"' || (text_[at_] == '\'' && !after_word())) // 1'000 is a number
            skip_literal(text_[at_]);
        else
            out_ += text_[at_++];
    }

    void skip_until(std::string_view end, bool including_end) {
        auto found = text_.find(end, at_ + 2);
        auto stop = found == std::string_view::npos ? text_.size()
                    : including_end                 ? found + end.size()
                                                    : found;
        for (; at_ < stop; ++at_)
            if (text_[at_] == '\n')
                out_ += '\n';
    }

    void skip_raw_string() {
        auto open = text_.find('(', at_);
        if (open == std::string_view::npos)
            open = text_.size();
        auto delimiter = std::string(text_.substr(at_ + 2, open - at_ - 2));
        out_ += "\"\"";
        skip_until(")" + delimiter + "\"", true);
    }

    void skip_literal(char quote) {
        out_ += quote;
        for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\')
                ++at_;
        if (at_ < text_.size() && text_[at_] == quote)
            out_ += text_[at_++];
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string out_;
};

inline std::string code_only(std::string_view text) {
    return CodeOnly(text).run();
}

} // namespace tree

// SPDX-License-Identifier: Apache-2.0
#include "engine/template/jinja/json.h"

#include "engine/template/jinja/objects.h"
#include "engine/template/jinja/unicode.h"

#include <charconv>
#include <limits>

namespace sotto::jinja {
namespace {

class Reader {
  public:
    Reader(std::string_view text, Origin strings, Origin keys)
        : text_(text), strings_(strings), keys_(keys) {}

    Value run() {
        Value v = value(0);
        skip_blanks();
        if (at_ != text_.size()) {
            bad("text behind the value");
        }
        return v;
    }

  private:
    [[noreturn]] void bad(const std::string& what) const {
        throw Failure{ErrorCode::bad_argument, "JSON, byte " + std::to_string(at_) + ": " + what};
    }
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
            ++at_;
        }
    }
    bool skip(char c) {
        skip_blanks();
        const bool there = at_ < text_.size() && text_[at_] == c;
        at_ += there ? 1 : 0;
        return there;
    }
    void expect(char c) {
        if (!skip(c)) {
            bad(std::string("expected '") + c + "'");
        }
    }

    Value value(int depth) {
        skip_blanks();
        if (depth > kMaxJsonDepth) {
            bad("nested deeper than " + std::to_string(kMaxJsonDepth));
        }
        switch (peek()) {
        case '{':
            return object(depth);
        case '[':
            return array(depth);
        case '"':
            return Value::string(string(), strings_);
        default:
            break;
        }
        for (const auto& [word, v] : {std::pair<std::string_view, Value>{"null", Value()},
                                      {"true", Value::boolean(true)},
                                      {"false", Value::boolean(false)}}) {
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return v;
            }
        }
        return number();
    }

    Value object(int depth) {
        std::vector<DictData::Entry> entries;
        expect('{');
        if (!skip('}')) {
            do {
                skip_blanks();
                if (peek() != '"') {
                    bad("expected a key");
                }
                Value key = Value::string(string(), keys_);
                expect(':');
                entries.emplace_back(std::move(key), value(depth + 1));
            } while (skip(','));
            expect('}');
        }
        return {Kind::dict, std::make_shared<DictData>(std::move(entries))};
    }

    Value array(int depth) {
        std::vector<Value> items;
        expect('[');
        if (!skip(']')) {
            do {
                items.push_back(value(depth + 1));
            } while (skip(','));
            expect(']');
        }
        return Value::list(std::move(items));
    }

    std::string string() {
        std::string out;
        for (++at_; peek() != '"';) {
            if (at_ >= text_.size()) {
                bad("a string without its end");
            }
            const char c = text_[at_];
            if (static_cast<unsigned char>(c) < 0x20) {
                bad("a control character in a string");
            }
            ++at_;
            if (c == '\\') {
                escape(out);
            } else {
                out += c;
            }
        }
        ++at_;
        return out;
    }

    void escape(std::string& out) {
        static constexpr std::string_view kNames = "\"\\/bfnrt";
        static constexpr std::string_view kBytes = "\"\\/\b\f\n\r\t";
        const char c = peek();
        const std::size_t at = at_ < text_.size() ? kNames.find(c) : std::string_view::npos;
        if (at == std::string_view::npos && c != 'u') {
            bad("an unknown escape");
        }
        ++at_;
        if (at != std::string_view::npos) {
            out += kBytes[at];
            return;
        }
        std::uint32_t code = hex();
        if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
            const std::size_t before = at_;
            at_ += 2;
            const std::uint32_t low = hex();
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            } else {
                at_ = before;
            }
        }
        append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
    }

    std::uint32_t hex() {
        std::uint32_t code = 0;
        const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
        const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (digits.size() < 4 || end.ptr != digits.data() + 4) {
            bad("an escape without four hexadecimal digits");
        }
        at_ += 4;
        return code;
    }

    bool digits() {
        const std::size_t begin = at_;
        while (peek() >= '0' && peek() <= '9') {
            ++at_;
        }
        return at_ > begin;
    }

    Value number() {
        const std::size_t begin = at_;
        at_ += peek() == '-' ? 1 : 0;
        const std::size_t first = at_;
        if (!digits() || (text_[first] == '0' && at_ - first > 1)) {
            bad("expected a value");
        }
        bool integer = true;
        if (peek() == '.') {
            ++at_;
            integer = false;
            if (!digits()) {
                bad("a point without digits");
            }
        }
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            integer = false;
            at_ += peek() == '+' || peek() == '-' ? 1 : 0;
            if (!digits()) {
                bad("an exponent without digits");
            }
        }
        const std::string_view all = text_.substr(begin, at_ - begin);
        return integer ? integer_value(all) : double_value(all);
    }

    static Value integer_value(std::string_view digits) {
        std::int64_t i = 0;
        if (std::from_chars(digits.data(), digits.data() + digits.size(), i).ec == std::errc()) {
            return Value::integer(i);
        }
        return {Kind::big,
                std::make_shared<StringData>(Text(std::string(digits), Origin::trusted))};
    }

    static Value double_value(std::string_view digits) {
        double d = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), d);
        if (read.ec == std::errc::result_out_of_range) { // leaves d as it was
            const std::size_t e = digits.find_first_of("eE");
            const bool tiny = e != std::string_view::npos && digits[e + 1] == '-';
            d = tiny ? 0.0 : std::numeric_limits<double>::infinity();
            d = digits[0] == '-' ? -d : d;
        }
        return Value::number(d);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Origin strings_, keys_;
};

} // namespace

Result<Value> from_json(std::string_view text, Origin strings, Origin keys) {
    try {
        return Reader(text, strings, keys).run();
    } catch (const Failure& failure) {
        return Error{failure.code, failure.message};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::no_memory,
                     "no memory for a JSON text of " + std::to_string(text.size()) + " bytes"};
    }
}

} // namespace sotto::jinja

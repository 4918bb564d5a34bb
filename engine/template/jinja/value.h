// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/template/jinja/text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sotto::jinja {

enum class Kind : std::uint8_t {
    undefined,
    none,
    boolean,
    integer,
    big, // an integer beyond 64 bits: can be printed and compared, not reckoned with
    number,
    string,
    list, // tuples, ranges and the views of a dict too
    dict,
    iterator, // what map, select and their like give: read once
    name_space,
    function,
    method,
    macro,
    loop,
    cycler,
    joiner,
};

/// What a Value points to; see objects.h.
class Object {
  public:
    Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    virtual ~Object() = default;
};

/// A value of the template language. Copies are cheap and share what they hold. What the factories
/// make never changes, so that threads may share it.
class Value {
  public:
    Value() = default; // None
    static Value boolean(bool b);
    static Value integer(std::int64_t i);
    static Value number(double d);
    /// Text that a person, a model or a tool wrote, unless told otherwise.
    static Value string(std::string bytes, Origin origin = Origin::input);
    static Value trusted(std::string bytes) { return string(std::move(bytes), Origin::trusted); }
    static Value list(std::vector<Value> items);
    /// Keys keep their order; of equal keys the last one's value counts.
    static Value dict(std::vector<std::pair<std::string, Value>> entries,
                      Origin keys = Origin::trusted);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }

    // ---- for the interpreter ----
    Value(Kind kind, std::shared_ptr<Object> object) : kind_(kind), object_(std::move(object)) {}
    [[nodiscard]] bool boolean() const { return integer_ != 0; }
    [[nodiscard]] std::int64_t integer() const { return integer_; } // of a boolean too
    [[nodiscard]] double number() const { return number_; }
    template <class T>
    [[nodiscard]] T& as() const {
        return static_cast<T&>(*object_);
    }
    [[nodiscard]] const Object* object() const { return object_.get(); }

  private:
    Kind kind_ = Kind::none;
    union {
        std::int64_t integer_ = 0;
        double number_;
    };
    std::shared_ptr<Object> object_;
};

} // namespace sotto::jinja

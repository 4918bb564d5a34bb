// SPDX-License-Identifier: Apache-2.0
// The functions that every template may call.
#include "engine/template/jinja/convert.h"
#include "engine/template/jinja/strftime.h"

namespace sotto::jinja {
namespace {

constexpr std::int64_t kMaxRange = 100'000; // as in jinja2's sandbox

std::int64_t bound(const Value& v) {
    if (!is_integral(v)) {
        fail("range needs integers, not a " + std::string(type_name(v)));
    }
    return v.integer();
}

Value range(Render& r, const Args& args) {
    const Params params("range", args, {"start", "stop", "step"}, 1);
    const std::int64_t start = params.has(1) ? bound(params[0]) : 0;
    const std::int64_t stop = bound(params.has(1) ? params[1] : params[0]);
    const std::int64_t step = params.has(2) ? bound(params[2]) : 1;
    if (step == 0) {
        fail("range needs a step that is not zero");
    }
    // In unsigned arithmetic, where the whole width of 64 bits is no overflow.
    const bool empty = step > 0 ? start >= stop : start <= stop;
    const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(stop);
    const std::uint64_t distance = step > 0 ? to - from : from - to;
    const std::uint64_t by = step > 0 ? static_cast<std::uint64_t>(step)
                                      : std::uint64_t{0} - static_cast<std::uint64_t>(step);
    const std::uint64_t n = empty ? 0 : (distance - 1) / by + 1;
    if (n > kMaxRange) {
        fail("a range of more than " + std::to_string(kMaxRange) + " numbers");
    }
    std::vector<Value> items;
    items.reserve(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        items.push_back(
            Value::integer(static_cast<std::int64_t>(from + i * static_cast<std::uint64_t>(step))));
    }
    Value made = r.list(std::move(items), Flavor::range);
    made.as<ListData>().range = {start, stop, step};
    return made;
}

/// dict(mapping or pairs, **more)
std::vector<DictData::Entry> dict_entries(Render& r, const Args& args, std::string_view name) {
    if (args.positional.size() > 1) {
        fail(std::string(name) + " takes at most one argument without a name");
    }
    std::vector<DictData::Entry> entries;
    if (!args.positional.empty() && args.positional[0].is(Kind::dict)) {
        entries = args.positional[0].as<DictData>().entries;
    } else if (!args.positional.empty()) {
        for (const Value& pair : Items(r, args.positional[0])) {
            const Items parts(r, pair);
            if (parts.size() != 2) {
                fail(std::string(name) + " needs pairs of key and value");
            }
            entries.emplace_back(parts[0], parts[1]);
        }
    }
    for (const auto& [key, value] : args.keywords) {
        entries.emplace_back(Value::trusted(key), value);
    }
    return entries;
}

Value dict(Render& r, const Args& args) {
    return r.dict(dict_entries(r, args, "dict"));
}

Value name_space(Render& r, const Args& args) {
    const Value made = r.dict(dict_entries(r, args, "namespace"));
    std::vector<std::pair<std::string, Value>> entries;
    for (const auto& [key, value] : made.as<DictData>().entries) {
        if (!key.is(Kind::string) || view_of(key).starts_with("_")) {
            fail("a namespace stores names that do not begin with an underscore");
        }
        r.meter.take(sizeof(Value) + sizeof(std::string) + view_of(key).size());
        entries.emplace_back(view_of(key), value);
    }
    return r.name_space(std::move(entries));
}

Value cycler(Render& r, const Args& args) {
    if (args.positional.empty()) {
        fail("cycler needs values");
    }
    auto data = std::make_shared<CyclerData>(args.positional);
    check_depth(data->depth);
    data->charge = Charge(r.meter, sizeof(CyclerData) + args.positional.size() * sizeof(Value));
    return {Kind::cycler, std::move(data)};
}

Value joiner(Render& r, const Args& args) {
    const Params params("joiner", args, {"sep"});
    auto data = std::make_shared<JoinerData>();
    data->separator = params.has(0) ? params[0] : r.trusted(", ");
    Value made(Kind::joiner, std::move(data));
    check_depth(depth_of(made));
    return made;
}

Value raise_exception(Render& r, const Args& args) {
    const Params params("raise_exception", args, {"message"}, 1);
    throw Failure{ErrorCode::bad_argument, std::string(Str(r, params[0]).view())};
}

Value strftime_now(Render& r, const Args& args) {
    const Params params("strftime_now", args, {"format"}, 1);
    const std::string_view format = params.string(0, {});
    if (format.size() > 4096) {
        fail("a format for strftime_now of more than 4096 bytes");
    }
    r.meter.step(format.size() * 4);
    return r.trusted(formatted_time(format, r.options.now()));
}

Value function(std::string_view name, FunctionData::Run run) {
    return {Kind::function, std::make_shared<FunctionData>(name, run)};
}

} // namespace

Value find_global(std::string_view name, bool has_clock) {
    static constexpr std::pair<std::string_view, FunctionData::Run> kFunctions[] = {
        {"range", range},   {"dict", dict},     {"namespace", name_space},
        {"cycler", cycler}, {"joiner", joiner}, {"raise_exception", raise_exception}};
    for (const auto& [key, run] : kFunctions) {
        if (key == name) {
            return function(key, run);
        }
    }
    return name == "strftime_now" && has_clock ? function("strftime_now", strftime_now)
                                               : Value(Kind::undefined, nullptr);
}

} // namespace sotto::jinja

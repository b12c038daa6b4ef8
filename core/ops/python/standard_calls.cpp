// Calls of functions of itertools, functools, operator and collections; those of time and timeit are in clocks.cpp.
#include <algorithm>

#include "ops/members.h"
#include "ops/python/classes.h"
#include "ops/python/dictionary.h"
#include "ops/python/interpreter.h"
#include "ops/python/standard_library.h"
#include "ops/python/written.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

/// How many answers functools.lru_cache keeps where it is not told.
constexpr int64_t most_kept = 128;

/// What the lines are called that open() and functions of os are written as (ops/python/files.inc); empty of others.
std::string_view lines_named(std::string_view name) {
  if (name == "open") return name;
  if (name == "os.path.getsize") return "_os_path_getsize";
  return name.starts_with("os.path.") ? "_os_path_exists" : name.starts_with("os.") ? "_os_remove" : "";
}

}  // namespace

/// What is given by a parameter's name stands in its place then; what only has a name is `option`.
Interpreter::Result Interpreter::standard_call(const Builtin& function, const Arguments& arguments, const Expr& at) {
  const std::string_view name = function.name;
  if (name == "collections.OrderedDict") {
    const Result made = make_dictionary(arguments, at);
    if (made) std::get<Dictionary>(made->held).items->ordered = true;
    return made;
  }
  if (name == "collections.defaultdict") return default_dictionary(arguments, at);
  if (name == "collections.namedtuple") return named_tuple(arguments, at);
  if (name == "functools.partial") return partial(arguments, at);
  if (name == "timeit.timeit" || name == "timeit.repeat") return timed(name, arguments, at);
  if (name.starts_with("time")) return clock(name, arguments, at);
  const auto not_modelled = [&] { return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span); };
  Values values = arguments.positional;
  const Value* option = nullptr;
  for (const auto& [word, value] : arguments.named) {
    if (word == function.last)
      option = &value;
    else if (word == next_word(function, values.size()))
      values.push_back(value);
    else
      return not_modelled();
  }
  if (values.size() < function.least || values.size() > function.most) return not_modelled();
  if (name.starts_with("operator.")) return operate(name.substr(name.find('.') + 1), values, at);
  if (const std::string_view lines = lines_named(name); !lines.empty()) {
    const Value written = *written_name(lines, written_library(WrittenIn::python));
    Function told = *std::get<FunctionPtr>(written.held);
    told.name = name;
    return call_function(std::make_shared<const Function>(std::move(told)), {std::move(values), {}, {}, {}, {}}, at);
  }
  if (name == "functools.wraps")
    return std::holds_alternative<FunctionPtr>(values[0].held)
               ? Value{Symbol{"functools.wraps", std::make_shared<const Value>(values[0])}}
               : not_modelled();
  if (name == "functools.cache" || name == "functools.lru_cache") {
    if (!values.empty() && std::holds_alternative<FunctionPtr>(values[0].held))
      return decorate(values[0], Value{Symbol{std::string(name), nullptr}}, at);
    const auto most = values.empty() ? most_kept : as_integer(values[0]);
    const bool keeps = values.empty() || is_none(values[0]) || (most && *most >= most_kept);
    return keeps ? Value{Symbol{std::string(name), nullptr}} : not_modelled();
  }
  if (name == "functools.reduce") return reduced(values, at);
  return iterate(name.substr(name.find('.') + 1), std::move(values), option, at);
}

Interpreter::Result Interpreter::operate(std::string_view name, const Values& values, const Expr& at) {
  if (name == "itemgetter" || name == "attrgetter") {
    // What it looks for is no object that could hold it.
    for (const Value& value : values)
      if (!std::holds_alternative<std::string>(value.held) &&
          (name == "attrgetter" || !std::holds_alternative<int64_t>(value.held)))
        return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
    return Value{Symbol{"operator." + std::string(name), std::make_shared<const Value>(as_tuple(values))}};
  }
  if (name == "getitem") return subscript(values[0], values[1], at, at);
  if (name == "truth") return truth_of(values[0], at);
  const std::string_view op = operator_named(name);
  if (op == "in") return compare(op, values[1], values[0], at);
  if (values.size() == 1) return unary(op, values[0], at);
  constexpr std::string_view comparing[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not"};
  const bool compares = std::find(std::begin(comparing), std::end(comparing), op) != std::end(comparing);
  return compares ? compare(op, values[0], values[1], at) : binary(op, values[0], values[1], at);
}

/// itemgetter(1, 0)(values), attrgetter('shape', 'T.shape')(x)
Interpreter::Result Interpreter::get_parts(const Symbol& getter, const Arguments& arguments, const Expr& at) {
  const auto given = static_cast<int64_t>(arguments.positional.size());
  const std::string name = getter.path.substr(getter.path.find('.') + 1);
  const bool named = !arguments.named.empty();
  if (given != 1 || named)
    return fail(python_error("TypeError",
                             name + (named ? "() takes no keyword arguments"
                                           : " expected 1 argument, got " + std::to_string(given)),
                             Msg::builtin_argument_count, {name, given}),
                at.span);
  const Value& whole = arguments.positional[0];
  const auto get = [&](const Value& wanted) -> Result {
    if (name == "itemgetter") return subscript(whole, wanted, at, at);
    const auto& path = std::get<std::string>(wanted.held);
    Result part = whole;
    for (size_t begin = 0, end = 0; part && end != path.npos; begin = end + 1) {
      end = path.find('.', begin);
      part = member_of("getattr", {*part, Value{path.substr(begin, end - begin)}}, at);
    }
    return part;
  };
  Values parts;
  for (const Value& wanted : parts_of(*getter.self)) {
    const Result part = get(wanted);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  return parts.size() == 1 ? parts[0] : as_tuple(std::move(parts));
}

/// functools.partial(function, *arguments, **named): of another such one the function and the arguments are its own.
Interpreter::Result Interpreter::partial(const Arguments& arguments, const Expr& at) {
  if (arguments.positional.empty() || !is_callable(arguments.positional[0]))
    return fail(python_error("TypeError",
                             arguments.positional.empty() ? "type 'partial' takes at least one argument"
                                                          : "the first argument must be callable",
                             Msg::argument_has_type,
                             {"func", "function",
                              arguments.positional.empty() ? "NoneType" : type_name(arguments.positional[0])}),
                at.span);
  Value function = arguments.positional[0];
  Values given(arguments.positional.begin() + 1, arguments.positional.end());
  const Value named = dictionary_of();
  may_grow_ = true;
  if (is_partial(function)) {
    const auto inner = parts_of(function), before = parts_of(inner[1]);
    given.insert(given.begin(), before.begin(), before.end());
    if (!update(named, inner[2], at.span)) return std::nullopt;
    function = Value(inner[0]);
  }
  for (const auto& [word, value] : arguments.named)
    if (!settled(store(std::get<Dictionary>(named.held), Value{word}, value), at.span)) return std::nullopt;
  return Value{Symbol{"functools.partial", std::make_shared<const Value>(
                                               as_tuple({std::move(function), as_tuple(std::move(given)), named}))}};
}

Interpreter::Result Interpreter::call_partial(std::span<const Value> parts, Arguments arguments, const Expr& at) {
  const auto before = parts_of(parts[1]);
  arguments.positional.insert(arguments.positional.begin(), before.begin(), before.end());
  arguments.written.insert(arguments.written.begin(), before.size(), Written{});
  // Its own keywords come first, each with the value that it is given now.
  const DictionaryItems& own = *std::get<Dictionary>(parts[2].held).items;
  auto& named = arguments.named;
  arguments.named_written.resize(named.size());
  for (size_t i = 0; i < own.keys.size(); ++i) {
    const auto& word = std::get<std::string>(own.keys[i].held);
    const auto place = static_cast<std::ptrdiff_t>(i);
    const auto given =
        std::find_if(named.begin() + place, named.end(), [&](const auto& one) { return one.first == word; });
    const auto written = arguments.named_written.begin() + (given - named.begin());
    if (given == named.end()) {
      named.emplace(named.begin() + place, word, own.values[i]);
      arguments.named_written.emplace(arguments.named_written.begin() + place);
    } else {
      std::rotate(named.begin() + place, given, given + 1);
      std::rotate(arguments.named_written.begin() + place, written, written + 1);
    }
  }
  return call(parts[0], std::move(arguments), at);
}

/// A call of what functools.lru_cache made: what was given before to the same arguments is given again.
Interpreter::Result Interpreter::call_again(const Function& function, const Arguments& arguments, const Expr& at) {
  // An integer or a string alone is the key itself, and so another than a float that equals it.
  Values asked = arguments.positional;
  if (!arguments.named.empty()) asked.push_back(Value{Ellipsis{}});
  for (const auto& [word, value] : arguments.named) asked.insert(asked.end(), {Value{word}, value});
  const bool itself = asked.size() == 1 && (std::holds_alternative<int64_t>(asked[0].held) ||
                                            std::holds_alternative<std::string>(asked[0].held));
  const Value key = itself ? asked[0] : as_tuple(std::move(asked));
  const KeyMark mark = key_mark(key);
  if (mark.problem) return fail(*mark.problem, at.span);
  const Dictionary before{function.given_before};
  const size_t size = before.items->keys.size(), place = key_place(before, mark.text);
  if (place < size) return before.items->values[place];
  if (size >= static_cast<size_t>(most_kept))  // which one is forgotten then is not modelled
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  Function plain = function;
  plain.given_before = nullptr;
  may_grow_ = true;
  const Result made = call_function(std::make_shared<const Function>(std::move(plain)), arguments, at);
  if (made && !settled(store(before, key, *made), at.span)) return std::nullopt;
  return made;
}

Interpreter::Result Interpreter::reduced(const Values& values, const Expr& at) {
  const auto items = items_of(values[1], at.span);
  if (!items) return std::nullopt;
  if (items->empty() && values.size() < 3)
    return fail(python_error("TypeError", "reduce() of empty iterable with no initial value", Msg::nothing_to_choose),
                at.span);
  Value total = values.size() > 2 ? values[2] : items->front();
  for (size_t i = values.size() > 2 ? 0 : 1; i < items->size(); ++i) {
    Result next = call(values[0], {.positional = {std::move(total), (*items)[i]}}, at);
    if (!next) return std::nullopt;
    total = *std::move(next);
  }
  return total;
}

}  // namespace stridescope

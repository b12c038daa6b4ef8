// Python's time and timeit. Nothing is timed: what a clock says is not known, and what timeit would run does not run.
#include "ops/python/interpreter.h"

namespace stridescope {
namespace {

/// How many numbers timeit.repeat gives where it is not asked for another.
constexpr int64_t usual_repeats = 5;

const Value* argument_at(const Arguments& arguments, std::string_view name, size_t place) {
  for (const auto& [word, value] : arguments.named)
    if (word == name) return &value;
  return place < arguments.positional.size() ? &arguments.positional[place] : nullptr;
}

const std::string* string_in(const Value* value) { return value ? std::get_if<std::string>(&value->held) : nullptr; }

}  // namespace

/// time.time(), time.perf_counter() and other clocks; time.sleep(seconds).
Interpreter::Result Interpreter::clock(std::string_view name, const Arguments& arguments, const Expr& at) {
  const bool sleeps = name == "time.sleep";
  const size_t count = arguments.positional.size();
  if (!arguments.named.empty()) return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (count != (sleeps ? 1 : 0)) {
    const std::string own(name == "timeit.default_timer" ? "time.perf_counter" : name);
    const std::string_view takes = sleeps ? "() takes exactly one argument (" : "() takes no arguments (";
    return fail(python_error("TypeError", {own, takes, count, " given)"}, Msg::builtin_argument_count, {own, count}),
                at.span);
  }
  if (sleeps && !as_real(arguments.positional[0]))
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (sleeps) return Value{};
  add_applied(at.span).why.lines = {Message(Msg::clock_unknown)};
  return Value{Float::unknown()};
}

/// timeit.timeit(stmt, setup, timer, number, globals) and timeit.repeat(stmt, setup, timer, repeat, number, globals).
Interpreter::Result Interpreter::timed(std::string_view name, const Arguments& arguments, const Expr& at) {
  const Value *const code = argument_at(arguments, "stmt", 0), *const setup = argument_at(arguments, "setup", 1);
  const auto* function = code ? std::get_if<FunctionPtr>(&code->held) : nullptr;
  const bool repeats = name == "timeit.repeat";
  const Value* const asked = repeats ? argument_at(arguments, "repeat", 3) : nullptr;
  const auto times = asked ? as_integer(*asked) : usual_repeats;
  // Code in a string has names of its own, unless it is lent the program's.
  const std::string* const prepares = string_in(setup);
  const bool apart = (!setup || (prepares && prepares->find("__main__") == prepares->npos)) &&
                     !argument_at(arguments, "globals", repeats ? 5 : 4);
  if ((!function && !string_in(code)) || !apart || !times || *times < 0 || *times > static_cast<int64_t>(max_items))
    return fail(limit(Msg::not_modelled, {"Python", title(at.span)}), at.span);
  if (function) lose_called(**function, {}, step_->line);
  add_applied(at.span).why.lines = {Message(Msg::timeit_unknown)};
  if (!repeats) return Value{Float::unknown()};
  return list_of(std::vector<Value>(static_cast<size_t>(*times), Value{Float::unknown()}));
}

}  // namespace stridescope

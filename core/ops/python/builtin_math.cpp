#include "ops/python/builtin_math.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "layout/checked.h"
#include "ops/call.h"
#include "ops/python/builtin_numbers.h"

namespace stridescope {
namespace {

using Values = std::vector<Value>;

Diagnostic domain_error() { return python_error("ValueError", "math domain error", Msg::math_domain); }

/// float(value) of what is a number.
Outcome as_float(const Value& value) {
  const bool text = std::holds_alternative<std::string>(value.held);
  Outcome number = text ? Outcome(Value{}) : to_real({value});
  const bool none = text || (number.problem && !tensor_of(value) && number.problem->raised &&
                             number.problem->raised->type == "TypeError");
  if (!none) return number;
  return python_error("TypeError", {"must be real number, not ", type_name(value)}, Msg::argument_has_type,
                      {"x", "float", type_name(value)});
}

/// What is wrong with a result, as CPython finds it: not a number that was one, or infinite though what it was made of
/// was not.
Outcome checked_real(double result, bool finite, bool number) {
  if (std::isnan(result) && number) return domain_error();
  if (std::isinf(result) && finite) return python_error("OverflowError", "math range error", Msg::math_range);
  return Value{result};
}

template <double (*function)(double)>
Outcome of_one(const Values& arguments) {
  Outcome number = as_float(arguments[0]);
  if (number.problem) return number;
  const double x = std::get<Float>(number.value.held);
  return checked_real(function(x), std::isfinite(x), !std::isnan(x));
}

/// Logarithms have no value at 0 and below.
template <double (*function)(double)>
Outcome logarithm(const Values& arguments) {
  Outcome number = as_float(arguments[0]);
  if (number.problem) return number;
  const double x = std::get<Float>(number.value.held);
  return x <= 0 ? Outcome(domain_error()) : Outcome(Value{function(x)});
}

Outcome log_of(const Values& arguments) {
  Outcome number = logarithm<std::log>({arguments[0]});
  if (number.problem || arguments.size() == 1) return number;
  Outcome base = logarithm<std::log>({arguments[1]});
  return base.problem ? base : python_binary("/", number.value, base.value);
}

template <double (*function)(double, double)>
Outcome of_two_reals(const Values& arguments) {
  Outcome a = as_float(arguments[0]), b = a.problem ? a : as_float(arguments[1]);
  if (a.problem || b.problem) return a.problem ? a : b;
  const double x = std::get<Float>(a.value.held), y = std::get<Float>(b.value.held);
  return checked_real(function(x, y), std::isfinite(x) && std::isfinite(y), !std::isnan(x) && !std::isnan(y));
}

Outcome power(const Values& arguments) {
  Outcome a = as_float(arguments[0]), b = a.problem ? a : as_float(arguments[1]);
  if (!a.problem && !b.problem && std::get<Float>(a.value.held) == 0 && std::get<Float>(b.value.held) < 0)
    return domain_error();
  return of_two_reals<std::pow>(arguments);
}

Outcome hypotenuse(const Values& arguments) {
  double length = 0;
  for (const Value& argument : arguments) {
    Outcome number = as_float(argument);
    if (number.problem) return number;
    length = std::hypot(length, std::get<Float>(number.value.held));
  }
  return Value{length};
}

template <bool (*holds)(double)>
Outcome question(const Values& arguments) {
  Outcome number = as_float(arguments[0]);
  return number.problem ? number : Outcome(Value{holds(std::get<Float>(number.value.held))});
}

bool nan_number(double x) { return std::isnan(x); }
bool infinite_number(double x) { return std::isinf(x); }
bool finite_number(double x) { return std::isfinite(x); }
double degrees(double x) { return x * (180.0 / 3.141592653589793); }
double radians(double x) { return x * (3.141592653589793 / 180.0); }
double magnitude(double x) { return std::fabs(x); }

/// floor, ceil and trunc: Python's integers.
template <double (*function)(double)>
Outcome whole(const Values& arguments) {
  if (const auto* integer = std::get_if<int64_t>(&arguments[0].held)) return Value{*integer};
  if (const auto* truth = std::get_if<bool>(&arguments[0].held)) return Value{int64_t{*truth}};
  Outcome number = as_float(arguments[0]);
  return number.problem ? number : to_integer({Value{function(std::get<Float>(number.value.held))}});
}

/// The integers among the arguments, or what is wrong with the first that is none.
std::optional<Diagnostic> integers_of(const Values& arguments, std::vector<int64_t>& numbers) {
  for (const Value& argument : arguments) {
    const auto number = as_integer(argument);
    if (!number)
      return python_error("TypeError", {"'", attribute_type(argument), "' object cannot be interpreted as an integer"},
                          Msg::argument_has_type, {"x", "int", type_name(argument)});
    if (*number == INT64_MIN) return limit(Msg::beyond_int64);
    numbers.push_back(*number);
  }
  return std::nullopt;
}

Outcome greatest_divisor(const Values& arguments) {
  std::vector<int64_t> numbers;
  if (auto problem = integers_of(arguments, numbers)) return *std::move(problem);
  int64_t common = 0;
  for (const int64_t number : numbers) common = std::gcd(common, number);
  return Value{common};
}

Outcome least_multiple(const Values& arguments) {
  std::vector<int64_t> numbers;
  if (auto problem = integers_of(arguments, numbers)) return *std::move(problem);
  int64_t multiple = 1;
  for (const int64_t number : numbers) {
    const auto next = number == 0 || multiple == 0
                          ? std::optional<int64_t>(0)
                          : checked_mul(multiple / std::gcd(multiple, number), std::abs(number));
    if (!next) return limit(Msg::beyond_int64);
    multiple = *next;
  }
  return Value{multiple};
}

Outcome integer_root(const Values& arguments) {
  std::vector<int64_t> numbers;
  if (auto problem = integers_of(arguments, numbers)) return *std::move(problem);
  const int64_t number = numbers[0];
  if (number < 0) return python_error("ValueError", "isqrt() argument must be nonnegative", Msg::math_domain);
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(number)));
  while (root > 3037000499 || root * root > number) --root;
  while (root < 3037000499 && (root + 1) * (root + 1) <= number) ++root;
  return Value{root};
}

/// n (n - 1) .. of k factors, each product divided by as many as are in it where `choose` asks for it.
Outcome falling(int64_t n, int64_t k, bool choose) {
  if (k > n) return Value{int64_t{0}};
  if (choose) k = std::min(k, n - k);
  int64_t product = 1;
  for (int64_t i = 0; i < k; ++i) {
    const int64_t shared = choose ? std::gcd(product, i + 1) : 1, rest = choose ? (i + 1) / shared : 1;
    const auto next = checked_mul(product / shared, (n - i) / rest);
    if (!next) return limit(Msg::beyond_int64);
    product = *next;
  }
  return Value{product};
}

template <bool choose>
Outcome arrangements(const Values& arguments) {
  const bool all = arguments.size() < 2 || std::holds_alternative<None>(arguments[1].held);
  std::vector<int64_t> numbers;
  if (auto problem = integers_of(all ? Values{arguments[0]} : arguments, numbers)) return *std::move(problem);
  if (all && numbers[0] < 0)
    return python_error("ValueError", "factorial() not defined for negative values", Msg::math_domain);
  if (numbers[0] < 0) return python_error("ValueError", "n must be a non-negative integer", Msg::math_domain);
  if (!all && numbers[1] < 0) return python_error("ValueError", "k must be a non-negative integer", Msg::math_domain);
  return falling(numbers[0], all ? numbers[0] : numbers[1], choose);
}

Outcome product(const Values& arguments) {
  const auto items = python_items(arguments[0]);
  if (!items && tensor_of(arguments[0]))
    return limit(Msg::not_modelled, {"Python", "math.prod(" + type_name(arguments[0]) + ")"});
  if (!items)
    return python_error("TypeError", {"'", attribute_type(arguments[0]), "' object is not iterable"}, Msg::not_iterable,
                        {type_name(arguments[0])});
  Value result = arguments.size() > 1 ? arguments[1] : Value{int64_t{1}};
  for (const Value& item : *items) {
    if (has_dtype(item)) return limit(Msg::not_modelled, {"Python", "math.prod([" + type_name(item) + "])"});
    Outcome next = python_binary("*", result, item);
    if (next.problem) return next;
    result = std::move(next.value);
  }
  return result;
}

constexpr size_t any_number = max_items;

/// In alphabetical order.
constexpr Builtin of_math[] = {
    {"math.acos", of_one<std::acos>, 1, 1},
    {"math.asin", of_one<std::asin>, 1, 1},
    {"math.atan", of_one<std::atan>, 1, 1},
    {"math.atan2", of_two_reals<std::atan2>, 2, 2},
    {"math.ceil", whole<std::ceil>, 1, 1},
    {"math.comb", arrangements<true>, 2, 2},
    {"math.copysign", of_two_reals<std::copysign>, 2, 2},
    {"math.cos", of_one<std::cos>, 1, 1},
    {"math.degrees", of_one<degrees>, 1, 1},
    {"math.exp", of_one<std::exp>, 1, 1},
    {"math.fabs", of_one<magnitude>, 1, 1},
    {"math.factorial", arrangements<false>, 1, 1},
    {"math.floor", whole<std::floor>, 1, 1},
    {"math.fmod", of_two_reals<std::fmod>, 2, 2},
    {"math.gcd", greatest_divisor, 0, any_number},
    {"math.hypot", hypotenuse, 0, any_number},
    {"math.isfinite", question<finite_number>, 1, 1},
    {"math.isinf", question<infinite_number>, 1, 1},
    {"math.isnan", question<nan_number>, 1, 1},
    {"math.isqrt", integer_root, 1, 1},
    {"math.lcm", least_multiple, 0, any_number},
    {"math.log", log_of, 1, 2},
    {"math.log10", logarithm<std::log10>, 1, 1},
    {"math.log2", logarithm<std::log2>, 1, 1},
    {"math.perm", arrangements<false>, 1, 2},
    {"math.pow", power, 2, 2},
    {"math.prod", product, 1, 1, "start"},
    {"math.radians", of_one<radians>, 1, 1},
    {"math.sin", of_one<std::sin>, 1, 1},
    {"math.sqrt", of_one<std::sqrt>, 1, 1},
    {"math.tan", of_one<std::tan>, 1, 1},
    {"math.tanh", of_one<std::tanh>, 1, 1},
    {"math.trunc", whole<std::trunc>, 1, 1},
};

}  // namespace

std::span<const Builtin> math_functions() { return of_math; }

}  // namespace stridescope

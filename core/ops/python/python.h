// Python's own arithmetic, comparison and built-in functions, on values that are no tensors.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/diagnostic.h"
#include "ops/value.h"

namespace stridescope {

/// The longest sequence or string that a program may build.
inline constexpr size_t max_items = 4096;
/// The longest text that str(), repr() and an f-string make, and the most bytes of an array's: what they are of bounds
/// them.
inline constexpr size_t max_text = 1 << 16;
/// The same with the items of lists and tuples in it, each as often as it is there.
inline constexpr size_t max_nested_items = 2 * max_items;
/// How many a function may be handed.
inline constexpr size_t max_gathered_items = 16 * max_nested_items;

/// A value, or what is wrong: Python's exception, or a limit of ours (then `raised` is empty). The span is the
/// caller's.
struct Outcome {
  Value value;
  std::optional<Diagnostic> problem;

  Outcome(Value value_) : value(std::move(value_)) {}
  Outcome(Diagnostic problem_) : problem(std::move(problem_)) {}
};

/// An exception of Python's own.
Diagnostic python_error(const char* type, const Slots& text, Msg reason, const Slots& slots = {});
Diagnostic python_error(const char* type, const Slots& text, Message reason);
/// A limit of ours.
Diagnostic limit(Msg reason, const Slots& slots = {});

/// a op b for + - * / // % ** & | ^ << >>.  @pre neither is a tensor
Outcome python_binary(std::string_view op, const Value& a, const Value& b);
/// -a, +a, ~a.  @pre `a` is no tensor
Outcome python_unary(std::string_view op, const Value& a);
/// a == b.  @pre neither is, or holds, a tensor that must be compared by value
bool python_equal(const Value& a, const Value& b);
/// a op b for < <= > >=
Outcome python_order(std::string_view op, const Value& a, const Value& b);
/// bool(value); tensors of one element too.
Outcome truth(const Value& value);
/// The items that iterating gives; of a set whose order is not known they are all there.  @pre no tensor
std::optional<std::vector<Value>> python_items(const Value& value);
/// What Python can go through and we do not, as it is written: a memory view, a dictionary.
std::optional<std::string> walked_elsewhere(const Value& value);
/// Why it cannot be gone through: Python's error, or a limit of ours.
Diagnostic not_iterable(const Value& value);
/// sequence[key]
Outcome python_subscript(const Value& sequence, const Value& key);

/// A built-in function.
struct Builtin {
  std::string_view name;
  Outcome (*function)(const std::vector<Value>& arguments);  ///< null: it applies operators, which the interpreter does
  size_t least = 0, most = 0;                                ///< how many arguments it takes by position
  std::string_view last = "";   ///< what the last argument may be called, or must behind `most`
  std::string_view words = "";  ///< what the others may be called, in their order
};
/// What the argument behind so many may be called; "" where that is nothing.
std::string_view next_word(const Builtin& function, size_t given);
/// Null where there is none. `range`, `tuple`, .. get arguments whose tensors were made lists of tensors.
const Builtin* find_builtin(std::string_view name);
/// Why it cannot take so many arguments.
std::optional<Diagnostic> wrong_count(const Builtin& function, size_t given);
/// Whether a program can import it of Python's own; and what stands behind its dot.
bool is_module_of_python(std::string_view path);
std::vector<std::string_view> names_in_module(std::string_view path);
/// What can be called: a function, a class, an object that may be one.
bool is_callable(const Value& value);
/// Whether a string has a method of that name here, besides format(); and what the method gives.
/// Whether a number of Python's, or a slice, has a method of that name here; and what it gives.
bool is_number_method(const Value& owner, std::string_view name);
Outcome call_number(std::string_view name, const Value& owner, const std::vector<Value>& arguments);
bool is_string_method(std::string_view name);
Outcome call_string(std::string_view name, const std::string& text, const std::vector<Value>& arguments);
/// bytes.hex(), bytes.hex(sep), bytes.hex(sep, bytes_per_sep).
Outcome bytes_in_hex(const Sequence& bytes, const std::vector<Value>& arguments);
/// Their names, for "did you mean".
std::vector<std::string_view> builtin_names();

/// The start, step and number of items of a[start:stop:step] on `size` items, and where it stops at the latest, by
/// Python's rule.  @pre step != 0
struct SliceRange {
  int64_t start = 0, step = 1, count = 0, stop = 0;
};
SliceRange slice_range(std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step, int64_t size);
/// The same of a slice as it is written, or what Python says to it.
struct SliceOutcome {
  SliceRange range;
  std::optional<Diagnostic> problem;
};
SliceOutcome range_of(const SliceValue& slice, int64_t size);

/// What a class is called, whether type() gave it or it was written.
std::string_view class_path(std::string_view path);
/// The Python number that an element is.  @pre it is inside int64_t, which one of uint64 need not be
Value python_value(const Scalar& value);
/// Whether a list, or a tuple, has a method of that name.
bool has_list_method(const Value& value, std::string_view name);
Value list_of(std::vector<Value> items, Sequence::Kind kind = Sequence::Kind::list);
inline Value as_tuple(std::vector<Value> items) { return list_of(std::move(items), Sequence::Kind::tuple); }
/// Those items as range(start, stop, step) shows them.
Value range_value(std::vector<Value> items, int64_t start, int64_t stop, int64_t step);

}  // namespace stridescope

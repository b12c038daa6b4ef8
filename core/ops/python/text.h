// Values as Python writes them: str, repr, and format with its little language.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "ops/python/python.h"

namespace stridescope {

/// The most digits behind a point: each costs a step over all digits of the number.
inline constexpr int64_t max_places = 400;

/// str(value) and repr(value), with texts of objects whose classes tell them. Nothing where it is not known here: of
/// most of what only answers questions about a tensor.
std::optional<std::string> python_str(const Value& value);
/// Whether a number that is not known is it or in it.
bool holds_unknown(const Value& value);
/// What stands for text that is not known in what is printed.
inline constexpr std::string_view unknown_text = "…";
std::optional<std::string> python_repr(const Value& value, Texts told = {});
/// ascii(value): the repr without characters beyond ASCII.
std::optional<std::string> python_ascii(const Value& value);
/// format(value, spec), as a field of an f-string is.  Source: docs.python.org/3/library/string.html#formatspec
Outcome python_format(const Value& value, std::string_view spec);

/// The same of what "r", "s" or "a" makes of it, if that is said: as a field behind "!" has it.
Outcome formatted_field(const Value& value, std::string_view conversion, std::string_view spec);

/// f"{value}": of a tensor without dimensions, and of NumPy's numbers, that number, of all else str(value). Nothing
/// where it is not known here.
std::optional<std::string> python_field(const Value& value);

/// What Python says of a format that is none.
Diagnostic broken_format(std::string_view format, const Slots& text);
/// A whole number without a sign; nothing where it is none, -1 where it is too large.
std::optional<int64_t> place_in(std::string_view text);

/// What a function that makes text gives, or that we cannot say: `call` is how Python would be asked.
Outcome text_or_limit(std::optional<std::string> text, std::string_view call, const Value& value);

}  // namespace stridescope

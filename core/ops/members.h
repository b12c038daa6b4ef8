// What can stand after a dot, and what needs no import: for completion and "did you mean".
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/diagnostic.h"
#include "ops/op.h"
#include "ops/value.h"

namespace stridescope {

struct Member {
  enum class Kind : uint8_t { attribute, method, function, module, constant };
  std::string name;
  Kind kind = Kind::attribute;
  std::vector<const Form*> forms;  ///< overloads in the table's order; none of a module or a constant
};

/// What a dot after `owner` can be followed by, by name; empty for values that have no members we know.
std::vector<Member> members(const Value& owner);

/// What Python says to `owner.name = ..` where no row sets that.
Diagnostic unsettable(const Value& owner, const std::string& name);

/// A member of a module that is a value and not a function ("numpy.pi", "torch.int32", "numpy.newaxis"); nothing where
/// there is none.
std::optional<Value> constant(std::string_view path);

/// What course code imports in its first lines, so that a snippet without them runs as well: names and their paths.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 5> known_without_import{{
    {"torch", "torch"},
    {"np", "numpy"},
    {"numpy", "numpy"},
    {"as_strided", "numpy.lib.stride_tricks.as_strided"},
    {"sliding_window_view", "numpy.lib.stride_tricks.sliding_window_view"},
}};

/// Whether a value is an array or a NumPy scalar, which has an array's methods.
bool is_array(const Value& value);
/// Whose rows answer for the value: that of its tensor, torch for torch.Size, else NumPy.
Library library_of(const Value& value);
/// Of an operation between two values, one of which is an array.
Library library_of(const Value& a, const Value& b);
/// Whether it is a tensor or an array of that library's.
bool is_of(const Value& value, Library library);
/// Whether one is a tensor and the other an array; NumPy's scalars are numbers to PyTorch.
bool are_mixed(const Value& a, const Value& b);

}  // namespace stridescope

// Arguments meet parameters.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lang/diagnostic.h"
#include "ops/op.h"
#include "ops/trace.h"

namespace stridescope {

/// The arguments of a call, evaluated.
struct Arguments {
  std::vector<Value> positional;  ///< the receiver first where there is one
  std::vector<std::pair<std::string, Value>> named;
  Parts parts;
};

/// One value per parameter, or why there is none.
struct Bound {
  std::vector<std::optional<Value>> values;
  /// Python's TypeError in the library's words, and ours. Nothing where the arguments fit.
  struct Misfit {
    std::string text;
    Message reason;
  };
  std::optional<Misfit> misfit;
};

/// Fits `arguments` to the form's parameters: by position, by name, defaults for the rest; a variadic parameter takes
/// what is left or one sequence. Types are those that the signature declares.
Bound bind(const Form& form, const Arguments& arguments);

/// Whether `value` passes as `type` (see Parameter::type).
bool passes(const Value& value, std::string_view type);

}  // namespace stridescope

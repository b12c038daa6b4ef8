// Arguments meet parameters.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lang/diagnostic.h"
#include "ops/op.h"
#include "ops/trace.h"

namespace stridescope {

/// Where an argument is written.
struct Written {
  Span span;                ///< of its value; empty where the program has no text for it
  std::vector<Span> items;  ///< of a list or tuple written out, and of arguments that a variadic parameter collects
  Span argument;            ///< with its name, where it has one
};

/// The arguments of a call, evaluated.
struct Arguments {
  std::vector<Value> positional;  ///< the receiver first where there is one
  std::vector<std::pair<std::string, Value>> named;
  Parts parts;
  std::vector<Written> written, named_written;  ///< of both in their order; may be shorter
};

/// One value per parameter, or why there is none.
struct Bound {
  struct Given {
    std::optional<Value> value;
    Written written;
  };
  std::vector<Given> given;
  /// Python's TypeError in the library's words, and ours. Nothing where the arguments fit.
  struct Misfit {
    std::string text;
    Message reason;
    Span span;          ///< of the argument that does not fit; empty where one is missing
    bool read = false;  ///< whether it fits, and PyTorch fails when it reads it: a RuntimeError
  };
  std::optional<Misfit> misfit;
};

/// Fits `arguments` to the form's parameters: by position, by name, defaults for the rest; a variadic parameter takes
/// what is left or one sequence. Types are those that the signature declares.
Bound bind(const Form& form, const Arguments& arguments);

/// Where the value for that parameter stands; empty where the program has no text for it.
Span argument_span(const Form& form, const Arguments& arguments, std::string_view parameter);

/// Whether `value` passes as `type` (see Parameter::type).
bool passes(const Value& value, std::string_view type);

}  // namespace stridescope

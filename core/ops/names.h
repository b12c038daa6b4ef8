// The names of the real libraries and of Python: what they have and the engine has not is a limit of ours, no error of
// theirs.
#pragma once
#include <string>
#include <string_view>

#include "lang/ast.h"
#include "lang/diagnostic.h"
#include "ops/dtype.h"

namespace stridescope {

/// Whether `owner` has an attribute `name` in the library itself. Owners are types and modules by the names that their
/// errors have: "torch.Tensor", "numpy.ndarray", "numpy.int64" (any NumPy scalar), "torch", "list", "builtins", "math".
/// Those of "modules" are the modules of Python's standard library.
/// @pre neither holds a space
bool library_has(std::string_view owner, std::string_view name);

/// Whether the function or method of the library ("torch.add", "numpy.sum", "x.sum") has a parameter that our row of it
/// has not.
bool library_takes(Library library, std::string_view function, std::string_view parameter);

/// Whether one of those can be given by position.
bool library_takes_more(Library library, std::string_view function);

/// What NumPy says of a name that it has no more; nothing of any other name.
std::string_view removed_from_numpy(std::string_view name);

/// What to answer where there is no `owner.name`, in a program `written` (a name alone of "builtins"): that the library
/// has it and we have not, or `error`.
Diagnostic missing_attribute(std::string_view owner, std::string_view name, std::string written, Diagnostic error);

}  // namespace stridescope

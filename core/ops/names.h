// The public names of the real libraries: what they have and the table has not is a limit of ours, no error of theirs.
#pragma once
#include <string>
#include <string_view>

#include "lang/ast.h"
#include "lang/diagnostic.h"
#include "ops/dtype.h"

namespace stridescope {

/// Whether `owner` has a public attribute `name` in the library itself. Owners are types and modules by their full
/// names: "torch.Tensor", "numpy.ndarray", "numpy.int64" (any NumPy scalar), "torch", "numpy.random".
/// @pre neither holds a space
bool library_has(std::string_view owner, std::string_view name);

/// What to answer where the table has no row for `owner.name`: that the library has it and we have not, or the
/// library's own AttributeError with the text `raised` and our `reason`.
Diagnostic missing_attribute(std::string_view owner, std::string_view name, std::string raised, Message reason);

}  // namespace stridescope

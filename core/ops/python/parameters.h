// What the parameters of a function are worth in a call.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lang/diagnostic.h"
#include "ops/bind.h"
#include "ops/value.h"

namespace stridescope {

using Bindings = std::vector<std::pair<std::string, Value>>;

/// Each parameter by name, in their order, defaults where nothing is given; or Python's TypeError.
/// @param source  the text that the function stands in: a hint shows its parameters as they are written there
std::variant<Bindings, Diagnostic> fit_parameters(const Function& function, const Arguments& arguments,
                                                  std::string_view source);

}  // namespace stridescope

// The exceptions that Python has: which of them are others too, so that an `except` of those catches them.
#pragma once
#include <string>
#include <string_view>

namespace stridescope {

/// Whether it is the name of an exception of Python's own.
bool is_exception(std::string_view name);

/// Whether what catches `name` catches what Diagnostic::Raised calls `raised`.
bool catches(std::string_view name, std::string_view raised);

}  // namespace stridescope

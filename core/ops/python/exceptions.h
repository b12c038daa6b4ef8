// The exceptions that Python has: which of them are others too, so that an `except` of those catches them.
#pragma once
#include <string>
#include <string_view>

namespace stridescope {

/// Whether it is the name of an exception of Python's own.
bool is_exception(std::string_view name);
/// What an exception class of a library's is called where it is raised, by the name that programs write for it
/// ("numpy.linalg.LinAlgError"); nothing of any other name.
std::string_view library_exception(std::string_view path);

/// Whether what catches `name` catches what Diagnostic::Raised calls `raised`.
bool catches(std::string_view name, std::string_view raised);

}  // namespace stridescope

#include "ops/python/exceptions.h"

#include <algorithm>

namespace stridescope {
namespace {

/// An exception and what it is besides: https://docs.python.org/3/library/exceptions.html#exception-hierarchy, and
/// those of the libraries.
struct Exception {
  std::string_view name, also;
};
constexpr Exception exceptions[] = {
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"LookupError", "Exception"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"OSError", "Exception"},
    {"RuntimeError", "Exception"},
    {"StopIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"FileNotFoundError", "OSError"},
    {"ModuleNotFoundError", "ImportError"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"UnboundLocalError", "NameError"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"UnicodeError", "ValueError"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
};
constexpr Exception of_libraries[] = {
    {"AxisError", "ValueError"},          {"AxisError", "IndexError"},
    {"LinAlgError", "ValueError"},        {"_LinAlgError", "RuntimeError"},
    {"UFuncTypeError", "TypeError"},      {"TooHardError", "RuntimeError"},
    {"EinopsError", "RuntimeError"},      {"FrozenInstanceError", "AttributeError"},
    {"DTypePromotionError", "TypeError"}, {"UnsupportedOperation", "OSError"},
    {"UnpicklingError", "Exception"},
};

}  // namespace

bool is_exception(std::string_view name) {
  return std::any_of(std::begin(exceptions), std::end(exceptions),
                     [&](const Exception& one) { return one.name == name; });
}

std::string_view library_exception(std::string_view path) {
  if (path == "einops.EinopsError") return "EinopsError";
  if (path == "io.UnsupportedOperation") return "UnsupportedOperation";
  if (path == "pickle.UnpicklingError") return "UnpicklingError";
  if (path == "dataclasses.FrozenInstanceError") return "FrozenInstanceError";
  if (path == "numpy.linalg.LinAlgError") return "LinAlgError";
  return path == "torch.linalg.LinAlgError" ? "_LinAlgError" : std::string_view();
}

bool catches(std::string_view name, std::string_view raised) {
  if (const std::string_view known = library_exception(name); !known.empty()) name = known;
  if (name == raised) return true;
  const auto leads = [&](const Exception& one) { return one.name == raised && catches(name, one.also); };
  return std::any_of(std::begin(exceptions), std::end(exceptions), leads) ||
         std::any_of(std::begin(of_libraries), std::end(of_libraries), leads);
}

}  // namespace stridescope

// What the libraries make of their own functions, and PyTorch's modules of modules: it stands here in Python, and the
// interpreter runs its lines (run_written.cpp). A row whose `apply` is null is the function that is called as the row's
// first form, with an underscore for each dot: torch_fft_rfft; those of torch.nn.functional by their own names.
//
//   @unvalued      values are the library's own: what it makes has the layouts of what it gives, and no values
//   @in_cpp        the library's own is of C++: it keeps no number that something is multiplied by
//   @one_function  autograd notes it as one, and none of what its lines do
//   @with_names    what it gives is a tuple whose items have names
//   called         a parameter of that name is what the function was called by
#pragma once
#include <optional>
#include <string_view>

#include "lang/ast.h"
#include "ops/op.h"
#include "ops/value.h"

namespace stridescope {

/// Of torch.nn (ops/torch/nn/written.inc), of PyTorch's or of NumPy's functions (ops/torch/written.inc,
/// ops/numpy/written.inc), how gradients are led back (ops/torch/backward.inc), and what makes steps of them
/// (ops/torch/optim.inc), how data are loaded (ops/torch/data.inc), and of Python's own classes those that lend their
/// memory (buffers.inc).
enum class WrittenIn : uint8_t { nn, torch, numpy, backward, optim, data, python };
/// One text. It is read when something of it is first asked for.
struct WrittenLibrary {
  WrittenIn where;
  std::string_view source;
  int most_operations;  ///< that its lines may run in one call of the program's
  Program program;
};
const WrittenLibrary& written_library(WrittenIn where);

/// How many operations lines that a library writes may run in all.
inline constexpr int max_operations_written = 20'000;

/// What lines of the libraries ask of the interpreter itself begins so: "_engine_run_backward" (Interpreter::engine).
inline constexpr std::string_view engine_prefix = "_engine_";

/// What their lines raise where the library would go on.
inline constexpr std::string_view not_modelled_here = "not modelled";

/// The text that the function is part of; null of the program's own.
const WrittenLibrary* library_of(const Function& function);
/// Whether it has that decorator.
bool is_decorated(const Function& function, std::string_view decorator);
/// The function of a row; null where it is none of these.
FunctionPtr written_row(const Op& op);
/// What a name means in the lines of a text, the program's own names apart: a module, a function, a class.
std::optional<Value> written_name(std::string_view name, const WrittenLibrary& library);
/// What the default of a parameter is worth: a constant, a tuple of those, or one of PyTorch's functions.
Value written_default(const Expr& expr);
/// Gives a class of torch.nn, torch.optim, torch.utils.data or Python's the methods that are written, once.
void add_written(const ClassPtr& type);

}  // namespace stridescope

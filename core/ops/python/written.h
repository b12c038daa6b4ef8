// What PyTorch itself writes in Python: functions that are made of others, and modules that are made of modules. They
// stand here as it has them (ops/torch/nn/written.inc), and the interpreter runs their lines.
#pragma once
#include <optional>
#include <string_view>

#include "lang/ast.h"
#include "ops/value.h"

namespace stridescope {

struct WrittenLibrary {
  std::string_view source;
  Program program;
};
const WrittenLibrary& written_library();

/// What their lines raise where PyTorch would go on.
inline constexpr std::string_view not_modelled_here = "not modelled";

/// Whether the function is one of those, and no line of it a step of the program's.
bool is_written(const Function& function);
/// What a name means in their lines, the program's own names apart: a module, a function, a class.
std::optional<Value> written_name(std::string_view name);
/// Gives a class of torch.nn the methods that are written, once.
void add_written(const ClassPtr& type);

}  // namespace stridescope

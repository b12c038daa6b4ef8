// The modules of torch.nn: what each class owns, what calling it does, and how it is printed.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/value.h"

namespace stridescope {

/// A class, as modules.inc writes it.
struct ModuleClass {
  std::string_view name, applies, tensors, shown;
};
const ModuleClass& class_named(std::string_view name);
/// Words between `separator`s.
std::vector<std::string_view> words(std::string_view text, char separator);
/// The attribute of that name; None where there is none.
const Value& held_by(const Module& module, std::string_view name);

/// What calling a module applies to its input x: a function ("torch.nn.functional.linear") or a method ("flatten"), and
/// the arguments it hands over, by the names of parameters and of attributes, which are the same.
struct Applies {
  std::string function;  ///< empty of those that hand on what they get, or whose modules do the work
  bool method = false;
  std::vector<std::string_view> arguments;
};
Applies applied_by(const Module& module);

/// repr(module), as PyTorch prints it.
std::string module_text(const Module& module);

/// "torch.nn.Linear"
bool is_module_class(std::string_view path);
/// Methods that every module has here.
bool is_module_method(std::string_view name);

/// The modules that it is made of, in order, and their names.
std::vector<std::pair<std::string_view, Value>> children_of(const Module& module);
/// Whether a value is a module: of torch.nn, or of a class of the program made from torch.nn.Module.
bool is_module_value(const Value& value);
/// Sets the flag of a module and of all that it is made of; nothing of other values.
void set_training(const Value& value, bool training);
/// Its tensors, and those of the modules that it is made of: all, or parameters alone; named "0.weight".
struct NamedTensor {
  std::string name;
  TensorRef tensor;
};
std::vector<NamedTensor> tensors_of(const Module& module, bool parameters_only);

}  // namespace stridescope

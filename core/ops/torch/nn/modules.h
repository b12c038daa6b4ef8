// The modules of torch.nn: what each class owns, what calling it does, how it is printed, and what modules hold.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/value.h"

namespace stridescope {

/// A class, as modules.inc writes it.
struct ModuleClass {
  std::string_view name, applies, tensors, shown;

  /// Whether it is written in Python (ops/python/written.h).
  constexpr bool written() const { return tensors == "written"; }
};
std::span<const ModuleClass> module_classes();
/// Whether it is one of einops' layers, Rearrange or Reduce; and where a program finds the class: "torch.nn.Linear".
bool is_layer(const ModuleClass& row);
std::string class_path_of(const ModuleClass& row);
/// Words between `separator`s.
std::vector<std::string_view> words(std::string_view text, char separator);

/// The most layers of a recurrent network here.
inline constexpr int64_t most_layers = 64;
bool is_recurrent(const ModuleClass& row);
/// The tensors of a recurrent network as modules.inc would write them: they depend on its layers and directions.
std::string recurrent_tensors(const Object& module);

/// What calling a module applies to its input x: a function ("torch.nn.functional.linear") or a method ("flatten"), and
/// the arguments it hands over, by the names of parameters and of attributes, which are the same where it does not say
/// "pad=padding" or "mode='reflect'".
struct Applies {
  std::string function;  ///< empty of those that hand on what they get, or whose modules do the work
  bool method = false;
  std::vector<std::string_view> arguments;
};
Applies applied_by(const ModuleClass& row);

/// repr(module), as PyTorch prints it, with what classes of the program tell of their modules.
std::string module_text(const Object& module, const Texts& told = {});
/// What its own class tells of a module of torch.nn: "in_features=3, out_features=2, bias=True".
std::string extra_text(const Object& module);

/// Whether a value is a module: of torch.nn, or of a class made from one of its classes.
bool is_module_value(const Value& value);
/// Whether modules of the class are lists, Sequential and ModuleList, or a ModuleDict.
bool is_list_of_modules(const Class& type);
bool is_dictionary_of_modules(const Class& type);
/// The attribute of that name, None where there is none; and whether it is True.
const Value& held_by(const Object& module, std::string_view name);
bool is_set(const Object& module, std::string_view flag);

/// Values by the names that PyTorch has for them: "0.weight".
using NamedValues = std::vector<std::pair<std::string, Value>>;
/// The modules that it is made of, in order; and of several, each object once.
NamedValues children_of(const Object& module);
NamedValues distinct(NamedValues named);
/// The module itself and all that it is made of, each once, a module before its own.
NamedValues modules_in(const Object& module, const std::string& prefix = "");
/// Parameters, or buffers, each once.
NamedValues registered_in(const Object& module, bool buffers, const std::string& prefix, bool recurse);
/// What belongs to the state of the module itself: parameters and buffers; and of all it is made of, as often as they
/// are there.
NamedValues own_state(const Object& module, const std::string& prefix);
NamedValues state_in(const Object& module, const std::string& prefix = "");

}  // namespace stridescope

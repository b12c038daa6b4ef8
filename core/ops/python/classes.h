// Classes: those that the program defines, those of torch.nn, and the three that all of them are made from; and what
// their objects keep.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/ast.h"
#include "lang/diagnostic.h"
#include "ops/value.h"

namespace stridescope {

/// Python's `object`, what its named tuples are made from, and PyTorch's `torch.nn.Module`.
const ClassPtr& object_class();
const ClassPtr& tuple_class();
const ClassPtr& module_class();
/// "torch.nn.Linear", "builtins.bytearray"; null of another name.
ClassPtr class_of_library(std::string_view path);
/// Those of them that a module of Python's has, without it: "bytearray" of "builtins".
std::vector<std::string_view> classes_of_python(std::string_view module);

/// Whether it is that class or made from it.
bool derives(const Class& type, const Class& base);
/// What a class or one that it is made from has by a name; null where none has.
const Value* class_member(const Class& type, std::string_view name);
/// The same, where that is a function of the program's; else null.
FunctionPtr class_function(const Class& type, std::string_view name);
/// What a dataclass gives its objects: `self`, then a parameter of its __init__ for each field, those of the
/// dataclasses above it first; and what each is worth where it is not given. A named tuple has the parameters of its
/// __new__.
struct Fields {
  std::vector<FunctionParameter> parameters;
  std::vector<Value> defaults;  ///< one a parameter, None where there is none
  Nodes places;                 ///< where those are written
  bool frozen = false;          ///< its objects keep what they were made with, and are compared and hashed by that
  std::string names = {};       ///< of the fields of a named tuple, a space between two
};

/// The fields of the nearest dataclass that it is or is made from; null where there is none.
const Fields* fields_of(const Class& type);
/// What a field of an object is worth: its own attribute, else what its class has by that name; null where there is
/// neither, or a function.
const Value* field_of(const Object& object, std::string_view name);
/// The nearest that the program has not defined, which says what its objects can do beside.
const Class& built_in(const Class& type);
/// Whether the class may be given an attribute of that name behind its own lines, or lose it: one that the program has
/// not defined may not, nor may the name mean something to Python or PyTorch.
bool is_changeable(const Class& type, std::string_view name);
/// The class whose members an object sees: of super() one above its own.
const Class& seen_class(const Object& object);

bool is_special(std::string_view name);
/// Whether a class of the program may define it (ops/python/specials.cpp), and whether an object's class has it.
bool is_special_here(std::string_view name);
bool has_special(const Value& value, std::string_view name);
/// What a class says of `x op= y`: "__iadd__" of +; empty where Python has none.
std::string special_in_place(std::string_view op);
/// Whether its class says what it equals, so that Python cannot hash it unless it is frozen.
bool compares_itself(const Value& value);
/// Whether it is an object of a frozen dataclass.
bool is_frozen(const Value& value);
/// Of such a one what its fields are worth, in their order; nothing of others, nor where one has no
/// value.
std::optional<std::vector<Value>> frozen_fields(const Value& value);
bool is_module_class(const Class& type);
/// Whether it is one of torch.optim's, or made from one.
bool is_optimizer(const Class& type);
/// Whether PyTorch's class, or Python's, has a method of that name here, and whether it has more of that name.
bool has_method(const Class& type, std::string_view name);
bool has_besides(const Class& type, std::string_view name);
std::vector<std::string_view> methods_of(const Class& type);
/// Whether a class of the program says how its modules are printed.
bool writes_itself(const Object& module);
/// A method as it is taken from an object or a class, which is its first argument.
Value taken_from(Value self, const FunctionPtr& function);
Value taken_from(const Object& object, const FunctionPtr& function);

/// As errors name it: "Block" of "f.<locals>.Block".
std::string_view short_name(const Class& type);
/// Where Python finds it: "__main__.Block", "torch.nn.modules.linear.Linear".
std::string class_home(const Class& type);
/// What torch.typename() says: "torch.FloatTensor", "int", "__main__.Block"; nothing of what is not known here.
std::optional<std::string> torch_typename(const Value& value);

/// What an object keeps an attribute as: the letter that its mark begins with, its name behind it. A module of
/// PyTorch's registers parameters, buffers (those that pass are no part of its state) and modules; before them comes
/// what its class has.
enum class Kept : char { plain = 's', parameter = 'p', buffer = 'b', passing = 't', module = 'm' };

/// Where the attribute is; their number where there is none.
size_t attribute_place(const DictionaryItems& attributes, std::string_view name);
const std::string& attribute_name(const DictionaryItems& attributes, size_t place);
Kept kept_as(const DictionaryItems& attributes, size_t place);
/// Null where there is none of that name.
const Value* attribute_of(const Object& object, std::string_view name);
/// Gives an object an attribute. One that is kept as something else makes place, and the new one comes last.
std::optional<Diagnostic> keep(const Object& object, std::string_view name, const Value& value,
                               Kept kept = Kept::plain);

/// Whether the __init__ of torch.nn.Module has run, and what it says to "parameters" before that.
bool has_begun(const Object& module);
Diagnostic before_begin(const Object& module, std::string_view what);
/// Why a module can register nothing by that name, which it keeps nothing by, if it cannot.
std::optional<Diagnostic> taken_name(const Object& module, const std::string& name);

}  // namespace stridescope

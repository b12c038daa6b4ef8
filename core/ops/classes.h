// Classes that the program defines, and the two that all of them are made from.
#pragma once
#include <string_view>

#include "ops/value.h"

namespace stridescope {

/// Python's `object` and PyTorch's `torch.nn.Module`.
const ClassPtr& object_class();
const ClassPtr& module_class();

/// The one of those two that a class is made from in the end.
const Class& root_of(const Class& type);
/// Whether it is that class or made from it.
bool derives(const Class& type, const Class& base);
/// What a class or one that it is made from has by a name; null where none has.
const Value* class_member(const Class& type, std::string_view name);

/// As errors name it: "Block" of "f.<locals>.Block".
std::string_view short_name(const Class& type);

}  // namespace stridescope

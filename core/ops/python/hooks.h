// Hooks: functions of the program's that are called around a module's forward, and when gradients come to a tensor.
// What they are of has but their numbers (Numbering::hooks).
#pragma once
#include <string_view>
#include <vector>

#include "ops/call.h"

namespace stridescope {

/// What removes a hook again.  Source: torch.utils.hooks.RemovableHandle
Value hook_handle(int64_t number);

using WhichHooks = std::vector<int64_t> ModuleHooks::*;
void add_module_hook(Numbering& numbering, const Object& module, WhichHooks which, int64_t number, bool first);
/// Whether a module has any that were not removed.
bool has_hooks(const Object& module, const Numbering& numbering);

/// What functions of the program's give where the library takes one value or a tuple of them: a tuple, no list.
bool is_tuple_itself(const Value& value);
std::vector<Value> as_tuple(const Value& value);

}  // namespace stridescope

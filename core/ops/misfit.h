// What Python and the libraries say of arguments that do not fit a function's parameters. Source: Python's own function
// calls and PyTorch's python_arg_parser
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/bind.h"

namespace stridescope {

/// "flatten" of "torch.flatten": how messages name the function.
std::string plain_name(const Form& form);
/// Of arguments that are not there: those from parameter `p` on that have no value.
std::string missing_text(const Form& form, std::span<const Bound::Given> given, size_t p);
/// Of more than `most` by position, the receiver of PyTorch's methods not counted.
std::string too_many_text(const Form& form, int64_t most, int64_t got);
/// Of an argument that is not of the `wanted` type ("tensor | number"); `place` is where PyTorch counts it, nothing
/// where it was given by its name.
std::string type_text(const Form& form, std::string_view parameter, std::optional<size_t> place,
                      std::string_view wanted, const Value& given);
/// The same of an argument that was bound; `item` is the place of the one at fault in a list.
std::string misfit_text(const Form& form, size_t p, const Arguments& arguments, const Value& given,
                        std::optional<size_t> item);
/// Of operands that an operator does not take.
std::string operands_text(std::string_view op, const Value& a, const Value& b);

}  // namespace stridescope

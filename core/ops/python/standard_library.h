// Functions of Python's itertools, functools, operator, collections, time and timeit.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ops/python/python.h"

namespace stridescope {

/// By their whole names, "itertools.product", in alphabetical order. The interpreter runs them (standard_calls.cpp).
std::span<const Builtin> standard_functions();
bool is_standard_function(const Builtin& function);

/// What the functions of itertools put together, in Python's order: places 0 .. n - 1, which are those of the items
/// that one list has, or for `product` of one list each; nothing where there are more than max_items.
using Places = std::vector<std::vector<size_t>>;
std::optional<Places> product_of(const std::vector<size_t>& sizes);
/// k of n places, in every order or in ascending order, each once or as often as one likes.
enum class Picked : uint8_t { permutations, combinations, with_replacement };
std::optional<Places> picked_of(size_t n, size_t k, Picked how);

/// The operator that a function of `operator` stands for: "add" is "+", "is_not" is "is not"; "" of others.
std::string_view operator_named(std::string_view function);

}  // namespace stridescope

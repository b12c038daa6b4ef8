// What x[key] picks out: a view by integers, slices, None and ..., and beyond that positions from lists and tensors.
#pragma once
#include <optional>
#include <vector>

#include "ops/call.h"

namespace stridescope {

struct Selection {
  Tensor part;  ///< the view that integers, slices, None and ... leave; layout only, no object of its own
  bool advanced = false;
  // Where lists or tensors of indices or booleans pick from `part`:
  Layout places;  ///< in bytes: sizes of the result, stride 0 along the dimensions that the indices make
  std::vector<IndexedDim> dims;
  bool alike = true;             ///< every operand has the sizes of the result by itself
  std::vector<Layout> operands;  ///< what the result's memory order follows: `places`, then each index
};

/// The selection of `tensor` by `key`, with its reasons; nothing where the call failed in torch's words.
std::optional<Selection> torch_select(Call& call, const Tensor& tensor, const Value& key);

/// A tensor of integers or booleans written as nested lists, as an index.
std::optional<Elements> index_elements(Call& call, const Value& value);

}  // namespace stridescope

// What x[key] picks out: a view by integers, slices, None and ..., and beyond that positions from lists and tensors.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ops/call.h"

namespace stridescope {

/// Most index values that are looked at one by one.
inline constexpr int64_t max_indices = 1 << 16;

struct Selection {
  Tensor part;  ///< the view that integers, slices, None and ... leave; layout only, no object of its own
  bool advanced = false;
  // Where lists or tensors of indices or booleans pick from `part`:
  Layout places;  ///< in bytes: sizes of the result, stride 0 along the dimensions that the indices make
  std::vector<IndexedDim> dims;
  Dims picked;                   ///< which dimension of `part` each of them picks from
  bool alike = true;             ///< every operand has the sizes of the result by itself
  std::vector<Layout> operands;  ///< what the result's memory order follows: `places`, then each index
};

/// The selection of `tensor` by `key`, with its reasons; nothing where the call failed in torch's words. Whether the
/// indices are in range is not asked yet.
std::optional<Selection> torch_select(Call& call, const Tensor& tensor, const Value& key);

/// The same of tensors alone, which all pick: the indices of index_put.
std::optional<Selection> torch_select(Call& call, const Tensor& tensor, const std::vector<TensorRef>& indices);
/// The next failure is about what holds the indices, the key or an argument, or an item of it.
Call& about_indices(Call& call, int item = -1);

/// What index_put_ writes.
struct PickedWrite {
  Elements values;              ///< as many as are picked, or fewer that are broadcast
  std::optional<Tensor> given;  ///< what they are the elements of, where that is no number
  TensorPtr mask;               ///< what picks, where that is a mask alone
  bool adds = false;            ///< to what is there
  const char* parameter = "value";
};
using Writes = std::vector<std::pair<int64_t, Scalar>>;
/// Places (bytes of the storage of `whole`, which the selection is of) and what they then hold, in the order of
/// writing. What comes before an index out of range is among them, though the call failed.
Writes picked_writes(Call& call, const Tensor& whole, const Selection& selection, const PickedWrite& what);
/// The mask of a key that picks by nothing else; null where there is none.
TensorPtr lone_mask(const Value& key);

/// Looks at the indices of an advanced selection in the order of an iteration over `operands`, and fails at the first
/// out of range. With `visit` every place is visited, as (its number row-major, its byte), until then.
bool visit_picked(Call& call, const Selection& selection, std::span<const Layout> operands,
                  const std::function<void(int64_t, int64_t)>& visit = {});

/// The places of an index, as row-major numbers, in the order in which scatter and gather look at them: lines along
/// the last dimension one after the other, along another one side by side.
/// @pre  `operands` are of the sizes of the index, which are few
std::vector<int64_t> lines_in_turn(const Dims& sizes, int dim, std::vector<Layout> operands);

/// Nested lists as an index: booleans and bytes as they are, other numbers as integers. Nothing: the call failed.
std::optional<Elements> index_elements(Call& call, const Value& value);

}  // namespace stridescope

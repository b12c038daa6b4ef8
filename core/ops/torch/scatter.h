// Elements put where an index points.
#pragma once
#include "ops/call.h"

namespace stridescope {

/// What is written where, before the target is known to be a copy or the tensor itself.
struct Scattered {
  Elements values;  ///< of the sizes of `index`
  Elements index;   ///< positions along dimension `dim`
  int dim = 0;
  std::optional<Arithmetic> op;   ///< what an element and a value make; the value alone where there is none
  std::optional<Scalar> factor;   ///< of the values
  const char* outside = nullptr;  ///< what is said of an index out of range, if not its place
  const char* owner = nullptr;    ///< what stands before its place, where it is an IndexError
  bool fills = false;             ///< an index counts from the end, too, and a copy keeps the order of the strides
  bool apart = false;             ///< whether the element that was there takes no part
  bool mean = false;              ///< whether what comes of a sum is divided by how many are in it
};

/// Sets the operation that reduce= names; false where it is no such word.
bool reduces_by(Scattered& what, std::string_view word);
/// Into the tensor itself where the call's name ends so, else into a packed copy.
Value scatter_into(Call& call, const Scattered& what);
/// Whether index and source may be read while the target is written, where it is the tensor itself.
/// @param source  the name of its parameter
bool is_apart(Call& call, const char* source);
/// The size of a dimension; a tensor of none is seen as one of one element.
inline int64_t size_of(const Dims& sizes, int d) { return sizes.empty() ? 1 : sizes[d]; }

}  // namespace stridescope

// What stands in the brackets of an array, read as NumPy reads it, and the view that its integers, slices, None and ...
// make. Index arrays and masks go on from that view: numpy/fancy.cpp.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "ops/numpy/numpy.h"

namespace stridescope {

/// One entry of a key, read.
struct Entry {
  enum class Kind : uint8_t { integer, slice, newaxis, ellipsis, array, mask };
  Kind kind = Kind::integer;
  int64_t integer = 0;
  std::optional<int64_t> start, stop;
  int64_t step = 1;
  std::string no_index;       ///< the type of a part of the slice that is no number; empty where all are
  int at = -1;                ///< which item of the key it is, where that is a tuple
  TensorRef array;            ///< of integers; of a mask, the bools
  bool scalar_array = false;  ///< a 0-d array of an integer: taken as one, but the result is a copy
};

/// The key as entries with one ellipsis at most and every axis taken; nothing where the call failed.
std::optional<std::vector<Entry>> read_key(Call& call, const Tensor& array, const Value& key);
/// How many axes of the array an entry takes.
int axes_taken(const Entry& entry);
/// No entry is an array or a mask.
bool is_basic(const std::vector<Entry>& entries);
bool all_integers(const std::vector<Entry>& entries);

/// A view as far as integers, slices, None and ... make one; arrays keep their whole axes for now.
struct BasicView {
  Layout layout;
  std::vector<Message> lines;
  /// Of each axis of the result: the entry that is an array or mask (and stands for several), or -1.
  std::vector<int> entry_of;
};
std::optional<BasicView> basic_view(Call& call, const Tensor& array, const std::vector<Entry>& entries);

/// An index array in the order in which its indices are held against the bounds before anything else is done: as it
/// lies in memory (PyArray_MapIterCheckIndices).
Layout as_checked(Layout index);
/// x[key] with index arrays or masks: a copy.
Value read_fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const BasicView& viewed);
/// x[key] = value through index arrays or masks.
void write_fancy(Call& call, const Tensor& array, const std::vector<Entry>& entries, const BasicView& viewed,
                 const Value& value);
/// The bytes of the elements that x[key] names through index arrays or masks, as often as it does, in the order in
/// which they are written, each with the element of `source` that is broadcast there; nothing where the call failed.
std::optional<std::vector<std::pair<int64_t, Scalar>>> fancy_turns(Call& call, const Tensor& array,
                                                                   const std::vector<Entry>& entries,
                                                                   const BasicView& viewed, const Tensor& source);

}  // namespace stridescope

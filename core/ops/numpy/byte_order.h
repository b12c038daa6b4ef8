// Arrays of numbers whose bytes stand in the other order: NumPy's '>i4', big-endian.
//
// To what moves elements they are bytes, as structures are (structured.h). What reckons is handed the same numbers in
// the order of the machine, and what it writes goes back into the array's own; what it makes is in the machine's order.
#pragma once
#include <optional>
#include <string_view>

#include "ops/numpy/numpy.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"

namespace stridescope {

/// The dtype that a program writes so: '>i4', or the object that stands for it. Null of any other.
StructurePtr read_swapped_dtype(const Value& value);
/// What such a dtype object answers by that name.
std::optional<Value> swapped_attribute(const StructurePtr& swapped, std::string_view attribute);
/// dtype.newbyteorder(order): of numbers, and of all fields of a structure.  @pre is_dtype(dtype)
Outcome newbyteorder(const Value& dtype, const std::vector<Value>& arguments);

bool is_swapped(const Tensor& array);
/// The array itself, or its numbers in the order of the machine, in memory of their own, laid out as it is.
Tensor native(const Tensor& array);
/// The elements of an array of numbers as such numbers, converted, in C order. Null where the call failed.
TensorRef as_swapped(Call& call, const Tensor& array, const StructurePtr& swapped);
/// The same, or back, as astype() does, in the order asked for.  @pre one of the two is swapped, the other no string's
Value recast(Call& call, const Tensor& array, const AskedDtype& asked, NumpyOrder order);
/// What `write` does, numpy_assign() or numpy_store(), to an array of such.
void write_swapped(Call& call, const Tensor& target, const Value& value,
                   void (*write)(Call& call, const Tensor& target, const Value& value));

/// Rows that make something else of such numbers than to move their bytes, or to reckon and give what is the machine's.
enum class SwappedRows : uint8_t {
  reckon,       ///< as all do that know of no structures
  look,         ///< at the memory as it is
  give_back,    ///< what is of the dtype of what they were given
  make,         ///< what is of the dtype that is asked for, in its byte order too
  take_number,  ///< of the dtype that is asked for only which numbers it is of
  want_none,    ///< no byte order in the dtype that is asked for
  ask,          ///< only what a dtype is like
  unruly,       ///< what is of this dtype or of that as they happen to be written: limits
};
/// The last words of their names, a blank between each.
std::string_view swapped_rows(SwappedRows kind);
/// What a row of PyTorch makes of such an array: what shares or copies arrays fails, and any other is a limit.
Value refuse_swapped(Call& call, const Tensor& array);
/// Whether the row is to be handed other numbers in place of those it is given, or of the dtype it is asked for.
bool reckons_native(Call& call);
/// What the row makes of them.
Value apply_native(Call& call);

}  // namespace stridescope

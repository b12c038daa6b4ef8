// Structured arrays: dtypes with fields as NumPy reads them, and what is done to arrays of such elements.
//
// The memory of a structured array is bytes. A field is a view of it as another dtype, so whatever NumPy does to fields
// is done by the rules of all arrays; rows that know nothing of structures are never handed one (Op::structured).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ops/arithmetic.h"
#include "ops/numpy/numpy.h"
#include "ops/python/python.h"

namespace stridescope {

/// What NumPy says of a value that is no dtype.
struct DtypeRefusal {
  const char* type;
  std::string text;
};
/// Nothing of one that NumPy has.
std::optional<DtypeRefusal> dtype_refusal(const Value& value);

/// A dtype with fields, as a program writes it: [(name, dtype), (name, dtype, shape)], "i4,f8", {'names': ..,
/// 'formats': ..}. Without both where NumPy has it and it is not modelled here, or where it has no fields.
struct ReadStructure {
  StructurePtr structure;
  std::optional<DtypeRefusal> refusal;
};
/// `aligned`: laid out as a C compiler does.
ReadStructure read_structure(const Value& value, bool aligned = false);
/// Whether it is written as a dtype with fields is: a list or a dictionary.
bool names_fields(const Value& value);
/// What dtype= asks for; null where that is another dtype, or the call failed. Strings may be without room ('U', str).
StructurePtr structure_argument(Call& call, const char* parameter = "dtype", bool aligned = false);
/// What dtype= asks for, with fields or without, if anything.
struct AskedDtype {
  std::optional<DType> dtype;
  StructurePtr structure = nullptr;
  bool little = false;  ///< by an object that says '<'
};
AskedDtype asked_dtype(Call& call);
/// The same bytes as such elements; as float64 where nothing was asked for.
Tensor read_as(Tensor tensor, const AskedDtype& asked);
/// An array on a bytes object, of such elements, which nobody may write. The call is refused where it leaves it.
Value array_on_bytes(Call& call, const Sequence& bytes, const Layout& layout, const AskedDtype& asked);
/// Whether it is a dtype object, with fields or without.
bool is_dtype(const Value& value);

/// The first fields' names as a sentence lists them: "x, y".
std::string names_text(const Structure& structure);
/// The names in a list of nothing else, of at least one.
std::optional<std::vector<std::string>> field_list(const Value& key);
/// What such a dtype object answers by that name, and in brackets: dt.names, dt['x'].
std::optional<Outcome> structure_attribute(const StructurePtr& structure, std::string_view attribute);
Outcome structure_item(const StructurePtr& structure, const Value& key);

/// Whether the call's row takes those of its inputs that are structured; else the call failed.
bool takes_structures(Call& call, std::span<const TensorPtr> inputs);

/// Whether it is an array of strings or structures, or a string or a list with one in it.
bool is_no_number(const Value& value);
/// That the row is not modelled for such elements.
Value refuse_elements(Call& call, const Structure& structure);

/// repr(x.dtype): "dtype('int64')", "dtype([('x', '<i4')])".
std::string dtype_repr(const Tensor& array);

/// A tensor without memory, which tells what elements are of.
Tensor of_structure(StructurePtr structure);
/// x['y'], x[['y', 'z']] and, of one element, x[0]: a view of those fields. Nothing for any other key.
std::optional<Value> read_fields(Call& call, const Tensor& array, const Value& key);
/// A structured array without axes as the np.void that NumPy hands out in its place, which reads the same memory.
Value structured_element(Call& call, const Tensor& array);
/// The same fields written. Whether the key names some.
bool write_fields(Call& call, const Tensor& array, const Value& key, const Value& value);
/// What is written through masks and index arrays into elements of `structure`: an array of such, made of `value` where
/// it is none. Null where the call failed; one of structures with gaps is left out where it cannot go `by_fields`.
TensorRef structures_for(Call& call, const StructurePtr& structure, const Value& value, bool by_fields = false);
/// Every element of `target` becomes `value`: a tuple of as many values as there are fields, a number for all of them,
/// another structured array, or a list of those.  @pre target is structured
void assign_structures(Call& call, const Tensor& target, const Value& value);
/// The same of one element, each field of which becomes a list that is given for it.
void store_structure(Call& call, const Tensor& target, const Value& value);
/// Whether elements are written as they are, byte by byte: those of one structure without anything between its fields,
/// for that is not written.
bool copies_whole(const Tensor& target, const Tensor& source);
/// An array of such elements, of at most `most` axes, read from nested lists whose innermost items are tuples; null
/// where the call failed.
TensorRef structured_array(Call& call, const StructurePtr& structure, const Value& value, int most = max_rank,
                           ReadBefore* before = nullptr);
/// Whether it is an array of structures, or one of them.
bool is_structured_array(const Value& value);
/// a == b and a != b where one of them is.  @pre op is one of these
Value compare_structures(Call& call, Arithmetic op, const Value& a, const Value& b);
/// Of one element a tuple of Python's, of an array lists of them: x.tolist().
Value structures_as_tuples(Call& call, const Tensor& array);

}  // namespace stridescope

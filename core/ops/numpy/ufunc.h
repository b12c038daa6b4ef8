// NumPy's universal functions: which there are, what dtype each is reckoned in, and where its result may go.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/arithmetic.h"
#include "ops/numpy/numpy.h"

namespace stridescope {

struct Ufunc {
  std::string_view symbol;    ///< as an operator; empty where there is none
  std::string_view function;  ///< also the ufunc's name in messages
  Arithmetic op;
  bool own = false;  ///< a ufunc by itself, though another one does the same
};
inline bool is_comparison(const Ufunc& what) {
  return what.op >= Arithmetic::equal && what.op <= Arithmetic::greater_equal;
}
inline bool is_logical(const Ufunc& what) { return what.op >= Arithmetic::logical_and; }
/// The ufunc of two operands, or of one, that a form names: "+", "numpy.add".  @pre there is one
const Ufunc& binary_ufunc(std::string_view form);
const Ufunc& unary_ufunc(std::string_view form);

/// The ufunc of two operands whose method is called: "numpy.add.outer".
const Ufunc& ufunc_of_method(const Call& call);
/// Whether that is the path of one: "numpy.add".
bool is_ufunc(std::string_view path);
/// An attribute of one that is a plain value, as __name__ and nin; nothing for any other.  @pre is_ufunc(path)
std::optional<Value> ufunc_attribute(std::string_view path, std::string_view attribute);
/// What joined with any other element gives that one; None where there is no such thing.
Value identity_of(const Ufunc& what);

/// Where a result goes and how it is reckoned: out=, where=, dtype= and casting=. In place, `out` is the array itself.
struct UfuncTarget {
  TensorRef out, where;
  std::optional<DType> dtype;
  Casting casting = Casting::same_kind;
  bool several = false;  ///< there is another result, so no inner loop runs over the operands as they lie
};
/// The array that the call gives as out=, in a tuple of one or not; null where that is None, or the call failed.
TensorRef ufunc_out(Call& call);
/// Whether a dtype says more than which numbers: the byte order, fields, a length.
bool has_dtype_details(const Value& dtype);
/// dtype= of a ufunc, or of its methods, where it says no more than that; else the call fails.
std::optional<DType> ufunc_dtype_argument(Call& call);
/// That dtype= of a ufunc says more than which numbers: the call fails.
Value refuse_ufunc_dtype(Call& call);
/// What the call asks for; it fails where NumPy refuses that before it looks at the operands.
UfuncTarget ufunc_target(Call& call);
/// The same where out= was looked at before: `out` is what the result goes to, or None.
UfuncTarget ufunc_target(Call& call, const Value& out);

/// The dtype that one or two operands are reckoned in, or the call failed as NumPy refuses them.
std::optional<DType> ufunc_dtype(Call& call, const Ufunc& what, const std::vector<const Operand*>& inputs,
                                 const UfuncTarget& target);
/// Whether it is neither a number nor an array, nor becomes one: None, a slice.
bool is_object(const Value& value);
/// Whether one of the two is such: then both are arrays of objects, whose elements are asked for the operation one by
/// one. The call failed as the first of them does.
bool refuse_objects(Call& call, const Ufunc& what, const Value& a, const Value& b, const TensorRef& out = nullptr);
/// There is no loop for operands of that dtype: the call fails. In the words of ufuncs that try what the operands may
/// be cast to, and in those of ufuncs that look for the very types.
std::nullopt_t no_loop(Call& call, const Ufunc& what, std::string_view dtype);
std::nullopt_t no_matching_loop(Call& call, const Ufunc& what, const std::vector<std::string>& types,
                                std::string_view dtype, const std::string& result = "None");
/// "<class 'numpy.dtypes.Float64DType'>" of "float64".
std::string dtype_class_text(std::string_view name);
/// The same of an operand; Python's own numbers have classes of theirs.
std::string operand_class(const Operand& one);
/// Whether strings or structures are among the values, arrays of them or what becomes such, with which no ufunc
/// reckons: the call failed in NumPy's words, which depend on the others and on `out`, the array that the result was to
/// go to.
bool refuse_no_numbers(Call& call, const Ufunc& what, const std::vector<const Value*>& values,
                       const TensorRef& out = nullptr);
/// The same of an array whose elements the call joins by the ufunc of that name: its "reduce" or "accumulate". True,
/// too, where the call has failed before.
bool refuse_reduction(Call& call, std::string_view ufunc, const TensorRef& source, std::string_view method = "reduce");
/// An array that a method of the ufunc reduces, as its dtype is found: differences, and bits of whole numbers, are
/// those of what dtype= asks for.
Operand reduced_operand(const Ufunc& what, const TensorRef& array, std::optional<DType> asked);
/// Whether elements of `from` may be reckoned in or stored as `to`; else the call fails, and names the operand.
bool check_ufunc_cast(Call& call, const Ufunc& what, std::string_view operand, DType from, DType to, Casting casting);

/// The arguments as operands; nothing, and the call failed, where there is no reckoning with one of them.
std::optional<std::pair<Operand, Operand>> ufunc_operands(Call& call, const Ufunc& what, const Value& a,
                                                          const Value& b);

/// The axes in the order NumPy lays a result out in, the slowest first. Where one inner loop can run over the operands
/// as they lie (of one shape, without conversion or mask, all in Fortran order) the result is Fortran-ordered, axes of
/// size 1 too.
Dims result_order(const std::vector<const Tensor*>& operands, const Dims& sizes, DType reckon_in, bool masked,
                  bool signs_differ);

/// a op b, broadcast, in a new array; a scalar where it has no axes. Nothing where the call has failed before, so that
/// steps can follow each other.
Value apply_binary(Call& call, const Ufunc& what, const Operand& a, const Operand& b, const UfuncTarget& target = {});

/// The same of one operand.
Value apply_unary(Call& call, const Ufunc& what, const Operand& input, const UfuncTarget& target = {});

inline bool is_whole_number(DType dtype) { return is_integer(dtype) || dtype == DType::boolean; }

}  // namespace stridescope

// PyTorch's element-by-element functions: what each is called, what dtypes its kernel is written for, what it gives.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/arithmetic.h"
#include "ops/call.h"

namespace stridescope {

/// Sets of dtypes. `bare` ones are uint16, uint32 and uint64, which few kernels are written for.
enum Kinds : uint8_t {
  bools = 1,
  whole = 2,
  reals = 4,
  complexes = 8,
  bare = 16,
  unsettled = 0,
  usual = 15,
  anything = 31
};

struct Pointwise {
  std::string_view names;  ///< words, operators included: "sub subtract -"
  Arithmetic op;
  std::string_view kernel;  ///< what messages call it: "lt_cpu"
  uint8_t kinds;            ///< what the kernel is written for
  bool in_floats = false;   ///< bools and integers are reckoned in the default dtype
};

/// The function that a row's form names: "torch.sub", "subtract", "-", "sub_".  @pre there is one of so many operands
const Pointwise& pointwise(std::string_view form, int operands);
/// Whether there is one, of any number of operands.
bool is_pointwise(std::string_view form);

/// What div reckons with its rounding_mode; nullptr: the call failed.
const Pointwise* division(Call& call);

/// The dtype the operands are reckoned in.
DType common_dtype(const Call& call, const Pointwise& function, const std::vector<const Value*>& operands);
/// What that gives: bool for comparisons, a real for the size of a complex number.
DType result_dtype(const Pointwise& function, DType common);
/// Half precision is reckoned in single.
DType working_dtype(DType common);
/// The same for a function: comparisons, inverse roots, and quotients that are cut off unless the divisor is one
/// number, are reckoned in the operands' own dtype.
DType working_dtype(const Pointwise& function, DType common, const std::vector<const Value*>& operands);

/// An operand of another dtype converted to half precision, where that is the common one: so kernels see it, but for
/// `single`, one number that all are multiplied with or divided by. Nothing where it is read as it is.
std::optional<Elements> in_half(const Elements& operand, DType common, Arithmetic op, bool single);

/// What float_power reckons in: complex128 where a complex number takes part, else float64.
DType widest_fraction(const Value& base, const Value& exponent);

/// What a power is reckoned as: a root, a reciprocal or a product where the exponent is a number that the library looks
/// for, of complex numbers by logarithms else. Where that takes one operand, it is the base.
Arithmetic power_by(const Value& exponent, DType common);

/// Fails where there is no promotion between the two dtypes.
bool check_promotion(Call& call, DType a, DType b);
/// The same of tensors that both have dimensions, or both have none.
bool check_promotion(Call& call, const std::vector<const Value*>& operands);
/// Fails where the function refuses its operands before it looks at their sizes.
bool check_operands(Call& call, const Pointwise& function, const std::vector<const Value*>& operands);
/// What fails of whole numbers where the second is 0.
bool divides(Arithmetic op);
/// Fails where the kernel is not written for `common`, or divides whole numbers by zero.
bool check_kernel(Call& call, const Pointwise& function, DType common, const std::vector<const Value*>& operands);
/// Fails where `common` cannot be stored in the target of an in-place operation.
bool check_stored(Call& call, DType common, DType target);

/// Fails where add and sub cannot multiply by `alpha`.
bool check_alpha(Call& call, const Value& alpha, DType common);

/// A tensor's elements rounded to so many decimals: times 10^decimals, rounded, and divided again. They are packed.
/// Nothing: the call failed.
std::optional<Elements> rounded_elements(Call& call, const Tensor& tensor, int64_t decimals);

/// A tensor or a number as an operand; nothing: the call failed.
std::optional<Elements> operand_of(Call& call, const Value& value, const char* parameter);

/// A layout as an iteration over those sizes sees it: a size of 1 that is repeated has stride 0, as has a missing
/// dimension.
Layout as_operand(const Layout& layout, const Dims& sizes);

/// The function of its operands, broadcast, as a new tensor in the memory order of the operands. `instead` holds
/// elements of the same sizes that are read in an operand's place; the operand still decides the layout. Numbers that
/// are `apart` are no operands to the iterator, only parameters of the function.
Value computed(Call& call, Arithmetic op, const std::vector<const Value*>& operands, DType common, DType dtype,
               const std::vector<std::optional<Elements>>& instead = {}, bool apart = false);

/// A function of the table, of operands that are checked as the library checks them.
Value apply_function(Call& call, const Pointwise& function, const std::vector<const Value*>& operands,
                     bool apart = false);
/// The same by its name, as one of several that a call is made of: nobody sees the result, and nothing is said of it.
/// Nothing where the call failed.
Value on_the_way(Call& call, std::string_view function, const std::vector<const Value*>& operands);
/// A tensor read through another layout, as an operand: no object of the program's.
Value seen_through(const Tensor& tensor, const Layout& layout);

/// Elements of the same sizes reckoned of each other in one dtype, packed.
struct Reckoner {
  Dims sizes;
  DType dtype;

  Elements operator()(Arithmetic op, const std::vector<Elements>& operands) const;
  Elements operator()(double number) const;
};
/// Reckoned elements as a new tensor.  @pre `layout` is dense and of the same sizes
Value laid_out(Call& call, const Layout& layout, DType dtype, const Elements& elements);

/// The function stored in `target` (its first operand, whatever it holds now); what `rest` holds is multiplied by
/// `factor` first. Without a function the rest is copied. Where elements of the target share cells, with each other or
/// with the rest out of step, each is read, reckoned and written before the next, as the library does. `apart` says
/// that the rest lies in no cell of the target's storage.
/// @pre  `rest` are of the target's sizes; overlap is checked
Value stored(Call& call, const Tensor& target, std::optional<Arithmetic> op, std::vector<Elements> rest, DType common,
             const std::optional<Scalar>& factor = {}, bool apart = false);

/// Whether elements of a small target share cells, with each other or out of step with the rest.
bool is_read_in_turn(const Tensor& target, const std::vector<Elements>& rest);
/// What `reckoned` makes of the operands, whose first is the target, stored there in the same turns.
/// @pre  is_read_in_turn(target, operands); all are of the target's sizes, and known
Value stored_in_turn(Call& call, const Tensor& target, const std::vector<Elements>& operands,
                     const std::function<Scalar(const std::vector<Scalar>&)>& reckoned);

/// The function that the call names, of each element of its first argument, stored where that was.
Value function_in_place(Call& call);

/// Running sums or products along dimension `d` in place, where elements of the target share cells: each is read and
/// written before the next.  @pre  overlap is checked; `target` is small
Value run_in_turn(Call& call, const Tensor& target, int d, bool product);

/// Whether elements of a small tensor share cells.
bool shares_cells(const Tensor& target);

}  // namespace stridescope

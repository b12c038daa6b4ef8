// Element by element arithmetic as both libraries reckon it.
#pragma once
#include <cstdint>
#include <span>

#include "ops/dtype.h"

namespace stridescope {

enum class Arithmetic : uint8_t {
  // one operand
  negate,
  absolute,
  invert,
  logical_not,
  sign,         // of NaN NaN
  sign_number,  // of NaN 0
  square_root,
  exponential,
  logarithm,
  sine,
  cosine,
  tanh,
  floor,
  ceil,
  round,
  conjugate,
  identity,
  tangent,
  truncate,
  fraction,
  square,
  reciprocal,
  reciprocal_by_ratio,  // NaN of a complex 0, as NumPy divides its parts first
  sigmoid,
  silu,         // a * sigmoid(a)
  gelu,         // a times the share of the normal distribution below it
  gelu_tanh,    // nearly that, by a hyperbolic tangent
  gelu_onednn,  // as oneDNN reckons it, to which infinity has none
  relu,
  inverse_root,
  exp2,
  log2,
  log10,
  log1p,
  log1p_by_vectors,  // infinite of the largest numbers, as the vector function that PyTorch calls has it (SLEEF)
  arc_sine,
  arc_sine_by_vectors,  // of complex numbers by PyTorch's own formula
  arc_cosine,
  arc_tangent,
  arc_tangent_by_vectors,
  sinh,
  cosh,
  area_sine,  // the inverses of sinh, cosh and tanh
  area_cosine,
  area_tangent,
  cube_root,
  to_radians,
  to_degrees,
  to_degrees_rounded,  // by a factor that is made of a pi of the dtype
  error_function,
  error_function_rest,  // 1 - that
  expm1,
  special,  // whose values are the library's own: in none are they known
  is_nan,
  is_infinite,
  is_finite,
  sign_bit,
  // two
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  remainder_signed,   ///< the same, but a rest of 0 has the sign of what is divided: PyTorch's of floats
  power,              // of complex numbers, small whole exponents by multiplication
  logarithmic_power,  // of complex numbers always exp(b * log(a))
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  common_divisor,
  common_multiple,
  arc_tangent2,
  hypotenuse,
  log_add_exp,  // log(exp(a) + exp(b)), and the same to the base 2
  log_add_exp2,
  copy_sign,
  next_after,     // the number beside a on the way to b
  step_function,  // 0, b or 1: where a is below, at or above 0; NaN stays, or is below
  step_number,
  // C's % and /, extremes that pass over NaN, a + b * 1j, a * exp(b * 1j)
  truncated_remainder,
  truncated_divide,
  minimum_number,
  maximum_number,
  compose,
  polar,
  special_of_two,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_xor,
  // three: condition, value if true, value if false
  where,
};

/// 1, 2 or 3.
int operand_count(Arithmetic op);
/// Comparisons, logic and questions give bool whatever they are asked of.
bool gives_bool(Arithmetic op);

/// The result, bool or of the operands' common dtype. Integers wrap; integer division floors, and by zero gives 0
/// (PyTorch raises instead: its evaluator asks first); floats round to the dtype as the libraries do.
/// @pre  operands.size() == operand_count(op), all of one dtype (of `where` the second and third)
Scalar reckon(Arithmetic op, std::span<const Scalar> operands);

}  // namespace stridescope

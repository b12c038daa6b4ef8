// nan_to_num: numbers in place of NaN and of the infinities.
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whole numbers are copied as they are.
Value nan_to_num_row(Call& call) {
  const Tensor tensor = call.self();
  const DType dtype = tensor.dtype;
  const bool in_place = call.name().ends_with('_');
  if (is_complex(dtype)) return call.refuse(Msg::not_modelled, {"PyTorch", "complex.nan_to_num()"});
  Elements now = elements_of(tensor);
  if (is_floating(dtype)) {
    if (in_place && !check_overlap(call, tensor, nullptr)) return {};
    const auto [least, most] = bounds_of(dtype);
    const Reckoner reckon{tensor.layout.sizes, dtype};
    const Elements given = now;
    const auto replace = [&](const Elements& where, const char* parameter, double usual) {
      const Elements number = reckon(call.given(parameter) ? call.real(parameter) : usual);
      now = reckon(Arithmetic::where, {where, number, now});
    };
    replace(reckon(Arithmetic::not_equal, {given, given}), "nan", 0);
    replace(reckon(Arithmetic::equal, {given, reckon(INFINITY)}), "posinf", most);
    replace(reckon(Arithmetic::equal, {given, reckon(-INFINITY)}), "neginf", least);
  }
  if (in_place) return stored(call, tensor, std::nullopt, {now}, dtype, {}, true);
  return laid_out(call, {tensor.layout.sizes, preserved_strides(tensor.layout), 0}, dtype, now);
}

}  // namespace

std::span<const Op> torch_nan_rows() {
#define NUMBERS "nan: float = None, posinf: float = None, neginf: float = None)"
  static constexpr Op rows[] = {
      {Library::torch, "x.nan_to_num(" NUMBERS "\ntorch.nan_to_num(input: tensor, " NUMBERS, Msg::op_torch_nan_to_num,
       "y[i] = x[i], or the number that stands for NaN (0), inf or -inf (the largest and smallest there are)",
       "x = torch.tensor([1., float('nan')])\ny = x.nan_to_num()", nan_to_num_row},
      {Library::torch, "x.nan_to_num_(" NUMBERS "\ntorch.nan_to_num_(input: tensor, " NUMBERS,
       Msg::op_in_place_function, "x[i] = the number that stands for NaN, inf or -inf in the same cells",
       "x = torch.tensor([1., float('nan')])\nx.nan_to_num_()", nan_to_num_row},
  };
#undef NUMBERS
  return rows;
}

}  // namespace stridescope

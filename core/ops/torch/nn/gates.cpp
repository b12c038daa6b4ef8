// Activations that are made of other functions, or take a second tensor: softsign, tanhshrink, glu, prelu.
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// x / (|x| + 1)
Value softsign_row(Call& call) {
  const Value x = call.first();
  if (is_complex(call.self().dtype)) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const Value size = on_the_way(call, "abs", {&x}), one{int64_t{1}}, below = on_the_way(call, "add", {&size, &one});
  return call.failed() ? Value{} : apply_function(call, pointwise("div", 2), {&x, &below});
}

Value tanhshrink_row(Call& call) {
  const Value x = call.first(), tangent = on_the_way(call, "tanh", {&x});
  return call.failed() ? Value{} : apply_function(call, pointwise("sub", 2), {&x, &tangent});
}

/// The first half times the sigmoid of the second, which are views along `dim`.
Value glu_row(Call& call) {
  const Tensor x = call.self();
  if (x.layout.rank() == 0)
    return call.fail("RuntimeError", "glu does not support scalars because halving size must be even", Msg::needs_rank,
                     {1, 0});
  if (!passes(call.value("dim"), "int")) return call.wrong_type("dim", "int");
  const int d = call.dim("dim");
  if (call.failed()) return {};
  const int64_t size = x.layout.sizes[d], half = size / 2;
  if (size % 2 != 0)
    return call.fail("RuntimeError", {"Halving dimension must be even, but dimension ", d, " is size ", size},
                     Msg::glu_odd, {Slot{d, call.axis(d)}, size});
  if (!check_floating(call, x.dtype, "glu_cpu")) return {};
  const Value first = seen_through(x, part(x.layout, d, 0, half)),
              gate = seen_through(x, part(x.layout, d, half, half));
  const Dims& sizes = tensor_of(gate)->layout.sizes;
  const DType working = working_dtype(x.dtype);
  call.why(Msg::glu_halves, {Slot{d, call.axis(d)}, to_string(sizes), half});
  const Elements open = Reckoner{sizes, working}(Arithmetic::sigmoid, {elements_of(*tensor_of(gate))});
  return computed(call, Arithmetic::multiply, {&first, &gate}, working, x.dtype, {std::nullopt, open});
}

/// Whether the slope fits, one for all or one a channel, or the call failed.
bool check_slope(Call& call, const Tensor& x, const Tensor& slope) {
  const int rank = x.layout.rank();
  const int64_t count = *numel(slope.layout.sizes), channels = rank > 1 ? x.layout.sizes[1] : 1;
  call.about("weight");
  if (x.dtype != slope.dtype)
    call.fail("RuntimeError",
              {"prelu: Type promoting not supported. Got ", scalar_type_name(x.dtype), " and ",
               scalar_type_name(slope.dtype)},
              Msg::dtypes_differ, {name(x.dtype), name(slope.dtype)});
  else if (count != 1 && rank == 0)
    call.fail("RuntimeError", "Not allow zero-dim input tensor.", Msg::needs_rank, {1, 0});
  else if (count != 1 && count != channels)
    call.fail("RuntimeError",
              {"Mismatch of parameter numbers and input channel size. Found parameter numbers = ", count,
               " and channel size = ", channels, "."},
              Msg::layer_size, {"weight", count, channels});
  else if (slope.layout.rank() > 1)
    call.fail("RuntimeError",
              {"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ", slope.layout.rank()},
              Msg::product_rank, {1, slope.layout.rank()});
  return !call.failed();
}

Value prelu_row(Call& call) {
  const Tensor x = call.self(), slope = *call.tensor("weight")->tensor;
  if (!check_slope(call, x, slope) || !check_floating(call, x.dtype, "prelu_cpu")) return {};
  const Dims& sizes = x.layout.sizes;
  // The slope as channels, dim 1, of which there may be one.
  Elements slopes = elements_of(slope);
  const Layout line = slopes.layout;
  slopes.layout = {sizes, Dims::filled(sizes.size(), 0), line.storage_offset};
  if (sizes.size() > 1 && line.rank() == 1 && line.sizes[0] > 1) slopes.layout.strides[1] = line.strides[0];
  const Reckoner reckon{sizes, working_dtype(x.dtype)};
  const Elements own = elements_of(x), above = reckon(Arithmetic::greater, {own, reckon(0)}),
                 sunk = reckon(Arithmetic::multiply, {slopes, own});
  return laid_out(call, {sizes, preserved_strides(x.layout), 0}, x.dtype,
                  reckon(Arithmetic::where, {above, own, sunk}));
}

}  // namespace

std::span<const Op> torch_gate_rows() {
#define F "torch.nn.functional."
#define EXAMPLE "import torch.nn.functional as F\nx = torch.arange(-3., 3.)\ny = F."
  static constexpr Op rows[] = {
      {Library::torch, F "softsign(input: tensor)", Msg::op_unary, "y[i] = x[i] / (|x[i]| + 1)", EXAMPLE "softsign(x)",
       softsign_row},
      {Library::torch, F "tanhshrink(input: tensor)", Msg::op_unary, "y[i] = x[i] - tanh(x[i])",
       EXAMPLE "tanhshrink(x)", tanhshrink_row},
      {Library::torch, F "glu(input: tensor, dim: any = -1)", Msg::op_glu,
       "a, b = halves of x along dim; y[i] = a[i] * sigmoid(b[i])", EXAMPLE "glu(x)", glu_row},
      {Library::torch,
       F "prelu(input: tensor, weight: tensor)\ntorch.prelu(input: tensor, weight: tensor)\nx.prelu(weight: tensor)",
       Msg::op_prelu, "y[n, c, ..] = x[n, c, ..] if that is above 0 else weight[c] * x[n, c, ..]",
       EXAMPLE "prelu(x, torch.tensor([0.25]))", prelu_row},
  };
#undef F
#undef EXAMPLE
  return rows;
}

}  // namespace stridescope

// Two results at once: the smallest and the largest, and the extreme of all so far with its place.
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

Value aminmax_row(Call& call) {
  const Tensor tensor = call.self();
  const bool along = call.given("dim"), keep = kept_dims(call);
  const int d = along ? call.dim("dim") : 0;
  if (call.failed()) return {};
  if (!along && numel(tensor.layout.sizes) == 0)
    return call.fail("RuntimeError",
                     "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.",
                     Msg::nothing_to_choose);
  if (along && tensor.layout.rank() > 0 && tensor.layout.sizes[d] == 0)
    return call.fail("IndexError", {"aminmax: Expected reduction dim ", d, " to have non-zero size."},
                     Msg::reduce_nothing, {Slot{d, call.axis(d)}});
  if (is_complex(tensor.dtype) && numel(tensor.layout.sizes) != 0) return no_kernel(call, "aminmax_cpu", tensor.dtype);
  const Rows rows = rows_along(tensor, along ? Dims{d} : all_dims(tensor), keep);
  const auto extreme = [&](bool most) {
    return reduced(call, rows, tensor.dtype, [&](int64_t row) { return rows.at(row, best_of(rows, row, most)); });
  };
  const Value least = extreme(false);
  const size_t said = call.said();
  const Value most = extreme(true);
  call.unsay(said);
  return call.tuple({least, most}, Sequence::Kind::ranked);
}

/// cummax and cummin: of equals the last, and a NaN from the first on.
Value running_extreme_row(Call& call) {
  const Tensor tensor = call.self();
  const bool most = call.name().ends_with("max");
  const int64_t count = *numel(tensor.layout.sizes);
  if (count == 0) {  // no dimension is looked at, nor where there is none
    const auto nothing = [&](DType dtype) {
      return call.fresh(dtype, contiguous(tensor.layout.sizes), literal_contents({}, dtype));
    };
    call.why(Msg::fresh_headline, {0, name(tensor.dtype), to_string(contiguous(tensor.layout.sizes))});
    return call.tuple({nothing(tensor.dtype), nothing(DType::int64)}, Sequence::Kind::ranked);
  }
  const int rank = tensor.layout.rank(), d = rank == 0 ? 0 : call.dim("dim");  // nor of a number
  if (call.failed()) return {};
  if (is_complex(tensor.dtype) && rank > 0) {
    const std::string kernel = most ? "cummax_cpu" : "cummin_cpu";
    return no_kernel(call, kernel, tensor.dtype);
  }
  const Layout packed = contiguous(tensor.layout.sizes);
  const int64_t size = rank == 0 ? 1 : packed.sizes[d], step = rank == 0 ? 1 : packed.strides[d];
  call.why(Msg::running_extreme_headline, {size, Slot{d, call.axis(d)}, most ? "≥" : "≤"});
  if (!call.reckons(folding(count))) {
    const Value extremes = call.fresh(tensor.dtype, packed, unknown_contents(tensor.dtype, count));
    return call.tuple({extremes, call.fresh(DType::int64, packed, unknown_contents(DType::int64, count))},
                      Sequence::Kind::ranked);
  }
  const Elements elements = elements_of(tensor);
  std::vector<Scalar> values(static_cast<size_t>(count)), places(values.size());
  const auto replaces = [&](const Scalar& next, const Scalar& held) {
    if (std::isnan(next.real)) return true;
    const Scalar pair[] = {next, held};
    return !std::isnan(held.real) && is_true(reckon(most ? Arithmetic::greater_equal : Arithmetic::less_equal, pair));
  };
  for (int64_t first = 0; first < count; ++first) {
    if (first / step % size != 0) continue;
    Scalar best = element(elements, first);
    for (int64_t k = 0, place = 0; k < size; ++k) {
      const Scalar next = element(elements, first + k * step);
      if (k == 0 || replaces(next, best)) best = next, place = k;
      const auto at = static_cast<size_t>(first + k * step);
      values[at] = best;
      places[at] = integer_scalar(place, DType::int64);
    }
  }
  const Value extremes = call.fresh(tensor.dtype, packed, literal_contents(values, tensor.dtype));
  return call.tuple({extremes, call.fresh(DType::int64, packed, literal_contents(places, DType::int64))},
                    Sequence::Kind::ranked);
}

}  // namespace

std::span<const Op> torch_pair_rows() {
#define RUNNING(name) "x." name "(dim: int)\ntorch." name "(input: tensor, dim: int)\n"
  static constexpr Op rows[] = {
      {Library::torch,
       "x.aminmax(*, dim: int = None, keepdim: bool = False)\n"
       "torch.aminmax(input: tensor, *, dim: int = None, keepdim: bool = False)",
       Msg::op_extreme, "the smallest and the largest along dim: (min, max)",
       "x = torch.arange(6).view(2, 3)\ny = x.aminmax(dim=1)", aminmax_row},
      {Library::torch, RUNNING("cummax") RUNNING("cummin"), Msg::op_running_extreme,
       "y[i] = the largest, or smallest, of x[0] .. x[i] along dim: (values, indices)",
       "x = torch.tensor([1, 3, 2])\ny = x.cummax(0)", running_extreme_row},
  };
#undef RUNNING
  return rows;
}

}  // namespace stridescope

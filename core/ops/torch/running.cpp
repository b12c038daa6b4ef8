// Running sums and products, and what undoes them: differences.
#include <algorithm>

#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Every element with all before it along a dimension.
Value running_row(Call& call) {
  const Tensor tensor = call.self();
  const bool in_place = call.name().ends_with('_'), product = call.name().find("prod") != std::string_view::npos;
  const int d = call.dim("dim");
  const std::optional<DType> asked = call.dtype("dtype");
  if (call.failed()) return {};
  const DType dtype = asked.value_or(is_whole(tensor.dtype) && !in_place ? DType::int64 : tensor.dtype);
  const int64_t count = *numel(tensor.layout.sizes);
  if (dtype == DType::boolean && tensor.layout.rank() > 0 && count > 0)
    return no_kernel(call, product ? "cumprod_out_cpu" : "cumsum_out_cpu", dtype);
  if (in_place && !check_overlap(call, tensor, nullptr)) return {};
  call.why(Msg::running_headline, {tensor.layout.rank() == 0 ? 1 : tensor.layout.sizes[d], Slot{d, call.axis(d)}});
  ContentsPtr contents = call.reckons(folding(count)) ? nullptr : unknown_contents(dtype, count);
  if (!contents && in_place && tensor.layout.rank() > 0 && tensor.lens == Lens{} && shares_cells(tensor))
    return run_in_turn(call, tensor, d, product);
  if (!contents)
    contents = literal_contents(
        running(elements_of(tensor), d, dtype, widest(dtype), product ? Arithmetic::multiply : Arithmetic::add,
                tensor.layout.rank() == 0 ? std::nullopt : std::optional(product ? 1 : 0)),
        dtype);
  if (!in_place) return call.fresh(dtype, contiguous(tensor.layout.sizes), contents);
  call.write(tensor, {contents, contiguous(tensor.layout.sizes, itemsize(dtype)), dtype});
  return {call.self_ref()};
}

/// Every element less the one before it, as often as asked; of bools whether they differ.
Value difference_row(Call& call) {
  Tensor tensor = call.self();
  const int64_t n = call.integer("n");
  const int rank = tensor.layout.rank();
  if (rank == 0)
    return call.fail("RuntimeError", "diff expects input to be at least one-dimensional", Msg::needs_rank, {1, 0});
  if (n < 0)
    return call.about("n").fail("RuntimeError", {"order must be non-negative but got ", n}, Msg::at_least, {"n", 0});
  const bool joins = call.given("prepend") || call.given("append");
  const int d = n == 0 && !joins ? 0 : call.dim("dim");
  std::vector<Tensor> parts{tensor};
  for (const char* end : {"prepend", "append"}) {
    if (!call.given(end) || call.failed()) continue;
    const Tensor& other = *call.tensor(end)->tensor;
    if (other.layout.rank() != rank)
      return call.about(end).fail("RuntimeError", "diff expects prepend or append to be the same dimension as input",
                                  Msg::join_rank, {rank, other.layout.rank(), 1});
    for (int k = 0; k < rank; ++k)
      if (const int64_t own = tensor.layout.sizes[k], size = other.layout.sizes[k]; k != d && own != size)
        return call.about(end).fail("RuntimeError",
                                    {"diff expects the shape of tensor to prepend or append to match that of input "
                                     "except along the differencing dimension; input.size(",
                                     k, ") = ", own, ", but got tensor.size(", k, ") = ", size},
                                    Msg::join_size, {k, own, size, 1});
    parts.insert(end[0] == 'p' ? parts.begin() : parts.end(), other);
  }
  if (call.failed()) return {};
  if (n == 0) {
    const Value result = call.copy(tensor, {tensor.layout.sizes, preserved_strides(tensor.layout), 0}, tensor.dtype);
    call.headline(Msg::difference_headline, {0, Slot{d, call.axis(d)}});
    return result;
  }
  Value result = call.same();
  if (parts.size() > 1) {
    result = joined_tensors(call, parts, d);
    if (call.failed()) return {};
    tensor = *tensor_of(result);
  }
  const int64_t times = std::min(n, tensor.layout.sizes[d]);
  if (times > max_rank) return call.refuse(Msg::too_costly);
  const Arithmetic op = tensor.dtype == DType::boolean ? Arithmetic::logical_xor : Arithmetic::subtract;
  for (int64_t i = 0; i < times; ++i) {
    const auto from = [&](int64_t start) {
      Tensor one = tensor;
      one.layout = part(tensor.layout, d, start, tensor.layout.sizes[d] - 1);
      return Value{std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(one)})};
    };
    const Value after = from(1), before = from(0);
    call.unsay(0);
    result = computed(call, op, {&after, &before}, working_dtype(tensor.dtype), tensor.dtype);
    if (call.failed()) return {};
    tensor = *tensor_of(result);
  }
  call.headline(Msg::difference_headline, {times, Slot{d, call.axis(d)}});
  return result;
}

}  // namespace

std::span<const Op> torch_running_rows() {
#define METHOD(name) "x." name "(dim: int, *, dtype: dtype = None)\n"
#define BOTH(name, rest) "x." name "(" rest ")\ntorch." name "(input: tensor, " rest ")\n"
  static constexpr Op rows[] = {
      {Library::torch,
       BOTH("cumsum", "dim: int, *, dtype: dtype = None") BOTH("cumprod", "dim: int, *, dtype: dtype = None")
           METHOD("cumsum_") METHOD("cumprod_"),
       Msg::op_running, "y[i] = x[0] + .. + x[i] along dim", "x = torch.arange(6)\ny = x.cumsum(0)", running_row},
      {Library::torch, BOTH("diff", "n: int = 1, dim: int = -1, prepend: tensor = None, append: tensor = None"),
       Msg::op_difference, "y[i] = x[i + 1] - x[i] along dim, n times", "x = torch.tensor([1, 4, 9])\ny = x.diff()",
       difference_row},
  };
#undef METHOD
#undef BOTH
  return rows;
}

}  // namespace stridescope

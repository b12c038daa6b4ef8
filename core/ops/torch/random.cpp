// Tensors of numbers that look random. They are the same in every run, and so a seed has nothing to do.
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Gives a generator, about which there is nothing to ask.
Value seed_row(Call& call) {
  call.why(Msg::random_seed);
  call.relation(Relation::none);
  return {Symbol{"torch.Generator", nullptr}};
}

Value random_row(Call& call) {
  const bool integers = call.name().ends_with("randint");
  const DType dtype = call.dtype("dtype").value_or(integers ? DType::int64 : DType::float32);
  const Dims sizes = call.ints("size");
  const int64_t low = call.given("low") ? call.integer("low") : 0, high = integers ? call.integer("high") : 1;
  if (!call.failed() && integers && low >= high)
    return call.about("high").fail("RuntimeError",
                                   {"random_ expects 'from' to be less than 'to', but got from=", low, " >= to=", high},
                                   Msg::randint_empty, {low, high});
  const Layout layout = call.failed() ? Layout{} : fresh_layout(call, sizes, dtype);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  call.why(Msg::random_values);
  const Distribution distribution = integers                         ? Distribution::integers
                                    : call.name().ends_with("randn") ? Distribution::normal
                                                                     : Distribution::uniform;
  return call.fresh(dtype, layout, random_contents(distribution, call.seed(), dtype, count, low, high));
}

}  // namespace

std::span<const Op> torch_random_rows() {
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static const Op rows[] = {
      {Library::torch, "torch.randn(*size: int, " OPTIONS ")\ntorch.rand(*size: int, " OPTIONS ")", Msg::op_randn,
       "packed; reproducible stand-ins for random values", "x = torch.randn(2, 3)", random_row},
      {Library::torch, "torch.randint(high: int, size: ints, *, " OPTIONS ")", Msg::op_randn,
       "packed; integers below high", "x = torch.randint(10, (2, 3))", random_row},
      {Library::torch, "torch.randint(low: int, high: int, size: ints, *, " OPTIONS ")", Msg::op_randn,
       "packed; integers from low on and below high", "x = torch.randint(1, 7, (2, 3))", random_row},
      {Library::torch, "torch.manual_seed(seed)", Msg::op_seed, "the values are the same in every run all the same",
       "x = torch.randn(3)\ntorch.manual_seed(0)", seed_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope

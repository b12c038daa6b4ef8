// Tensors of numbers that look random. They are the same in every run, and so a seed has nothing to do.
#include "ops/rows.h"
#include "ops/torch/torch.h"

namespace stridescope {

bool is_drawn(Call& call, DType dtype, bool normal, int64_t count) {
  if (is_floating(dtype) || is_complex(dtype) || (normal && count == 0)) return true;
  const std::string_view kernel = normal ? "normal_kernel_cpu" : "check_uniform_bounds";
  return call.fail("RuntimeError", {"\"", kernel, "\" not implemented for '", scalar_type_name(dtype), "'"},
                   Msg::kernel_missing, {kernel, name(dtype)}),
         false;
}

namespace {

/// Gives a generator, about which there is nothing to ask.
Value seed_row(Call& call) {
  call.why(Msg::random_seed);
  call.relation(Relation::none);
  return {Symbol{"torch.Generator", nullptr}};
}

/// Whether integers from `low` on and below `high` are elements of `dtype`, or the call failed.
bool check_bounds(Call& call, int64_t low, int64_t high, DType dtype) {
  if (low >= high)
    return call.about("high").fail("RuntimeError",
                                   {"random_ expects 'from' to be less than 'to', but got from=", low, " >= to=", high},
                                   Msg::randint_empty, {low, high}),
           false;
  if (is_complex(dtype))
    return call.fail("RuntimeError", "check_random_bounds handles only integral, floating-point and boolean types",
                     Msg::function_refuses, {"randint", name(dtype)}),
           false;
  const auto [least, most] = bounds_of(dtype);
  for (const auto& [words, number] : {std::pair("from", low), std::pair("to - 1", high - 1)})
    if (const double bound = static_cast<double>(number); bound < least || bound > most)
      return call.fail("RuntimeError", {words, " is out of bounds for ", cpp_name(dtype)}, Msg::number_overflows,
                       {number, name(dtype)}),
             false;
  return true;
}

Value random_row(Call& call) {
  const bool integers = call.name().ends_with("randint"), normal = call.name().ends_with("randn");
  const DType dtype = call.dtype("dtype").value_or(integers ? DType::int64 : DType::float32);
  const Dims sizes = call.ints("size");
  const int64_t low = call.given("low") ? call.integer("low") : 0, high = integers ? call.integer("high") : 1;
  const Layout layout = fresh_layout(call, sizes, dtype);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  if (integers ? !check_bounds(call, low, high, dtype) : !is_drawn(call, dtype, normal, count)) return {};
  call.why(Msg::fresh_headline, {count, name(dtype), to_string(layout)});
  call.why(Msg::random_values);
  const Distribution distribution = integers ? Distribution::integers
                                    : normal ? Distribution::normal
                                             : Distribution::uniform;
  return call.fresh(dtype, layout, random_contents(distribution, call.seed(), dtype, count, low, high));
}

}  // namespace

std::span<const Op> torch_random_rows() {
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static constexpr Op rows[] = {
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

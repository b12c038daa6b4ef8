// Tensors of numbers that look random. They are the same in every run, and again after the same seed.
#include <cmath>
#include <utility>
#include <vector>

#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"

namespace stridescope {

const Storage* generator_memory(const Value& value) {
  const auto* facet = std::get_if<Facet>(&value.held);
  return facet && facet->name == "Generator" && facet->tensor->library == Library::torch ? facet->tensor->storage.get()
                                                                                         : nullptr;
}

bool is_drawn(Call& call, DType dtype, bool normal, int64_t count) {
  if (is_floating(dtype) || is_complex(dtype) || (normal && count == 0)) return true;
  const std::string_view kernel = normal ? "normal_kernel_cpu" : "check_uniform_bounds";
  return no_kernel(call, kernel, dtype), false;
}

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

namespace {

/// int(seed) begins the numbers anew, the library's own or a generator's, which it gives.
Value seed_row(Call& call) {
  const Value& given = call.value("seed");
  const Storage* const generator = generator_memory(call.first());
  const auto real = as_real(given);
  if (generator && !as_integer(given))
    return call.about("seed").fail("RuntimeError", {"manual_seed expected a long, but got ", type_name(given)},
                                   Msg::argument_has_type, {"seed", "int", type_name(given)});
  if (std::holds_alternative<std::string>(given.held))
    return call.about("seed").refuse(Msg::not_modelled, {"PyTorch", "torch.manual_seed(str)"});
  if (real && std::isnan(*real))
    return call.about("seed").fail("ValueError", "cannot convert float NaN to integer", Msg::beyond_int64);
  if (real && std::isinf(*real))
    return call.about("seed").fail("OverflowError", "cannot convert float infinity to integer", Msg::beyond_int64);
  if (!real && !tensor_of(given))
    return call.about("seed").fail_parser(
        {"int() argument must be a string, a bytes-like object or a real number, not '", type_name(given), "'"},
        Msg::argument_has_type, {"seed", "int", type_name(given)});
  call.set_seed(as_integer(given) || !real || !(std::abs(*real) < 0x1p62) ? given : Value{static_cast<int64_t>(*real)},
                generator);
  call.why(Msg::random_seed);
  call.relation(Relation::none);
  return generator ? call.first() : Value{Symbol{"torch.Generator", nullptr}};
}

/// What every generator begins with.  Source: c10::detail::default_rng_seed_val
constexpr int64_t default_seed = 67'280'421'310'721;

/// torch.Generator(): its memory is nothing but what tells it from another.
Value generator_row(Call& call) {
  Tensor none;
  none.storage = std::make_shared<Storage>();
  none.storage->contents = constant_contents({DType::int64}, 1);
  call.set_seed(Value{default_seed}, none.storage.get());
  call.why(Msg::random_seed);
  call.relation(Relation::none);
  return {Facet{"Generator", std::make_shared<const Tensor>(std::move(none))}};
}

Value random_row(Call& call) {
  const bool integers = call.name().ends_with("randint"), normal = call.name().ends_with("randn");
  const DType dtype = call.dtype("dtype").value_or(integers ? DType::int64 : call.default_dtype());
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

/// The numbers below n, each once, in an order that is the same in every run.
Value randperm_row(Call& call) {
  const int64_t n = call.integer("n");
  const DType dtype = call.dtype("dtype").value_or(DType::int64);
  const Layout layout = fresh_layout(call, {n}, dtype);
  if (call.failed()) return {};
  if (is_floating(dtype) ? dtype == DType::float16 && n > 2049
                         : is_integer(dtype) && static_cast<double>(n - 1) > bounds_of(dtype).second)
    return call.about("n").fail("RuntimeError",
                                is_floating(dtype)
                                    ? Slots{"n cannot be greater than 2049 for Half type."}
                                    : Slots{"value cannot be converted to type ", name(dtype), "_t without overflow"},
                                Msg::number_overflows, {n, name(dtype)});
  const bool bare = dtype == DType::uint16 || dtype == DType::uint32 || dtype == DType::uint64;
  if (bare || is_complex(dtype) || dtype == DType::boolean) return no_kernel(call, "randperm", dtype);
  if (n > max_indices) return call.about("n").refuse(Msg::too_many_indices, {n, max_indices});
  const ContentsPtr drawn = random_contents(Distribution::uniform, call.seed(), DType::float64, n);
  std::vector<Scalar> numbers;
  for (int64_t i = 0; i < n; ++i) {
    // Each goes where one of those before it stood, which goes to the end.
    const auto place = static_cast<size_t>(cell(*drawn, i).real * static_cast<double>(i + 1));
    numbers.push_back(integer_scalar(i, DType::int64));
    std::swap(numbers.back(), numbers[place]);
  }
  call.why(Msg::fresh_headline, {n, name(dtype), to_string(layout)});
  call.why(Msg::random_values);
  return call.fresh(dtype, layout, literal_contents(numbers, dtype));
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
      {Library::torch, "torch.randperm(n: int, *, " OPTIONS ")", Msg::op_randperm, "packed; 0 to n - 1, each once",
       "x = torch.randperm(5)", randperm_row},
      {Library::torch, "torch.Generator(device='cpu')", Msg::op_generator,
       "it begins with the same numbers as any other", "g = torch.Generator()", generator_row},
      {Library::torch, "x.Generator().manual_seed(seed)", Msg::op_seed, "after the same seed come the same stand-ins",
       "g = torch.Generator().manual_seed(0)", seed_row},
      {Library::torch, "torch.manual_seed(seed)", Msg::op_seed, "after the same seed come the same stand-ins",
       "x = torch.randn(3)\ntorch.manual_seed(0)", seed_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope

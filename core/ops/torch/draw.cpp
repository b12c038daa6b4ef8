// Random numbers written into a tensor that there is, and random numbers about others: normal_, bernoulli, normal.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "layout/checked.h"
#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What random numbers are reckoned from: as many as there are elements, and the functions of them.
class Drawn {
 public:
  /// The seed counts storages, and writes where none is made.
  Drawn(Call& call, const Dims& sizes, DType dtype)
      : seed_(call.seed() + 1), reckon_{sizes, is_complex(dtype) ? dtype : DType::float64} {
    if (is_written(call) && call.self().version) seed_ += static_cast<uint64_t>(*call.self().version + 1) << 32;
  }

  Elements uniform() const { return made(Distribution::uniform, reckon_.dtype); }
  Elements normal() const { return made(Distribution::normal, reckon_.dtype); }
  Elements integers(int64_t low, int64_t high) const { return made(Distribution::integers, DType::int64, low, high); }
  /// factor * elements + term
  Elements scaled(const Elements& elements, double factor, double term) const {
    return reckon_(Arithmetic::add, {reckon_(Arithmetic::multiply, {elements, reckon_(factor)}), reckon_(term)});
  }
  /// log(1 - u): 0 and below.
  Elements fall() const { return reckon_(Arithmetic::logarithm, {scaled(uniform(), -1, 1)}); }
  Elements of(Arithmetic op, const std::vector<Elements>& operands) const { return reckon_(op, operands); }
  Elements number(double number) const { return reckon_(number); }

 private:
  Elements made(Distribution distribution, DType dtype, int64_t low = 0, int64_t high = 1) const {
    return {random_contents(distribution, seed_, dtype, *numel(reckon_.sizes), low, high),
            contiguous(reckon_.sizes, itemsize(dtype)), dtype};
  }

  uint64_t seed_;
  Reckoner reckon_;
};

/// The receiver with random numbers in its cells.
Value written(Call& call, const Elements& numbers) {
  if (call.failed()) return {};
  const Tensor target = call.self();
  explain_write(call, target);
  call.why(Msg::random_values);
  call.write(target, numbers);
  if (call.failed()) return {};
  target.storage->drawn = true;
  return {call.self_ref()};
}

/// A new tensor of them.
Value drawn_tensor(Call& call, const Dims& sizes, DType dtype, const Elements& numbers) {
  const Layout layout = fresh_layout(call, sizes, dtype);
  if (call.failed()) return {};
  if (!numbers.contents) return call.refuse(Msg::too_costly);
  call.why(Msg::fresh_headline, {*numel(sizes), name(dtype), to_string(layout)});
  call.why(Msg::random_values);
  const Value made = call.fresh(dtype, layout, gather(numbers, dtype));
  if (!call.failed()) tensor_of(made)->storage->drawn = true;
  return made;
}

/// Of a parameter of a distribution: what it must be, or the call failed.
bool check_parameter(Call& call, bool holds, const char* parameter, std::string_view expectation) {
  if (holds) return true;
  call.about(parameter).fail("RuntimeError", {expectation, general(call.real(parameter))}, Msg::draw_parameter,
                             {parameter, general(call.real(parameter))});
  return false;
}

Value normal_in_place(Call& call) {
  const Tensor& target = call.self();
  const double mean = call.real("mean"), deviation = call.real("std");
  if (!check_parameter(call, deviation >= 0, "std", "normal expects std >= 0.0, but found std ") ||
      !is_drawn(call, target.dtype, true, *numel(target.layout.sizes)) || !check_overlap(call, target, nullptr))
    return {};
  const Drawn drawn(call, target.layout.sizes, target.dtype);
  return written(call, drawn.scaled(drawn.normal(), deviation, mean));
}

Value uniform_in_place(Call& call) {
  const Tensor& target = call.self();
  const double from = call.real("from"), to = call.real("to");
  if (!is_drawn(call, target.dtype, false, 1)) return {};
  const DType real = target.dtype == DType::complex64    ? DType::float32
                     : target.dtype == DType::complex128 ? DType::float64
                                                         : target.dtype;
  const auto [least, most] = bounds_of(real);
  for (const auto& [parameter, bound] : {std::pair("from", from), std::pair("to", to)})
    if (!(bound >= least && bound <= most))
      return call.about(parameter).fail("RuntimeError", {parameter, " is out of bounds for ", cpp_name(real)},
                                        Msg::number_overflows, {general(bound), name(real)});
  if (from > to)
    return call.fail(
        "RuntimeError",
        {"uniform_ expects to return a [from, to) range, but found from=", general(from), " > to=", general(to)},
        Msg::randint_empty, {general(from), general(to)});
  if (to - from > most)
    return call.fail("RuntimeError",
                     {"uniform_ expects to-from <= std::numeric_limits<", scalar_type_name(target.dtype),
                      ">::max(), but found to=", general(to), " and from=", general(from),
                      " which result in to-from to exceed the limit"},
                     Msg::number_overflows, {general(to) + " - " + general(from), name(real)});
  if (!check_overlap(call, target, nullptr)) return {};
  const Drawn drawn(call, target.layout.sizes, target.dtype);
  return written(call, drawn.scaled(drawn.uniform(), to - from, from));
}

Value random_in_place(Call& call) {
  const Tensor& target = call.self();
  const DType dtype = target.dtype;
  if (!check_overlap(call, target, nullptr)) return {};
  // Up to a bound, or whole numbers that the dtype tells apart, or all that it holds.
  const int64_t most = dtype == DType::float16    ? int64_t{1} << 11
                       : dtype == DType::bfloat16 ? int64_t{1} << 8
                       : dtype == DType::float32  ? int64_t{1} << 24
                       : is_floating(dtype)       ? int64_t{1} << 53
                       : itemsize(dtype) == 8     ? INT64_MAX - 1
                                                  : static_cast<int64_t>(bounds_of(dtype).second);
  const bool bounded = call.given("to");
  const int64_t low = call.given("from") ? call.integer("from") : 0;
  const auto end = bounded ? call.integer("to") : checked_add(std::max(most, low), 1);
  if (!end || (!bounded && is_floating(dtype) && low >= most))  // PyTorch rounds such a bound before it looks at it
    return call.about("from").refuse(Msg::not_modelled, {"PyTorch", "x.random_(from, None)"});
  const int64_t high = *end;
  if (call.form().parameters.size() > 1) {
    if (!check_bounds(call, low, high, dtype)) return {};
  } else if (is_complex(dtype) && *numel(target.layout.sizes) > 0) {
    return no_kernel(call, "random_kernel_cpu", dtype);
  }
  return written(call, Drawn(call, target.layout.sizes, dtype).integers(low, high));
}

Value exponential_in_place(Call& call) {
  const Tensor& target = call.self();
  const double rate = call.real("lambd");
  if (!check_parameter(call, rate > 0, "lambd", "exponential_ expects lambda > 0.0, but found lambda=") ||
      !check_overlap(call, target, nullptr))
    return {};
  if (!is_floating(target.dtype) && *numel(target.layout.sizes) > 0)
    return call.about_receiver().fail("RuntimeError",
                                      {"Exponential distribution is a continuous probability distribution. dtype must "
                                       "be a floating point but you specified ",
                                       scalar_type_name(target.dtype)},
                                      Msg::draw_needs_floats, {name(target.dtype)});
  const Drawn drawn(call, target.layout.sizes, DType::float64);
  return written(call, drawn.scaled(drawn.fall(), -1 / rate, 0));
}

Value geometric_in_place(Call& call) {
  const Tensor& target = call.self();
  const double p = call.real("p");
  if (!check_parameter(call, p > 0 && p < 1, "p", "geometric_ expects p to be in (0, 1), but got p=") ||
      !check_overlap(call, target, nullptr))
    return {};
  if ((is_complex(target.dtype) || target.dtype == DType::boolean) && *numel(target.layout.sizes) > 0)
    return no_kernel(call, "geometric_cpu", target.dtype);
  const Drawn drawn(call, target.layout.sizes, DType::float64);
  const Elements failures = drawn.of(Arithmetic::floor, {drawn.scaled(drawn.fall(), 1 / std::log1p(-p), 0)});
  return written(call, drawn.scaled(failures, 1, 1));
}

Value cauchy_in_place(Call& call) {
  const Tensor& target = call.self();
  const double sigma = call.real("sigma");
  if (!check_parameter(call, sigma > 0, "sigma", "cauchy_ expects sigma > 0.0, but found sigma=")) return {};
  if (!is_floating(target.dtype))
    return call.about_receiver().fail("RuntimeError",
                                      {"Cauchy distribution is a continuous probability distribution. dtype must be a "
                                       "floating point but you specified ",
                                       cpp_name(target.dtype)},
                                      Msg::draw_needs_floats, {name(target.dtype)});
  if (!check_overlap(call, target, nullptr)) return {};
  const Drawn drawn(call, target.layout.sizes, DType::float64);
  const Elements angle = drawn.scaled(drawn.uniform(), std::numbers::pi, -std::numbers::pi / 2);
  return written(call, drawn.scaled(drawn.of(Arithmetic::tangent, {angle}), sigma, call.real("median")));
}

Value log_normal_in_place(Call& call) {
  const Tensor& target = call.self();
  const double deviation = call.real("std");
  if (!check_parameter(call, deviation > 0, "std", "log_normal_ expects std > 0.0, but found std=") ||
      !check_overlap(call, target, nullptr))
    return {};
  if (!is_floating(target.dtype) && *numel(target.layout.sizes) > 0)
    return no_kernel(call, "log_normal_cpu", target.dtype);
  const Drawn drawn(call, target.layout.sizes, DType::float64);
  return written(call, drawn.of(Arithmetic::exponential, {drawn.scaled(drawn.normal(), deviation, call.real("mean"))}));
}

// 1 by a chance

/// Whether all numbers are chances, or the call failed. Of stand-ins nobody can know more than that they may be.
bool are_chances(Call& call, const Tensor& chances) {
  if (!is_floating(chances.dtype)) return no_kernel(call, "bernoulli_tensor_cpu_p_", chances.dtype), false;
  const Elements elements = elements_of(chances);
  const int64_t count = *numel(chances.layout.sizes);
  if (chances.storage->drawn && !is_quick(elements, count)) return true;
  if (!call.quick(elements, count)) return false;
  for (int64_t i = 0; i < count; ++i)
    if (const double p = element(elements, i).real; !(p >= 0 && p <= 1)) {
      call.about("p").fail("RuntimeError",
                           "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be "
                           "improved?  If so, please report an enhancement request to PyTorch.)",
                           Msg::draw_parameter, {"p", general(p)});
      return false;
    }
  return true;
}

/// Which of the numbers are 1: by the chance that stands at each place, or by one for all.
std::optional<Elements> hits(Call& call, const Tensor& target, const Tensor* chances, double p) {
  const bool some = *numel(target.layout.sizes) > 0;
  if (some && is_complex(target.dtype))
    return no_kernel(call, chances ? "bernoulli_tensor_cpu_self_" : "bernoulli_scalar_cpu_", target.dtype),
           std::nullopt;
  if (some && chances && !are_chances(call, *chances)) return std::nullopt;
  const Drawn drawn(call, target.layout.sizes, DType::float64);
  return drawn.of(Arithmetic::less, {drawn.uniform(), chances ? elements_of(*chances) : drawn.number(p)});
}

bool check_chance(Call& call, double p) {
  return check_parameter(call, p >= 0 && p <= 1, "p", "bernoulli_ expects p to be in [0, 1], but got p=");
}

Value bernoulli_in_place(Call& call) {
  const Tensor& target = call.self();
  const TensorPtr given = call.form().parameters[1].type == "tensor" ? tensor_of(call.value("p")) : nullptr;
  const double p = given ? 0 : call.real("p");
  if ((!given && !check_chance(call, p)) || !check_overlap(call, target, nullptr)) return {};
  std::optional<Tensor> chances;
  if (given) {
    const auto seen = expanded(call, *given, target.layout.sizes);
    if (!seen) return {};
    chances = *given;
    chances->layout = *seen;
  }
  const auto ones = hits(call, target, chances ? &*chances : nullptr, p);
  return ones ? written(call, *ones) : Value{};
}

/// Each element stands for its own chance, or p for all.
Value bernoulli_row(Call& call) {
  const Tensor& tensor = call.self();
  const bool own = !call.given("p");
  const double p = own ? 0 : call.real("p");
  if (!own && !check_chance(call, p)) return {};
  const auto ones = hits(call, tensor, own ? &tensor : nullptr, p);
  return ones ? drawn_tensor(call, tensor.layout.sizes, tensor.dtype, *ones) : Value{};
}

// normal: about given means

/// Whether deviations can be, or the call failed.
bool are_deviations(Call& call, const Tensor& deviations) {
  if (is_complex(deviations.dtype))
    return call.about("std").fail("RuntimeError", "normal expects standard deviation to be non-complex",
                                  Msg::function_refuses, {"normal", name(deviations.dtype)}),
           false;
  const Elements elements = elements_of(deviations);
  const int64_t count = *numel(deviations.layout.sizes);
  if (deviations.storage->drawn && !is_quick(elements, count)) return true;
  if (!call.quick(elements, count)) return false;
  for (int64_t i = 0; i < count; ++i)
    if (const double number = as_real(element(elements, i)); !(number >= 0))
      return call.about("std").fail("RuntimeError", "normal expects all elements of std >= 0.0", Msg::draw_parameter,
                                    {"std", general(number)}),
             false;
  return true;
}

Value normal_row(Call& call) {
  const TensorPtr means = tensor_of(call.value("mean")), deviations = tensor_of(call.value("std"));
  const bool sized = call.form().parameters.size() > 2;
  const bool of_means = !sized && call.form().parameters[0].type == "tensor",
             of_deviations = !sized && call.form().parameters[1].type == "tensor";
  if (of_deviations && !are_deviations(call, *deviations)) return {};
  Dims sizes;
  DType dtype = DType::float32;
  if (sized) {
    sizes = call.ints("size");
    dtype = call.dtype("dtype").value_or(dtype);
    fresh_layout(call, sizes, dtype);  // what is wrong with the sizes is told first
  } else if (of_means && of_deviations) {
    const auto common = broadcast_sizes(call, means->layout.sizes, deviations->layout.sizes);
    if (!common) return {};
    sizes = *common;
    dtype = means->dtype;
  } else {
    sizes = (of_means ? means : deviations)->layout.sizes;
    dtype = (of_means ? means : deviations)->dtype;
  }
  if (call.failed()) return {};
  if (!of_deviations &&
      !check_parameter(call, call.real("std") >= 0, "std", "normal expects std >= 0.0, but found std "))
    return {};
  if (!is_drawn(call, dtype, true, *numel(sizes))) return {};
  const Drawn drawn(call, sizes, dtype);
  const auto seen = [&](bool tensor, const TensorPtr& from, const char* parameter) {
    if (!tensor) return drawn.number(call.real(parameter));
    Elements elements = elements_of(*from);
    elements.layout = expand(elements.layout, sizes);
    return elements;
  };
  const Elements wide = drawn.of(Arithmetic::multiply, {drawn.normal(), seen(of_deviations, deviations, "std")});
  return drawn_tensor(call, sizes, dtype, drawn.of(Arithmetic::add, {wide, seen(of_means, means, "mean")}));
}

}  // namespace

std::span<const Op> torch_draw_rows() {
#define DRAW(form, law, example, apply) \
  { Library::torch, "x." form, Msg::op_draw, law, "x = torch.zeros(2, 3)\n" example, apply }
#define OPTIONS "dtype: dtype = None, device = None, requires_grad: bool = False"
  static constexpr Op rows[] = {
      DRAW("normal_(mean: float = 0.0, std: float = 1.0)", "every element drawn anew, in the same cells", "x.normal_()",
           normal_in_place),
      DRAW("uniform_(from: float = 0.0, to: float = 1.0)", "from <= x[i] < to, in the same cells", "x[0].uniform_()",
           uniform_in_place),
      DRAW("random_()", "whole numbers that the dtype holds, in the same cells", "x.random_()", random_in_place),
      DRAW("random_(to: int)", "0 <= x[i] < to, whole, in the same cells", "x.random_(10)", random_in_place),
      DRAW("random_(from: int, to: int | None)", "from <= x[i] < to, whole, in the same cells", "x.random_(5, 10)",
           random_in_place),
      DRAW("exponential_(lambd: float = 1.0)", "x[i] > 0, of mean 1 / lambd, in the same cells", "x.exponential_()",
           exponential_in_place),
      DRAW("geometric_(p: float)", "trials until a first hit by chance p, in the same cells", "x.geometric_(0.5)",
           geometric_in_place),
      DRAW("cauchy_(median: float = 0.0, sigma: float = 1.0)", "drawn about the median, in the same cells",
           "x.cauchy_()", cauchy_in_place),
      DRAW("log_normal_(mean: float = 1.0, std: float = 2.0)", "exp of a normal number, in the same cells",
           "x.log_normal_()", log_normal_in_place),
      DRAW("bernoulli_(p: tensor)\nx.bernoulli_(p: float = 0.5)",
           "x[i] = 1 by chance p (or p[i]), else 0, in the same cells", "x.bernoulli_(0.5)", bernoulli_in_place),
      {Library::torch, "x.bernoulli(p: float = None)\ntorch.bernoulli(input: tensor, p: float = None)",
       Msg::op_bernoulli, "packed; y[i] = 1 by chance x[i], or p, else 0",
       "x = torch.full((2, 3), 0.5)\ny = torch.bernoulli(x.t())", bernoulli_row},
      {Library::torch,
       "torch.normal(mean: float, std: float, size: ints, *, " OPTIONS
       ")\ntorch.normal(mean: tensor, std: tensor)\ntorch.normal(mean: tensor, std: float = 1.0)\n"
       "torch.normal(mean: float, std: tensor)",
       Msg::op_normal, "packed; mean[i] + std[i] times a normal number",
       "x = torch.arange(6.).view(2, 3)\ny = torch.normal(x.t(), 0.1)", normal_row},
  };
#undef DRAW
#undef OPTIONS
  return rows;
}

}  // namespace stridescope

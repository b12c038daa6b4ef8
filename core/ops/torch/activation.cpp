// Activations with parameters of their own: leaky_relu, elu, hardtanh, ..
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/layers.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

double activated(std::string_view name, double x, double a, double b) {
  if (name == "leaky_relu") return x > 0 ? x : x * a;
  if (name == "elu") return x > 0 ? x : a * std::expm1(x);
  if (name == "softplus") return x * a > b ? x : std::log1p(std::exp(x * a)) / a;
  if (name == "mish") return x * std::tanh(std::log1p(std::exp(x)));
  if (name == "hardtanh") return std::clamp(x, a, b);
  if (name == "relu6") return std::clamp(x, 0., 6.);
  const double gate = std::clamp(x + 3, 0., 6.) / 6;
  return name == "hardswish" ? x * gate : gate;
}

Value activation_row(Call& call) {
  const Tensor x = call.self();
  const std::string_view name = layer_name(call);
  if (call.given("inplace") && call.boolean("inplace"))
    return call.about("inplace").refuse(Msg::not_modelled, {"PyTorch", std::string(name) + "(.., inplace=True)"});
  if (!is_floating(x.dtype))
    return call.refuse(Msg::not_modelled,
                       {"PyTorch", std::string(name) + "(" + std::string(stridescope::name(x.dtype)) + ")"});
  const Dims& sizes = x.layout.sizes;
  const Layout layout{sizes, iterator_strides(sizes, std::vector<Layout>{x.layout}, true), 0};
  call.why(Msg::elementwise_headline, {*numel(sizes), stridescope::name(x.dtype), to_string(layout)});
  if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  // The one or two numbers behind the tensor.
  std::array<double, 2> number{};
  const std::vector<Parameter>& parameters = call.form().parameters;
  for (size_t k = 1; k < parameters.size() && k < 3; ++k)
    if (parameters[k].type == "float") number[k - 1] = call.real(std::string(parameters[k].name).c_str());
  const auto [a, b] = number;
  if (name == "hardtanh" && a > b)
    return call.about("max_val").fail("ValueError", "min_val cannot be greater than max_val", Msg::at_least,
                                      {"max_val", repr(a)});
  if (name == "hardtanh" && !(a <= b)) return call.refuse(Msg::not_modelled, {"PyTorch", name});
  return reckoned(call, x.dtype, layout, *numel(sizes), [&, low = a, high = b] {
    std::vector<double> values = doubles_of(call, x);
    for (double& value : values) value = std::isnan(value) ? value : activated(name, value, low, high);
    return values;
  });
}

}  // namespace

std::span<const Op> torch_activate_rows() {
#define ROW(name, parameters, law)                                                                      \
  {                                                                                                     \
    Library::torch, "torch.nn.functional." name "(input: tensor" parameters ")", Msg::op_unary, law,    \
        "import torch.nn.functional as F\nx = torch.arange(-3., 3.)\ny = F." name "(x)", activation_row \
  }
#define INPLACE ", inplace: bool = False"
  static constexpr Op rows[] = {
      ROW("leaky_relu", ", negative_slope: float = 0.01" INPLACE, "y[i] = x[i] if x[i] > 0 else negative_slope * x[i]"),
      ROW("elu", ", alpha: float = 1.0" INPLACE, "y[i] = x[i] if x[i] > 0 else alpha * (exp(x[i]) - 1)"),
      ROW("softplus", ", beta: float = 1.0, threshold: float = 20.0", "y[i] = log(1 + exp(beta * x[i])) / beta"),
      ROW("hardtanh", ", min_val: float = -1.0, max_val: float = 1.0" INPLACE,
          "y[i] = x[i] between min_val and max_val"),
      ROW("relu6", INPLACE, "y[i] = x[i] between 0 and 6"),
      ROW("hardswish", INPLACE, "y[i] = x[i] * hardsigmoid(x[i])"),
      ROW("hardsigmoid", INPLACE, "y[i] = (x[i] + 3) / 6 between 0 and 1"),
      ROW("mish", INPLACE, "y[i] = x[i] * tanh(log(1 + exp(x[i])))"),
  };
#undef ROW
#undef INPLACE
  return rows;
}

}  // namespace stridescope

// Activations with parameters of their own: leaky_relu, elu, hardtanh, ..
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

double activated(std::string_view name, double x, double a, double b) {
  if (name == "leaky_relu") return x > 0 ? x : x * a;
  if (name == "elu") return x > 0 ? x : a * std::expm1(x);
  if (name == "softplus") return x * a > b ? x : std::log1p(std::exp(x * a)) / a;
  if (name == "mish") return x * std::tanh(std::log1p(std::exp(x)));
  if (name == "hardtanh" || name == "relu6") return std::clamp(x, a, b);
  const double gate = std::clamp(x + 3, 0., 6.) / 6;
  return name == "hardswish" ? x * gate : gate;
}

/// hardtanh's two, which Python compares before PyTorch sees them: a tensor of one element passes as its number.
std::array<double, 2> bounds_of(Call& call) {
  std::array<double, 2> bounds{};
  for (const char* parameter : {"min_val", "max_val"}) {
    const Value& given = call.value(parameter);
    const TensorPtr tensor = tensor_of(given);
    if (tensor && numel(tensor->layout.sizes) != 1) return call.truth(parameter), bounds;
    const auto number = tensor ? as_real(Value{NumpyScalar{element(elements_of(*tensor), 0)}}) : as_real(given);
    if (!number)
      return call.about(parameter).fail_parser(
                 {"'>' not supported between instances of '", type_name(call.value("min_val")), "' and '",
                  type_name(call.value("max_val")), "'"},
                 Msg::argument_has_type, {parameter, "float", type_name(given)}),
             bounds;
    bounds[parameter[1] == 'i' ? 0 : 1] = *number;
  }
  return bounds;
}

/// The numbers behind the tensor, one or two.
std::array<double, 2> numbers_of(Call& call) {
  if (layer_name(call) == "hardtanh") return bounds_of(call);
  std::array<double, 2> numbers{};
  const std::vector<Parameter>& parameters = call.form().parameters;
  for (size_t k = 1; k < parameters.size() && k < 3; ++k)
    if (parameters[k].type == "float") numbers[k - 1] = call.real(std::string(parameters[k].name).c_str());
  return numbers;
}

/// What PyTorch asks of the dtype; `cut`: between two numbers, which whole ones can be too. False: the call failed.
bool check_dtype(Call& call, const Tensor& x, bool cut, double least, double most) {
  const std::string kernel = std::string(layer_name(call)) + "_cpu";
  const auto refused = [&](const std::string& text) {
    return call.fail("RuntimeError", text, Msg::kernel_missing, {layer_name(call), name(x.dtype)}), false;
  };
  if (cut && x.dtype == DType::boolean) return refused("Bool inputs not supported for hardtanh");
  if (cut && is_complex(x.dtype)) return refused("clamp is not supported for complex types");
  if (cut && is_unsigned(x.dtype) && (least < 0 || most < 0))
    return refused("cannot do hardtanh on an unsigned type with negative limits");
  if (call.truth("inplace") && !check_overlap(call, x, nullptr)) return false;
  return !call.failed() && ((cut && is_integer(x.dtype)) || check_floating(call, x.dtype, kernel.c_str()));
}

Value activation_row(Call& call) {
  const Tensor x = call.self();
  const std::string_view name = layer_name(call);
  const auto [low, high] = name == "relu6" ? std::array{0., 6.} : numbers_of(call);
  const bool cut = name == "relu6" || name == "hardtanh";
  if (call.failed()) return {};
  if (cut && low > high)
    return call.about("min_val").fail("ValueError", "min_val cannot be greater than max_val", Msg::at_least,
                                      {"max_val", to_string(Value{low})});
  if (cut && !(low <= high)) return call.refuse(Msg::not_modelled, {"PyTorch", name});
  if (!check_dtype(call, x, cut, low, high)) return {};
  const Dims& sizes = x.layout.sizes;
  const int64_t count = *numel(sizes);
  // Whole numbers lie between whole ones; and what is reckoned as float32 ends where that does.
  const bool whole = is_integer(x.dtype), narrow = itemsize(x.dtype) < 8;
  const auto reckon = [&, a = whole ? std::trunc(low) : low, b = whole ? std::trunc(high) : high] {
    std::vector<double> values = doubles_of(call, x);
    for (double& value : values) {
      const bool beyond = name == "softplus" && narrow && !(value * a > b) && std::exp(value * a) > FLT_MAX;
      value = beyond ? INFINITY : std::isnan(value) ? value : activated(name, value, a, b);
    }
    return values;
  };
  if (call.truth("inplace")) {
    ContentsPtr contents = call.stand_ins(x.dtype, count, count);
    if (!contents && count > most_products) return call.refuse(Msg::too_many_summed, {count, most_products});
    std::vector<Scalar> results;
    if (!contents)
      for (const double value : reckon()) results.push_back(real_scalar(value, x.dtype));
    if (call.failed()) return {};
    call.why(Msg::write_headline, {count, count * itemsize(x.dtype), to_string(x.layout)});
    if (!contents) contents = literal_contents(results, x.dtype);
    call.write(x, {contents, contiguous(sizes, itemsize(x.dtype)), x.dtype});
    return call.failed() ? Value{} : Value{call.self_ref()};
  }
  const Layout layout{sizes, iterator_strides(sizes, std::vector<Layout>{x.layout}, true), 0};
  call.why(Msg::elementwise_headline, {count, stridescope::name(x.dtype), to_string(layout)});
  if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  return reckoned(call, x.dtype, layout, count, reckon);
}

}  // namespace

std::span<const Op> torch_activate_rows() {
#define ROW(name, parameters, law)                                                                      \
  {                                                                                                     \
    Library::torch, "torch.nn.functional." name "(input: tensor" parameters ")", Msg::op_unary, law,    \
        "import torch.nn.functional as F\nx = torch.arange(-3., 3.)\ny = F." name "(x)", activation_row \
  }
#define INPLACE ", inplace: any = False"
  static constexpr Op rows[] = {
      ROW("leaky_relu", ", negative_slope: float = 0.01" INPLACE, "y[i] = x[i] if x[i] > 0 else negative_slope * x[i]"),
      ROW("elu", ", alpha: float = 1.0" INPLACE, "y[i] = x[i] if x[i] > 0 else alpha * (exp(x[i]) - 1)"),
      ROW("softplus", ", beta: float = 1.0, threshold: float = 20.0", "y[i] = log(1 + exp(beta * x[i])) / beta"),
      ROW("hardtanh", ", min_val: any = -1.0, max_val: any = 1.0" INPLACE, "y[i] = x[i] between min_val and max_val"),
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

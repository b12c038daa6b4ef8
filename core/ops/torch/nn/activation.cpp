// Activations with parameters of their own: leaky_relu, elu, hardtanh, threshold, ..
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/moments.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What a function is told beside the tensor.
using Constants = std::array<double, 3>;

/// Where x is above 0, x times `above`; else (exp(x * inner) - 1) * a. The exponential is rounded before 1 is taken
/// off.
double exponential_unit(double x, double a, double above, double inner, Precision round) {
  return x > 0 ? x * above : (round(std::exp(round(x * inner))) - 1) * a;
}

double activated(std::string_view name, double x, const Constants& numbers, Precision round) {
  // What selu multiplies with; its exponential part is as much times larger.
  static constexpr double scale = 1.0507009873554804934193349852946, slope = 1.6732632423543772848170429916717;
  const auto [a, b, c] = numbers;
  if (name == "leaky_relu") return x > 0 ? x : x * a;
  if (name == "elu") return exponential_unit(x, round(round(a) * round(b)), round(b), round(c), round);
  if (name == "celu") return exponential_unit(x, a, 1, round(1 / a), round);
  if (name == "selu") return exponential_unit(x, round(scale) * round(slope), round(scale), 1, round);
  if (name == "hardshrink") return x >= -a && x <= a ? 0 : x;
  if (name == "softshrink") return x > a ? x - a : x < -a ? x + a : 0;
  if (name == "threshold") return x <= a ? b : x;
  if (name == "logsigmoid") return std::min(x, 0.) - std::log1p(std::exp(-std::abs(x)));
  if (name == "softplus") return x * a > b ? x : std::log1p(std::exp(x * a)) / a;
  if (name == "mish") return x * std::tanh(std::log1p(std::exp(x)));
  if (name == "hardtanh" || name == "relu6") return std::min(std::max(x, a), b);
  const double gate = std::clamp(x + 3, 0., 6.) / 6;
  return name == "hardswish" ? x * gate : gate;
}

/// hardtanh's two, which Python compares before PyTorch sees them: a tensor of one element passes as its number.
Constants bounds_of(Call& call) {
  Constants bounds{};
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

/// Whether both are numbers to PyTorch's parser, too, and `dtype` holds them; or the call failed.
bool hold_bounds(Call& call, DType dtype) {
  for (const char* parameter : {"min_val", "max_val"}) {
    const Value bound = number_in(parsed_number(call.value(parameter)));
    if (tensor_of(bound)) return call.wrong_type(parameter, "Number"), false;
    if (!holds_number(call.about(parameter), bound, dtype)) return false;
  }
  return true;
}

/// What is reckoned, without the mark of what is written in place.
std::string_view activation_of(const Call& call) {
  const std::string_view name = layer_name(call);
  return name.ends_with('_') ? name.substr(0, name.size() - 1) : name;
}

/// The numbers behind the tensor as the kernel holds them.
Constants numbers_of(Call& call, DType dtype) {
  const std::string_view name = activation_of(call);
  if (name == "relu6") return {0., 6., 0.};
  if (layer_name(call) == "hardtanh") return bounds_of(call);
  // Some are rounded as they are held.
  const bool own = name == "threshold" || name.ends_with("shrink");
  Constants numbers{1, 1, 1};
  const std::vector<Parameter>& parameters = call.form().parameters;
  for (size_t k = 1; k < parameters.size() && k <= numbers.size(); ++k) {
    if (parameters[k].type != "number") continue;
    const std::string parameter(parameters[k].name);
    const Value& number = call.value(parameter.c_str());
    // Of half precision most are single.
    const DType held = name == "hardshrink" || parameter == "value" ? dtype : working_dtype(dtype);
    if (name != "hardtanh" && !holds_number(call.about(parameter.c_str()), number, held)) return numbers;
    numbers[k - 1] = own ? as_real(converted(number_of(number), held)) : call.real(parameter.c_str());
  }
  return numbers;
}

/// What is asked of the numbers before anything else. False: the call failed.
bool check_numbers(Call& call) {
  const std::string_view name = activation_of(call);
  const char* read = name == "celu" ? "alpha" : name == "softshrink" ? "lambd" : nullptr;
  if (read && !holds_number(call.about(read), call.value(read), DType::float64)) return false;
  if (name == "celu" && call.real("alpha") == 0)
    return call.about("alpha").fail("RuntimeError", "ZeroDivisionError: alpha cannot be 0 for CELU",
                                    Msg::division_by_zero),
           false;
  if (name != "softshrink" || !(call.real("lambd") < 0)) return true;
  const auto shown = streamed(call.real("lambd"));
  if (!shown) return call.about("lambd").refuse(Msg::not_modelled, {"PyTorch", call.name()}), false;
  return call.about("lambd").fail("RuntimeError",
                                  {"lambda must be greater or equal to 0, but found to be ", *shown, "."},
                                  Msg::at_least, {"lambd", 0}),
         false;
}

/// What messages call the kernel.
std::string kernel_of(std::string_view name) {
  if (name == "celu" || name == "selu") return "elu_cpu";
  return (name == "logsigmoid" ? "log_sigmoid" : std::string(name)) + "_cpu";
}

/// What PyTorch asks of the dtype; `cut`: between two numbers, which whole ones can be too. False: the call failed.
bool check_dtype(Call& call, const Tensor& x, bool cut, double least, double most) {
  const std::string_view name = activation_of(call);
  const auto refused = [&](const std::string& text) {
    return call.fail("RuntimeError", text, Msg::kernel_missing, {name, stridescope::name(x.dtype)}), false;
  };
  if (cut && x.dtype == DType::boolean) return refused("Bool inputs not supported for hardtanh");
  if (cut && is_complex(x.dtype)) return refused("clamp is not supported for complex types");
  if (cut && is_unsigned(x.dtype) && (least < 0 || most < 0))
    return call.fail("RuntimeError", "cannot do hardtanh on an unsigned type with negative limits", Msg::at_least,
                     {least < 0 ? "min_val" : "max_val", 0}),
           false;
  const bool in_turn = name == "threshold";  // where elements share cells, too
  if (is_written(call) && !in_turn && !check_overlap(call, x, nullptr)) return false;
  const bool bare = is_unsigned(x.dtype) && x.dtype != DType::uint8, whole = is_integer(x.dtype);
  if (call.failed() || (cut && whole) || (in_turn && whole && !bare)) return !call.failed();
  return check_floating(call, x.dtype, kernel_of(name).c_str());
}

Value activation_row(Call& call) {
  const Tensor x = call.self();
  const std::string_view name = activation_of(call);
  const bool cut = name == "relu6" || name == "hardtanh", in_place = is_written(call);
  call.truth("inplace");
  if (call.failed() || !check_numbers(call)) return {};
  // Most look at the dtype before they look at the numbers.
  if (!cut && !check_dtype(call, x, false, 0, 0)) return {};
  Constants numbers = numbers_of(call, x.dtype);
  if (call.failed()) return {};
  const double low = numbers[0], high = numbers[1];
  if (cut && low > high && layer_name(call) == name)
    return call.about("min_val").fail("ValueError", "min_val cannot be greater than max_val", Msg::at_least,
                                      {"max_val", to_string(Value{low})});
  if (cut && (std::isnan(low) || std::isnan(high))) return call.refuse(Msg::not_modelled, {"PyTorch", name});
  const bool bounded = name == "hardtanh", refused = x.dtype == DType::boolean || is_complex(x.dtype);
  if (bounded && !refused && !hold_bounds(call, is_integer(x.dtype) ? DType::int64 : DType::float64)) return {};
  if (cut && !check_dtype(call, x, true, low, high)) return {};
  if (bounded && !hold_bounds(call, x.dtype)) return {};
  const Dims& sizes = x.layout.sizes;
  const int64_t count = *numel(sizes);
  // Whole numbers lie between whole ones; and what is reckoned as float32 ends where that does.
  const bool whole = is_integer(x.dtype), narrow = itemsize(x.dtype) < 8;
  const Precision round{x.dtype};
  if (whole)
    for (double& number : numbers) number = std::trunc(number);
  const auto reckon = [&] {
    std::vector<double> values = doubles_of(call, x);
    for (double& value : values) {
      const bool beyond =
          name == "softplus" && narrow && !(value * numbers[0] > numbers[1]) && std::exp(value * numbers[0]) > FLT_MAX;
      value = beyond ? INFINITY : std::isnan(value) ? value : activated(name, value, numbers, round);
    }
    return values;
  };
  if (in_place) {
    ContentsPtr contents = call.unreckoned(x.dtype, count, count);
    std::vector<Scalar> results;
    if (!contents)
      for (const double value : reckon()) results.push_back(real_scalar(value, x.dtype));
    if (call.failed()) return {};
    call.why(Msg::write_headline, {count, bytes_of(x), to_string(x.layout)});
    if (!contents) contents = literal_contents(results, x.dtype);
    call.write(x, {contents, contiguous(sizes, itemsize(x.dtype)), x.dtype});
    return call.failed() ? Value{} : Value{call.self_ref()};
  }
  // Of logarithms the library makes a contiguous tensor first, and of what lies between bounds one like the input.
  const Layout layout = name == "logsigmoid" ? contiguous(sizes)
                        : cut                ? Layout{sizes, preserved_strides(x.layout), 0}
                              : Layout{sizes, iterator_strides(sizes, std::vector<Layout>{x.layout}, true), 0};
  call.why(Msg::elementwise_headline, {count, stridescope::name(x.dtype), to_string(layout)});
  if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  return reckoned(call, x.dtype, layout, count, reckon);
}

}  // namespace

std::span<const Op> torch_activate_rows() {
#define F "torch.nn.functional."
#define ROWS(signatures, summary, arguments, name, law)                                                              \
  {                                                                                                                  \
    Library::torch, signatures, summary, law,                                                                        \
        "import torch.nn.functional as F\nx = torch.arange(-3., 3.)\ny = F." name "(x" arguments ")", activation_row \
  }
#define ROW(name, parameters, law) ROWS(F name "(input: tensor" parameters ")", Msg::op_unary, "", name, law)
#define INPLACE ", inplace: any = False"
#define WRITTEN(name, parameters, law)                                                                              \
  ROWS(F name "(input: tensor" parameters INPLACE ")\n" F name "_(input: tensor" parameters ")", Msg::op_unary, "", \
       name, law)
#define OWN(name, parameters, arguments, law)                                                                \
  ROWS(F name "(input: tensor" parameters INPLACE ")\n" F name "_(input: tensor" parameters ")\ntorch." name \
              "(input: tensor" parameters ")\ntorch." name "_(input: tensor" parameters ")",                 \
       Msg::op_unary, arguments, name, law)
  static constexpr Op rows[] = {
      WRITTEN("leaky_relu", ", negative_slope: number = 0.01", "y[i] = x[i] if x[i] > 0 else negative_slope * x[i]"),
      ROW("elu", ", alpha: number = 1.0" INPLACE, "y[i] = x[i] if x[i] > 0 else alpha * (exp(x[i]) - 1)"),
      ROW("elu_", ", alpha: number = 1.0, scale: number = 1.0, input_scale: number = 1.0",
          "y[i] = x[i] * scale if x[i] > 0 else alpha * scale * (exp(x[i] * input_scale) - 1)"),
      OWN("celu", ", alpha: number = 1.0", "", "y[i] = x[i] if x[i] > 0 else alpha * (exp(x[i] / alpha) - 1)"),
      OWN("selu", "", "", "y[i] = 1.0507 * (x[i] if x[i] > 0 else 1.6733 * (exp(x[i]) - 1))"),
      OWN("threshold", ", threshold: number, value: number", ", 0.5, 7.", "y[i] = x[i] if x[i] > threshold else value"),
      ROW("softplus", ", beta: number = 1.0, threshold: number = 20.0", "y[i] = log(1 + exp(beta * x[i])) / beta"),
      ROW("logsigmoid", "", "y[i] = log(1 / (1 + exp(-x[i]))); contiguous"),
      ROWS(F "hardshrink(input: tensor, lambd: number = 0.5)\ntorch.hardshrink(input: tensor, lambd: number = 0.5)\n"
             "x.hardshrink(lambd: number = 0.5)",
           Msg::op_unary, "", "hardshrink", "y[i] = 0 if -lambd <= x[i] <= lambd else x[i]"),
      ROW("softshrink", ", lambd: number = 0.5", "y[i] = x[i] brought nearer to 0 by lambd, at most to it"),
      ROWS(F "hardtanh(input: tensor, min_val: any = -1.0, max_val: any = 1.0" INPLACE ")\n" F
             "hardtanh_(input: tensor, min_val: number = -1.0, max_val: number = 1.0)",
           Msg::op_unary, "", "hardtanh", "y[i] = x[i] between min_val and max_val"),
      ROW("relu6", INPLACE, "y[i] = x[i] between 0 and 6"),
      ROW("hardswish", INPLACE, "y[i] = x[i] * hardsigmoid(x[i])"),
      ROW("hardsigmoid", INPLACE, "y[i] = (x[i] + 3) / 6 between 0 and 1"),
      ROW("mish", INPLACE, "y[i] = x[i] * tanh(log(1 + exp(x[i])))"),
  };
#undef F
#undef ROWS
#undef WRITTEN
#undef OWN
#undef ROW
#undef INPLACE
  return rows;
}

}  // namespace stridescope

// Normalizations: elements less a mean, over a spread, of a layer, a channel or a group of channels.
#include <algorithm>
#include <cmath>

#include "layout/transform.h"
#include "ops/fold.h"
#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/layers.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Which of the numbers that are reckoned together an element belongs to, and which factor and summand it gets.
struct Grouping {
  int64_t inner = 1;              ///< elements side by side of one group, or of one channel
  int64_t groups = 1;             ///< how many follow one another before the first comes again
  int64_t channel = 1, many = 1;  ///< elements side by side of one factor, and how many factors there are
};

/// An optional tensor argument; null where there is none.
const Tensor* optional(const Call& call, const char* parameter) {
  return call.given(parameter) ? tensor_of(call.value(parameter)).get() : nullptr;
}

/// What is left of a number in a tensor of that dtype.
double rounded(double value, DType dtype) { return as_real(real_scalar(value, dtype)); }

/// The distance from 1 to the next number of that dtype.
double epsilon(DType dtype) {
  switch (dtype) {
    case DType::float64: return 0x1p-52;
    case DType::float16: return 0x1p-10;
    case DType::bfloat16: return 0x1p-7;
    default: return 0x1p-23;
  }
}

struct Affine {
  const Tensor* weight = nullptr;
  const Tensor* bias = nullptr;
};

/// (x - mean) / sqrt(var + eps) * weight + bias: mean and variance of each group, or as `mean` and `variance` hold
/// them.
Value normalized(Call& call, const Tensor& x, const Layout& layout, const Grouping& by, const Affine& affine,
                 const Tensor* mean = nullptr, const Tensor* variance = nullptr, bool centred = true) {
  const int64_t count = *numel(x.layout.sizes);
  const double eps = call.given("eps") ? call.real("eps") : epsilon(x.dtype);
  return reckoned(call, x.dtype, layout, count, [&] {
    std::vector<double> values = doubles_of(call, x);
    const auto held = [&](const Tensor* tensor) { return tensor ? doubles_of(call, *tensor) : std::vector<double>(); };
    const std::vector<double> w = held(affine.weight), b = held(affine.bias);
    std::vector<double> middle = held(mean), spread = held(variance);
    if (call.failed()) return values;
    const auto group = [&](size_t i) { return static_cast<size_t>(static_cast<int64_t>(i) / by.inner % by.groups); };
    if (!mean) {
      std::vector<double> members(static_cast<size_t>(by.groups));
      middle.assign(members.size(), 0);
      spread.assign(members.size(), 0);
      for (size_t i = 0; i < values.size(); ++i) middle[group(i)] += values[i], members[group(i)] += 1;
      for (size_t g = 0; g < middle.size(); ++g) middle[g] = centred ? middle[g] / members[g] : 0;
      for (size_t i = 0; i < values.size(); ++i) spread[group(i)] += std::pow(values[i] - middle[group(i)], 2);
      for (size_t g = 0; g < spread.size(); ++g) spread[g] /= members[g];
    }
    for (size_t i = 0; i < values.size(); ++i) {
      const auto c = static_cast<size_t>(static_cast<int64_t>(i) / by.channel % by.many);
      values[i] = (values[i] - middle[group(i)]) / std::sqrt(spread[group(i)] + eps);
      if (!centred) values[i] = rounded(values[i], x.dtype);
      values[i] = values[i] * (w.empty() ? 1 : w[c]) + (b.empty() ? 0 : b[c]);
    }
    return values;
  });
}

/// PyTorch mixes dtypes only in half precision, with parameters of float32; the first parameter that there is decides.
bool check_parameters(Call& call, const Tensor& x, std::initializer_list<const Tensor*> others) {
  const Tensor* first = nullptr;
  for (const Tensor* other : others) first = first ? first : other;
  if (!first) return true;
  const bool mixed = first->dtype != x.dtype;
  const auto differs = [&](const Slots& text, DType found) {
    call.fail("RuntimeError", text, Msg::dtypes_differ, {name(x.dtype), name(found)});
    return false;
  };
  for (const Tensor* other : others)
    if (other && mixed && other->dtype != DType::float32)
      return differs("mixed dtype (CPU): expect parameter to have scalar type of Float", other->dtype);
    else if (other && !mixed && other->dtype != x.dtype)
      return differs(
          {"expected scalar type ", scalar_type_name(x.dtype), " but found ", scalar_type_name(other->dtype)},
          other->dtype);
  return !mixed || itemsize(x.dtype) == 2 ||
         differs("mixed dtype (CPU): all inputs must share same datatype.", first->dtype);
}

Value layer_norm_row(Call& call) {
  const Tensor x = call.self();
  const bool centred = layer_name(call) == "layer_norm";
  const Dims shape = call.ints("normalized_shape");
  const Affine affine{optional(call, "weight"), centred ? optional(call, "bias") : nullptr};
  if (call.failed() || (centred && !check_parameters(call, x, {affine.weight, affine.bias}))) return {};
  const std::string wanted = list_text(shape);
  if (shape.empty())
    return call.about("normalized_shape")
        .fail("RuntimeError",
              {"Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
               "normalized_shape = ",
               wanted},
              Msg::needs_rank, {1, 0});
  for (const auto& [word, one] : {std::pair("weight", affine.weight), std::pair("bias", affine.bias)})
    if (one && one->layout.sizes != shape)
      return call.about(word).fail("RuntimeError",
                                   {"Expected ", word, " to be of same shape as normalized_shape, but got ", word,
                                    " of shape ", list_text(one->layout.sizes), " and normalized_shape = ", wanted},
                                   Msg::layer_size, {word, to_string(one->layout.sizes), to_string(shape)});
  const Dims& sizes = x.layout.sizes;
  const int from = sizes.size() - shape.size();
  bool fits = from >= 0;
  for (int d = 0; fits && d < shape.size(); ++d) fits = sizes[from + d] == shape[d];
  if (!fits)
    return call.about("normalized_shape")
        .fail("RuntimeError",
              {"Given normalized_shape=", wanted, ", expected input with shape [*, ",
               std::string_view(wanted).substr(1), ", but got input of size", list_text(sizes)},
              Msg::layer_size, {"normalized_shape", to_string(shape), to_string(sizes)});
  if (!check_floating(call, x.dtype, centred ? "LayerNormKernelImpl" : "rms_norm")) return {};
  if (!centred && affine.weight && affine.weight->dtype != x.dtype)
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const int64_t inner = *numel(shape), outer = inner == 0 ? 0 : *numel(sizes) / inner;
  call.why(Msg::norm_headline, {outer, inner, to_string(sizes)});
  Layout layout = fresh_layout(call, sizes, x.dtype);
  if (centred && !is_contiguous(x.layout))
    call.why(Msg::layer_packed, {to_string(layout.strides), to_string(x.layout.strides)});
  if (!centred) {
    layout.strides = iterator_strides(sizes, std::vector<Layout>{x.layout}, true);
    if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  }
  return normalized(call, x, layout,
                    {std::max<int64_t>(inner, 1), std::max<int64_t>(outer, 1), 1, std::max<int64_t>(inner, 1)}, affine,
                    nullptr, nullptr, centred);
}

/// The running mean and variance, in part replaced by those of this batch. False: the call failed.
bool write_statistics(Call& call, const Tensor& x, const Grouping& by, const Tensor* mean, const Tensor* variance) {
  const int64_t count = *numel(x.layout.sizes);
  const bool unknown = count > most_products && is_floating(x.dtype) && call.drawn();
  const std::vector<double> values = unknown ? std::vector<double>() : doubles_of(call, x);
  const double momentum = call.real("momentum"), each = static_cast<double>(count / by.groups);
  std::vector<double> middle(static_cast<size_t>(by.groups)), spread(middle.size());
  const auto channel = [&](size_t i) { return static_cast<size_t>(static_cast<int64_t>(i) / by.inner % by.groups); };
  for (size_t i = 0; i < values.size(); ++i) middle[channel(i)] += values[i] / each;
  for (size_t i = 0; i < values.size(); ++i)
    spread[channel(i)] += std::pow(values[i] - middle[channel(i)], 2) / (each - 1);
  for (const auto& [target, now] : {std::pair(mean, &middle), std::pair(variance, &spread)}) {
    if (!target) continue;
    const std::vector<double> before = doubles_of(call, *target);
    if (call.failed()) return false;
    std::vector<Scalar> after;
    for (size_t c = 0; c < before.size(); ++c)
      after.push_back(real_scalar((1 - momentum) * before[c] + momentum * (*now)[c], target->dtype));
    const ContentsPtr contents = unknown ? random_contents(Distribution::uniform, call.seed(), target->dtype, by.groups)
                                         : literal_contents(after, target->dtype);
    call.write(*target, {contents, contiguous(target->layout.sizes, itemsize(target->dtype)), target->dtype});
  }
  return !call.failed();
}

/// Of no elements PyTorch makes a copy, which it multiplies by a weight and adds a bias to.
Value nothing_normalized(Call& call, const Tensor& x, const Affine& affine) {
  Layout layout{x.layout.sizes, preserved_strides(x.layout), 0};
  if (affine.weight || affine.bias)
    layout.strides = iterator_strides(layout.sizes, std::vector<Layout>{x.layout}, true);
  call.why(Msg::fresh_headline, {0, name(x.dtype), to_string(layout)});
  return call.fresh(x.dtype, layout, literal_contents({}, x.dtype));
}

Value batch_norm_row(Call& call) {
  const Tensor x = call.self();
  const Dims& sizes = x.layout.sizes;
  const int rank = sizes.size();
  const bool training = call.boolean("training");
  for (const char* statistic : {"running_mean", "running_var"})
    if (call.given(statistic) && !tensor_of(call.value(statistic))) return call.wrong_type(statistic, "Tensor");
  const Tensor *mean = optional(call, "running_mean"), *variance = optional(call, "running_var");
  const Affine affine{optional(call, "weight"), optional(call, "bias")};
  if (training && rank > 1) {
    int64_t values = sizes[0];
    for (int d = 2; d < rank; ++d) values = times({values, sizes[d]});
    if (values == 1)
      return call.about_receiver().fail(
          "ValueError",
          {"Expected more than 1 value per channel when training, got input size torch.Size(", list_text(sizes), ")"},
          Msg::norm_single, {to_string(sizes)});
  }
  if (rank < 1) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  for (const auto& [word, one] : {std::pair("running_mean", mean), std::pair("running_var", variance),
                                  std::pair("weight", affine.weight), std::pair("bias", affine.bias)}) {
    if (!one && !training && word[0] == 'r')
      return call.about_receiver().fail("RuntimeError", {word, " must be defined in evaluation mode"},
                                        Msg::norm_statistics, {word});
    const int64_t channels = rank < 2 ? 0 : sizes[1];
    if (one && *numel(one->layout.sizes) != channels)
      return call.about(word).fail("RuntimeError",
                                   {word, " should contain ", channels, " elements not ", *numel(one->layout.sizes)},
                                   Msg::layer_size, {word, to_string(one->layout.sizes), channels});
  }
  if (rank < 2) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (!check_floating(call, x.dtype, "batch_norm")) return {};
  if (*numel(sizes) == 0) return nothing_normalized(call, x, affine);
  if (!check_parameters(call, x, {affine.weight, affine.bias, mean, variance})) return {};
  for (const auto& [word, one] : {std::pair("running_mean", mean), std::pair("running_var", variance)})
    if (one && one->layout.rank() != 1)
      return call.about(word).fail("RuntimeError",
                                   {"TensorAccessor expected 1 dims but tensor has ", one->layout.rank()},
                                   Msg::layer_size, {word, to_string(one->layout.sizes), sizes[1]});
  int64_t inner = 1;
  for (int d = 2; d < rank; ++d) inner = times({inner, sizes[d]});
  const int64_t channels = sizes[1];
  if (training && (mean || variance)) {
    if (!write_statistics(call, x, {inner, channels, inner, channels}, mean, variance)) return {};
    call.why(Msg::norm_channels_headline, {sizes[1], to_string(sizes)});
    call.why(Msg::norm_written);
    mean = variance = nullptr;
  } else {
    call.why(training ? Msg::norm_channels_headline : Msg::norm_running_headline, {sizes[1], to_string(sizes)});
  }
  const auto layout = layer_layout(call, x.dtype, x.layout, sizes);
  if (!layout) return {};
  return normalized(call, x, *layout, {inner, channels, inner, channels}, affine, training ? nullptr : mean,
                    training ? nullptr : variance);
}

Value group_norm_row(Call& call) {
  const Tensor x = call.self();
  const Dims& sizes = x.layout.sizes;
  const int rank = sizes.size();
  const int64_t groups = call.integer("num_groups");
  const Affine affine{optional(call, "weight"), optional(call, "bias")};
  if (rank < 2)
    return call.about_receiver().fail("RuntimeError",
                                      {"Expected at least 2 dimensions for input tensor but received ", rank},
                                      Msg::needs_rank, {2, rank});
  if (groups == 0)
    return call.about("num_groups")
        .fail("ZeroDivisionError", "integer division or modulo by zero", Msg::at_least, {"num_groups", 1});
  if (groups < 0)
    return call.about("num_groups")
        .fail("RuntimeError", {"Expected num groups to be greater than 0, got ", groups}, Msg::at_least,
              {"num_groups", 1});
  int64_t inner = 1;
  for (int d = 2; d < rank; ++d) inner = times({inner, sizes[d]});
  Dims grouped = sizes;
  grouped[0] = times({sizes[0], sizes[1]}) / groups, grouped[1] = groups;
  if (times({grouped[0], inner}) == 1)
    return call.about_receiver().fail(
        "ValueError", {"Expected more than 1 value per channel when training, got input size ", list_text(grouped)},
        Msg::norm_single, {to_string(sizes)});
  if (sizes[1] % groups != 0)
    return call.about("num_groups")
        .fail("RuntimeError",
              {"Expected number of channels in input to be divisible by num_groups, but got input of shape ",
               list_text(sizes), " and num_groups=", groups},
              Msg::pixels_divide, {sizes[1], groups});
  const Dims shown = affine.weight ? affine.weight->layout.sizes : Dims{0};  // even where the bias is meant
  for (const auto& [word, one] : {std::pair("weight", affine.weight), std::pair("bias", affine.bias)})
    if (one && one->layout.sizes != Dims{sizes[1]})
      return call.about(word).fail(
          "RuntimeError",
          {"Expected ", word, " to be a vector of size equal to the number of channels in input, but got ", word,
           " of shape ", list_text(shown), " and input of shape ", list_text(sizes)},
          Msg::layer_size, {word, to_string(one->layout.sizes), sizes[1]});
  if (!check_parameters(call, x, {affine.weight, affine.bias}) || !check_floating(call, x.dtype, "GroupNormKernelImpl"))
    return {};
  const int64_t members = std::max<int64_t>(times({sizes[1] / groups, inner}), 1);
  call.why(Msg::norm_headline, {times({sizes[0], groups}), members, to_string(sizes)});
  const auto layout = layer_layout(call, x.dtype, x.layout, sizes);
  if (!layout) return {};
  return normalized(call, x, *layout,
                    {members, std::max<int64_t>(times({sizes[0], groups}), 1), std::max<int64_t>(inner, 1),
                     std::max<int64_t>(sizes[1], 1)},
                    affine);
}

/// x over the norm of each line of a dimension: of a kind of elements that takes part as they lie.
Value normalize_row(Call& call) {
  const Tensor x = call.self();
  const double p = call.real("p"), eps = call.real("eps");
  const Dims dims = call.ints("dim");
  if (call.failed()) return {};
  if (dims.size() != 1) return call.refuse(Msg::not_modelled, {"PyTorch", "normalize(dim=(..))"});
  const int d = call.wrap(dims[0], x.layout.rank());
  if (call.failed()) return {};
  if (!is_floating(x.dtype) && !is_complex(x.dtype))
    return call.fail(
        "RuntimeError",
        {"linalg.vector_norm: Expected a floating point or complex tensor as input. Got ", scalar_type_name(x.dtype)},
        Msg::mean_needs_floats, {name(x.dtype)});
  const Dims& sizes = x.layout.sizes;
  const Dims rows = contiguous(sizes).strides;
  const int64_t step = sizes.empty() ? 1 : rows[d], size = sizes.empty() ? 1 : sizes[d];
  if (size == 0 && std::isinf(p))
    return call.fail("RuntimeError",
                     {"linalg.vector_norm cannot compute the ", repr(p), " norm on the dimension ", d,
                      "because this dimension is empty and the operation does not have an identity"},
                     Msg::reduce_nothing, {Slot{d, call.axis(d)}});
  Layout divisor = x.layout;
  if (!sizes.empty()) divisor.strides[d] = 0;
  const Layout layout{sizes, iterator_strides(sizes, std::vector<Layout>{x.layout, divisor}, true), 0};
  if (size == 0 && p < 0) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  call.why(Msg::normalize_headline, {size, Slot{d, call.axis(d)}, to_string(sizes)});
  if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  return reckoned(call, x.dtype, layout, *numel(sizes), [&] {
    std::vector<double> values = doubles_of(call, x);
    if (call.failed()) return values;
    for (size_t first = 0; first < values.size(); ++first) {
      if (static_cast<int64_t>(first) / step % size != 0) continue;
      const auto at = [&](int64_t k) -> double& { return values[first + static_cast<size_t>(k * step)]; };
      double norm = std::isinf(p) && p < 0 ? INFINITY : 0;
      for (int64_t k = 0; k < size; ++k) {
        const double one = std::abs(at(k));
        if (!std::isinf(p))
          norm += p == 0 ? (one != 0 ? 1 : 0) : std::pow(one, p);
        else if (!(p > 0 ? one <= norm : one >= norm))
          norm = std::isnan(norm) ? norm : one;
      }
      norm = rounded(std::isinf(p) || p == 0 ? norm : std::pow(norm, 1 / p), x.dtype);
      for (int64_t k = 0; k < size; ++k) at(k) /= std::max(norm, rounded(eps, x.dtype));
    }
    return values;
  });
}

}  // namespace

std::span<const Op> torch_norm_rows() {
#define F "torch.nn.functional."
#define EXAMPLE "import torch.nn.functional as F\nx = torch.arange(16.).view(1, 2, 2, 4)\n"
#define LAYER "(input: tensor, normalized_shape: ints, weight: tensor = None, "
#define GROUP \
  "group_norm(input: tensor, num_groups: int, weight: tensor = None, bias: tensor = None, eps: float = 1e-05"
  static constexpr Op rows[] = {
      {Library::torch,
       F "layer_norm" LAYER "bias: tensor = None, eps: float = 1e-05)\ntorch.layer_norm" LAYER
         "bias: tensor = None, eps: float = 1e-05)",
       Msg::op_norm, "y = (x - mean) / sqrt(var + eps) * weight + bias, of the last dimensions; packed",
       EXAMPLE "y = F.layer_norm(x, (4,))", layer_norm_row},
      {Library::torch, F "rms_norm" LAYER "eps: float = None)\ntorch.rms_norm" LAYER "eps: float = None)", Msg::op_norm,
       "y = x / sqrt(mean of x * x + eps) * weight, of the last dimensions", EXAMPLE "y = F.rms_norm(x, (4,))",
       layer_norm_row},
      {Library::torch,
       F "batch_norm(input: tensor, running_mean: any, running_var: any, weight: tensor = None, bias: tensor = "
         "None, training: bool = False, momentum: float = 0.1, eps: float = 1e-05)",
       Msg::op_norm, "y = (x - mean) / sqrt(var + eps) * weight + bias, of each channel; channels last if x is",
       EXAMPLE "y = F.batch_norm(x, torch.zeros(2), torch.ones(2))", batch_norm_row},
      {Library::torch, F GROUP ")\ntorch." GROUP ")", Msg::op_norm,
       "y = (x - mean) / sqrt(var + eps) * weight + bias, of each group of channels; channels last if x is",
       EXAMPLE "y = F.group_norm(x, 2)", group_norm_row},
      {Library::torch, F "normalize(input: tensor, p: float = 2.0, dim: int | ints = 1, eps: float = 1e-12)",
       Msg::op_norm, "y = x / max(norm of its line, eps)", EXAMPLE "y = F.normalize(x, dim=-1)", normalize_row},
  };
#undef F
#undef EXAMPLE
#undef LAYER
#undef GROUP
  return rows;
}

}  // namespace stridescope

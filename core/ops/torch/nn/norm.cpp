// Normalizations: elements less a mean, over a spread, of a layer, a channel or a group of channels.
#include <algorithm>
#include <cmath>

#include "layout/transform.h"
#include "ops/fold.h"
#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/moments.h"
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

/// Whether an argument that may be of any type is something else than a tensor of PyTorch's.
bool is_no_tensor(const Call& call, const char* parameter) {
  const TensorPtr held = tensor_of(call.value(parameter));
  return call.given(parameter) && (!held || held->library != Library::torch);
}

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

/// Which parameter there is first: it decides whether dtypes are mixed.
const Tensor* first_of(std::initializer_list<const Tensor*> others) {
  for (const Tensor* other : others)
    if (other) return other;
  return nullptr;
}

/// That of x by the root of its squares: only the product with the weight is reckoned in what both have in common.
DType scaled_dtype(const Tensor& x, const Affine& affine) {
  return affine.weight ? promoted(x.dtype, affine.weight->dtype) : x.dtype;
}

/// Which kernel of PyTorch's normalizes: each rounds in its own order.
enum class Kernel : uint8_t { layer, root, batch, batch_running, group };

/// (x - mean) / sqrt(var + eps) * weight + bias: mean and variance of each group, or of the `running` ones. Batches,
/// and groups with parameters or whose channels are last in memory, become scale * x + shift first.
Value normalized(Call& call, const Tensor& x, const Layout& layout, const Grouping& by, const Affine& affine,
                 Kernel kernel, const Affine& running = {}) {
  const int64_t count = *numel(x.layout.sizes);
  const DType made = kernel == Kernel::root ? scaled_dtype(x, affine) : x.dtype;
  const Precision round{x.dtype}, last_round{made};
  const double given = call.given("eps") ? call.real("eps") : epsilon(x.dtype);
  const bool batch = kernel == Kernel::batch || kernel == Kernel::batch_running;
  const bool last = kernel == Kernel::batch ? (is_contiguous(x.layout) ? by.inner == 1 : is_channels_last(x.layout))
                                            : kernel == Kernel::group && suggests_channels_last(x.layout);
  // Batches that lie in neither order are reckoned as they are written.
  const bool packed = batch && (is_contiguous(x.layout) || is_channels_last(x.layout));
  const bool linear = packed || (kernel == Kernel::group && (affine.weight || affine.bias || last));
  const Tensor* first = first_of({affine.weight, affine.bias, running.weight, running.bias});
  const DType kept = first ? first->dtype : x.dtype;  // of what is known of a batch
  return reckoned(call, made, layout, count, [&] {
    std::vector<double> values = doubles_of(call, x);
    const auto held = [&](const Tensor* tensor) { return tensor ? doubles_of(call, *tensor) : std::vector<double>(); };
    const std::vector<double> w = held(affine.weight), b = held(affine.bias);
    const bool runs = kernel == Kernel::batch_running;
    const std::vector<double> means = held(runs ? running.weight : nullptr),
                              variances = held(runs ? running.bias : nullptr);
    if (call.failed()) return values;
    // What lies in neither order is averaged as mean() does it.
    const auto sums =
        kernel == Kernel::batch && !packed ? channel_sums(values, x.layout, round) : std::vector<double>();
    const auto group = [&](size_t i) { return static_cast<size_t>(static_cast<int64_t>(i) / by.inner % by.groups); };
    std::vector<std::vector<double>> rows(static_cast<size_t>(by.groups));
    for (size_t i = 0; i < values.size(); ++i) rows[group(i)].push_back(values[i]);
    std::vector<double> middle, inverse;  // of the spread
    for (size_t g = 0; g < rows.size(); ++g) {
      const std::vector<double>& row = rows[g];
      Moments found;
      if (kernel == Kernel::batch_running)
        found = {means[g], variances[g]};
      else if (!sums.empty())
        found = moments_around(row, rounded_to(kept, sums[g] / static_cast<double>(row.size())));
      else if (kernel == Kernel::batch)
        found = channel_moments(row, last, round, kept);
      else if (kernel == Kernel::root)
        for (const double value : row) found.variance += round(value * value) / static_cast<double>(row.size());
      else
        found =
            last ? pixel_moments(row, row.size() / static_cast<size_t>(by.channel), round) : row_moments(row, round);
      middle.push_back(found.mean);
      // Of batches and groups the root is taken of float64.
      const bool wide = kernel == Kernel::batch || kernel == Kernel::group;
      inverse.push_back(kernel == Kernel::batch ? rounded_to(kept, 1 / std::sqrt(found.variance + given))
                        : wide                  ? round(1 / std::sqrt(found.variance + given))
                               : round(1 / round(std::sqrt(round(round(found.variance) + round(given))))));
    }
    for (size_t i = 0; i < values.size(); ++i) {
      const auto c = static_cast<size_t>(static_cast<int64_t>(i) / by.channel % by.many);
      const double mean = middle[group(i)], factor = w.empty() ? 1 : w[c], summand = b.empty() ? 0 : b[c];
      const double scale = inverse[group(i)];
      if (linear) {
        const double slope = round(scale * factor);
        values[i] = round.fused(slope, values[i], round.fused(-slope, mean, summand));
      } else {
        // Layers of half precision are scaled first, too.
        const double plain = kernel == Kernel::layer && itemsize(x.dtype) == 2
                                 ? round.fused(scale, values[i], -round(scale * mean))
                                 : round(round(values[i] - mean) * scale);
        values[i] = last_round.fused(kernel == Kernel::root ? rounded_to(x.dtype, plain) : plain, factor, summand);
      }
    }
    return values;
  });
}

bool dtypes_differ(Call& call, const Slots& text, DType wanted, DType found) {
  call.fail("RuntimeError", text, Msg::dtypes_differ, {name(wanted), name(found)});
  return false;
}

/// PyTorch mixes dtypes only in half precision, with parameters of float32.
bool check_mixture(Call& call, const Tensor& x, std::initializer_list<const Tensor*> others) {
  const Tensor* first = first_of(others);
  if (!first || first->dtype == x.dtype) return true;
  for (const Tensor* other : others)
    if (other && other->dtype != DType::float32)
      return dtypes_differ(call, "mixed dtype (CPU): expect parameter to have scalar type of Float", x.dtype,
                           other->dtype);
  return itemsize(x.dtype) == 2 ||
         dtypes_differ(call, "mixed dtype (CPU): all inputs must share same datatype.", x.dtype, first->dtype);
}

/// Where they are not mixed the others have the dtype, too: asked by what reads them.
bool check_alike(Call& call, const Tensor& x, std::initializer_list<const Tensor*> others) {
  const Tensor* first = first_of(others);
  for (const Tensor* other : others)
    if (other && first->dtype == x.dtype && other->dtype != x.dtype)
      return dtypes_differ(
          call, {"expected scalar type ", scalar_type_name(x.dtype), " but found ", scalar_type_name(other->dtype)},
          x.dtype, other->dtype);
  return true;
}

Value layer_norm_row(Call& call) {
  const Tensor x = call.self();
  const bool centred = layer_name(call) == "layer_norm";
  const Dims shape = call.ints("normalized_shape");
  const Affine affine{optional(call, "weight"), centred ? optional(call, "bias") : nullptr};
  if (call.failed() || (centred && !check_mixture(call, x, {affine.weight, affine.bias}))) return {};
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
  if (!check_floating(call, x.dtype, centred ? "LayerNormKernelImpl" : "rms_norm") ||
      (centred && !check_alike(call, x, {affine.weight, affine.bias})))
    return {};
  if (!centred && affine.weight && is_complex(affine.weight->dtype))
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const int64_t inner = *numel(shape), outer = inner == 0 ? 0 : *numel(sizes) / inner;
  call.why(Msg::norm_headline, {outer, inner, to_string(sizes)});
  Layout layout = fresh_layout(call, sizes, centred ? x.dtype : scaled_dtype(x, affine));
  if (centred && !is_contiguous(x.layout))
    call.why(Msg::layer_packed, {to_string(layout.strides), to_string(x.layout.strides)});
  if (!centred) {
    layout.strides = iterator_strides(sizes, std::vector<Layout>{x.layout}, true);
    if (!is_contiguous(layout)) call.why(Msg::elementwise_layout, {to_string(layout.strides)});
  }
  return normalized(call, x, layout,
                    {std::max<int64_t>(inner, 1), std::max<int64_t>(outer, 1), 1, std::max<int64_t>(inner, 1)}, affine,
                    centred ? Kernel::layer : Kernel::root);
}

/// The running mean and variance, in part replaced by those of this batch. False: the call failed.
bool write_statistics(Call& call, const Tensor& x, const Grouping& by, const Tensor* mean, const Tensor* variance) {
  const int64_t count = *numel(x.layout.sizes);
  const bool unknown = !call.reckons(count);
  const std::vector<double> values = unknown ? std::vector<double>() : doubles_of(call, x);
  const double momentum = call.real("momentum"), each = static_cast<double>(count / by.groups);
  std::vector<double> middle(unknown ? 0 : static_cast<size_t>(by.groups)), spread(middle.size());
  const auto channel = [&](size_t i) { return static_cast<size_t>(static_cast<int64_t>(i) / by.inner % by.groups); };
  for (size_t i = 0; i < values.size(); ++i) middle[channel(i)] += values[i] / each;
  for (size_t i = 0; i < values.size(); ++i)
    spread[channel(i)] += std::pow(values[i] - middle[channel(i)], 2) / (each - 1);
  for (const auto& [target, now] : {std::pair(mean, &middle), std::pair(variance, &spread)}) {
    if (!target) continue;
    const std::vector<double> before = unknown ? std::vector<double>() : doubles_of(call, *target);
    if (call.failed()) return false;
    std::vector<Scalar> after;
    for (size_t c = 0; c < before.size(); ++c)
      after.push_back(real_scalar((1 - momentum) * before[c] + momentum * (*now)[c], target->dtype));
    const ContentsPtr contents =
        unknown ? call.unreckoned(target->dtype, by.groups, INT64_MAX) : literal_contents(after, target->dtype);
    call.write(*target, {contents, contiguous(target->layout.sizes, itemsize(target->dtype)), target->dtype});
  }
  return !call.failed();
}

/// Of no elements PyTorch makes a copy, which it multiplies by the first weight and adds the first bias to.
Value nothing_normalized(Call& call, const Tensor& x, const Affine& affine) {
  for (const Tensor* one : {affine.weight, affine.bias}) {
    if (one && (one->layout.rank() != 1 || !is_floating(x.dtype)))
      return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
    if (one && one->layout.sizes[0] == 0)
      return call.about(one == affine.weight ? "weight" : "bias")
          .fail("IndexError", "select(): index 0 out of range for tensor of size [0] at dimension 0",
                Msg::index_out_of_range, {0, 0, 0});
  }
  Layout layout{x.layout.sizes, preserved_strides(x.layout), 0};
  if (affine.weight || affine.bias)
    layout.strides = iterator_strides(layout.sizes, std::vector<Layout>{x.layout}, false);
  call.why(Msg::fresh_headline, {0, name(x.dtype), to_string(layout)});
  return call.fresh(x.dtype, layout, literal_contents({}, x.dtype));
}

/// A batch in neither order is handed to one loop with all that is read, which are of one dtype unless they are mixed.
bool check_loop(Call& call, const Tensor& x, std::initializer_list<const Tensor*> read, const Tensor* first) {
  if (is_contiguous(x.layout) || is_channels_last(x.layout) || !first || first->dtype != x.dtype) return true;
  for (const Tensor* one : read)
    if (one && one->dtype != x.dtype)
      return dtypes_differ(call,
                           "!needs_dynamic_casting<func_t>::check(iter) INTERNAL ASSERT FAILED at "
                           "\"./aten/src/ATen/native/cpu/Loops.h\":311, please report a bug to PyTorch. ",
                           x.dtype, one->dtype);
  return true;
}

Value batch_norm_row(Call& call) {
  const Tensor x = call.self();
  const Dims& sizes = x.layout.sizes;
  const int rank = sizes.size();
  const bool training = call.truth("training");
  if (call.failed()) return {};
  if (training && rank > 0) {
    int64_t values = sizes[0];
    for (int d = 2; d < rank; ++d) values = times({values, sizes[d]});
    if (values == 1)
      return call.about_receiver().fail(
          "ValueError",
          {"Expected more than 1 value per channel when training, got input size torch.Size(", list_text(sizes), ")"},
          Msg::norm_single, {to_string(sizes)});
  }
  if (rank < 1 && training)
    return call.about_receiver().fail("IndexError", "tuple index out of range", Msg::needs_rank, {1, 0});
  // So far Python looks, which takes anything.
  for (const char* parameter : {"weight", "bias", "running_mean", "running_var"})
    if (is_no_tensor(call, parameter)) return call.wrong_type(parameter, "Tensor");
  if (!std::holds_alternative<bool>(call.value("training").held)) return call.wrong_type("training", "bool");
  const Tensor *mean = optional(call, "running_mean"), *variance = optional(call, "running_var");
  const Affine affine{optional(call, "weight"), optional(call, "bias")};
  if (*numel(sizes) == 0) return nothing_normalized(call, x, affine);
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
  if (rank < 1) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (rank < 2) return call.wrap(1, rank, false, "input"), Value{};
  if (!check_floating(call, x.dtype, "batch_norm")) return {};
  const std::initializer_list<const Tensor*> held{affine.weight, affine.bias, mean, variance};
  if (!check_mixture(call, x, held)) return {};
  if (!check_loop(call, x, {affine.weight, affine.bias, training ? nullptr : mean, training ? nullptr : variance},
                  first_of(held)) ||
      !check_alike(call, x, held))
    return {};
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
  } else {
    call.why(training ? Msg::norm_channels_headline : Msg::norm_running_headline, {sizes[1], to_string(sizes)});
  }
  // Asked is what it is rather than what its strides suggest, where that is known.
  const Layout seen = is_contiguous(x.layout)      ? contiguous(sizes)
                      : is_channels_last(x.layout) ? channels_last(sizes)
                                                   : x.layout;
  const auto layout = layer_layout(call, x.dtype, seen, sizes);
  if (!layout) return {};
  return normalized(call, x, *layout, {inner, channels, inner, channels}, affine,
                    training ? Kernel::batch : Kernel::batch_running, {mean, variance});
}

Value group_norm_row(Call& call) {
  const Tensor x = call.self();
  const Dims& sizes = x.layout.sizes;
  const int rank = sizes.size();
  const int64_t groups = call.integer("num_groups");
  if (const auto asked = groups_asked(rank, call.value("num_groups")))
    return call.about(asked->parameter).fail(asked->type, {asked->text}, *asked->reason);
  for (const char* parameter : {"weight", "bias"})
    if (is_no_tensor(call, parameter)) return call.wrong_type(parameter, "Tensor");
  const Affine affine{optional(call, "weight"), optional(call, "bias")};
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
  if (!check_mixture(call, x, {affine.weight, affine.bias}) || !check_alike(call, x, {affine.weight, affine.bias}) ||
      !check_floating(call, x.dtype, "GroupNormKernelImpl"))
    return {};
  const int64_t members = std::max<int64_t>(times({sizes[1] / groups, inner}), 1);
  call.why(Msg::norm_headline, {times({sizes[0], groups}), members, to_string(sizes)});
  const auto layout = layer_layout(call, x.dtype, x.layout, sizes);
  if (!layout) return {};
  return normalized(call, x, *layout,
                    {members, std::max<int64_t>(times({sizes[0], groups}), 1), std::max<int64_t>(inner, 1),
                     std::max<int64_t>(sizes[1], 1)},
                    affine, Kernel::group);
}

}  // namespace

std::span<const Op> torch_norm_rows() {
#define F "torch.nn.functional."
#define EXAMPLE "import torch.nn.functional as F\nx = torch.arange(16.).view(1, 2, 2, 4)\n"
#define LAYER "(input: tensor, normalized_shape: ints, weight: tensor = None, "
#define GROUP "group_norm(input: tensor, num_groups: int, weight: any = None, bias: any = None, eps: float = 1e-05"
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
       F "batch_norm(input: tensor, running_mean: any, running_var: any, weight: any = None, bias: any = "
         "None, training: any = False, momentum: float = 0.1, eps: float = 1e-05)",
       Msg::op_norm, "y = (x - mean) / sqrt(var + eps) * weight + bias, of each channel; channels last if x is",
       EXAMPLE "y = F.batch_norm(x, torch.zeros(2), torch.ones(2))", batch_norm_row},
      {Library::torch, F GROUP ")\ntorch." GROUP ")", Msg::op_norm,
       "y = (x - mean) / sqrt(var + eps) * weight + bias, of each group of channels; channels last if x is",
       EXAMPLE "y = F.group_norm(x, 2)", group_norm_row},
  };
#undef F
#undef EXAMPLE
#undef LAYER
#undef GROUP
  return rows;
}

}  // namespace stridescope

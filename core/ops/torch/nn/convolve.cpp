// Convolutions: conv1d to conv3d, and the transposed ones.
#include <algorithm>

#include "layout/transform.h"
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/windows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What a convolution is asked for, as PyTorch sees it: a batch of images.
struct Convolution {
  Tensor image, weight;
  const Tensor* bias = nullptr;
  bool transposed = false;
  int dims = 0;  ///< of an image
  int64_t groups = 1;
  Dims stride, padding, dilation, more;  ///< more: output_padding
  Dims right;                            ///< of padding="same": what the other side gets
};

Value wrong(Call& call, const char* parameter, const Slots& text, Msg reason, const Slots& slots) {
  return call.about(parameter).fail("RuntimeError", text, reason, slots);
}

/// stride=.., a number or a list: PyTorch asks for as many as the weight has dimensions.
Dims entries(Call& call, const char* parameter, int dims, int given_dims) {
  Dims list = call.ints(parameter);
  if (call.failed()) return list;
  if (list.size() == 1 && !std::holds_alternative<Sequence>(call.value(parameter).held))
    list = Dims::filled(given_dims, list[0]);
  if (list.size() == 1) return Dims::filled(dims, list[0]);
  if (list.size() != dims)
    wrong(call, parameter,
          {"expected ", parameter, " to be a single integer value or a list of ", dims,
           " values to match the convolution dimensions, but got ", parameter, "=", list_text(list)},
          Msg::entries_needed, {parameter, dims, list.size()});
  return list;
}

/// Whether padding= is "same" or "valid"; else the call failed.
bool check_word(Call& call) {
  const std::string& word = call.text("padding");
  return word == "same" || word == "valid" ||
         (wrong(call, "padding", {"Invalid padding string: '", word, "'"}, Msg::conv_padding, {word}), false);
}

/// The sides that padding="same" and "valid" give. False: the call failed.
bool named_padding(Call& call, Convolution& one) {
  one.padding = one.right = Dims::filled(one.dims, 0);
  if (call.text("padding") == "valid") return true;
  for (const int64_t step : one.stride)
    if (step != 1)
      return wrong(call, "stride", "padding='same' is not supported for strided convolutions", Msg::conv_same, {step}),
             false;
  for (int k = 0; k < one.dims; ++k) {
    const auto reach = checked_mul(one.dilation[k], one.weight.layout.sizes[k + 2] - 1);
    if (!reach) return call.refuse(Msg::beyond_int64), false;
    one.padding[k] = *reach / 2;
    one.right[k] = *reach - *reach / 2;
  }
  return true;
}

constexpr const char* axis_words[] = {"depth", "height", "width"};

/// The weight has as many dimensions as the image, or the call failed.
/// @param between what stands before the weight's sizes: a blank, but for padding="same"
bool check_rank(Call& call, const Convolution& one, std::string_view between) {
  const Dims &image = one.image.layout.sizes, &weight = one.weight.layout.sizes;
  const int rank = weight.size();
  return rank == image.size() ||
         (wrong(call, "weight",
                {"Expected ", rank, "-dimensional input for ", rank, "-dimensional weight", between, list_text(weight),
                 ", but got ", image.size(), "-dimensional input of size ", list_text(image), " instead"},
                Msg::product_rank, {image.size(), rank}),
          false);
}

/// check_shape_forward. False: the call failed.
bool check_convolution(Call& call, const Convolution& one) {
  const Dims &image = one.image.layout.sizes, &weight = one.weight.layout.sizes;
  const std::string shown = list_text(weight);
  const auto least = [&](const char* parameter, const Dims& list, int64_t from, const char* text) {
    if (call.failed() || std::all_of(list.begin(), list.end(), [&](int64_t n) { return n >= from; })) return;
    wrong(call, parameter, text, Msg::at_least, {parameter, from});
  };
  least("padding", one.padding, 0, "negative padding is not supported");
  if (one.transposed) least("output_padding", one.more, 0, "negative output_padding is not supported");
  least("stride", one.stride, 1, "non-positive stride is not supported");
  least("dilation", one.dilation, 0, "dilation should be greater than zero");
  if (call.failed()) return false;
  if (!check_rank(call, one, " ")) return false;
  const std::string groups = "Given groups=" + std::to_string(one.groups);
  if (weight[0] < one.groups)
    return wrong(call, "weight",
                 {groups, ", expected weight to be at least ", one.groups, " at dimension 0, but got weight of size ",
                  shown, " instead"},
                 Msg::pixels_divide, {weight[0], one.groups}),
           false;
  if (weight[0] % one.groups != 0)
    return wrong(call, "weight",
                 {groups, ", expected weight to be divisible by ", one.groups,
                  " at dimension 0, but got weight of size [", shown, "] instead"},
                 Msg::pixels_divide, {weight[0], one.groups}),
           false;
  const std::string given = one.transposed ? "Given transposed=1" : groups;
  const int64_t channels = one.transposed ? weight[0] : checked_mul(weight[1], one.groups).value_or(-1),
                results = one.transposed ? checked_mul(weight[1], one.groups).value_or(-1) : weight[0];
  if (image[1] != channels) {
    Dims padded = image;  // where the sides get unlike paddings, one is written before this is looked at
    for (int k = 0; k < one.right.size(); ++k) padded[k + 2] += one.right[k] - one.padding[k];
    wrong(call, "input",
          {given, ", weight of size ", shown, ", expected input", list_text(padded), " to have ", channels,
           " channels, but got ", image[1], " channels instead"},
          Msg::conv_channels, {image[1], channels, to_string(weight)});
    if (image.back() == channels) call.hint(Msg::hint_channels_second, {image.size() - 1});
    return false;
  }
  if (one.bias && one.bias->layout.sizes != Dims{results})
    return wrong(call, "bias",
                 {one.transposed ? "Given transposed=1, weight" : "Given weight", " of size ", shown,
                  ", expected bias to be 1-dimensional with ", results, " elements, but got bias of size ",
                  list_text(one.bias->layout.sizes), " instead"},
                 Msg::layer_size, {"bias", to_string(one.bias->layout.sizes), results}),
           false;
  return true;
}

/// Whether PyTorch hands it to oneDNN, which looks at other things in another order.
bool uses_onednn(const Convolution& one) {
  const Dims &image = one.image.layout.sizes, &kernel = one.weight.layout.sizes;
  const bool wide = one.dims > 1 && kernel.back() > 3 && kernel[kernel.size() - 2] > 3;
  const Dims first(std::span(image.begin(), image.begin() + std::min(image.size(), 4)));  // even of a volume
  for (int k = 0; one.transposed && k < one.dims; ++k)
    if (one.more[k] >= one.stride[k]) return false;
  return one.image.dtype != DType::float64 &&
         (one.groups > 1 || wide || image[0] > 1 || numel(first).value_or(0) > 20480);
}

/// A dilation of 0, which is no window at all. False: the call failed.
bool check_dilation(Call& call, const Convolution& one) {
  const Dims dilation = one.dims == 1 ? Dims{1, one.dilation[0]} : one.dilation;
  const bool empty = one.image.layout.sizes[0] == 0 || one.image.layout.sizes[1] == 0;  // no routine is asked
  if (empty || std::find(dilation.begin(), dilation.end(), 0) == dilation.end()) return true;
  const bool onednn = uses_onednn(one);
  if (onednn && one.transposed) return call.refuse(Msg::not_modelled, {"PyTorch", layer_name(call)}), false;
  std::string text = "dilation should be greater than zero, but got ";
  for (int k = 0; one.transposed && k < dilation.size(); ++k)
    text += std::string(k > 0 ? ", " : "") + "dilation_" + axis_words[3 - dilation.size() + k] + ": " +
            std::to_string(dilation[k]);
  if (!one.transposed) text += list_text(dilation);
  if (onednn) text = "non-positive dilation is not supported";
  return wrong(call, "dilation", text, Msg::at_least, {"dilation", 1}), false;
}

/// How many places each dimension of the result has; nothing, and the call failed.
std::optional<Dims> places(Call& call, const Convolution& one) {
  Dims result, padded, kernel;
  bool fits = true;
  for (int k = 0; k < one.dims; ++k) {
    const int64_t size = one.image.layout.sizes[k + 2], cells = one.weight.layout.sizes[k + 2];
    const auto reach = checked_mul(one.dilation[k], cells - 1);
    const auto edge = one.right.empty() ? checked_mul(one.padding[k], 2) : checked_add(one.padding[k], one.right[k]);
    auto room = one.transposed ? checked_mul(size - 1, one.stride[k]) : checked_add(size, edge.value_or(INT64_MAX));
    if (!reach || !edge || !room || *reach == INT64_MAX) return call.refuse(Msg::beyond_int64), std::nullopt;
    padded.push_back(*room);
    kernel.push_back(*reach + 1);
    fits = fits && *room > *reach;
    if (!one.transposed) {
      result.push_back(*room > *reach ? (*room - *reach - 1) / one.stride[k] + 1 : 0);
      continue;
    }
    room = checked_add(checked_add(*room - *edge, *reach).value_or(INT64_MAX), one.more[k]);
    if (!room || *room == INT64_MAX) return call.refuse(Msg::beyond_int64), std::nullopt;
    result.push_back(*room + 1);
  }
  const auto by = [](const Dims& list) {
    std::string text;
    for (const int64_t n : list) text += (text.empty() ? "" : " x ") + std::to_string(n);
    return text;
  };
  if (!one.transposed && !fits)
    return wrong(call, "input",
                 {"Calculated padded input size per channel: (", by(padded), "). Kernel size: (", by(kernel),
                  "). Kernel size can't be greater than actual input size"},
                 Msg::columns_none, {to_string(kernel), to_string(padded)}),
           std::nullopt;
  return result;
}

/// Whether it depends on how many threads there are if PyTorch hands it to oneDNN.
bool by_threads(const Convolution& one) {
  const Dims& kernel = one.weight.layout.sizes;
  const auto is_one = [](int64_t step) { return step == 1; };
  return uses_onednn(one) && one.image.layout.sizes[0] < 16 && kernel.back() == 1 &&
         (one.dims == 1 || kernel[kernel.size() - 2] == 1) &&
         std::all_of(one.stride.begin(), one.stride.end(), is_one) &&
         std::all_of(one.dilation.begin(), one.dilation.end(), is_one);
}

bool check_scalar_types(Call& call, const Convolution& one) {
  const DType dtype = one.image.dtype, other = one.weight.dtype, third = one.bias ? one.bias->dtype : dtype;
  const std::string flat = one.dims == 3 ? "3d" : "2d";
  if (dtype == DType::boolean || (one.transposed && is_whole(dtype) && dtype != DType::int64)) {
    const std::string kernel = one.transposed  ? "slow_conv_transpose" + flat + "_out_cpu"
                               : one.dims == 3 ? "compute_columns3d"
                                               : "slow_conv2d_cpu";
    return no_kernel(call, kernel, dtype), false;
  }
  if (dtype == other && is_floating(dtype) && dtype == third) return true;
  const bool unknown = one.image.layout.sizes[1] == 0 || dtype == DType::bfloat16 || is_complex(dtype) ||
                       (dtype == DType::float32 && by_threads(one));
  if (dtype == other || unknown)
    return call.refuse(Msg::not_modelled,
                       {"PyTorch", std::string(layer_name(call)) + "(" + std::string(name(dtype)) + ", " +
                                       std::string(name(other)) + ", " + std::string(name(third)) + ")"}),
           false;
  const std::string own = class_name(dtype), handed = class_name(other);
  const Slots slow{"expected scalar type ", scalar_type_name(dtype), " but found ", scalar_type_name(other)};
  const Slots fast{"Input type (", own, ") and weight type (", handed,
                   ") should be the same or input should be a MKLDNN tensor and weight is a dense tensor"};
  return call.fail("RuntimeError", dtype == DType::float32 && uses_onednn(one) ? fast : slow, Msg::dtypes_differ,
                   {name(dtype), name(other)}),
         false;
}

/// output_padding must be less than the stride or the dilation, of nothing whatever it is. False: the call failed.
bool check_more(Call& call, const Convolution& one) {
  if (numel(one.image.layout.sizes) == 0) return true;
  bool small = true;
  for (int k = 0; one.transposed && k < one.dims; ++k)
    small = small && (one.more[k] < one.stride[k] || one.more[k] < one.dilation[k]);
  if (small) return true;
  std::string text = "output padding must be smaller than either stride or dilation, but got";
  const int dims = std::max(one.dims, 2);  // of one dimension PyTorch makes two
  const auto add = [&](const char* word, const Dims& list, int64_t first) {
    for (int k = 0; k < dims; ++k) {
      const int own = k - (dims - one.dims);
      text +=
          std::string(" ") + word + "_" + axis_words[3 - dims + k] + ": " + std::to_string(own < 0 ? first : list[own]);
    }
  };
  add("output_padding", one.more, 0);
  add("stride", one.stride, 1);
  add("dilation", one.dilation, 1);
  wrong(call, "output_padding", text, Msg::conv_output_padding, {to_string(one.more), to_string(one.stride)});
  return false;
}

/// The layout of the weight as PyTorch looks at it, and of the images: of conv1d both have a height of 1, and the
/// images are made contiguous first. What is not reckoned by oneDNN keeps no volume channels last.
std::optional<Layout> result_layout(Call& call, const Convolution& one, const Dims& sizes) {
  Layout image = one.image.layout, weight = one.weight.layout;
  const DType dtype = one.image.dtype;
  if (numel(image.sizes) == 0) image = weight = {};
  if (one.dims == 1) {
    Dims high = sizes;
    high.insert(2, 1);
    if (weight.rank() == 3) weight = unsqueeze(weight, 2);
    // A line that is packed is seen as it lies, whatever the strides of its sizes of 1.
    Layout plain = is_contiguous(image) ? image : contiguous(image.sizes);
    if (plain.rank() == 3) plain = unsqueeze(plain, 2);
    const auto found = layer_layout(call, dtype, plain, high, &weight);
    if (found && !is_contiguous(image)) call.why(Msg::conv_copied, {to_string(image.strides)});
    return found ? std::optional(squeeze(*found, 2)) : std::nullopt;
  }
  if (one.dims == 3 && !uses_onednn(one)) weight = {}, image = contiguous(image.sizes);
  return layer_layout(call, dtype, image, sizes, &weight);
}

Value convolved(Call& call, const Convolution& one) {
  const Dims &image = one.image.layout.sizes, &weight = one.weight.layout.sizes;
  if (numel(weight) == 0 && weight[0] * weight[1] != 0)
    return call.refuse(Msg::not_modelled, {"PyTorch", layer_name(call)});
  if (!check_dilation(call, one)) return {};
  const bool nothing = numel(image) == 0 && image[0] != 0 && image[1] != 0;
  const auto spatial = nothing && one.transposed ? Dims{} : places(call, one);
  // Of no images nothing is reckoned, whatever the dtypes.
  const bool empty = image[0] == 0;
  if (!spatial || !check_more(call, one) || (!empty && !check_scalar_types(call, one))) return {};
  if (nothing) {
    Dims seen = image;  // a line is an image of height 1
    if (one.dims == 1) seen.insert(2, 1);
    return wrong(call, "input",
                 {"Only zero batch or zero channel inputs are supported, but got input shape: ", list_text(seen)},
                 Msg::layer_nothing, {to_string(image)});
  }
  if (one.transposed && weight[1] == 0) return call.refuse(Msg::not_modelled, {"PyTorch", layer_name(call)});
  Dims sizes{image[0], one.transposed ? weight[1] * one.groups : image[1] == 0 ? 0 : weight[0]};
  for (const int64_t size : *spatial) {
    if (size < 1) return call.refuse(Msg::not_modelled, {"PyTorch", layer_name(call)});
    sizes.push_back(size);
  }
  Windows windows;
  const auto tail = [](const Dims& list) {
    Dims result;
    for (int k = 2; k < list.size(); ++k) result.push_back(list[k]);
    return result;
  };
  const int64_t inputs = image[1] / one.groups, outputs = std::max<int64_t>(sizes[1] / one.groups, 1);
  fresh_layout(call, sizes, one.image.dtype);
  if (call.failed()) return {};
  Windows::set(windows.size, tail(image));
  Windows::set(windows.kernel, tail(weight));
  Windows::set(windows.stride, one.stride);
  Windows::set(windows.dilation, one.dilation);
  Windows::set(windows.padding, one.padding);
  Windows::set(windows.count, *spatial);
  const int64_t kernel = Windows::cells(windows.kernel), products = times({inputs, kernel});
  call.why(one.transposed ? Msg::conv_transposed_headline : Msg::conv_headline,
           {sizes[1], products, to_string(tail(weight)), to_string(sizes)});
  const auto layout = result_layout(call, one, sizes);
  if (!layout) return {};
  const int64_t work = times({*numel(sizes), std::max<int64_t>(products, 1)});
  return reckoned(call, one.image.dtype, *layout, work, [&] {
    const std::vector<double> x = doubles_of(call, one.image), w = doubles_of(call, one.weight),
                              b = one.bias ? doubles_of(call, *one.bias) : std::vector<double>();
    std::vector<double> values;
    if (call.failed()) return values;
    const int64_t cells = Windows::cells(windows.size);
    for (int64_t n = 0; n < sizes[0]; ++n)
      for (int64_t o = 0; o < sizes[1]; ++o)
        Windows::each(windows.count, [&](const Windows::Three& window) {
          double sum = b.empty() ? 0 : b[static_cast<size_t>(o)];
          for (int64_t c = o / outputs * inputs; c < (o / outputs + 1) * inputs; ++c) {
            int64_t place = (one.transposed ? c * outputs + o % outputs : o * inputs + c % inputs) * kernel;
            Windows::each(windows.kernel, [&](const Windows::Three& at) {
              const int64_t cell = one.transposed ? windows.reaching(window, at) : windows.under(window, at);
              if (cell >= 0)
                sum += w[static_cast<size_t>(place)] * x[static_cast<size_t>((n * image[1] + c) * cells + cell)];
              ++place;
            });
          }
          values.push_back(sum);
        });
    return values;
  });
}

Value convolution_row(Call& call) {
  Convolution one{call.self(), *call.tensor("weight")->tensor, nullptr, false, 0, 1, {}, {}, {}, {}, {}};
  const std::string function(layer_name(call));
  one.transposed = function.find("transpose") != std::string::npos;
  const int named = function[function.size() - 2] - '0';
  if (call.given("bias")) one.bias = call.tensor("bias")->tensor.get();
  const bool words = std::holds_alternative<std::string>(call.value("padding").held);
  if (one.bias && one.bias->dtype != one.image.dtype && !one.transposed && !words)
    return wrong(call, "bias",
                 {"Input type (", cpp_name(one.image.dtype), ") and bias type (", cpp_name(one.bias->dtype),
                  ") should be the same"},
                 Msg::dtypes_differ, {name(one.image.dtype), name(one.bias->dtype)});
  const Dims given = one.image.layout.sizes;
  if (given.size() != named + 1 && given.size() != named + 2)
    return wrong(call, "input",
                 {"Expected ", named + 1, "D (unbatched) or ", named + 2, "D (batched) input to ", function,
                  ", but got input of size: ", list_text(given)},
                 Msg::layer_rank, {named + 1, named + 2, given.size()});
  const bool alone = given.size() == named + 1;
  if (alone) one.image.layout = unsqueeze(one.image.layout, 0);
  if (words && !check_word(call)) return {};
  one.dims = one.weight.layout.rank() - 2;
  if (one.dims < 1)
    return wrong(call, "weight", "weight should have at least three dimensions", Msg::needs_rank,
                 {3, one.weight.layout.rank()});
  one.groups = call.integer("groups");
  if (one.groups < 1)
    return wrong(call, "groups", "non-positive groups is not supported", Msg::at_least, {"groups", 1});
  const bool same = words && call.text("padding") == "same";
  if (same && !check_rank(call, one, "")) return {};
  const auto listed = [&](const char* parameter) {
    const Dims list = entries(call, parameter, one.dims, named);
    // Before 'same' becomes numbers, lists are brought to as many.
    if (same && call.failed())
      call.retell("RuntimeError", {parameter, " cannot broadcast to ", one.dims, " dimensions"});
    return list;
  };
  one.stride = listed("stride");
  if (!words && !call.failed()) one.padding = listed("padding");
  if (!call.failed()) one.dilation = listed("dilation");
  if (!call.failed()) one.more = one.transposed ? entries(call, "output_padding", one.dims, named) : Dims{};
  if (call.failed() || (words && !named_padding(call, one)) || !check_convolution(call, one)) return {};
  const Value result = convolved(call, one);
  return alone ? without_batch(call, result) : result;
}

}  // namespace

std::span<const Op> torch_convolve_rows() {
#define BOTH(name, parameters) "torch.nn.functional." name "(" parameters ")\ntorch." name "(" parameters ")"
#define FORWARD                                                                                                 \
  "input: tensor, weight: tensor, bias: tensor = None, stride: int | ints = 1, padding: int | ints | str = 0, " \
  "dilation: int | ints = 1, groups: int = 1"
#define BACK                                                                                              \
  "input: tensor, weight: tensor, bias: tensor = None, stride: int | ints = 1, padding: int | ints = 0, " \
  "output_padding: int | ints = 0, groups: int = 1, dilation: int | ints = 1"
#define EXAMPLE "import torch.nn.functional as F\nx = torch.arange(16.).view(1, 1, 4, 4)\nw = torch.ones(1, 1, 2, 2)\n"
  static constexpr Op rows[] = {
      {Library::torch, BOTH("conv2d", FORWARD) "\n" BOTH("conv1d", FORWARD) "\n" BOTH("conv3d", FORWARD), Msg::op_conv,
       "y[n, o, ..] = sum of weight[o, c, ..] * window[n, c, ..] + bias[o]; channels last if x or weight is",
       EXAMPLE "y = F.conv2d(x, w, stride=2)", convolution_row},
      {Library::torch,
       BOTH("conv_transpose2d", BACK) "\n" BOTH("conv_transpose1d", BACK) "\n" BOTH("conv_transpose3d", BACK),
       Msg::op_conv_transpose,
       "each x[n, c, ..] adds x * weight[c, o, ..] to a window of y; channels last if x or weight is",
       EXAMPLE "y = F.conv_transpose2d(x, w, stride=2)", convolution_row},
  };
#undef BOTH
#undef FORWARD
#undef BACK
#undef EXAMPLE
  return rows;
}

}  // namespace stridescope

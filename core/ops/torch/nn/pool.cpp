// Pooling: the most or the mean of each window of an image.
#include <algorithm>
#include <cmath>

#include "layout/transform.h"
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/windows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

struct Pool {
  bool most = false;
  std::string name;        ///< "max_pool2d"
  int dims = 2;            ///< of an image
  bool own_words = false;  ///< max_pool1d looks at a line itself unless places are asked for
  Tensor image;
  Dims kernel, stride, padding, dilation;
};

/// "kT: 1 kH: 2 kW: 2"; of an image without depth from H on.
std::string labelled(const std::string& label, const Dims& list, const char* letters = "THW",
                     const char* between = " ") {
  std::string text;
  for (int k = 0; k < list.size(); ++k)
    text += (k == 0 ? "" : between) + label + letters[3 - list.size() + k] + ": " + std::to_string(list[k]);
  return text;
}

/// "3x2x4x4"
std::string crossed(const Dims& list) {
  std::string text;
  for (const int64_t one : list) text += (text.empty() ? "" : "x") + std::to_string(one);
  return text;
}

bool any_below(const Dims& list, int64_t least) {
  return std::any_of(list.begin(), list.end(), [&](int64_t one) { return one < least; });
}

/// How many windows there are along dimension k; nothing, and the call failed in PyTorch's words.
std::optional<int64_t> window_count(Call& call, const Pool& pool, int k, int64_t size, bool ceil) {
  const int64_t kernel = pool.kernel[k], stride = pool.stride[k], padding = pool.padding[k];
  if (stride == 0)
    return call.about(call.given("stride") ? "stride" : "kernel_size")
               .fail("RuntimeError", "stride should not be zero", Msg::at_least, {"stride", 1}),
           std::nullopt;
  if (padding < 0)
    return call.about("padding").fail("RuntimeError", {"pad must be non-negative, but got pad: ", padding},
                                      Msg::at_least, {"padding", 0}),
           std::nullopt;
  const auto reach = checked_mul(checked_add(kernel, -1), pool.dilation[k]), edge = checked_mul(padding, 2);
  const auto room = checked_add(size, edge.value_or(INT64_MAX));
  if (!reach || !room || *reach > INT64_MAX / 4 || *reach < -INT64_MAX / 4 || *room > INT64_MAX / 4 ||
      stride > INT64_MAX / 4 || stride < -INT64_MAX / 4)
    return call.refuse(Msg::beyond_int64), std::nullopt;
  if (padding > (*reach + 1) / 2)
    return call.about("padding").fail("RuntimeError",
                                      {"pad should be at most half of effective kernel size, but got pad=", padding,
                                       ", kernel_size=", kernel, " and dilation=", pool.dilation[k]},
                                      Msg::pool_padding, {padding, kernel}),
           std::nullopt;
  if (stride < 0) return 0;  // the next check says so
  const int64_t left = *room - *reach - 1 + (ceil ? stride - 1 : 0);
  int64_t count = (left < 0 ? -((-left + stride - 1) / stride) : left / stride) + 1;
  if (ceil && (count - 1) * stride >= size + padding) --count;
  return count;
}

/// Whether the image has a rank and sizes that PyTorch takes, or the call failed.
bool check_filled(Call& call, const Pool& pool) {
  const Dims& sizes = pool.image.layout.sizes;
  const int rank = sizes.size(), dims = pool.kernel.size();
  int empty = rank == dims + 1 || rank == dims + 2 ? -1 : 0;
  for (int d = rank == dims + 2 ? 1 : 0; d < rank; ++d)
    if (sizes[d] == 0 && empty < 0) empty = d;
  if (empty < 0) return true;
  call.about_receiver().fail(
      "RuntimeError",
      dims == 2 ? Slots{"Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:",
                        list_text(sizes)}
                : Slots{pool.most ? "max_pool3d_with_indices_out_cpu_template" : "avg_pool3d",
                        "(): Expected input's non-batch dimensions to have positive length, but input has a shape of ",
                        list_text(sizes), " and non-batch dimension 0 has length zero!"},
      Msg::layer_nothing, {to_string(sizes)});
  return false;
}

/// What PyTorch asks of the image and the windows; how many of these there are, or nothing and the call failed.
std::optional<Dims> check_pool(Call& call, const Pool& pool, bool ceil) {
  const Dims& sizes = pool.image.layout.sizes;
  const int rank = sizes.size(), dims = pool.kernel.size();
  Dims counts, seen;
  for (int k = 0; k < dims; ++k) {
    seen.push_back(sizes[rank - dims + k]);
    const auto count = window_count(call, pool, k, seen[k], ceil);
    if (!count) return std::nullopt;
    counts.push_back(*count);
  }
  const auto positive = [&](const char* parameter, const Dims& list, const char* what, const char* label) {
    if (call.failed() || !any_below(list, 1)) return;
    call.about(parameter).fail("RuntimeError", {what, " should be greater than zero, but got ", labelled(label, list)},
                               Msg::at_least, {parameter, 1});
  };
  positive("kernel_size", pool.kernel, "kernel size", "k");
  positive("stride", pool.stride, "stride", "d");
  positive("dilation", pool.dilation, "dilation", "dilation");
  if (call.failed() || !check_filled(call, pool)) return std::nullopt;
  bool covered = false, wide = false;
  for (int k = 0; k < dims; ++k) {
    covered |= seen[k] < pool.kernel[k];
    wide |= pool.padding[k] > pool.kernel[k] / 2;
  }
  if (dims == 3 && !pool.most && covered)
    return call.about_receiver().fail(
               "RuntimeError",
               {"input image (", labelled("", seen), ") smaller than kernel size (", labelled("k", pool.kernel), ")"},
               Msg::columns_none, {to_string(pool.kernel), to_string(sizes)}),
           std::nullopt;
  if (wide) {
    // The last two change their places.
    const auto turned = [&](Dims list) {
      std::swap(list[dims - 2], list[dims - 1]);
      return list;
    };
    const std::string text =
        dims == 3 ? labelled("k", turned(pool.kernel), "TWH") + " " + labelled("pad", turned(pool.padding), "TWH")
                  : "padW = " + std::to_string(pool.padding[1]) + ", padH = " + std::to_string(pool.padding[0]) +
                        ", kW = " + std::to_string(pool.kernel[1]) + ", kH = " + std::to_string(pool.kernel[0]);
    return call.about("padding").fail("RuntimeError",
                                      {"pad should be smaller than or equal to half of kernel size, but got ", text},
                                      Msg::pool_padding, {pool.padding[0], pool.kernel[0]}),
           std::nullopt;
  }
  if (!any_below(counts, 1)) return counts;
  const auto by = [&](Dims list) {
    list.insert(0, sizes[rank - dims - 1]);
    return "(" + crossed(list) + ")";
  };
  return call.about_receiver().fail(
             "RuntimeError",
             {"Given input size: ", by(seen), ". Calculated output size: ", by(counts), ". Output size is too small"},
             Msg::columns_none, {to_string(pool.kernel), to_string(sizes)}),
         std::nullopt;
}

/// max_pool1d has words of its own for a line that it does not take. False: the call failed.
bool check_line(Call& call, const Pool& pool) {
  const Dims& sizes = pool.image.layout.sizes;
  bool filled = sizes.size() == 2 || sizes.size() == 3;
  for (int d = sizes.size() == 3 ? 1 : 0; d < sizes.size(); ++d) filled = filled && sizes[d] != 0;
  if (!filled)
    return call.about_receiver().fail(
               "RuntimeError",
               {pool.name, ": Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:",
                list_text(sizes)},
               Msg::layer_nothing, {to_string(sizes)}),
           false;
  return true;
}

/// And for windows that do not fit the line. False: the call failed.
bool check_line_windows(Call& call, const Pool& pool, bool ceil) {
  const Dims& sizes = pool.image.layout.sizes;
  const std::string own = pool.name + "() ";
  const auto least = [&](const char* parameter, int64_t number, int64_t from, const char* rule) {
    if (call.failed() || number >= from) return;
    call.about(parameter).fail("RuntimeError", {own, parameter, " must be ", rule, ", but got ", number}, Msg::at_least,
                               {parameter, from});
  };
  least("kernel_size", pool.kernel[0], 1, "greater than zero");
  least("stride", pool.stride[0], 1, "greater than zero");
  least("padding", pool.padding[0], 0, "non-negative");
  if (!call.failed() && pool.padding[0] > pool.kernel[0] / 2)
    call.about("padding").fail("RuntimeError",
                               {own, "padding should be at most half of kernel size, but got padding=", pool.padding[0],
                                " and kernel_size=", pool.kernel[0]},
                               Msg::pool_padding, {pool.padding[0], pool.kernel[0]});
  least("dilation", pool.dilation[0], 1, "greater than zero");
  if (call.failed()) return false;
  const auto count = window_count(call, pool, 0, sizes.back(), ceil);
  if (count && *count < 1)
    call.about_receiver().fail("RuntimeError", {own, "Invalid computed output size: ", *count}, Msg::columns_none,
                               {to_string(pool.kernel), to_string(sizes)});
  return count && !call.failed();
}

/// kernel_size and its kin. False: the call failed.
bool read(Call& call, Pool& pool) {
  const std::string two = pool.name + ": ";
  const auto list = [&](const char* parameter, const char* words) {
    // A tensor is a list of no integers.
    if (tensor_of(call.value(parameter))) {
      call.about(parameter).refuse(Msg::not_modelled, {"PyTorch", pool.name + "(" + parameter + "=tensor(..))"});
      return std::optional<Dims>();
    }
    if (pool.dims > 1) {
      const std::string counted = std::string(words) + (pool.dims == 2 ? "two ints" : "three ints");
      return spread(call, parameter, pool.dims, {two, parameter, counted});
    }
    const Dims given = call.ints(parameter);
    if (!pool.own_words && !call.failed() && given.size() != 1)
      return call.about(parameter).fail(
                 "RuntimeError",
                 {pool.name, "() argument '", parameter, "' should contain one int (got ", given.size(), ")"},
                 Msg::entries_needed, {parameter, 1, given.size()}),
             std::optional<Dims>();
    return spread(
        call, parameter, 1,
        {pool.name, "() ", parameter, " must be ", *parameter == 's' ? "None, " : "", "an int, list of ints",
         *parameter == 's' || *parameter == 'p' ? "," : "", " or tuple of ints of size 1 but got size ", given.size()});
  };
  const bool mean = pool.dims == 3 && !pool.most;
  const char *either = mean ? " must be a single int, or a tuple of " : " must either be a single int, or a tuple of ",
             *omitted = mean ? " must be omitted, a single int, or a tuple of "
                             : " must either be omitted, a single int, or a tuple of ";
  const auto kernel = list("kernel_size", either);
  if (!kernel) return false;
  const auto* steps = std::get_if<Sequence>(&call.value("stride").held);
  const bool own = call.given("stride") && !(steps && steps->items->empty());
  const auto stride = own ? list("stride", omitted) : kernel;
  const auto padding = stride ? list("padding", either) : std::nullopt;
  auto dilation = std::optional(Dims::filled(pool.dims, 1));
  if (padding && pool.most) dilation = list("dilation", " must be either a single int, or a tuple of ");
  if (call.failed()) return false;
  pool.kernel = *kernel, pool.stride = *stride, pool.padding = *padding, pool.dilation = *dilation;
  return true;
}

/// A line as an image of height 1.
void make_high(Pool& pool) {
  pool.image.layout = unsqueeze(pool.image.layout, pool.image.layout.rank() - 1);
  for (Dims* list : {&pool.kernel, &pool.stride, &pool.dilation}) list->insert(0, 1);
  pool.padding.insert(0, 0);
}

/// Images have kernels for some integers, too.
bool check_kernel_of(Call& call, const Pool& pool, bool of_images) {
  const DType dtype = pool.image.dtype;
  const bool whole = is_integer(dtype) && (!is_unsigned(dtype) || dtype == DType::uint8);
  const bool deep = pool.dims == 3;
  if (of_images && (pool.most ? whole : dtype == DType::int64)) return true;
  if (deep && !pool.most && working_dtype(dtype) != dtype) return no_kernel(call, "avg_pool3d_out_frame", dtype), false;
  return check_floating(call, dtype,
                        !of_images  ? "max_pool1d_impl"
                        : pool.most ? (deep ? "max_pool3d" : "max_pool2d")
                        : deep      ? "avg_pool3d_out_frame"
                                    : "avg_pool2d");
}

Value pool_row(Call& call) {
  Pool pool{false, std::string(layer_name(call)), 2, false, call.self(), {}, {}, {}, {}};
  pool.most = pool.name.starts_with("max");
  pool.dims = pool.name[8] - '0';
  const int rank = pool.image.layout.rank();
  const bool ceil = call.boolean("ceil_mode"), indices = pool.most && call.truth("return_indices");
  pool.own_words = pool.dims == 1 && pool.most && !indices;
  if (pool.dims == 1 && !pool.own_words && rank != 2 && rank != 3)
    return call.about_receiver().fail(
        "RuntimeError",
        {"Expected 2 to 3 dimensions, but got ", rank,
         "-dimensional tensor for argument #1 'self' (while checking arguments for ", pool.name, ")"},
        Msg::layer_rank, {2, 3, rank});
  if (pool.own_words && !check_line(call, pool)) return {};
  if (!read(call, pool)) return {};
  const bool looked_at = pool.dims < 3 || rank == 4 || rank == 5;  // before other images are refused
  if (!pool.most && looked_at && call.given("divisor_override") && call.integer("divisor_override") == 0)
    return call.about("divisor_override")
        .fail("RuntimeError", "divisor must be not zero", Msg::at_least, {"divisor_override", 1});
  if (pool.own_words && !check_line_windows(call, pool, ceil)) return {};
  const bool foreign =
      pool.most && pool.dims > 1 && rank == (pool.dims == 3 ? 4 : 5);  // that of the other one's images
  if (foreign && pool.dims == 2 && suggests_channels_last(pool.image.layout))
    return call.about_receiver().fail("RuntimeError", "Unsupport memory format. Supports only ChannelsLast, Contiguous",
                                      Msg::kernel_missing, {"max_pool2d", "channels_last_3d"});
  if ((pool.dims == 3 || (pool.dims == 2 && pool.most)) && rank != pool.dims + 1 && rank != pool.dims + 2)
    return call.about_receiver().fail(
        "RuntimeError",
        {"non-empty ", pool.dims + 1, "D or ", pool.dims + 2, "D (batch mode) tensor expected for input"},
        Msg::layer_rank, {pool.dims + 1, pool.dims + 2, rank});
  if (foreign && pool.dims == 3 && suggests_channels_last(pool.image.layout))
    return call.about_receiver().fail("RuntimeError",
                                      "Unsupport memory format. Supports only ChannelsLast3d, Contiguous",
                                      Msg::kernel_missing, {"max_pool3d", "channels_last"});
  if (pool.dims == 2 && rank < 3) return call.wrap(-3, rank, true, "input"), Value{};
  const bool line = pool.dims == 1;
  // Of a line PyTorch makes an image, except where it looks for the most and no gradient is followed.
  const bool gradient = call.settings().gradients == Gradients::followed && pool.image.requires_grad;
  const bool seen = line && (!pool.most || gradient || indices);
  const Layout given = pool.image.layout;
  if (line) make_high(pool);
  if (line && !seen) pool.image.layout = contiguous(pool.image.layout.sizes);
  const auto counts = check_pool(call, pool, ceil);
  if (!counts || !check_kernel_of(call, pool, !line || seen)) return {};
  Windows windows;
  const Dims& sizes = pool.image.layout.sizes;
  Dims spatial;
  for (int k = sizes.size() - pool.kernel.size(); k < sizes.size(); ++k) spatial.push_back(sizes[k]);
  Windows::set(windows.size, spatial);
  Windows::set(windows.kernel, pool.kernel);
  Windows::set(windows.stride, pool.stride);
  Windows::set(windows.dilation, pool.dilation);
  Windows::set(windows.padding, pool.padding);
  Windows::set(windows.count, *counts);
  call.why(pool.most ? Msg::pool_most_headline : Msg::pool_mean_headline,
           {to_string(line ? Dims{pool.kernel[1]} : pool.kernel), to_string(line ? Dims{(*counts)[1]} : *counts)});
  const int64_t kernel = times({windows.kernel[0], windows.kernel[1], windows.kernel[2]});
  const bool counts_edge = pool.most || call.boolean("count_include_pad");
  const int64_t divisor = !pool.most && call.given("divisor_override") ? call.integer("divisor_override") : 0;
  std::vector<double> where;
  if (line && !seen)
    pool.image.layout = {pool.image.layout.sizes, unsqueeze(given, given.rank() - 1).strides, given.storage_offset};
  Tensor image = pool.image;
  const auto reckon = [&](const std::vector<double>& x) {
    std::vector<double> values;
    each_window(x, windows.size, windows.count, [&](int64_t start, const Windows::Three& window) {
      double best = -INFINITY, sum = 0;
      int64_t cells = 0, found = -1, edge = 1;
      Windows::each(windows.kernel, [&](const Windows::Three& at) {
        const int64_t cell = windows.under(window, at);
        if (cell < 0) return;
        const double value = x[static_cast<size_t>(start + cell)];
        sum += value, ++cells;
        if (found < 0 || value > best || std::isnan(value)) best = value, found = cell;
      });
      for (size_t k = 0; k < 3; ++k) {
        const int64_t first = window[k] * windows.stride[k] - windows.padding[k];
        edge *= std::min(first + windows.kernel[k], windows.size[k] + windows.padding[k]) - first;
      }
      const double by = static_cast<double>(divisor != 0 ? divisor : counts_edge ? edge : cells);
      where.push_back(static_cast<double>(found < 0 ? windows.first_under(window) : found));
      values.push_back(pool.most ? best : cells == 0 ? 0 : is_whole(image.dtype) ? std::trunc(sum / by) : sum / by);
    });
    return values;
  };
  Value result;
  if (line && !seen) {  // packed, whatever the strides were
    Dims packed = sizes;
    packed[packed.size() - 1] = counts->back();
    packed.erase(packed.size() - 2);
    if (!is_contiguous(given))
      call.why(Msg::layer_packed, {to_string(contiguous(packed).strides), to_string(given.strides)});
    result = reckoned(call, image.dtype, contiguous(packed), times({*numel(packed), kernel}), [&] {
      const std::vector<double> x = doubles_of(call, image);
      return call.failed() ? x : reckon(x);
    });
  } else {
    result = pooled(call, image, *counts, kernel, reckon, pool.dims == 3 && !pool.most);
    if (line && !indices) result = without_batch(call, result, sizes.size() - 2);
  }
  return indices ? with_places(call, result, where, line ? sizes.size() - 2 : -1) : result;
}

}  // namespace

std::span<const Op> torch_pool_rows() {
#define F "torch.nn.functional."
#define EXAMPLE "import torch.nn.functional as F\nx = torch.arange(16.).view(1, 1, 4, 4)\n"
#define MOST                                                                                                      \
  "(input: tensor, kernel_size: int | ints, stride: int | ints = None, padding: int | ints = 0, dilation: int | " \
  "ints = 1, ceil_mode: bool = False"
#define INDICES ", return_indices: any = False)\n"
#define MEAN                                                                                                       \
  "input: tensor, kernel_size: int | ints, stride: int | ints = None, padding: int | ints = 0, ceil_mode: bool = " \
  "False, count_include_pad: bool = True"
  static constexpr Op rows[] = {
      {Library::torch,
       F "max_pool2d" MOST INDICES F "max_pool1d" MOST INDICES F "max_pool3d" MOST INDICES "torch.max_pool2d" MOST
         ")\ntorch.max_pool1d" MOST ")\ntorch.max_pool3d" MOST ")",
       Msg::op_pool,
       "y[.., i, j] = most of x in window (i, j); stride is kernel_size unless given; channels last if x is",
       EXAMPLE "y = F.max_pool2d(x, 2)", pool_row},
      {Library::torch,
       F "avg_pool2d(" MEAN ", divisor_override: int = None)\n" F "avg_pool3d(" MEAN
         ", divisor_override: int = None)\n" F "avg_pool1d(" MEAN ")\ntorch.avg_pool1d(" MEAN ")",
       Msg::op_pool,
       "y[.., i, j] = mean of x in window (i, j); stride is kernel_size unless given; channels last if x is",
       EXAMPLE "y = F.avg_pool2d(x, 2)", pool_row},
  };
#undef F
#undef EXAMPLE
#undef MOST
#undef INDICES
#undef MEAN
  return rows;
}

}  // namespace stridescope

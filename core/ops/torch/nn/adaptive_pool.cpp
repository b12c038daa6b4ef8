// Pooling into as many windows as are asked for: adaptive_avg_pool.
#include <algorithm>
#include <cmath>

#include "layout/transform.h"
#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/windows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Windows that overlap where the sizes do not divide: of place i from floor(i * in / out) to ceil((i + 1) * in / out).
/// `where`, if it is not null, gets the places of the most of each.
Value adaptive(Call& call, const Tensor& image, const Dims& wanted, bool packs, bool most = false,
               std::vector<double>* where = nullptr) {
  const Dims& sizes = image.layout.sizes;
  const int rank = sizes.size(), dims = wanted.size();
  Windows::Three size{1, 1, 1}, count{1, 1, 1};
  Dims seen;
  for (int k = 0; k < dims; ++k) seen.push_back(sizes[rank - dims + k]);
  Windows::set(size, seen);
  Windows::set(count, wanted);
  int64_t cells_each = 1;
  for (size_t k = 0; k < 3; ++k) cells_each = times({cells_each, count[k] == 0 ? 1 : size[k] / count[k] + 2});
  const auto reckon = [=](const std::vector<double>& x) {
    std::vector<double> values;
    each_window(x, size, count, [&](int64_t start, const Windows::Three& window) {
      Windows::Three from{}, cells{};
      for (size_t k = 0; k < 3; ++k) {
        from[k] = window[k] * size[k] / count[k];
        cells[k] = ((window[k] + 1) * size[k] + count[k] - 1) / count[k] - from[k];
      }
      double sum = 0, best = -INFINITY;
      int64_t found = -1;
      Windows::each(cells, [&](const Windows::Three& at) {
        int64_t cell = 0;
        for (size_t k = 0; k < 3; ++k) cell = cell * size[k] + from[k] + at[k];
        const double value = x[static_cast<size_t>(start + cell)];
        sum += value;
        if (found < 0 || value > best || std::isnan(value)) best = value, found = cell;
      });
      values.push_back(most ? best : sum / static_cast<double>(Windows::cells(cells)));
      if (where) where->push_back(static_cast<double>(found));
    });
    return values;
  };
  return pooled(call, image, wanted, cells_each, reckon, packs);
}

/// What PyTorch asks of an image of which the most is taken. False: the call failed.
bool check_most(Call& call, const Dims& sizes, int dims) {
  const std::string function(layer_name(call));
  const int rank = sizes.size();
  if (dims > 1 && rank != dims + 1 && rank != dims + 2)
    return call.about_receiver().fail(
               "RuntimeError",
               {function, "(): Expected ", dims + 1, "D or ", dims + 2, "D tensor, but got: ", list_text(sizes)},
               Msg::layer_rank, {dims + 1, dims + 2, rank}),
           false;
  for (int d = 1; d < rank; ++d)
    if (sizes[d] == 0)
      return call.about_receiver().fail("RuntimeError",
                                        {function,
                                         "(): Expected input to have non-zero size for non-batch dimensions, but input "
                                         "has sizes ",
                                         list_text(sizes), " with dimension ", d, " being empty"},
                                        Msg::layer_nothing, {to_string(sizes)}),
             false;
  return true;
}

/// The most of each window, and where it is if that is asked for.
Value adaptive_most(Call& call, Tensor image, Dims wanted) {
  const int dims = wanted.size(), rank = image.layout.rank();
  const bool line = dims == 1, indices = call.given("return_indices") ? call.truth("return_indices")
                                                                      : call.name() == "torch.adaptive_max_pool1d";
  if (line) {
    image.layout = unsqueeze(image.layout, rank - 1);
    wanted.insert(0, 1);
  }
  Dims sizes = image.layout.sizes, seen;
  for (int k = 0; k < wanted.size(); ++k) {
    int64_t& size = sizes[sizes.size() - wanted.size() + k];
    seen.push_back(size);
    size = wanted[k];
  }
  if (const auto below = std::find_if(sizes.begin(), sizes.end(), [](int64_t size) { return size < 0; });
      below != sizes.end())
    return call.about("output_size")
        .fail("RuntimeError", {"Trying to create tensor with negative dimension ", *below, ": ", list_text(sizes)},
              Msg::at_least, {"output_size", 0});
  if (!check_floating(call, image.dtype, dims == 3 ? "adaptive_max_pool3d_cpu" : "adaptive_max_pool2d")) return {};
  call.why(Msg::pool_adaptive_most,
           {to_string(line ? Dims{seen[1]} : seen), to_string(line ? Dims{wanted[1]} : wanted)});
  std::vector<double> where;
  const Value result = adaptive(call, image, wanted, dims == 3, true, &where);
  const int batch = line ? rank - 1 : -1;
  if (indices) return with_places(call, result, where, batch);
  return line ? without_batch(call, result, batch) : result;
}

Value adaptive_row(Call& call) {
  Tensor image = call.self();
  const std::string function(layer_name(call));
  const int dims = function[function.size() - 2] - '0';
  const bool most = function.starts_with("adaptive_max");
  Dims& sizes = image.layout.sizes;
  const int rank = sizes.size();
  const Value& given = call.value("output_size");
  if (function.starts_with("adaptive_max") && call.given("return_indices") &&
      (call.truth("return_indices"), call.failed()))
    return {};
  if (const TensorPtr sizes_in = tensor_of(given); sizes_in && sizes_in->layout.rank() == 0 && dims > 1)
    return call.wrong_type("output_size", "tuple of ints");
  else if (sizes_in && dims > 1 && sizes_in->layout.rank() > 1 && sizes_in->layout.sizes[0] > 0) {
    if (const int64_t entries = sizes_in->layout.sizes[0]; entries >= rank)
      return call.about("output_size")
          .fail("ValueError", {"Input dimension should be at least ", entries + 1}, Msg::entries_needed,
                {"output_size", dims, entries});
    return call.about("output_size")
        .fail_parser({function,
                      "(): argument 'output_size' (position 2) must be tuple of ints, but found element of "
                      "type Tensor at pos 0"},
                     Msg::argument_has_type, {"output_size", "tuple of ints", "Tensor"});
  } else if (sizes_in && dims == 1 && (!is_whole(sizes_in->dtype) || numel(sizes_in->layout.sizes) != 1)) {
    return call.wrong_type("output_size", "tuple of ints");
  } else if (sizes_in && dims == 1 && sizes_in->dtype != DType::boolean) {
    return call.about("output_size")
        .fail("RuntimeError", {function, "() argument 'output_size' should contain one int (got 0)"},
              Msg::entries_needed, {"output_size", 1, 0});
  } else if (sizes_in)  // as a list of no integers, or one of its own
    return call.about("output_size").refuse(Msg::not_modelled, {"PyTorch", function + "(tensor(..))"});
  const auto* list = std::get_if<Sequence>(&given.held);
  Dims wanted = list ? Dims{} : Dims::filled(dims, as_integer(given).value_or(0));
  const int64_t entries = list ? static_cast<int64_t>(list->items->size()) : 1;
  if (dims > 1 && entries >= rank && list)
    return call.about("output_size")
        .fail("ValueError", {"Input dimension should be at least ", entries + 1}, Msg::entries_needed,
              {"output_size", dims, entries});
  if (list && entries > 0)
    if (const Value& one = list->items->front();
        std::holds_alternative<bool>(one.held) ||
        (!as_integer(one) && !(std::holds_alternative<None>(one.held) && dims > 1)))
      return call.wrong_type("output_size", "tuple of ints");
  for (int64_t k = 1; list && k < entries; ++k)
    if (const Value& one = (*list->items)[static_cast<size_t>(k)];
        !as_integer(one) && !(std::holds_alternative<None>(one.held) && dims > 1))
      return call.wrong_type("output_size", "tuple of ints");
  if (!list && (!as_integer(given) || std::holds_alternative<bool>(given.held) || (dims > 1 && has_dtype(given))))
    return call.wrong_type("output_size", "tuple of ints");
  if (dims == 1 && rank != 2 && rank != 3)
    return call.about_receiver().fail(
        "RuntimeError",
        {"Expected 2 to 3 dimensions, but got ", rank,
         "-dimensional tensor for argument #1 'self' (while checking arguments for ", function, ")"},
        Msg::layer_rank, {2, 3, rank});
  if (most && dims > 1 && !check_most(call, sizes, dims)) return {};
  if (list && entries != dims)
    return call.about("output_size")
        .fail("RuntimeError",
              dims == 1 ? Slots{function, "() argument 'output_size' should contain one int (got ", entries, ")"}
              : most    ? Slots{function, "(): internal error: output_size.size() must be ", dims}
                        : Slots{function, ": output_size must be ", dims},
              Msg::entries_needed, {"output_size", dims, entries});
  for (int k = 0; list && k < dims; ++k) {
    const Value& one = (*list->items)[static_cast<size_t>(k)];
    wanted.push_back(std::holds_alternative<None>(one.held) ? sizes[rank - dims + k] : as_integer(one).value_or(0));
  }
  if (most && dims == 1 && !check_most(call, sizes, dims)) return {};
  return most ? adaptive_most(call, image, wanted) : adaptive_average(call, image, wanted);
}

}  // namespace

Value adaptive_average(Call& call, Tensor image, Dims wanted) {
  const int dims = wanted.size(), rank = image.layout.rank();
  if (dims == 1) {
    image.layout = unsqueeze(image.layout, rank - 1);
    wanted.insert(0, 1);
  }
  const Dims& sizes = image.layout.sizes;
  const std::string function = dims == 3 ? "adaptive_avg_pool3d" : "adaptive_avg_pool2d";
  if (std::any_of(wanted.begin(), wanted.end(), [](int64_t size) { return size < 0; })) {
    std::string text = std::to_string(wanted[0]) + ", " + std::to_string(wanted[1]);
    if (dims == 3) text += "," + std::to_string(wanted[2]);
    return call.about(call.name().ends_with("interpolate") ? "size" : "output_size")
        .fail("RuntimeError",
              {function, ": elements of output_size must be greater than or equal to 0 but received {", text, "}"},
              Msg::at_least, {"output_size", 0});
  }
  const int all = sizes.size(), spatial = wanted.size();
  const bool mean = std::all_of(wanted.begin(), wanted.end(), [](int64_t size) { return size == 1; });
  if (mean && dims < 3 && rank == 5 && suggests_channels_last(image.layout))  // packed, for all that
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (mean && rank < std::max(dims, 2)) return call.wrap(-std::max(rank, 1) - 1, rank, false, "input"), Value{};
  if (!mean && dims == 2 && rank != 3 && rank != 4)
    return call.about_receiver().fail("RuntimeError",
                                      {"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got ", list_text(sizes)},
                                      Msg::layer_rank, {3, 4, rank});
  for (int d = dims == 3 && !mean ? 1 : all - spatial; d < all; ++d)
    if (sizes[d] == 0)
      return mean ? call.refuse(Msg::not_modelled, {"PyTorch", call.name()})
                  : call.about_receiver().fail("RuntimeError",
                                               {function,
                                                "(): Expected input to have non-zero size for "
                                                "non-batch dimensions, but input has sizes ",
                                                list_text(sizes), " with dimension ", d, " being empty"},
                                               Msg::layer_nothing, {to_string(sizes)});
  if (!mean && dims == 3 && rank != 4 && rank != 5)
    return call.about_receiver().fail("RuntimeError",
                                      {"adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got ", list_text(sizes)},
                                      Msg::layer_rank, {4, 5, rank});
  if (mean && is_whole(image.dtype))
    return call.fail("RuntimeError",
                     {"mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
                      "dtype. Got: ",
                      scalar_type_name(image.dtype)},
                     Msg::floats_needed, {name(image.dtype)});
  if (mean && is_complex(image.dtype)) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const std::string kernel = dims == 3 ? function + "_cpu" : function;
  if ((dims == 3 || numel(wanted) != 0) && !check_floating(call, image.dtype, kernel.c_str())) return {};
  Dims seen;
  for (int d = all - (dims == 1 ? 1 : spatial); d < all; ++d) seen.push_back(sizes[d]);
  call.why(Msg::pool_adaptive_headline, {to_string(seen), to_string(dims == 1 ? Dims{wanted[1]} : wanted)});
  const Value result = adaptive(call, image, wanted, dims == 3 && !mean);
  return dims == 1 ? without_batch(call, result, rank - 1) : result;
}

std::span<const Op> torch_adaptive_rows() {
#define F "torch.nn.functional."
#define MOST "(input: tensor, output_size: any, return_indices: any = False)"
  static constexpr Op rows[] = {
      {Library::torch,
       F "adaptive_avg_pool2d(input: tensor, output_size: any)\n" F
         "adaptive_avg_pool1d(input: tensor, output_size: any)\n" F
         "adaptive_avg_pool3d(input: tensor, output_size: any)\n"
         "torch.adaptive_avg_pool1d(input: tensor, output_size: any)",
       Msg::op_pool, "y[.., i, j] = mean of x in as many windows as are asked for; channels last if x is",
       "import torch.nn.functional as F\nx = torch.arange(16.).view(1, 1, 4, 4)\ny = F.adaptive_avg_pool2d(x, 1)",
       adaptive_row},
      {Library::torch,
       F "adaptive_max_pool2d" MOST "\n" F "adaptive_max_pool1d" MOST "\n" F "adaptive_max_pool3d" MOST
         "\ntorch.adaptive_max_pool1d(input: tensor, output_size: any)",
       Msg::op_pool, "y[.., i, j] = most of x in as many windows as are asked for; channels last if x is",
       "import torch.nn.functional as F\nx = torch.arange(16.).view(1, 1, 4, 4)\ny = F.adaptive_max_pool2d(x, 2)",
       adaptive_row},
  };
#undef F
#undef MOST
  return rows;
}

}  // namespace stridescope

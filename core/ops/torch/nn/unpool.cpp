// Images as large as before pooling: each element where the most was, 0 elsewhere.
#include <algorithm>

#include "layout/transform.h"
#include "ops/python/text.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// How large the image becomes: as it would have been at least, or as is asked for; nothing, and the call failed.
std::optional<Dims> unpooled_sizes(Call& call, const Dims& sizes, int dims) {
  const auto list = [&](const char* parameter) {
    const Dims given = call.ints(parameter);
    return as_integer(call.value(parameter)) && given.size() == 1 ? Dims::filled(dims, given[0]) : given;
  };
  const Dims kernel = list("kernel_size"), stride = call.given("stride") ? list("stride") : kernel,
             padding = list("padding");
  if (call.failed()) return std::nullopt;
  if (kernel.size() != dims || sizes.size() < dims)
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()}), std::nullopt;
  // Python reads the first of them, however many there are.
  for (const auto& [name, given] : {std::pair{"stride", &stride}, {"padding", &padding}})
    if (given->size() < dims)
      return call.about(call.given(name) ? name : "kernel_size")
                 .fail("IndexError", "tuple index out of range", Msg::entries_needed, {name, dims, given->size()}),
             std::nullopt;
  Dims least;
  for (int k = 0; k < dims; ++k) {
    const auto grown = checked_add(checked_mul(sizes[sizes.size() - dims + k] - 1, stride[k]), kernel[k]);
    const auto made = checked_add(grown, -checked_mul(padding[k], 2).value_or(0));
    if (!made || padding[k] > INT64_MAX / 2 || padding[k] < 0) return call.refuse(Msg::beyond_int64), std::nullopt;
    least.push_back(*made);
  }
  if (!call.given("output_size")) return least;
  Dims wanted = call.ints("output_size");
  if (call.failed()) return std::nullopt;
  const int entries = wanted.size();
  if (entries == dims + 2) wanted.erase(0), wanted.erase(0);
  if (wanted.size() != dims)
    return call.about("output_size")
               .fail("ValueError",
                     {"output_size should be a sequence containing ", dims, " or ", dims + 2,
                      " elements, but it has a length of '", entries, "'"},
                     Msg::entries_needed, {"output_size", dims, entries}),
           std::nullopt;
  for (int k = 0; k < dims; ++k) {
    const int64_t from = checked_add(least[k], -stride[k]).value_or(INT64_MIN),
                  until = checked_add(least[k], stride[k]).value_or(INT64_MAX);
    if (wanted[k] > from && wanted[k] < until) continue;
    const auto shown = python_str(tuple_of(wanted, std::get<Sequence>(call.value("output_size").held).kind));
    return call.about("output_size")
               .fail("ValueError",
                     {"invalid output_size \"", *shown, "\" (dim ", k, " must be between ", from, " and ", until, ")"},
                     Msg::layer_size, {"output_size", wanted[k], least[k]}),
           std::nullopt;
  }
  return wanted;
}

Value unpool_row(Call& call) {
  Tensor x = call.self(), places = *call.tensor("indices")->tensor;
  const std::string function(layer_name(call));
  const int dims = function[function.size() - 2] - '0', shown = std::max(dims, 2);
  auto wanted = unpooled_sizes(call, x.layout.sizes, dims);
  if (!wanted) return {};
  const bool line = dims == 1;
  if (line) {  // an image of width 1
    if (x.layout.sizes.full() || places.layout.sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
    wanted->push_back(1);
    for (Tensor* one : {&x, &places}) one->layout = unsqueeze(one->layout, one->layout.rank());
  }
  const Dims& sizes = x.layout.sizes;
  const int rank = sizes.size();
  if (places.dtype != DType::int64)
    return call.about("indices").fail(
        "RuntimeError", {"elements in indices should be type int64 but got: ", scalar_type_name(places.dtype)},
        Msg::index_places, {name(places.dtype)});
  if (rank != shown + 1 && rank != shown + 2)
    return call.about_receiver().fail(
        "RuntimeError",
        {"Input to max_unpooling", shown, "d should be a ", shown + 1, "d or ", shown + 2,
         "d Tensor, but got a tensor with ", rank, shown == 3 ? " dimensions" : "", shown == 3 ? "." : " dimensions."},
        Msg::layer_rank, {shown + 1, shown + 2, rank});
  if (places.layout.sizes != sizes)
    return call.about("indices").fail(
        "RuntimeError",
        {"Expected shape of indices to be same as that of the input tensor (", list_text(sizes),
         ") but got indices tensor with shape: ", list_text(places.layout.sizes)},
        Msg::loss_sizes, {to_string(places.layout.sizes), to_string(sizes)});
  for (int d = 1; d < rank; ++d)
    if (sizes[d] == 0) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  Dims made = sizes;
  for (int k = 0; k < shown; ++k) made[rank - shown + k] = (*wanted)[k];
  if (std::any_of(made.begin(), made.end(), [](int64_t size) { return size < 0; }))
    return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (!numel(made))
    return call.fail("RuntimeError", "numel: integer multiplication overflow", Msg::numel_overflow, {list_text(made)});
  const std::string kernel = "max_unpool" + std::to_string(shown) + "d";
  if (numel(made) != 0 && !check_floating(call, x.dtype, kernel.c_str())) return {};
  const auto layout =
      shown == 3 ? std::optional(fresh_layout(call, made, x.dtype)) : layer_layout(call, x.dtype, x.layout, made);
  if (!layout || call.failed()) return {};
  call.headline(Msg::unpool_headline, {to_string(made)});
  int64_t each = 1, room = 1;
  for (int k = 0; k < shown; ++k) each = times({each, sizes[rank - shown + k]}), room = times({room, (*wanted)[k]});
  const Value result = reckoned(call, x.dtype, *layout, std::max(*numel(made), *numel(sizes)), [&] {
    std::vector<double> values(static_cast<size_t>(*numel(made)));
    const std::vector<double> from = doubles_of(call, x), at = doubles_of(call, places);
    if (call.failed()) return values;
    std::optional<int64_t> beyond;
    for (size_t i = 0; i < from.size(); ++i) {
      const auto place = static_cast<int64_t>(at[i]);
      if (place < 0 || place >= room)
        beyond = place;
      else
        values[static_cast<size_t>(static_cast<int64_t>(i) / each * room + place)] = from[i];
    }
    if (!beyond) return values;
    // The kernel goes on and names the last; with the channels last it comes by them in another order.
    if (shown == 2 && suggests_channels_last(x.layout)) {
      call.about("indices").refuse(Msg::not_modelled, {"PyTorch", call.name()});
      return values;
    }
    std::string volume;
    for (const int64_t size : *wanted) volume += (volume.empty() ? "" : "x") + std::to_string(size);
    call.about("indices").fail("RuntimeError",
                               {"Found an invalid max index: ", *beyond, " (output volumes are of size ", volume},
                               Msg::sequence_index_out_of_range, {*beyond, room});
    return values;
  });
  return line ? without_batch(call, result, rank - 1) : result;
}

}  // namespace

std::span<const Op> torch_unpool_rows() {
#define F "torch.nn.functional."
#define MORE                                                                                                  \
  "(input: tensor, indices: tensor, kernel_size: int | ints, stride: int | ints = None, padding: int | ints " \
  "= 0, output_size: ints = None)"
  static constexpr Op rows[] = {
      {Library::torch, F "max_unpool2d" MORE "\n" F "max_unpool1d" MORE "\n" F "max_unpool3d" MORE, Msg::op_unpool,
       "y[.., indices[.., i, j]] = x[.., i, j], 0 elsewhere; channels last if x is",
       "import torch.nn.functional as F\nx, i = F.max_pool2d(torch.arange(16.).view(1, 1, 4, 4), 2, "
       "return_indices=True)\ny = F.max_unpool2d(x, i, 2)",
       unpool_row},
  };
#undef F
#undef MORE
  return rows;
}

}  // namespace stridescope

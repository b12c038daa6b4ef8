// What torch.nn.functional adds: pixels moved between channels and places, one_hot,
// dropout.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/number.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {

Value laid_out_like(Call& call, const Layout& like, const Dims& sizes, const Elements& packed) {
  const bool last = suggests_channels_last(like);
  const Layout layout = last ? channels_last(sizes) : contiguous(sizes);
  return call.gathered(layout, packed.dtype, [&](const Dims& order) {
    const Elements seen{packed.contents, contiguous(sizes, itemsize(packed.dtype)), packed.dtype};
    return last ? gather({seen.contents, permute(seen.layout, order), seen.dtype}, seen.dtype) : seen.contents;
  });
}

namespace {

/// Elements row by row in the order of their indices under `layout`, of which `elements` has the dtype.
Elements packed_elements(const Elements& elements) {
  const int64_t bytes = itemsize(elements.dtype);
  return {gather(elements, elements.dtype), contiguous(elements.layout.sizes, bytes), elements.dtype};
}

// pixel_shuffle

/// Seen with the channels, or the height and the width, taken apart; then those dimensions in another order.
Value pixels_row(Call& call) {
  const Tensor tensor = call.self();
  const bool apart = call.name().ends_with("pixel_unshuffle");
  const char* const factor = apart ? "downscale_factor" : "upscale_factor";
  const std::string function = apart ? "pixel_unshuffle" : "pixel_shuffle";
  const Dims& sizes = tensor.layout.sizes;
  const int rank = sizes.size();
  const int64_t r = call.integer(factor);
  if (rank < 3)
    return call.fail(
        "RuntimeError",
        {function, " expects input to have at least 3 dimensions, but got input with ", rank, " dimension(s)"},
        Msg::needs_rank, {3, rank});
  if (r <= 0)
    return call.fail("RuntimeError", {function, " expects a positive ", factor, ", but got ", r}, Msg::at_least,
                     {factor, 1});
  const auto square = checked_mul(r, r);
  if (!square || rank + 2 > max_rank) return call.refuse(Msg::beyond_int64);
  const int64_t channels = sizes[rank - 3], height = sizes[rank - 2], width = sizes[rank - 1];
  const auto divides = [&](int64_t size, int64_t by, const Slots& text) {
    if (size % by == 0) return true;
    return call.fail("RuntimeError", text, Msg::pixels_divide, {size, by}), false;
  };
  if (apart ? !divides(height, r,
                       {function, " expects height to be divisible by ", factor, ", but input.size(-2)=", height,
                        " is not divisible by ", r}) ||
                  !divides(width, r,
                           {function, " expects width to be divisible by ", factor, ", but input.size(-1)=", width,
                            " is not divisible by ", r})
            : !divides(channels, *square,
                       {function, " expects its input's 'channel' dimension to be divisible by the square of ", factor,
                        ", but input.size(-3)=", channels, " is not divisible by ", *square}))
    return {};
  if (apart && numel(sizes) == 0) return call.copy(tensor, {sizes, preserved_strides(tensor.layout), 0}, tensor.dtype);
  if (rank == 5 && numel(sizes) != 0 && suggests_channels_last(tensor.layout)) {
    call.about("input").fail("RuntimeError", "Unsupported memory format. Supports only ChannelsLast, Contiguous",
                             Msg::pixels_format, {to_string(tensor.layout)});
    return hint_contiguous(call, "input", tensor, Msg::hint_contiguous_copy), Value{};
  }
  Dims split, order, result;
  for (int d = 0; d < rank - 3; ++d) split.push_back(sizes[d]), order.push_back(d), result.push_back(sizes[d]);
  const int n = rank - 3;
  const Dims pieces =
      apart ? Dims{channels, height / r, r, width / r, r} : Dims{channels / *square, r, r, height, width};
  const Dims turned = apart ? Dims{n, n + 2, n + 4, n + 1, n + 3} : Dims{n, n + 3, n + 1, n + 4, n + 2};
  for (const int64_t piece : pieces) split.push_back(piece);
  for (const int64_t d : turned) order.push_back(d);
  const auto scaled = [&](int64_t size, int64_t by) { return checked_mul(size, by).value_or(-1); };
  result.push_back(apart ? scaled(channels, *square) : channels / *square);
  result.push_back(apart ? height / r : scaled(height, r));
  result.push_back(apart ? width / r : scaled(width, r));
  fresh_layout(call, result, tensor.dtype);
  if (call.failed()) return {};
  call.why(Msg::pixels_headline, {to_string(split), to_string(order), to_string(result)});
  Elements seen = packed_elements(elements_of(tensor));
  seen.layout = permute(contiguous(split, itemsize(tensor.dtype)), order);
  if (!seen.contents) return call.refuse(Msg::too_costly);
  return laid_out_like(call, tensor.layout, result, packed_elements(seen));
}

// channel_shuffle

/// The channels as a table of groups, one a row, read column by column.
Value channels_row(Call& call) {
  const Tensor tensor = call.self();
  const Dims& sizes = tensor.layout.sizes;
  const int64_t groups = call.integer("groups");
  if (sizes.size() < 3)
    return call.fail("RuntimeError",
                     {"channel_shuffle expects input with > 2 dims, but got input with sizes ", list_text(sizes)},
                     Msg::needs_rank, {3, sizes.size()});
  if (groups <= 0)
    return call.about("groups").fail(
        "RuntimeError", {"Number of groups to divide channels in must be positive. Value of groups:", groups},
        Msg::at_least, {"groups", 1});
  if (sizes[1] % groups != 0)
    return call.about("groups").fail(
        "RuntimeError",
        {"Number of channels must be divisible by groups. Got ", sizes[1], " channels and ", groups, " groups."},
        Msg::pixels_divide, {sizes[1], groups});
  if (numel(sizes) == 0) {
    call.why(Msg::same_nothing_to_do, {to_string(tensor.layout)});
    return untracked(call, tensor);
  }
  if (sizes.full()) return call.refuse(Msg::too_many_dims, {max_rank});
  Dims split{sizes[0], groups, sizes[1] / groups}, order{0, 2, 1};
  for (int d = 2; d < sizes.size(); ++d) split.push_back(sizes[d]), order.push_back(d + 1);
  call.why(Msg::pixels_headline, {to_string(split), to_string(order), to_string(sizes)});
  Elements seen = packed_elements(elements_of(tensor));
  seen.layout = permute(contiguous(split, itemsize(tensor.dtype)), order);
  if (!seen.contents) return call.refuse(Msg::too_costly);
  return laid_out_like(call, tensor.layout, sizes, packed_elements(seen));
}

// one_hot

Value one_hot_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t asked = call.integer("num_classes"), count = *numel(tensor.layout.sizes);
  if (tensor.dtype != DType::int64)
    return call.fail("RuntimeError", "one_hot is only applicable to index tensor of type LongTensor.",
                     Msg::index_places, {name(tensor.dtype)});
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  if (count == 0 && asked <= 0)
    return call.fail("RuntimeError", "Can not infer total number of classes from empty tensor.",
                     Msg::nothing_to_choose);
  const Elements elements = elements_of(tensor);
  if (!call.quick(elements, count)) return {};
  int64_t most = 0, least = 0;
  for (int64_t i = 0; i < count; ++i) {
    most = std::max(most, element(elements, i).integer);
    least = std::min(least, element(elements, i).integer);
  }
  if (least < 0)
    return call.fail("RuntimeError", "Class values must be non-negative.", Msg::one_hot_range, {least, asked});
  if (asked != -1 && count > 0 && asked <= most)
    return call.fail("RuntimeError", "Class values must be smaller than num_classes.", Msg::one_hot_range,
                     {most, asked});
  if (most == INT64_MAX || tensor.layout.sizes.full()) return call.refuse(Msg::beyond_int64);
  const int64_t classes = asked == -1 ? most + 1 : asked;
  Dims sizes = tensor.layout.sizes;
  sizes.push_back(classes);
  const Layout layout = fresh_layout(call, sizes, DType::int64);
  if (call.failed()) return {};
  std::vector<std::pair<int64_t, Scalar>> ones;
  for (int64_t i = 0; i < count; ++i)
    ones.emplace_back(8 * (i * classes + element(elements, i).integer), integer_scalar(1, DType::int64));
  call.why(Msg::one_hot_headline, {classes, to_string(sizes)});
  const ContentsPtr zeros = constant_contents({DType::int64}, *numel(sizes));
  return call.fresh(DType::int64, layout, ones.empty() ? zeros : scatter(zeros, DType::int64, ones));
}

// dropout

Value dropout_row(Call& call) {
  const Tensor tensor = call.self();
  const bool functional = call.name().starts_with("torch.nn.");
  const Value p = call.value("p");
  const TensorPtr several = tensor_of(p);
  // p < 0 or p > 1, as Python compares; only then it must be a number.
  if (functional && several && numel(several->layout.sizes) != 1) return call.truth("p"), Value{};
  const auto real = as_real(several ? Value{NumpyScalar{element(elements_of(*several), 0)}} : p);
  if (!real)
    return call.about("p").fail_parser({"'<' not supported between instances of '", type_name(p), "' and 'float'"},
                                       Msg::argument_has_type, {"p", "float", type_name(p)});
  const double chance = *real;
  const bool trains = !call.given("training") || call.boolean("training");
  const bool plain = !several || (several->library == Library::torch && several->layout.rank() == 0);
  if (!(chance >= 0 && chance <= 1) && !plain)
    return call.about("p").refuse(Msg::not_modelled, {"PyTorch", "dropout(p=" + to_string(p) + ")"});
  if (!(chance >= 0 && chance <= 1))
    return call.about("p").fail(functional && !std::isnan(chance) ? "ValueError" : "RuntimeError",
                                {"dropout probability has to be between 0 and 1, but got ",
                                 functional ? to_string(parsed_number(number_in(p))) : general(chance)},
                                Msg::dropout_range, {to_string(p)});
  const bool in_place = is_written(call);
  call.truth("inplace");
  if (call.failed()) return {};
  if (!plain) return call.wrong_type("p", "float");
  if (!trains || chance == 0 || numel(tensor.layout.sizes) == 0) {
    call.why(Msg::dropout_nothing);
    return call.same();
  }
  // As many numbers, each kept by chance and then larger, so that the mean stays.
  const int64_t count = *numel(tensor.layout.sizes);
  const DType working = working_dtype(tensor.dtype);
  const Layout line = contiguous(tensor.layout.sizes, 4);
  const auto all = [&](double number, DType dtype = DType::float32) {
    return Elements{constant_contents(converted(real_scalar(number, DType::float64), dtype), 1),
                    expand(Layout{}, tensor.layout.sizes), dtype};
  };
  const auto times = [&](Elements factors) -> Value {
    if (in_place) {
      call.why(Msg::dropout_headline, {to_string(p)});
      const Elements both[] = {elements_of(tensor), std::move(factors)};
      if (!check_overlap(call, tensor, nullptr)) return {};
      const Layout packed = contiguous(tensor.layout.sizes, itemsize(tensor.dtype));
      call.write(tensor, {elementwise(Arithmetic::multiply, both, working, tensor.dtype), packed, tensor.dtype});
      return call.same();
    }
    const Value result = computed(call, Arithmetic::multiply, {&call.first(), &call.first()}, working, tensor.dtype,
                                  {std::nullopt, std::move(factors)});
    call.headline(Msg::dropout_headline, {to_string(p)});
    return result;
  };
  if (chance == 1) return times(all(0, tensor.dtype));
  if (is_complex(tensor.dtype)) return no_kernel(call, "bernoulli_scalar_cpu_", tensor.dtype);
  if (!check_stored(call, DType::float32, tensor.dtype)) return {};
  const Elements drawn{random_contents(Distribution::uniform, call.seed(), DType::float32, count), line,
                       DType::float32};
  const Elements pair[] = {drawn, all(chance)};
  const ContentsPtr kept = elementwise(Arithmetic::greater_equal, pair, DType::float32, DType::float32);
  const Elements scaled[] = {{kept, line, DType::float32}, all(chance < 1 ? 1 - chance : 1)};
  const ContentsPtr noise = elementwise(Arithmetic::divide, scaled, DType::float32, DType::float32);
  return times({noise, line, DType::float32});
}

}  // namespace

std::span<const Op> torch_functional_rows() {
#define F "torch.nn.functional."
#define EXAMPLE "import torch.nn.functional as F\n"
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.pixel_shuffle(input: tensor, upscale_factor: int)\n" F
       "pixel_shuffle(input: tensor, upscale_factor: int)",
       Msg::op_pixels, "y[c, h * r + i, w * r + j] = x[c * r * r + i * r + j, h, w]; a copy",
       "x = torch.arange(16).view(1, 4, 2, 2)\ny = torch.pixel_shuffle(x, 2)", pixels_row},
      {Library::torch,
       "torch.pixel_unshuffle(input: tensor, downscale_factor: int)\n" F
       "pixel_unshuffle(input: tensor, downscale_factor: int)",
       Msg::op_pixels, "y[c * r * r + i * r + j, h, w] = x[c, h * r + i, w * r + j]; a copy",
       "x = torch.arange(16).view(1, 1, 4, 4)\ny = torch.pixel_unshuffle(x, 2)", pixels_row},
      {Library::torch,
       "torch.channel_shuffle(input: tensor, groups: int)\n" F "channel_shuffle(input: tensor, groups: int)",
       Msg::op_channel_shuffle, "y[n, i * groups + g] = x[n, g * (C / groups) + i]; a copy",
       "x = torch.arange(4).view(1, 4, 1)\ny = torch.channel_shuffle(x, 2)", channels_row},
      {Library::torch, F "one_hot(input: tensor, num_classes: int = -1)", Msg::op_one_hot,
       "y[.., k] = 1 where x[..] is k, else 0; a new last dimension",
       EXAMPLE "x = torch.tensor([0, 2, 1])\ny = F.one_hot(x, 3)", one_hot_row},
      {Library::torch,
       F "dropout(input: tensor, p: any = 0.5, training: bool = True, inplace: any = False)\n"
         "torch.dropout(input: tensor, p: float, train: bool)\n"
         "torch.dropout_(input: tensor, p: float, train: bool)",
       Msg::op_dropout, "the tensor itself unless it trains; else y[i] = 0 by chance p, x[i] / (1 - p) otherwise",
       EXAMPLE "x = torch.arange(6.)\ny = F.dropout(x, 0.5, training=False)", dropout_row},
  };
#undef F
#undef EXAMPLE
  return rows;
}

}  // namespace stridescope

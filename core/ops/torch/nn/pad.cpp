// Other elements around those of a tensor: pad.
#include <algorithm>

#include "ops/padding.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What stands before and after each dimension, of a list that begins with the last one.
struct Around {
  std::vector<int64_t> before, after;
};

Around around(const Dims& list, int rank) {
  Around result{std::vector<int64_t>(static_cast<size_t>(rank)), std::vector<int64_t>(static_cast<size_t>(rank))};
  for (int k = 0; 2 * k + 1 < list.size(); ++k) {
    result.before[static_cast<size_t>(rank - 1 - k)] = list[2 * k];
    result.after[static_cast<size_t>(rank - 1 - k)] = list[2 * k + 1];
  }
  return result;
}

void explain_pad(Call& call, const Tensor& tensor, const Around& widths, const Dims& sizes) {
  call.why(Msg::pad_headline, {to_string(sizes), *numel(tensor.layout.sizes)});
  for (int d = 0; d < sizes.size(); ++d) {
    const int64_t before = widths.before[static_cast<size_t>(d)], after = widths.after[static_cast<size_t>(d)];
    if (before != 0 || after != 0)
      call.why(before < 0 || after < 0 ? Msg::pad_dim_cut : Msg::pad_dim,
               {Slot{d, call.axis(tensor, d)}, before, after, tensor.layout.sizes[d]});
  }
}

/// The sizes with what stands around them; nothing, and the call failed, where one is beyond 64 bits or below 0.
std::optional<Dims> padded_sizes(Call& call, const Dims& sizes, const Around& widths) {
  Dims result = sizes;
  for (int d = 0; d < sizes.size(); ++d) {
    const int64_t before = widths.before[static_cast<size_t>(d)], after = widths.after[static_cast<size_t>(d)];
    const auto part = checked_add(sizes[d], before);
    const auto whole = checked_add(part, after);
    if (!whole) return call.refuse(Msg::beyond_int64), std::nullopt;
    result[d] = *whole;
  }
  return result;
}

/// What is cut off first, where a width is negative; then constants around the rest.
Value pad_with_constant(Call& call, const Tensor& tensor, const Around& widths, const Value& value) {
  Tensor inner = tensor;
  bool grows = false;
  const int rank = tensor.layout.rank();
  for (int d = 0; d < rank; ++d) {
    const int64_t before = widths.before[static_cast<size_t>(d)], after = widths.after[static_cast<size_t>(d)];
    grows = grows || before > 0 || after > 0;
    for (const bool front : {true, false}) {
      const int64_t size = inner.layout.sizes[d], width = front ? before : after;
      if (width >= 0) continue;
      if (width < -size)
        return call.about("pad").fail("RuntimeError", "narrow(): length must be non-negative.", Msg::pad_cut,
                                      {width, Slot{d, call.axis(tensor, d)}, tensor.layout.sizes[d]});
      inner.layout = part(inner.layout, d, front ? -width : 0, size + width);
    }
  }
  const auto sizes = padded_sizes(call, tensor.layout.sizes, widths);
  if (!sizes) return {};
  if (!grows) {
    explain_pad(call, tensor, widths, *sizes);
    return call.copy(inner, {inner.layout.sizes, preserved_strides(inner.layout), 0}, tensor.dtype);
  }
  // Whatever is padded must hold something then.
  for (int d = rank - call.ints("pad").size() / 2; d < rank; ++d)
    if (const auto k = static_cast<size_t>(d); (*sizes)[d] <= 0)
      return call.about("pad").fail(
          "RuntimeError",
          {"The input size ", tensor.layout.sizes[d], ", plus negative padding ", widths.before[k], " and ",
           widths.after[k], " resulted in a negative output size, which is invalid. Check dimension ", d,
           " of your input."},
          Msg::pad_cut, {(*sizes)[d] - tensor.layout.sizes[d], Slot{d, call.axis(tensor, d)}, tensor.layout.sizes[d]});
  const Layout packed = fresh_layout(call, *sizes, tensor.dtype);
  holds_number(call, value, tensor.dtype);
  if (call.failed()) return {};
  const auto around_it = operand_of(call, value, "value");
  explain_pad(call, tensor, widths, *sizes);
  const Layout layout = suggests_channels_last(tensor.layout) ? channels_last(*sizes) : packed;
  ContentsPtr contents = constant_contents(converted(element(*around_it, 0), tensor.dtype), *numel(*sizes));
  Layout place = layout;
  for (int64_t& stride : place.strides) stride *= itemsize(tensor.dtype);
  for (int d = 0; d < rank; ++d)
    place = part(place, d, std::max<int64_t>(widths.before[static_cast<size_t>(d)], 0), inner.layout.sizes[d]);
  if (numel(inner.layout.sizes) != 0) contents = patch(contents, {contents, place, tensor.dtype}, elements_of(inner));
  return call.fresh(tensor.dtype, layout, std::move(contents), Relation::copy);
}

/// Copies of elements around the last `dims` dimensions.
Value pad_with_copies(Call& call, const Tensor& tensor, const Around& widths, Filling filling, int dims) {
  const int rank = tensor.layout.rank();
  const Dims& sizes = tensor.layout.sizes;
  const std::string kernel =
      (filling == Filling::reflect ? "reflection_pad" : "replication_pad") + std::to_string(dims) + "d";
  // All but a batch must hold something.
  const bool batch = rank == dims + 2;
  if (filling != Filling::wrap && std::find(sizes.begin() + (batch ? 1 : 0), sizes.end(), 0) != sizes.end())
    return call.fail("RuntimeError",
                     {"Expected ", dims + 1, "D or ", dims + 2,
                      "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but "
                      "got: ",
                      list_text(sizes)},
                     Msg::pad_nothing, {list_text(sizes)});
  for (int k = 0; k < dims; ++k) {
    const int d = rank - 1 - k;
    const int64_t before = widths.before[static_cast<size_t>(d)], after = widths.after[static_cast<size_t>(d)];
    const std::string both = "padding (" + std::to_string(before) + ", " + std::to_string(after) + ") at dimension " +
                             std::to_string(d) + " of input " + list_text(sizes);
    if (filling == Filling::reflect && (before >= sizes[d] || after >= sizes[d]))
      return call.about("pad").fail(
          "RuntimeError",
          {"Argument #", 4 + 2 * k,
           ": Padding size should be less than the corresponding input dimension, but got: ", both},
          Msg::pad_reach, {Slot{d, call.axis(tensor, d)}, std::max(before, after), sizes[d]});
    if (filling == Filling::wrap && (before > sizes[d] || after > sizes[d]))
      return call.about("pad").fail("RuntimeError", "Padding value causes wrapping around more than once.",
                                    Msg::pad_reach, {Slot{d, call.axis(tensor, d)}, std::max(before, after), sizes[d]});
  }
  const auto result = padded_sizes(call, sizes, widths);
  if (!result) return {};
  for (int k = 0; k < dims; ++k)
    if (sizes[rank - 1 - k] == 0 || (*result)[rank - 1 - k] < (filling == Filling::wrap ? 0 : 1))
      return call.about("pad").refuse(Msg::pad_empty, {Slot{rank - 1 - k, call.axis(tensor, rank - 1 - k)}});
  if (tensor.dtype == DType::boolean && filling != Filling::wrap) return no_kernel(call, kernel, tensor.dtype);
  explain_pad(call, tensor, widths, *result);
  const Layout packed = fresh_layout(call, *result, tensor.dtype);
  if (call.failed()) return {};
  if (numel(*result) == 0) return call.fresh(tensor.dtype, packed, constant_contents({DType::int64}, 0));
  // What is cut off takes no part in going around.
  Tensor inner = tensor;
  std::vector<int64_t> before = widths.before;
  for (size_t d = 0; d < before.size() && filling == Filling::wrap; ++d) {
    const int64_t from = std::max<int64_t>(-before[d], 0), to = std::max<int64_t>(-widths.after[d], 0),
                  left = inner.layout.sizes[static_cast<int>(d)] - from - to;
    if (left < std::max(before[d], widths.after[d]))
      return call.about("pad").refuse(Msg::pad_empty,
                                      {Slot{static_cast<int>(d), call.axis(tensor, static_cast<int>(d))}});
    inner.layout = part(inner.layout, static_cast<int>(d), from, left);
    before[d] = std::max<int64_t>(before[d], 0);
  }
  const ContentsPtr contents = continued(inner, *result, before, filling);
  const Layout like = filling == Filling::wrap ? contiguous(sizes) : tensor.layout;
  return laid_out_like(call, like, *result, {contents, packed, tensor.dtype});
}

Value pad_row(Call& call) {
  const Tensor tensor = call.self();
  const int rank = tensor.layout.rank();
  const Dims list = call.ints("pad");
  const bool plain = call.name().ends_with("constant_pad_nd");
  const std::string mode = plain ? "constant" : call.text("mode");
  const bool constant = mode == "constant";
  if (call.failed()) return {};
  constexpr std::pair<std::string_view, Filling> modes[] = {{"constant", Filling::constant},
                                                            {"reflect", Filling::reflect},
                                                            {"replicate", Filling::edge},
                                                            {"circular", Filling::wrap}};
  const auto found =
      std::find_if(std::begin(modes), std::end(modes), [&](const auto& one) { return one.first == mode; });
  if (found == std::end(modes))
    return call.about("mode").fail("NotImplementedError", {"Unrecognised padding mode ", mode}, Msg::pad_mode, {mode});
  call.about("pad");
  if (list.size() % 2 != 0)
    return call.fail("RuntimeError",
                     plain ? "Length of pad must be even but instead it equals " + std::to_string(list.size())
                           : std::string("Padding length must be divisible by 2"),
                     Msg::pad_pairs, {list.size(), rank});
  const std::string length = std::to_string(list.size()), dims = std::to_string(rank);
  if (list.size() > 2 * rank)
    return call.fail(
        "RuntimeError",
        plain ? "Length of pad should be no more than twice the number of dimensions of the input. Pad length is " +
                    length + "while the input has " + dims + "dimensions."
              : "Padding length should be less than or equal to two times the input dimension but got padding length " +
                    length + " and input of dimension " + dims,
        Msg::pad_pairs, {list.size(), rank});
  const Around widths = around(list, rank);
  if (constant) {
    const Value& value = call.value("value");
    return pad_with_constant(call, tensor, widths,
                             plain ? value : Value{call.given("value") ? as_real(value).value_or(0) : 0.0});
  }
  if (call.given("value") && as_real(call.value("value")) != 0)
    return call.about("value").fail("RuntimeError", {"Padding mode \"", mode, "\" doesn't take in value argument"},
                                    Msg::pad_mode, {mode});
  const int padded = list.size() / 2;
  if (padded < 1 || padded > 3 || (rank != padded + 1 && rank != padded + 2))
    return call.fail("NotImplementedError",
                     "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now", Msg::pad_pairs,
                     {list.size(), rank});
  return pad_with_copies(call, tensor, widths, found->second, padded);
}

}  // namespace

std::span<const Op> torch_pad_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.nn.functional.pad(input: tensor, pad: ints, mode: str = 'constant', value: float = None)",
       Msg::op_pad, "pad = (before, after) of the last dimension, then of the one before it, ..; a copy",
       "import torch.nn.functional as F\nx = torch.arange(6.).view(2, 3)\ny = F.pad(x, (1, 2))", pad_row},
      {Library::torch, "torch.constant_pad_nd(input: tensor, pad: ints, value: number = 0)", Msg::op_pad,
       "pad = (before, after) of the last dimension, then of the one before it, ..; a copy",
       "x = torch.arange(3)\ny = torch.constant_pad_nd(x, (1, 2))", pad_row},
  };
  return rows;
}

}  // namespace stridescope

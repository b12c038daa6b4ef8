// A larger array, with other elements around those there are.
#include <algorithm>

#include "ops/numpy/numpy.h"
#include "ops/padding.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// What stands before and after each axis.
struct Widths {
  std::vector<int64_t> before, after;
};

/// Values for both sides of each axis as np.pad takes them: one for all, a pair for all, or what broadcasts to a pair
/// an axis. Elements number 2 d and 2 d + 1 of the result, whose sizes are (rank, 2).
std::optional<Elements> pairs(Call& call, const char* parameter, const Tensor& given, int rank) {
  Tensor array = given;
  const int64_t count = count_of(array);
  if (array.layout.rank() < 3 && (count == 1 || (count == 2 && array.layout.sizes != Dims{2, 1}))) {
    array = raveled(call, {array}).front();
  }
  const Dims sizes{rank, 2};
  if (!is_expandable(array.layout, sizes))
    return call.about(parameter).fail(
               "ValueError",
               array.layout.rank() > 2
                   ? Pieces{"input operand has more dimensions than allowed by the axis remapping"}
                   : Pieces{"operands could not be broadcast together with remapped shapes [original->remapped]: ",
                            shape_text(array.layout.sizes), "  and requested shape ", shape_text(sizes)},
               Msg::np_cannot_broadcast_into, {to_string(array.layout.sizes), to_string(sizes)}),
           std::nullopt;
  return broadcast_elements(array, sizes);
}

std::optional<Widths> widths_of(Call& call, int rank) {
  const TensorRef given = as_array(call, call.value("pad_width"));
  if (call.failed()) return std::nullopt;
  const Tensor& array = *given->tensor;
  if (!is_integer(array.dtype) || is_unsigned(array.dtype))
    return call.about("pad_width")
               .fail_parser("`pad_width` must be of integral type.", Msg::np_not_an_integer, {name(array.dtype)}),
           std::nullopt;
  const Elements own = elements_of(array);
  for (int64_t i = 0; i < std::min(count_of(array), small_cells); ++i)
    if (const int64_t width = element(own, i).integer; width < 0)
      return call.about("pad_width")
                 .fail("ValueError", "index can't contain negative values", Msg::np_pad_negative, {width}),
             std::nullopt;
  const auto both = pairs(call, "pad_width", array, rank);
  if (!both) return std::nullopt;
  Widths widths;
  for (int d = 0; d < rank; ++d) {
    widths.before.push_back(element(*both, 2 * d).integer);
    widths.after.push_back(element(*both, 2 * d + 1).integer);
  }
  return widths;
}

/// mode='constant', 'edge', ..; nothing where the call failed.
std::optional<Filling> filling_of(Call& call) {
  constexpr std::string_view words[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
  constexpr std::string_view others[] = {"empty", "linear_ramp", "maximum", "mean", "median", "minimum"};
  const auto* word = std::get_if<std::string>(&call.value("mode").held);
  const auto found = word ? std::find(std::begin(words), std::end(words), *word) : std::end(words);
  const bool known = found != std::end(words);
  if (!word || std::find(std::begin(others), std::end(others), *word) != std::end(others))
    return call.about("mode").refuse(Msg::np_pad_mode, {to_string(call.value("mode"))}), std::nullopt;
  if (!known)
    return call.about("mode").fail("ValueError", {"mode '", *word, "' is not supported"}, Msg::np_pad_mode, {*word}),
           std::nullopt;
  const auto filling = static_cast<Filling>(found - std::begin(words));
  const auto refuse = [&](const char* keyword) {
    call.about(keyword).fail("ValueError", {"unsupported keyword arguments for mode '", *word, "': {'", keyword, "'}"},
                             Msg::unexpected_argument, {call.name(), keyword, call.form().text});
  };
  const bool mirrors = filling == Filling::reflect || filling == Filling::symmetric;
  if (call.given("constant_values") && filling != Filling::constant) refuse("constant_values");
  if (call.given("reflect_type") && !mirrors) refuse("reflect_type");
  if (call.given("stat_length")) refuse("stat_length");
  if (call.given("end_values")) refuse("end_values");
  if (mirrors && call.given("reflect_type") && to_string(call.value("reflect_type")) != "'even'")
    call.about("reflect_type").refuse(Msg::np_pad_mode, {to_string(call.value("reflect_type"))});
  return call.failed() ? std::nullopt : std::optional(filling);
}

/// Writes the constants: those of an axis between the elements of the axes after it, so that corners are the last
/// one's.
void write_constants(Call& call, const Tensor& padded, const Tensor& array, const Widths& widths) {
  const TensorRef given =
      as_array(call, call.given("constant_values") ? call.value("constant_values") : Value{int64_t{0}});
  const auto both = given ? pairs(call, "constant_values", *given->tensor, array.layout.rank()) : std::nullopt;
  if (!both) return;
  for (int d = 0; d < array.layout.rank(); ++d) {
    const auto at = static_cast<size_t>(d);
    Layout inner = padded.layout;
    for (int k = d + 1; k < inner.rank(); ++k)
      inner = *slice(inner, k, widths.before[static_cast<size_t>(k)], 1, array.layout.sizes[k]);
    const std::pair<int64_t, int64_t> sides[] = {{0, widths.before[at]},
                                                 {widths.before[at] + array.layout.sizes[d], widths.after[at]}};
    for (int side = 0; side < 2; ++side) {
      const auto& [start, count] = sides[side];
      Tensor part = padded;
      part.layout = *slice(inner, d, start, 1, count);
      const Value constant{NumpyScalar{element(*both, 2 * d + side)}};
      if (count_of(part) > 0) numpy_assign(call, part, constant);
    }
  }
}

Value pad(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto widths = widths_of(call, array.layout.rank());
  const auto filling = widths ? filling_of(call) : std::nullopt;
  if (!filling) return {};
  Dims sizes = array.layout.sizes;
  for (int d = 0; d < sizes.size(); ++d) {
    const auto at = static_cast<size_t>(d);
    const auto sum = checked_add(sizes[d], widths->before[at]);
    const auto all = sum ? checked_add(*sum, widths->after[at]) : sum;
    if (!all) return call.refuse(Msg::beyond_int64);
    if (*filling != Filling::constant && count_of(array) == 0 && sizes[d] == 0 && *all > 0)
      return call.fail("ValueError", {"can't extend empty axis ", d, " using modes other than 'constant' or 'empty'"},
                       Msg::np_pad_empty, {{d, call.axis(array, d)}});
    sizes[d] = *all;
  }
  const Layout target = owned_layout(call, sizes, array.dtype, resolved_order(array, NumpyOrder::any));
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  const bool constant = *filling == Filling::constant || count_of(array) == 0;
  const ContentsPtr around = constant ? constant_contents(converted({DType::int64}, array.dtype), count)
                                      : continued(array, sizes, widths->before, *filling);
  if (!around) return call.refuse(Msg::np_too_costly);
  const Layout packed = contiguous(sizes, unit_of(array));
  const Value made = constant && resolved_order(array, NumpyOrder::any) == Order::c
                         ? call.fresh(array.dtype, target, around, Relation::copy)
                         : call.gathered(target, array.dtype, [&](const Dims& order) {
                             return gather({around, permute(packed, order), array.dtype}, array.dtype);
                           });
  if (call.failed()) return {};
  const size_t said = call.said();
  if (constant) {
    Tensor inner = *tensor_of(made);
    for (int d = 0; d < sizes.size(); ++d)
      inner.layout = *slice(inner.layout, d, widths->before[static_cast<size_t>(d)], 1, array.layout.sizes[d]);
    if (count_of(array) > 0) call.write(inner, elements_of(array));
    if (*filling == Filling::constant) write_constants(call, *tensor_of(made), array, *widths);
  }
  call.unsay(said);
  call.relation(Relation::copy);
  call.why(Msg::np_pad_headline, {to_string(sizes), count_of(array)});
  for (int d = 0; d < sizes.size(); ++d)
    call.why(Msg::np_pad_axis, {{d, call.axis(array, d)},
                                widths->before[static_cast<size_t>(d)],
                                widths->after[static_cast<size_t>(d)],
                                array.layout.sizes[d]});
  return call.failed() ? Value{} : made;
}

}  // namespace

std::span<const Op> numpy_pad_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.pad(array, pad_width, mode='constant', *, constant_values=None, reflect_type=None, stat_length=None, "
       "end_values=None)",
       Msg::op_np_pad,
       "(before, after) for each axis; constants, the edge, a mirror with or without it, or from the other end",
       "x = np.arange(3)\ny = np.pad(x, (1, 2))", pad},
  };
  return rows;
}

}  // namespace stridescope

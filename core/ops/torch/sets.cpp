// Where values stand among others: isin, searchsorted, bucketize.
#include <algorithm>
#include <array>
#include <cmath>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

DType dtype_in(const Value& value) {
  if (const TensorPtr tensor = tensor_of(value)) return tensor->dtype;
  return std::holds_alternative<ComplexFloat>(value.held) ? DType::complex128 : number_of(value).dtype;
}

/// The elements of a tensor, or a number as one that is seen under no dimension.
Elements elements_in(const Value& value) {
  if (const TensorPtr tensor = tensor_of(value)) return elements_of(*tensor);
  return {constant_contents(number_of(value), 1), {}, number_of(value).dtype};
}

Value isin_row(Call& call) {
  const Value &elements = call.value("elements"), &tested = call.value("test_elements");
  for (const Value* value : {&elements, &tested})
    if (const DType dtype = dtype_in(*value); dtype == DType::boolean || is_complex(dtype))
      return call.about(*value).fail("RuntimeError",
                                     {"Unsupported input type encountered for isin(): ", scalar_type_name(dtype)},
                                     Msg::function_refuses, {"isin", name(dtype)});
  const Elements all = elements_in(elements), among = elements_in(tested);
  const int64_t count = *numel(all.layout.sizes), others = *numel(among.layout.sizes);
  if (count > most_folded || others > most_folded || count * others > most_products)
    return call.refuse(Msg::too_costly);
  // Many others are put in order with the elements, where twins among the elements are found in each other.
  const bool sorts = others >= static_cast<int64_t>(10 * std::pow(static_cast<double>(count), 0.145));
  const bool believes = call.boolean("assume_unique") && sorts && tensor_of(elements) && tensor_of(tested);
  // Few others are seen as one line, once they have the dtype that both are compared in.
  if (const TensorPtr line = tensor_of(tested); line && count > 0 && !sorts) {
    TypeVote vote{call};
    for (const Value* value : {&elements, &tested}) vote.add(*value);
    Layout kept = line->layout;
    if (line->dtype != vote.result()) kept.strides = preserved_strides(line->layout);
    if (!as_layout(view(kept, {others}))) return fail_as_line(call, "test_elements", *line, Msg::isin_line);
  }
  const Layout layout = contiguous(all.layout.sizes);
  call.why(Msg::elementwise_headline, {count, "bool", to_string(layout)});
  if (!call.given_known()) return call.fresh(DType::boolean, layout, unknown_contents(DType::boolean, count));
  if (!call.quick(all, count) || !call.quick(among, count * others)) return {};
  const DType common = promoted(all.dtype, among.dtype);
  std::vector<Scalar> results;
  for (int64_t i = 0; i < count; ++i) {
    const auto equals = [&, one = converted(element(all, i), common)](const Elements& in, int64_t k) {
      return is_true(reckon(Arithmetic::equal, std::array{one, converted(element(in, k), common)}));
    };
    bool found = false;
    for (int64_t k = 0; k < others && !found; ++k) found = equals(among, k);
    // Whoever says that there are no twins is believed: in order with the others an element is equal to what follows.
    for (int64_t k = i + 1; k < count && believes && !found; ++k) found = equals(all, k);
    results.push_back(integer_scalar(found != call.boolean("invert") ? 1 : 0, DType::boolean));
  }
  return call.fresh(DType::boolean, layout, literal_contents(results, DType::boolean));
}

/// The places of values in lines that are in order: a search by halves, which finds something in others as well.
Value search_row(Call& call) {
  const bool buckets = call.name().ends_with("bucketize");
  const Value& wanted = call.value("input");
  const Tensor lines = *call.tensor(buckets ? "boundaries" : "sorted_sequence")->tensor;
  const TensorPtr tensor = tensor_of(wanted);
  const Dims &sizes = lines.layout.sizes, own = tensor ? tensor->layout.sizes : Dims{};
  bool right = call.boolean("right");
  const auto refused = [&](const Slots& text, Msg reason, const Slots& slots) {
    return call.fail("RuntimeError", text, reason, slots);
  };
  if (buckets && sizes.size() != 1)
    return refused({"boundaries tensor must be 1 dimension, but got dim(", sizes.size(), ")"}, Msg::needs_rank,
                   {1, sizes.size()});
  if (call.given("side")) {
    const std::string& side = call.text("side");
    if (side != "left" && side != "right")
      return refused({"torch.searchsorted(): side can only be 'left' or 'right' but got ", side}, Msg::np_search_side,
                     {side});
    if (side == "left" && right)
      return refused(
          "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True",
          Msg::one_of_both, {"side", "right"});
    right = side == "right";
  }
  if (call.given("sorter")) return call.about("sorter").refuse(Msg::not_modelled, {"PyTorch", "sorter="});
  if (sizes.size() != 1 && own.size() == 0)
    return refused({"torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but "
                    "we got boundaries tensor dim(",
                    sizes.size(), ") and input value's dim(0) numel(1)"},
                   Msg::needs_rank, {1, sizes.size()});
  if (sizes.size() == 0)
    return refused("torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension",
                   Msg::needs_rank, {1, 0});
  bool matches = sizes.size() == own.size();
  for (int d = 0; matches && d + 1 < sizes.size(); ++d) matches = sizes[d] == own[d];
  if (sizes.size() != 1 && !matches)
    return refused({"torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of "
                    "boundaries tensor and input value tensor must match, but we got boundaries tensor ",
                    list_text(sizes), " and input value tensor ", list_text(own)},
                   Msg::np_cannot_broadcast, {to_string(sizes), to_string(own)});
  const Elements values = elements_in(wanted), line = elements_of(lines);
  TypeVote vote{call};
  vote.add(call.value(buckets ? "boundaries" : "sorted_sequence"));
  vote.add(wanted);
  const DType common = vote.result();
  const int64_t count = *numel(own), length = sizes.back(),
                each = own.size() > 0 ? std::max<int64_t>(own.back(), 1) : 1;
  if (count > 0 && (common == DType::boolean || is_complex(common)))
    return no_kernel(call, "searchsorted_out_cpu", common);
  if (count > most_folded) return call.refuse(Msg::too_costly);
  if (!call.quick(values, count) || !call.quick(line, count * 64)) return {};
  std::vector<Scalar> places;
  const DType dtype = call.boolean("out_int32") ? DType::int32 : DType::int64;
  for (int64_t i = 0; i < count; ++i) {
    const Scalar value = converted(element(values, i), common);
    const int64_t start = sizes.size() == 1 ? 0 : i / each * length;
    int64_t low = 0, high = length;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      const Scalar pair[] = {converted(element(line, start + middle), common), value};
      const bool beyond = is_true(reckon(right ? Arithmetic::greater : Arithmetic::greater_equal, pair));
      (beyond ? high : low) = beyond ? middle : middle + 1;
    }
    places.push_back(integer_scalar(low, dtype));
  }
  call.why(Msg::np_searchsorted, {count, to_string(own), right ? "≤" : "<"});
  return call.fresh(dtype, contiguous(own), literal_contents(places, dtype));
}

}  // namespace

std::span<const Op> torch_set_rows() {
#define OPTIONS "*, out_int32: bool = False, right: bool = False"
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.isin(elements: tensor, test_elements: tensor, *, assume_unique: bool = False, invert: bool = False)\n"
       "torch.isin(element: number, test_elements: tensor, *, assume_unique: bool = False, invert: bool = "
       "False)\n"
       "torch.isin(elements: tensor, test_element: number, *, assume_unique: bool = False, "
       "invert: bool = False)",
       Msg::op_np_isin, "y[i] = whether elements[i] is one of test_elements",
       "x = torch.arange(6)\ny = torch.isin(x, torch.tensor([1, 4]))", isin_row},
      {Library::torch,
       "torch.searchsorted(sorted_sequence: tensor, input: tensor | number, " OPTIONS
       ", side: str = None, sorter: tensor = None)",
       Msg::op_np_searchsorted, "line[y - 1] < x <= line[y]; right: line[y - 1] <= x < line[y]",
       "x = torch.tensor([1, 3, 5])\ny = torch.searchsorted(x, torch.tensor([0, 3, 9]))", search_row},
      {Library::torch, "torch.bucketize(input: tensor | number, boundaries: tensor, " OPTIONS ")",
       Msg::op_np_searchsorted, "boundaries[y - 1] < x <= boundaries[y]; right: <= and <",
       "x = torch.tensor([0.5, 2.5])\ny = torch.bucketize(x, torch.tensor([0., 1., 2.]))", search_row},
  };
#undef OPTIONS
  return rows;
}

}  // namespace stridescope

// The different values of a tensor, or its different slices along a dimension: unique, unique_consecutive.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/ranks.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Elements, or slices of `each` elements, one behind the other.
struct Line {
  const std::vector<Scalar>& elements;
  int64_t each = 1;

  const Scalar& at(int64_t slice, int64_t k) const { return elements[static_cast<size_t>(slice * each + k)]; }
  std::vector<int64_t> places() const {
    std::vector<int64_t> all(elements.size() / static_cast<size_t>(each));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
};

bool holds(Arithmetic comparison, const Scalar& a, const Scalar& b) {
  const Scalar pair[] = {a, b};
  return is_true(reckon(comparison, pair));
}

bool is_nan(const Scalar& value) { return std::isnan(value.real); }

/// NaN equals nothing, itself neither.
bool are_equal(const Line& line, int64_t a, int64_t b) {
  for (int64_t k = 0; k < line.each; ++k)
    if (!holds(Arithmetic::equal, line.at(a, k), line.at(b, k))) return false;
  return true;
}

/// By the first element that decides, which NaN never does.
bool comes_before(const Line& line, int64_t a, int64_t b) {
  for (int64_t k = 0; k < line.each; ++k) {
    if (holds(Arithmetic::less, line.at(a, k), line.at(b, k))) return true;
    if (holds(Arithmetic::greater, line.at(a, k), line.at(b, k))) return false;
  }
  return false;
}

/// The different ones: where each stands first, which of them stands at each place, how often each stands there.
struct Distinct {
  std::vector<int64_t> first;
  std::vector<Scalar> places, counts;
};

Distinct distinct_in(const Line& line, const std::vector<int64_t>& order) {
  Distinct found;
  found.places.resize(order.size());
  for (const int64_t one : order) {
    if (found.first.empty() || !are_equal(line, one, found.first.back())) {
      found.first.push_back(one);
      found.counts.push_back(integer_scalar(0, DType::int64));
    }
    ++found.counts.back().integer;
    found.places[static_cast<size_t>(one)] = integer_scalar(static_cast<int64_t>(found.first.size()) - 1, DType::int64);
  }
  return found;
}

/// All elements, read with the dimensions in that order; nothing where the call failed.
std::optional<std::vector<Scalar>> elements_in(Call& call, const Dims& order) {
  Elements elements = elements_of(call.self());
  elements.layout = permute(elements.layout, order);
  const int64_t count = *numel(elements.layout.sizes);
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices}), std::nullopt;
  if (!call.quick(elements, count)) return std::nullopt;
  std::vector<Scalar> all;
  for (int64_t i = 0; i < count; ++i) all.push_back(element(elements, i));
  return all;
}

/// A line of `values` at the start of `cells` cells.
Value line_of(Call& call, std::vector<Scalar> values, DType dtype, int64_t cells) {
  const Layout layout = contiguous({static_cast<int64_t>(values.size())});
  values.resize(static_cast<size_t>(cells), converted({DType::int64}, dtype));
  return call.fresh(dtype, layout, literal_contents(values, dtype));
}

Value inverse_of(Call& call, const Distinct& found, const Dims& sizes) {
  call.why(Msg::unique_places, {to_string(sizes)});
  return call.fresh(DType::int64, contiguous(sizes), literal_contents(found.places, DType::int64));
}

/// The values, and what was asked for beside them.
Value answered(Call& call, const Value& values, const std::function<Value()>& inverse,
               const std::function<Value()>& counts) {
  // torch.unique_consecutive looks for the two in each other's place.
  const auto by_place = [&](const char* question, bool wanted) {
    const std::string text = call.written(call.argument(question));
    return !text.empty() && text.starts_with(question) != wanted;
  };
  const bool swaps = call.name().ends_with("consecutive") && call.form().kind == Form::Kind::function;
  const auto asked = [&](const char* question, const char* other) {
    return !swaps || by_place(question, false) ? call.boolean(question) : by_place(other, true) && call.boolean(other);
  };
  std::vector<Value> parts{values};
  if (asked("return_inverse", "return_counts")) parts.push_back(inverse());
  if (asked("return_counts", "return_inverse")) parts.push_back(counts());
  return parts.size() == 1 ? parts[0] : call.tuple(std::move(parts));
}

/// The different values, in order or, of neighbours alone, as they come; where each element went; how many went there.
Value different_values(Call& call, bool neighbours) {
  const Tensor tensor = call.self();
  if (is_complex(tensor.dtype)) return no_kernel(call.about_receiver(), "unique", tensor.dtype);
  const auto all = elements_in(call, all_dims(tensor));
  if (!all) return {};
  const Line line{*all, 1};
  std::vector<int64_t> order = line.places();
  if (!neighbours) put_in_order(order, [&](int64_t a, int64_t b) { return is_above(line.at(b, 0), line.at(a, 0)); });
  const Distinct found = distinct_in(line, order);
  std::vector<Scalar> values;
  for (const int64_t one : found.first) values.push_back(line.at(one, 0));
  const auto count = static_cast<int64_t>(all->size()), different = static_cast<int64_t>(values.size());
  call.why(neighbours ? Msg::unique_neighbours_headline : Msg::unique_headline, {count, different});
  // Of neighbours, as many cells are made as there are elements. What is not reckoned is handed out as nothing.
  const int64_t cells = neighbours ? count : different;
  const auto nothing = [&] { return line_of(call, {}, DType::int64, 0); };
  return answered(
      call, line_of(call, values, tensor.dtype, cells),
      [&] { return call.boolean("return_inverse") ? inverse_of(call, found, tensor.layout.sizes) : nothing(); },
      [&] { return call.boolean("return_counts") ? line_of(call, found.counts, DType::int64, cells) : nothing(); });
}

/// Whether the slices along a dimension have elements, or there are none of them; else the call fails.
bool have_elements(Call& call, int d) {
  const Dims& sizes = call.self().layout.sizes;
  int empty = 0;
  while (empty < sizes.size() && (empty == d || sizes[empty] != 0)) ++empty;
  if (empty == sizes.size()) return true;
  call.about("dim").fail("RuntimeError",
                         sizes[d] == 0
                             ? "Number of zero sized dimensions is more than one, so unique cannot be applied "
                             : "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied",
                         Msg::reduce_nothing, {Slot{empty, call.axis(empty)}});
  return false;
}

/// The same of slices along a dimension, which becomes the slowest in memory.
Value different_slices(Call& call, bool neighbours) {
  const Tensor tensor = call.self();
  if (is_complex(tensor.dtype)) return no_kernel(call.about_receiver(), "unique_dim", tensor.dtype);
  const int d = call.dim("dim", true), rank = tensor.layout.rank();
  if (call.failed() || !have_elements(call, d)) return {};
  const Dims moved = moved_dims(rank, {d}, {0});
  const auto all = elements_in(call, moved);
  if (!all) return {};
  Dims sizes = permute(tensor.layout, moved).sizes;
  const int64_t count = sizes[0];
  const Line line{*all, std::max<int64_t>(static_cast<int64_t>(all->size()) / std::max<int64_t>(count, 1), 1)};
  std::vector<int64_t> order = line.places();
  if (!neighbours) {
    if (count > most_in_any_order && std::any_of(all->begin(), all->end(), is_nan))
      return call.about_receiver().refuse(Msg::not_modelled,
                                          {"PyTorch", std::string(call.name()) + "(dim=..) of many slices with NaN"});
    put_in_order(order, [&](int64_t a, int64_t b) { return comes_before(line, a, b); });
  }
  const Distinct found = distinct_in(line, order);
  std::vector<Scalar> values;
  for (const int64_t one : found.first)
    for (int64_t k = 0; k < line.each; ++k) values.push_back(line.at(one, k));
  sizes[0] = static_cast<int64_t>(found.first.size());
  call.why(neighbours ? Msg::unique_neighbour_slices_headline : Msg::unique_slices_headline,
           {count, Slot{d, call.axis(d)}, sizes[0]});
  // Of no slices the result is packed as it stands.
  const Layout layout =
      count == 0 ? contiguous(tensor.layout.sizes) : permute(contiguous(sizes), moved_dims(rank, {0}, {d}));
  return answered(
      call, call.fresh(tensor.dtype, layout, literal_contents(values, tensor.dtype)),
      [&] { return inverse_of(call, found, {count}); },
      [&] { return line_of(call, found.counts, DType::int64, count); });
}

Value unique_row(Call& call) {
  const bool neighbours = call.name().ends_with("consecutive");
  // Python asks what they are worth; the parser behind it takes truth values alone.
  for (const char* question : {"return_inverse", "return_counts"}) call.truth(question);
  if (call.failed()) return {};
  for (const char* question : {"return_inverse", "return_counts"})
    if (!std::holds_alternative<bool>(call.value(question).held)) return call.wrong_type(question, "bool");
  if (!call.given("dim")) return different_values(call, neighbours);
  // To unique_consecutive(dim=0) the slices of a single dimension are elements; to dim=-1 they are slices.
  const bool elements = neighbours && call.self().layout.rank() == 1 && call.integer("dim") == 0;
  if (call.failed()) return {};
  return elements ? different_values(call, neighbours) : different_slices(call, neighbours);
}

}  // namespace

std::span<const Op> torch_distinct_rows() {
#define QUESTIONS "return_inverse: any = False, return_counts: any = False, dim: int = None"
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.unique(input: tensor, sorted: bool = True, " QUESTIONS ")\nx.unique(sorted: bool = True, " QUESTIONS ")",
       Msg::op_unique,
       "the different values, or slices along dim, in ascending order; with questions a tuple (values, inverse, "
       "counts)",
       "x = torch.tensor([3, 1, 3])\ny = torch.unique(x)", unique_row},
      {Library::torch, "torch.unique_consecutive(input: tensor, " QUESTIONS ")\nx.unique_consecutive(" QUESTIONS ")",
       Msg::op_unique, "of equal neighbours the first", "x = torch.tensor([1, 1, 2, 1])\ny = x.unique_consecutive()",
       unique_row},
  };
#undef QUESTIONS
  return rows;
}

}  // namespace stridescope

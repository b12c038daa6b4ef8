// Values in order: every one once, and those of two arrays as sets.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ops/fold.h"
#include "ops/numpy/listed.h"
#include "ops/python/text.h"
#include "ops/rows.h"

namespace stridescope {

namespace {

/// The values in order, each once, and of each the first place, how often it is there, and whose place is which.
struct Members {
  std::vector<Scalar> values, first, counts, inverse;
};

Members members_of(const std::vector<Scalar>& values, bool equal_nan) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return comes_before(values[a], values[b]); });
  Members members;
  members.inverse.resize(values.size());
  for (const size_t at : order) {
    const Scalar& value = values[at];
    const bool known = !members.values.empty() && (is_nan(value) ? equal_nan && is_nan(members.values.back())
                                                                 : !comes_before(members.values.back(), value));
    if (!known) {
      members.values.push_back(value);
      members.first.push_back({DType::int64, static_cast<int64_t>(at)});
      members.counts.push_back({DType::int64, 0});
    }
    ++members.counts.back().integer;
    members.inverse[at] = {DType::int64, static_cast<int64_t>(members.values.size()) - 1};
  }
  return members;
}

Value line_with(Call& call, const std::vector<Scalar>& values, DType dtype) {
  return numpy_fresh(call, {static_cast<int64_t>(values.size())}, dtype, literal_contents(values, dtype));
}

/// A view of new memory of one axis under those sizes.
Value reshaped_line(Call& call, const std::vector<Scalar>& values, DType dtype, const Dims& sizes) {
  const Value line = line_with(call, values, dtype);
  Layout layout = owned_layout(call, sizes, dtype);
  // Of nothing a reshape counts a size of 0 as one of 1.
  if (values.empty() && sizes.size() > 1) layout.strides = contiguous(sizes, itemsize(dtype)).strides;
  const Value seen = call.view(*tensor_of(line), layout);
  call.relation(Relation::fresh);
  return seen;
}

/// The slices along an axis in order, each once, compared element by element as records.
Value unique_along(Call& call, const TensorRef& source, const bool (&asked)[4]) {
  const int rank = source->tensor->layout.rank();
  const int axis = numpy_axis(call, call.integer("axis"), rank);
  if (call.failed()) return {};
  Tensor array = *source->tensor;
  array.layout = permute(array.layout, moved_dims(rank, {axis}, {0}));
  const auto values = elements_in(call, {nameless(array)});
  if (!values) return {};
  const int64_t count = array.layout.sizes[0];
  // Slices without elements may be any number.
  if (values->empty() && count > small_cells) return call.refuse(Msg::np_too_costly);
  const size_t each = count > 0 ? values->size() / static_cast<size_t>(count) : 0;
  // Of what is equal without being the same, which comes first depends on the way of sorting: few keep their order, and
  // so do all where their first places are asked for.
  constexpr int64_t few_rows = 16;
  const auto doubtful = [](const Scalar& value) {
    return is_nan(value) || (value.real == 0 && std::signbit(value.real)) ||
           (value.imaginary == 0 && std::signbit(value.imaginary));
  };
  if (!asked[0] && count > few_rows && std::any_of(values->begin(), values->end(), doubtful))
    return call.refuse(Msg::not_modelled, {"NumPy", "np.unique(axis=) of NaN or -0.0"});
  const auto row = [&](size_t i) { return values->begin() + static_cast<std::ptrdiff_t>(i * each); };
  std::vector<size_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), size_t{0});
  const auto before = [&](size_t a, size_t b) {
    return std::lexicographical_compare(row(a), row(a + 1), row(b), row(b + 1), comes_before);
  };
  // NaN equals none.
  const auto differ = [&](size_t a, size_t b) {
    return before(a, b) || std::any_of(row(a), row(a + 1), [](const Scalar& value) { return is_nan(value); });
  };
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<Scalar> taken, first, counts, inverse(order.size());
  for (size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || differ(order[k - 1], order[k])) {
      taken.insert(taken.end(), row(order[k]), row(order[k] + 1));
      first.push_back({DType::int64, static_cast<int64_t>(order[k])});
      counts.push_back({DType::int64, 0});
    }
    ++counts.back().integer;
    inverse[order[k]] = {DType::int64, static_cast<int64_t>(counts.size()) - 1};
  }
  const auto found = static_cast<int64_t>(counts.size());
  const Value line = line_with(call, taken, array.dtype);
  Dims sizes = array.layout.sizes;
  sizes[0] = found;
  call.why(Msg::np_different, {found, count});
  std::vector<Value> results{call.view(
      *tensor_of(line), rank == 1 ? tensor_of(line)->layout
                                  : permute(contiguous(sizes, itemsize(array.dtype)), moved_dims(rank, {0}, {axis})))};
  if (asked[0]) results.push_back(line_with(call, first, DType::int64));
  if (asked[1]) results.push_back(line_with(call, inverse, DType::int64));
  if (asked[2]) results.push_back(line_with(call, counts, DType::int64));
  call.relation(Relation::fresh);
  return results.size() == 1 ? results.front() : call.tuple(std::move(results));
}

/// The axis that is moved to the front, which may be written as several are: as such it is no place in a list then.
/// The call may fail.
void check_moved_axis(Call& call, int rank) {
  const Value& axis = call.value("axis");
  const auto* several = std::get_if<Sequence>(&axis.held);
  const auto is_outside = [&](const Value& one) {
    const auto number = as_integer(one);
    return number && *number >= INT32_MIN && *number <= INT32_MAX && (*number < -rank || *number >= rank);
  };
  if (several ? std::any_of(several->items->begin(), several->items->end(), is_outside) : is_outside(axis))
    return void(call.about("axis").fail(
        "AxisError",
        {"axis ", python_str(axis).value_or(to_string(axis)), " is out of bounds for array of dimension ", rank},
        Msg::np_axis_out_of_range, {to_string(axis), rank}));
  const Dims axes = normalized_axes(call, "axis", rank, "", "repeated axis in `source` argument");
  if (call.failed()) return;
  if (axes.size() != 1)
    call.about("axis").fail("ValueError", "`source` and `destination` arguments must have the same number of elements",
                            Msg::items_needed, {1, axes.size()});
  else if (several)
    call.about("axis").fail_parser({"list indices must be integers or slices, not ", attribute_type(axis)},
                                   Msg::np_not_an_integer, {type_name(axis)});
}

Value unique(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  // An axis is looked for before it is asked what to return.
  if (call.given("axis")) check_moved_axis(call, source->tensor->layout.rank());
  if (call.failed()) return {};
  bool asked[4];
  constexpr const char* names[] = {"return_index", "return_inverse", "return_counts", "equal_nan"};
  for (int k = 0; k < 4; ++k) asked[k] = call.truth(names[k]);
  if (!call.failed() && call.given("axis")) return unique_along(call, source, asked);
  const auto values = call.failed() ? std::nullopt : elements_in(call, {source});
  if (!values) return {};
  const Members members = members_of(*values, asked[3]);
  const auto count = static_cast<int64_t>(members.values.size());
  call.why(Msg::np_different, {count, static_cast<int64_t>(values->size())});
  std::vector<Value> results{line_with(call, members.values, source->tensor->dtype)};
  if (asked[0]) results.push_back(line_with(call, members.first, DType::int64));
  if (asked[1]) results.push_back(reshaped_line(call, members.inverse, DType::int64, source->tensor->layout.sizes));
  if (asked[2]) results.push_back(line_with(call, members.counts, DType::int64));
  return results.size() == 1 ? results.front() : call.tuple(std::move(results));
}

/// What of two arrays are equal is decided in the dtype that both have in common.
bool same_value(const Scalar& a, const Scalar& b, DType common) {
  return is_true(reckon(Arithmetic::equal, std::array{converted(a, common), converted(b, common)}));
}

struct Pair {
  Members left, right;
  DType own = DType::int64, common = DType::int64, other = DType::int64;

  /// Where a value is among the others, which are in order; -1 where it is not.
  int64_t place(const Scalar& value, const Members& among) const {
    const auto before = [](const Scalar& a, const Scalar& b) { return comes_before(a, b); };
    const auto found = std::partition_point(among.values.begin(), among.values.end(), [&](const Scalar& one) {
      return before(converted(one, common), converted(value, common));
    });
    const bool known = found != among.values.end() && same_value(*found, value, common);
    return known ? found - among.values.begin() : -1;
  }
};

std::optional<Pair> pair_of(Call& call, const char* first, const char* second) {
  const TensorRef a = as_array(call, call.value(first)), b = as_array(call, call.value(second));
  if (call.failed()) return std::nullopt;
  const auto left = elements_in(call, {a}), right = left ? elements_in(call, {b}) : std::nullopt;
  if (!right) return std::nullopt;
  const DType own = a->tensor->dtype, other = b->tensor->dtype, common = numpy_promoted(own, other);
  // Of whole numbers none is rounded.
  if (is_floating(common) && is_integer(own) && is_integer(other))
    return call.refuse(Msg::not_modelled, {"NumPy", std::string(name(own)) + ", " + std::string(name(other))}),
           std::nullopt;
  return Pair{members_of(*left, true), members_of(*right, true), own, common, other};
}

/// Whether few enough others are looked for one by one, or whole numbers near each other in a table: then whatever is
/// said of them counts for nothing, where else they are put in order.  @param kind  which of both is asked for, or ""
bool is_looked_up(const Pair& pair, std::string_view kind = "") {
  const auto count = static_cast<double>(pair.left.inverse.size()),
             others = static_cast<double>(pair.right.inverse.size());
  if (others < 10 * std::pow(count, 0.145) || pair.right.values.empty()) return true;
  if (kind == "sort" || !is_whole(pair.own) || !is_whole(pair.other)) return false;
  if (kind == "table") return true;
  const double span = as_real(pair.right.values.back()) - as_real(pair.right.values.front());
  return span <= 6 * (count + others) && span < std::exp2(8 * itemsize(pair.other) - (is_unsigned(pair.other) ? 0 : 1));
}

/// For each element whether an equal one follows it among those, NaN aside.
void add_repeated(const Members& members, std::vector<bool>& result) {
  std::vector<int64_t> left;
  for (const Scalar& count : members.counts) left.push_back(count.integer);
  for (const Scalar& member : members.inverse) {
    const auto which = static_cast<size_t>(member.integer);
    result.push_back(--left[which] > 0 && !is_nan(members.values[which]));
  }
}

/// For each element of the first whether the second has it. Who says that each has every value once is believed: both
/// are put in order together, and an element is there if the next one is equal, be that one of its own. The same is
/// then known of the others.
std::vector<bool> are_inside(const Pair& pair, bool believes) {
  std::vector<bool> inside;
  if (believes) add_repeated(pair.left, inside);
  inside.resize(pair.left.inverse.size());
  std::vector<bool> known;
  for (const Scalar& value : pair.left.values) known.push_back(pair.place(value, pair.right) >= 0);
  for (size_t k = 0; k < inside.size(); ++k)
    inside[k] = inside[k] || known[static_cast<size_t>(pair.left.inverse[k].integer)];
  if (believes) add_repeated(pair.right, inside);
  return inside;
}

/// What intersect1d and setxor1d make of arrays of which each is said to have every value once: in order, those that
/// are equal to the next one, or to none beside them.
Value neighbours(Call& call, const Pair& pair, bool meets) {
  std::vector<Scalar> all, taken;
  for (const Members* members : {&pair.left, &pair.right})
    for (const Scalar& member : members->inverse)
      all.push_back(converted(members->values[static_cast<size_t>(member.integer)], pair.common));
  std::stable_sort(all.begin(), all.end(), comes_before);
  const auto equal = [&](size_t k) { return k > 0 && k < all.size() && same_value(all[k - 1], all[k], pair.common); };
  for (size_t k = 0; k < all.size(); ++k)
    if (meets ? equal(k + 1) : !equal(k) && !equal(k + 1)) taken.push_back(all[k]);
  call.why(Msg::np_different, {static_cast<int64_t>(taken.size()), static_cast<int64_t>(all.size())});
  return line_with(call, taken, pair.common);
}

/// union1d, intersect1d, setdiff1d, setxor1d.
Value sets(Call& call) {
  const std::string_view which = call.name().substr(6);
  const bool unites = which == "union1d", meets = which == "intersect1d", differs = which == "setdiff1d";
  const bool believes = !unites && call.truth("assume_unique"), indices = meets && call.truth("return_indices");
  if (believes && indices)
    return call.about("assume_unique").refuse(Msg::not_modelled, {"NumPy", "assume_unique=True"});
  const auto pair = call.failed() ? std::nullopt : pair_of(call, "ar1", "ar2");
  if (!pair) return {};
  if (believes && !differs) return neighbours(call, *pair, meets);
  if (believes) {
    std::vector<Scalar> kept;
    const std::vector<bool> inside = are_inside(*pair, !is_looked_up(*pair));
    for (size_t k = 0; k < pair->left.inverse.size(); ++k)
      if (!inside[k]) kept.push_back(pair->left.values[static_cast<size_t>(pair->left.inverse[k].integer)]);
    call.why(Msg::np_different, {static_cast<int64_t>(kept.size()),
                                 static_cast<int64_t>(pair->left.inverse.size() + pair->right.inverse.size())});
    return line_with(call, kept, pair->own);
  }
  const DType dtype = unites    ? common_dtype(operand(call, call.value("ar1")), operand(call, call.value("ar2")))
                      : differs ? pair->own
                                : pair->common;
  std::vector<Scalar> taken, first, second;
  for (size_t k = 0; k < pair->left.values.size(); ++k) {
    const Scalar& value = pair->left.values[k];
    const int64_t place = pair->place(value, pair->right);
    if (!unites && (place >= 0) != meets) continue;
    taken.push_back(converted(value, dtype));
    first.push_back(pair->left.first[k]);
    if (place >= 0) second.push_back(pair->right.first[static_cast<size_t>(place)]);
  }
  for (const Scalar& value : pair->right.values)
    if ((unites || which == "setxor1d") && (pair->place(value, pair->left) < 0 || (unites && is_nan(value))))
      taken.push_back(converted(value, dtype));
  if (unites) taken = members_of(taken, true).values;
  std::stable_sort(taken.begin(), taken.end(), comes_before);
  call.why(Msg::np_different, {static_cast<int64_t>(taken.size()),
                               static_cast<int64_t>(pair->left.inverse.size() + pair->right.inverse.size())});
  const Value values = line_with(call, taken, dtype);
  if (!indices) return values;
  return call.tuple({values, line_with(call, first, DType::int64), line_with(call, second, DType::int64)});
}

/// kind=: "sort", "table", or "" where NumPy chooses.
std::string kind_asked(Call& call, const Pair& pair) {
  const Value& given = call.value("kind");
  if (is_none(given)) return "";
  const auto* kind = std::get_if<std::string>(&given.held);
  if (!kind) return call.about("kind").refuse(Msg::not_modelled, {"NumPy", "kind=" + to_string(given, 40)}), "";
  call.about("kind");
  if (*kind != "sort" && *kind != "table")
    call.fail("ValueError", {"Invalid kind: '", *kind, "'. Please use None, 'sort' or 'table'."}, Msg::np_isin_kind,
              {*kind});
  else if (*kind == "table" && !(is_whole(pair.own) && is_whole(pair.other)))
    call.fail("ValueError",
              "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for "
              "kind.",
              Msg::np_isin_table, {name(is_whole(pair.own) ? pair.other : pair.own)});
  return *kind;
}

Value isin(Call& call) {
  const bool line = call.name().ends_with("in1d");
  const char *own = line ? "ar1" : "element", *other = line ? "ar2" : "test_elements";
  const bool invert = call.truth("invert");
  const auto pair = call.failed() ? std::nullopt : pair_of(call, own, other);
  const TensorRef source = pair ? as_array(call, call.value(own)) : nullptr;
  if (!source) return {};
  std::vector<Scalar> truths;
  const std::string kind = kind_asked(call, *pair);
  const bool ordered = !is_looked_up(*pair, kind) && call.truth("assume_unique");
  if (call.failed()) return {};
  for (const bool found : are_inside(*pair, ordered)) truths.push_back({DType::boolean, found != invert ? 1 : 0});
  const Dims& sizes = source->tensor->layout.sizes;
  call.why(Msg::np_elementwise_headline, {*numel(sizes), to_string(sizes), name(DType::boolean)});
  if (!ordered)
    return line ? line_with(call, truths, DType::boolean) : reshaped_line(call, truths, DType::boolean, sizes);
  // A part of the answers for both, in order.
  const Value all = line_with(call, truths, DType::boolean);
  const Value seen = call.view(*tensor_of(all), line ? contiguous({*numel(sizes)}) : contiguous(sizes));
  call.relation(Relation::fresh);
  return seen;
}

}  // namespace

std::span<const Op> numpy_set_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True)",
       Msg::op_sort, "every value once, in order", "y = np.unique(np.arange(6) % 3)", unique, Op::Structured::ordered},
      {Library::numpy,
       "np.union1d(ar1, ar2)\nnp.intersect1d(ar1, ar2, assume_unique=False, return_indices=False)\n"
       "np.setdiff1d(ar1, ar2, assume_unique=False)\nnp.setxor1d(ar1, ar2, assume_unique=False)",
       Msg::op_np_sets, "the values of either, of both, of the first alone, of one alone",
       "y = np.intersect1d([3, 1, 2], [2, 3, 5])", sets, Op::Structured::ordered},
      {Library::numpy,
       "np.isin(element, test_elements, assume_unique=False, invert=False, *, kind=None)\n"
       "np.in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None)",
       Msg::op_np_isin, "", "x = np.arange(6).reshape(2, 3)\ny = np.isin(x, [2, 4])", isin, Op::Structured::ordered},
  };
  return rows;
}

}  // namespace stridescope

// The largest or smallest of each line, its middle or its most frequent one, and the different values of a tensor: topk,
// kthvalue, median, mode, unique.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

struct Ranked {
  Scalar value;
  int64_t place = 0;
};
using Line = std::vector<Ranked>;

bool exceeds(const Scalar& a, const Scalar& b) {
  const Scalar pair[] = {a, b};
  return is_true(reckon(Arithmetic::greater, pair));
}

/// NaN counts as the largest.
bool is_above(const Scalar& a, const Scalar& b) { return (std::isnan(a.real) && !std::isnan(b.real)) || exceeds(a, b); }

/// Which of equal elements come first is decided by how the library sorts: with libstdc++'s nth_element, sort and
/// partial_sort. These take the same steps everywhere.
class Sorter {
 public:
  Sorter(Line& line, bool largest) : line_(line), largest_(largest) {}

  /// Puts the element of rank `nth` in its place, those before it before it.
  void select(int64_t nth) {
    int64_t first = 0, last = size();
    for (int64_t depth = limit(last); last - first > 3; --depth) {
      if (depth == 0) {
        heap_select(first, nth + 1, last);
        return std::swap(at(first), at(nth));
      }
      const int64_t cut = partition(first, last);
      (cut <= nth ? first : last) = cut;
    }
    insert(first, last);
  }
  void sort(int64_t last) {
    if (last <= 0) return;
    sort_coarsely(0, last, limit(last));
    if (last <= 16) return insert(0, last);
    insert(0, 16);
    for (int64_t i = 16; i < last; ++i) insert_unguarded(i);
  }
  void sort_first(int64_t middle) {
    heap_select(0, middle, size());
    sort_heap(0, middle);
  }

 private:
  int64_t size() const { return static_cast<int64_t>(line_.size()); }
  Ranked& at(int64_t i) { return line_[static_cast<size_t>(i)]; }
  bool before(const Ranked& a, const Ranked& b) const {
    if (largest_) return is_above(a.value, b.value);
    return (!std::isnan(a.value.real) && std::isnan(b.value.real)) || exceeds(b.value, a.value);
  }
  static int64_t limit(int64_t count) {
    int64_t depth = 0;
    for (; count > 1; count /= 2) depth += 2;
    return depth;
  }
  void insert_unguarded(int64_t i) {
    const Ranked value = at(i);
    for (; before(value, at(i - 1)); --i) at(i) = at(i - 1);
    at(i) = value;
  }
  void insert(int64_t first, int64_t last) {
    for (int64_t i = first + 1; i < last; ++i) {
      if (!before(at(i), at(first))) {
        insert_unguarded(i);
        continue;
      }
      const Ranked value = at(i);
      for (int64_t j = i; j > first; --j) at(j) = at(j - 1);
      at(first) = value;
    }
  }
  /// Around the median of three.
  int64_t partition(int64_t first, int64_t last) {
    const int64_t a = first + 1, b = first + (last - first) / 2, c = last - 1;
    const bool ab = before(at(a), at(b)), bc = before(at(b), at(c)), ac = before(at(a), at(c));
    std::swap(at(first), at(ab ? (bc ? b : ac ? c : a) : (ac ? a : bc ? c : b)));
    int64_t low = first + 1, high = last;
    for (;; ++low) {
      while (before(at(low), at(first))) ++low;
      --high;
      while (before(at(first), at(high))) --high;
      if (low >= high) return low;
      std::swap(at(low), at(high));
    }
  }
  void sort_coarsely(int64_t first, int64_t last, int64_t depth) {
    while (last - first > 16) {
      if (depth-- == 0) {
        heap_select(first, last, last);
        return sort_heap(first, last);
      }
      const int64_t cut = partition(first, last);
      sort_coarsely(cut, last, depth);
      last = cut;
    }
  }
  /// A value sinks from `hole` to the leaves, then rises to where it belongs.
  void adjust(int64_t first, int64_t hole, int64_t count, const Ranked& value) {
    const int64_t top = hole;
    int64_t child = hole;
    while (child < (count - 1) / 2) {
      child = 2 * (child + 1);
      if (before(at(first + child), at(first + child - 1))) --child;
      at(first + hole) = at(first + child);
      hole = child;
    }
    if (count % 2 == 0 && child == (count - 2) / 2) {
      child = 2 * (child + 1);
      at(first + hole) = at(first + child - 1);
      hole = child - 1;
    }
    for (int64_t parent = (hole - 1) / 2; hole > top && before(at(first + parent), value); parent = (hole - 1) / 2) {
      at(first + hole) = at(first + parent);
      hole = parent;
    }
    at(first + hole) = value;
  }
  void pop(int64_t first, int64_t last, int64_t result) {
    const Ranked value = at(result);
    at(result) = at(first);
    adjust(first, 0, last - first, value);
  }
  void heap_select(int64_t first, int64_t middle, int64_t last) {
    for (int64_t parent = (middle - first - 2) / 2; middle - first >= 2 && parent >= 0; --parent)
      adjust(first, parent, middle - first, Ranked(at(first + parent)));
    for (int64_t i = middle; i < last && middle > first; ++i)
      if (before(at(i), at(first))) pop(first, middle, i);
  }
  void sort_heap(int64_t first, int64_t last) {
    for (; last - first > 1; --last) pop(first, last - 1, last - 1);
  }

  Line& line_;
  bool largest_;
};

Value topk_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t k = call.integer("k");
  const int d = call.dim("dim"), rank = tensor.layout.rank();
  const bool largest = call.boolean("largest"), sorted = call.boolean("sorted");
  if (call.failed()) return {};
  const Dims& sizes = tensor.layout.sizes;
  const int64_t size = rank == 0 ? 1 : sizes[d], count = *numel(sizes);
  if (k < 0 || k > size)
    return call.about("k").fail("RuntimeError", "selected index k out of range", Msg::topk_range, {k, size});
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  if (!call.quick(elements_of(tensor), count)) return {};
  if ((tensor.dtype == DType::boolean || is_complex(tensor.dtype)) && rank > 0)
    return call.fail("RuntimeError", {"\"topk_cpu\" not implemented for '", scalar_type_name(tensor.dtype), "'"},
                     Msg::kernel_missing, {"topk_cpu", name(tensor.dtype)});
  Dims result = sizes;
  if (rank > 0) result[d] = k;
  const Layout layout = fresh_layout(call, result, tensor.dtype), packed = contiguous(sizes);
  const Elements elements = elements_of(tensor);
  std::vector<Scalar> values(static_cast<size_t>(*numel(result))), places(values.size());
  const int64_t step = rank == 0 ? 1 : packed.strides[d];
  for (int64_t first = 0; first < count; ++first) {
    if (first / step % size != 0) continue;
    Line line;
    for (int64_t i = 0; i < size; ++i) line.push_back({element(elements, first + i * step), i});
    Sorter sorter(line, largest);
    if (k * 64 <= size) {
      sorter.sort_first(k);
    } else {
      sorter.select(k - 1);
      if (sorted) sorter.sort(k - 1);
    }
    for (int64_t i = 0; i < (rank == 0 ? 1 : k); ++i) {
      const auto at = static_cast<size_t>(first / step / size * k * step + first % step + i * step);
      values[at] = line[static_cast<size_t>(i)].value;
      places[at] = integer_scalar(line[static_cast<size_t>(i)].place, DType::int64);
    }
  }
  call.why(Msg::topk_headline, {k, largest ? "≥" : "≤", Slot{d, call.axis(d)}, size});
  const Value best = call.fresh(tensor.dtype, layout, literal_contents(values, tensor.dtype));
  return call.tuple({best, call.fresh(DType::int64, layout, literal_contents(places, DType::int64))},
                    Sequence::Kind::ranked);
}

/// The one in the middle, of two the lower and of equals as they stand; NaN where there is one, unless they are left
/// out.
Ranked middle_of(Line line, bool skip_nan) {
  const auto is_nan = [](const Ranked& one) { return std::isnan(one.value.real); };
  const auto first_nan = std::find_if(line.begin(), line.end(), is_nan);
  if (first_nan != line.end() && !skip_nan) return *first_nan;
  const auto numbers = static_cast<int64_t>(line.size()) - std::count_if(line.begin(), line.end(), is_nan);
  std::stable_sort(line.begin(), line.end(),
                   [](const Ranked& a, const Ranked& b) { return is_above(b.value, a.value); });
  return line[static_cast<size_t>(numbers == 0 ? 0 : (numbers - 1) / 2)];
}

/// The element of rank `k` among the others. Which of equal ones it is, is decided by how PyTorch looks for it.
Ranked kth_of(Line line, int64_t k) {
  const auto at = [&](int64_t i) -> Ranked& { return line[static_cast<size_t>(i)]; };
  const auto ordered = [&](int64_t low, int64_t high) {
    if (is_above(at(low).value, at(high).value)) std::swap(at(low), at(high));
  };
  int64_t left = 0, right = static_cast<int64_t>(line.size()) - 1;
  while (right > left + 1) {
    std::swap(at(left + (right - left) / 2), at(left + 1));
    ordered(left + 1, right);
    ordered(left, right);
    ordered(left + 1, left);
    const Ranked pivot = at(left);  // the middle one of three
    int64_t low = left + 1, high = right;
    for (;;) {
      do ++low;
      while (is_above(pivot.value, at(low).value));
      do --high;
      while (is_above(at(high).value, pivot.value));
      if (high < low) break;
      std::swap(at(low), at(high));
    }
    std::swap(at(left), at(high));
    if (high <= k) left = low;
    if (high >= k) right = high - 1;
  }
  if (right == left + 1) ordered(left, right);
  return at(k);
}

/// The most frequent value, of equally frequent ones the smallest.  @pre there is one, and no NaN
Ranked mode_of(Line line) {
  Sorter(line, false).sort(static_cast<int64_t>(line.size()));
  Ranked most;
  int64_t run = 0, longest = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    ++run;
    if (i + 1 < line.size() && !exceeds(line[i + 1].value, line[i].value)) continue;
    if (run > longest) most = line[i], longest = run;
    run = 0;
  }
  return most;
}

/// One element of each line, and where it stood, as packed tensors. Only of the values something is said.
Value values_and_places(Call& call, const Rows& rows, DType dtype, const std::vector<Ranked>& found) {
  const auto at = [&](int64_t row) { return found[static_cast<size_t>(row)]; };
  const Value values = reduced(call, rows, dtype, [&](int64_t row) { return at(row).value; });
  const size_t said = call.said();
  const Value places =
      reduced(call, rows, DType::int64, [&](int64_t row) { return integer_scalar(at(row).place, DType::int64); });
  call.unsay(said);
  return call.tuple({values, places}, Sequence::Kind::ranked);
}

Line line_of(const Rows& rows, int64_t row) {
  Line line;
  for (int64_t k = 0; k < rows.each; ++k) line.push_back({rows.at(row, k), k});
  return line;
}

/// kthvalue and mode.
Value ranked_row(Call& call) {
  const Tensor tensor = call.self();
  const bool mode = call.name().ends_with("mode");
  const int64_t k = mode ? 1 : call.integer("k");
  const int d = call.dim("dim"), rank = tensor.layout.rank();
  const bool keep = call.boolean("keepdim");
  if (call.failed()) return {};
  const int64_t size = rank == 0 ? 1 : tensor.layout.sizes[d];
  const char* const function = mode ? "mode" : "kthvalue";
  if (size == 0)
    return call.fail("IndexError", {function, "(): Expected reduction dim ", d, " to have non-zero size."},
                     Msg::reduce_nothing, {Slot{d, call.axis(d)}});
  if (k < 1 || k > size)
    return call.about("k").fail("RuntimeError", {"kthvalue(): selected number k out of range for dimension ", d},
                                Msg::kth_range, {k, size});
  const bool none = numel(tensor.layout.sizes) == 0;
  if (rank > 0 && (mode ? is_complex(tensor.dtype) && !none : is_complex(tensor.dtype) || tensor.dtype == DType::boolean)) {
    const std::string kernel = std::string(function) + "_cpu";
    return call.fail("RuntimeError", {"\"", kernel, "\" not implemented for '", scalar_type_name(tensor.dtype), "'"},
                     Msg::kernel_missing, {kernel, name(tensor.dtype)});
  }
  const auto rows = rows_along(call, tensor, {d}, keep);
  if (!rows) return {};
  std::vector<Ranked> found;
  for (int64_t row = 0; row < rows->count && !rows->unknown; ++row) {
    Line line = line_of(*rows, row);
    if (mode && std::any_of(line.begin(), line.end(), [](const Ranked& one) { return std::isnan(one.value.real); }))
      return call.about_receiver().refuse(Msg::not_modelled, {"PyTorch", "mode() of NaN"});
    found.push_back(mode ? mode_of(std::move(line)) : kth_of(std::move(line), k - 1));
  }
  return values_and_places(call, *rows, tensor.dtype, found);
}

/// median and nanmedian: of everything the value, along a dimension the places as well.
Value median_row(Call& call) {
  const Tensor tensor = call.self();
  const bool skip_nan = call.name().find("nan") != std::string_view::npos, along = call.given("dim");
  const int d = along ? call.dim("dim") : 0;
  const bool keep = along && kept_dims(call);
  if (call.failed()) return {};
  if (along && tensor.layout.rank() > 0 && tensor.layout.sizes[d] == 0)
    return call.fail("IndexError", {"median(): Expected reduction dim ", d, " to have non-zero size."},
                     Msg::reduce_nothing, {Slot{d, call.axis(d)}});
  const bool none = numel(tensor.layout.sizes) == 0;
  if (!none && (tensor.dtype == DType::boolean || is_complex(tensor.dtype))) {
    const std::string kernel = along ? "median_out" : "median_cpu";
    return call.fail("RuntimeError", {"\"", kernel, "\" not implemented for '", scalar_type_name(tensor.dtype), "'"},
                     Msg::kernel_missing, {kernel, name(tensor.dtype)});
  }
  if (none && !along && is_whole(tensor.dtype))
    return call.refuse(Msg::not_modelled, {"PyTorch", std::string(call.name()) + "() of nothing"});
  if (along && shares_cells(tensor)) return call.about_receiver().refuse(Msg::median_reads_beyond, {call.name()});
  const auto rows = rows_along(call, tensor, along ? Dims{d} : all_dims(tensor), keep);
  if (!rows) return {};
  std::vector<Ranked> found;
  for (int64_t row = 0; row < rows->count; ++row) {
    Line line = line_of(*rows, row);
    found.push_back(line.empty() ? Ranked{real_scalar(std::nan(""), tensor.dtype)}
                                 : middle_of(std::move(line), skip_nan));
  }
  if (along) return values_and_places(call, *rows, tensor.dtype, found);
  return reduced(call, *rows, tensor.dtype, [&](int64_t row) { return found[static_cast<size_t>(row)].value; });
}

/// The different values, in order or, of neighbours alone, as they come; where each element went; how many went there.
Value unique_row(Call& call) {
  const Tensor tensor = call.self();
  const bool neighbours = call.name().ends_with("consecutive");
  // Python asks what they are worth; the parser behind it takes truth values alone.
  for (const char* question : {"return_inverse", "return_counts"}) call.truth(question);
  if (call.failed()) return {};
  for (const char* question : {"return_inverse", "return_counts"})
    if (!std::holds_alternative<bool>(call.value(question).held)) return call.wrong_type(question, "bool");
  if (call.given("dim")) {
    call.dim("dim", true);
    return call.about("dim").refuse(Msg::not_modelled, {"PyTorch", std::string(call.name()) + "(dim=..)"});
  }
  const int64_t count = *numel(tensor.layout.sizes);
  if (count > max_indices) return call.refuse(Msg::too_many_indices, {count, max_indices});
  if (!call.quick(elements_of(tensor), count)) return {};
  if (is_complex(tensor.dtype))
    return call.fail("RuntimeError", {"\"unique\" not implemented for '", scalar_type_name(tensor.dtype), "'"},
                     Msg::kernel_missing, {"unique", name(tensor.dtype)});
  const Elements elements = elements_of(tensor);
  Line line;
  for (int64_t i = 0; i < count; ++i) line.push_back({element(elements, i), i});
  if (!neighbours)
    std::stable_sort(line.begin(), line.end(),
                     [](const Ranked& a, const Ranked& b) { return is_above(b.value, a.value); });
  std::vector<Scalar> values, counts, places(line.size());
  for (const Ranked& one : line) {
    const Scalar pair[] = {one.value, values.empty() ? one.value : values.back()};
    if (values.empty() || !is_true(reckon(Arithmetic::equal, pair))) {
      values.push_back(one.value);
      counts.push_back(integer_scalar(0, DType::int64));
    }
    ++counts.back().integer;
    places[static_cast<size_t>(one.place)] = integer_scalar(static_cast<int64_t>(values.size()) - 1, DType::int64);
  }
  const auto different = static_cast<int64_t>(values.size());
  call.why(neighbours ? Msg::unique_neighbours_headline : Msg::unique_headline, {count, different});
  // Of neighbours, as many cells are made as there are elements.
  const auto made = [&](std::vector<Scalar> found, DType dtype) {
    if (neighbours) found.resize(line.size(), converted({DType::int64}, dtype));
    return call.fresh(dtype, contiguous({different}), literal_contents(found, dtype));
  };
  std::vector<Value> parts{made(std::move(values), tensor.dtype)};
  // torch.unique_consecutive looks for the two in each other's place, and hands out what was not reckoned as nothing.
  const auto by_place = [&](const char* question, bool wanted) {
    const std::string text = call.written(call.argument(question));
    return !text.empty() && text.starts_with(question) != wanted;
  };
  const bool swaps = neighbours && call.form().kind == Form::Kind::function;
  const auto asked = [&](const char* question, const char* other) {
    return !swaps || by_place(question, false) ? call.boolean(question) : by_place(other, true) && call.boolean(other);
  };
  const auto nothing = [&] { return call.fresh(DType::int64, contiguous({0}), literal_contents({}, DType::int64)); };
  if (asked("return_inverse", "return_counts")) {
    call.why(Msg::unique_places, {to_string(tensor.layout.sizes)});
    parts.push_back(call.boolean("return_inverse") ? call.fresh(DType::int64, contiguous(tensor.layout.sizes),
                                                                literal_contents(places, DType::int64))
                                                   : nothing());
  }
  if (asked("return_counts", "return_inverse"))
    parts.push_back(call.boolean("return_counts") ? made(std::move(counts), DType::int64) : nothing());
  return parts.size() == 1 ? parts[0] : call.tuple(std::move(parts));
}

}  // namespace

std::span<const Op> torch_topk_rows() {
#define QUESTIONS "return_inverse: any = False, return_counts: any = False, dim: int = None"
  static constexpr Op rows[] = {
      {Library::torch,
       "x.topk(k: int, dim: int = -1, largest: bool = True, sorted: bool = True)\n"
       "torch.topk(input: tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True)",
       Msg::op_topk, "the k largest along dim, the largest first: (values, indices)",
       "x = torch.tensor([3, 1, 4, 1, 5])\ny = x.topk(2)", topk_row},
#define MEDIAN(name) \
  "x." name "(dim: int, keepdim: bool = False)\ntorch." name "(input: tensor, dim: int, keepdim: bool = False)\n"
      {Library::torch, "x.median()\ntorch.median(input: tensor)\nx.nanmedian()\ntorch.nanmedian(input: tensor)",
       Msg::op_median, "element (n - 1) // 2 of all in order", "x = torch.tensor([4, 1, 3, 2])\ny = x.median()",
       median_row},
      {Library::torch, MEDIAN("median") MEDIAN("nanmedian"), Msg::op_median,
       "element (n - 1) // 2 in order along dim: (values, indices)",
       "x = torch.tensor([[3, 1, 2], [4, 6, 5]])\ny = x.median(1)", median_row},
#undef MEDIAN
      {Library::torch,
       "x.kthvalue(k: int, dim: int = -1, keepdim: bool = False)\n"
       "torch.kthvalue(input: tensor, k: int, dim: int = -1, keepdim: bool = False)",
       Msg::op_kthvalue, "element k - 1 in order along dim: (values, indices)",
       "x = torch.tensor([[3, 1, 2], [4, 6, 5]])\ny = x.kthvalue(2)", ranked_row},
      {Library::torch,
       "x.mode(dim: int = -1, keepdim: bool = False)\n"
       "torch.mode(input: tensor, dim: int = -1, keepdim: bool = False)",
       Msg::op_mode, "the most frequent along dim, of several the smallest: (values, indices)",
       "x = torch.tensor([[1, 2, 2], [4, 3, 4]])\ny = x.mode()", ranked_row},
      {Library::torch,
       "torch.unique(input: tensor, sorted: bool = True, " QUESTIONS ")\nx.unique(sorted: bool = True, " QUESTIONS ")",
       Msg::op_unique, "the different values in ascending order; with questions a tuple (values, inverse, counts)",
       "x = torch.tensor([3, 1, 3])\ny = torch.unique(x)", unique_row},
      {Library::torch, "torch.unique_consecutive(input: tensor, " QUESTIONS ")\nx.unique_consecutive(" QUESTIONS ")",
       Msg::op_unique, "of equal neighbours the first", "x = torch.tensor([1, 1, 2, 1])\ny = x.unique_consecutive()",
       unique_row},
  };
#undef QUESTIONS
  return rows;
}

}  // namespace stridescope

// Elements in order or by their rank: sort, topk, kthvalue, median, mode.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/ranks.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The elements along a dimension in order, and where each of them stood. Equal ones keep their order where they are
/// few or a stable sort is asked for. msort: along the first, the elements alone.
Value sort_row(Call& call) {
  const Tensor tensor = call.self();
  const bool places_only = call.name().ends_with("argsort"), values_only = call.name().ends_with("msort");
  const int d = values_only ? 0 : call.dim("dim");
  const bool descending = !values_only && call.boolean("descending"),
             stable = !values_only && call.given("stable") && call.boolean("stable");
  if (call.failed()) return {};
  // One element all over needs no kernel.
  if (is_complex(tensor.dtype) && tensor.layout.rank() > 0 && tensor.layout.strides[d] != 0)
    return no_kernel(call, "sorting_kernel_method_name", tensor.dtype);
  const Layout& layout = tensor.layout;
  const int64_t count = *numel(layout.sizes);
  const Layout packed = contiguous(layout.sizes);
  const int64_t step = layout.rank() == 0 ? 1 : packed.strides[d], size = layout.rank() == 0 ? 1 : layout.sizes[d];
  const Layout kept{layout.sizes, preserved_strides(layout), 0};
  call.why(stable || size <= most_in_any_order ? Msg::sort_headline : Msg::sort_any_headline,
           {size, Slot{d, call.axis(d)}});
  if (!(kept.strides == packed.strides)) call.why(Msg::elementwise_layout, {to_string(kept.strides)});
  const Elements elements = elements_of(tensor);
  const bool unknown = !call.reckons(folding(count));
  std::vector<Scalar> values(static_cast<size_t>(unknown ? 0 : count)), places(values.size());
  for (int64_t first = 0; first < count && !unknown; ++first) {
    if (first / step % size != 0) continue;
    std::vector<int64_t> order(static_cast<size_t>(size));
    std::iota(order.begin(), order.end(), 0);
    std::vector<Scalar> line;
    for (int64_t k = 0; k < size; ++k) line.push_back(element(elements, first + k * step));
    const auto before = [&](int64_t a, int64_t b) {
      const Scalar &left = line[static_cast<size_t>(descending ? b : a)],
                   &right = line[static_cast<size_t>(descending ? a : b)];
      if (std::isnan(left.real) || std::isnan(right.real)) return std::isnan(right.real) && !std::isnan(left.real);
      const Scalar pair[] = {left, right};
      return is_true(reckon(Arithmetic::less, pair));
    };
    if (stable)
      std::stable_sort(order.begin(), order.end(), before);
    else
      put_in_order(order, before);
    for (int64_t k = 0; k < size; ++k) {
      values[static_cast<size_t>(first + k * step)] = line[static_cast<size_t>(order[static_cast<size_t>(k)])];
      places[static_cast<size_t>(first + k * step)] = integer_scalar(order[static_cast<size_t>(k)], DType::int64);
    }
  }
  const auto made = [&](DType dtype, const std::vector<Scalar>& numbers) {
    const Elements all{unknown ? unknown_contents(dtype, count) : literal_contents(numbers, dtype),
                       contiguous(layout.sizes, itemsize(dtype)), dtype};
    return call.gathered(kept, dtype, [&](const Dims& order) {
      return gather({all.contents, permute(all.layout, order), dtype}, dtype);
    });
  };
  if (places_only) {
    const Value found = made(DType::int64, places);
    call.relation(Relation::fresh);  // places are no elements of the tensor
    return found;
  }
  const Value sorted = made(tensor.dtype, values);
  if (values_only) return sorted;
  return call.tuple({sorted, made(DType::int64, places)}, Sequence::Kind::ranked);
}

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
  if ((tensor.dtype == DType::boolean || is_complex(tensor.dtype)) && rank > 0)
    return no_kernel(call, "topk_cpu", tensor.dtype);
  Dims result = sizes;
  if (rank > 0) result[d] = k;
  const Layout layout = fresh_layout(call, result, tensor.dtype), packed = contiguous(sizes);
  if (call.failed()) return {};
  call.why(Msg::topk_headline, {k, largest ? "≥" : "≤", Slot{d, call.axis(d)}, size});
  const auto ranked = [&](ContentsPtr best, ContentsPtr where) {
    const Value values = call.fresh(tensor.dtype, layout, std::move(best));
    return call.tuple({values, call.fresh(DType::int64, layout, std::move(where))}, Sequence::Kind::ranked);
  };
  if (!call.reckons(folding(count)))
    return ranked(unknown_contents(tensor.dtype, *numel(result)), unknown_contents(DType::int64, *numel(result)));
  const Elements elements = elements_of(tensor);
  std::vector<Scalar> values(static_cast<size_t>(*numel(result))), places(values.size());
  const int64_t step = rank == 0 ? 1 : packed.strides[d];
  for (int64_t first = 0; first < count; ++first) {
    if (first / step % size != 0) continue;
    Ranks line;
    for (int64_t i = 0; i < size; ++i) line.push_back({element(elements, first + i * step), i});
    put_first(line, k, largest, sorted);
    for (int64_t i = 0; i < (rank == 0 ? 1 : k); ++i) {
      const auto at = static_cast<size_t>(first / step / size * k * step + first % step + i * step);
      values[at] = line[static_cast<size_t>(i)].value;
      places[at] = integer_scalar(line[static_cast<size_t>(i)].place, DType::int64);
    }
  }
  return ranked(literal_contents(values, tensor.dtype), literal_contents(places, DType::int64));
}

/// The one in the middle, of two the lower and of equals as they stand; NaN where there is one, unless they are left
/// out.
Ranked middle_of(Ranks line, bool skip_nan) {
  const auto is_nan = [](const Ranked& one) { return std::isnan(one.value.real); };
  const auto first_nan = std::find_if(line.begin(), line.end(), is_nan);
  if (first_nan != line.end() && !skip_nan) return *first_nan;
  const auto numbers = static_cast<int64_t>(line.size()) - std::count_if(line.begin(), line.end(), is_nan);
  std::stable_sort(line.begin(), line.end(),
                   [](const Ranked& a, const Ranked& b) { return is_above(b.value, a.value); });
  return line[static_cast<size_t>(numbers == 0 ? 0 : (numbers - 1) / 2)];
}

/// The most frequent value, of equally frequent ones the first in order. A NaN equals nothing, and nothing is below or
/// above it.  @pre there is one; with a NaN there are at most `most_in_any_order`
Ranked mode_of(Ranks line, bool has_nan) {
  if (has_nan) {
    std::vector<int64_t> places(line.size());
    std::iota(places.begin(), places.end(), int64_t{0});
    const Ranks written = line;
    const auto at = [&](int64_t place) { return written[static_cast<size_t>(place)]; };
    put_in_order(places, [&](int64_t a, int64_t b) { return at(a).value.real < at(b).value.real; });
    std::transform(places.begin(), places.end(), line.begin(), at);
  } else {
    put_in_order(line);
  }
  Ranked most;
  int64_t run = 0, longest = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    ++run;
    const bool alike = i + 1 < line.size() && (has_nan ? line[i + 1].value.real == line[i].value.real
                                                       : !is_above(line[i + 1].value, line[i].value));
    if (alike) continue;
    if (run > longest) most = line[i], longest = run;
    run = 0;
  }
  return most;
}

/// One element of each line, and where it stood, as packed tensors. Only of the values something is said.
Value values_and_places(Call& call, const Rows& rows, DType dtype, const Ranks& found) {
  const auto at = [&](int64_t row) { return found[static_cast<size_t>(row)]; };
  const Value values = reduced(call, rows, dtype, [&](int64_t row) { return at(row).value; });
  const size_t said = call.said();
  const Value places =
      reduced(call, rows, DType::int64, [&](int64_t row) { return integer_scalar(at(row).place, DType::int64); });
  call.unsay(said);
  return call.tuple({values, places}, Sequence::Kind::ranked);
}

Ranks line_of(const Rows& rows, int64_t row) {
  Ranks line;
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
  if (rank > 0 && (is_complex(tensor.dtype) ? !mode || !none : !mode && tensor.dtype == DType::boolean)) {
    const std::string kernel = std::string(function) + "_cpu";
    return no_kernel(call, kernel, tensor.dtype);
  }
  Rows rows = rows_along(tensor, {d}, keep);
  Ranks found;
  for (int64_t row = 0; row < rows.count && !rows.unknown; ++row) {
    Ranks line = line_of(rows, row);
    const bool has_nan =
        std::any_of(line.begin(), line.end(), [](const Ranked& one) { return std::isnan(one.value.real); });
    rows.unknown = mode && has_nan && rows.each > most_in_any_order;
    if (!rows.unknown) found.push_back(mode ? mode_of(std::move(line), has_nan) : kth_of(std::move(line), k - 1));
  }
  const Value both = values_and_places(call, rows, tensor.dtype, found);
  if (mode)
    call.why(Msg::mode_picks);
  else
    call.why(Msg::kth_picks, {k, size});
  return both;
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
    return no_kernel(call, kernel, tensor.dtype);
  }
  if (none && !along && is_whole(tensor.dtype))
    return call.refuse(Msg::not_modelled, {"PyTorch", std::string(call.name()) + "() of nothing"});
  if (along && shares_cells(tensor)) return call.about_receiver().refuse(Msg::median_reads_beyond, {call.name()});
  const Rows rows = rows_along(tensor, along ? Dims{d} : all_dims(tensor), keep);
  Ranks found;
  for (int64_t row = 0; row < rows.count && !rows.unknown; ++row) {
    Ranks line = line_of(rows, row);
    found.push_back(line.empty() ? Ranked{real_scalar(std::nan(""), tensor.dtype)}
                                 : middle_of(std::move(line), skip_nan));
  }
  if (along) return values_and_places(call, rows, tensor.dtype, found);
  return reduced(call, rows, tensor.dtype, [&](int64_t row) { return found[static_cast<size_t>(row)].value; });
}

}  // namespace

std::span<const Op> torch_order_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "x.sort(dim: int = -1, descending: bool = False)\ntorch.sort(input: tensor, dim: int = -1, descending: bool = "
       "False)\nx.argsort(dim: int = -1, descending: bool = False)\n"
       "torch.argsort(input: tensor, dim: int = -1, descending: bool = False)",
       Msg::op_sort, "along dim in order: (values, indices); a dense layout is kept",
       "x = torch.tensor([3, 1, 2])\ny = x.sort()", sort_row},
      {Library::torch,
       "x.sort(*, stable: bool = None, dim: int = -1, descending: bool = False)\ntorch.sort(input: tensor, *, stable: "
       "bool = None, dim: int = -1, descending: bool = False)\n"
       "x.argsort(*, stable: bool, dim: int = -1, descending: bool = False)\ntorch.argsort(input: tensor, *, stable: "
       "bool, dim: int = -1, descending: bool = False)",
       Msg::op_sort, "along dim in order, equal ones as they stood: (values, indices)",
       "x = torch.tensor([3, 1, 2])\ny = x.sort(stable=True)", sort_row},
      {Library::torch, "x.msort()\ntorch.msort(input: tensor)", Msg::op_sort, "along the first dim in order",
       "x = torch.tensor([[3, 1], [2, 4]])\ny = x.msort()", sort_row},
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
  };
  return rows;
}

}  // namespace stridescope

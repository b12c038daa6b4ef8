// Einstein's notation: letters name axes, and what the result leaves out is summed.
#include <algorithm>

#include "layout/contiguity.h"
#include "ops/fold.h"
#include "ops/numpy/numpy.h"
#include "ops/numpy/subscripts.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Of one operand without a sum: its axes named anew, those of one letter seen as their diagonal. Nothing where there
/// is a sum, or where the call failed.
std::optional<Layout> as_view(Call& call, const Equation& equation, const Layout& layout) {
  const Letters& own = equation.operands.front();
  const int rank = static_cast<int>(equation.result.size());
  Layout view{Dims::filled(rank, 0), Dims::filled(rank, 0), layout.storage_offset};
  int free = 0;
  for (int d = 0; d < layout.rank(); ++d) {
    const char letter = own[static_cast<size_t>(d)];
    int place = 0;
    if (letter == no_letter) {
      while (equation.result[static_cast<size_t>(free)] != no_letter) ++free;
      place = free++;
    } else {
      if (!holds_letter(equation.result, letter)) return std::nullopt;
      place =
          static_cast<int>(std::find(equation.result.begin(), equation.result.end(), letter) - equation.result.begin());
    }
    if (view.sizes[place] != 0 && view.sizes[place] != layout.sizes[d])
      return misread(call, equation,
                     {"dimensions in single operand for collapsing index '", std::string(1, letter), "' don't match (",
                      view.sizes[place], " != ", layout.sizes[d], ")"}),
             std::nullopt;
    view.sizes[place] = layout.sizes[d];
    view.strides[place] += layout.strides[d];
  }
  return view;
}

/// One operand under the axes that are walked: those of the result, then those that are summed.
struct Walked {
  Layout own;    ///< axes of one letter as their diagonal
  Dims axis_of;  ///< of each walked axis: the axis of `own`, or -1
};

Walked walked(Call& call, const Equation& equation, size_t number, const Layout& layout, const Letters& all) {
  Walked result{{{}, {}, layout.storage_offset}, Dims::filled(static_cast<int>(all.size()), -1)};
  const Letters& own = equation.operands[number];
  Letters kept;
  for (int d = 0; d < layout.rank(); ++d) {
    const char letter = own[static_cast<size_t>(d)];
    const auto same = std::find(kept.begin(), kept.end(), letter);
    if (letter == no_letter || same == kept.end()) {
      kept.push_back(letter);
      result.own.sizes.push_back(layout.sizes[d]);
      result.own.strides.push_back(layout.strides[d]);
      continue;
    }
    const int at = static_cast<int>(same - kept.begin());
    const int64_t size = result.own.sizes[at];
    if (size != layout.sizes[d])
      misread(call, equation,
              {"dimensions in operand ", number, " for collapsing index '", std::string(1, letter), "' don't match (",
               size, " != ", layout.sizes[d], ")"});
    result.own.strides[at] += layout.strides[d];
  }
  // Unnamed axes are the last of all of them.
  int left = static_cast<int>(std::count(kept.begin(), kept.end(), no_letter));
  int skip = static_cast<int>(std::count(all.begin(), all.end(), no_letter)) - left, next = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    if (all[k] != no_letter) {
      const auto at = std::find(kept.begin(), kept.end(), all[k]);
      if (at != kept.end()) result.axis_of[static_cast<int>(k)] = at - kept.begin();
    } else if (skip-- <= 0) {
      while (kept[static_cast<size_t>(next)] != no_letter) ++next;
      result.axis_of[static_cast<int>(k)] = next++;
    }
  }
  return result;
}

/// When sums of float16, which are reckoned in float32, are rounded: where they end, after each product, or sometimes.
enum class Rounded : uint8_t { once, each, sometimes };

/// @param order  the axes as the iterator goes over them, the slowest first; those from `kept` on are summed over
Rounded rounded_when(const Dims& sizes, const Dims& order, int kept) {
  int64_t innermost = 0;
  int summed = 0;
  for (const int64_t axis : order) {
    if (sizes[static_cast<int>(axis)] == 1) continue;
    innermost = axis;
    summed += axis < kept ? 0 : 1;
  }
  return summed > 1 ? Rounded::sometimes : innermost < kept ? Rounded::each : Rounded::once;
}

/// `count` sums of `terms` products of an element of each operand; null where the call failed.
ContentsPtr sums_of(Call& call, const std::vector<Elements>& operands, DType dtype, int64_t count, int64_t terms,
                    Rounded rounded) {
  const int64_t work = count * terms;
  if (ContentsPtr unreckoned = call.unreckoned(dtype, count, work)) return unreckoned;
  for (const Elements& one : operands)
    if (!call.quick(one, work)) return nullptr;
  const bool boolean = dtype == DType::boolean, half = dtype == DType::float16;
  const DType wide = half ? DType::float32 : dtype;
  bool exact = true;  // nothing has been rounded
  std::vector<Scalar> values;
  for (int64_t i = 0; i < count; ++i) {
    Scalar sum = converted({DType::int64}, wide), stepped = sum;
    for (int64_t k = 0; k < terms; ++k) {
      Scalar product = converted({DType::int64, 1}, wide);
      for (const Elements& one : operands) {
        const Scalar factors[] = {product, converted(converted(element(one, i * terms + k), dtype), wide)};
        product = reckon(boolean ? Arithmetic::bit_and : Arithmetic::multiply, factors);
      }
      const auto plus = [&](const Scalar& so_far) {
        return reckon(boolean ? Arithmetic::bit_or : Arithmetic::add, std::array{so_far, product});
      };
      sum = plus(sum);
      if (!half) continue;
      const Scalar more = plus(stepped);
      stepped = converted(converted(more, dtype), wide);
      exact = exact && more.real == stepped.real;
    }
    sum = converted(sum, dtype), stepped = converted(stepped, dtype);
    if (rounded == Rounded::sometimes && !exact) {
      call.why(Msg::unknown_values);
      return unknown_contents(dtype, count);
    }
    values.push_back(half && rounded == Rounded::each ? stepped : sum);
  }
  return literal_contents(values, dtype);
}

/// What is summed, in a new array or in `out`.
Value summed(Call& call, const Equation& equation, const std::vector<TensorRef>& arrays, DType dtype,
             const TensorRef& out) {
  Letters all = equation.result;
  for (const Letters& own : equation.operands)
    for (const char letter : own)
      if (letter != no_letter && !holds_letter(all, letter)) all.push_back(letter);
  if (all.size() > static_cast<size_t>(max_rank))
    return misread(call, equation, "einstein sum subscript string has too many distinct labels");
  const int rank = static_cast<int>(all.size()), kept = static_cast<int>(equation.result.size());
  std::vector<Walked> parts;
  Dims sizes = Dims::filled(rank, 1);
  bool fits = true;
  std::optional<int> small;  // an axis of `out` that has no room
  std::string shapes;
  for (size_t i = 0; i < arrays.size(); ++i) {
    parts.push_back(walked(call, equation, i, arrays[i]->tensor->layout, all));
    if (call.failed()) return {};
    const auto& [own, axis_of] = parts.back();
    Dims seen;
    for (int k = 0; k < rank; ++k) {
      const int64_t size = axis_of[k] < 0 ? -1 : own.sizes[static_cast<int>(axis_of[k])];
      seen.push_back(size);
      if (size < 0 || size == 1) continue;
      fits = fits && (sizes[k] == 1 || sizes[k] == size);
      sizes[k] = size;
    }
    shapes += shape_text(own.sizes) + "->" + requested_text(seen) + " ";
  }
  const Dims held = out ? out->tensor->layout.sizes : Dims{};
  if (out && held.size() != kept)
    return call.about("out").fail(
        "ValueError",
        {"out parameter does not have the correct number of dimensions, has ", held.size(), " but should have ", kept},
        Msg::np_einsum_subscripts, {equation.text});
  if (out && !numpy_writeable(call, *out->tensor, "operand array with iterator write flag set is read-only")) return {};
  Dims stored = Dims::filled(rank, -1);
  for (int k = 0; k < held.size(); ++k) {
    stored[k] = held[k];
    fits = fits && (held[k] == 1 || sizes[k] == 1 || sizes[k] == held[k]);
    if (held[k] == 1 && sizes[k] > 1) small = k;
    if (held[k] != 1) sizes[k] = held[k];
  }
  if (out) shapes += shape_text(held) + "->" + requested_text(stored) + " ";
  if (!fits)
    return call.fail("ValueError",
                     {"operands could not be broadcast together with remapped shapes [original->remapped]: ", shapes},
                     Msg::np_einsum_subscripts, {equation.text});
  if (small)
    return call.about("out").fail("ValueError",
                                  {"output operand requires a reduction along dimension ", *small,
                                   ", but the reduction is not enabled. The dimension size of 1 does not match the "
                                   "expected output shape."},
                                  Msg::np_einsum_subscripts, {equation.text});
  const auto work = numel(sizes);
  if (!work) return call.refuse(Msg::beyond_int64);
  std::vector<Elements> operands;
  std::vector<Layout> layouts;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const auto& [own, axis_of] = parts[i];
    Layout layout{sizes, Dims::filled(rank, 0), own.storage_offset};
    for (int k = 0; k < rank; ++k)
      if (const int d = static_cast<int>(axis_of[k]); d >= 0 && own.sizes[d] != 1) layout.strides[k] = own.strides[d];
    layouts.push_back(layout);
    operands.push_back({arrays[i]->tensor->storage->contents, layout, arrays[i]->tensor->dtype});
  }
  Dims own_sizes;
  for (int k = 0; k < kept; ++k) own_sizes.push_back(sizes[k]);
  const int64_t count = *numel(own_sizes), terms = count > 0 ? *work / count : 0;
  const ContentsPtr sums =
      sums_of(call, operands, dtype, count, terms, rounded_when(sizes, iteration_order(layouts), kept));
  if (!sums) return {};
  if (!out) call.why(Msg::np_einsum_headline, {equation.text, to_string(own_sizes), terms});
  for (int k = kept; k < rank; ++k)
    call.why(Msg::np_einsum_letter, {std::string(1, all[static_cast<size_t>(k)]), sizes[k]});
  if (out) return written_out(call, out, {sums, contiguous(own_sizes, itemsize(dtype)), dtype});
  // The result is laid out in the order in which all axes are walked.
  NumpyOrder wanted = numpy_order(call, "order", NumpyOrder::keep);
  const auto by_columns = [](const TensorRef& one) {
    return is_f_contiguous(one->tensor->layout, one->tensor->item_bytes());
  };
  if (wanted == NumpyOrder::any)
    wanted = std::all_of(arrays.begin(), arrays.end(), by_columns) ? NumpyOrder::fortran : NumpyOrder::c;
  Dims order;
  for (const int64_t k : iteration_order(layouts))
    if (k < kept) order.push_back(k);
  if (wanted == NumpyOrder::c) order = fortran_order(kept);
  if (wanted == NumpyOrder::fortran) order = c_order(kept);
  auto [layout, contents] = laid_out(sums, own_sizes, order, dtype);
  return scalar_if_0d(call, call.fresh(dtype, layout, std::move(contents)));
}

Value einsum(Call& call) {
  const std::vector<Value> given = *std::get<Sequence>(call.value("operands").held).items;
  if (given.empty())
    return call.fail("ValueError",
                     "must specify the einstein sum subscripts string and at least one operand, or at least one "
                     "operand and its corresponding subscripts list",
                     Msg::np_einsum_subscripts, {""});
  std::string text;
  std::vector<TensorRef> arrays;
  if (const auto* written = std::get_if<std::string>(&given.front().held)) {
    text = *written;
    if (given.size() == 1)
      return call.fail("ValueError", "must specify the einstein sum subscripts string and at least one operand",
                       Msg::np_einsum_subscripts, {text});
    for (size_t i = 1; i < given.size(); ++i) arrays.push_back(as_array(call, given[i]));
  } else {
    // Each operand is followed by its list; what is left at the end is the result's.
    if (given.size() == 1)
      return call.fail("ValueError", "must provide at least an operand and a subscripts list to einsum",
                       Msg::np_einsum_subscripts, {to_string(given.front())});
    for (size_t i = 0; i + 1 < given.size(); i += 2) {
      text += (i > 0 ? "," : "") + letters_of(call, given[i + 1]);
      arrays.push_back(as_array(call, given[i]));
    }
    if (given.size() % 2 == 1) text += "->" + letters_of(call, given.back());
  }
  const Value& out = call.value("out");
  if (call.given("out") && !tensor_of(out))
    return call.about("out").fail_parser("keyword parameter out must be an array for einsum", Msg::np_array_needed,
                                         {type_name(out)});
  const TensorRef target = call.given("out") ? std::get<TensorRef>(out.held) : nullptr;
  const bool optimize = call.truth("optimize");
  const auto wanted = dtype_argument(call);
  const Casting casting = numpy_casting(call, Casting::safe);
  numpy_order(call, "order", NumpyOrder::keep);
  if (arrays.size() > 1 && optimize) return call.about("optimize").refuse(Msg::not_modelled, {"NumPy", "optimize="});
  if (call.failed()) return {};
  const Equation equation = read_subscripts(call, text, arrays);
  if (call.failed()) return {};
  if (arrays.size() == 1 && !target) {
    const auto view = as_view(call, equation, arrays[0]->tensor->layout);
    if (call.failed()) return {};
    if (view) {
      const Value result = call.view(*arrays[0]->tensor, *view);
      call.why(Msg::np_einsum_view, {text, to_string(view->sizes), to_string(view->strides)});
      return scalar_if_0d(call, result);
    }
  }
  DType dtype = arrays.front()->tensor->dtype;
  for (const TensorRef& array : arrays) dtype = numpy_promoted(dtype, array->tensor->dtype);
  for (const TensorRef& array : arrays)
    if (wanted && !check_cast(call, *array->tensor, *wanted, casting)) return {};
  if (target) dtype = numpy_promoted(dtype, target->tensor->dtype);
  if (wanted) dtype = *wanted;
  if (target && !can_cast(dtype, target->tensor->dtype, casting))
    return call.about("out").fail_parser(
        {"Iterator requested dtype could not be cast from dtype('", name(dtype), "') to dtype('",
         name(target->tensor->dtype), "'), the operand ", arrays.size(), " dtype, according to the rule '",
         call.given("casting") ? to_string(call.value("casting")) : "'safe'"},
        Msg::np_cannot_cast, {name(dtype), name(target->tensor->dtype)});
  return summed(call, equation, arrays, dtype, target);
}

}  // namespace

std::span<const Op> numpy_einsum_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "np.einsum(*operands: any = (), out=None, optimize=False, dtype=None, order='K', casting='safe')",
       Msg::op_np_einsum, "a letter for each axis; 'ij,jk->ik' sums over j",
       "x = np.arange(6).reshape(2, 3)\ny = np.einsum('ij,kj->ik', x, x)", einsum},
  };
  return rows;
}

}  // namespace stridescope

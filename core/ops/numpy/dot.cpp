// Sums of products over axes of any place: dot, inner, tensordot and outer.
#include <algorithm>

#include "ops/fold.h"
#include "ops/numpy/product.h"
#include "ops/numpy/ufunc.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// Whether the one element of `number` makes everything 0, also what is infinite: so it is where a BLAS multiplies
/// `count` elements by it, which NumPy's cblas_matrixproduct does not ask of one element.
bool nothing_to_blas(const Tensor& number, DType dtype, int64_t count) {
  return count != 1 && !is_whole(dtype) && dtype != DType::float16 && !is_true(element(elements_of(number), 0));
}

/// All axes of `a` but its last by all of `b` but its axis `axis`, summed over these two.
Value contracted(Call& call, const Tensor& a, const Tensor& b, int axis) {
  const int last = a.layout.rank() - 1;
  if (a.layout.sizes[last] != b.layout.sizes[axis])
    return call.fail("ValueError",
                     {"shapes ", shape_text(a.layout.sizes), " and ", shape_text(b.layout.sizes), " not aligned: ",
                      a.layout.sizes[last], " (dim ", last, ") != ", b.layout.sizes[axis], " (dim ", axis, ")"},
                     Msg::last_sizes_differ, {to_string(a.layout.sizes), to_string(b.layout.sizes)});
  if (a.layout.rank() + b.layout.rank() - 2 > max_rank)
    return call.fail("ValueError", "dot: too many dimensions in result", Msg::np_too_many_axes, {max_rank});
  Dims sizes = a.layout.sizes, order{axis};
  sizes.pop_back();
  const int64_t inner = a.layout.sizes[last], rows = *numel(sizes);
  int64_t columns = 1;
  for (int d = 0; d < b.layout.rank(); ++d)
    if (d != axis) order.push_back(d), sizes.push_back(b.layout.sizes[d]), columns *= b.layout.sizes[d];
  const DType dtype = numpy_promoted(a.dtype, b.dtype);
  Elements turned = elements_of(b);
  turned.layout = permute(turned.layout, order);
  // Both as matrices: their elements, row by row, are all that matters.
  const auto matrix = [](const Elements& elements, int64_t height, int64_t width) {
    return Elements{gather(elements, elements.dtype), contiguous({height, width}, itemsize(elements.dtype)),
                    elements.dtype};
  };
  const Elements left = matrix(elements_of(a), rows, inner), right = matrix(turned, inner, columns);
  ContentsPtr sums = products(call, left, right, dtype);
  if (!sums) return {};
  if (a.layout.rank() <= 2 && b.layout.rank() <= 2 && is_known(*sums))
    for (const Tensor* one : {&a, &b})
      if (count_of(*one) == 1 && nothing_to_blas(*one, dtype, rows * columns))
        sums = constant_contents(converted({DType::int64}, dtype), rows * columns);
  explain_product(call, rows, inner, columns, sizes, a, b);
  return scalar_if_0d(call, numpy_fresh(call, sizes, dtype, std::move(sums)));
}

/// Sums over the last axis of both: of a and, its last two axes swapped, the last but one of b. With a number among
/// them each element of the other is multiplied by it.
Value summed(Call& call, bool inner) {
  const Value &one = call.first(), &other = call.value("b");
  for (const Value* none : {&one, &other})  // an object, by which each element is multiplied
    if (const TensorPtr& by = tensor_of(none == &one ? other : one); is_none(*none) && by && count_of(*by) > 0)
      return call.about(*none).fail_parser(
          {"unsupported operand type(s) for *: '", type_name(one), "' and '", type_name(other), "'"},
          Msg::operands_do_not_fit, {"*", type_name(one), type_name(other)});
  const TensorRef first = as_array(call, call.first()), second = as_array(call, call.value("b"));
  if (call.failed()) return {};
  const Tensor& a = *first->tensor;
  Tensor b = *second->tensor;
  if (a.layout.rank() == 0 || b.layout.rank() == 0) {
    // Both have the dtype of the product before they are multiplied.
    const DType common = numpy_promoted(a.dtype, b.dtype);
    const size_t said = call.said();
    const auto as_common = [&](const TensorRef& side) {
      if (side->tensor->dtype == common || side->tensor->layout.rank() == 0) return side;
      return as_array(call, numpy_copy(call, *side->tensor, NumpyOrder::keep, common));
    };
    const TensorRef left = as_common(first), right = as_common(second);
    call.unsay(said);
    if (call.failed()) return {};
    const Value scaled = apply_binary(call, binary_ufunc("*"), {left, false, {}}, {right, false, {}});
    const TensorPtr result = tensor_of(scaled);
    if (!result || result->layout.rank() > 2 || is_whole(result->dtype) || result->dtype == DType::float16)
      return scaled;
    // What a BLAS reckons, of a matrix at most, is packed row by row.
    const bool nothing = nothing_to_blas(a.layout.rank() == 0 ? a : b, result->dtype, count_of(*result));
    if (!nothing && is_contiguous(result->layout, unit_of(*result))) return scaled;
    return numpy_fresh(call, result->layout.sizes, result->dtype,
                       nothing ? constant_contents(converted({DType::int64}, result->dtype), count_of(*result))
                               : gather(elements_of(*result), result->dtype));
  }
  const int rank = b.layout.rank();
  if (inner && rank > 1) b.layout = transpose(b.layout, rank - 2, rank - 1);
  return contracted(call, a, b, std::max(rank - 2, 0));
}

/// The array given as out=, which must be as the one that would be made for the result; null where the call failed.
/// @pre it is one.   Source: new_array_for_sum in numpy/_core/src/common/cblasfuncs.c
TensorRef dot_out(Call& call, const Dims& sizes, DType dtype) {
  const TensorRef given = std::get<TensorRef>(call.value("out").held);
  const Tensor& out = *given->tensor;
  if (out.dtype != dtype || out.layout.rank() != sizes.size() || !is_contiguous(out.layout, unit_of(out)) ||
      !out.writeable)
    call.about("out").fail(
        "ValueError",
        "output array is not acceptable (must have the right datatype, number of dimensions, and be a "
        "C-Array)",
        Msg::np_dot_out, {name(dtype), to_string(sizes)});
  else if (out.layout.sizes != sizes)
    call.about("out").fail("ValueError", "output array has wrong dimensions", Msg::np_dot_out,
                           {name(dtype), to_string(sizes)});
  return call.failed() ? nullptr : given;
}

/// With out= the result is written there, and a number is given all the same.
Value dot_row(Call& call) {
  if (const Value& out = call.value("out"); call.given("out") && !tensor_of(out))
    return call.about("out").fail_parser("'out' must be an array", Msg::np_array_needed, {type_name(out)});
  const Value made = summed(call, false);
  if (call.failed() || !call.given("out")) return made;
  const auto* number = std::get_if<NumpyScalar>(&made.held);
  const Elements result = !number ? elements_of(*tensor_of(made))
                                  : Elements{number->is_known() ? constant_contents(number->value(), 1)
                                                                : unknown_contents(number->dtype(), 1),
                                             Layout{}, number->dtype()};
  const auto is_number = [](const Value& value) {
    const TensorPtr array = tensor_of(value);
    return array ? array->layout.rank() == 0 : !std::holds_alternative<Sequence>(value.held);
  };
  const bool scales = is_number(call.first()) || is_number(call.value("b"));
  // A number by what no BLAS multiplies goes through multiply().
  const bool floats = !is_whole(result.dtype) && result.dtype != DType::float16;
  if (scales && (!floats || result.layout.rank() > 2)) return call.about("out").refuse(Msg::np_out_unknown);
  const TensorRef out = dot_out(call, result.layout.sizes, result.dtype);
  if (call.failed() || scales) call.unsay(0);  // of an array that is not made
  if (call.failed()) return {};
  written_out(call, out, result);
  return number ? made : Value{out};
}

Value inner_row(Call& call) { return summed(call, true); }

/// outer() in the array given as out=, as multiply() of a column and a row fills it.  @pre it is given
Value outer_into(Call& call, Elements products, const Dims& sizes) {
  const Value& given = call.value("out");
  if (!tensor_of(given))
    return call.about("out").fail_parser("return arrays must be of ArrayType", Msg::np_array_needed,
                                         {type_name(given)});
  const TensorRef out = std::get<TensorRef>(given.held);
  const Tensor& target = *out->tensor;
  if (!numpy_writeable(call, target, "output array is read-only") ||
      !check_ufunc_cast(call, binary_ufunc("*"), "output", products.dtype, target.dtype, Casting::same_kind))
    return {};
  const Dims& held = target.layout.sizes;
  const Dims column{sizes[0], 1}, row{1, sizes[1]};
  const auto common = broadcast_sizes({sizes, held});
  if (!common)
    return call.about("out").fail("ValueError",
                                  {"operands could not be broadcast together with shapes ", shape_text(column), " ",
                                   shape_text(row), " ", shape_text(held), " "},
                                  Msg::np_out_sizes, {to_string(held), to_string(sizes)});
  if (*common != held)
    return call.about("out").fail("ValueError",
                                  {"non-broadcastable output operand with shape ", shape_text(held),
                                   " doesn't match the broadcast shape ", shape_text(*common)},
                                  Msg::np_out_sizes, {to_string(held), to_string(sizes)});
  return written_out(call, out, products);
}

/// a[i] * b[j] of both raveled.
Value outer_row(Call& call) {
  const TensorRef first = as_array(call, call.value("a")), second = as_array(call, call.value("b"));
  if (call.failed()) return {};
  const int ranks[] = {first->tensor->layout.rank(), second->tensor->layout.rank()};
  if (call.name() == "numpy.linalg.outer" && (ranks[0] != 1 || ranks[1] != 1))
    return call.fail(
        "ValueError",
        {"Input arrays must be one-dimensional, but they are x1.ndim=", ranks[0], " and x2.ndim=", ranks[1], "."},
        Msg::np_outer_ranks, {ranks[0], ranks[1]});
  const std::vector<Tensor> flat = raveled(call, {*first->tensor, *second->tensor});
  Tensor a = flat[0], b = flat[1];
  a.layout = insert_dim(a.layout, 1, 0);
  const Dims sizes{a.layout.sizes[0], b.layout.sizes[0]};
  const DType dtype = numpy_promoted(a.dtype, b.dtype);
  const Elements factors[] = {broadcast_elements(a, sizes), broadcast_elements(b, sizes)};
  if (call.given("out")) {
    const ContentsPtr products = elementwise(Arithmetic::multiply, factors, dtype, dtype);
    return outer_into(call, {products, contiguous(sizes, itemsize(dtype)), dtype}, sizes);
  }
  const Layout target = owned_layout(call, sizes, dtype);
  if (call.failed()) return {};
  call.why(Msg::np_elementwise_headline, {*numel(target.sizes), to_string(sizes), name(dtype)});
  return numpy_fresh(call, sizes, dtype, elementwise(Arithmetic::multiply, factors, dtype, dtype));
}

/// The axes of one operand as a list: a number stands for a list of one.
std::vector<int64_t> listed_axes(Call& call, const Value& axes) {
  const auto list = integer_list(call, axes);
  return list ? *list : std::vector<int64_t>{};
}

/// What an array gives where it is gone through: the row number `k`.
Value row_of(const Tensor& table, int64_t k) {
  Tensor row = table;
  row.layout = select(row.layout, 0, k);
  if (row.layout.rank() == 0) return {scalar_at(elements_of(row), 0)};
  return {nameless(row)};
}

Value tensordot(Call& call) {
  const Value& axes = call.value("axes");
  const TensorPtr given = tensor_of(axes), table = given && given->layout.rank() > 0 ? given : nullptr;
  if (table && table->layout.rank() > 2 && table->layout.sizes[0] == 2 && count_of(*table) > 0)
    return call.about("axes").fail_parser("only integer scalar arrays can be converted to a scalar index",
                                          Msg::np_not_an_integer, {"ndarray"});
  const auto items = table ? std::nullopt : python_items(axes);
  std::vector<int64_t> first, second;
  if (table || items) {
    const int64_t count = table ? table->layout.sizes[0] : static_cast<int64_t>(items->size());
    if (count != 2)
      return call.about("axes").fail("ValueError",
                                     count > 2 ? Slots{"too many values to unpack (expected 2)"}
                                               : Slots{"not enough values to unpack (expected 2, got ", count, ")"},
                                     Msg::unpack_count, {2, count});
    first = listed_axes(call, table ? row_of(*table, 0) : (*items)[0]);
    second = listed_axes(call, table ? row_of(*table, 1) : (*items)[1]);
  } else {
    const auto count = as_integer(axes);
    if (!count)
      return call.about("axes").fail_parser({"'", attribute_type(axes), "' object cannot be interpreted as an integer"},
                                            Msg::np_not_an_integer, {type_name(axes)});
    for (int64_t k = 0; k < *count && k <= max_rank; ++k) first.push_back(k - *count), second.push_back(k);
  }
  const TensorRef a_ref = as_array(call, call.value("a")), b_ref = as_array(call, call.value("b"));
  if (call.failed()) return {};
  const Tensor &a = *a_ref->tensor, &b = *b_ref->tensor;
  const auto refuse_sizes = [&] { return call.fail("ValueError", "shape-mismatch for sum", Msg::np_tensordot_sizes); };
  if (first.size() != second.size()) return refuse_sizes();
  for (size_t k = 0; k < first.size(); ++k) {
    const std::pair<const Tensor*, int64_t*> sides[] = {{&a, &first[k]}, {&b, &second[k]}};
    int64_t sizes[2] = {};
    for (int side = 0; side < 2; ++side) {
      const int rank = sides[side].first->layout.rank();
      int64_t& axis = *sides[side].second;
      if (axis < -rank || axis >= rank)
        return call.about("axes").fail("IndexError", "tuple index out of range", Msg::np_axis_out_of_range,
                                       {axis, rank});
      if (axis < 0) axis += rank;
      sizes[side] = sides[side].first->layout.sizes[static_cast<int>(axis)];
    }
    if (sizes[0] != sizes[1]) return refuse_sizes();
  }
  Dims sizes, order[2];
  int64_t counts[2] = {1, 1}, inner = 1;
  const std::pair<const Tensor*, const std::vector<int64_t>*> sides[] = {{&a, &first}, {&b, &second}};
  for (int side = 0; side < 2; ++side) {
    const auto& [tensor, summed_axes] = sides[side];
    Dims kept, folded;
    for (const int64_t axis : *summed_axes) {
      if (folded.full()) return call.refuse(Msg::np_too_many_axes, {max_rank});
      folded.push_back(axis);
    }
    for (int d = 0; d < tensor->layout.rank(); ++d) {
      if (std::find(folded.begin(), folded.end(), d) != folded.end()) continue;
      if (sizes.full()) return call.refuse(Msg::np_too_many_axes, {max_rank});
      kept.push_back(d);
      sizes.push_back(tensor->layout.sizes[d]);
      counts[side] *= tensor->layout.sizes[d];
    }
    if (kept.size() + folded.size() != tensor->layout.rank())
      return call.about("axes").fail("ValueError", "axes don't match array", Msg::np_axes_count,
                                     {tensor->layout.rank(), kept.size() + folded.size()});
    Dims& both = order[side];
    both = side == 0 ? kept : folded;
    for (const int64_t d : side == 0 ? folded : kept) both.push_back(d);
  }
  for (const int64_t axis : first) inner *= a.layout.sizes[static_cast<int>(axis)];
  const auto matrix = [](const Tensor& tensor, const Dims& axes_order, int64_t rows, int64_t columns) {
    Elements elements = elements_of(tensor);
    elements.layout = permute(elements.layout, axes_order);
    return Elements{gather(elements, elements.dtype), contiguous({rows, columns}, itemsize(elements.dtype)),
                    elements.dtype};
  };
  const Elements left = matrix(a, order[0], counts[0], inner), right = matrix(b, order[1], inner, counts[1]);
  const DType dtype = numpy_promoted(a.dtype, b.dtype);
  ContentsPtr sums = products(call, left, right, dtype);
  if (!sums) return {};
  // A product of matrices seen under the other axes.
  const Value product = numpy_fresh(call, {counts[0], counts[1]}, dtype, std::move(sums));
  if (call.failed()) return {};
  const size_t said = call.said();
  const Value result = numpy_reshape(call, *tensor_of(product), sizes, NumpyOrder::c);
  call.unsay(said);
  call.relation(Relation::fresh);
  const auto text = [](const std::vector<int64_t>& list) { return to_string(Dims(list)); };
  call.why(Msg::np_product_headline, {counts[0], inner, counts[1], to_string(sizes)});
  if (!first.empty()) call.why(Msg::np_tensordot_axes, {text(first), text(second)});
  return result;
}

}  // namespace

std::span<const Op> numpy_dot_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.dot(a, b, out=None)\nx.dot(b, out=None)", Msg::op_np_product,
       "the sum over the last axis of a and the last but one of b, in C order",
       "x = np.arange(6).reshape(2, 3)\ny = x.dot(x.T)", dot_row},
      {Library::numpy, "np.inner(a, b)", Msg::op_np_product, "the sum over the last axes of both, in C order",
       "x = np.arange(6).reshape(2, 3)\ny = np.inner(x, x)", inner_row},
      {Library::numpy, "np.tensordot(a, b, axes=2)\nnp.linalg.tensordot(x1, x2, /, *, axes=2)", Msg::op_np_tensordot,
       "the last axes of a with the first of b, or axes[0] of a with axes[1] of b",
       "x = np.arange(6).reshape(2, 3)\ny = np.tensordot(x, x, axes=(1, 1))", tensordot},
      {Library::numpy, "np.outer(a, b, out=None)\nnp.linalg.outer(x1, x2, /)", Msg::op_np_product,
       "y[i, j] = a[i] * b[j], both raveled", "x = np.arange(3)\ny = np.outer(x, x)", outer_row},
  };
  return rows;
}

}  // namespace stridescope

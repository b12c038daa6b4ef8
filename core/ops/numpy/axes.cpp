// The same bytes with axes in another order or reversed: views.
#include <algorithm>
#include <cmath>

#include "ops/members.h"
#include "ops/numpy/ufunc.h"
#include "ops/python/python.h"
#include "ops/python/text.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// The view with axes in the order `axes`, and where each comes from.
Value permuted(Call& call, const Tensor& array, const Dims& axes) {
  const Value result = numpy_view(call, array, permute(array.layout, axes));
  for (int k = 0; k < axes.size(); ++k)
    if (const int d = static_cast<int>(axes[k]); d != k)
      call.why(Msg::np_axis_moves, {Slot{d, call.axis(array, d)}, array.layout.sizes[d], array.layout.strides[d], k});
  return result;
}

Value reversed_axes(Call& call, const Tensor& array) { return permuted(call, array, c_order(array.layout.rank())); }

Value transposed(Call& call, const Value& given) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  // Alone in place of axes, None is none and an array all of them.
  const auto* written = std::get_if<Sequence>(&given.held);
  const bool alone = written && written->items->size() == 1 && call.one_by_one("axes");
  const Value& wanted = alone && !as_integer(written->items->front()) ? written->items->front() : given;
  const auto* sequence = std::get_if<Sequence>(&wanted.held);
  if (std::holds_alternative<None>(wanted.held)) return reversed_axes(call, array);
  const auto is_bool = [](const Value& value) {
    const TensorPtr many = tensor_of(value);
    return std::holds_alternative<bool>(value.held) ||
           (many && many->dtype == DType::boolean && many->layout.rank() > 0 && many->layout.sizes[0] > 0);
  };
  if (is_bool(wanted) || (sequence && std::any_of(sequence->items->begin(), sequence->items->end(), is_bool)))
    return call.about("axes").fail_parser("an integer is required", Msg::np_not_an_integer, {"bool"});
  if (const TensorPtr tensor = tensor_of(wanted); tensor && tensor->library == Library::torch && !as_integer(wanted))
    return call.about("axes").fail_parser({"expected a sequence of integers or a single integer, got '",
                                           python_repr(wanted).value_or("tensor(...)"), "'"},
                                          Msg::np_not_an_integer, {type_name(wanted)});
  const auto axes = integer_list(call, wanted);
  if (!axes) return {};
  const int rank = array.layout.rank();
  if (static_cast<int64_t>(axes->size()) != rank)
    return call.about("axes").fail("ValueError", "axes don't match array", Msg::np_axes_count,
                                   {rank, static_cast<int64_t>(axes->size())});
  Dims order;
  for (const int64_t axis : *axes) {
    const int d = numpy_axis(call, axis, rank);
    if (call.failed()) return {};
    if (std::find(order.begin(), order.end(), d) != order.end())
      return call.about("axes").fail("ValueError", "repeated axis in transpose", Msg::np_axis_repeated, {d});
    order.push_back(d);
  }
  return permuted(call, array, order);
}

/// Of a scalar a scalar.
Value transpose_to(Call& call, const Value& wanted) {
  const Value result = transposed(call, wanted);
  return !call.failed() && std::holds_alternative<NumpyScalar>(call.first().held) ? scalar_if_0d(call, result) : result;
}

Value swapaxes(Call& call) {
  const TensorRef source = receiver(call);
  const int64_t a = call.integer("axis1"), b = call.integer("axis2");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int first = numpy_axis(call, a, array.layout.rank(), "axis1: ", "axis1");
  const int second = numpy_axis(call, b, array.layout.rank(), "axis2: ", "axis2");
  if (call.failed()) return {};
  Dims axes = fortran_order(array.layout.rank());
  std::swap(axes[first], axes[second]);
  return permuted(call, array, axes);
}

Value moveaxis(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  const Dims from = normalized_axes(call, "source", rank, "source: ", "repeated axis in `source` argument");
  if (call.failed()) return {};
  const Dims to =
      normalized_axes(call, "destination", rank, "destination: ", "repeated axis in `destination` argument");
  if (call.failed()) return {};
  if (from.size() != to.size())
    return call.about("destination")
        .fail("ValueError", "`source` and `destination` arguments must have the same number of elements",
              Msg::np_move_counts, {from.size(), to.size()});
  const Value result = permuted(call, array, moved_dims(rank, from, to));
  return std::holds_alternative<NumpyScalar>(call.first().held) ? scalar_if_0d(call, result) : result;
}

Value rollaxis(Call& call) {
  const TensorRef source = receiver_with(call, "ndim");
  const int64_t wanted = call.integer("axis");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  const int axis = numpy_axis(call, wanted, rank);
  if (call.failed()) return {};
  // start < 0 is asked of whatever it is.
  if (const TensorPtr many = tensor_of(call.value("start")); many && count_of(*many) != 1) call.truth("start");
  // Compared and counted with, so that one element of any shape will do.
  const auto* real = std::get_if<Float>(&call.value("start").held);
  const bool whole = real && std::floor(*real) == *real && std::abs(*real) < 9e18;
  const auto number = whole ? std::optional(static_cast<int64_t>(*real)) : as_integer(call.value("start"));
  // An array of floats compares as a number, and is an index only where none is asked for.
  if (!number && tensor_of(call.value("start")))
    return call.about("start").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  const int64_t start = number ? *number : call.integer("start");
  if (call.failed()) return {};
  int64_t place = start < 0 ? start + rank : start;
  if (place < 0 || place > rank)
    return call.about("start").fail(
        "AxisError", {"'start' arg requires ", -rank, " <= start < ", rank + 1, ", but ", place, " was passed in"},
        Msg::np_roll_start, {start, -rank, rank});
  if (axis < place) --place;
  if (axis == place) return numpy_view(call, array, array.layout);
  if (real)
    return call.about("start").fail_parser("'float' object cannot be interpreted as an integer", Msg::np_not_an_integer,
                                           {"float"});
  Dims axes = fortran_order(rank);
  axes.erase(axis);
  axes.insert(static_cast<int>(place), axis);
  return permuted(call, array, axes);
}

// Reversing.

void explain_reversed(Call& call, const Tensor& array, int d) {
  call.why(Msg::np_axis_reversed, {Slot{d, call.axis(array, d)}, array.layout.strides[d], -array.layout.strides[d],
                                   (array.layout.sizes[d] - 1) * array.layout.strides[d]});
}

Value flipped(Call& call, const Tensor& array, const Dims& axes) {
  Layout layout = array.layout;
  for (const int64_t axis : axes) layout = flip(layout, static_cast<int>(axis));
  const Value result = numpy_view(call, array, layout);
  for (const int64_t axis : axes) {
    const int d = static_cast<int>(axis);
    if (array.layout.sizes[d] > 0) explain_reversed(call, array, d);
  }
  return array.layout.rank() == 0 ? numpy_scalar(call, array) : result;
}

Value flip_axes(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const Dims axes = call.given("axis") ? normalized_axes(call, "axis", array.layout.rank(), "", "repeated axis")
                                       : fortran_order(array.layout.rank());
  return call.failed() ? Value{} : flipped(call, array, axes);
}

Value flip_one(Call& call, int axis) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  if (source->tensor->layout.rank() <= axis)
    return call.fail("ValueError", {"Input must be >= ", axis + 1, "-d."}, Msg::np_too_few_axes,
                     {source->tensor->layout.rank(), axis + 1});
  return flipped(call, *source->tensor, {axis});
}

Value rot90(Call& call) {
  const TensorRef source = receiver(call);
  const TensorPtr table = tensor_of(call.value("axes"));
  const auto* pair = std::get_if<Sequence>(&call.value("axes").held);
  if (call.given("axes") && !pair && (!table || table->layout.rank() == 0))
    return call.about("axes").fail_parser({"'", attribute_type(call.value("axes")), "' object is not iterable"},
                                          Msg::not_iterable, {type_name(call.value("axes"))});
  if ((pair && pair->items->size() != 2) || (table && table->layout.sizes[0] != 2))
    return call.about("axes").fail("ValueError", "len(axes) must be 2.", Msg::np_two_axes);
  if (table && table->layout.rank() > 1) {
    Tensor row = *table;  // the first two rows are compared, whole
    row.layout = select(row.layout, 0, 0);
    if (count_of(row) != 1) return call.truth("axes", {nameless(row)}), Value{};
  }
  if (pair && python_equal((*pair->items)[0], (*pair->items)[1]))
    return call.about("axes").fail("ValueError", "Axes must be different.", Msg::np_two_axes);
  const auto is_float = [](const Value& value) { return std::holds_alternative<Float>(value.held); };
  if (pair && std::any_of(pair->items->begin(), pair->items->end(), is_float) && as_real(call.value("k")) != 2)
    return call.about("axes").refuse(Msg::not_modelled,
                                     {"NumPy", "np.rot90(axes=" + to_string(call.value("axes")) + ")"});
  const auto axes = call.given("axes") ? integer_list(call, call.value("axes")) : std::vector<int64_t>{0, 1};
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int rank = array.layout.rank();
  const int64_t a = (*axes)[0], b = (*axes)[1];
  const auto [low, high] = std::minmax(a, b);
  if (const uint64_t apart = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
      apart == 0 || apart == static_cast<uint64_t>(rank))
    return call.about("axes").fail("ValueError", "Axes must be different.", Msg::np_two_axes);
  if (a >= rank || a < -rank || b >= rank || b < -rank) {
    const std::string text = "(" + std::to_string(a) + ", " + std::to_string(b) + ")";
    return call.about("axes").fail("ValueError", {"Axes=", text, " out of range for array of ndim=", rank, "."},
                                   Msg::np_axis_out_of_range, {a >= rank || a < -rank ? a : b, rank});
  }
  const Value& k = call.value("k");
  if (const TensorPtr many = tensor_of(k)) {
    // k %= 4 is done to an array in its own memory.
    const TensorRef own = std::get<TensorRef>(k.held);
    if (!numpy_writeable(call, *many, "output array is read-only")) return {};
    apply_binary(call, binary_ufunc("%"), {own, false, {}}, operand(call, Value{int64_t{4}}), {own, nullptr, {}});
    if (count_of(*many) != 1) call.truth("k");
    if (call.failed()) return {};
  }
  if (!as_real(k))
    return call.about("k").fail_parser({"unsupported operand type(s) for %=: '", type_name(k), "' and 'int'"},
                                       Msg::argument_has_type, {"k", "int", type_name(k)});
  // Any number that is neither 0, 1 nor 2 of four turns three times.
  const double turns = std::fmod(std::fmod(*as_real(k), 4) + 4, 4);
  const int from = static_cast<int>(a < 0 ? a + rank : a), to = static_cast<int>(b < 0 ? b + rank : b);
  const int64_t quarter = turns == 0 ? 0 : turns == 1 ? 1 : turns == 2 ? 2 : 3;
  Layout layout = array.layout;
  if (quarter == 2) layout = flip(flip(layout, from), to);
  if (quarter == 1) layout = transpose(flip(layout, to), from, to);
  if (quarter == 3) layout = flip(transpose(layout, from, to), to);
  const Value result = numpy_view(call, array, layout);
  call.why(Msg::np_quarters, {quarter, from, to});
  const auto reversed = [&](int d) {
    if (array.layout.sizes[d] > 0) explain_reversed(call, array, d);
  };
  if (quarter == 1 || quarter == 2) reversed(to);
  if (quarter == 2 || quarter == 3) reversed(from);
  if (quarter % 2 == 1)
    for (const int d : {from, to}) call.why(Msg::np_axis_placed, {Slot{d, call.axis(array, d)}, d == from ? to : from});
  return result;
}

}  // namespace

std::span<const Op> numpy_axes_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.transpose(*axes=None)", Msg::op_np_transpose,
       "sizes'[k] = sizes[axes[k]];  strides'[k] = strides[axes[k]]",
       "x = np.arange(24).reshape(2, 3, 4)\ny = x.transpose(2, 0, 1)",
       [](Call& call) { return transpose_to(call, call.value("axes")); }, Op::Structured::arrays},
      {Library::numpy, "np.transpose(a, axes=None)\nnp.permute_dims(a, axes=None)", Msg::op_np_transpose,
       "sizes'[k] = sizes[axes[k]];  strides'[k] = strides[axes[k]]",
       "x = np.arange(24).reshape(2, 3, 4)\ny = np.transpose(x, (1, 0, 2))",
       [](Call& call) { return transpose_to(call, call.value("axes")); }, Op::Structured::arrays},
      {Library::numpy, "x.T", Msg::op_np_T, "sizes and strides in reverse order",
       "x = np.arange(6).reshape(2, 3)\ny = x.T",
       [](Call& call) {
         const bool scalar = std::holds_alternative<NumpyScalar>(call.value("x").held);
         return scalar ? call.value("x") : reversed_axes(call, *receiver(call)->tensor);
       },
       Op::Structured::arrays},
      {Library::numpy, "x.mT\nnp.matrix_transpose(x, /)\nnp.linalg.matrix_transpose(x, /)", Msg::op_np_mT,
       "the last two axes exchanged", "x = np.arange(24).reshape(2, 3, 4)\ny = x.mT",
       [](Call& call) -> Value {
         const TensorRef source = receiver(call);
         if (call.failed()) return {};
         const int rank = source->tensor->layout.rank();
         if (rank < 2)
           return call.fail("ValueError",
                            call.form().kind == Form::Kind::attribute
                                ? "matrix transpose with ndim < 2 is undefined"
                                : "Input array must be at least 2-dimensional, but it is " + std::to_string(rank),
                            Msg::np_too_few_axes, {rank, 2});
         Dims axes = fortran_order(rank);
         std::swap(axes[rank - 1], axes[rank - 2]);
         return permuted(call, *source->tensor, axes);
       },
       Op::Structured::arrays},
      {Library::numpy,
       "x.swapaxes(axis1: int | bool, axis2: int | bool, /)\nnp.swapaxes(a, axis1: int | bool, axis2: int | bool)",
       Msg::op_np_swapaxes, "axes axis1 and axis2 exchange size and stride",
       "x = np.arange(24).reshape(2, 3, 4)\ny = x.swapaxes(0, 2)", swapaxes, Op::Structured::arrays},
      {Library::numpy, "np.moveaxis(a, source, destination)", Msg::op_np_moveaxis,
       "axis source[k] comes to destination[k], the others keep their order",
       "x = np.arange(24).reshape(2, 3, 4)\ny = np.moveaxis(x, 0, -1)", moveaxis, Op::Structured::arrays},
      {Library::numpy, "np.rollaxis(a, axis, start=0)", Msg::op_np_rollaxis,
       "axis comes before start, the others keep their order",
       "x = np.arange(24).reshape(2, 3, 4)\ny = np.rollaxis(x, 2)", rollaxis, Op::Structured::arrays},
      {Library::numpy, "np.flip(m, axis=None)", Msg::op_np_flip,
       "stride' = -stride;  offset' = offset + (size - 1) * stride",
       "x = np.arange(6).reshape(2, 3)\ny = np.flip(x, 1)", flip_axes, Op::Structured::arrays},
      {Library::numpy, "np.flipud(m)", Msg::op_np_flipud, "np.flip(m, 0)",
       "x = np.arange(6).reshape(2, 3)\ny = np.flipud(x)", [](Call& call) { return flip_one(call, 0); },
       Op::Structured::arrays},
      {Library::numpy, "np.fliplr(m)", Msg::op_np_fliplr, "np.flip(m, 1)",
       "x = np.arange(6).reshape(2, 3)\ny = np.fliplr(x)", [](Call& call) { return flip_one(call, 1); },
       Op::Structured::arrays},
      {Library::numpy, "np.rot90(m, k=1, axes=None)", Msg::op_np_rot90, "a flip and a transpose a quarter",
       "x = np.arange(6).reshape(2, 3)\ny = np.rot90(x)", rot90, Op::Structured::arrays},
  };
  return rows;
}

}  // namespace stridescope

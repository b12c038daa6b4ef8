// Complex numbers: their parts lie side by side, and are views of every other one.
#include <numbers>

#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
Tensor complex_part(const Tensor& array, int which) {
  Tensor part = array;
  if (array.structure)
    part.structure = swapped_structure(real_of(array.numbers()));
  else
    part.dtype = real_of(array.dtype);
  part.layout.storage_offset += which * part.item_bytes();
  return part;
}

namespace {

Value part(Call& call, int which) {
  const Value& given = call.value("x");
  // Python's own numbers have parts, too.
  if (const auto* number = std::get_if<ComplexFloat>(&given.held))
    return {which == 0 ? number->real() : number->imag()};
  if (std::holds_alternative<Float>(given.held)) return which == 0 ? given : Value{0.0};
  if (const auto whole = as_integer(given); whole && !has_dtype(given)) return {which == 0 ? *whole : int64_t{0}};
  const bool scalar = std::holds_alternative<NumpyScalar>(given.held);
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (is_complex(array.numbers())) {
    const Tensor seen = complex_part(array, which);
    if (scalar) return numpy_scalar(call, seen);
    const Value result = numpy_view(call, seen, seen.layout);
    call.why(Msg::np_complex_part, {unit_of(seen), which * unit_of(seen)});
    return result;
  }
  if (which == 0)
    return scalar ? numpy_scalar(call, array) : numpy_same(call, source, Msg::np_real_itself, {dtype_text(array)});
  // Zeros of their own, in C order unless the array is Fortran-ordered, and not to be written.
  const Layout layout = owned_layout(call, array.layout.sizes, unit_of(array), resolved_order(array, NumpyOrder::any));
  const Value made = call.fresh(array, layout, zero_contents(array, count_of(array)));
  if (call.failed()) return {};
  if (scalar) return numpy_scalar(call, *tensor_of(made));
  const auto object = std::get<TensorRef>(made.held);
  Tensor locked = *object->tensor;
  locked.writeable = false;
  object->tensor = std::make_shared<const Tensor>(std::move(locked));
  call.why(Msg::np_imaginary_zeros, {count_of(array), nbytes(array)});
  return made;
}

Value set_part(Call& call, int which) {
  const TensorRef source = receiver(call);
  const Tensor& array = *source->tensor;
  const bool pairs = is_complex(array.numbers());
  if (!pairs && which == 1)
    return call.fail_parser("array does not have imaginary part to set", Msg::needs_complex, {dtype_text(array)});
  const TensorRef value = as_array(call, call.value("value"));
  if (call.failed()) return {};
  numpy_assign(call, pairs ? complex_part(array, which) : array, value, Casting::unsafe);
  return {};
}

/// A real array is its own conjugate.
Value conjugate(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  if (call.given("out")) return call.about("out").refuse(Msg::not_modelled, {"NumPy", "conj(out)"});
  const Tensor& array = *source->tensor;
  if (is_complex(array.dtype)) return apply_unary(call, unary_ufunc("conjugate"), {source, false, {}});
  return std::holds_alternative<NumpyScalar>(call.first().held)
             ? numpy_scalar(call, array)
             : numpy_same(call, source, Msg::np_real_itself, {name(array.dtype)});
}

/// arctan2(z.imag, z.real), in degrees where that is asked for.
Value angle(Call& call) {
  const TensorRef source = receiver(call);
  const bool degrees = call.truth("deg");
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const auto side = [&](int which) {
    const Tensor seen = complex_part(array, which);
    return Operand{std::get<TensorRef>(call.view(seen, seen.layout).held), false, {}};
  };
  const Operand zero = operand(call, Value{int64_t{0}}), real{source, false, {}};
  const Ufunc& arc = binary_ufunc("arctan2");
  Value result =
      is_complex(array.dtype) ? apply_binary(call, arc, side(1), side(0)) : apply_binary(call, arc, zero, real);
  if (degrees && !call.failed()) {  // in place, where there is one
    const auto* place = std::get_if<TensorRef>(&result.held);
    result = apply_binary(call, binary_ufunc("multiply"), operand(call, result),
                          operand(call, Value{180 / std::numbers::pi}), {.out = place ? *place : nullptr});
    if (place) call.relation(Relation::fresh);
  }
  return result;
}

/// Whether each element has an imaginary part, or none.
Value questioned(Call& call) {
  const bool real = call.name() == "numpy.isreal";
  const Value& given = call.value("x");
  const auto* number = std::get_if<ComplexFloat>(&given.held);
  const bool plain = number || std::holds_alternative<int64_t>(given.held) ||
                     std::holds_alternative<Float>(given.held) || std::holds_alternative<bool>(given.held);
  if (real && plain) return Value{!number || number->imag() == 0};
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (is_complex(array.dtype)) {
    const Tensor seen = complex_part(array, 1);
    const Operand imaginary{std::get<TensorRef>(call.view(seen, seen.layout).held), false, {}};
    return apply_binary(call, binary_ufunc(real ? "equal" : "not_equal"), imaginary, operand(call, Value{int64_t{0}}));
  }
  const Order order = real ? resolved_order(array, NumpyOrder::any) : Order::c;
  Layout layout = owned_layout(call, array.layout.sizes, DType::boolean, order);
  // Booleans are compared with 0 as whole numbers, and bytes turned round: converted, and so in the order of the axes
  // as they are gone through.
  if (real && (array.dtype == DType::boolean || array.storage->turned) && count_of(array) > 0)
    layout.strides = packed_slowest_first(layout.sizes, iteration_order({layout}), 1);
  call.why(Msg::np_elementwise_headline, {count_of(array), to_string(layout.sizes), "bool"});
  const Value made =
      call.fresh(DType::boolean, layout, constant_contents({DType::boolean, real ? 1 : 0}, count_of(array)));
  if (real || layout.rank() == 0) return scalar_if_0d(call, made);
  const Value shown = call.view(made_or(made, array), layout);
  call.relation(Relation::fresh);
  return shown;
}

/// Whether the dtype is complex, or not.
Value object_questioned(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  call.relation(Relation::none);
  return {is_complex(source->tensor->dtype) == (call.name() == "numpy.iscomplexobj")};
}

}  // namespace

std::span<const Op> numpy_complex_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.real\nnp.real(val)", Msg::op_np_real, "every itemsize bytes, the first half of each element",
       "x = np.zeros(3, dtype=np.complex64)\ny = x.real", [](Call& call) { return part(call, 0); }},
      {Library::numpy, "x.imag\nnp.imag(val)", Msg::op_np_imag, "every itemsize bytes, the second half of each element",
       "x = np.zeros(3, dtype=np.complex64)\ny = x.imag", [](Call& call) { return part(call, 1); }},
      {Library::numpy, "x.real = value", Msg::op_np_set_real, "x.real[...] = value",
       "x = np.zeros(3, dtype=np.complex64)\nx.real = 2", [](Call& call) { return set_part(call, 0); }},
      {Library::numpy, "x.imag = value", Msg::op_np_set_imag, "x.imag[...] = value",
       "x = np.zeros(3, dtype=np.complex64)\nx.imag = 2", [](Call& call) { return set_part(call, 1); }},
      {Library::numpy, "x.conj(out=None)\nx.conjugate(out=None)", Msg::op_np_unary,
       "the imaginary parts of the other sign", "x = np.array([1j, 2])\ny = x.conj()", conjugate},
      {Library::numpy, "np.angle(z, deg=False)", Msg::op_np_unary, "arctan2(z.imag, z.real)",
       "x = np.array([1j, -1])\ny = np.angle(x)", angle},
      {Library::numpy, "np.isreal(x)\nnp.iscomplex(x)", Msg::op_np_unary, "whether the imaginary part is 0, or not",
       "x = np.array([1j, 2])\ny = np.isreal(x)", questioned},
      {Library::numpy, "np.isrealobj(x)\nnp.iscomplexobj(x)", Msg::op_np_dtype, "whether the dtype is complex, or not",
       "x = np.zeros(2, dtype=np.complex64)\nnp.iscomplexobj(x)", object_questioned},
  };
  return rows;
}

}  // namespace stridescope

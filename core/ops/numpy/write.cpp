// Writes to the elements of an array other than x[key] = value, and its real and imaginary parts.
#include <algorithm>

#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {

void numpy_store(Call& call, const Tensor& target, const Value& given) {
  if (!numpy_writeable(call, target)) return;
  if (const auto* list = std::get_if<Sequence>(&given.held)) {
    // bool() takes a list; int() and complex() name its type, float() calls it a sequence.
    const std::string type = type_name(given);
    if (target.dtype == DType::boolean) return numpy_assign(call, target, Value{!list->items->empty()});
    if (is_floating(target.dtype))
      return void(call.fail("ValueError", "setting an array element with a sequence.", Msg::np_element_with_sequence,
                            {to_string(given)}));
    return void(call.fail_parser(
        is_complex(target.dtype)
            ? "must be real number, not " + type
            : "int() argument must be a string, a bytes-like object or a real number, not '" + type + "'",
        Msg::np_element_with_sequence, {to_string(given)}));
  }
  const TensorPtr array = tensor_of(given);
  if (array && array->layout.rank() > 0) {
    if (count_of(*array) == 1) {
      Tensor one = *array;
      one.layout = {{}, {}, array->layout.storage_offset};
      return numpy_assign(call, target, numpy_scalar(call, one));
    }
    if (is_complex(target.dtype))
      return void(call.fail_parser("only length-1 arrays can be converted to Python scalars",
                                   Msg::np_element_with_sequence, {to_string(array->layout.sizes)}));
    return void(call.fail("ValueError", "setting an array element with a sequence.", Msg::np_element_with_sequence,
                          {to_string(array->layout.sizes)}));
  }
  // An integer scalar goes by way of Python's integer, which must fit.
  const auto* scalar = std::get_if<NumpyScalar>(&given.held);
  const bool whole = scalar && is_integer(scalar->value.dtype) && is_integer(target.dtype);
  numpy_assign(call, target, whole ? Value{scalar->value.integer} : given);
}

namespace {

Value fill(Call& call) {
  const TensorRef target = receiver(call);
  if (!call.failed()) numpy_store(call, *target->tensor, call.value("value"));
  return {};
}

Value copyto(Call& call) {
  const auto* given = std::get_if<TensorRef>(&call.value("dst").held);
  if (!given || (*given)->tensor->library != Library::numpy) return call.wrong_type("dst", "numpy.ndarray");
  const Tensor& target = *(*given)->tensor;
  const Casting casting = numpy_casting(call, Casting::same_kind);
  const Operand source = operand(call, call.value("src"));
  if (call.failed()) return {};
  TensorRef array = source.array, mask;
  if (source.weak) {
    // A Python number takes the dtype of the target where its kind allows.
    const DType dtype = common_dtype({*given, false, {}}, source);
    if (dtype != array->tensor->dtype && casting == Casting::equiv)
      return call.fail_parser(
          {"cannot cast Python ", type_name(source.number), " to ", name(dtype), " under the casting rule 'equiv'"},
          Msg::np_cast_refused, {type_name(source.number), name(dtype), "equiv"});
    array = as_array(call, source.number, dtype);
  }
  if (const Value& where = call.value("where");
      !std::holds_alternative<bool>(where.held) || !std::get<bool>(where.held)) {
    const TensorPtr given_mask = tensor_of(where);
    if (given_mask && given_mask->dtype != DType::boolean)
      return check_cast(call, *given_mask, DType::boolean, Casting::safe), Value{};
    mask = as_array(call, where, DType::boolean);
  }
  if (call.failed()) return {};
  numpy_assign(call, target, array, casting, mask);
  return {};
}

// Complex numbers: their parts lie side by side.

/// The real (0) or imaginary (1) parts of a complex array, as a view.
Tensor part_of(const Tensor& array, int which) {
  Tensor part = array;
  part.dtype = array.dtype == DType::complex64 ? DType::float32 : DType::float64;
  part.layout.storage_offset += which * itemsize(part.dtype);
  return part;
}

Value part(Call& call, int which) {
  const Value& given = call.value("x");
  // Python's own numbers have parts, too.
  if (const auto* number = std::get_if<std::complex<double>>(&given.held))
    return {which == 0 ? number->real() : number->imag()};
  if (std::holds_alternative<double>(given.held)) return which == 0 ? given : Value{0.0};
  if (const auto whole = as_integer(given);
      whole && !tensor_of(given) && !std::holds_alternative<NumpyScalar>(given.held))
    return {which == 0 ? *whole : int64_t{0}};
  const bool scalar = std::holds_alternative<NumpyScalar>(given.held);
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (is_complex(array.dtype)) {
    const Tensor seen = part_of(array, which);
    if (scalar) return numpy_scalar(call, seen);
    const Value result = numpy_view(call, seen, seen.layout);
    call.why(Msg::np_complex_part, {itemsize(seen.dtype), which * itemsize(seen.dtype)});
    return result;
  }
  if (which == 0)
    return scalar ? numpy_scalar(call, array) : numpy_same(call, source, Msg::np_real_itself, {name(array.dtype)});
  // Zeros of their own, in C order unless the array is Fortran-ordered, and not to be written.
  Layout layout = owned_layout(call, array.layout.sizes, array.dtype, resolved_order(array, NumpyOrder::any));
  const Value made = call.fresh(array.dtype, layout, constant_contents({array.dtype}, count_of(array)));
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
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (!is_complex(array.dtype) && which == 1)
    return call.fail_parser("array does not have imaginary part to set", Msg::np_real_itself, {name(array.dtype)});
  const TensorRef value = as_array(call, call.value("value"));
  if (call.failed()) return {};
  numpy_assign(call, is_complex(array.dtype) ? part_of(array, which) : array, value, Casting::unsafe);
  return {};
}

}  // namespace

std::span<const Op> numpy_write_rows() {
  static const Op rows[] = {
      {Library::numpy, "x.fill(value, /)", Msg::op_np_fill, "x[...] = value", "x = np.zeros((2, 3))\nx.fill(7)", fill},
      {Library::numpy, "np.copyto(dst, src, casting='same_kind', where=True)", Msg::op_np_copyto, "dst[...] = src",
       "x = np.arange(6)\nnp.copyto(x[2:], x[:-2])", copyto},
      {Library::numpy, "x.real\nnp.real(val)", Msg::op_np_real, "every itemsize bytes, the first half of each element",
       "x = np.zeros(3, dtype=np.complex64)\ny = x.real", [](Call& call) { return part(call, 0); }},
      {Library::numpy, "x.imag\nnp.imag(val)", Msg::op_np_imag, "every itemsize bytes, the second half of each element",
       "x = np.zeros(3, dtype=np.complex64)\ny = x.imag", [](Call& call) { return part(call, 1); }},
      {Library::numpy, "x.real = value", Msg::op_np_set_real, "x.real[...] = value",
       "x = np.zeros(3, dtype=np.complex64)\nx.real = 2", [](Call& call) { return set_part(call, 0); }},
      {Library::numpy, "x.imag = value", Msg::op_np_set_imag, "x.imag[...] = value",
       "x = np.zeros(3, dtype=np.complex64)\nx.imag = 2", [](Call& call) { return set_part(call, 1); }},
  };
  return rows;
}

}  // namespace stridescope

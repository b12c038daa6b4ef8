// New arrays, and arrays made of what is there.
#include <algorithm>
#include <cmath>

#include "ops/layout_words.h"
#include "ops/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// dtype=..: a dtype, Python's int, float, bool, or a name such as "i4".
std::optional<DType> dtype_argument(Call& call, std::string_view parameter = "dtype") {
  if (!call.given(parameter)) return std::nullopt;
  const auto found = numpy_dtype(call.value(parameter));
  if (!found) {
    const std::string text = to_string(call.value(parameter));
    call.fail("TypeError", "data type " + text + " not understood", Msg::np_dtype_unknown, {text});
  }
  return found;
}

bool is_real(const Value& value) {
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return is_floating(scalar->value.dtype);
  const TensorPtr array = tensor_of(value);
  return std::holds_alternative<double>(value.held) || (array && is_floating(array->dtype));
}

Value arange(Call& call) {
  // arange(stop), arange(start, stop), arange(start, stop, step)
  const bool one = !call.given("stop");
  const Value start = one ? Value{int64_t{0}} : call.value("start"), stop = one ? call.value("start") : call.value("stop");
  const Value step = call.given("step") ? call.value("step") : Value{int64_t{1}};
  for (const Value* part : {&start, &stop, &step})
    if (!as_real(*part)) return call.fail_parser("unsupported operand type(s) for -: '" + type_name(*part) + "'", Msg::np_not_a_number, {type_name(*part)});
  const bool real = is_real(start) || is_real(stop) || is_real(step);
  const DType dtype = dtype_argument(call).value_or(real ? DType::float64 : DType::int64);
  if (call.failed()) return {};
  const double from = *as_real(start), by = *as_real(step);
  if (by == 0) return call.fail("ZeroDivisionError", real ? "float division by zero" : "division by zero", Msg::arange_step_zero);
  int64_t count = 0;
  if (real) {
    const double length = std::ceil((*as_real(stop) - from) / by);
    if (!(length < 9e18)) return call.fail("ValueError", "Maximum allowed size exceeded", Msg::beyond_int64);
    count = length > 0 ? static_cast<int64_t>(length) : 0;
  } else {
    const int64_t a = *as_integer(start), b = *as_integer(stop), s = *as_integer(step);
    const auto span = a == INT64_MIN ? std::nullopt : checked_add(b, -a);
    if (!span || s == INT64_MIN) return call.fail("ValueError", "Maximum allowed size exceeded", Msg::beyond_int64);
    count = (*span > 0) == (s > 0) && *span != 0 ? (std::abs(*span) - 1) / std::abs(s) + 1 : 0;
  }
  const Layout layout = owned_layout(call, {count}, dtype);
  if (call.failed()) return {};
  call.why(Msg::arange_headline, {count, to_string(start), to_string(step), name(dtype)});
  call.why(Msg::np_fresh_storage, {count * itemsize(dtype), itemsize(dtype)});
  // NumPy reckons the step as the difference of the first two elements.
  return call.fresh(dtype, layout, real ? real_range(from, from + by - from, dtype, count) : integer_range(*as_integer(start), *as_integer(step), dtype, count));
}

Value linspace(Call& call) {
  const double start = call.real("start"), stop = call.real("stop");
  const int64_t count = call.integer("num");
  const bool endpoint = call.boolean("endpoint");
  const DType dtype = dtype_argument(call).value_or(DType::float64);
  if (call.failed()) return {};
  if (count < 0) return call.about("num").fail("ValueError", "Number of samples, " + std::to_string(count) + ", must be non-negative.", Msg::np_negative_size, {count});
  const int64_t steps = endpoint ? count - 1 : count;
  const double step = steps > 0 ? (stop - start) / static_cast<double>(steps) : 0;
  const Layout layout = owned_layout(call, {count}, dtype);
  if (call.failed()) return {};
  call.why(Msg::arange_headline, {count, to_string(Value{start}), to_string(Value{step}), name(dtype)});
  call.why(Msg::np_fresh_storage, {count * itemsize(dtype), itemsize(dtype)});
  // numpy.linspace: arange(count) * step + start, and the last element is `stop` itself.
  const ContentsPtr numbers = integer_range(0, 1, DType::float64, count);
  const auto repeated = [&](double value) { return Elements{constant_contents(real_scalar(value, DType::float64), 1), {{count}, {0}, 0}, DType::float64}; };
  ContentsPtr scaled = elementwise(Arithmetic::multiply, std::array{Elements{numbers, {{count}, {8}, 0}, DType::float64}, repeated(step)}, DType::float64, DType::float64);
  ContentsPtr contents = elementwise(Arithmetic::add, std::array{Elements{scaled, {{count}, {8}, 0}, DType::float64}, repeated(start)}, DType::float64, DType::float64);
  if (endpoint && count > 1) {
    const Elements last{constant_contents(real_scalar(stop, DType::float64), 1), {{1}, {8}, 0}, DType::float64};
    contents = patch(contents, {nullptr, {{1}, {8}, 8 * (count - 1)}, DType::float64}, last);
  }
  if (contents && dtype != DType::float64) contents = gather({contents, {{count}, {8}, 0}, DType::float64}, dtype);
  return call.fresh(dtype, layout, std::move(contents));
}

/// zeros, ones, full, empty and their _like forms.
Value filled(Call& call, const Dims& sizes, DType dtype, Order order, const Scalar& value) {
  const Layout layout = owned_layout(call, sizes, dtype, order);
  if (call.failed()) return {};
  const int64_t count = *numel(sizes);
  call.why(Msg::np_filled_headline, {shape_text(sizes), label(value), name(dtype)});
  call.why(Msg::np_fresh_storage, {count * itemsize(dtype), itemsize(dtype)});
  if (count == 0) call.why(Msg::np_empty_strides);
  return call.fresh(dtype, layout, constant_contents(converted(value, dtype), count));
}

Value filled(Call& call, int64_t value) {
  const Dims sizes = numpy_shape(call, call.value("shape"));
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
  const DType dtype = dtype_argument(call).value_or(DType::float64);
  if (call.failed()) return {};
  return filled(call, sizes, dtype, order == NumpyOrder::fortran ? Order::fortran : Order::c, integer_scalar(value, dtype));
}

Value filled_like(Call& call, const Value& fill) {
  const TensorRef prototype = receiver(call);
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
  const auto wanted = dtype_argument(call);
  if (call.failed()) return {};
  const DType dtype = wanted.value_or(prototype->tensor->dtype);
  const TensorRef value = as_array(call, fill);
  if (call.failed()) return {};
  const Scalar one = converted(element(elements_of(*value->tensor), 0), dtype);
  if (call.given("shape")) return filled(call, numpy_shape(call, call.value("shape")), dtype, resolved_order(*prototype->tensor, order), one);
  const Tensor& array = *prototype->tensor;
  owned_layout(call, array.layout.sizes, dtype);
  if (call.failed()) return {};
  const Layout layout{array.layout.sizes, strides_like(array, order, itemsize(dtype)), 0};
  call.why(Msg::np_filled_headline, {shape_text(layout.sizes), label(one), name(dtype)});
  call.why(Msg::np_like_strides, {shape_text(layout.strides), shape_text(array.layout.strides)});
  return call.fresh(dtype, layout, constant_contents(one, count_of(array)));
}

Value full(Call& call) {
  const Dims sizes = numpy_shape(call, call.value("shape"));
  const TensorRef value = as_array(call, call.value("fill_value"));
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
  const auto wanted = dtype_argument(call);
  if (call.failed()) return {};
  const DType dtype = wanted.value_or(value->tensor->dtype);
  if (count_of(*value->tensor) == 1)
    return filled(call, sizes, dtype, order == NumpyOrder::fortran ? Order::fortran : Order::c, converted(element(elements_of(*value->tensor), 0), dtype));
  const Value made = filled(call, sizes, dtype, order == NumpyOrder::fortran ? Order::fortran : Order::c, integer_scalar(0, dtype));
  if (call.failed()) return {};
  numpy_assign(call, *tensor_of(made), call.value("fill_value"));
  call.relation(Relation::fresh);
  return made;
}

Value eye(Call& call) {
  const int64_t rows = call.integer("N"), columns = call.given("M") ? call.integer("M") : rows, shift = call.given("k") ? call.integer("k") : 0;
  const DType dtype = dtype_argument(call).value_or(DType::float64);
  if (call.failed()) return {};
  const Value made = filled(call, {rows, columns}, dtype, numpy_order(call, "order", NumpyOrder::c) == NumpyOrder::fortran ? Order::fortran : Order::c, integer_scalar(0, dtype));
  if (call.failed()) return {};
  Tensor ones = *tensor_of(made);
  ones.layout = diagonal(ones.layout, std::clamp(shift, -rows - 1, columns + 1), 0, 1);
  call.why(Msg::np_eye, {ones.layout.sizes[0], ones.layout.strides[0]});
  call.write(ones, {constant_contents(integer_scalar(1, dtype), 1), broadcast_to({{}, {}, 0}, ones.layout.sizes), dtype});
  call.relation(Relation::fresh);
  return made;
}

enum class Copying : uint8_t { always, if_needed, never };

/// np.array and all that are made of it: dtype and order as asked, at least `least` dimensions.
Value array(Call& call, const TensorRef& source, std::optional<DType> dtype, NumpyOrder order, Copying copying, int least = 0) {
  if (call.failed()) return {};
  const Tensor& given = *source->tensor;
  const int64_t unit = unit_of(given);
  const bool other_dtype = dtype && *dtype != given.dtype;
  const bool fits = order == NumpyOrder::keep || order == NumpyOrder::any || (order == NumpyOrder::c ? is_contiguous(given.layout, unit) : is_f_contiguous(given.layout, unit));
  const bool must = other_dtype || !fits;
  const bool fresh_list = !tensor_of(call.value(first_form(*call.form().op).parameters.front().name));
  if (must && copying == Copying::never)
    return call.fail("ValueError", "Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, copy=False)` replace it with `np.asarray(obj)` to allow a copy when needed (no behavior change in NumPy 1.x).\nFor more details, see https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword.",
                     Msg::np_copy_needed, {name(given.dtype)});
  Value result{source};
  if (must || (copying == Copying::always && !fresh_list)) {
    result = numpy_copy(call, given, order, dtype);
    if (other_dtype) call.why(Msg::np_converted, {name(given.dtype), name(*dtype)});
    else if (!fits) {
      call.why(order == NumpyOrder::c ? Msg::np_not_c_order : Msg::np_not_f_order, {shape_text(given.layout.strides)});
      explain_packed(call, given, order == NumpyOrder::c ? c_order(given.layout.rank()) : fortran_order(given.layout.rank()));
    }
    if (call.failed()) return {};
  } else if (fresh_list) {
    call.why(Msg::np_array_headline, {shape_text(given.layout.sizes), name(given.dtype)});
    call.why(Msg::np_fresh_storage, {nbytes(given), unit});
    call.relation(Relation::fresh);
  } else {
    result = numpy_same(call, source, Msg::np_same_headline, {name(given.dtype)});
  }
  const Tensor& made = *tensor_of(result);
  if (made.layout.rank() >= least) return result;
  Layout layout = made.layout;
  while (layout.rank() < least) layout = insert_dim(layout, 0, unit_of(made));
  call.why(Msg::np_leading_ones, {least});
  return call.view(made, layout);
}

Copying copy_argument(Call& call, Copying fallback) {
  if (!call.given("copy")) return std::holds_alternative<None>(call.value("copy").held) ? Copying::if_needed : fallback;
  return call.boolean("copy") ? Copying::always : Copying::never;
}

Value require(Call& call) {
  const TensorRef source = receiver(call);
  const auto dtype = dtype_argument(call);
  if (call.failed()) return {};
  bool c = false, f = false, owned = false, writeable = false;
  std::vector<Value> wanted;
  if (const auto* list = std::get_if<Sequence>(&call.value("requirements").held)) wanted = *list->items;
  else if (const auto* text = std::get_if<std::string>(&call.value("requirements").held))
    for (const char letter : *text) wanted.push_back({std::string(1, letter)});
  for (const Value& item : wanted) {
    const auto* text = std::get_if<std::string>(&item.held);
    std::string word = text ? *text : "";
    std::transform(word.begin(), word.end(), word.begin(), [](char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter; });
    if (word == "C" || word == "C_CONTIGUOUS" || word == "CONTIGUOUS") c = true;
    else if (word == "F" || word == "F_CONTIGUOUS" || word == "FORTRAN") f = true;
    else if (word == "O" || word == "OWNDATA") owned = true;
    else if (word == "W" || word == "WRITEABLE") writeable = true;
    else if (word != "A" && word != "ALIGNED" && word != "E" && word != "ENSUREARRAY")
      return call.fail("KeyError", to_string(item), Msg::np_unknown_requirement, {to_string(item)});
  }
  if (c && f) return call.fail("ValueError", "Cannot specify both \"C\" and \"F\" order", Msg::np_both_orders);
  const NumpyOrder order = c ? NumpyOrder::c : f ? NumpyOrder::fortran : NumpyOrder::any;
  const Value result = array(call, source, dtype, order, Copying::if_needed);
  if (call.failed()) return {};
  const Tensor& made = *tensor_of(result);
  if ((owned && made.is_view) || (writeable && !made.writeable)) {
    const Tensor before = made;
    call.why(owned && made.is_view ? Msg::np_required_owned : Msg::np_required_writeable);
    return numpy_copy(call, before, order == NumpyOrder::any ? NumpyOrder::any : order, before.dtype);
  }
  return result;
}

Value astype(Call& call) {
  const TensorRef source = receiver(call);
  const auto dtype = dtype_argument(call);
  const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
  if (call.failed()) return {};
  const Tensor& given = *source->tensor;
  const int64_t unit = unit_of(given);
  const bool fits = order == NumpyOrder::keep || (order == NumpyOrder::c && is_contiguous(given.layout, unit)) || (order == NumpyOrder::fortran && is_f_contiguous(given.layout, unit)) ||
                    (order == NumpyOrder::any && (is_contiguous(given.layout, unit) || is_f_contiguous(given.layout, unit)));
  if (!call.boolean("copy") && *dtype == given.dtype && fits) return numpy_same(call, source, Msg::np_same_headline, {name(given.dtype)});
  const Value result = numpy_copy(call, given, order, dtype);
  call.why(Msg::np_converted, {name(given.dtype), name(*dtype)});
  return result;
}

}  // namespace

std::optional<DType> numpy_dtype(const Value& value) {
  if (const auto* symbol = std::get_if<Symbol>(&value.held)) {
    if (symbol->path == "int" || symbol->path == "numpy.int_" || symbol->path == "numpy.intp" || symbol->path == "numpy.longlong") return DType::int64;
    if (symbol->path == "float" || symbol->path == "numpy.double") return DType::float64;
    if (symbol->path == "bool" || symbol->path == "numpy.bool_") return DType::boolean;
    if (symbol->path == "complex") return DType::complex128;
    if (symbol->path == "numpy.uintp" || symbol->path == "numpy.uint") return DType::uint64;
    if (symbol->path == "numpy.single") return DType::float32;
    if (symbol->path == "numpy.half") return DType::float16;
    return as_dtype(value);
  }
  const auto* text = std::get_if<std::string>(&value.held);
  if (!text) return std::nullopt;
  std::string code = *text;
  if (!code.empty() && (code[0] == '<' || code[0] == '=' || code[0] == '|')) code.erase(0, 1);
  static constexpr std::pair<std::string_view, DType> codes[] = {
      {"?", DType::boolean}, {"b1", DType::boolean}, {"u1", DType::uint8}, {"B", DType::uint8}, {"i1", DType::int8}, {"b", DType::int8}, {"u2", DType::uint16},
      {"H", DType::uint16}, {"i2", DType::int16}, {"h", DType::int16}, {"u4", DType::uint32}, {"I", DType::uint32}, {"i4", DType::int32}, {"i", DType::int32},
      {"u8", DType::uint64}, {"L", DType::uint64}, {"i8", DType::int64}, {"l", DType::int64}, {"q", DType::int64}, {"f2", DType::float16}, {"e", DType::float16},
      {"f4", DType::float32}, {"f", DType::float32}, {"f8", DType::float64}, {"d", DType::float64}, {"c8", DType::complex64}, {"F", DType::complex64},
      {"c16", DType::complex128}, {"D", DType::complex128}, {"int", DType::int64}, {"float", DType::float64}, {"complex", DType::complex128},
      {"half", DType::float16}, {"single", DType::float32}, {"double", DType::float64}};
  for (const auto& [name, dtype] : codes)
    if (name == code) return dtype;
  const auto named = dtype_named(code);
  return named == DType::bfloat16 ? std::nullopt : named;
}

std::span<const Op> numpy_create_rows() {
  static const Op rows[] = {
      {Library::numpy, "np.arange(start, stop=None, step=None, dtype=None, *, device=None, like=None)", Msg::op_np_arange, "element i is start + i * step, before stop",
       "x = np.arange(2, 12, 3)", arange},
      {Library::numpy, "np.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0)", Msg::op_np_linspace, "element i is start + i * (stop - start) / (num - 1)",
       "x = np.linspace(0, 1, 5)", linspace},
      {Library::numpy, "np.zeros(shape, dtype=None, order='C', *, like=None)", Msg::op_np_zeros, "strides[last] = itemsize;  strides[k] = strides[k+1] * sizes[k+1]", "x = np.zeros((2, 3))",
       [](Call& call) { return filled(call, 0); }},
      {Library::numpy, "np.ones(shape, dtype=None, order='C', *, like=None)", Msg::op_np_ones, "", "x = np.ones((2, 3), order='F')", [](Call& call) { return filled(call, 1); }},
      {Library::numpy, "np.empty(shape, dtype=None, order='C', *, like=None)", Msg::op_np_empty, "", "x = np.empty((2, 3))", [](Call& call) { return filled(call, 0); }},
      {Library::numpy, "np.full(shape, fill_value, dtype=None, order='C', *, like=None)", Msg::op_np_full, "", "x = np.full((2, 3), 7)", full},
      {Library::numpy, "np.zeros_like(a, dtype=None, order='K', subok=True, shape=None)", Msg::op_np_zeros_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.zeros_like(x)", [](Call& call) { return filled_like(call, Value{int64_t{0}}); }},
      {Library::numpy, "np.ones_like(a, dtype=None, order='K', subok=True, shape=None)", Msg::op_np_ones_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.ones_like(x)", [](Call& call) { return filled_like(call, Value{int64_t{1}}); }},
      {Library::numpy, "np.empty_like(a, dtype=None, order='K', subok=True, shape=None)", Msg::op_np_empty_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.empty_like(x)", [](Call& call) { return filled_like(call, Value{int64_t{0}}); }},
      {Library::numpy, "np.full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None)", Msg::op_np_full_like, "the axes keep the order of |strides| of a",
       "x = np.arange(6).reshape(2, 3).T\ny = np.full_like(x, 7)", [](Call& call) { return filled_like(call, call.value("fill_value")); }},
      {Library::numpy, "np.eye(N: int, M: int = None, k: int = 0, dtype=None, order='C')", Msg::op_np_eye, "1 where column - row == k", "x = np.eye(3, 4, 1)",
eye},
      {Library::numpy, "np.identity(N: int, dtype=None)", Msg::op_np_identity, "1 where row == column", "x = np.identity(3)", eye},
      {Library::numpy, "np.array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin: int = 0)", Msg::op_np_array, "", "x = np.array([[1, 2], [3, 4]])",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const auto dtype = dtype_argument(call);
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
         return array(call, source, dtype, order, copy_argument(call, Copying::always), static_cast<int>(std::clamp<int64_t>(call.integer("ndmin"), 0, max_rank)));
       }},
      {Library::numpy, "np.asarray(a, dtype=None, order='K', *, copy=None)\nnp.asanyarray(a, dtype=None, order='K', *, copy=None)", Msg::op_np_asarray, "copies only where dtype or order ask for it",
       "x = np.arange(6).reshape(2, 3)\ny = np.asarray(x, order='F')",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const auto dtype = dtype_argument(call);
         return array(call, source, dtype, numpy_order(call, "order", NumpyOrder::keep), copy_argument(call, Copying::if_needed));
       }},
      {Library::numpy, "np.ascontiguousarray(a, dtype=None)", Msg::op_np_ascontiguousarray, "a itself where it is C-contiguous, else a C-ordered copy",
       "x = np.arange(6).reshape(2, 3).T\ny = np.ascontiguousarray(x)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         return array(call, source, dtype_argument(call), NumpyOrder::c, Copying::if_needed, 1);
       }},
      {Library::numpy, "np.asfortranarray(a, dtype=None)", Msg::op_np_asfortranarray, "a itself where it is F-contiguous, else an F-ordered copy",
       "x = np.arange(6).reshape(2, 3)\ny = np.asfortranarray(x)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         return array(call, source, dtype_argument(call), NumpyOrder::fortran, Copying::if_needed, 1);
       }},
      {Library::numpy, "np.require(a, dtype=None, requirements=None)", Msg::op_np_require, "", "x = np.arange(6).reshape(2, 3)\ny = np.require(x, requirements=['F', 'O'])", require},
      {Library::numpy, "x.copy(order='C')", Msg::op_np_copy, "strides of a fresh array in that order", "x = np.arange(6).reshape(2, 3).T\ny = x.copy()",
       [](Call& call) {
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::c);
         const TensorRef source = receiver(call);
         return call.failed() ? Value{} : numpy_copy(call, *source->tensor, order);
       }},
      {Library::numpy, "np.copy(a, order='K', subok=False)", Msg::op_np_copy_function, "the axes keep the order of |strides| of a", "x = np.arange(6).reshape(2, 3).T\ny = np.copy(x)",
       [](Call& call) {
         const TensorRef source = receiver(call);
         const NumpyOrder order = numpy_order(call, "order", NumpyOrder::keep);
         return call.failed() ? Value{} : numpy_copy(call, *source->tensor, order);
       }},
      {Library::numpy, "x.astype(dtype, order='K', casting='unsafe', subok=True, copy=True)", Msg::op_np_astype, "", "x = np.arange(6)\ny = x.astype(np.float32)", astype},
  };
  return rows;
}

}  // namespace stridescope

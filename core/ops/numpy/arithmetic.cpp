// Element by element, with broadcasting; and the ways to write elements.
#include <algorithm>

#include "layout/extent.h"
#include "ops/numpy/strings.h"
#include "ops/numpy/structured.h"
#include "ops/numpy/ufunc.h"
#include "ops/rows.h"

namespace stridescope {
Dims result_order(const std::vector<const Tensor*>& operands, const Dims& sizes, DType reckon_in, bool masked,
                  bool signs_differ) {
  bool c = true, fortran = !masked;
  std::vector<Layout> layouts;
  for (const Tensor* operand : operands) {
    layouts.push_back(broadcast_to(operand->layout, sizes));
    if (operand->layout.rank() == 0) continue;
    // A comparison takes 64 bits with and without a sign as they are.
    const bool direct =
        operand->layout.sizes == sizes && !operand->storage->turned &&
        (operand->dtype == reckon_in || (signs_differ && is_integer(operand->dtype) && itemsize(operand->dtype) == 8));
    c = c && is_contiguous(operand->layout, unit_of(*operand));
    fortran = fortran && direct && is_f_contiguous(operand->layout, unit_of(*operand));
  }
  return fortran && !c ? c_order(sizes.size()) : iteration_order(layouts);
}

namespace {

/// A result before it is stored.
struct Reckoned {
  ContentsPtr contents;  ///< row-major in the order `slowest`
  Dims sizes;
  Dims slowest;
  DType dtype = DType::int64;
  bool aside = false;  ///< it may be written over what it is reckoned from, so NumPy writes a copy first
};

/// Whether NumPy takes the two for shared memory: the very same elements need no copy.
bool may_overlap(const Tensor& input, const Tensor& out) {
  if (input.storage != out.storage || (input.dtype == out.dtype && input.layout == out.layout)) return false;
  const auto read = extent(input.layout), written = extent(out.layout);
  return read && written && read->lowest < written->highest + unit_of(out) &&
         written->lowest < read->highest + unit_of(input);
}

/// The sizes of the result of operands of these shapes, which an array it is written to must have.
std::optional<Dims> result_sizes(Call& call, std::vector<Dims> shapes, const UfuncTarget& target) {
  if (target.out) shapes.push_back(target.out->tensor->layout.sizes);
  if (target.where) shapes.push_back(target.where->tensor->layout.sizes);
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) {
    refuse_shapes(call, shapes);
  } else if (target.out && *sizes != target.out->tensor->layout.sizes) {
    const Dims& own = target.out->tensor->layout.sizes;
    call.fail("ValueError",
              {"non-broadcastable output operand with shape ", shape_text(own), " doesn't match the broadcast shape ",
               shape_text(*sizes)},
              Msg::np_cannot_broadcast_into, {to_string(*sizes), to_string(own)});
  }
  return call.failed() ? std::nullopt : sizes;
}

/// Whether nothing whole is raised to a negative power; else, or where that takes too long to see, the call fails.
bool check_powers(Call& call, const Tensor& exponent, DType dtype, const Dims& sizes, const UfuncTarget& target) {
  const int64_t count = *numel(sizes);
  if (!is_integer(dtype) || is_unsigned(dtype) || count == 0) return true;
  const auto is_negative = [](const Scalar& one) { return one.integer < 0; };
  auto negative = call.any(elements_of(exponent), dtype, is_negative);
  if (negative.value_or(false) && target.where) {  // is one of them raised to?
    const Elements powers = broadcast_elements(exponent, sizes),
                   where = broadcast_elements(*target.where->tensor, sizes);
    if (!call.few(powers, count) || !call.few(where, count)) return false;
    negative = false;
    for (int64_t i = 0; i < count && !*negative; ++i)
      negative = is_negative(element(powers, i)) && is_true(element(where, i));
  }
  if (negative.value_or(false))
    call.fail("ValueError", "Integers to negative integer powers are not allowed.", Msg::np_negative_power);
  return !call.failed();
}

/// The operands under the common shape, reckoned in `dtype`; cells in the order NumPy walks them.
std::optional<Reckoned> reckoned_in(Call& call, const Ufunc& what, const std::vector<const Operand*>& inputs,
                                    DType dtype, DType result_dtype, const UfuncTarget& target) {
  if (target.out && !check_ufunc_cast(call, what, "output", result_dtype, target.out->tensor->dtype, target.casting))
    return std::nullopt;
  std::vector<const Tensor*> tensors;
  std::vector<Dims> shapes;
  for (const Operand* input : inputs) {
    tensors.push_back(&*input->array->tensor);
    shapes.push_back(tensors.back()->layout.sizes);
  }
  const auto sizes = result_sizes(call, shapes, target);
  if (sizes) owned_layout(call, *sizes, result_dtype);
  if (call.failed()) return std::nullopt;
  if (what.op == Arithmetic::power && !check_powers(call, *tensors[1], dtype, *sizes, target)) return std::nullopt;
  Reckoned result{nullptr, *sizes, {}, result_dtype};
  std::vector<Elements> operands;
  for (const Tensor* tensor : tensors) operands.push_back(broadcast_elements(*tensor, *sizes));
  for (const Tensor* tensor : tensors)
    if (target.out && may_overlap(*tensor, *target.out->tensor)) result.aside = true;
  if (target.out) tensors.push_back(&*target.out->tensor);
  if (target.where) tensors.push_back(&*target.where->tensor);
  // Whole numbers compared with one of Python's, which may be too large for them, stay as they are.
  const Operand *first = inputs.front(), *last = inputs.back(), *number = first->weak ? first : last;
  const DType own = (first->weak ? last : first)->array->tensor->dtype;
  // Of different dtypes, and of Python's numbers, the logical ones make truth values first.
  const auto differs = [&](const Operand* one) {
    return one->weak || one->array->tensor->dtype != inputs.front()->array->tensor->dtype;
  };
  const bool logical = is_logical(what) && std::any_of(inputs.begin(), inputs.end(), differs);
  const bool compares =
      is_comparison(what) && first->weak != last->weak && std::holds_alternative<int64_t>(number->number.held);
  const bool signs_differ = is_comparison(what) && inputs.size() == 2 && dtype == DType::float64 &&
                            is_integer(first->array->tensor->dtype) && is_integer(last->array->tensor->dtype);
  result.slowest = result_order(tensors, *sizes,
                                logical                       ? DType::boolean
                                : compares && is_integer(own) ? own
                                                              : dtype,
                                target.where != nullptr || target.several, signs_differ);
  for (Elements& one : operands) one.layout = permute(one.layout, result.slowest);
  result.contents = elementwise(what.op, operands, dtype, result.dtype);
  return result;
}

/// a op b, broadcast.
std::optional<Reckoned> reckoned(Call& call, const Ufunc& what, const Operand& a, const Operand& b,
                                 const UfuncTarget& target) {
  if (call.failed()) return std::nullopt;
  const std::vector<const Operand*> inputs{&a, &b};
  const auto dtype = ufunc_dtype(call, what, inputs, target);
  if (!dtype) return std::nullopt;
  return reckoned_in(call, what, inputs, *dtype, gives_bool(what.op) ? DType::boolean : *dtype, target);
}

/// The result in the array that was given for it.
Value stored(Call& call, const Reckoned& result, const UfuncTarget& target) {
  Tensor ordered = *target.out->tensor;
  const int64_t count = count_of(ordered), places = distinct_cells(ordered.layout).value_or(count);
  if (places < count)
    call.why(Msg::np_in_place_shared, {count, places, places * ordered.item_bytes()});
  else
    call.why(Msg::np_in_place_headline, {count, nbytes(ordered)});
  if (count_of(ordered) > 0) {
    ordered.layout = permute(ordered.layout, result.slowest);
    Elements value{result.contents, contiguous(ordered.layout.sizes, itemsize(result.dtype)), result.dtype};
    if (target.where) {
      Elements mask = broadcast_elements(*target.where->tensor, result.sizes);
      mask.layout = permute(mask.layout, result.slowest);
      Elements kept = elements_of(ordered);
      // The copy has the result's dtype, and what is masked goes through it, too.
      if (result.aside && result.dtype != ordered.dtype)
        kept = {gather(kept, result.dtype), contiguous(ordered.layout.sizes, itemsize(result.dtype)), result.dtype};
      value.contents = elementwise(Arithmetic::where, std::array{mask, value, kept}, ordered.dtype, ordered.dtype);
      value = {value.contents, contiguous(ordered.layout.sizes, unit_of(ordered)), ordered.dtype};
      call.why(Msg::np_write_where);
    }
    call.write(ordered, value);
  }
  call.relation(Relation::write);
  return {target.out};
}

Value finished(Call& call, Reckoned result, const UfuncTarget& target) {
  if (target.out) return stored(call, result, target);
  const int64_t unit = itemsize(result.dtype), count = *numel(result.sizes);
  const Layout layout{
      result.sizes,
      count == 0 ? Dims::filled(result.sizes.size(), 0) : packed_slowest_first(result.sizes, result.slowest, unit), 0};
  call.why(Msg::np_elementwise_headline, {count, to_string(result.sizes), name(result.dtype)});
  if (count > 0 && layout.strides != contiguous(result.sizes, unit).strides)
    call.why(Msg::np_elementwise_order, {to_string(layout.strides)});
  return scalar_if_0d(call, call.fresh(result.dtype, layout, std::move(result.contents)));
}

void explain_broadcast(Call& call, const Operand& one, const Dims& sizes) {
  if (one.weak || one.array->tensor->layout.sizes == sizes) return;
  call.why(Msg::np_operand_broadcast, {to_string(one.array->tensor->layout.sizes), to_string(sizes),
                                       to_string(broadcast_to(one.array->tensor->layout, sizes).strides)});
}

}  // namespace

Value apply_binary(Call& call, const Ufunc& what, const Operand& a, const Operand& b, const UfuncTarget& target) {
  if (call.failed()) return {};
  auto result = reckoned(call, what, a, b, target);
  if (!result) return {};
  const Dims sizes = result->sizes;
  const Value value = finished(call, std::move(*result), target);
  if (!sizes.empty()) {
    explain_broadcast(call, a, sizes);
    explain_broadcast(call, b, sizes);
  }
  return value;
}

Value apply_unary(Call& call, const Ufunc& what, const Operand& input, const UfuncTarget& target) {
  if (call.failed()) return {};
  const auto dtype = ufunc_dtype(call, what, {&input}, target);
  if (!dtype) return {};
  // |z| of a complex number is real.
  const DType length = *dtype == DType::complex64 ? DType::float32 : DType::float64;
  const bool measured = what.op == Arithmetic::absolute && is_complex(*dtype);
  auto result = reckoned_in(call, what, {&input}, *dtype,
                            gives_bool(what.op) ? DType::boolean
                            : measured          ? length
                                                : *dtype,
                            target);
  return result ? finished(call, std::move(*result), target) : Value{};
}

namespace {

/// The exponent, where an array's ** takes it for a function of its own (square, sqrt, ..), which keeps the array's
/// dtype: numbers, and arrays of one without axes.
std::optional<double> fast_exponent(const Value& base, const Value& exponent) {
  const TensorPtr array = tensor_of(base), many = tensor_of(exponent);
  const auto* scalar = std::get_if<NumpyScalar>(&exponent.held);
  const bool whole = many     ? is_integer(many->dtype)
                     : scalar ? is_integer(scalar->dtype())
                              : !std::holds_alternative<Float>(exponent.held);
  const bool real = many ? is_floating(many->dtype) : scalar ? is_floating(scalar->dtype()) : !whole;
  const auto value = as_real(exponent);
  if (!array || !value || (many && many->layout.rank() > 0) || (!whole && !real)) return std::nullopt;
  const bool any = is_floating(array->dtype) || is_complex(array->dtype);
  if (*value == 2 || (any && (*value == 1 || *value == 0 || *value == -1 || *value == 0.5))) return value;
  return std::nullopt;
}

/// a ** 2 and the like, of an array.
Value powered(Call& call, const TensorRef& base, double exponent, const Value& written) {
  const Tensor& array = *base->tensor;
  if (refuse_no_numbers(call, unary_ufunc("square"), {&call.value("a")})) return {};
  if (is_floating(array.dtype) || is_complex(array.dtype))
    return apply_binary(call, binary_ufunc("**"), {base, false, {}}, operand(call, Value{exponent}));
  const auto* scalar = std::get_if<NumpyScalar>(&written.held);
  const TensorPtr many = tensor_of(written);
  const bool real = many     ? is_floating(many->dtype)
                    : scalar ? is_floating(scalar->dtype())
                             : std::holds_alternative<Float>(written.held);
  const Ufunc& square = unary_ufunc("square");
  if (!real || array.dtype == DType::boolean) return apply_unary(call, square, {base, false, {}});
  // Whole numbers by a real exponent: squared in a copy, in C order unless the array is Fortran-ordered.
  const size_t said = call.said();
  const Value copied = numpy_copy(call, array, NumpyOrder::any, DType::float64);
  if (call.failed()) return {};
  call.unsay(said);
  return apply_unary(call, square, {std::get<TensorRef>(copied.held), false, {}});
}

Value binary(Call& call) {
  const Value &first = call.value("a"), &second = call.value("b");
  const Ufunc& what = binary_ufunc(call.name());
  if ((is_structured_array(first) || is_structured_array(second)) && (call.name() == "==" || call.name() == "!="))
    return compare_structures(call, what.op, first, second);
  if (auto result = apply_to_strings(call, what, first, second)) return *std::move(result);
  if (const auto exponent = call.name() == "**" ? fast_exponent(first, second) : std::nullopt)
    return powered(call, std::get<TensorRef>(first.held), *exponent, second);
  const auto operands = ufunc_operands(call, what, first, second);
  if (!operands) return {};
  Value result = apply_binary(call, what, operands->first, operands->second, ufunc_target(call));
  if (!call.failed() && (is_no_number(first) || is_no_number(second))) call.why(Msg::np_strings_truth);
  return result;
}

Value unary(Call& call) {
  if (refuse_no_numbers(call, unary_ufunc(call.name()), {&call.value("a")})) return {};
  if (is_object(call.value("a")) && unary_ufunc(call.name()).op != Arithmetic::logical_not)
    return call.fail_parser(
        {"bad operand type for ", unary_ufunc(call.name()).function, ": '", type_name(call.value("a")), "'"},
        Msg::operand_does_not_fit, {unary_ufunc(call.name()).function, type_name(call.value("a"))});
  const Operand input = operand(call, call.value("a"));
  const UfuncTarget target = call.failed() ? UfuncTarget{} : ufunc_target(call);
  if (call.failed()) return {};
  const Ufunc& what = unary_ufunc(call.name());
  return apply_unary(call, what, {input.array, false, {}}, target);
}

// In place.

Value in_place(Call& call) {
  const Ufunc& what = binary_ufunc(call.name());
  const TensorRef array = as_array(call, call.value("a"));
  const Value& second = call.value("b");
  // Whether it may be written is asked once both are arrays, and before anything of what they are of.
  const bool of_numbers = !array->tensor->structure && !is_no_number(second) && !is_object(second);
  if (!of_numbers && !numpy_writeable(call, *array->tensor, "output array is read-only")) return {};
  if (refuse_objects(call, what, call.value("a"), second, array)) return {};
  const auto exponent = what.op == Arithmetic::power ? fast_exponent(call.value("a"), second) : std::nullopt;
  if (what.function == "add" && is_of_strings(*array->tensor) && string_kind(second) == string_kind(call.value("a")))
    return join_in_place(call, array, second);
  if (array->tensor->structure && exponent) return powered(call, array, *exponent, second);
  if (refuse_no_numbers(call, what, {&call.value("a"), &second}, array)) return {};
  const Operand b = operand(call, exponent ? Value{*exponent} : second);
  if (call.failed() || !numpy_writeable(call, *array->tensor, "output array is read-only")) return {};
  const UfuncTarget target{array, nullptr, {}, Casting::same_kind};
  if (exponent && is_whole_number(array->tensor->dtype))
    return apply_unary(call, unary_ufunc("square"), {array, false, {}}, target);
  const auto result = reckoned(call, what, {array, false, {}}, b, target);
  return result ? stored(call, *result, target) : Value{};
}

}  // namespace

// What every ufunc may be given besides its operands.
#define NP_UFUNC_OPTIONS ", out=None, *, where=True, casting='same_kind', dtype=None)"
#define NP_BINARY(name) "\nnp." name "(a, b, /" NP_UFUNC_OPTIONS
#define NP_UNARY(name) "\nnp." name "(a, /" NP_UFUNC_OPTIONS

std::span<const Op> numpy_arithmetic_rows() {
  static constexpr Op rows[] = {
      {Library::numpy,
       "a + b\na - b\na * b\na / b\na // b\na % b\na ** b\na & b\na | b\na ^ b\na << b\na >> b\na == b\na != b\na < "
       "b\na <= b\na > b\na >= b" NP_BINARY("add") NP_BINARY("subtract") NP_BINARY("multiply") NP_BINARY("divide")
           NP_BINARY("true_divide") NP_BINARY("floor_divide") NP_BINARY("remainder") NP_BINARY("mod") NP_BINARY("power")
               NP_BINARY("bitwise_and") NP_BINARY("bitwise_or") NP_BINARY("bitwise_xor") NP_BINARY("left_shift")
                   NP_BINARY("right_shift") NP_BINARY("equal") NP_BINARY("not_equal") NP_BINARY("less")
                       NP_BINARY("less_equal") NP_BINARY("greater") NP_BINARY("greater_equal") NP_BINARY("maximum")
                           NP_BINARY("minimum") NP_BINARY("fmax") NP_BINARY("fmin") NP_BINARY("logical_and")
                               NP_BINARY("logical_or") NP_BINARY("logical_xor") NP_BINARY("arctan2") NP_BINARY("hypot")
                                   NP_BINARY("fmod") NP_BINARY("atan2") NP_BINARY("copysign") NP_BINARY("nextafter")
                                       NP_BINARY("heaviside") NP_BINARY("gcd") NP_BINARY("lcm") NP_BINARY("pow")
                                           NP_BINARY("bitwise_left_shift") NP_BINARY("bitwise_right_shift")
                                               NP_BINARY("logaddexp") NP_BINARY("logaddexp2"),
       Msg::op_np_binary,
       "operands are seen under the common shape; the axes of the result keep the order of |strides|",
       "x = np.arange(3).reshape(3, 1)\ny = x + np.arange(4)", binary, Op::Structured::reckoned},
      {Library::numpy,
       "-a\n~a\n+a" NP_UNARY("positive") NP_UNARY("negative") NP_UNARY("invert") NP_UNARY("bitwise_not") NP_UNARY(
           "abs") NP_UNARY("absolute") NP_UNARY("sign") NP_UNARY("sqrt") NP_UNARY("exp") NP_UNARY("log") NP_UNARY("sin")
           NP_UNARY("cos") NP_UNARY("tanh") NP_UNARY("floor") NP_UNARY("ceil") NP_UNARY("rint") NP_UNARY("logical_not")
               NP_UNARY("isnan") NP_UNARY("isinf") NP_UNARY("isfinite") NP_UNARY("square") NP_UNARY("tan") NP_UNARY(
                   "trunc") NP_UNARY("exp2") NP_UNARY("log2") NP_UNARY("log10") NP_UNARY("log1p") NP_UNARY("expm1")
                   NP_UNARY("conj") NP_UNARY("conjugate") NP_UNARY("bitwise_invert") NP_UNARY("arcsin") NP_UNARY("asin")
                       NP_UNARY("arccos") NP_UNARY("acos") NP_UNARY("arctan") NP_UNARY("atan") NP_UNARY("sinh")
                           NP_UNARY("cosh") NP_UNARY("arcsinh") NP_UNARY("asinh") NP_UNARY("arccosh") NP_UNARY("acosh")
                               NP_UNARY("arctanh") NP_UNARY("atanh") NP_UNARY("cbrt") NP_UNARY("fabs")
                                   NP_UNARY("deg2rad") NP_UNARY("rad2deg") NP_UNARY("radians") NP_UNARY("degrees")
                                       NP_UNARY("reciprocal") NP_UNARY("signbit"),
       Msg::op_np_unary, "the axes of the result keep the order of |strides|",
       "x = np.arange(6).reshape(2, 3).T\ny = -x", unary, Op::Structured::reckoned},
      {Library::numpy,
       "a += b\na -= b\na *= b\na /= b\na //= b\na %= b\na **= b\na &= b\na |= b\na ^= b\na <<= b\na >>= b",
       Msg::op_np_in_place, "the result is written to the bytes of a; b is read before",
       "x = np.arange(6)\nx[1:] += x[:-1]", in_place, Op::Structured::reckoned},
  };
  return rows;
}

}  // namespace stridescope

// Element by element, with broadcasting; and the ways to write elements.
#include <algorithm>

#include "ops/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

struct Named {
  std::string_view symbol;
  std::string_view function;  ///< also the ufunc's name in messages
  Arithmetic op;
};
constexpr Named binaries[] = {{"+", "add", Arithmetic::add},
                              {"-", "subtract", Arithmetic::subtract},
                              {"*", "multiply", Arithmetic::multiply},
                              {"/", "divide", Arithmetic::divide},
                              {"//", "floor_divide", Arithmetic::floor_divide},
                              {"%", "remainder", Arithmetic::remainder},
                              {"**", "power", Arithmetic::power},
                              {"&", "bitwise_and", Arithmetic::bit_and},
                              {"|", "bitwise_or", Arithmetic::bit_or},
                              {"^", "bitwise_xor", Arithmetic::bit_xor},
                              {"<<", "left_shift", Arithmetic::shift_left},
                              {">>", "right_shift", Arithmetic::shift_right},
                              {"==", "equal", Arithmetic::equal},
                              {"!=", "not_equal", Arithmetic::not_equal},
                              {"<", "less", Arithmetic::less},
                              {"<=", "less_equal", Arithmetic::less_equal},
                              {">", "greater", Arithmetic::greater},
                              {">=", "greater_equal", Arithmetic::greater_equal},
                              {"", "maximum", Arithmetic::maximum},
                              {"", "minimum", Arithmetic::minimum}};
constexpr Named unaries[] = {{"-", "negative", Arithmetic::negate},  {"+", "positive", Arithmetic::conjugate},
                             {"~", "invert", Arithmetic::invert},    {"", "abs", Arithmetic::absolute},
                             {"", "absolute", Arithmetic::absolute}, {"", "sign", Arithmetic::sign},
                             {"", "sqrt", Arithmetic::square_root},  {"", "exp", Arithmetic::exponential},
                             {"", "log", Arithmetic::logarithm},     {"", "sin", Arithmetic::sine},
                             {"", "cos", Arithmetic::cosine},        {"", "tanh", Arithmetic::tanh},
                             {"", "floor", Arithmetic::floor},       {"", "ceil", Arithmetic::ceil},
                             {"", "rint", Arithmetic::round},        {"", "logical_not", Arithmetic::logical_not}};

/// The entry that a form's name stands for: "+", "numpy.add".
template <size_t Count>
const Named& named(const Named (&table)[Count], std::string_view name) {
  const size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  return *std::find_if(std::begin(table), std::end(table),
                       [&](const Named& entry) { return entry.symbol == last || entry.function == last; });
}

bool is_whole_number(DType dtype) { return is_integer(dtype) || dtype == DType::boolean; }

std::nullopt_t no_loop(Call& call, const Named& what, DType dtype) {
  call.fail_parser({"ufunc '", what.function, "' not supported for the input types, and the inputs could not be safely coerced to any "
                       "supported types according to the casting rule ''safe''"},
                   Msg::np_no_loop, {what.function, name(dtype)});
  return std::nullopt;
}

/// The dtype the operation is reckoned in, or the call failed as NumPy refuses it.
std::optional<DType> reckoned_dtype(Call& call, const Named& what, DType common) {
  const bool bits = what.op >= Arithmetic::bit_and && what.op <= Arithmetic::shift_right;
  const bool whole = what.op == Arithmetic::floor_divide || what.op == Arithmetic::remainder;
  if ((bits && !is_whole_number(common)) || (whole && is_complex(common))) return no_loop(call, what, common);
  if (what.op == Arithmetic::divide && is_whole_number(common)) return DType::float64;
  if (common != DType::boolean) return common;
  if (what.op == Arithmetic::subtract) {
    call.fail_parser(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
        "logical_xor function instead.",
        Msg::np_no_loop, {what.function, "bool"});
    return std::nullopt;
  }
  const bool shifts = what.op == Arithmetic::shift_left || what.op == Arithmetic::shift_right;
  return whole || shifts || what.op == Arithmetic::power ? DType::int8 : common;
}

/// The dtype of a unary operation, or the call failed as NumPy refuses it.
std::optional<DType> reckoned_dtype(Call& call, const Named& what, DType given, bool) {
  const bool whole = is_whole_number(given), boolean = given == DType::boolean;
  if (what.op == Arithmetic::negate && boolean) {
    call.fail_parser(
        "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not "
        "function instead.",
        Msg::np_no_loop, {what.function, "bool"});
    return std::nullopt;
  }
  if ((what.op == Arithmetic::sign || what.function == "positive") && boolean) {
    call.fail("UFuncTypeError",
              {"ufunc '", what.function, "' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None"},
              Msg::np_no_loop, {what.function, "bool"});
    return std::nullopt;
  }
  const bool steps = what.op == Arithmetic::floor || what.op == Arithmetic::ceil;
  if ((what.op == Arithmetic::invert && !whole) || (steps && is_complex(given))) return no_loop(call, what, given);
  // Of whole numbers: the smallest floating dtype that holds them.
  const bool of_real = what.op >= Arithmetic::square_root && what.op <= Arithmetic::tanh;
  return of_real && whole ? numpy_promoted(given, DType::float16) : given;
}

/// Python's integers must fit the dtype that they give way to.
bool check_range(Call& call, const Operand& one, DType dtype) {
  if (one.weak && is_integer(dtype) && std::holds_alternative<int64_t>(one.number.held))
    stored_scalar(call, one.number, dtype);
  return !call.failed();
}

/// Comparisons with an integer that the array's dtype cannot hold are reckoned in one that can.
DType compared_in(const Operand& one, DType dtype) {
  const auto* number = std::get_if<int64_t>(&one.number.held);
  if (!one.weak || !number || !is_integer(dtype)) return dtype;
  if (dtype == DType::uint64) return *number < 0 ? DType::float64 : dtype;
  return integer_scalar(*number, dtype).integer == *number ? dtype : DType::int64;
}

struct Reckoned {
  ContentsPtr contents;  ///< row-major in the order `slowest`
  Dims sizes;
  Dims slowest;
  DType dtype = DType::int64;
};

/// The axes in the order NumPy lays a result out in, the slowest first. Where one inner loop can run over the operands
/// as they lie (of one shape, without conversion, all in Fortran order) the result is Fortran-ordered, axes of size 1
/// too.
Dims result_order(const std::vector<const Tensor*>& operands, const Dims& sizes, DType reckon_in) {
  bool c = true, fortran = true;
  std::vector<Layout> layouts;
  for (const Tensor* operand : operands) {
    layouts.push_back(broadcast_to(operand->layout, sizes));
    if (operand->layout.rank() == 0) continue;
    const bool direct = operand->layout.sizes == sizes && operand->dtype == reckon_in;
    c = c && is_contiguous(operand->layout, unit_of(*operand));
    fortran = fortran && direct && is_f_contiguous(operand->layout, unit_of(*operand));
  }
  return fortran && !c ? c_order(sizes.size()) : iteration_order(layouts);
}

/// a op b, broadcast; cells in the order NumPy lays its result out in. In place, `target` is a's array, which the
/// result must fit.
std::optional<Reckoned> reckoned(Call& call, const Named& what, const Operand& a, const Operand& b,
                                 const Tensor* target = nullptr) {
  if (call.failed()) return std::nullopt;
  const Tensor &left = *a.array->tensor, &right = *b.array->tensor;
  auto dtype = reckoned_dtype(call, what, common_dtype(a, b));
  if (!dtype) return std::nullopt;
  const bool comparison = what.op >= Arithmetic::equal && what.op <= Arithmetic::greater_equal;
  if (comparison)
    dtype = compared_in(a, compared_in(b, *dtype));
  else if (!check_range(call, a, *dtype) || !check_range(call, b, *dtype))
    return std::nullopt;
  if (target && !can_cast(*dtype, target->dtype, Casting::same_kind)) {
    call.fail("UFuncTypeError",
              {"Cannot cast ufunc '", what.function, "' output from dtype('", name(*dtype), "') to dtype('", name(target->dtype), "') with casting rule 'same_kind'"},
              Msg::np_cannot_cast, {name(*dtype), name(target->dtype)});
    return std::nullopt;
  }
  const auto sizes = broadcast_sizes({left.layout.sizes, right.layout.sizes});
  if (!sizes) {
    call.about("repeats").fail(
        "ValueError",
        {"operands could not be broadcast together with shapes ", shape_text(left.layout.sizes), " ", shape_text(right.layout.sizes), " ", (target ? shape_text(left.layout.sizes) + " " : "")},
        Msg::np_cannot_broadcast, {shape_text(left.layout.sizes), shape_text(right.layout.sizes)});
    return std::nullopt;
  }
  if (target && *sizes != target->layout.sizes) {
    call.fail("ValueError",
              {"non-broadcastable output operand with shape ", shape_text(target->layout.sizes), " doesn't match the broadcast shape ", shape_text(*sizes)},
              Msg::np_cannot_broadcast_into, {shape_text(*sizes), shape_text(target->layout.sizes)});
    return std::nullopt;
  }
  if (what.op == Arithmetic::power && is_integer(*dtype) && count_of(right) <= small_cells) {
    const Elements exponents = elements_of(right);
    for (int64_t i = 0; i < count_of(right); ++i)
      if (element(exponents, i).integer < 0)
        return call.fail("ValueError", "Integers to negative integer powers are not allowed.", Msg::np_negative_power),
               std::nullopt;
  }
  std::array operands{broadcast_elements(left, *sizes), broadcast_elements(right, *sizes)};
  Reckoned result{nullptr, *sizes, result_order({&left, &right}, *sizes, *dtype),
                  gives_bool(what.op) ? DType::boolean : *dtype};
  owned_layout(call, *sizes, result.dtype);
  if (call.failed()) return std::nullopt;
  for (Elements& one : operands) one.layout = permute(one.layout, result.slowest);
  result.contents = elementwise(what.op, operands, *dtype, result.dtype);
  return result;
}

Value finished(Call& call, Reckoned result) {
  const int64_t unit = itemsize(result.dtype), count = *numel(result.sizes);
  const Layout layout{
      result.sizes,
      count == 0 ? Dims::filled(result.sizes.size(), 0) : packed_slowest_first(result.sizes, result.slowest, unit), 0};
  call.why(Msg::np_elementwise_headline, {count, shape_text(result.sizes), name(result.dtype), count * unit});
  if (count > 0 && layout.strides != contiguous(result.sizes, unit).strides)
    call.why(Msg::np_elementwise_order, {shape_text(layout.strides)});
  return scalar_if_0d(call, call.fresh(result.dtype, layout, std::move(result.contents)));
}

void explain_broadcast(Call& call, const Operand& one, const Dims& sizes) {
  if (one.weak || one.array->tensor->layout.sizes == sizes) return;
  call.why(Msg::np_operand_broadcast, {shape_text(one.array->tensor->layout.sizes), shape_text(sizes),
                                       shape_text(broadcast_to(one.array->tensor->layout, sizes).strides)});
}

Value binary(Call& call) {
  const Named& what = named(binaries, call.name());
  const Operand a = operand(call, call.value("a")), b = operand(call, call.value("b"));
  auto result = reckoned(call, what, a, b);
  if (!result) return {};
  const Dims sizes = result->sizes;
  const Value value = finished(call, std::move(*result));
  if (!sizes.empty()) {
    explain_broadcast(call, a, sizes);
    explain_broadcast(call, b, sizes);
  }
  return value;
}

Value apply_unary(Call& call, const Named& what, const Tensor& array) {
  const auto dtype = reckoned_dtype(call, what, array.dtype, true);
  if (!dtype) return {};
  const DType reckon_in = *dtype;
  // |z| of a complex number is real.
  const DType length = reckon_in == DType::complex64 ? DType::float32 : DType::float64;
  const bool measured = what.op == Arithmetic::absolute && is_complex(reckon_in);
  Reckoned result{nullptr, array.layout.sizes, result_order({&array}, array.layout.sizes, reckon_in),
                  gives_bool(what.op) ? DType::boolean
                  : measured          ? length
                                      : reckon_in};
  owned_layout(call, result.sizes, result.dtype);
  if (call.failed()) return {};
  Elements elements = elements_of(array);
  elements.layout = permute(elements.layout, result.slowest);
  result.contents = elementwise(what.op, std::array{elements}, reckon_in, result.dtype);
  return finished(call, std::move(result));
}

Value unary(Call& call) {
  const TensorRef source = as_array(call, call.value("a"));
  return call.failed() ? Value{} : apply_unary(call, named(unaries, call.name()), *source->tensor);
}

/// x.round(): nothing to do for whole numbers.
Value round_to(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  if (call.integer("decimals") != 0) return call.refuse(Msg::np_round_decimals, {call.integer("decimals")});
  if (is_integer(array.dtype)) {
    if (array.layout.rank() == 0 || !tensor_of(call.value("x")))
      return scalar_if_0d(call, numpy_copy(call, array, NumpyOrder::c));
    return numpy_same(call, source, Msg::np_round_whole, {name(array.dtype)});
  }
  if (is_complex(array.dtype)) {
    // Both parts of a copy in C order.
    call.why(Msg::np_elementwise_headline,
             {count_of(array), shape_text(array.layout.sizes), name(array.dtype), nbytes(array)});
    return scalar_if_0d(
        call, numpy_fresh(call, array.layout.sizes, array.dtype,
                          elementwise(Arithmetic::round, std::array{elements_of(array)}, array.dtype, array.dtype)));
  }
  return apply_unary(call, {"", "rint", Arithmetic::round}, array);
}

// In place.

Value in_place(Call& call) {
  const Named& what = named(binaries, call.name());
  const TensorRef target_ref = as_array(call, call.value("a"));
  if (call.failed()) return {};
  const Tensor target = *target_ref->tensor;
  const Operand a{target_ref, false, {}}, b = operand(call, call.value("b"));
  if (call.failed()) return {};
  if (!numpy_writeable(call, target, "output array is read-only")) return {};
  auto result = reckoned(call, what, a, b, &target);
  if (!result) return {};
  if (!result->contents) return call.refuse(Msg::np_too_costly);
  call.why(Msg::np_in_place_headline, {count_of(target), nbytes(target)});
  if (count_of(target) > 0) {
    Tensor ordered = target;
    ordered.layout = permute(target.layout, result->slowest);
    call.write(ordered, {result->contents, contiguous(ordered.layout.sizes, itemsize(result->dtype)), result->dtype});
  }
  call.relation(Relation::write);
  return {target_ref};
}

}  // namespace

std::span<const Op> numpy_arithmetic_rows() {
  static const Op rows[] = {
      {Library::numpy,
       "a + b\na - b\na * b\na / b\na // b\na % b\na ** b\na & b\na | b\na ^ b\na << b\na >> b\na == b\na != b\na < "
       "b\na <= b\na > b\na >= b\n"
       "np.add(a, b)\nnp.subtract(a, b)\nnp.multiply(a, b)\nnp.divide(a, b)\nnp.floor_divide(a, b)\nnp.remainder(a, "
       "b)\nnp.power(a, b)\nnp.bitwise_and(a, b)\nnp.bitwise_or(a, b)\n"
       "np.bitwise_xor(a, b)\nnp.equal(a, b)\nnp.not_equal(a, b)\nnp.less(a, b)\nnp.less_equal(a, b)\nnp.greater(a, "
       "b)\nnp.greater_equal(a, b)\nnp.maximum(a, b)\nnp.minimum(a, b)",
       Msg::op_np_binary,
       "operands are seen under the common shape; the axes of the result keep the order of |strides|",
       "x = np.arange(3).reshape(3, 1)\ny = x + np.arange(4)", binary},
      {Library::numpy,
       "-a\n~a\n+a\nnp.positive(a)\nnp.negative(a)\nnp.invert(a)\nnp.abs(a)\nnp.absolute(a)\nnp.sign(a)\nnp.sqrt(a)"
       "\nnp.exp(a)\nnp.log(a)"
       "\nnp.sin(a)\nnp.cos(a)\nnp.tanh(a)\nnp.floor(a)\nnp.ceil(a)\nnp.rint(a)\n"
       "np.logical_not(a)",
       Msg::op_np_unary, "the axes of the result keep the order of |strides|",
       "x = np.arange(6).reshape(2, 3).T\ny = -x", unary},
      {Library::numpy, "x.round(decimals: int = 0)\nnp.round(x, decimals: int = 0)\nnp.around(x, decimals: int = 0)",
       Msg::op_np_round, "whole numbers stay as they are", "x = np.linspace(0, 2, 5)\ny = np.round(x)", round_to},
      {Library::numpy,
       "a += b\na -= b\na *= b\na /= b\na //= b\na %= b\na **= b\na &= b\na |= b\na ^= b\na <<= b\na >>= b",
       Msg::op_np_in_place, "the result is written to the bytes of a; b is read before",
       "x = np.arange(6)\nx[1:] += x[:-1]", in_place},
  };
  return rows;
}

}  // namespace stridescope

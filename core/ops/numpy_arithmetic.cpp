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
                              {"", "true_divide", Arithmetic::divide},
                              {"", "mod", Arithmetic::remainder},
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
                             {"~", "invert", Arithmetic::invert},    {"", "bitwise_not", Arithmetic::invert}, {"", "absolute", Arithmetic::absolute},
                             {"", "abs", Arithmetic::absolute}, {"", "sign", Arithmetic::sign},
                             {"", "sqrt", Arithmetic::square_root},  {"", "exp", Arithmetic::exponential},
                             {"", "log", Arithmetic::logarithm},     {"", "sin", Arithmetic::sine},
                             {"", "cos", Arithmetic::cosine},        {"", "tanh", Arithmetic::tanh},
                             {"", "floor", Arithmetic::floor},       {"", "ceil", Arithmetic::ceil},
                             {"", "rint", Arithmetic::round},        {"", "logical_not", Arithmetic::logical_not}};

/// The entry that a form's name stands for: "+", "numpy.add"; of several names of a ufunc the first, its own.
template <size_t Count>
const Named& named(const Named (&table)[Count], std::string_view name) {
  const size_t dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  const Named& found = *std::find_if(std::begin(table), std::end(table),
                                     [&](const Named& entry) { return entry.symbol == last || entry.function == last; });
  return *std::find_if(std::begin(table), std::end(table), [&](const Named& entry) { return entry.op == found.op; });
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
  const bool of_real = (what.op >= Arithmetic::square_root && what.op <= Arithmetic::tanh) || what.function == "rint";
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

/// Where a result goes and how it is reckoned: out=, where=, dtype= and casting= of a ufunc. In place, `out` is the array
/// itself.
struct Target {
  TensorRef out, where;
  std::optional<DType> dtype;
  Casting casting = Casting::same_kind;
};

Target target_of(Call& call) {
  Target target;
  if (call.given("out")) {
    Value out = call.value("out");
    const auto* several = std::get_if<Sequence>(&out.held);
    const bool by_name = call.parts().list.end == 0 || call.written(call.parts().list).find("out") != std::string::npos;
    if (several && several->kind == Sequence::Kind::tuple && by_name) {
      if (several->items->size() != 1)
        return call.about("out").fail("ValueError", "The 'out' tuple must have exactly one entry per ufunc output",
                                      Msg::np_wants_arrays, {"tuple"}),
               target;
      out = Value(several->items->front());
    }
    if (!std::holds_alternative<None>(out.held) && !tensor_of(out))
      return call.about("out").fail_parser("return arrays must be of ArrayType", Msg::np_wants_arrays, {type_name(out)}),
             target;
    if (tensor_of(out)) target.out = std::get<TensorRef>(out.held);
  }
  target.dtype = dtype_argument(call);
  target.casting = numpy_casting(call, Casting::same_kind);
  const auto* truth = std::get_if<bool>(&call.value("where").held);
  if (call.given("where") && !(truth && *truth)) {
    target.where = as_array(call, call.value("where"));
    if (!call.failed()) check_cast(call, *target.where->tensor, DType::boolean, Casting::safe);
  }
  if (!call.failed() && target.out) numpy_writeable(call, *target.out->tensor, "output array is read-only");
  return target;
}

/// Whether elements of dtype `from` may be reckoned in or stored as `to`; else the call fails, and names the operand.
bool fits(Call& call, const Named& what, std::string_view operand, DType from, DType to, Casting casting) {
  if (can_cast(from, to, casting)) return true;
  constexpr std::string_view rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  call.fail("UFuncTypeError",
            "Cannot cast ufunc '" + std::string(what.function) + "' " + std::string(operand) + " from dtype('" +
                std::string(name(from)) + "') to dtype('" + std::string(name(to)) + "') with casting rule '" +
                std::string(rules[static_cast<size_t>(casting)]) + "'",
            Msg::np_cannot_cast, {name(from), name(to)});
  return false;
}

/// The dtype that dtype= asks for, in which `inputs` are reckoned; the call failed where there is no such loop.
std::optional<DType> wanted_dtype(Call& call, const Named& what, DType usual, const std::vector<const Operand*>& inputs,
                                  const Target& target) {
  if (!target.dtype) return usual;
  const DType dtype = *target.dtype;
  const bool found = gives_bool(what.op)                                                       ? dtype == DType::boolean
                     : what.op >= Arithmetic::bit_and && what.op <= Arithmetic::shift_right ? is_whole_number(dtype)
                     : usual == DType::float64 && what.op == Arithmetic::divide             ? !is_whole_number(dtype)
                                                                                            : true;
  if (!found) {
    call.fail_parser("No loop matching the specified signature and casting was found for ufunc " + std::string(what.function),
                     Msg::np_no_loop, {what.function, name(dtype)});
    return std::nullopt;
  }
  if (gives_bool(what.op)) return usual;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string number = inputs.size() == 1 ? "input" : "input " + std::to_string(i);
    if (inputs[i]->weak && is_integer(inputs[i]->array->tensor->dtype) && !is_whole_number(dtype)) continue;
    const bool small = inputs[i]->weak && is_integer(inputs[i]->array->tensor->dtype) && is_integer(dtype);
    if (!small && !fits(call, what, number, inputs[i]->array->tensor->dtype, dtype, target.casting)) return std::nullopt;
  }
  return dtype;
}

/// The sizes of the result of operands of these shapes, which an array it is written to must have.
std::optional<Dims> result_sizes(Call& call, std::vector<Dims> shapes, const Target& target) {
  if (target.out) shapes.push_back(target.out->tensor->layout.sizes);
  if (target.where) shapes.push_back(target.where->tensor->layout.sizes);
  const auto sizes = broadcast_sizes(shapes);
  if (!sizes) {
    std::string all;
    for (const Dims& shape : shapes) all += shape_text(shape) + " ";
    call.about("repeats").fail("ValueError", "operands could not be broadcast together with shapes " + all,
                               Msg::np_cannot_broadcast,
                               {shape_text(shapes.front()), shape_text(shapes[shapes.size() > 1 ? 1 : 0])});
  } else if (target.out && *sizes != target.out->tensor->layout.sizes) {
    const std::string own = shape_text(target.out->tensor->layout.sizes);
    call.fail("ValueError",
              "non-broadcastable output operand with shape " + own + " doesn't match the broadcast shape " +
                  shape_text(*sizes),
              Msg::np_cannot_broadcast_into, {shape_text(*sizes), own});
  }
  return call.failed() ? std::nullopt : sizes;
}

/// The operands under the common shape, reckoned in `dtype`; cells in the order NumPy walks them.
std::optional<Reckoned> reckoned_in(Call& call, const Named& what, const std::vector<const Operand*>& inputs, DType dtype,
                                    DType result_dtype, const Target& target) {
  if (target.out && !fits(call, what, "output", result_dtype, target.out->tensor->dtype, target.casting))
    return std::nullopt;
  std::vector<const Tensor*> tensors;
  std::vector<Dims> shapes;
  for (const Operand* input : inputs) {
    tensors.push_back(&*input->array->tensor);
    shapes.push_back(tensors.back()->layout.sizes);
  }
  const auto sizes = result_sizes(call, shapes, target);
  if (!sizes) return std::nullopt;
  if (what.op == Arithmetic::power && is_integer(dtype) && count_of(*tensors[1]) <= small_cells) {
    const Elements exponents = elements_of(*tensors[1]);
    for (int64_t i = 0; i < count_of(*tensors[1]); ++i)
      if (element(exponents, i).integer < 0)
        return call.fail("ValueError", "Integers to negative integer powers are not allowed.", Msg::np_negative_power),
               std::nullopt;
  }
  Reckoned result{nullptr, *sizes, {}, result_dtype};
  std::vector<Elements> operands;
  for (const Tensor* tensor : tensors) operands.push_back(broadcast_elements(*tensor, *sizes));
  if (target.out) tensors.push_back(&*target.out->tensor);
  result.slowest = result_order(tensors, *sizes, dtype);
  owned_layout(call, *sizes, result.dtype);
  if (call.failed()) return std::nullopt;
  for (Elements& one : operands) one.layout = permute(one.layout, result.slowest);
  result.contents = elementwise(what.op, operands, dtype, result.dtype);
  return result;
}

/// a op b, broadcast.
std::optional<Reckoned> reckoned(Call& call, const Named& what, const Operand& a, const Operand& b, const Target& target) {
  if (call.failed()) return std::nullopt;
  const std::vector<const Operand*> inputs{&a, &b};
  auto dtype = reckoned_dtype(call, what, common_dtype(a, b));
  if (dtype) dtype = wanted_dtype(call, what, *dtype, inputs, target);
  if (!dtype) return std::nullopt;
  const bool comparison = what.op >= Arithmetic::equal && what.op <= Arithmetic::greater_equal;
  if (comparison)
    dtype = compared_in(a, compared_in(b, *dtype));
  else if (!check_range(call, a, *dtype) || !check_range(call, b, *dtype))
    return std::nullopt;
  return reckoned_in(call, what, inputs, *dtype, gives_bool(what.op) ? DType::boolean : *dtype, target);
}

/// The result in the array that was given for it.
Value stored(Call& call, const Reckoned& result, const Target& target) {
  if (!result.contents) return call.refuse(Msg::np_too_costly);
  Tensor ordered = *target.out->tensor;
  call.why(Msg::np_in_place_headline, {count_of(ordered), nbytes(ordered)});
  if (count_of(ordered) > 0) {
    ordered.layout = permute(ordered.layout, result.slowest);
    Elements value{result.contents, contiguous(ordered.layout.sizes, itemsize(result.dtype)), result.dtype};
    if (target.where) {
      Elements mask = broadcast_elements(*target.where->tensor, result.sizes);
      mask.layout = permute(mask.layout, result.slowest);
      value.contents = elementwise(Arithmetic::where, std::array{mask, value, elements_of(ordered)}, ordered.dtype,
                                   ordered.dtype);
      if (!value.contents) return call.refuse(Msg::np_too_costly);
      value = {value.contents, contiguous(ordered.layout.sizes, unit_of(ordered)), ordered.dtype};
      call.why(Msg::np_write_where);
    }
    call.write(ordered, value);
  }
  call.relation(Relation::write);
  return {target.out};
}

Value finished(Call& call, Reckoned result, const Target& target) {
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

Value binary(Call& call) {
  const Named& what = named(binaries, call.name());
  const Operand a = operand(call, call.value("a")), b = operand(call, call.value("b"));
  const Target target = target_of(call);
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

Value apply_unary(Call& call, const Named& what, const Operand& input, const Target& target = {}) {
  if (call.failed()) return {};
  auto dtype = reckoned_dtype(call, what, input.array->tensor->dtype, true);
  if (dtype) dtype = wanted_dtype(call, what, *dtype, {&input}, target);
  if (!dtype) return {};
  // |z| of a complex number is real.
  const DType length = *dtype == DType::complex64 ? DType::float32 : DType::float64;
  const bool measured = what.op == Arithmetic::absolute && is_complex(*dtype);
  auto result = reckoned_in(call, what, {&input}, *dtype, gives_bool(what.op) ? DType::boolean : measured ? length : *dtype,
                            target);
  return result ? finished(call, std::move(*result), target) : Value{};
}

Value unary(Call& call) {
  const Operand input = operand(call, call.value("a"));
  const Target target = call.failed() ? Target{} : target_of(call);
  if (call.failed()) return {};
  const Named& what = named(unaries, call.name());
  // +z is z itself, of complex numbers too.
  if (what.function == "positive" && is_complex(input.array->tensor->dtype) && !target.out)
    return scalar_if_0d(call, numpy_copy(call, *input.array->tensor, NumpyOrder::keep));
  return apply_unary(call, what, {input.array, false, {}}, target);
}

/// To `decimals` digits behind the point: times their power of ten, to whole numbers, and back.
Value rounded_to(Call& call, const Tensor& array, int64_t decimals) {
  const Named steps[] = {{"", "multiply", Arithmetic::multiply}, {"", "divide", Arithmetic::divide}};
  const Named &first = steps[decimals < 0 ? 1 : 0], &last = steps[decimals < 0 ? 0 : 1];
  const DType dtype = is_whole_number(array.dtype) ? DType::float64 : array.dtype;
  if (array.dtype == DType::boolean && !fits(call, first, "output", dtype, array.dtype, Casting::same_kind)) return {};
  const Order order = is_complex(array.dtype) ? Order::c : resolved_order(array, NumpyOrder::any);
  Layout target = owned_layout(call, array.layout.sizes, array.dtype, order);
  if (call.failed()) return {};
  const int64_t count = count_of(array);
  double power = 1;
  for (int64_t i = std::min<int64_t>(std::abs(decimals), 400); i > 0; --i) power *= 10;
  Elements elements = elements_of(array);
  if (order == Order::fortran) elements.layout = permute(elements.layout, c_order(array.layout.rank()));
  const Layout packed = contiguous(elements.layout.sizes, itemsize(dtype));
  const Elements factor{constant_contents(real_scalar(power, dtype), 1),
                        {packed.sizes, Dims::filled(packed.rank(), 0), 0}, dtype};
  ContentsPtr contents = elementwise(first.op, std::array{elements, factor}, dtype, dtype);
  if (contents) contents = elementwise(Arithmetic::round, std::array{Elements{contents, packed, dtype}}, dtype, dtype);
  if (contents) contents = elementwise(last.op, std::array{Elements{contents, packed, dtype}, factor}, dtype, array.dtype);
  call.why(Msg::np_elementwise_headline, {count, shape_text(target.sizes), name(array.dtype), nbytes(array)});
  return scalar_if_0d(call, call.fresh(array.dtype, target, std::move(contents)));
}

/// x.round(): nothing to do for whole numbers.
Value round_to(Call& call) {
  const TensorRef source = receiver(call);
  if (call.failed()) return {};
  const Tensor& array = *source->tensor;
  const int64_t decimals = call.integer("decimals");
  if (call.failed()) return {};
  if (decimals < 0 || (decimals > 0 && !is_integer(array.dtype))) return rounded_to(call, array, decimals);
  if (is_integer(array.dtype)) {
    if (array.layout.rank() == 0 || !tensor_of(call.value("x")))
      return scalar_if_0d(call, numpy_copy(call, array, NumpyOrder::c));
    return numpy_same(call, source, Msg::np_round_whole, {name(array.dtype)});
  }
  if (is_complex(array.dtype)) {
    // Both parts of a copy in C order.
    call.why(Msg::np_elementwise_headline,
             {count_of(array), to_string(array.layout.sizes), name(array.dtype)});
    return scalar_if_0d(
        call, numpy_fresh(call, array.layout.sizes, array.dtype,
                          elementwise(Arithmetic::round, std::array{elements_of(array)}, array.dtype, array.dtype)));
  }
  return apply_unary(call, {"", "rint", Arithmetic::round}, {source, false, {}});
}

// In place.

Value in_place(Call& call) {
  const Named& what = named(binaries, call.name());
  const TensorRef array = as_array(call, call.value("a"));
  const Operand b = operand(call, call.value("b"));
  if (call.failed() || !numpy_writeable(call, *array->tensor, "output array is read-only")) return {};
  const Target target{array, nullptr, {}, Casting::same_kind};
  const auto result = reckoned(call, what, {array, false, {}}, b, target);
  return result ? stored(call, *result, target) : Value{};
}

}  // namespace

// What every ufunc may be given besides its operands.
#define NP_UFUNC_OPTIONS ", out=None, *, where=True, casting='same_kind', dtype=None)"
#define NP_BINARY(name) "\nnp." name "(a, b" NP_UFUNC_OPTIONS
#define NP_UNARY(name) "\nnp." name "(a" NP_UFUNC_OPTIONS

std::span<const Op> numpy_arithmetic_rows() {
  static const Op rows[] = {
      {Library::numpy,
       "a + b\na - b\na * b\na / b\na // b\na % b\na ** b\na & b\na | b\na ^ b\na << b\na >> b\na == b\na != b\na < "
       "b\na <= b\na > b\na >= b" NP_BINARY("add") NP_BINARY("subtract") NP_BINARY("multiply") NP_BINARY("divide")
       NP_BINARY("true_divide") NP_BINARY("floor_divide") NP_BINARY("remainder") NP_BINARY("mod") NP_BINARY("power")
       NP_BINARY("bitwise_and") NP_BINARY("bitwise_or") NP_BINARY("bitwise_xor") NP_BINARY("left_shift")
       NP_BINARY("right_shift") NP_BINARY("equal") NP_BINARY("not_equal") NP_BINARY("less") NP_BINARY("less_equal")
       NP_BINARY("greater") NP_BINARY("greater_equal") NP_BINARY("maximum") NP_BINARY("minimum"),
       Msg::op_np_binary,
       "operands are seen under the common shape; the axes of the result keep the order of |strides|",
       "x = np.arange(3).reshape(3, 1)\ny = x + np.arange(4)", binary},
      {Library::numpy,
       "-a\n~a\n+a" NP_UNARY("positive") NP_UNARY("negative") NP_UNARY("invert") NP_UNARY("bitwise_not") NP_UNARY("abs") NP_UNARY("absolute")
       NP_UNARY("sign") NP_UNARY("sqrt") NP_UNARY("exp") NP_UNARY("log") NP_UNARY("sin") NP_UNARY("cos") NP_UNARY("tanh")
       NP_UNARY("floor") NP_UNARY("ceil") NP_UNARY("rint") NP_UNARY("logical_not"),
       Msg::op_np_unary, "the axes of the result keep the order of |strides|",
       "x = np.arange(6).reshape(2, 3).T\ny = -x", unary},
      {Library::numpy, "x.round(decimals: int = 0)\nnp.round(a, decimals: int = 0)\nnp.around(a, decimals: int = 0)",
       Msg::op_np_round, "whole numbers stay as they are, but for negative decimals", "x = np.linspace(0, 2, 5)\ny = np.round(x)", round_to},
      {Library::numpy,
       "a += b\na -= b\na *= b\na /= b\na //= b\na %= b\na **= b\na &= b\na |= b\na ^= b\na <<= b\na >>= b",
       Msg::op_np_in_place, "the result is written to the bytes of a; b is read before",
       "x = np.arange(6)\nx[1:] += x[:-1]", in_place},
  };
  return rows;
}

}  // namespace stridescope

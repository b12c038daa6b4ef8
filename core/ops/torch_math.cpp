// Element by element arithmetic, comparison and the few sums that course code needs.
#include <algorithm>
#include <cmath>

#include "ops/rows.h"
#include "ops/torch.h"

namespace stridescope {
namespace {

/// Most elements that are summed one by one.
constexpr int64_t max_summed = 1 << 16;

struct Named {
  std::string_view name;
  Arithmetic op;
};

constexpr Named operations[] = {
    {"+", Arithmetic::add}, {"add", Arithmetic::add}, {"-", Arithmetic::subtract}, {"sub", Arithmetic::subtract}, {"subtract", Arithmetic::subtract}, {"*", Arithmetic::multiply},
    {"mul", Arithmetic::multiply}, {"multiply", Arithmetic::multiply}, {"/", Arithmetic::divide}, {"div", Arithmetic::divide}, {"true_divide", Arithmetic::divide},
    {"//", Arithmetic::floor_divide}, {"floor_divide", Arithmetic::floor_divide}, {"%", Arithmetic::remainder}, {"remainder", Arithmetic::remainder}, {"**", Arithmetic::power},
    {"pow", Arithmetic::power}, {"maximum", Arithmetic::maximum}, {"minimum", Arithmetic::minimum}, {"&", Arithmetic::bit_and}, {"|", Arithmetic::bit_or}, {"^", Arithmetic::bit_xor},
    {"<<", Arithmetic::shift_left}, {">>", Arithmetic::shift_right}, {"==", Arithmetic::equal}, {"eq", Arithmetic::equal}, {"!=", Arithmetic::not_equal}, {"ne", Arithmetic::not_equal},
    {"<", Arithmetic::less}, {"lt", Arithmetic::less}, {"<=", Arithmetic::less_equal}, {"le", Arithmetic::less_equal}, {">", Arithmetic::greater}, {"gt", Arithmetic::greater},
    {">=", Arithmetic::greater_equal}, {"ge", Arithmetic::greater_equal}, {"logical_and", Arithmetic::logical_and}, {"logical_or", Arithmetic::logical_or},
    {"neg", Arithmetic::negate}, {"negative", Arithmetic::negate}, {"abs", Arithmetic::absolute}, {"absolute", Arithmetic::absolute}, {"bitwise_not", Arithmetic::invert}, {"~", Arithmetic::invert},
    {"logical_not", Arithmetic::logical_not}, {"sign", Arithmetic::sign}, {"sqrt", Arithmetic::square_root}, {"exp", Arithmetic::exponential}, {"log", Arithmetic::logarithm},
    {"sin", Arithmetic::sine}, {"cos", Arithmetic::cosine}, {"tanh", Arithmetic::tanh}, {"floor", Arithmetic::floor}, {"ceil", Arithmetic::ceil}, {"round", Arithmetic::round},
};

/// @pre the name is one of the rows below
Arithmetic operation_of(std::string_view name) {
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
  return std::find_if(std::begin(operations), std::end(operations), [&](const Named& one) { return one.name == name; })->op;
}

/// A tensor or a number as an operand; nothing: the call failed.
std::optional<Elements> operand_of(Call& call, const Value& value, std::string_view parameter) {
  if (const TensorPtr tensor = tensor_of(value)) return elements_of(*tensor);
  std::optional<Scalar> scalar;
  if (const auto* real = std::get_if<double>(&value.held)) scalar = real_scalar(*real, DType::float64);
  else if (const auto* numpy = std::get_if<NumpyScalar>(&value.held)) scalar = numpy->value;
  else if (const auto* truth = std::get_if<bool>(&value.held)) scalar = integer_scalar(*truth ? 1 : 0, DType::boolean);
  else if (const auto* integer = std::get_if<int64_t>(&value.held)) scalar = integer_scalar(*integer, DType::int64);
  if (scalar) return Elements{constant_contents(*scalar, 1), {}, scalar->dtype};
  call.wrong_type(parameter, "Tensor or number");
  return std::nullopt;
}

Value computed(Call& call, Arithmetic op, const std::vector<const Value*>& arguments, DType common, DType dtype) {
  Dims sizes;
  std::vector<Elements> operands;
  for (const Value* argument : arguments) {
    const auto operand = operand_of(call, *argument, "other");
    const auto joined = operand ? broadcast_sizes(call, sizes, operand->layout.sizes) : std::nullopt;
    if (!joined) return {};
    sizes = *joined;
    operands.push_back(*operand);
  }
  bool alike = true;
  std::vector<Layout> layouts;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const TensorPtr tensor = tensor_of(*arguments[k]);
    alike &= tensor && tensor->layout.sizes == sizes;
    if (!tensor) continue;
    // As TensorIterator sees it: a size of 1 that is repeated has stride 0, as has a missing dimension.
    Layout seen{sizes, Dims::filled(sizes.size(), 0), tensor->layout.storage_offset};
    const int extra = sizes.size() - tensor->layout.rank();
    for (int d = extra; d < sizes.size(); ++d)
      if (tensor->layout.sizes[d - extra] != 1 || sizes[d] == 1) seen.strides[d] = tensor->layout.strides[d - extra];
    layouts.push_back(seen);
  }
  const Layout result{sizes, iterator_strides(sizes, layouts, alike), 0};
  if (!is_valid(result)) return call.refuse(Msg::beyond_int64);
  call.why(Msg::elementwise_headline, {*numel(sizes), name(dtype), to_string(result)});
  bool spread = false;
  for (const Elements& operand : operands) spread |= operand.layout.rank() > 0 && !(operand.layout.sizes == sizes);
  if (spread) call.why(Msg::elementwise_broadcast, {to_string(sizes)});
  if (!(result.strides == contiguous(sizes).strides)) call.why(Msg::elementwise_layout, {to_string(result.strides)});
  const Value value = call.gathered(result, dtype, [&](const Dims& order) {
    for (Elements& operand : operands) operand.layout = permute(expand(operand.layout, sizes), order);
    return elementwise(op, operands, common, dtype);
  });
  call.relation(Relation::fresh);
  return value;
}

/// Whether 0 is among the divisors, as far as they are few enough to look at.
bool holds_zero(const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  if (!tensor) return as_integer(value) == 0;
  const int64_t count = *numel(tensor->layout.sizes);
  const Elements elements = elements_of(*tensor);
  for (int64_t i = 0; i < count && count <= max_summed; ++i)
    if (!is_true(element(elements, i))) return true;
  return false;
}

Value binary_row(Call& call) {
  const Arithmetic op = operation_of(call.name());
  const Value &a = call.value("a"), &b = call.value("b");
  TypeVote vote;
  vote.add(a);
  vote.add(b);
  DType common = vote.result();
  if (op == Arithmetic::divide && !is_floating(common) && !is_complex(common)) common = DType::float32;
  if (op == Arithmetic::subtract && !check_subtraction(call, a, b)) return {};
  if (op == Arithmetic::power && !is_floating(common) && !is_complex(common) && !tensor_of(b) && as_integer(b).value_or(0) < 0)
    return call.fail("RuntimeError", "Integers to negative integer powers are not allowed.", Msg::negative_power);
  if ((op == Arithmetic::floor_divide || op == Arithmetic::remainder) && !is_floating(common) && holds_zero(b))
    return call.fail("RuntimeError", "ZeroDivisionError", Msg::division_by_zero);
  return computed(call, op, {&a, &b}, common, gives_bool(op) ? DType::boolean : common);
}

Value unary_row(Call& call) {
  const bool sign = call.name() == "-" || call.name().ends_with("neg");
  const Arithmetic op = sign ? Arithmetic::negate : operation_of(call.name());
  const DType own = call.tensor("a")->tensor->dtype;
  if (sign && own == DType::boolean)
    return call.fail("RuntimeError", "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
                     Msg::bool_negate);
  const bool real = op >= Arithmetic::square_root && op <= Arithmetic::tanh && !is_floating(own) && !is_complex(own);
  const DType dtype = real ? DType::float32 : own;
  return computed(call, op, {&call.value("a")}, dtype, gives_bool(op) ? DType::boolean : dtype);
}

/// Sums, means, extremes along dimensions, or of everything: computed at once, so only for what is small.
Value reduce_row(Call& call) {
  const Tensor tensor = call.self();
  const Layout& layout = tensor.layout;
  const Dims dims = call.given("dim") ? call.dims("dim") : Dims{};
  const bool keep = call.given("keepdim") && call.boolean("keepdim"), mean = call.name().ends_with("mean");
  if (call.failed()) return {};
  if (mean && !is_floating(tensor.dtype) && !is_complex(tensor.dtype) && !call.given("dtype"))
    return call.fail("RuntimeError", "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: " + std::string(scalar_type_name(tensor.dtype)),
                     Msg::mean_needs_floats, {name(tensor.dtype)});
  const DType dtype = call.given("dtype") ? call.dtype("dtype").value_or(tensor.dtype) : is_floating(tensor.dtype) || is_complex(tensor.dtype) ? tensor.dtype : DType::int64;
  if (*numel(layout.sizes) > max_summed) return call.refuse(Msg::too_many_summed, {*numel(layout.sizes), max_summed});
  std::vector<bool> summed(static_cast<size_t>(layout.rank()), dims.empty());
  for (int64_t d : dims)
    if (layout.rank() > 0) summed[static_cast<size_t>(d)] = true;
  Dims kept, order, sizes;
  int64_t each = 1;
  for (int d = 0; d < layout.rank(); ++d) {
    if (!summed[static_cast<size_t>(d)]) order.push_back(d), kept.push_back(layout.sizes[d]);
    else each *= layout.sizes[d];
    if (!summed[static_cast<size_t>(d)] || keep) sizes.push_back(summed[static_cast<size_t>(d)] ? 1 : layout.sizes[d]);
  }
  for (int d = 0; d < layout.rank(); ++d)
    if (summed[static_cast<size_t>(d)]) order.push_back(d);
  Elements elements = elements_of(tensor);
  elements.layout = permute(elements.layout, order);
  std::vector<Scalar> totals;
  for (int64_t i = 0; i < *numel(kept); ++i) {
    double real = 0;
    uint64_t integer = 0;
    for (int64_t k = 0; k < each; ++k) {
      const Scalar value = element(elements, i * each + k);
      real += as_real(value);
      integer += static_cast<uint64_t>(value.integer);
    }
    totals.push_back(is_floating(dtype) ? real_scalar(mean ? real / static_cast<double>(each) : real, dtype) : integer_scalar(static_cast<int64_t>(integer), dtype));
  }
  call.why(Msg::reduce_headline, {each, to_string(sizes)});
  return call.fresh(dtype, contiguous(sizes), literal_contents(totals, dtype));
}

/// Whether every pair of elements fits; the sizes must be equal.
Value equal_row(Call& call) {
  const TensorRef a = call.tensor("input"), b = call.tensor("other");
  const bool close = call.name().ends_with("allclose");
  const DType left = a->tensor->dtype, right = b->tensor->dtype;
  if (close && left != right) return call.fail("RuntimeError", std::string(scalar_type_name(left)) + " did not match " + std::string(scalar_type_name(right)), Msg::dtypes_differ, {name(left), name(right)});
  const Dims sizes = a->tensor->layout.sizes;
  if (!close && !(sizes == b->tensor->layout.sizes)) return Value{false};
  const auto common = broadcast_sizes(call, sizes, b->tensor->layout.sizes);
  if (!common) return {};
  const int64_t count = *numel(*common);
  if (count > max_summed) return call.refuse(Msg::too_many_summed, {count, max_summed});
  Elements one = elements_of(*a->tensor), other = elements_of(*b->tensor);
  one.layout = expand(one.layout, *common);
  other.layout = expand(other.layout, *common);
  for (int64_t i = 0; i < count; ++i) {
    const Scalar p = element(one, i), q = element(other, i);
    const double x = as_real(p), y = as_real(q);
    const bool fits = close ? x == y || std::abs(x - y) <= call.real("atol") + call.real("rtol") * std::abs(y) : x == y && p.imaginary == q.imaginary && (left != right || p.integer == q.integer);
    if (!fits) return Value{false};
  }
  return Value{true};
}

Value broadcast_shapes_row(Call& call) {
  Dims sizes;
  const auto* shapes = std::get_if<Sequence>(&call.value("shapes").held);
  for (const Value& shape : *shapes->items) {
    Dims next;
    const auto* items = std::get_if<Sequence>(&shape.held);
    for (size_t i = 0; items && i < items->items->size() && i < static_cast<size_t>(max_rank); ++i) next.push_back(as_integer((*items->items)[i]).value_or(1));
    if (!items) next.push_back(as_integer(shape).value_or(1));
    const auto joined = broadcast_of(sizes, next);
    if (!joined) return call.fail("RuntimeError", "Shape mismatch: objects cannot be broadcast to a single shape", Msg::shapes_mismatch, {to_string(sizes), to_string(next)});
    sizes = *joined;
  }
  return tuple_of(sizes, Sequence::Kind::size);
}

/// Chosen element by element: condition, value if true, value if false.
Value where_row(Call& call) {
  TypeVote vote;
  vote.add(call.value("input"));
  vote.add(call.value("other"));
  if (call.tensor("condition")->tensor->dtype != DType::boolean)
    return call.about("condition").fail("RuntimeError", "expected condition to be a boolean tensor, but got a tensor with dtype " + std::string(scalar_type_name(call.tensor("condition")->tensor->dtype)), Msg::index_dtype,
                     {name(call.tensor("condition")->tensor->dtype)});
  return computed(call, Arithmetic::where, {&call.value("condition"), &call.value("input"), &call.value("other")}, vote.result(), vote.result());
}

/// The largest or smallest of all elements.
Value extreme_row(Call& call) {
  const Tensor tensor = call.self();
  const int64_t count = *numel(tensor.layout.sizes);
  const bool most = call.name().ends_with("max");
  if (count == 0)
    return call.fail("RuntimeError", std::string(most ? "max" : "min") + "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.", Msg::item_needs_one, {0});
  if (count > max_summed) return call.refuse(Msg::too_many_summed, {count, max_summed});
  const Elements elements = elements_of(tensor);
  Scalar best = element(elements, 0);
  for (int64_t i = 1; i < count; ++i) {
    const Scalar next = element(elements, i);
    const Scalar pair[] = {best, next};
    best = reckon(most ? Arithmetic::maximum : Arithmetic::minimum, pair);
  }
  call.why(Msg::reduce_headline, {count, "()"});
  return call.fresh(tensor.dtype, {}, literal_contents({&best, 1}, tensor.dtype));
}

}  // namespace

std::span<const Op> torch_math_rows() {
  static const Op rows[] = {
      {Library::torch,
       "a + b\na - b\na * b\na / b\na // b\na % b\na ** b\na & b\na | b\na ^ b\na << b\na >> b\n"
       "torch.add(input, other)\ntorch.sub(input, other)\ntorch.subtract(input, other)\ntorch.mul(input, other)\ntorch.multiply(input, other)\ntorch.div(input, other)\ntorch.true_divide(input, other)\n"
       "torch.floor_divide(input, other)\ntorch.remainder(input, other)\ntorch.pow(input, exponent)\ntorch.maximum(input: tensor, other: tensor)\ntorch.minimum(input: tensor, other: tensor)\n"
       "x.add(other)\nx.sub(other)\nx.subtract(other)\nx.mul(other)\nx.multiply(other)\nx.div(other)\nx.true_divide(other)\nx.floor_divide(other)\nx.remainder(other)\nx.pow(exponent)\n"
       "x.maximum(other: tensor)\nx.minimum(other: tensor)",
       Msg::op_arithmetic, "y[i] = a[i] op b[i], sizes broadcast from the right; the result's memory order follows the operands'", "x = torch.arange(6).view(2, 3)\ny = x + 1", binary_row},
      {Library::torch,
       "a == b\na != b\na < b\na <= b\na > b\na >= b\ntorch.eq(input, other)\ntorch.ne(input, other)\ntorch.lt(input, other)\ntorch.le(input, other)\ntorch.gt(input, other)\ntorch.ge(input, other)\n"
       "x.eq(other)\nx.ne(other)\nx.lt(other)\nx.le(other)\nx.gt(other)\nx.ge(other)\ntorch.logical_and(input, other)\ntorch.logical_or(input, other)",
       Msg::op_compare, "y[i] = a[i] op b[i], as bool", "x = torch.arange(6)\ny = x > 2", binary_row},
      {Library::torch,
       "-a\n~a\nx.neg()\ntorch.neg(input: tensor)\nx.abs()\ntorch.abs(input: tensor)\nx.sqrt()\ntorch.sqrt(input: tensor)\nx.exp()\ntorch.exp(input: tensor)\nx.log()\ntorch.log(input: tensor)\n"
       "x.sin()\ntorch.sin(input: tensor)\nx.cos()\ntorch.cos(input: tensor)\nx.tanh()\ntorch.tanh(input: tensor)\nx.floor()\ntorch.floor(input: tensor)\nx.ceil()\ntorch.ceil(input: tensor)\n"
       "x.round()\ntorch.round(input: tensor)\nx.sign()\ntorch.sign(input: tensor)\nx.logical_not()\ntorch.logical_not(input: tensor)",
       Msg::op_unary, "y[i] = f(x[i]); a dense layout is kept", "x = torch.arange(6)\ny = -x", unary_row},
      {Library::torch,
       "x.sum(dim: int | ints = None, keepdim: bool = False, *, dtype: dtype = None)\ntorch.sum(input: tensor, dim: int | ints = None, keepdim: bool = False, *, dtype: dtype = None)\n"
       "x.mean(dim: int | ints = None, keepdim: bool = False, *, dtype: dtype = None)\ntorch.mean(input: tensor, dim: int | ints = None, keepdim: bool = False, *, dtype: dtype = None)",
       Msg::op_reduce, "the elements along dim added up, or averaged", "x = torch.arange(6).view(2, 3)\ny = x.sum(0)", reduce_row},
      {Library::torch, "x.max()\ntorch.max(input: tensor)\nx.min()\ntorch.min(input: tensor)", Msg::op_extreme, "the largest, or smallest, of all elements", "x = torch.arange(6)\ny = x.max()", extreme_row},
      {Library::torch, "torch.where(condition: tensor, input, other)", Msg::op_where, "y[i] = input[i] if condition[i] else other[i]", "x = torch.arange(6)\ny = torch.where(x > 2, x, 0)", where_row},
      {Library::torch, "torch.equal(input: tensor, other: tensor)\nx.equal(other: tensor)", Msg::op_equal, "same sizes, and every pair of elements equal", "torch.equal(torch.arange(3), torch.arange(3))", equal_row},
      {Library::torch, "torch.allclose(input: tensor, other: tensor, rtol: float = 1e-05, atol: float = 1e-08)\nx.allclose(other: tensor, rtol: float = 1e-05, atol: float = 1e-08)", Msg::op_equal,
       "every |a - b| <= atol + rtol * |b|", "torch.allclose(torch.ones(3), torch.ones(3))", equal_row},
      {Library::torch, "torch.broadcast_shapes(*shapes)", Msg::op_broadcast_shapes, "from the right, sizes are equal or one of them is 1", "torch.broadcast_shapes((2, 1), (3,))", broadcast_shapes_row},
  };
  return rows;
}

}  // namespace stridescope

// Writes: x[key] = value, fill_, copy_, add_ and their kin.
#include <algorithm>
#include <array>

#include "ops/fold.h"
#include "ops/members.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {

Value function_in_place(Call& call) {
  const Tensor target = call.self();
  const Value& own = call.first();
  const Pointwise& function = pointwise(call.name(), 1);
  if (function.op == Arithmetic::absolute && is_complex(target.dtype))
    return call.fail("RuntimeError", "In-place abs is not supported for complex tensors.", Msg::function_refuses,
                     {"abs_", "complex"});
  if (function.op == Arithmetic::conjugate && !is_complex(target.dtype)) {
    call.why(Msg::same_nothing_to_do, {to_string(target.layout)});
    return call.same();
  }
  if (!check_operands(call, function, {&own}) || !check_overlap(call, target, nullptr)) return {};
  const DType common = common_dtype(call, function, {&own});
  if (!check_stored(call, common, target.dtype) || !check_kernel(call, function, common, {&own})) return {};
  return stored(call, target, function.op, {}, working_dtype(function, common, {&own}));
}

void explain_write(Call& call, const Tensor& target) {
  call.headline(Msg::write_headline, {*numel(target.layout.sizes), bytes_of(target), to_string(target.layout)});
  if (target.is_view) call.why(Msg::write_seen_in_aliases);
}

namespace {

/// A Python number or tensor as elements.
struct Source {
  Elements elements;
  std::optional<Tensor> tensor;
};

std::optional<Source> source_of(Call& call, const Value& value) {
  if (const TensorPtr tensor = tensor_of(value)) return Source{elements_of(*tensor), *tensor};
  if (const auto scalar = scalar_of(value))
    return Source{{constant_contents(*scalar, 1), {}, scalar->dtype}, std::nullopt};
  call.about("value").fail_parser(
      {"can't assign a ", type_name(value), " to a torch.", scalar_type_name(call.self().dtype), "Tensor"},
      Msg::argument_has_type, {"value", "number | tensor", type_name(value)});
  return std::nullopt;
}

/// As an assignment sees a value of other sizes: a view without the leading sizes of 1, which gives those further in
/// the strides of a view.
Layout without_leading_ones(const Layout& layout) {
  Dims sizes;
  for (const int64_t size : layout.sizes)
    if (size != 1 || !sizes.empty()) sizes.push_back(size);
  return *as_layout(view(layout, sizes));
}

/// The same cells in the same order: a copy has nothing to do.
bool same_data(const Tensor& a, const Tensor& b) {
  return a.storage == b.storage && a.layout == b.layout && a.dtype == b.dtype && a.lens == b.lens;
}

Value assign_part(Call& call, const Tensor& part, const Source& source) {
  const Dims& sizes = part.layout.sizes;
  const Layout from =
      source.elements.layout.sizes == sizes ? source.elements.layout : without_leading_ones(source.elements.layout);
  Tensor value = source.tensor.value_or(call.self());
  value.layout = {from.sizes, Dims::filled(from.rank(), 0), 0};
  if (!expanded(call, value, sizes)) return {};
  std::optional<Tensor> input = source.tensor;
  if (input && input->layout.rank() == 0 && sizes.size() > 0) input.reset();  // one value, taken before the write
  if (input && !(input->layout.sizes == sizes)) {
    // What is copied is the value already expanded: an object of its own.
    input->layout = expand(without_leading_ones(input->layout), sizes);
    input->object = -1;
  }
  if (input && same_data(part, *input)) {
    call.why(Msg::write_same_data);
    return {};
  }
  if (!check_overlap(call, part, input ? &*input : nullptr)) return {};
  Elements given = source.elements;
  if (given.layout.rank() == 0) given = {gather(given, given.dtype), {}, given.dtype};
  given.layout = expand(given.layout.rank() == 0 ? Layout{} : from, sizes);
  stored(call, part, std::nullopt, {given}, given.dtype, {}, !source.tensor || source.tensor->storage != part.storage);
  return {};
}

/// index_put_: the picked elements one after the other.
Value assign_picked(Call& call, const Selection& selection, const Source& source) {
  const int64_t count = *numel(selection.places.sizes);
  PickedWrite what{source.elements, source.tensor, lone_mask(call.value("key"))};
  what.values.layout = without_leading_ones(what.values.layout);
  if (what.given && what.values.layout.rank() < what.given->layout.rank()) what.given->object = -1;
  const Writes writes = picked_writes(call, call.self(), selection, what);
  if (call.failed() && writes.empty()) return {};
  call.why(Msg::write_picked, {count, count * itemsize(call.self().dtype)});
  call.write(call.self(), writes);
  return {};
}

/// An array is no value for a tensor, and of NumPy's scalars only those are that Python takes for numbers of its own.
bool is_assigned(Call& call, const Value& value) {
  const auto* scalar = std::get_if<NumpyScalar>(&value.held);
  const DType dtype = scalar ? scalar->dtype() : DType::int64;
  const bool number = is_integer(dtype) || dtype == DType::float64 || dtype == DType::complex128;
  const TensorPtr array = tensor_of(value);
  if (number && !(array && array->library == Library::numpy)) return true;
  call.about("value").fail_parser(
      {"can't assign a ", attribute_type(value), " to a torch.", scalar_type_name(call.self().dtype), "Tensor"},
      Msg::argument_has_type, {"value", "number | tensor", type_name(value)});
  return false;
}

Value store_row(Call& call) {
  const Tensor tensor = call.self();
  if (!is_assigned(call, call.value("value"))) return {};
  const auto source = source_of(call, call.value("value"));
  if (source && !holds_number(call, parsed_number(call.value("value")), tensor.dtype)) return {};
  // Alone, False writes nothing and True is None.
  if (const auto* all = std::get_if<bool>(&call.value("key").held); all && source) {
    if (!*all) return call.why(Msg::write_picked, {0, 0}), Value{};
    Tensor whole = tensor;
    if (whole.layout.rank() < max_rank) whole.layout = unsqueeze(whole.layout, 0);
    return assign_part(call, whole, *source);
  }
  const TensorPtr index = tensor_of(call.value("key"));
  const bool torch = index && index->library == Library::torch, fraction = index && !is_whole(index->dtype);
  const bool places =
      torch && index->layout.rank() > 0 && index->dtype != DType::boolean && index->dtype != DType::uint8;
  // What is written is looked at before the dtype of the index.
  const bool picks = index && (index->dtype == DType::int64 || index->dtype == DType::int32);
  const bool misses = (places && !picks) || (torch && fraction && tensor.layout.rank() > 0);
  if (source && source->tensor && misses && !check_apart(call, tensor, *source->tensor)) return {};
  if (source && places && !check_apart(call, tensor, *index)) return {};
  // Where one value is written wherever a mask is True, and nobody knows where that is, only the values are not known.
  if (source && source->elements.layout.rank() == 0 && torch && index->dtype == DType::boolean &&
      index->layout.sizes == tensor.layout.sizes && !is_known(*index->storage->contents)) {
    if (!holds_number(call, number_in(call.value("value")), tensor.dtype)) return {};
    explain_write(call, tensor);
    const Dims& sizes = tensor.layout.sizes;
    call.write(tensor, {unknown_contents(tensor.dtype, *numel(sizes)), contiguous(sizes, itemsize(tensor.dtype)),
                        tensor.dtype});
    return {};
  }
  const auto selection = source ? torch_select(call, tensor, call.value("key")) : std::nullopt;
  if (!selection) return {};
  return selection->advanced ? assign_picked(call, *selection, *source) : assign_part(call, selection->part, *source);
}

/// fill_ and zero_ write one value through any recipe; they never look for shared cells.
Value fill(Call& call, const Scalar& value) {
  const Tensor& target = call.self();
  explain_write(call, target);
  call.write(target, {constant_contents(value, 1), expand(Layout{}, target.layout.sizes), value.dtype});
  return Value{call.self_ref()};
}

Value fill_row(Call& call) {
  const auto source = source_of(call, call.value("value"));
  if (!source || !holds_number(call, call.value("value"), call.self().dtype)) return {};
  if (source->elements.layout.rank() > 0)
    return call.about("value").fail("RuntimeError",
                                    {"fill_ only supports 0-dimension value tensor but got tensor with ",
                                     source->elements.layout.rank(), " dimensions."},
                                    Msg::fill_needs_scalar, {source->elements.layout.rank()});
  // A tensor's value is copied in, and copies look for shared cells.
  if (source->tensor && !check_overlap(call, call.self(), nullptr)) return {};
  return fill(call, element(source->elements, 0));
}

Value copy_row(Call& call) {
  const Tensor target = call.self();
  const auto source = source_of(call, call.value("other"));
  const std::optional<Tensor>& input = source->tensor;
  if (input && same_data(target, *input)) {
    call.why(Msg::write_same_data);
    return call.same();
  }
  if (!check_overlap(call, target, input ? &*input : nullptr) ||
      !fits_in_place(call, target, source->elements.layout.sizes))
    return {};
  Elements from = source->elements;
  from.layout = expand(from.layout, target.layout.sizes);
  return stored(call, target, std::nullopt, {from}, from.dtype, {}, !input || input->storage != target.storage);
}

/// What was written before a division of whole numbers met a zero: the elements before it, as the library walks them.
/// Of a zero that comes late nobody knows what was written.
void write_before_zero(Call& call, const Tensor& target, Elements divisors, Arithmetic op) {
  if (target.dtype == DType::uint16 || target.dtype == DType::uint32 || target.dtype == DType::uint64) return;
  Dims order = iterator_order(target.layout.sizes, std::array{target.layout, divisors.layout});
  std::reverse(order.begin(), order.end());
  Elements own = elements_of(target);
  own.layout = permute(own.layout, order);
  divisors.layout = permute(divisors.layout, order);
  std::vector<std::pair<int64_t, Scalar>> writes;
  for (int64_t i = 0; i < *numel(own.layout.sizes); ++i) {
    if (i == small_cells) return call.write_unknown(target);
    const Scalar divisor = converted(element(divisors, i), target.dtype);
    if (!is_true(divisor)) break;
    writes.emplace_back(offset(own.layout, index_at(own.layout.sizes, i)),
                        reckon(op, std::array{element(own, i), divisor}));
  }
  if (!writes.empty()) call.write(target, writes);
}

/// x op= other: computed in the common dtype, which must not be of a higher kind than the target's.
Value in_place(Call& call, const Pointwise& function, const char* parameter = "other") {
  const Tensor target = call.self();
  const Value &own = call.value("x"), &other = call.value(parameter);
  const Value alpha = number_in(call.value("alpha"));
  if (tensor_of(alpha)) return call.wrong_type("alpha", "number");
  const bool by_place = call.form().parameters.back().name == "alpha" && !call.form().parameters.back().keyword_only;
  if (by_place && tensor_of(other) && tensor_of(other)->layout.rank() > 0) return call.wrong_type("other", "number");
  const auto source = operand_of(call, other, parameter);
  if (!check_operands(call, function, {&own, &other})) return {};
  const TensorPtr input = tensor_of(other);
  if (!check_overlap(call, target, input.get()) || !fits_in_place(call, target, source->layout.sizes)) return {};
  const DType common = common_dtype(call, function, {&own, &other});
  if (!gives_bool(function.op) && !check_stored(call, common, target.dtype)) return {};
  const DType working = working_dtype(function, common, {&own, &other});
  Elements operand = in_half(*source, common, function.op, true).value_or(*source);
  operand.layout = expand(operand.layout, target.layout.sizes);
  std::optional<Scalar> scale;
  if (call.given("alpha") && !(std::holds_alternative<int64_t>(alpha.held) && as_integer(alpha) == 1)) {
    if (!check_alpha(call, alpha, common) || (is_integer(common) && !holds_number(call, alpha, common))) return {};
    scale = converted(element(*operand_of(call, alpha, "alpha"), 0), common);
  }
  if (!check_kernel(call, function, common, {&own, &other})) {
    if (call.raised("RuntimeError") && divides(function.op) && is_integer(common) && common == target.dtype)
      write_before_zero(call, target, operand, function.op);
    return {};
  }
  // A complex 1 is multiplied with: what is infinite leaves NaN.
  if (!scale && is_complex(common) && (function.op == Arithmetic::add || function.op == Arithmetic::subtract))
    scale = integer_scalar(1, common);
  const bool apart = !input || input->storage != target.storage;
  if (function.op != Arithmetic::power) return stored(call, target, function.op, {operand}, working, scale, apart);
  const Arithmetic op = power_by(other, common);
  return stored(call, target, op, operand_count(op) == 1 ? std::vector<Elements>{} : std::vector{operand}, working, {},
                apart);
}

Value in_place_row(Call& call) { return in_place(call, pointwise(call.name(), 2)); }

Value divide_in_place_row(Call& call) {
  const Pointwise* function = division(call);
  return function ? in_place(call, *function) : Value{};
}

Value float_power_in_place_row(Call& call) {
  const Tensor& target = call.self();
  const DType wide = widest_fraction(call.value("x"), call.value("exponent"));
  if (target.dtype == wide) return in_place(call, pointwise("pow", 2), "exponent");
  return call.fail("RuntimeError",
                   {"the base given to float_power_ has dtype ", scalar_type_name(target.dtype),
                    " but the operation's result requires dtype ", scalar_type_name(wide)},
                   Msg::write_dtype, {name(wide), name(target.dtype)});
}

/// The diagonal of a matrix; of more dimensions, which must be of one size, the elements whose indices are all equal.
Value fill_diagonal_row(Call& call) {
  const Tensor target = call.self();
  const Layout& layout = target.layout;
  const int rank = layout.rank();
  if (rank < 2) return call.fail("RuntimeError", "dimensions must larger than 1", Msg::needs_rank, {2, rank});
  for (int d = 1; d < rank && rank > 2; ++d)
    if (layout.sizes[d] != layout.sizes[0])
      return call.fail("RuntimeError", "all dimensions of input must be of equal length", Msg::sizes_equal,
                       {to_string(layout.sizes)});
  if (!holds_number(call, call.value("fill_value"), target.dtype)) return {};
  Layout line{{*std::min_element(layout.sizes.begin(), layout.sizes.end())}, {0}, layout.storage_offset};
  for (const int64_t stride : layout.strides) line.strides[0] += stride;
  Tensor part = target;
  part.layout = line;
  const auto value = operand_of(call, call.value("fill_value"), "fill_value");
  explain_write(call, part);
  call.write(part, {value->contents, expand(Layout{}, line.sizes), value->dtype});
  return Value{call.self_ref()};
}

Value round_in_place_row(Call& call) {
  const Tensor target = call.self();
  if (!check_overlap(call, target, nullptr)) return {};
  const auto rounded = rounded_elements(call, target, call.integer("decimals"));
  if (!rounded) return {};
  explain_write(call, target);
  call.write(target, *rounded);
  return Value{call.self_ref()};
}

}  // namespace

std::span<const Op> torch_write_rows() {
#define SCALED(name) "x." name "(other: tensor | number, *, alpha: number | tensor = 1)\n"
#define EITHER(name) "x." name "(other: tensor | number)\n"
#define TENSOR(name) "x." name "(other: tensor)\n"
#define ALONE(name) "x." name "()\n"
#define BOTH(name) ALONE(name) "torch." name "(input: tensor)\n"
  static constexpr Op rows[] = {
      {Library::torch, "x[key] = value", Msg::op_store,
       "the elements that x[key] picks become the value's, broadcast; every tensor on the storage sees it",
       "x = torch.arange(6).view(2, 3)\nx[0] = 7", store_row},
      {Library::torch, "x.fill_(value: tensor | number)\ntorch.fill_(input: tensor, value: tensor | number)",
       Msg::op_fill, "every element becomes value, also where several share a cell", "x = torch.arange(6)\nx.fill_(7)",
       fill_row},
      {Library::torch, "x.zero_()\ntorch.zero_(input: tensor)", Msg::op_zero, "every element becomes 0",
       "x = torch.arange(6)\nx.zero_()", [](Call& call) { return fill(call, {DType::int64}); }},
      {Library::torch, "x.copy_(other: tensor | number, non_blocking: bool = False)", Msg::op_copy_in_place,
       "element by element, broadcast, converted to x's dtype", "x = torch.zeros(2, 3)\nx.copy_(torch.arange(3))",
       copy_row},
      {Library::torch, SCALED("add_") SCALED("sub_") SCALED("subtract_") "x += other\nx -= other", Msg::op_in_place,
       "x[i] = x[i] op alpha * other[i] in the same cells", "x = torch.arange(6)\nx.add_(1)", in_place_row},
      {Library::torch,
       "x.add_(alpha: number | tensor, other: tensor | number)\nx.sub_(alpha: number | "
       "tensor, other: tensor | number)",
       Msg::op_in_place, "x[i] = x[i] op alpha * other[i] in the same cells",
       "x = torch.arange(6)\nx.add_(2, x.clone())", in_place_row},
      {Library::torch, "x.subtract_(other: number | tensor, alpha: number | tensor)", Msg::op_in_place,
       "x[i] = x[i] - alpha * other in the same cells", "x = torch.arange(6)\nx.subtract_(1, 2)", in_place_row},
      {Library::torch,
       EITHER("mul_") EITHER("multiply_") EITHER("true_divide_") EITHER("floor_divide_") EITHER("remainder_")
           EITHER("fmod_") "x.pow_(exponent: tensor | number)\n" EITHER("bitwise_and_") EITHER("bitwise_or_") EITHER(
               "bitwise_xor_") EITHER("eq_") EITHER("ne_") EITHER("lt_") EITHER("le_") EITHER("gt_") EITHER("ge_")
               EITHER("not_equal_") EITHER("less_") EITHER("less_equal_") EITHER("greater_") EITHER("greater_equal_")
                   EITHER("bitwise_left_shift_") EITHER("bitwise_right_shift_") TENSOR("atan2_") TENSOR("arctan2_")
                       TENSOR("hypot_") EITHER("copysign_") EITHER("xlogy_") TENSOR("nextafter_") TENSOR(
                           "gcd_") "torch.xlogy_(input: tensor, other: tensor | number)\n"
                                   "torch.gcd_(input: tensor, other: tensor)\n"
                                   "torch.lcm_(input: tensor, other: tensor)\n" TENSOR("lcm_") TENSOR("logical_and_")
                                       TENSOR("logical_or_") TENSOR(
                                           "logical_xor_") "x *= other\nx /= other\nx //= other\nx %= other\nx **= "
                                                           "other\nx "
                                                           "&= other\nx |= other\nx ^= other\nx <<= other\nx >>= other",
       Msg::op_in_place, "x[i] = x[i] op other[i] in the same cells", "x = torch.arange(6)\nx *= 2", in_place_row},
      {Library::torch, "x.heaviside_(values: tensor)", Msg::op_in_place,
       "x[i] = 0, values[i] or 1 where x[i] is below, at or above 0",
       "x = torch.tensor([-1., 0., 2.])\nx.heaviside_(torch.tensor(0.5))",
       [](Call& call) { return in_place(call, pointwise(call.name(), 2), "values"); }},
      {Library::torch, "x.float_power_(exponent: tensor | number)", Msg::op_in_place,
       "x[i] = x[i] ** exponent, of float64 or complex128 alone", "x = torch.arange(3.).double()\nx.float_power_(2)",
       float_power_in_place_row},
      {Library::torch,
       "x.div_(other: tensor | number, *, rounding_mode: str = None)\n"
       "x.divide_(other: tensor | number, *, rounding_mode: str = None)",
       Msg::op_in_place, "x[i] = x[i] / other[i], rounded, in the same cells",
       "x = torch.arange(6)\nx.div_(4, rounding_mode='floor')", divide_in_place_row},
      {Library::torch,
       BOTH("neg_") BOTH("negative_") BOTH("abs_") ALONE("absolute_") BOTH("sqrt_") BOTH("exp_") BOTH("log_") BOTH(
           "sin_") BOTH("cos_") BOTH("tan_") BOTH("tanh_") BOTH("floor_") BOTH("ceil_") BOTH("round_") BOTH("trunc_")
           BOTH("frac_") ALONE("sign_") ALONE("sgn_") ALONE("logical_not_") ALONE("bitwise_not_") BOTH("square_") BOTH(
               "reciprocal_") BOTH("sigmoid_") BOTH("relu_") "torch.nn.functional.relu_(input: tensor)\n" BOTH("rsqrt_")
               BOTH("exp2_") BOTH("log2_") BOTH("fix_") BOTH("conj_physical_") BOTH("log10_") BOTH("log1p_") BOTH(
                   "expm1_") BOTH("asin_") BOTH("arcsin_") BOTH("acos_") BOTH("arccos_") BOTH("atan_") BOTH("arctan_")
                   BOTH("sinh_") BOTH("cosh_") BOTH("asinh_") BOTH("arcsinh_") BOTH("acosh_") BOTH("arccosh_")
                       BOTH("atanh_") BOTH("arctanh_") BOTH("deg2rad_") BOTH("rad2deg_") BOTH("erf_") BOTH("erfc_")
                           ALONE("lgamma_") ALONE("digamma_") ALONE("erfinv_") BOTH("i0_") BOTH(
                               "sinc_") "x.logit_(eps: float = None)\ntorch.logit_(input: tensor, eps: float = None)\n",
       Msg::op_in_place_function, "x[i] = f(x[i]) in the same cells", "x = torch.arange(6)\nx.neg_()",
       function_in_place},
      {Library::torch, "x.round_(*, decimals: int)\ntorch.round_(input: tensor, *, decimals: int)",
       Msg::op_in_place_function, "x[i] = round(x[i] * 10^decimals) / 10^decimals in the same cells",
       "x = torch.arange(3.) / 4\nx.round_(decimals=1)", round_in_place_row},
      {Library::torch, "x.fill_diagonal_(fill_value: number)", Msg::op_fill_diagonal, "x[i, i] = fill_value",
       "x = torch.zeros(3, 3)\nx.fill_diagonal_(1)", fill_diagonal_row},
  };
#undef SCALED
#undef EITHER
#undef TENSOR
#undef ALONE
#undef BOTH
  return rows;
}

}  // namespace stridescope

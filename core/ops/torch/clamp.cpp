// clamp: every element between two bounds, which are numbers or tensors.
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// The bounds of a call; None where one is missing. Beside a number a tensor without dimensions is one.
struct Bounds {
  Value low, high;
  bool below, above;

  explicit Bounds(Call& call)
      : low(call.value("min")), high(call.value("max")), below(call.given("min")), above(call.given("max")) {
    if (!below || !above || (tensor_of(low) && tensor_of(high))) return;
    low = number_in(low);
    high = number_in(high);
  }
  bool are_tensors() const { return tensor_of(low) || tensor_of(high); }
  /// What is clamped, and the bounds that there are.
  std::vector<const Value*> operands(const Value& x) const {
    std::vector<const Value*> all{&x};
    if (below) all.push_back(&low);
    if (above) all.push_back(&high);
    return all;
  }
  Arithmetic only() const { return below ? Arithmetic::maximum : Arithmetic::minimum; }
};

Value refuse_complex(Call& call) {
  return call.fail("RuntimeError", "clamp is not supported for complex types", Msg::function_refuses,
                   {"clamp", "complex"});
}

/// The dtype that clamped elements are reckoned in; beside numbers a floating one stays.
DType common_dtype(const Call& call, const Bounds& bounds, const std::vector<const Value*>& operands) {
  const DType own = tensor_of(*operands[0])->dtype;
  if (!bounds.are_tensors() && is_floating(own)) return own;
  TypeVote vote{call};
  for (const Value* operand : operands) vote.add(*operand);
  return vote.result();
}

/// The larger of the elements and of the lower bound, both seen under `sizes`, packed.
Elements raised(const Elements& x, const Elements& low, const Dims& sizes, DType dtype) {
  const Elements pair[] = {{x.contents, expand(x.layout, sizes), x.dtype, x.lens},
                           {low.contents, expand(low.layout, sizes), low.dtype, low.lens}};
  return {elementwise(Arithmetic::maximum, pair, dtype, dtype), contiguous(sizes, itemsize(dtype)), dtype};
}

/// Whether it is clamp_min or clamp_max, which are given one bound; a complex number is looked at first there.
bool has_one_bound(const Call& call) { return call.name().find("clamp_m") != std::string_view::npos; }
bool is_bound_by_complex(const Call& call, const Bounds& bounds) {
  return has_one_bound(call) && std::holds_alternative<ComplexFloat>((bounds.below ? bounds.low : bounds.high).held);
}

/// Fails where a bound is no tensor, where their sizes do not go together, or where no kernel reckons with them.
/// @return the common sizes
std::optional<Dims> check_tensors(Call& call, const Bounds& bounds, const std::vector<const Value*>& operands,
                                  DType common, bool in_place) {
  const TensorPtr x = tensor_of(*operands[0]);
  if (is_complex(x->dtype) && !has_one_bound(call)) return refuse_complex(call), std::nullopt;
  Dims sizes = x->layout.sizes;
  for (const Value* operand : operands)
    if (in_place && operand != operands[0] && !check_overlap(call, *x, tensor_of(*operand).get())) return std::nullopt;
  for (const Value* operand : operands) {
    const auto joined = broadcast_sizes(call, sizes, tensor_of(*operand)->layout.sizes);
    if (!joined) return std::nullopt;
    sizes = *joined;
  }
  if (in_place && (!fits_in_place(call, *x, sizes) || !check_stored(call, common, x->dtype))) return std::nullopt;
  const bool both = operands.size() == 3;
  if (is_complex(common) || (both && common == DType::boolean))
    return no_kernel(call, both ? "clamp_cpu" : bounds.below ? "maximum_cpu" : "minimum_cpu", common), std::nullopt;
  return sizes;
}

/// Between bounds that are tensors, broadcast.
Value clamp_by_tensors(Call& call, const Value& x, const Bounds& bounds, bool in_place) {
  const std::vector<const Value*> operands = bounds.operands(x);
  for (const Value* operand : operands)
    if (!tensor_of(*operand)) return call.wrong_type(operand == &bounds.low ? "min" : "max", "Tensor");
  const DType common = common_dtype(call, bounds, operands);
  const auto sizes = check_tensors(call, bounds, operands, common, in_place);
  if (!sizes) return {};
  const DType working = working_dtype(common);
  const auto seen = [&](const Value& bound) {
    Elements elements = elements_of(*tensor_of(bound));
    elements.layout = expand(elements.layout, *sizes);
    return elements;
  };
  if (!bounds.below || !bounds.above) {
    if (!in_place) return computed(call, bounds.only(), operands, working, common);
    return stored(call, *tensor_of(x), bounds.only(), {seen(bounds.below ? bounds.low : bounds.high)}, working);
  }
  const Elements above = raised(elements_of(*tensor_of(x)), elements_of(*tensor_of(bounds.low)), *sizes, working);
  call.why(Msg::clamp_bounds, {to_string(bounds.low), to_string(bounds.high)});
  if (!in_place) return computed(call, Arithmetic::minimum, operands, working, common, {above});
  const Elements pair[] = {above, seen(bounds.high)};
  const Elements between{elementwise(Arithmetic::minimum, pair, working, common), contiguous(*sizes, itemsize(common)),
                         common};
  return stored(call, *tensor_of(x), std::nullopt, {between}, common, {}, true);
}

/// Fails where numbers are no bounds of elements of that dtype.
bool check_numbers(Call& call, const Bounds& bounds, DType common) {
  if (common == DType::boolean)
    return no_kernel(call,
                     bounds.below && bounds.above ? "clamp_scalar_cpu"
                     : bounds.below               ? "clamp_min_scalar_cpu"
                                                  : "clamp_max_scalar_cpu",
                     common),
           false;
  for (const auto& [given, bound] : {std::pair(bounds.below, &bounds.low), std::pair(bounds.above, &bounds.high)}) {
    // Of two bounds it is first asked whether they are NaN.
    if (bounds.below && bounds.above && !holds_number(call, *bound, DType::float64)) return false;
    if (given && !holds_number(call, *bound, common)) return false;
  }
  return true;
}

bool has_bound(Call& call, const Bounds& bounds) {
  if (!bounds.below && !bounds.above)
    call.fail("RuntimeError", "torch.clamp: At least one of 'min' or 'max' must not be None", Msg::clamp_needs_bound);
  return !call.failed();
}

Value clamp_row(Call& call) {
  const Value& x = call.value("input");
  const Bounds bounds(call);
  if (!has_bound(call, bounds)) return {};
  if (bounds.are_tensors()) return clamp_by_tensors(call, x, bounds, false);
  const std::vector<const Value*> operands = bounds.operands(x);
  const DType common = common_dtype(call, bounds, operands), working = working_dtype(common);
  if (is_complex(common) || is_bound_by_complex(call, bounds)) return refuse_complex(call);
  if (!check_numbers(call, bounds, common)) return {};
  if (operands.size() == 2) return computed(call, bounds.only(), operands, working, common, {}, true);
  const Elements own = *operand_of(call, x, "input"), low = *operand_of(call, bounds.low, "min");
  const Elements above = raised(own, low, own.layout.sizes, working);
  call.why(Msg::clamp_bounds, {to_string(bounds.low), to_string(bounds.high)});
  return computed(call, Arithmetic::minimum, {&x, &bounds.high}, working, common, {above, std::nullopt}, true);
}

Value clamp_in_place_row(Call& call) {
  const Tensor target = call.self();
  const Bounds bounds(call);
  if (!has_bound(call, bounds)) return {};
  if (bounds.are_tensors()) return clamp_by_tensors(call, call.value("x"), bounds, true);
  if (is_complex(target.dtype) || is_bound_by_complex(call, bounds)) return refuse_complex(call);
  const DType common = common_dtype(call, bounds, bounds.operands(call.value("x")));
  if (common != target.dtype)
    return call.fail("RuntimeError",
                     {"result type ", scalar_type_name(common), " can't be cast to the desired output type ",
                      cpp_name(target.dtype)},
                     Msg::write_dtype, {name(common), name(target.dtype)});
  if (!check_overlap(call, target, nullptr) || !check_numbers(call, bounds, common)) return {};
  Elements now = elements_of(target);
  for (const auto& [given, bound, op] : {std::tuple(bounds.below, &bounds.low, Arithmetic::maximum),
                                         std::tuple(bounds.above, &bounds.high, Arithmetic::minimum)}) {
    if (!given) continue;
    const Elements limit = *operand_of(call, *bound, "min");
    const Elements operands[] = {now, {limit.contents, expand(Layout{}, target.layout.sizes), limit.dtype}};
    now = {elementwise(op, operands, working_dtype(common), target.dtype),
           contiguous(target.layout.sizes, itemsize(target.dtype)), target.dtype};
  }
  return stored(call, target, std::nullopt, {now}, target.dtype, {}, true);
}

}  // namespace

std::span<const Op> torch_clamp_rows() {
#define BOUNDS "min: tensor | number = None, max: tensor | number = None)"
#define ONE(bound) \
  "torch.clamp_" bound "(input: tensor, " bound ": tensor | number)\nx.clamp_" bound "(" bound ": tensor | number)"
#define ONE_IN_PLACE(bound)   \
  "x.clamp_" bound "_(" bound \
  ": tensor | number)\n"      \
  "torch.clamp_" bound "_(input: tensor, " bound ": tensor | number)"
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.clamp(input: tensor, " BOUNDS "\nx.clamp(" BOUNDS "\ntorch.clip(input: tensor, " BOUNDS
       "\nx.clip(" BOUNDS,
       Msg::op_clamp, "y[i] = min(max(x[i], min), max)", "x = torch.arange(6)\ny = x.clamp(1, 4)", clamp_row},
      {Library::torch,
       "x.clamp_(" BOUNDS "\nx.clip_(" BOUNDS "\ntorch.clamp_(input: tensor, " BOUNDS
       "\ntorch.clip_(input: tensor, " BOUNDS,
       Msg::op_in_place_function, "x[i] = min(max(x[i], min), max) in the same cells",
       "x = torch.arange(6)\nx.clamp_(1, 4)", clamp_in_place_row},
      {Library::torch, ONE("min"), Msg::op_clamp, "y[i] = max(x[i], min)", "x = torch.arange(6)\ny = x.clamp_min(2)",
       clamp_row},
      {Library::torch, ONE("max"), Msg::op_clamp, "y[i] = min(x[i], max)", "x = torch.arange(6)\ny = x.clamp_max(2)",
       clamp_row},
      {Library::torch, ONE_IN_PLACE("min"), Msg::op_in_place_function, "x[i] = max(x[i], min) in the same cells",
       "x = torch.arange(6)\nx.clamp_min_(2)", clamp_in_place_row},
      {Library::torch, ONE_IN_PLACE("max"), Msg::op_in_place_function, "x[i] = min(x[i], max) in the same cells",
       "x = torch.arange(6)\nx.clamp_max_(2)", clamp_in_place_row},
  };
#undef BOUNDS
#undef ONE
#undef ONE_IN_PLACE
  return rows;
}

}  // namespace stridescope

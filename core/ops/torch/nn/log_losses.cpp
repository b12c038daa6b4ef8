// Losses of chances, by their logarithms: binary_cross_entropy, the same of logits, kl_div.
#include <algorithm>
#include <array>

#include "layout/transform.h"
#include "ops/fold.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/losses.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// Whether every element of input and target is a chance, as far as that is known, or the call failed.
bool check_chances(Call& call, const Tensor& input, const Tensor& target) {
  const int64_t count = *numel(input.layout.sizes);
  Elements elements[] = {elements_of(input), elements_of(target)};
  if (count > most_folded && call.drawn()) return true;
  if (count > most_folded) return call.refuse(Msg::too_many_summed, {count, most_folded}), false;
  if (!call.quick(elements[0], count) || !call.quick(elements[1], count)) return false;
  // Which of both is met first depends on the order in which the library walks: that of the loss's memory.
  const Layout loss{input.layout.sizes, preserved_strides(input.layout), 0};
  Dims order = iterator_order(loss.sizes, std::array{loss, input.layout, target.layout});
  std::reverse(order.begin(), order.end());
  for (Elements& one : elements) one.layout = permute(one.layout, order);
  bool met_input = false;
  std::optional<double> first;
  for (int64_t i = 0; i < count && !first; ++i)
    for (size_t k = 0; k < 2 && !first; ++k)
      if (const double chance = element(elements[k], i).real; !(chance >= 0 && chance <= 1))
        first = chance, met_input = k == 0;
  if (!first) return true;
  if (call.drawn()) return call.refuse(Msg::of_stand_ins), false;
  const char* const parameter = met_input ? "input" : "target";
  return call.about(parameter).fail("RuntimeError", {"all elements of ", parameter, " should be between 0 and 1"},
                                    Msg::dropout_range, {to_string(Value{*first})}),
         false;
}

/// The numbers of a tensor that nobody sees, reckoned anew in place with another.
Value in_its_place(Call& call, std::string_view function, const Value& hidden, const Value& other) {
  if (call.failed()) return {};
  const Tensor target = *tensor_of(hidden), operand = *tensor_of(other);
  const Dims& sizes = target.layout.sizes;
  const Pointwise& by = pointwise(function, 2);
  TypeVote vote{call};
  for (const Value* one : {&hidden, &other}) vote.add(*one);
  const DType common = vote.result();
  const auto joined =
      check_operands(call, by, {&hidden, &other}) ? broadcast_sizes(call, sizes, operand.layout.sizes) : std::nullopt;
  if (!joined || !fits_in_place(call, target, *joined) || !check_stored(call, common, target.dtype)) return {};
  Elements read = elements_of(operand);
  read = in_half(read, common, by.op, true).value_or(read);
  read.layout = expand(read.layout, sizes);
  const Elements own = elements_of(target);
  const Elements made{elementwise(by.op, std::vector{own, read}, working_dtype(common), target.dtype),
                      contiguous(sizes, itemsize(target.dtype)), target.dtype};
  call.unsay(0);
  return laid_out(call, target.layout, target.dtype, made);
}

}  // namespace

Value chances_loss(Call& call) {
  const auto reduction = reduction_of(call);
  if (!reduction) return {};
  const Tensor input = call.self(), target = *call.tensor("target")->tensor;
  const Dims& sizes = input.layout.sizes;
  if (!(target.layout.sizes == sizes))
    return call.about("target").fail(
        "ValueError",
        {"Using a target size (", written_size(target), ") that is different to the input size (", written_size(input),
         ") is deprecated. Please ensure they have the same size."},
        Msg::loss_sizes, {to_string(target.layout.sizes), to_string(sizes)});
  Value weight;
  if (call.given("weight")) {
    if (!check_sized(call, "weight")) return {};
    const Tensor own = *call.tensor("weight")->tensor;
    const auto joined = broadcast_sizes(call, sizes, own.layout.sizes);
    if (!joined) return {};
    weight = seen_through(own, expand(own.layout, *joined));
  }
  if (input.dtype != target.dtype)
    return call.about("target").fail(
        "RuntimeError",
        {"Found dtype ", scalar_type_name(target.dtype), " but expected ", scalar_type_name(input.dtype)},
        Msg::dtypes_differ, {name(input.dtype), name(target.dtype)});
  if (!check_floating(call, input.dtype, "binary_cross_entropy") || !check_chances(call, input, target)) return {};
  const Reckoner reckon{sizes, input.dtype};
  const Elements x = elements_of(input), t = elements_of(target), least = reckon(-100), one = reckon(1);
  const auto bounded = [&](Arithmetic logarithm, const Elements& of) {
    return reckon(Arithmetic::maximum, {reckon(logarithm, {of}), least});
  };
  const Elements miss = reckon(Arithmetic::multiply, {reckon(Arithmetic::subtract, {t, one}),
                                                      bounded(Arithmetic::log1p, reckon(Arithmetic::negate, {x}))}),
                 hit = reckon(Arithmetic::multiply, {t, bounded(Arithmetic::logarithm, x)});
  Value each = laid_out(call, {sizes, preserved_strides(input.layout), 0}, input.dtype,
                        reckon(Arithmetic::subtract, {miss, hit}));
  if (tensor_of(weight)) each = in_its_place(call, "mul", each, weight);
  if (call.failed() || reduction == Reduction::none) return each;
  const Value one_number = reduced_loss(call, each, *reduction);
  const bool empty = numel(sizes) == 0;
  return in_room(call, one_number,
                 empty ? constant_contents(real_scalar(0, input.dtype), 1) : tensor_of(each)->storage->contents);
}

Value logits_loss(Call& call) {
  const auto reduction = reduction_of(call);
  if (!reduction) return {};
  const Value input = call.first(), target = call.value("target"), one{int64_t{1}};
  const Tensor x = call.self();
  const Dims &sizes = x.layout.sizes, &wanted = tensor_of(target)->layout.sizes;
  if (!(sizes == wanted))
    return call.about("target").fail(
        "ValueError",
        {"Target size (", written_size(*tensor_of(target)), ") must be the same as input size (", written_size(x), ")"},
        Msg::loss_sizes, {to_string(wanted), to_string(sizes)});
  if (!check_floating(call, x.dtype, "log_sigmoid_cpu")) return {};
  if (call.given("pos_weight") && call.tensor("pos_weight")->tensor->dtype == DType::boolean)
    return check_subtraction(call, call.value("pos_weight"), one), Value{};
  const Reckoner reckon{sizes, working_dtype(x.dtype)};
  const Elements own = elements_of(x);
  const Elements below = reckon(Arithmetic::minimum, {own, reckon(0)}),
                 tail = reckon(Arithmetic::exponential,
                               {reckon(Arithmetic::negate, {reckon(Arithmetic::absolute, {own})})});
  Value logarithms = laid_out(call, contiguous(sizes), x.dtype,
                              reckon(Arithmetic::subtract, {below, reckon(Arithmetic::log1p, {tail})}));
  if (call.given("pos_weight")) {
    const Value positive = call.value("pos_weight"), over = on_the_way(call, "sub", {&positive, &one});
    const Value shares = on_the_way(call, "mul", {&over, &target}), factors = on_the_way(call, "add", {&shares, &one});
    logarithms = in_its_place(call, "mul", logarithms, factors);
  }
  // The 1 takes the target's dtype, as no number of Python's would.
  const Value whole = seen_through(*tensor_of(target), Layout{});
  if (tensor_of(target)->dtype == DType::boolean && !check_subtraction(call, whole, target)) return {};
  Value each = on_the_way(call, "sub", {&one, &target});
  each = in_its_place(call, "mul", each, input);
  each = in_its_place(call, "sub", each, logarithms);
  if (call.given("weight")) each = in_its_place(call, "mul", each, call.value("weight"));
  return reduced_loss(call, each, *reduction);
}

Value divergence_loss(Call& call) {
  const auto* word = std::get_if<std::string>(&call.value("reduction").held);
  const bool batch = word && *word == "batchmean";
  // The older words for it say what is divided by the batch then.
  const bool older = call.given("size_average") || call.given("reduce");
  const auto reduction = batch && !older ? std::optional(Reduction::sum) : reduction_of(call);
  if (!reduction) return {};
  const Value input = call.first(), target = call.value("target"), logarithms = call.value("log_target");
  if (!std::holds_alternative<bool>(logarithms.held)) return call.wrong_type("log_target", "bool");
  const Tensor x = call.self(), t = *call.tensor("target")->tensor;
  if (is_complex(x.dtype) || is_complex(t.dtype))
    return call.fail("RuntimeError", "kl_div: Complex inputs not supported.", Msg::function_refuses,
                     {"kl_div", "complex"});
  if (is_whole(x.dtype) || is_whole(t.dtype))
    return call.fail("RuntimeError", "kl_div: Integral inputs not supported.", Msg::function_refuses,
                     {"kl_div", name(is_whole(x.dtype) ? x.dtype : t.dtype)});
  Value each;
  if (std::get<bool>(logarithms.held)) {
    const Value chances = on_the_way(call, "exp", {&target}), over = on_the_way(call, "sub", {&target, &input});
    if (!call.failed()) each = apply_function(call, pointwise("mul", 2), {&chances, &over});
  } else {
    // 0 * log(0) is 0.
    const Reckoner reckon{t.layout.sizes, t.dtype};
    const Elements own = elements_of(t), none = reckon(0);
    const size_t said = call.said();
    const Layout layout{t.layout.sizes, iterator_strides(t.layout.sizes, std::vector{t.layout, t.layout}, true), 0};
    const Value first = laid_out(
        call, layout, t.dtype,
        reckon(Arithmetic::where, {reckon(Arithmetic::equal, {own, none}), none,
                                   reckon(Arithmetic::multiply, {own, reckon(Arithmetic::logarithm, {own})})}));
    call.unsay(said);
    const Value second = on_the_way(call, "mul", {&target, &input});
    if (!call.failed()) each = apply_function(call, pointwise("sub", 2), {&first, &second});
  }
  const Value made = reduced_loss(call, each, *reduction);
  if (!batch || x.layout.rank() == 0 || call.failed()) return made;
  const Value rows{x.layout.sizes[0]};
  return on_the_way(call, "div", {&made, &rows});
}

}  // namespace stridescope

// Losses of elements and what they should be: squares of distances, distances, logarithms of chances.
#include "ops/torch/nn/losses.h"

#include <algorithm>

#include "ops/fold.h"
#include "ops/members.h"
#include "ops/python/text.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {

std::optional<Reduction> older_reduction(Call& call) {
  if (!call.given("size_average") && !call.given("reduce")) return std::nullopt;
  const bool averages = !call.given("size_average") || call.truth("size_average"),
             reduces = !call.given("reduce") || call.truth("reduce");
  if (call.failed()) return std::nullopt;
  return !reduces ? Reduction::none : averages ? Reduction::mean : Reduction::sum;
}

std::optional<Reduction> reduction_of(Call& call) {
  const auto older = older_reduction(call);
  if (older || call.failed()) return older;
  const Value& asked = call.value("reduction");
  const auto* word = std::get_if<std::string>(&asked.held);
  if (word && *word == "none") return Reduction::none;
  if (word && (*word == "mean" || *word == "elementwise_mean")) return Reduction::mean;
  if (word && *word == "sum") return Reduction::sum;
  if (const TensorPtr array = tensor_of(asked);
      array && array->library == Library::numpy && numel(array->layout.sizes) != 1)
    return call.truth("reduction"), std::nullopt;  // of what it is compared with
  const auto shown = python_field(asked);
  if (!shown) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()}), std::nullopt;
  call.about("reduction")
      .fail("ValueError", {*shown, " is not a valid value for reduction"}, Msg::loss_reduction, {*shown});
  return std::nullopt;
}

std::string written_size(const Tensor& tensor) { return "torch.Size(" + list_text(tensor.layout.sizes) + ")"; }

std::optional<AskedError> loss_asked(std::string_view function, const Given& given, std::string_view parameter) {
  constexpr std::string_view reduce[] = {"nll_loss", "cross_entropy", "kl_div", "binary_cross_entropy",
                                         "binary_cross_entropy_with_logits"},
                             compare[] = {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", reduce[3], reduce[4]};
  const auto is_among = [&](const auto& functions) {
    return std::find(std::begin(functions), std::end(functions), function) != std::end(functions);
  };
  const auto is_none = [&](std::string_view word) { return std::holds_alternative<None>(given(word).held); };
  const Value asked = given("reduction"), target = given("target"), input = given("input");
  if (is_among(reduce) && is_none("size_average") && is_none("reduce") && !is_none("reduction")) {
    constexpr std::string_view words[] = {"none", "mean", "elementwise_mean", "sum", "batchmean"};
    const auto* word = std::get_if<std::string>(&asked.held);
    const auto* found = word ? std::find(std::begin(words), std::end(words), *word) : std::end(words);
    const auto shown = python_field(asked);
    if (shown && (found == std::end(words) || (*found == "batchmean" && function != "kl_div")))
      return AskedError{"ValueError", *shown + " is not a valid value for reduction",
                        Message{Msg::loss_reduction, {*shown}}};
  }
  if (!is_among(compare)) return std::nullopt;
  if (parameter == "input" || parameter == "target") {
    const Value& one = passes(target, "tensor") ? input : target;
    if (is_array(one)) return AskedError{"TypeError", "'int' object is not callable"};
    return AskedError{"AttributeError", "'" + attribute_type(one) + "' object has no attribute 'size'"};
  }
  if (!passes(target, "tensor") || !passes(input, "tensor")) return std::nullopt;
  const Tensor &wanted = *tensor_of(target), &own = *tensor_of(input);
  if (parameter == "beta" || parameter == "delta") {
    // Both are brought to common sizes first, and a beta is compared with 0.
    if (!broadcast_of(own.layout.sizes, wanted.layout.sizes)) {
      AskedError error = broadcast_error(own.layout.sizes, wanted.layout.sizes);
      error.parameter = "target";
      return error;
    }
    return parameter == "beta" ? truth_asked(given("beta"), "beta") : std::nullopt;
  }
  if (function != reduce[4]) return std::nullopt;
  if (wanted.layout.sizes == own.layout.sizes) return std::nullopt;
  return AskedError{
      "ValueError",
      "Target size (" + written_size(wanted) + ") must be the same as input size (" + written_size(own) + ")",
      Message{Msg::loss_sizes, {to_string(wanted.layout.sizes), to_string(own.layout.sizes)}}};
}

Value reduced_loss(Call& call, const Value& numbers, Reduction reduction) {
  if (call.failed() || reduction == Reduction::none) return numbers;
  const Tensor tensor = *tensor_of(numbers);
  call.unsay(0);
  return total_of(call, tensor, reduction == Reduction::mean, all_dims(tensor));
}

bool check_sized(Call& call, const char* parameter) {
  const Value& given = call.value(parameter);
  const TensorPtr tensor = tensor_of(given);
  if (tensor && tensor->library == Library::torch) return true;
  const std::string type = attribute_type(given);
  call.about(parameter);
  if (is_array(given))
    call.fail("TypeError", "'int' object is not callable", Msg::argument_has_type, {parameter, "Tensor", type});
  else
    call.fail("AttributeError", {"'", type, "' object has no attribute 'size'"}, Msg::attribute_unknown,
              {type, "size"});
  return false;
}

Value in_room(Call& call, const Value& one, ContentsPtr room) {
  if (call.failed()) return {};
  const Tensor number = *tensor_of(one);
  const int64_t count = cells(*room);
  const Layout first{};
  call.why(Msg::loss_keeps_storage, {count});
  return call.fresh(number.dtype, first, patch(room, {room, first, number.dtype}, elements_of(number)));
}

namespace {

/// Both tensors under their common sizes, and the dtype that they have in common.
struct Compared {
  Value input, target;
  Dims sizes;
  DType common;
  std::vector<Elements> elements;
  std::vector<Layout> layouts;  ///< as an iterator sees them

  Reckoner reckoner() const { return {sizes, common}; }
  Elements distance(const Reckoner& reckon) const {
    return reckon(Arithmetic::absolute, {reckon(Arithmetic::subtract, elements)});
  }
  Layout followed() const { return {sizes, iterator_strides(sizes, layouts, true), 0}; }
};

std::optional<Compared> broadcast_pair(Call& call) {
  const Tensor input = call.self(), target = *call.tensor("target")->tensor;
  const auto sizes = broadcast_sizes(call, input.layout.sizes, target.layout.sizes);
  if (!sizes) return std::nullopt;
  Compared pair{seen_through(input, expand(input.layout, *sizes)),
                seen_through(target, expand(target.layout, *sizes)),
                *sizes,
                DType::float32,
                {},
                {}};
  TypeVote vote{call};
  for (const Value* one : {&pair.input, &pair.target}) vote.add(*one);
  pair.common = vote.result();
  for (const Value* one : {&pair.input, &pair.target}) {
    const Tensor& tensor = *tensor_of(*one);
    const Elements own = elements_of(tensor);
    pair.elements.push_back(in_half(own, pair.common, Arithmetic::subtract, false).value_or(own));
    const bool as_it_is = tensor.dtype == pair.common && tensor.lens == Lens{};
    pair.layouts.push_back({*sizes, as_it_is ? tensor.layout.strides : preserved_strides(tensor.layout), 0});
  }
  return pair;
}

/// A weight of the input's sizes, or the call failed.
bool check_weight(Call& call) {
  if (!check_sized(call, "weight")) return false;
  const Dims &sizes = call.tensor("weight")->tensor->layout.sizes, &own = call.self().layout.sizes;
  if (sizes == own) return true;
  return call.about("weight").fail("ValueError", "Weights and input must have the same size.", Msg::loss_sizes,
                                   {to_string(sizes), to_string(own)}),
         false;
}

/// Numbers times a weight; of those of squares and distances the mean is over the weight.
Value weighted(Call& call, const Value& numbers, bool over_weight) {
  if (call.failed()) return {};
  const Value weight = call.value("weight");
  const Value products = apply_function(call, pointwise("mul", 2), {&numbers, &weight});
  const auto* word = std::get_if<std::string>(&call.value("reduction").held);
  const auto older = older_reduction(call);
  if (call.failed() || older == Reduction::none || (!older && word && *word == "none")) return products;
  const bool mean = older ? older == Reduction::mean : word && *word == "mean";
  if (!older && !mean && (!word || *word != "sum")) {
    const auto shown = python_str(call.value("reduction"));
    if (!shown) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
    return call.about("reduction")
        .fail("ValueError", {"Invalid reduction mode: ", *shown, ". Expected one of 'none', 'mean', 'sum'."},
              Msg::loss_reduction, {*shown});
  }
  const Value sum = reduced_loss(call, products, mean && !over_weight ? Reduction::mean : Reduction::sum);
  if (call.failed() || !mean || !over_weight) return sum;
  const Tensor& all = *tensor_of(weight);
  const Value weights = total_of(call, all, false, all_dims(all));
  const Value share = on_the_way(call, "div", {&sum, &weights});
  return share;
}

/// What the kernels of losses take; of half precision they round each step, but in the vectors that many fill only the
/// last. False: the call failed.
bool check_kernel_of(Call& call, const Compared& pair, const char* kernel) {
  constexpr int64_t fill_vectors = 32;
  if (!check_promotion(call, {&pair.input, &pair.target}) || !check_floating(call, pair.common, kernel)) return false;
  const bool half = working_dtype(pair.common) != pair.common;
  if (half && *numel(pair.sizes) >= fill_vectors && !call.drawn())
    call.refuse(Msg::not_modelled, {"PyTorch", std::string(name(pair.common)) + " " + std::string(call.name())});
  return !call.failed();
}

/// mse_loss and smooth_l1_loss: their kernels write to a tensor that is made smaller where it becomes one number.
Value kernel_loss(Call& call, const Compared& pair, const char* kernel, const Elements& numbers) {
  const auto reduction = reduction_of(call);
  if (!reduction || !check_kernel_of(call, pair, kernel)) return {};
  const Value each = laid_out(call, pair.followed(), pair.common, numbers);
  if (call.failed() || reduction == Reduction::none) return each;
  const int64_t count = std::max<int64_t>(*numel(pair.sizes), 1);
  const ContentsPtr room = constant_contents(converted({DType::int64}, pair.common), count);
  return in_room(call, reduced_loss(call, each, *reduction), room);
}

Value squares_loss(Call& call, const Compared& pair) {
  if (call.given("weight")) {
    if (!check_weight(call)) return {};
    const Value distance = on_the_way(call, "sub", {&pair.input, &pair.target}), two{int64_t{2}};
    return weighted(call, on_the_way(call, "pow", {&distance, &two}), true);
  }
  const Elements away = pair.distance(pair.reckoner());
  return kernel_loss(call, pair, "mse_cpu", pair.reckoner()(Arithmetic::multiply, {away, away}));
}

/// l1_loss: a subtraction and its absolute values.
Value distances_of(Call& call, const Compared& pair) {
  if (is_complex(pair.common)) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const Value away = on_the_way(call, "sub", {&pair.input, &pair.target});
  return call.failed() ? Value{} : apply_function(call, pointwise("abs", 1), {&away});
}

Value distances_loss(Call& call, const Compared& pair) {
  if (call.given("weight")) return check_weight(call) ? weighted(call, distances_of(call, pair), true) : Value{};
  const auto reduction = reduction_of(call);
  return reduction ? reduced_loss(call, distances_of(call, pair), *reduction) : Value{};
}

/// z * z / 2 below the bound, and a line beyond it: of huber_loss times the bound, of smooth_l1_loss over it.
Elements bent(const Compared& pair, double bound, bool steep) {
  Reckoner reckon = pair.reckoner();
  if (!steep && pair.common == DType::bfloat16) reckon.dtype = DType::float32;  // one kernel of all that is wider
  const Elements z = pair.distance(reckon), limit = reckon(bound), half = reckon(0.5);
  const Elements square = reckon(Arithmetic::multiply, {reckon(Arithmetic::multiply, {half, z}), z});
  const Elements beyond = reckon(Arithmetic::subtract, {z, reckon(Arithmetic::multiply, {half, limit})});
  return reckon(Arithmetic::where,
                {reckon(Arithmetic::less, {z, limit}), steep ? square : reckon(Arithmetic::divide, {square, limit}),
                 steep ? reckon(Arithmetic::multiply, {limit, beyond}) : beyond});
}

Value smooth_loss(Call& call, const Compared& pair) {
  const double beta = call.real("beta");
  if (beta == 0) {
    const auto reduction = reduction_of(call);
    return reduction ? reduced_loss(call, distances_of(call, pair), *reduction) : Value{};
  }
  if (!(beta >= 0) && reduction_of(call))
    return call.about("beta").fail("RuntimeError", "smooth_l1_loss does not support negative values for beta.",
                                   Msg::at_least, {"beta", 0});
  return call.failed() ? Value{} : kernel_loss(call, pair, "smooth_l1_cpu", bent(pair, beta, false));
}

/// Into a tensor like the input.
Value huber_loss(Call& call, const Compared& pair) {
  const bool weighs = call.given("weight");
  if (weighs && !check_weight(call)) return {};
  const auto reduction = weighs ? std::optional(Reduction::none) : reduction_of(call);
  if (!reduction) return {};
  const double delta = call.real("delta");
  if (!(delta > 0))
    return call.about("delta").fail("RuntimeError", "huber_loss does not support non-positive values for delta.",
                                    Msg::loss_positive, {"delta"});
  const Tensor& input = *tensor_of(pair.input);
  if (!check_promotion(call, {&pair.input, &pair.target}) || !check_stored(call, pair.common, input.dtype) ||
      !check_kernel_of(call, pair, "huber_cpu"))
    return {};
  const Layout layout{pair.sizes, preserved_strides(input.layout), 0};
  const Value each = laid_out(call, layout, input.dtype, bent(pair, delta, true));
  return weighs ? weighted(call, each, false) : reduced_loss(call, each, *reduction);
}

/// What a loss makes of both, and that PyTorch warns where their sizes differ.
Value compared(Call& call, Value (*loss)(Call&, const Compared&)) {
  older_reduction(call);  // which is asked before the sizes
  const auto pair = call.failed() ? std::nullopt : broadcast_pair(call);
  if (!pair) return {};
  const Dims input = call.self().layout.sizes, target = call.tensor("target")->tensor->layout.sizes;
  const Value result = loss(call, *pair);
  if (!call.failed() && !(input == target))
    call.why(Msg::loss_broadcast, {to_string(input), to_string(target), to_string(pair->sizes)});
  return result;
}

}  // namespace

std::span<const Op> torch_loss_rows() {
#define LOSS(name, more, law, targets, row)                                                                            \
  {                                                                                                                    \
    Library::torch, "torch.nn.functional." name "(input: tensor, target: tensor" more ")", Msg::op_loss, law,          \
        "import torch.nn.functional as F\nx = torch.tensor([0.2, 0.7])\ny = F." name "(x, torch.tensor(" targets "))", \
        row                                                                                                            \
  }
#define OLDER ", size_average: any = None, reduce: any = None"
#define REDUCTION ", reduction: any = 'mean'"
#define WEIGHT ", weight: any = None"
#define REDUCED "; reduction: the mean of all, their sum, or none"
  static constexpr Op rows[] = {
      LOSS("mse_loss", OLDER REDUCTION WEIGHT, "l[i] = (x[i] - target[i]) ** 2" REDUCED, "[0., 1.]",
           [](Call& call) { return compared(call, squares_loss); }),
      LOSS("l1_loss", OLDER REDUCTION WEIGHT, "l[i] = |x[i] - target[i]|" REDUCED, "[0., 1.]",
           [](Call& call) { return compared(call, distances_loss); }),
      LOSS("smooth_l1_loss", OLDER REDUCTION ", beta: float = 1.0",
           "z = |x[i] - target[i]|; l[i] = z * z / 2 / beta if z < beta else z - beta / 2" REDUCED, "[0., 1.]",
           [](Call& call) { return compared(call, smooth_loss); }),
      LOSS("huber_loss", REDUCTION ", delta: float = 1.0" WEIGHT,
           "z = |x[i] - target[i]|; l[i] = z * z / 2 if z < delta else delta * (z - delta / 2)" REDUCED, "[0., 1.]",
           [](Call& call) { return compared(call, huber_loss); }),
      LOSS("binary_cross_entropy", WEIGHT OLDER REDUCTION,
           "l[i] = -(target[i] * log(x[i]) + (1 - target[i]) * log(1 - x[i])), no logarithm below -100" REDUCED,
           "[0., 1.]", chances_loss),
      LOSS("binary_cross_entropy_with_logits", ", weight: tensor = None" OLDER REDUCTION ", pos_weight: tensor = None",
           "l[i] = (1 - target[i]) * x[i] - (1 + (pos_weight - 1) * target[i]) * log(sigmoid(x[i]))" REDUCED,
           "[0., 1.]", logits_loss),
      LOSS("kl_div", OLDER REDUCTION ", log_target: any = False",
           "l[i] = target[i] * (log(target[i]) - x[i]), of log_target exp(target[i]) * (target[i] - x[i])" REDUCED,
           "[0.5, 0.5]", divergence_loss),
  };
#undef LOSS
#undef OLDER
#undef REDUCTION
#undef WEIGHT
#undef REDUCED
  return rows;
}

}  // namespace stridescope

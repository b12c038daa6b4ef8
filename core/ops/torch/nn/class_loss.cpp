// Losses of classes: how little is thought of the one that a target names. cross_entropy, nll_loss.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/losses.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/reduction.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// What stands for each class, along dim 1 or of one alone along dim 0, and which one each target names.
struct Classes {
  Tensor numbers, target;
  const Tensor* weight = nullptr;
  int64_t ignored = -100;
  double smoothing = 0;
  Reduction reduction = Reduction::mean;

  int rank() const { return numbers.layout.rank(); }
  int dim() const { return rank() == 1 ? 0 : 1; }
  int64_t count() const { return numbers.layout.sizes[dim()]; }
  /// Whether the kernel is that of images, which others than rows become.
  bool spatial() const { return rank() > 2; }
};

bool mismatch(Call& call, const char* type, const Slots& text, const Classes& of) {
  return call.about("target").fail(type, text, Msg::loss_sizes,
                                   {to_string(of.numbers.layout.sizes), to_string(of.target.layout.sizes)}),
         false;
}

bool check_target_sizes(Call& call, const Classes& of) {
  const Dims &own = of.numbers.layout.sizes, &named = of.target.layout.sizes;
  const int rank = of.rank();
  const auto limit = [&] { return call.refuse(Msg::not_modelled, {"PyTorch", call.name()}), false; };
  if (rank < 1) return call.fail("ValueError", "Expected 1 or more dimensions (got 0)", Msg::needs_rank, {1, 0}), false;
  // Where there is no size, what stands in its place is read: 0, or what it was.
  const int64_t batch = named.empty() ? of.target.lost_size : named[0];
  if (rank > 1 && own[0] != batch)
    return mismatch(call, "ValueError",
                    {"Expected input batch_size (", own[0], ") to match target batch_size (", batch, ")."}, of);
  if (rank == 2 && named.empty())
    return mismatch(call, "IndexError", "Dimension specified as 0 but tensor has no dimensions", of);
  if (rank > 2 && rank != 4 && named.empty())
    return mismatch(call, "RuntimeError", "ArrayRef: invalid slice, N = 1; size = 0", of);
  if (rank <= 2) {
    if (named.size() > 1)
      return mismatch(call, "RuntimeError", "0D or 1D target tensor expected, multi-target not supported", of);
    if ((rank > 1 || !named.empty()) && own[0] != named[0])
      return mismatch(call, "RuntimeError",
                      {"size mismatch (got input: ", list_text(own), ", target: ", list_text(named), ")"}, of);
    return rank > 1 || named.empty() || own[0] > 0 || limit();
  }
  Dims wanted{own[0]};
  for (int d = 2; d < rank; ++d) wanted.push_back(own[d]);
  if (named == wanted) return true;
  if (rank != 4)
    return mismatch(call, "RuntimeError", {"Expected target size ", list_text(wanted), ", got ", list_text(named)}, of);
  if (named.size() != 3)
    return mismatch(
        call, "RuntimeError",
        {"only batches of spatial targets supported (3D tensors) but got targets of dimension: ", named.size()}, of);
  return true;  // later, after the weight
}

bool check_classes(Call& call, const Classes& of) {
  if (!check_target_sizes(call, of)) return false;
  const Dims &own = of.numbers.layout.sizes, &named = of.target.layout.sizes;
  const int64_t classes = of.count();
  if (of.weight &&
      (of.spatial() ? numel(of.weight->layout.sizes) != classes : !(of.weight->layout.sizes == Dims{classes}))) {
    const std::string text =
        of.spatial()
            ? "all or no classes"
            : "all " + std::to_string(classes) +
                  " classes or no classes but got weight tensor of shape: " + list_text(of.weight->layout.sizes);
    return call.about("weight").fail("RuntimeError", {"weight tensor should be defined either for ", text},
                                     Msg::layer_size, {"weight", *numel(of.weight->layout.sizes), classes}),
           false;
  }
  if (of.rank() == 4 && !(named == Dims{own[0], own[2], own[3]}))
    return mismatch(call, "RuntimeError",
                    {"size mismatch (got input: ", list_text(own), " , target: ", list_text(named)}, of);
  if (!check_floating(call, of.numbers.dtype, of.spatial() ? "nll_loss2d_forward_out_frame" : "nll_loss_out_frame"))
    return false;
  const auto expected = [&](const char* parameter, DType wanted, DType found) {
    return call.about(parameter).fail(
               "RuntimeError",
               {"expected scalar type ", scalar_type_name(wanted), " but found ", scalar_type_name(found)},
               Msg::dtypes_differ, {name(wanted), name(found)}),
           false;
  };
  const bool fits = of.target.dtype == DType::int64 || (!of.spatial() && of.target.dtype == DType::uint8),
             weighs = !of.weight || of.weight->dtype == of.numbers.dtype;
  if (!weighs) return expected("weight", of.numbers.dtype, of.weight->dtype);
  // Where one number is made of no targets, none is read.
  const bool read = numel(named) != 0 || (of.reduction == Reduction::none && of.rank() > 1);
  return fits || !read || expected("target", DType::int64, of.target.dtype);
}

/// Sums of sums, as the kernel adds up: each level is emptied into the next when a share of its steps is done.
class LossSums {
 public:
  LossSums(int64_t count, DType dtype) : dtype_(dtype) {
    const int log = count <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<uint64_t>(count - 1)));
    power_ = std::max(4, log / static_cast<int>(levels_.size()));
  }
  void add(double value) { levels_[0] = held(levels_[0] + value); }
  void step_done(int64_t i) {
    for (size_t j = 0; j + 1 < levels_.size(); ++j) {
      const int64_t mask = (int64_t{1} << power_) - 1, shift = static_cast<int64_t>(j) * power_;
      if (shift >= 60 || (i & (mask << shift)) != 0) break;
      levels_[j + 1] = held(levels_[j + 1] + levels_[j]);
      levels_[j] = 0;
    }
  }
  double sum() const {
    double all = 0;
    for (const double level : levels_) all = held(all + level);
    return all;
  }
  double held(double value) const { return rounded_to(dtype_, value); }

 private:
  std::array<double, 8> levels_{};
  DType dtype_;
  int power_ = 4;
};

/// The negative of what each target names, times the weight of its class.
Value picked_loss(Call& call, Classes of) {
  if (call.failed() || !check_classes(call, of)) return {};
  // Of one row the first target is read.
  if (of.rank() == 1 && of.target.layout.rank() == 1) of.target.layout = select(of.target.layout, 0, 0);
  const DType dtype = of.numbers.dtype;
  const bool none = of.reduction == Reduction::none && of.rank() > 1;
  const Dims& named = of.target.layout.sizes;
  const int64_t count = *numel(named), classes = of.count();
  // The steps from one pixel, and from one class, to the next, row by row.
  int64_t inner = 1;
  for (int d = 2; d < of.rank(); ++d) inner *= of.numbers.layout.sizes[d];
  if (of.smoothing != 0 && working_dtype(dtype) != dtype)
    return call.refuse(Msg::not_modelled, {"PyTorch", "cross_entropy(label_smoothing)"});
  // The weights that the mean is over are gathered by the targets.
  if (of.smoothing != 0 && of.weight && of.reduction == Reduction::mean && of.target.dtype != DType::int64 && count > 0)
    return call.about("target").fail("RuntimeError", "gather(): Expected dtype int64 for index", Msg::index_places,
                                     {name(of.target.dtype)});
  const Layout layout = none ? fresh_layout(call, named, dtype) : Layout{};
  call.unsay(0);
  call.why(Msg::loss_class_headline, {count, classes, Slot{of.dim(), call.axis(of.dim())}});
  int64_t ignored = 0;
  const Elements targets = elements_of(of.target);
  const int64_t checked = count <= most_products && is_quick(targets, count) ? count : 0;
  for (int64_t i = 0; i < checked; ++i) {
    const int64_t one = element(targets, i).integer;
    ignored += one == of.ignored ? 1 : 0;
    if (one == of.ignored || (one >= 0 && one < classes)) continue;
    if (ignored > 0) call.why(Msg::loss_ignored, {ignored, of.ignored});
    if (of.target.storage->drawn) return call.refuse(Msg::of_stand_ins);
    return call.about("target").fail("IndexError", {"Target ", one, " is out of bounds."}, Msg::one_hot_range,
                                     {one, classes});
  }
  const int64_t work = of.smoothing != 0 ? times({count, classes}) : count;
  const bool known = is_known(*of.numbers.storage->contents);
  const Value result = reckoned(call, dtype, layout, known ? work : INT64_MAX, [&] {
    const Elements numbers = elements_of(of.numbers);
    const std::vector<double> weights = of.weight ? doubles_of(call, *of.weight) : std::vector<double>();
    std::vector<double> each;
    if (call.failed() || !call.quick(targets, count) || !call.quick(numbers, work)) return each;
    LossSums losses(count, dtype), shares(count, dtype);
    double smooth = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t one = element(targets, i).integer;
      if (one == of.ignored) {
        each.push_back(0);
        continue;
      }
      const auto number = [&](int64_t k) {
        return as_real(element(numbers, ((i / inner) * classes + k) * inner + i % inner));
      };
      const double weight = weights.empty() ? 1 : weights[static_cast<size_t>(one)];
      const double loss = losses.held(number(one) * weight);
      double spread = 0;
      for (int64_t k = 0; k < classes && of.smoothing != 0; ++k)
        spread -= number(k) * (weights.empty() ? 1 : weights[static_cast<size_t>(k)]);
      smooth += spread;
      losses.add(-loss);
      shares.add(weight);
      each.push_back(-loss * (1 - of.smoothing) + spread * of.smoothing / static_cast<double>(classes));
      losses.step_done(i), shares.step_done(i);
    }
    if (none) return each;
    const bool mean = of.reduction == Reduction::mean;
    const double over = !mean ? 1 : weights.empty() ? static_cast<double>(count - ignored) : shares.sum();
    const double loss = mean ? losses.sum() / over : losses.sum();
    if (of.smoothing == 0) return std::vector{loss};
    return std::vector{loss * (1 - of.smoothing) + smooth / over * of.smoothing / static_cast<double>(classes)};
  });
  if (ignored > 0) call.why(Msg::loss_ignored, {ignored, of.ignored});
  // Of other images than flat ones each number is seen through another tensor's sizes.
  if (call.failed() || !none || of.rank() == 2 || of.rank() == 4 || of.smoothing != 0) return result;
  const Tensor hidden = *tensor_of(result);
  call.why(Msg::hidden_base);
  const Value seen = call.view(hidden, hidden.layout);
  call.relation(Relation::fresh);
  return seen;
}

/// What is asked of a target of chances, one for each class, and of its weights. False: the call failed.
bool check_chances(Call& call, const Classes& of) {
  if (!is_floating(of.target.dtype))
    return call.about("target").fail("RuntimeError",
                                     {"Expected floating point type for target with class probabilities, got ",
                                      scalar_type_name(of.target.dtype)},
                                     Msg::floats_needed, {name(of.target.dtype)}),
           false;
  if (of.ignored >= 0)
    return call.about("ignore_index")
               .fail("RuntimeError", "ignore_index is not supported for floating point target",
                     Msg::loss_ignores_chances),
           false;
  if (of.rank() == 0) return call.wrap(1, 0, true, "input"), false;
  if (of.weight && !(of.weight->layout.sizes == Dims{of.count()}))
    return call.about("weight").fail(
               "RuntimeError",
               {"cross_entropy: weight tensor should be defined either for all ", of.count(),
                " classes or no classes but got weight tensor of shape: ", list_text(of.weight->layout.sizes)},
               Msg::layer_size, {"weight", *numel(of.weight->layout.sizes), of.count()}),
           false;
  return true;
}

/// Of a target of chances.
Value expected_loss(Call& call, const Classes& of) {
  const Value logarithms = shares_along(call, of.numbers, of.dim(), of.numbers.dtype, true);
  Value target = call.value("target");
  if (of.smoothing > 0) {
    const Value kept{1 - of.smoothing}, rest{of.smoothing / static_cast<double>(of.count())};
    target = on_the_way(call, "mul", {&target, &kept});
    target = on_the_way(call, "add", {&target, &rest});
  }
  Value products = on_the_way(call, "mul", {&logarithms, &target});
  if (of.weight) {
    Layout line{Dims::filled(of.rank(), 1), Dims::filled(of.rank(), 1), of.weight->layout.storage_offset};
    line.sizes[of.dim()] = of.count(), line.strides[of.dim()] = of.weight->layout.strides[0];
    const Value weights = seen_through(*of.weight, line);
    products = on_the_way(call, "mul", {&products, &weights});
  }
  if (call.failed()) return {};
  call.unsay(0);
  const Tensor held = *tensor_of(products);
  const Value sums = total_of(call, held, false, of.reduction == Reduction::none ? Dims{of.dim()} : all_dims(held));
  // Of nothing the mean is not a number.
  const Value losses = on_the_way(call, "neg", {&sums}),
              rows{of.count() == 0 ? int64_t{0} : *numel(held.layout.sizes) / of.count()};
  return of.reduction == Reduction::mean ? on_the_way(call, "div", {&losses, &rows}) : losses;
}

/// The arguments of both; nothing where the call failed.
std::optional<Classes> classes_of(Call& call) {
  const auto reduction = reduction_of(call);
  if (!reduction) return std::nullopt;
  Classes of{call.self(), *call.tensor("target")->tensor};
  of.weight = call.given("weight") ? call.tensor("weight")->tensor.get() : nullptr;
  of.ignored = call.integer("ignore_index");
  of.reduction = *reduction;
  if (call.failed()) return std::nullopt;
  return of;
}

Value nll_row(Call& call) {
  const auto of = classes_of(call);
  return of ? picked_loss(call, *of) : Value{};
}

Value cross_entropy_row(Call& call) {
  auto of = classes_of(call);
  if (!of) return {};
  const double smoothing = call.real("label_smoothing");
  const bool chances = of->numbers.layout.sizes == of->target.layout.sizes;
  of->smoothing = std::max(smoothing, 0.);
  const auto shown = streamed(smoothing);
  if (chances && !check_chances(call, *of)) return {};
  if (!(smoothing <= 1) && !shown) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (!(smoothing <= 1))
    return call.about("label_smoothing")
        .fail("RuntimeError", {"label_smoothing must be between 0.0 and 1.0. Got: ", *shown}, Msg::dropout_range,
              {to_string(Value{smoothing})});
  if (chances) return expected_loss(call, *of);
  if (of->rank() == 0) return call.wrap(1, 0, false, "input"), Value{};
  const Value logarithms = shares_along(call, of->numbers, of->dim(), of->numbers.dtype, true);
  if (call.failed()) return {};
  of->numbers = *tensor_of(logarithms);
  return picked_loss(call, *of);
}

}  // namespace

std::span<const Op> torch_class_loss_rows() {
#define LOSS(name, more, law, row)                                                                                    \
  {                                                                                                                   \
    Library::torch,                                                                                                   \
        "torch.nn.functional." name                                                                                   \
        "(input: tensor, target: tensor, weight: tensor = None, size_average: any = None, ignore_index: int = -100, " \
        "reduce: any = None, reduction: any = 'mean'" more ")",                                                       \
        Msg::op_class_loss, law,                                                                                      \
        "import torch.nn.functional as F\nx = torch.arange(6.).view(2, 3)\ny = F." name "(x, torch.tensor([0, 2]))",  \
        row                                                                                                           \
  }
  static constexpr Op rows[] = {
      LOSS("cross_entropy", ", label_smoothing: float = 0.0",
           "l[n, ..] = -log_softmax(x, 1)[n, target[n, ..], ..]; the mean of all, their sum, or none",
           cross_entropy_row),
      LOSS("nll_loss", "", "l[n, ..] = -weight[target[n, ..]] * x[n, target[n, ..], ..]; the mean, the sum, or none",
           nll_row),
  };
#undef LOSS
  return rows;
}

}  // namespace stridescope

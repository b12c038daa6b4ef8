// What rearrange, reduce and repeat do to a tensor of some sizes.
#include <algorithm>

#include "layout/checked.h"
#include "layout/floor.h"
#include "ops/call.h"
#include "ops/einops/pattern.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

using Axes = std::vector<PatternAxis>;

/// Those of `axes` that `others` does not have.
Axes without(const Axes& axes, const Axes& others) {
  Axes left;
  for (const PatternAxis& axis : axes)
    if (!has_axis(others, axis)) left.push_back(axis);
  return left;
}

/// What einops says of a set of axes. Of several it prints them in an order that is not promised.
PatternProblem about_set(std::string_view text, const Axes& axes, Msg reason) {
  const std::string set = set_text(axes);
  PatternProblem found = einops_error({text, set}, reason, {set.substr(1, set.size() - 2)}, axes.front().at);
  found.problem.raised->parser = axes.size() > 1;
  return found;
}

/// Each side may have axes that the other lacks only where the operation says so.
std::optional<PatternProblem> check_sides(const PatternSide& left, const PatternSide& right, std::string_view pattern,
                                          Rearrangement operation, std::string_view method,
                                          const std::vector<GivenSize>& given) {
  if (right.ellipsis && !left.ellipsis)
    return einops_error({"Ellipsis found in right side, but not left side of a pattern ", pattern},
                        Msg::einops_ellipsis, {});
  if (left.ellipsis_inside)
    return einops_error({"Ellipsis inside parenthesis in the left side is not allowed: ", pattern},
                        Msg::einops_ellipsis, {});
  if (operation == Rearrangement::unknown)
    return einops_error(
        {"Unknown reduction ", method, ". Expect one of ('min', 'max', 'sum', 'mean', 'prod', 'any', 'all')."},
        Msg::einops_reduction, {method});
  const Axes on_left = left.axes(), on_right = right.axes();
  const Axes only_left = without(on_left, on_right), only_right = without(on_right, on_left);
  if (operation == Rearrangement::rearrange) {
    Axes alone = only_left;
    alone.insert(alone.end(), only_right.begin(), only_right.end());
    for (const PatternAxis& axis : alone)
      if (axis.size > 0)
        return einops_error("Non-unitary anonymous axes are not supported in rearrange (exception is length 1)",
                            Msg::einops_anonymous, {axis.name}, axis.at);
    if (!alone.empty())
      return about_set("Identifiers only on one side of expression (should be on both): ", alone, Msg::einops_one_side);
  } else if (operation == Rearrangement::repeat) {
    if (!only_left.empty())
      return about_set("Unexpected identifiers on the left side of repeat: ", only_left, Msg::einops_dropped);
    Axes unsized;
    for (const PatternAxis& axis : only_right)
      if (axis.size == 0 &&
          std::none_of(given.begin(), given.end(), [&](const GivenSize& one) { return one.name == axis.name; }))
        unsized.push_back(axis);
    if (!unsized.empty()) return about_set("Specify sizes for new axes in repeat: ", unsized, Msg::einops_unsized);
  } else if (!only_right.empty()) {
    return about_set(Slots{"Unexpected identifiers on the right side of reduce ", method, ": "}.str(), only_right,
                     Msg::einops_new);
  }
  return std::nullopt;
}

/// Puts `count` dims without a name where a side has "...".
void spell_out(PatternSide& side, int count) {
  std::vector<Axes> dims;
  for (const Axes& dim : side.dims) {
    Axes spelled;
    const bool alone = dim.size() == 1 && is_ellipsis(dim[0]) && !side.ellipsis_inside;
    for (const PatternAxis& axis : dim) {
      if (!is_ellipsis(axis)) spelled.push_back(axis);
      for (int i = 0; is_ellipsis(axis) && i < count; ++i) {
        PatternAxis one = axis;
        one.place = i;
        spelled.push_back(one);
        if (alone) dims.push_back({one});
      }
    }
    if (!alone) dims.push_back(std::move(spelled));
  }
  side.dims = std::move(dims);
}

/// The size of each axis, as far as it is known: what is given, then what the dims of the tensor leave.
class Sizes {
 public:
  Sizes(const Axes& left, const Axes& right) : axes_(left) {
    const Axes added = without(right, left);
    axes_.insert(axes_.end(), added.begin(), added.end());
    for (const PatternAxis& axis : axes_) known_.push_back({axis.size, axis.size > 0, true});
  }

  std::optional<PatternProblem> give(const std::vector<GivenSize>& given) {
    for (const GivenSize& one : given) {
      const std::string& name = one.name;
      if (misnamed(name))
        return einops_error({"('Invalid name for an axis', ", quoted(name), ")"}, Msg::einops_name, {name});
      const auto axis = std::find_if(axes_.begin(), axes_.end(),
                                     [&](const PatternAxis& own) { return own.name == std::string_view(name); });
      if (axis == axes_.end())
        return einops_error({"Axis ", name, " is not used in transform"}, Msg::einops_unused, {name});
      known_[static_cast<size_t>(axis - axes_.begin())] = {one.size, true, one.checked};
    }
    return std::nullopt;
  }

  /// Of each dim one axis at the most may be open.
  std::optional<PatternProblem> check_open(const PatternSide& left) const {
    for (const Axes& dim : left.dims) {
      Axes open;
      for (const PatternAxis& axis : dim)
        if (!known_[place(axis)].is) open.push_back(axis);
      if (open.size() > 1) return about_set("Could not infer sizes for ", open, Msg::einops_undetermined);
    }
    return std::nullopt;
  }

  std::optional<PatternProblem> fit(const Axes& dim, int64_t d, int64_t length) {
    std::optional<int64_t> product = 1;
    bool checked = true;
    std::optional<size_t> open;
    for (const PatternAxis& axis : dim) {
      const Known& one = known_[place(axis)];
      if (!one.is)
        open = place(axis);
      else
        product = checked_mul(product, one.size), checked = checked && one.checked;
    }
    const Span at = dim.empty() ? Span{} : Span{dim.front().at.begin, dim.back().at.end};
    if (!product) return PatternProblem{limit(Msg::beyond_int64), at};
    if (!open) {
      if (checked && length != *product)
        return einops_error({"Shape mismatch, ", length, " != ", *product}, Msg::einops_mismatch, {d, length, *product},
                            at);
      return std::nullopt;
    }
    if (*product == 0)
      return PatternProblem{
          checked ? python_error("ZeroDivisionError", "integer modulo by zero", Msg::einops_divide, {d, length, 0})
                  : limit(Msg::not_modelled, {"einops", "0"}),
          at};
    if (checked && length % *product != 0)
      return einops_error({"Shape mismatch, can't divide axis of length ", length, " in chunks of ", *product},
                          Msg::einops_divide, {d, length, *product}, at);
    known_[*open] = {floor_div(length, *product), true, true};
    return std::nullopt;
  }

  int64_t of(const PatternAxis& axis) const { return known_[place(axis)].size; }

  /// Their product, or nothing where it is too large.
  std::optional<int64_t> of(const Axes& dim) const {
    std::optional<int64_t> product = 1;
    for (const PatternAxis& axis : dim) product = checked_mul(product, of(axis));
    return product;
  }

  std::string words() const {
    std::string text;
    for (const PatternAxis& axis : axes_)
      if (axis.size == 0 && !is_ellipsis(axis))
        text += Slots{text.empty() ? "" : ", ", axis.name, " = ", of(axis)}.str();
    return text;
  }

 private:
  size_t place(const PatternAxis& axis) const {
    size_t i = 0;
    while (!(axes_[i] == axis)) ++i;
    return i;
  }

  struct Known {
    int64_t size;
    bool is, checked;
  };
  Axes axes_;
  std::vector<Known> known_;
};

}  // namespace

Rearrangement rearrangement(std::string_view method) {
  if (method == "rearrange") return Rearrangement::rearrange;
  if (method == "repeat") return Rearrangement::repeat;
  const std::string_view reductions[] = {"min", "max", "sum", "mean", "prod", "any", "all"};
  const bool reduces = std::find(std::begin(reductions), std::end(reductions), method) != std::end(reductions);
  return reduces ? Rearrangement::reduce : Rearrangement::unknown;
}

std::optional<GivenSize> given_size(const std::string& name, const Value& value) {
  const auto size = tensor_of(value) ? std::nullopt : as_index(value);
  if (!size) return std::nullopt;
  return GivenSize{name, *size, !std::holds_alternative<NumpyScalar>(value.held)};
}

PatternRank rank_of(std::string_view pattern) {
  PatternSide left;
  read_side(pattern.substr(0, pattern.find("->")), 0, left);
  return {static_cast<int>(left.dims.size()) - left.ellipsis, left.ellipsis};
}

std::optional<PatternProblem> plan(std::string_view pattern, Rearrangement operation, std::string_view method,
                                   const std::vector<GivenSize>& given, const Dims* sizes, Recipe& recipe) {
  const size_t arrow = pattern.find("->");
  if (arrow == pattern.npos)
    return PatternProblem{
        python_error("ValueError", "not enough values to unpack (expected 2, got 1)", Msg::einops_arrow)};
  if (const size_t other = pattern.find("->", arrow + 2); other != pattern.npos)
    return PatternProblem{python_error("ValueError", "too many values to unpack (expected 2)", Msg::einops_arrow),
                          {static_cast<int32_t>(other), static_cast<int32_t>(other + 2)}};
  PatternSide left, right;
  if (auto problem = read_side(pattern.substr(0, arrow), 0, left)) return problem;
  if (auto problem = read_side(pattern.substr(arrow + 2), static_cast<int32_t>(arrow + 2), right)) return problem;
  if (auto problem = check_sides(left, right, pattern, operation, method, given)) return problem;
  const int named = static_cast<int>(left.dims.size()) - left.ellipsis, rank = sizes ? sizes->size() : named;
  if (left.ellipsis ? rank < named : rank != named) {
    PatternProblem found = einops_error(
        {"Wrong shape: expected ", left.ellipsis ? ">=" : "", named, " dims. Received ", rank, "-dim tensor."},
        Msg::einops_rank, {named, rank});
    if (rank > named) found.problem.hints.push_back({Message(Msg::einops_use_ellipsis), {}});
    return found;
  }
  spell_out(left, rank - named);
  spell_out(right, rank - named);
  const Axes from = left.axes(), to = right.axes();
  if (from.size() > max_rank || to.size() > max_rank || right.dims.size() > max_rank)
    return PatternProblem{limit(Msg::np_too_many_axes, {max_rank})};
  Sizes known(from, to);
  if (auto problem = known.give(given)) return problem;
  if (auto problem = known.check_open(left)) return problem;
  if (!sizes) return std::nullopt;
  for (int d = 0; d < rank; ++d)
    if (auto problem = known.fit(left.dims[static_cast<size_t>(d)], d, (*sizes)[d])) return problem;
  recipe.axes = known.words();

  const auto several = [](const Axes& dim) { return dim.size() != 1; };
  if (std::any_of(left.dims.begin(), left.dims.end(), several)) {
    recipe.split = Dims();
    for (const PatternAxis& axis : from) recipe.split->push_back(known.of(axis));
  }
  Axes order;
  for (size_t i = 0; i < to.size(); ++i)
    if (has_axis(from, to[i]))
      order.push_back(to[i]);
    else
      recipe.added.emplace_back(i, known.of(to[i]));
  recipe.rank = static_cast<int>(to.size());
  const auto kept = static_cast<int64_t>(order.size());
  for (const PatternAxis& axis : from)
    if (!has_axis(to, axis)) order.push_back(axis);
  for (auto d = kept; d < static_cast<int64_t>(order.size()); ++d) recipe.reduced.push_back(d);
  Dims moved;
  for (const PatternAxis& axis : order) moved.push_back(std::find(from.begin(), from.end(), axis) - from.begin());
  if (!std::is_sorted(moved.begin(), moved.end())) recipe.order = moved;
  if (std::any_of(right.dims.begin(), right.dims.end(), several)) {
    recipe.joined = Dims();
    for (const Axes& dim : right.dims) {
      const auto size = known.of(dim);
      if (!size) return PatternProblem{limit(Msg::beyond_int64)};
      recipe.joined->push_back(*size);
    }
  }
  return std::nullopt;
}

}  // namespace stridescope

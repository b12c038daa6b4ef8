// What functions written in Python ask of their arguments before a parser sees them.
#include <algorithm>

#include "ops/members.h"
#include "ops/number.h"
#include "ops/python/python.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

/// dropout compares its chance first.
std::optional<AskedError> chance_asked(const Value& p) {
  const auto* real = std::get_if<Float>(&p.held);
  if (!real || (*real >= 0 && *real <= 1)) return std::nullopt;
  return AskedError{"ValueError", "dropout probability has to be between 0 and 1, but got " + repr(*real),
                    Message{Msg::dropout_range, {repr(*real)}}, "p"};
}

/// Of a function that asks an argument for a member, which what was given has not.
std::optional<AskedError> member_asked(std::string_view function, std::string_view parameter, const Given& given) {
  struct Asked {
    std::string_view function, parameter, member;
  };
  static constexpr Asked all[] = {
      {"sigmoid", "input", "sigmoid"},
      {"tanh", "input", "tanh"},
      {"normalize", "input", "norm"},
      {"group_norm", "input", "dim"},
      {"embedding", "weight", "size"},
      {"adaptive_avg_pool2d", "input", "size"},
      {"adaptive_avg_pool3d", "input", "size"},
      {"adaptive_max_pool2d", "input", "size"},
      {"adaptive_max_pool3d", "input", "size"},
      {"softsign", "input", "abs"},
      {"tanhshrink", "input", "tanh"},
      {"glu", "input", "dim"},
      {"batch_norm", "input", "size"},
      {"zeros_", "tensor", "zero_"},
      {"ones_", "tensor", "fill_"},
      {"constant_", "tensor", "fill_"},
      {"uniform_", "tensor", "uniform_"},
      {"normal_", "tensor", "normal_"},
      {"trunc_normal_", "tensor", "uniform_"},
      {"xavier_uniform_", "tensor", "dim"},
      {"xavier_normal_", "tensor", "dim"},
  };
  const auto* one = std::find_if(std::begin(all), std::end(all), [&](const Asked& asked) {
    return function == asked.function && parameter == asked.parameter;
  });
  if (one == std::end(all)) return std::nullopt;
  // Only of a padding_idx that is not 0.
  if (one->parameter == "weight" && as_integer(given("padding_idx")).value_or(0) == 0) return std::nullopt;
  // Only of a batch whose own mean is taken.
  if (function == "batch_norm") {
    const Outcome trains = truth(given("training"));
    const auto* on = std::get_if<bool>(&trains.value.held);
    if (!on || !*on) return std::nullopt;
  }
  const Value value = given(parameter);
  // An array has a size that is a number.
  if (one->member == "size" && is_array(value)) return AskedError{"TypeError", "'int' object is not callable"};
  return AskedError{"AttributeError",
                    "'" + attribute_type(value) + "' object has no attribute '" + std::string(one->member) + "'"};
}

}  // namespace

std::optional<AskedError> truth_asked(const Value& value, const char* parameter) {
  const Outcome held = tensor_of(value) ? truth(value) : Outcome{Value{false}};
  if (!held.problem || !held.problem->raised || held.problem->raised->type != "RuntimeError") return std::nullopt;
  return AskedError{"RuntimeError", held.problem->raised->text, held.problem->reason, parameter};
}

std::optional<AskedError> groups_asked(int rank, const Value& groups) {
  if (rank < 2)
    return AskedError{"RuntimeError",
                      "Expected at least 2 dimensions for input tensor but received " + std::to_string(rank),
                      Message{Msg::needs_rank, {2, rank}}, "input"};
  if (as_integer(groups) == 0 && !tensor_of(groups))
    return AskedError{"ZeroDivisionError", "integer division or modulo by zero",
                      Message{Msg::at_least, {"num_groups", 1}}, "num_groups"};
  return truth_asked(groups, "num_groups");
}

std::optional<AskedError> torch_asked(const Form& form, const Arguments& arguments, std::string_view parameter) {
  const auto find = [&](std::string_view word) -> const Value* {
    for (const auto& [name, value] : arguments.named)
      if (name == word) return &value;
    for (size_t p = 0; p < form.parameters.size() && p < arguments.positional.size(); ++p)
      if (form.parameters[p].name == word) return &arguments.positional[p];
    return nullptr;
  };
  const Given given = [&](std::string_view word) {
    const Value* found = find(word);
    return found ? *found : Value{};
  };
  if (form.name.starts_with("einops.")) return pattern_asked(form.name, given, parameter);
  // A parser counts arguments before anything is asked.
  for (const Parameter& one : form.parameters)
    if (const Value* found = find(one.name);
        one.fallback.empty() && one.name != parameter &&
        (!found || (std::holds_alternative<None>(found->held) && !passes(Value{}, one.type))))
      return std::nullopt;
  constexpr std::string_view functional = "torch.nn.functional.", begun = "torch.nn.init.";
  const std::string_view function = std::string_view(form.name).substr(form.name.rfind('.') + 1);
  if (const auto loss = loss_asked(function, given, parameter)) return loss;
  if (!form.name.starts_with(functional) && !form.name.starts_with(begun)) return std::nullopt;
  if (function == "group_norm" && passes(given("input"), "tensor"))
    return groups_asked(tensor_of(given("input"))->layout.rank(), given("num_groups"));
  if (function == "hardtanh" && parameter == "input") {
    const auto bound = [&](std::string_view name, double otherwise) {
      return find(name) ? as_real(*find(name)) : std::optional(otherwise);
    };
    const auto low = bound("min_val", -1), high = bound("max_val", 1);
    if (low && high && *low > *high)
      return AskedError{"ValueError", "min_val cannot be greater than max_val",
                        Message{Msg::at_least, {"max_val", to_string(Value{*low})}}, "min_val"};
  }
  if (function == "dropout" && (parameter == "training" || parameter == "input")) return chance_asked(given("p"));
  return member_asked(function, parameter, given);
}

}  // namespace stridescope

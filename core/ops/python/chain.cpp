#include "ops/python/chain.h"

namespace stridescope {
namespace {

/// The same in brackets, where a dot behind it would belong to its last part alone.
std::string as_receiver(const std::string& code) {
  int inside = 0;
  for (const char c : code) {
    inside += c == '(' || c == '[';
    inside -= c == ')' || c == ']';
    if (c == ' ' && inside == 0) return "(" + code + ")";
  }
  return code;
}

/// An argument that is given by its name.
Arguments named_argument(const char* name, Value value) {
  return {{}, {{name, std::move(value)}}, {}, {}, {Written{}}};
}

}  // namespace

std::string inside(const Dims& dims) {
  std::string text;
  for (const int64_t one : dims) text += (text.empty() ? "" : ", ") + std::to_string(one);
  return text;
}

Value shape_of(const Tensor& tensor) {
  return tuple_of(tensor.layout.sizes, tensor.library == Library::torch ? Sequence::Kind::size : Sequence::Kind::tuple);
}

PatternProblem no_tensor(const Value& value) {
  PatternProblem found{python_error("RuntimeError",
                                    {"Tensor type unknown to einops <class '", attribute_type(value), "'>"},
                                    Msg::einops_no_tensor, {type_name(value)})};
  found.problem.raised->parser = std::holds_alternative<Symbol>(value.held);
  return found;
}

bool Interpreter::Chain::done(Result result, std::string shown) {
  if (!result) return false;
  value = std::move(*result);
  code = std::move(shown);
  in.step_->applied.back().title = code;
  return true;
}

bool Interpreter::Chain::method(std::string_view name, std::vector<Value> given, std::string_view written,
                                Arguments arguments) {
  given.insert(given.begin(), value);
  arguments.positional = std::move(given);
  const auto forms = find_forms(of_torch() ? Library::torch : Library::numpy, Form::Kind::method, name);
  return done(in.invoke(forms, arguments, at.span), Slots{as_receiver(code), ".", name, "(", written, ")"}.str());
}

bool Interpreter::Chain::function(std::string_view name, std::vector<Value> given, std::string_view written,
                                  Arguments arguments) {
  arguments.positional = std::move(given);
  const bool torch = of_torch();
  const auto forms = find_forms(torch ? Library::torch : Library::numpy, Form::Kind::function,
                                Slots{torch ? "torch." : "numpy.", name}.str());
  return done(in.invoke(forms, arguments, at.span), Slots{torch ? "torch." : "np.", name, "(", written, ")"}.str());
}

bool Interpreter::Chain::reshape(const Dims& sizes) {
  return method("reshape", {tuple_of(sizes, Sequence::Kind::list)}, sizes.empty() ? "()" : inside(sizes));
}

bool Interpreter::Chain::permute(const Dims& order) {
  return method(of_torch() ? "permute" : "transpose", {tuple_of(order, Sequence::Kind::list)}, inside(order));
}

bool Interpreter::Chain::reduce(const Value& reduction, const Dims& dims) {
  const auto* name = std::get_if<std::string>(&reduction.held);
  const std::string all = to_string(tuple_of(dims));
  if (!name) {
    const size_t before = in.step_->applied.size();
    Result result = in.call(reduction, {{value, tuple_of(dims)}, {}, {}, {}, {}}, at);
    if (!result) return false;
    value = std::move(*result);
    code = Slots{as_receiver(reducer), "(", code, ", ", all, ")"}.str();
    if (in.step_->applied.size() > before) in.step_->applied.back().title = code;
    return true;
  }
  if (!of_torch()) return method(*name, {}, "axis=" + all, named_argument("axis", tuple_of(dims)));
  if (*name == "any" || *name == "all" || *name == "prod") {
    for (int i = dims.size() - 1; i >= 0; --i)
      if (!method(*name, {}, Slots{"dim=", dims[i]}.str(), named_argument("dim", Value{dims[i]}))) return false;
    return true;
  }
  const std::string_view called = *name == "min" ? "amin" : *name == "max" ? "amax" : std::string_view(*name);
  return method(called, {}, "dim=" + all, named_argument("dim", tuple_of(dims)));
}

bool Interpreter::Chain::add(const std::vector<std::pair<int64_t, int64_t>>& added, int rank) {
  Dims repeats = Dims::filled(rank, of_torch() ? -1 : 1);
  const auto one_more = [&](int64_t place) {
    return of_torch() ? method("unsqueeze", {Value{place}}, std::to_string(place))
                      : function("expand_dims", {value, Value{place}}, Slots{code, ", ", place}.str());
  };
  for (const auto& [place, size] : added) {
    if (!one_more(place)) return false;
    repeats[static_cast<int>(place)] = size;
  }
  return of_torch()
             ? method("expand", {tuple_of(repeats, Sequence::Kind::list)}, inside(repeats))
             : function("tile", {value, tuple_of(repeats)}, Slots{code, ", ", to_string(tuple_of(repeats))}.str());
}

bool Interpreter::Chain::follow(const Recipe& recipe, const Value& reduction) {
  if (recipe.split && !reshape(*recipe.split)) return false;
  if (recipe.order && !permute(*recipe.order)) return false;
  if (!recipe.reduced.empty() && !reduce(reduction, recipe.reduced)) return false;
  if (!recipe.added.empty() && !add(recipe.added, recipe.rank)) return false;
  return !recipe.joined || reshape(*recipe.joined);
}

}  // namespace stridescope

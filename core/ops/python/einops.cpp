// Functions of einops: what a pattern asks for, as calls of PyTorch's or NumPy's, each told as the code it stands for.
#include <algorithm>

#include "ops/explanation.h"
#include "ops/python/chain.h"
#include "ops/python/dictionary.h"
#include "ops/python/text.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {
namespace {

/// The sizes that keywords give; nothing where one is no integer.
std::optional<std::vector<GivenSize>> given_sizes(const Arguments& arguments) {
  std::vector<GivenSize> given;
  for (const auto& [name, value] : arguments.named) {
    const auto size = given_size(name, value);
    if (!size) return std::nullopt;
    given.push_back(*size);
  }
  return given;
}

/// A pattern with names as einsum writes it, with a letter for each.
std::optional<PatternProblem> letters_for(const std::string& pattern, std::string& letters) {
  const auto unsure = [](const char* type, std::string_view text, Span at) {
    return PatternProblem{python_error(type, {text}, Msg::einops_einsum_names), at};
  };
  const size_t arrow = pattern.find("->");
  if (arrow == pattern.npos) return unsure("ValueError", "Einsum pattern must contain '->'.", {});
  if (pattern.find("->", arrow + 2) != pattern.npos)
    return PatternProblem{python_error("ValueError", "too many values to unpack (expected 2)", Msg::einops_arrow)};
  std::vector<PatternSide> sides;
  for (size_t from = 0; from != pattern.npos;) {
    const bool right = from > arrow;
    const size_t comma = right ? pattern.npos : pattern.find(',', from),
                 end = right ? pattern.size() : std::min(comma, arrow);
    sides.emplace_back();
    if (auto problem = read_side(std::string_view(pattern).substr(from, end - from), static_cast<int32_t>(from),
                                 sides.back(), {.underscore = true, .twice = !right}))
      return problem;
    from = right ? pattern.npos : end == arrow ? arrow + 2 : end + 1;
  }
  std::vector<std::string_view> names;
  for (const PatternSide& side : sides) {
    const bool right = &side == &sides.back();
    if (&side != &sides.front()) letters += right ? "->" : ",";
    for (const auto& dim : side.dims) {
      const Span at = dim.empty() ? Span{} : dim.front().at;
      if (dim.size() == 1 && is_ellipsis(dim[0])) {
        letters += "...";
        continue;
      }
      if (dim.empty()) return unsure("NotImplementedError", "Singleton () axes are not yet supported in einsum.", at);
      if (dim.size() > 1)
        return unsure("NotImplementedError", "Shape rearrangement is not yet supported in einsum.", at);
      if (dim[0].size > 0) return unsure("NotImplementedError", "Anonymous axes are not yet supported in einsum.", at);
      const auto known = std::find(names.begin(), names.end(), dim[0].name);
      const auto place = static_cast<int>(known - names.begin());
      if (known == names.end() && right)
        return einops_error({"Unknown axis ", dim[0].name, " on right side of einsum ", pattern, "."}, Msg::einops_new,
                            {dim[0].name}, at);
      if (place == 52) return unsure("RuntimeError", "Too many axes in einsum.", at);
      if (known == names.end()) names.push_back(dim[0].name);
      letters += static_cast<char>(place < 26 ? 'a' + place : 'A' + place - 26);
    }
  }
  return std::nullopt;
}

/// The keywords as Python prints a dictionary of them.
std::string keywords_text(const std::vector<std::pair<std::string, Value>>& named) {
  std::string text;
  for (const auto& [name, value] : named)
    text += (text.empty() ? "" : ", ") + quoted(name) + ": " + python_repr(value).value_or("..");
  return "{" + text + "}";
}

}  // namespace

/// The function's own part of a statement: what it was given, and what it says of that.
void Interpreter::einops_call(const Form& form, const Arguments& arguments, const Expr& at) {
  Applied own;
  own.span = at.span;
  own.title = title(at.span);
  own.op = form.op;
  for (const Value& value : arguments.positional) collect_tensors(value, own.inputs);
  step_->applied.push_back(std::move(own));
}

/// The code of an argument, or what stands for it where the program does not write it out.
std::string Interpreter::written_as(const Arguments& arguments, size_t place, const char* otherwise) const {
  const Span span = place < arguments.written.size() ? arguments.written[place].span : Span{};
  return span == Span{} ? otherwise : title(span);
}

/// What is wrong with a pattern, marked where the program has it.
Interpreter::Result Interpreter::misread(size_t self, PatternProblem found, const Arguments& arguments,
                                         size_t pattern) {
  Applied& own = step_->applied[self];
  Diagnostic& problem = found.problem;
  const Span whole = pattern < arguments.written.size() ? arguments.written[pattern].span : Span{};
  const auto* text = std::get_if<std::string>(&arguments.positional[pattern].held);
  const auto begin = static_cast<size_t>(whole.begin) + 1;
  if (problem.span == Span{}) problem.span = whole;
  // A literal without escapes is the pattern between two quotes.
  if (text && whole.end - whole.begin == static_cast<int32_t>(text->size()) + 2 &&
      source_.substr(begin, text->size()) == *text && !(found.at == Span{}))
    problem.span = {whole.begin + 1 + found.at.begin, whole.begin + 1 + found.at.end};
  if (problem.span == Span{}) problem.span = own.span;
  own.error = std::move(problem);
  complete_hints(own, source_);
  return fail(*own.error, own.span);
}

/// Which calls a recipe comes to, and the sizes of its axes.
void Interpreter::tell_recipe(size_t self, const Recipe& recipe, const Chain& chain, std::string_view method,
                              bool stacked) {
  const bool torch = chain.of_torch();
  std::string told = stacked ? "stack" : "";
  const auto tell = [&](bool needed, std::string_view call) {
    if (needed) told += Slots{told.empty() ? "" : ", ", call}.str();
  };
  tell(recipe.split.has_value(), "reshape");
  tell(recipe.order.has_value(), torch ? "permute" : "transpose");
  tell(!recipe.reduced.empty(), method);
  tell(!recipe.added.empty(), torch ? "expand" : "tile");
  tell(recipe.joined.has_value(), "reshape");
  Applied& own = step_->applied[self];
  own.why.lines.push_back(told.empty() ? Message(Msg::einops_nothing) : Message(Msg::einops_calls, {told}));
  if (!recipe.axes.empty()) own.why.lines.push_back(Message(Msg::einops_axes, {recipe.axes}));
  if (!told.empty()) return;
  own.relation = Relation::same;
  own.result = frozen(chain.value);
}

/// rearrange, reduce and repeat
Interpreter::Result Interpreter::rearranged(const Form& form, const Arguments& arguments, const Expr& at) {
  const std::string_view name = std::string_view(form.name).substr(7);
  const Value reduction = name == "reduce" ? arguments.positional[2] : Value{std::string(name)};
  const auto& pattern = std::get<std::string>(arguments.positional[1].held);
  const auto* method = std::get_if<std::string>(&reduction.held);
  const auto given = given_sizes(arguments);
  if (!given || !(method || is_callable(reduction)))
    return fail(limit(Msg::not_modelled, {"einops", title(at.span)}), at.span);

  const size_t self = step_->applied.size();
  einops_call(form, arguments, at);
  Chain chain{*this, at, arguments.positional[0], written_as(arguments, 0, "tensor")};
  chain.reducer = written_as(arguments, 2, "f");
  const auto* list = std::get_if<Sequence>(&chain.value.held);
  const bool listed = list && list->kind == Sequence::Kind::list;
  if (listed && list->items->empty())
    return misread(self,
                   {python_error("TypeError", "Rearrange/Reduce/Repeat can't be applied to an empty list",
                                 Msg::einops_empty_list)},
                   arguments, 0);
  const Value& sample = listed ? list->items->front() : chain.value;
  if (!tensor_of(sample)) return misread(self, no_tensor(sample), arguments, 0);
  if (listed) {
    const Value all = chain.value;
    const std::string code = chain.code;
    chain.value = sample;
    if (!chain.function("stack", {all}, code)) return std::nullopt;
  }
  const TensorPtr tensor = tensor_of(chain.value);
  Recipe recipe;
  const Rearrangement operation = method ? rearrangement(*method) : Rearrangement::reduce;
  if (auto found = plan(pattern, operation, method ? *method : "", *given, &tensor->layout.sizes, recipe)) {
    if (found->problem.raised && found->problem.raised->type == "EinopsError") {
      auto& raised = *found->problem.raised;
      raised.parser = raised.parser || !method;
      raised.text = Slots{" Error while processing ",
                          method ? *method : "",
                          "-reduction pattern \"",
                          pattern,
                          "\".\n Input tensor shape: ",
                          to_string(shape_of(*tensor), SIZE_MAX),
                          ". Additional info: ",
                          keywords_text(arguments.named),
                          ".\n ",
                          raised.text}
                        .str();
    }
    return misread(self, std::move(*found), arguments, 1);
  }
  const bool means = method && *method == "mean" && !recipe.reduced.empty();
  if (means && !is_floating(tensor->dtype))
    return misread(self,
                   {python_error("NotImplementedError", "reduce_mean is not available for non-floating tensors",
                                 Msg::einops_mean, {stridescope::name(tensor->dtype)})},
                   arguments, 0);
  tell_recipe(self, recipe, chain, method ? *method : chain.reducer, listed);
  return chain.follow(recipe, reduction) ? Result(chain.value) : std::nullopt;
}

/// What a layer of einops does when it is called: it was told the pattern before, so errors are not told anew.
Interpreter::Result Interpreter::run_layer(const Object& module, const Value& input, std::vector<Written> written,
                                           const Expr& at, const std::string& path) {
  const bool reduces = built_in(*module.type).row->name == "Reduce";
  const auto* pattern = std::get_if<std::string>(&held_by(module, "pattern").held);
  const Value method{reduces ? held_by(module, "reduction") : Value{std::string("rearrange")}};
  const auto* name = std::get_if<std::string>(&method.held);
  const Dictionary* const sizes = dictionary_in(held_by(module, "axes_lengths"));
  std::vector<GivenSize> given;
  for (size_t i = 0; sizes && i < sizes->items->keys.size(); ++i)
    if (const auto* word = std::get_if<std::string>(&sizes->items->keys[i].held))
      if (const auto size = given_size(*word, sizes->items->values[i])) given.push_back(*size);
  if (!pattern || !name || !is_of_torch(input) || !sizes || given.size() != sizes->items->keys.size())
    return fail(limit(Msg::not_modelled, {"einops", title(at.span)}), at.span);
  const Form& form =
      *find_forms(Library::torch, Form::Kind::function, class_path_of(*built_in(*module.type).row)).front();
  const size_t self = step_->applied.size();
  const Arguments handed{{input}, {}, {}, std::move(written), {}};
  einops_call(form, handed, at);
  if (!path.empty()) step_->applied[self].title += " " + path + " " + std::string(built_in(*module.type).row->name);
  const TensorPtr tensor = tensor_of(input);
  const int rank = tensor->layout.rank();
  const auto [named, more] = rank_of(*pattern);
  if (more ? rank < named || rank > named + 7 : rank != named)
    return misread(self, {python_error("KeyError", {rank}, Msg::einops_rank, {named, rank})}, handed, 0);
  Recipe recipe;
  const Rearrangement operation = rearrangement(*name);
  if (auto found = plan(*pattern, operation, *name, given, &tensor->layout.sizes, recipe))
    return misread(self, {std::move(found->problem)}, handed, 0);
  if (!recipe.reduced.empty() && (*name == "any" || *name == "all"))
    return misread(self,
                   {python_error("NotImplementedError", {"('Unknown reduction ', '", *name, "')"},
                                 Msg::einops_reduction, {*name})},
                   handed, 0);
  Chain chain{*this, at, input, path.empty() ? written_as(handed, 0, "input") : "input"};
  tell_recipe(self, recipe, chain, *name, false);
  return chain.follow(recipe, method) ? Result(chain.value) : std::nullopt;
}

Interpreter::Result Interpreter::einops_einsum(const Form& form, const Arguments& arguments, const Expr& at) {
  const std::vector<Value>& given = arguments.positional;
  const size_t self = step_->applied.size(), last = given.size() - 1;
  einops_call(form, arguments, at);
  if (given.size() < 2)
    return misread(self,
                   {python_error("ValueError",
                                 "`einops.einsum` takes at minimum two arguments: the tensors (at least one), followed "
                                 "by the pattern.",
                                 Msg::einops_einsum_order)},
                   arguments, 0);
  const auto* pattern = std::get_if<std::string>(&given.back().held);
  if (!pattern)
    return misread(self,
                   {python_error("ValueError",
                                 "The last argument passed to `einops.einsum` must be a string, representing the "
                                 "einsum pattern.",
                                 Msg::einops_einsum_order)},
                   arguments, last);
  std::string letters;
  if (auto found = letters_for(*pattern, letters)) return misread(self, std::move(*found), arguments, last);
  if (!tensor_of(given[0])) return misread(self, no_tensor(given[0]), arguments, 0);
  step_->applied[self].why.lines.push_back(Message(Msg::einops_einsum_letters, {letters}));
  Chain chain{*this, at, given[0]};
  std::vector<Value> handed{Value{letters}};
  handed.insert(handed.end(), given.begin(), given.end() - 1);
  std::string code = quoted(letters);
  for (size_t i = 0; i < last; ++i) code += ", " + written_as(arguments, i, "..");
  return chain.function("einsum", std::move(handed), code) ? Result(chain.value) : std::nullopt;
}

Interpreter::Result Interpreter::as_numpy(const Form& form, const Arguments& arguments, const Expr& at) {
  const size_t self = step_->applied.size();
  einops_call(form, arguments, at);
  const Value& given = arguments.positional[0];
  if (!tensor_of(given)) return misread(self, no_tensor(given), arguments, 0);
  Chain chain{*this, at, given, written_as(arguments, 0, "tensor")};
  if (!chain.of_torch()) {
    step_->applied[self].why.lines.push_back(Message(Msg::einops_nothing));
    step_->applied[self].relation = Relation::same;
    step_->applied[self].result = frozen(given);
    return given;
  }
  step_->applied[self].why.lines.push_back(Message(Msg::einops_calls, {"detach, cpu, numpy"}));
  for (const std::string_view name : {"detach", "cpu", "numpy"})
    if (!chain.method(name, {}, "")) return std::nullopt;
  return chain.value;
}

Interpreter::Result Interpreter::einops(const Form& form, const Arguments& arguments, const Expr& at) {
  const std::string_view name = std::string_view(form.name).substr(form.name.rfind('.') + 1);
  if (name == "einsum") return einops_einsum(form, arguments, at);
  if (name == "pack") return packed(form, arguments, at);
  if (name == "unpack") return unpacked(form, arguments, at);
  if (name == "parse_shape") return parsed_shape(form, arguments, at);
  if (name == "asnumpy") return as_numpy(form, arguments, at);
  return rearranged(form, arguments, at);
}

}  // namespace stridescope

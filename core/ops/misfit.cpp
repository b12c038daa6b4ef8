#include "ops/misfit.h"

#include <algorithm>

#include "ops/call.h"

namespace stridescope {

std::string plain_name(const Form& form) {
  const size_t dot = form.name.rfind('.');
  return dot == std::string::npos ? form.name : form.name.substr(dot + 1);
}

namespace {

/// PyTorch's word for what a parameter takes.
std::string_view torch_type(const Parameter& parameter) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"tensor", "Tensor"},     {"tensors", "tuple of Tensors"},   {"ints", "tuple of ints"}, {"number", "Number"},
      {"dtype", "torch.dtype"}, {"format", "torch.memory_format"}, {"device", "torch.device"}};
  for (const auto& [type, word] : words)
    if (parameter.takes({type})) return word;
  return parameter.variadic && parameter.type == "int" ? "tuple of ints" : parameter.type;
}

/// Whether it is a class of torch.nn.
bool is_class(const Form& form) {
  return form.name.starts_with("torch.nn.") && plain_name(form)[0] >= 'A' && plain_name(form)[0] <= 'Z';
}

/// Whether Python itself counts the arguments: NumPy's functions, PyTorch's modules and those functions that are
/// written in Python.
bool is_of_python(const Form& form) {
  constexpr std::string_view compiled[] = {"avg_pool",
                                           "bilinear",
                                           "channel_shuffle",
                                           "conv",
                                           "cosine_similarity",
                                           "gelu",
                                           "hardshrink",
                                           "linear",
                                           "logsigmoid",
                                           "one_hot",
                                           "pairwise_distance",
                                           "pixel_",
                                           "prelu",
                                           "scaled_dot_product_attention",
                                           "softplus",
                                           "softshrink"},
                             written[] = {"atleast_",
                                          "block_diag",
                                          "broadcast_shapes",
                                          "broadcast_tensors",
                                          "cartesian_prod",
                                          "einsum",
                                          "is_tensor",
                                          "manual_seed",
                                          "meshgrid",
                                          "norm",
                                          "split",
                                          "tensordot",
                                          "unflatten",
                                          "unique",
                                          "unravel_index"};
  const std::string function = plain_name(form);
  const auto begins = [&](std::string_view name) { return function.starts_with(name); };
  if (form.op->library == Library::numpy) return form.kind == Form::Kind::function;
  if (form.name.starts_with("torch.nn.functional."))
    return std::none_of(std::begin(compiled), std::end(compiled), begins);
  return is_class(form) || std::any_of(std::begin(written), std::end(written), begins);
}

/// "'a'", "'a' and 'b'", "'a', 'b', and 'c'"
std::string in_quotes(const std::vector<std::string_view>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : names.size() > 2 ? ", and " : " and ";
    text += "'" + std::string(names[i]) + "'";
  }
  return text;
}

}  // namespace

std::string missing_text(const Form& form, const std::vector<std::optional<Value>>& values, size_t p) {
  std::vector<std::string_view> names;
  for (size_t q = p; q < form.parameters.size(); ++q)
    if (form.parameters[q].fallback.empty() && !values[q]) names.push_back(form.parameters[q].name);
  const std::string count = std::to_string(names.size()), function = plain_name(form);
  if (is_of_python(form))
    return function + (is_class(form) ? ".__init__" : "") + "() missing " + count + " required positional argument" +
           (names.size() == 1 ? ": " : "s: ") + in_quotes(names);
  // PyTorch means it the other way round where it says "arguments".
  std::string text =
      function + "() missing " + count + " required positional argument" + (names.size() == 1 ? "s: " : ": ");
  for (const std::string_view name : names) text += (name == names[0] ? "\"" : ", \"") + std::string(name) + "\"";
  return text;
}

std::string too_many_text(const Form& form, int64_t most, int64_t got) {
  const bool method = form.op->library == Library::torch && form.kind == Form::Kind::method;
  const auto& parameters = form.parameters;
  const int64_t least =
      std::count_if(parameters.begin(), parameters.end(),
                    [](const Parameter& one) { return one.fallback.empty() && !one.keyword_only && !one.variadic; }) -
      (method ? 1 : 0);
  return plain_name(form) + "() takes " + (least < most ? "from " + std::to_string(least) + " to " : "") +
         std::to_string(most) + " positional argument" + (most == 1 ? "" : "s") + " but " + std::to_string(got) +
         (got == 1 ? " was" : " were") + " given";
}

std::string misfit_text(const Form& form, size_t p, const Arguments& arguments, const Value& given,
                        std::optional<size_t> item) {
  const Parameter& parameter = form.parameters[p];
  const std::string function = plain_name(form);
  if (form.op->library == Library::numpy)
    return function + "(): argument '" + std::string(parameter.name) + "' must be " + std::string(parameter.type) +
           ", not " + type_name(given);
  const auto& positional = arguments.positional;
  if ((form.kind == Form::Kind::binary || form.kind == Form::Kind::in_place) && positional.size() == 2)
    return operands_text(form.name, positional[0], positional[1]);
  const bool method = form.kind == Form::Kind::method, placed = p < positional.size();
  const size_t place = p + (method ? 0 : 1);
  const auto* list = std::get_if<Sequence>(&given.held);
  const std::string what = function + "(): argument '" + std::string(parameter.name) + "'",
                    at = placed ? " (position " + std::to_string(place) + ")" : "";
  if (list && item && parameter.takes({"tensors", "tensor"}))
    return "expected Tensor as element " + std::to_string(*item) + " in argument " + std::to_string(place - 1) +
           ", but got " + attribute_type((*list->items)[*item]);
  if (list && item && *item == 0)
    return what + at + " must be " + std::string(torch_type(parameter)) + ", but found element of type " +
           attribute_type((*list->items)[0]) + " at pos 0";
  if (list && item)
    return what + " failed to unpack the object at pos " + std::to_string(*item + 1) +
           " with error \"type must be tuple of ints,but got " + attribute_type((*list->items)[*item]) + "\"";
  return what + at + " must be " + std::string(torch_type(parameter)) + ", not " + attribute_type(given);
}

std::string operands_text(std::string_view op, const Value& a, const Value& b) {
  const std::string left = attribute_type(a), right = attribute_type(b);
  if (op == "+" && (left == "list" || left == "tuple" || left == "str"))
    return "can only concatenate " + left + " (not \"" + right + "\") to " + left;
  if (op == "<" || op == ">" || op == "<=" || op == ">=")
    return "'" + std::string(op) + "' not supported between instances of '" + left + "' and '" + right + "'";
  return "unsupported operand type(s) for " + std::string(op) + (op == "**" ? " or pow()" : "") + ": '" + left +
         "' and '" + right + "'";
}

}  // namespace stridescope

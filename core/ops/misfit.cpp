#include "ops/misfit.h"

#include <algorithm>

#include "ops/call.h"

namespace stridescope {

std::string plain_name(const Form& form) {
  const size_t dot = form.name.rfind('.');
  return dot == std::string::npos ? form.name : form.name.substr(dot + 1);
}

namespace {

/// PyTorch's word for a type of a signature: of alternatives that of the first here.
std::string_view torch_type(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"tensor", "Tensor"},     {"tensors", "tuple of Tensors"},   {"ints", "tuple of ints"}, {"number", "Number"},
      {"dtype", "torch.dtype"}, {"format", "torch.memory_format"}, {"device", "torch.device"}};
  Parameter asked;
  asked.type = type;
  for (const auto& [name, word] : words)
    if (asked.takes({name})) return word;
  return type;
}

/// Whether it is a class of torch.nn.
bool is_class(const Form& form) {
  return form.name.starts_with("torch.nn.") && plain_name(form)[0] >= 'A' && plain_name(form)[0] <= 'Z';
}

/// Whether Python itself counts the arguments: NumPy's functions, PyTorch's modules and those functions that are
/// written in Python.
bool is_of_python(const Form& form) {
  constexpr std::string_view compiled =
      " avg_pool1d avg_pool2d channel_shuffle conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
      "cosine_similarity gelu hardshrink linear logsigmoid one_hot pairwise_distance pixel_shuffle pixel_unshuffle "
      "prelu "
      "scaled_dot_product_attention softplus softshrink ";
  constexpr std::string_view written =
      " atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod einsum is_tensor "
      "manual_seed meshgrid norm split tensordot unflatten unique unique_consecutive unravel_index ";
  const auto is_among = [word = " " + plain_name(form) + " "](std::string_view names) {
    return names.find(word) != std::string_view::npos;
  };
  if (form.op->library == Library::numpy) return form.kind == Form::Kind::function;
  if (form.name.starts_with("torch.nn.functional.")) return !is_among(compiled);
  return is_class(form) || is_among(written);
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

std::string missing_text(const Form& form, std::span<const Bound::Given> given, size_t p) {
  std::vector<std::string_view> names;
  for (size_t q = p; q < form.parameters.size(); ++q)
    if (form.parameters[q].fallback.empty() && !given[q].value) names.push_back(form.parameters[q].name);
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

std::string type_text(const Form& form, std::string_view parameter, std::optional<size_t> place,
                      std::string_view wanted, const Value& given) {
  const bool torch = form.op->library == Library::torch;
  return plain_name(form) + "(): argument '" + std::string(parameter) + "'" +
         (place ? " (position " + std::to_string(*place) + ")" : "") + " must be " +
         std::string(torch ? torch_type(wanted) : wanted) + ", not " +
         (torch ? attribute_type(given) : type_name(given));
}

std::string misfit_text(const Form& form, size_t p, const Arguments& arguments, const Value& given,
                        std::optional<size_t> item) {
  const Parameter& parameter = form.parameters[p];
  const auto& positional = arguments.positional;
  if (form.op->library == Library::numpy) return type_text(form, parameter.name, {}, parameter.type, given);
  const size_t place = p + (form.kind == Form::Kind::method ? 0 : 1);
  const auto counted = p < positional.size() ? std::optional(place) : std::nullopt;
  const std::string_view wanted = parameter.variadic && parameter.type == "int" ? "ints" : parameter.type;
  const auto* list = std::get_if<Sequence>(&given.held);
  if (!list || !item) return type_text(form, parameter.name, counted, wanted, given);
  const std::string of_item = attribute_type((*list->items)[*item]);
  if (parameter.takes({"tensors", "tensor"}))
    return "expected Tensor as element " + std::to_string(*item) + " in argument " + std::to_string(place - 1) +
           ", but got " + of_item;
  const std::string what = plain_name(form) + "(): argument '" + std::string(parameter.name) + "'";
  if (*item == 0)
    return what + (counted ? " (position " + std::to_string(place) + ")" : "") + " must be " +
           std::string(torch_type(wanted)) + ", but found element of type " + of_item + " at pos 0";
  return what + " failed to unpack the object at pos " + std::to_string(*item + 1) +
         " with error \"type must be tuple of ints,but got " + of_item + "\"";
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

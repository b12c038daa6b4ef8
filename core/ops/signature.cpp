// Signatures as written, read into forms.
#include <algorithm>

#include "ops/op.h"

namespace stridescope {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Cuts `text` at the first `mark`; all of it and nothing where there is none.
std::pair<std::string_view, std::string_view> cut(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return {trimmed(text), {}};
  return {trimmed(text.substr(0, at)), trimmed(text.substr(at + mark.size()))};
}

/// "dim: int = -1", "*dims: int", "**kwargs", "order='C'"
Parameter parse_parameter(std::string_view text) {
  Parameter parameter;
  parameter.variadic = text.starts_with('*');
  parameter.keyword_only = text.starts_with("**");
  text.remove_prefix(text.find_first_not_of('*'));
  const auto [declared, fallback] = cut(text, "=");
  const auto [name, type] = cut(declared, ":");
  parameter.name = name;
  parameter.type = type;
  parameter.fallback = fallback;
  return parameter;
}

void parse_parameters(std::string_view list, std::vector<Parameter>& parameters) {
  bool keyword_only = false;
  while (!list.empty()) {
    int depth = 0;
    size_t end = 0;
    for (; end < list.size() && (depth > 0 || list[end] != ','); ++end) {
      if (list[end] == '(') ++depth;
      if (list[end] == ')') --depth;
    }
    const std::string_view text = trimmed(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end + 1));
    if (text == "*") {
      keyword_only = true;
      continue;
    }
    if (text == "/") {
      for (Parameter& before : parameters) before.positional_only = true;
      continue;
    }
    Parameter parameter = parse_parameter(text);
    parameter.keyword_only |= keyword_only;
    keyword_only |= parameter.variadic;
    parameters.push_back(parameter);
  }
}

/// "a + b", "-a", "a += b": the words are operands.
Form parse_operator(Form form) {
  const auto [left, rest] = cut(form.text, " ");
  if (rest.empty()) {
    form.kind = Form::Kind::prefix;
    form.name = std::string(form.text.substr(0, 1));
    form.parameters = {{.name = form.text.substr(1)}};
    return form;
  }
  const auto [name, right] = cut(rest, " ");
  form.kind = name.size() > 1 && name.ends_with('=') && name != "==" && name != "!=" && name != "<=" && name != ">="
                  ? Form::Kind::in_place
                  : Form::Kind::binary;
  form.name = std::string(form.kind == Form::Kind::in_place ? name.substr(0, name.size() - 1) : name);
  form.parameters = {{.name = left}, {.name = right}};
  return form;
}

}  // namespace

bool has_receiver(Form::Kind kind) {
  return kind == Form::Kind::method || kind == Form::Kind::attribute || kind == Form::Kind::setter ||
         kind == Form::Kind::subscript || kind == Form::Kind::store;
}

Span span_in_text(const Form& form, size_t parameter) {
  const Parameter& at = form.parameters[parameter];
  const std::string_view last = !at.fallback.empty() ? at.fallback : !at.type.empty() ? at.type : at.name;
  const auto begin = at.name.data() - form.text.data(), end = last.data() + last.size() - form.text.data();
  const int stars = !at.variadic ? 0 : at.keyword_only ? 2 : 1;
  return {static_cast<int32_t>(begin - stars), static_cast<int32_t>(end)};
}

Form parse_signature(const Op& op, std::string_view text) {
  Form form{.op = &op, .text = text};
  const size_t dot = text.find('.'), bracket = text.find('[');
  const bool receiver = dot == 1 || bracket == 1;
  if (!receiver && dot == std::string_view::npos) return parse_operator(std::move(form));
  if (receiver) form.parameters = {{.name = text.substr(0, 1)}};

  // The path ends where the arguments, the key or the assigned value begin; an empty pair inside it belongs to it.
  std::string_view rest = text.substr(receiver ? 1 : 0);
  if (rest.starts_with('.')) rest.remove_prefix(1);
  size_t end = 0;
  for (; end < rest.size() && rest[end] != '[' && rest[end] != ' '; ++end) {
    if (rest[end] != '(') {
      form.name += rest[end];
      continue;
    }
    const std::string_view behind = rest.substr(end);
    if (!behind.starts_with("().") && !behind.starts_with("()[")) break;
    ++end;
  }
  if (form.name.starts_with("np.")) form.name.replace(0, 2, "numpy");
  rest.remove_prefix(end);
  if (rest.starts_with('[')) {
    const auto [key, value] = cut(rest.substr(1), "]");
    form.name += "[]";
    if (!receiver) form.parameters.push_back({.name = text.substr(0, bracket)});  // np.s_ itself is what is subscripted
    form.kind = value.empty() ? Form::Kind::subscript : Form::Kind::store;
    form.parameters.push_back({.name = key});
    if (!value.empty()) form.parameters.push_back({.name = trimmed(value.substr(1))});
  } else if (rest.starts_with('(')) {
    form.kind = receiver ? Form::Kind::method : Form::Kind::function;
    parse_parameters(rest.substr(1, rest.rfind(')') - 1), form.parameters);
  } else {
    const std::string_view value = cut(rest, "=").second;
    form.kind = value.empty() ? Form::Kind::attribute : Form::Kind::setter;
    if (!value.empty()) form.parameters.push_back({.name = value});
  }
  return form;
}

}  // namespace stridescope

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

/// "dim: int = -1", "*dims: int", "order='C'"
Parameter parse_parameter(std::string_view text) {
  Parameter parameter;
  if (text.starts_with('*')) {
    parameter.variadic = true;
    text.remove_prefix(1);
  }
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
      if (list[end] == '(' || list[end] == '[') ++depth;
      if (list[end] == ')' || list[end] == ']') --depth;
    }
    const std::string_view text = trimmed(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end + 1));
    if (text == "*") {
      keyword_only = true;
      continue;
    }
    Parameter parameter = parse_parameter(text);
    parameter.keyword_only = keyword_only;
    keyword_only |= parameter.variadic;
    parameters.push_back(parameter);
  }
}

bool is_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
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
  form.kind = name.size() > 1 && name.ends_with('=') && name != "==" && name != "!=" && name != "<=" && name != ">=" ? Form::Kind::in_place : Form::Kind::binary;
  form.name = std::string(form.kind == Form::Kind::in_place ? name.substr(0, name.size() - 1) : name);
  form.parameters = {{.name = left}, {.name = right}};
  return form;
}

}  // namespace

Form parse_signature(const Op& op, std::string_view text) {
  Form form{.op = &op, .text = text};
  const size_t bracket = text.find('['), dot = text.find('.'), parenthesis = text.find('(');
  const Parameter self{.name = "x"};
  if (bracket == 1) {
    form.name = "[]";
    form.kind = text.find('=') == std::string_view::npos ? Form::Kind::subscript : Form::Kind::store;
    form.parameters = {self, {.name = "key"}};
    if (form.kind == Form::Kind::store) form.parameters.push_back({.name = "value"});
    return form;
  }
  if (dot == std::string_view::npos || (parenthesis == std::string_view::npos && text.find(' ') != std::string_view::npos && dot != 1))
    return parse_operator(form);
  if (parenthesis == std::string_view::npos) {
    const auto [name, value] = cut(text.substr(dot + 1), "=");
    form.name = std::string(name);
    form.kind = value.empty() ? Form::Kind::attribute : Form::Kind::setter;
    form.parameters = {self};
    if (!value.empty()) form.parameters.push_back({.name = value});
    return form;
  }
  const bool method = dot == 1 && is_word(text.substr(0, 1));
  form.kind = method ? Form::Kind::method : Form::Kind::function;
  form.name = std::string(method ? text.substr(2, parenthesis - 2) : text.substr(0, parenthesis));
  if (form.name.starts_with("np.")) form.name.replace(0, 2, "numpy");
  if (method) form.parameters = {self};
  parse_parameters(text.substr(parenthesis + 1, text.rfind(')') - parenthesis - 1), form.parameters);
  return form;
}

}  // namespace stridescope

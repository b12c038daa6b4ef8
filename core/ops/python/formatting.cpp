// Text made from a format, "..".format(..), and its fields, which f-strings and ".." % values share.
#include <algorithm>
#include <charconv>

#include "lang/utf8.h"
#include "ops/python/interpreter.h"
#include "ops/python/text.h"

namespace stridescope {

/// A value as a field writes it: converted as "r", "s" or "a" says, then in its format.
Outcome formatted_field(const Value& value, std::string_view conversion, std::string_view spec) {
  Outcome text = conversion == "s"   ? text_or_limit(python_str(value), "str", value)
                 : conversion == "r" ? text_or_limit(python_repr(value), "repr", value)
                 : conversion == "a" ? text_or_limit(python_ascii(value), "ascii", value)
                                     : Outcome(value);
  return text.problem ? text : python_format(text.value, spec);
}

std::optional<std::string> python_field(const Value& value) {
  const TensorPtr tensor = tensor_of(value);
  const bool number = tensor ? tensor->library == Library::torch && tensor->layout.rank() == 0
                             : std::holds_alternative<NumpyScalar>(value.held);
  if (!number) return python_str(value);
  const Outcome text = python_format(value, "");
  const auto* held = std::get_if<std::string>(&text.value.held);
  return text.problem || !held ? std::nullopt : std::optional(*held);
}

Diagnostic broken_format(std::string_view format, const Slots& text) {
  return python_error("ValueError", text, Msg::format_broken, {format});
}

std::optional<int64_t> place_in(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  int64_t place = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), place);
  return read.ec == std::errc{} ? place : -1;
}

namespace {

constexpr size_t npos = std::string_view::npos;

/// Where the field ends whose contents begin at `at`, and its parts.  Source: CPython's
/// Objects/stringlib/unicode_format.h
struct FormatField {
  std::string_view name, conversion, spec;
};

std::optional<Diagnostic> read_field(std::string_view text, size_t& at, FormatField& field) {
  const size_t begin = at;
  while (at < text.size() && text[at] != '}' && text[at] != ':' && text[at] != '!') {
    if (text[at] == '{') return broken_format(text, "unexpected '{' in field name");
    if (text[at] == '[') at = std::min(text.find(']', at), text.size());
    if (at < text.size()) ++at;
  }
  field.name = text.substr(begin, at - begin);
  if (at == text.size()) return broken_format(text, "expected '}' before end of string");
  if (text[at] == '!') {
    if (++at == text.size()) return broken_format(text, "end of string while looking for conversion specifier");
    const size_t length = static_cast<size_t>(stridescope::decode(text, at).bytes);
    field.conversion = text.substr(at, length);
    at += length;
    if (at < text.size() && text[at] != '}' && text[at] != ':')
      return broken_format(text, "expected ':' after conversion specifier");
  }
  if (at < text.size() && text[at] == '}') return ++at, std::nullopt;
  const size_t spec = std::min(at + 1, text.size());
  int depth = 1;
  for (at = spec; at < text.size(); ++at) {
    depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
    if (depth > 0) continue;
    field.spec = text.substr(spec, at - spec);
    return ++at, std::nullopt;
  }
  return broken_format(text, "unmatched '{' in format spec");
}

}  // namespace

/// One call of str.format, which counts its fields.
struct Interpreter::Formatting {
  const Arguments& arguments;
  const Expr& at;
  std::optional<bool> numbered = {};  ///< whether the program gives the fields numbers
  size_t next = 0;
};

Interpreter::Result Interpreter::format_text(const Value& self, const Arguments& arguments, const Expr& at) {
  Formatting formatting{arguments, at};
  return format_parts(formatting, std::get<std::string>(self.held), 2);
}

Interpreter::Result Interpreter::format_parts(Formatting& formatting, std::string_view text, int deep) {
  const Span span = formatting.at.span;
  if (deep == 0) return fail(broken_format(text, "Max string recursion exceeded"), span);
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t brace = std::min(text.find_first_of("{}", at), text.size());
    result += text.substr(at, brace - at);
    if (brace == text.size()) break;
    at = brace + 1;
    const char c = text[brace];
    const bool twice = at < text.size() && text[at] == c;
    if (!twice && (c == '}' || at == text.size()))
      return fail(broken_format(text, {"Single '", std::string(1, c), "' encountered in format string"}), span);
    if (twice) {
      result += c;
      ++at;
      continue;
    }
    FormatField field;
    if (auto problem = read_field(text, at, field)) return fail(*std::move(problem), span);
    const Result value = field_value(formatting, field.name);
    if (!value) return std::nullopt;
    if (!field.conversion.empty() && field.conversion != "r" && field.conversion != "s" && field.conversion != "a")
      return fail(broken_format(text, {"Unknown conversion specifier ", field.conversion}), span);
    const bool nested = field.spec.find('{') != npos;
    const Result spec = nested ? format_parts(formatting, field.spec, deep - 1) : Value{std::string(field.spec)};
    const Result written =
        spec ? write_field(*value, field.conversion, std::get<std::string>(spec->held), formatting.at) : spec;
    if (!written) return std::nullopt;
    result += std::get<std::string>(written->held);
    if (result.size() > max_text) return fail(limit(Msg::too_many_items, {static_cast<int64_t>(max_text)}), span);
  }
  return Value{std::move(result)};
}

/// What a field is about: an argument, or what dots and brackets behind it lead to.
Interpreter::Result Interpreter::field_value(Formatting& formatting, std::string_view name) {
  const Expr& at = formatting.at;
  const size_t end = std::min(name.find_first_of(".["), name.size());
  const std::string_view first = name.substr(0, end);
  std::optional<int64_t> place = place_in(first);
  if (place == -1) return fail(broken_format(name, "Too many decimal digits in format string"), at.span);
  if (place || first.empty()) {
    if (formatting.numbered.value_or(place.has_value()) != place.has_value())
      return fail(
          broken_format(name, place ? "cannot switch from automatic field numbering to manual field specification"
                                    : "cannot switch from manual field specification to automatic field numbering"),
          at.span);
    formatting.numbered = place.has_value();
    if (!place) place = static_cast<int64_t>(formatting.next++);
  }
  const std::vector<Value>& given = formatting.arguments.positional;
  const auto& named = formatting.arguments.named;
  const auto found = std::find_if(named.begin(), named.end(), [&](const auto& one) { return one.first == first; });
  if (place && *place >= static_cast<int64_t>(given.size()))
    return fail(python_error("IndexError",
                             {"Replacement index ", std::to_string(*place), " out of range for positional args tuple"},
                             Msg::format_no_value, {*place}),
                at.span);
  if (!place && found == named.end())
    return fail(python_error("KeyError", quoted(std::string(first)), Msg::format_no_value, {first}), at.span);
  Result value = place ? given[static_cast<size_t>(*place)] : found->second;
  for (size_t from = end; value && from < name.size();) {
    const bool member = name[from] == '.';
    if (!member && name[from] != '[')
      return fail(broken_format(name, "Only '.' or '[' may follow ']' in format field specifier"), at.span);
    const size_t begin = from + 1;
    const size_t stop = member ? std::min(name.find_first_of(".[", begin), name.size()) : name.find(']', begin);
    if (stop == npos) return fail(broken_format(name, "Missing ']' in format string"), at.span);
    const std::string_view part = name.substr(begin, stop - begin);
    if (part.empty()) return fail(broken_format(name, "Empty attribute in format string"), at.span);
    from = stop + (member ? 0 : 1);
    // As if the program had said so where it calls.
    Expr read, key;
    read.span = read.part = at.span;
    read.text = part;
    const auto index = place_in(part);
    if (!member && index == -1) return fail(broken_format(name, "Too many decimal digits in format string"), at.span);
    key.span = at.span;
    read.children.push_back(&key);
    value = member ? attribute(*value, read)
                   : subscript(*value, index ? Value{*index} : Value{std::string(part)}, read, key);
  }
  return value;
}

Interpreter::Result Interpreter::write_field(const Value& value, std::string_view conversion, std::string_view spec,
                                             const Expr& at) {
  const bool by_class = !std::holds_alternative<std::string>(value.held) && (spec.empty() || !conversion.empty());
  const Result worth = by_class ? worded(value, conversion == "r", at) : Result(value);
  if (!worth) return std::nullopt;
  const bool done = by_class && std::holds_alternative<std::string>(worth->held);
  Outcome text = words_are_known(*worth) && !holds_unknown(*worth)
                     ? formatted_field(*worth, done ? "" : conversion, spec)
                     : text_or_limit(std::nullopt, "str", value);
  const Span span = at.span;
  if (text.problem && !text.problem->raised) unwritten_ = span;
  return settle(std::move(text), span);
}

}  // namespace stridescope

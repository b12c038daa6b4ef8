// Methods of strings: those by which programs tell and build names.
#include <algorithm>

#include "lang/utf8.h"
#include "ops/call.h"
#include "ops/numpy/strings.h"
#include "ops/python/python.h"
#include "ops/python/set.h"

namespace stridescope {
namespace {

constexpr std::string_view string_methods[] = {
    "count", "endswith", "find",   "index", "isdigit",    "join",       "ljust", "lower", "lstrip", "rfind",
    "rjust", "replace",  "rstrip", "split", "splitlines", "startswith", "strip", "upper", "zfill"};
constexpr std::string_view blanks = " \t\n\v\f\r\x1c\x1d\x1e\x1f";

Value split(std::string_view text, std::string_view separator) {
  std::vector<Value> parts;
  for (size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(Value{std::string(text.substr(0, end))});
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(Value{std::string(text)});
  return list_of(std::move(parts));
}

/// Words between blanks.
Value split_at_blanks(std::string_view text) {
  std::vector<Value> words;
  for (size_t begin = text.find_first_not_of(blanks); begin != text.npos; begin = text.find_first_not_of(blanks)) {
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    words.push_back(Value{std::string(word)});
    text.remove_prefix(word.size());
  }
  return list_of(std::move(words));
}

/// Lines, without what ends them; what ends the last one begins none.
Value split_into_lines(std::string_view text) {
  std::vector<Value> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\n\v\f\r\x1c\x1d\x1e"), text.size());
    lines.push_back(Value{std::string(text.substr(0, end))});
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  }
  return list_of(std::move(lines));
}

std::string in_case(std::string text, bool upper) {
  const char first = upper ? 'a' : 'A', last = upper ? 'z' : 'Z';
  for (char& c : text)
    if (c >= first && c <= last) c = static_cast<char>(c ^ 32);
  return text;
}

/// The text without the characters of `out` at its ends.
std::string_view stripped(std::string_view text, std::string_view out, bool left, bool right) {
  if (left) text.remove_prefix(std::min(text.find_first_not_of(out), text.size()));
  if (right) text = text.substr(0, text.find_last_not_of(out) + 1);
  return text;
}

/// How often `part` stands in the text, one behind the other.
int64_t count_in(std::string_view text, std::string_view part) {
  if (part.empty()) return static_cast<int64_t>(text.size()) + 1;
  int64_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// What ljust, rjust and zfill fill the text up to; zeros stand behind its sign.
std::string filled(std::string_view name, std::string text, size_t width, char with) {
  if (text.size() >= width) return text;
  const bool sign = name == "zfill" && (text.starts_with('-') || text.starts_with('+'));
  return text.insert(name == "ljust" ? text.size() : sign ? 1 : 0, width - text.size(), with);
}

/// Methods that count characters or change them, of text in which each is a byte; nothing: it is not known here.
std::optional<Outcome> call_of_bytes(std::string_view name, const std::string& text,
                                     const std::vector<Value>& arguments) {
  const size_t given = arguments.size();
  const auto* part = given > 0 ? std::get_if<std::string>(&arguments[0].held) : nullptr;
  if (!is_ascii(text) || (part && !is_ascii(*part))) return std::nullopt;
  if (name == "upper" || name == "lower")
    return given == 0 ? std::optional(Outcome(Value{in_case(text, name == "upper")})) : std::nullopt;
  if (name == "isdigit")
    return given == 0 ? std::optional(
                            Outcome(Value{!text.empty() && text.find_first_not_of("0123456789") == std::string::npos}))
                      : std::nullopt;
  if (name.ends_with("strip")) {
    if (given > 1 || (given == 1 && !part)) return std::nullopt;
    return Value{
        std::string(stripped(text, part ? std::string_view(*part) : blanks, name != "rstrip", name != "lstrip"))};
  }
  if (name == "ljust" || name == "rjust" || name == "zfill") {
    const auto width = given > 0 ? as_integer(arguments[0]) : std::nullopt;
    const auto* with = given == 2 ? std::get_if<std::string>(&arguments[1].held) : nullptr;
    const bool fits = given == 1 || (given == 2 && with && with->size() == 1 && name != "zfill");
    if (!width || *width > static_cast<int64_t>(max_items) || !fits) return std::nullopt;
    const char blank = name == "zfill" ? '0' : ' ';
    return Value{filled(name, text, static_cast<size_t>(std::max(*width, int64_t{0})), with ? (*with)[0] : blank)};
  }
  if (given != 1 || !part) return std::nullopt;
  if (name == "count") return Value{count_in(text, *part)};
  const size_t at = name == "rfind" ? text.rfind(*part) : text.find(*part);
  if (at == text.npos && name == "index")
    return python_error("ValueError", "substring not found", Msg::not_in_list, {to_string(arguments[0], 40)});
  return Value{at == text.npos ? int64_t{-1} : static_cast<int64_t>(at)};
}

std::string replaced(std::string_view text, std::string_view old, std::string_view wanted) {
  std::string result;
  for (size_t end = text.find(old); end != text.npos; end = text.find(old)) {
    (result += text.substr(0, end)) += wanted;
    text.remove_prefix(end + old.size());
  }
  return result += text;
}

}  // namespace

Outcome bytes_in_hex(const Sequence& bytes, const std::vector<Value>& arguments) {
  const auto* mark = arguments.empty() ? nullptr : std::get_if<std::string>(&arguments[0].held);
  const auto wanted = arguments.size() > 1 ? as_integer(arguments[1]) : 1;
  if ((!arguments.empty() && !mark) || !wanted || arguments.size() > 2 || (mark && !is_ascii(*mark)))
    return limit(Msg::not_modelled, {"Python", "bytes.hex"});
  if (mark && mark->size() != 1)
    return python_error("ValueError", "sep must be length 1.", Msg::argument_has_type,
                        {"sep", "str", to_string(arguments[0], 40)});
  // Groups are counted from the end, unless their size is negative.
  const auto size = static_cast<int64_t>(bytes.items->size()), group = std::max(*wanted, -INT64_MAX);
  std::string text;
  for (int64_t i = 0; i < size; ++i) {
    const int64_t before = group > 0 ? size - i : i;
    if (mark && i > 0 && group != 0 && before % std::abs(group) == 0) text += *mark;
    const auto byte = static_cast<size_t>(*as_integer((*bytes.items)[static_cast<size_t>(i)]));
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return Value{std::move(text)};
}

bool is_string_method(std::string_view name) {
  return std::find(std::begin(string_methods), std::end(string_methods), name) != std::end(string_methods);
}

Outcome call_string(std::string_view name, const std::string& text, const std::vector<Value>& arguments) {
  const auto word = [&](size_t i) {
    return i < arguments.size() ? std::get_if<std::string>(&arguments[i].held) : nullptr;
  };
  const Diagnostic not_modelled = limit(Msg::not_modelled, {"Python", "str." + std::string(name)});
  if (name == "split" && (arguments.empty() || std::holds_alternative<None>(arguments[0].held)) && is_ascii(text))
    return arguments.size() < 2 ? Outcome(split_at_blanks(text)) : not_modelled;
  if (name == "splitlines") return arguments.empty() && is_ascii(text) ? Outcome(split_into_lines(text)) : not_modelled;
  if (name != "endswith" && name != "join" && name != "replace" && name != "split" && name != "startswith") {
    auto outcome = call_of_bytes(name, text, arguments);
    return outcome ? *std::move(outcome) : not_modelled;
  }
  const size_t wanted = name == "replace" ? 2 : 1;
  if (arguments.size() != wanted) return not_modelled;
  if (name == "startswith" || name == "endswith") {
    const auto* several = std::get_if<Sequence>(&arguments[0].held);
    const bool tuple = several && is_tuple(several->kind);
    const auto& words = tuple ? *several->items : arguments;
    const auto is_text = [](const Value& one) { return std::holds_alternative<std::string>(one.held); };
    if (tuple && !std::all_of(words.begin(), words.end(), is_text)) return not_modelled;
    if (!tuple && !word(0))
      return python_error("TypeError",
                          {name, " first arg must be str or a tuple of str, not ", type_name(arguments[0])},
                          Msg::argument_has_type, {name, "str", type_name(arguments[0])});
    return Value{std::any_of(words.begin(), words.end(), [&](const Value& one) {
      const std::string& part = std::get<std::string>(one.held);
      return name == "startswith" ? text.starts_with(part) : text.ends_with(part);
    })};
  }
  if (name == "join") {
    if (is_unordered(arguments[0])) return order_unknown();
    auto items = python_items(arguments[0]);
    if (!items && is_string_array(arguments[0])) items = strings_in(arguments[0]);
    std::string joined;
    for (size_t i = 0; items && i < items->size(); ++i) {
      const auto* part = std::get_if<std::string>(&(*items)[i].held);
      if (!part)
        return python_error("TypeError",
                            {"sequence item ", i, ": expected str instance, ", type_name((*items)[i]), " found"},
                            Msg::argument_has_type, {"join()", "str", type_name((*items)[i])});
      (joined += i > 0 ? text : "") += *part;
      if (joined.size() > max_items) return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
    }
    if (items) use_up(arguments[0]);
    return items ? Outcome(Value{std::move(joined)}) : not_modelled;
  }
  if (!word(0) || word(0)->empty() || (wanted == 2 && !word(1))) return not_modelled;
  if (name == "split") return split(text, *word(0));
  if (text.size() * (word(1)->size() + 1) > max_items * 4)
    return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  return Value{replaced(text, *word(0), *word(1))};
}

}  // namespace stridescope

// Methods of strings: those by which programs tell and build names.
#include <algorithm>

#include "ops/call.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

constexpr std::string_view string_methods[] = {"endswith", "join", "replace", "split", "startswith"};

Value split(std::string_view text, std::string_view separator) {
  std::vector<Value> parts;
  for (size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(Value{std::string(text.substr(0, end))});
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(Value{std::string(text)});
  return list_of(std::move(parts));
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

bool is_string_method(std::string_view name) {
  return std::find(std::begin(string_methods), std::end(string_methods), name) != std::end(string_methods);
}

Outcome call_string(std::string_view name, const std::string& text, const std::vector<Value>& arguments) {
  const auto word = [&](size_t i) {
    return i < arguments.size() ? std::get_if<std::string>(&arguments[i].held) : nullptr;
  };
  const Diagnostic not_modelled = limit(Msg::not_modelled, {"Python", "str." + std::string(name)});
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
    const auto items = python_items(arguments[0]);
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

// The language of ".." % values.
#include <algorithm>
#include <charconv>
#include <functional>

#include "lang/utf8.h"
#include "ops/members.h"
#include "ops/python/dictionary.h"
#include "ops/python/format_spec.h"
#include "ops/python/interpreter.h"
#include "ops/python/text.h"

namespace stridescope {
namespace {

/// A conversion of the language of "%".  Source: docs.python.org/3/library/stdtypes.html#printf-style-string-formatting
struct Conversion {
  std::string_view flags;
  int64_t width = 0, precision = -1;
  bool has(char flag) const { return flags.find(flag) != std::string_view::npos; }
  FormatSpec spec(char type, bool number) const {
    FormatSpec spec;
    spec.align = has('-') ? '<' : '>';
    if (number && has('0') && !has('-')) spec.fill = "0", spec.align = '=';
    if (number) spec.sign = has('+') ? '+' : has(' ') ? ' ' : '\0';
    spec.alternate = number && has('#');
    spec.width = width;
    spec.precision = precision;
    spec.type = static_cast<char32_t>(type);
    return spec;
  }
};

/// int(value) or float(value), as Python's functions of that name have it.
Outcome number_from(const char* function, const Value& value) { return find_builtin(function)->function({value}); }

Diagnostic unfit(char type, const Value& value, const Slots& text) {
  return python_error("TypeError", text, Msg::format_unfit, {std::string("%") + type, attribute_type(value)});
}

bool is_of_text(const Value& value) { return std::holds_alternative<std::string>(value.held) || is_bytes(value); }

Outcome whole_text(const Conversion& conversion, char type, const Value& value) {
  const bool decimal = type == 'd' || type == 'i' || type == 'u';
  const bool index = std::holds_alternative<bool>(value.held) || std::holds_alternative<int64_t>(value.held);
  const bool real = std::holds_alternative<Float>(value.held);
  Outcome number = index ? Outcome(value) : Value{};
  if (!index && !is_of_text(value) && (has_dtype(value) || (decimal && real))) {
    const auto direct = decimal ? std::nullopt : as_integer(value);
    number = decimal ? number_from("int", value) : direct ? Outcome(Value{*direct}) : Value{};
  }
  const bool refused = number.problem && number.problem->raised && number.problem->raised->type == "TypeError";
  if (number.problem && !refused) return number;
  if (refused || std::holds_alternative<None>(number.value.held))
    return unfit(type, value,
                 {std::string("%") + type, " format: ", decimal ? "a real number" : "an integer", " is required, not ",
                  attribute_type(value)});
  const int64_t held = *as_integer(number.value);
  FormatSpec spec = conversion.spec(decimal ? 'd' : type, true);
  if (spec.precision < 0) return Value{spec.written(held)};
  // So many digits, which stand in the width as text does.
  FormatSpec digits = spec;
  digits.fill = "0";
  digits.align = '=';
  digits.width = spec.precision + (held < 0 || spec.sign != 0 ? 1 : 0) + (spec.alternate && !decimal ? 2 : 0);
  if (spec.fill == "0") digits.width = std::max(digits.width, spec.width);
  digits.precision = -1;
  FormatSpec place = conversion.spec('s', false);
  place.precision = -1;
  return Value{place.written(digits.written(held))};
}

Outcome character_text(const Conversion& conversion, const Value& value) {
  const auto* text = std::get_if<std::string>(&value.held);
  const bool one = text && !text->empty() && static_cast<size_t>(stridescope::decode(*text, 0).bytes) == text->size();
  const auto code = text ? std::nullopt : as_integer(value);
  if (!one && (!code || std::holds_alternative<Float>(value.held))) return unfit('c', value, "%c requires int or char");
  if (code && (*code < 0 || *code > 0x10FFFF))
    return python_error("OverflowError", "%c arg not in range(0x110000)", Msg::format_unfit,
                        {"%c", std::to_string(*code)});
  if (code && *code >= 0xD800 && *code < 0xE000) return limit(Msg::not_modelled, {"Python", "'%c' % surrogate"});
  std::string written = one ? *text : "";
  if (code) append_utf8(written, static_cast<char32_t>(*code));
  FormatSpec spec = conversion.spec('s', false);
  spec.precision = -1;
  return Value{spec.written(written)};
}

Outcome real_text(const Conversion& conversion, char type, const Value& value) {
  const bool number = std::holds_alternative<bool>(value.held) || std::holds_alternative<int64_t>(value.held) ||
                      std::holds_alternative<Float>(value.held) || has_dtype(value);
  Outcome made = number ? number_from("float", value) : Value{};
  if (made.problem) return made;
  if (!number) return unfit(type, value, {"must be real number, not ", attribute_type(value)});
  if (conversion.has('#')) return limit(Msg::not_modelled, {"Python", std::string("'%#") + type + "' % float"});
  FormatSpec spec = conversion.spec(type, true);
  if (spec.precision < 0) spec.precision = 6;
  if (spec.precision > max_places) return limit(Msg::too_many_items, {max_places});
  return Value{spec.written(std::get<Float>(made.value.held))};
}

Outcome plain_text(const Conversion& conversion, char type, const Value& value) {
  Outcome text = formatted_field(value, std::string_view(&type, 1), "");
  if (text.problem) return text;
  return Value{conversion.spec('s', false).written(std::get<std::string>(text.value.held))};
}

Outcome converted_text(const Conversion& conversion, char type, const Value& value) {
  if (conversion.width > static_cast<int64_t>(max_items) || conversion.precision > static_cast<int64_t>(max_items))
    return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
  if (type == 'c') return character_text(conversion, value);
  if (type == 's' || type == 'r' || type == 'a') return plain_text(conversion, type, value);
  const std::string_view whole_types = "diuoxX";
  return whole_types.find(type) != std::string_view::npos ? whole_text(conversion, type, value)
                                                          : real_text(conversion, type, value);
}

/// Whether Python takes it for a mapping, of which nothing need be written.
bool has_items(const Value& value) {
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return (sequence && !is_tuple(sequence->kind) && !is_iterator(sequence->kind)) || has_dtype(value) ||
         std::holds_alternative<Facet>(value.held) || dictionary_in(value);
}

/// Goes through a format from left to right and takes a value for each conversion.
class Interpolation {
 public:
  /// What str() or repr() makes of an object whose class says it; any other value as it is. Nothing: that failed.
  using Worded = std::function<std::optional<Value>(const Value&, bool as_repr)>;

  Interpolation(std::string_view format, const Value& given, Worded worded)
      : format_(format), given_(given), worded_(std::move(worded)) {
    const auto* sequence = std::get_if<Sequence>(&given.held);
    if (sequence && is_tuple(sequence->kind))
      values_ = *sequence->items;
    else
      values_ = {given}, mapping_ = has_items(given);
  }

  Outcome run() {
    std::string result;
    while (at_ < format_.size()) {
      const size_t mark = std::min(format_.find('%', at_), format_.size());
      result += format_.substr(at_, mark - at_);
      at_ = mark + 1;
      if (mark == format_.size()) break;
      if (peek() == '%') {
        result += '%';
        ++at_;
        continue;
      }
      Outcome one = conversion();
      if (one.problem || failed_) return one;
      result += std::get<std::string>(one.value.held);
      if (result.size() > max_items) return limit(Msg::too_many_items, {static_cast<int64_t>(max_items)});
    }
    if (next_ < values_.size() && !mapping_)
      return python_error("TypeError", "not all arguments converted during string formatting", Msg::format_values_left);
    return Value{std::move(result)};
  }

  /// Whether a text was asked for that failed.
  bool failed() const { return failed_; }

 private:
  char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  const Value* next() { return next_ < values_.size() ? &values_[next_++] : nullptr; }
  Diagnostic missing() const {
    return python_error("TypeError", "not enough arguments for format string", Msg::format_values_missing);
  }

  /// Digits, or the next value where a star stands.
  std::optional<Diagnostic> number(int64_t& value, const char* too_big) {
    if (peek() == '*') {
      ++at_;
      const Value* const taken = next();
      if (!taken) return missing();
      const auto* held = std::get_if<int64_t>(&taken->held);
      const auto* truth = std::get_if<bool>(&taken->held);
      if (!held && !truth)
        return python_error("TypeError", "* wants int", Msg::format_unfit, {"*", attribute_type(*taken)});
      value = held ? *held : *truth ? 1 : 0;
      return std::nullopt;
    }
    const size_t end = std::min(format_.find_first_not_of("0123456789", at_), format_.size());
    if (end > at_) value = place_in(format_.substr(at_, end - at_)).value_or(0);
    at_ = end;
    if (value == -1) return broken_format(format_, too_big);
    return std::nullopt;
  }

  /// What stands behind the name in brackets becomes the one value there is.
  std::optional<Diagnostic> named() {
    if (!mapping_)
      return python_error("TypeError", "format requires a mapping", Msg::format_unfit, {"%(", attribute_type(given_)});
    const size_t begin = at_ + 1;
    int depth = 0;
    do {
      depth += peek() == '(' ? 1 : peek() == ')' ? -1 : 0;
      if (at_ == format_.size()) return broken_format(format_, "incomplete format key");
      ++at_;
    } while (depth > 0);
    const Value key{std::string(format_.substr(begin, at_ - 1 - begin))};
    if (has_dtype(given_)) return limit(Msg::not_modelled, {"Python", "'%(name)s' % " + type_name(given_)});
    Outcome item = python_subscript(given_, key);
    if (item.problem) return std::move(item.problem);
    values_ = {std::move(item.value)};
    next_ = 0;
    return std::nullopt;
  }

  Outcome conversion() {
    Conversion how;
    if (peek() == '(')
      if (auto problem = named()) return *problem;
    const size_t flags = at_;
    at_ = std::min(format_.find_first_not_of("-+ #0", at_), format_.size());
    how.flags = format_.substr(flags, at_ - flags);
    if (auto problem = number(how.width, "width too big")) return *problem;
    std::string left;
    if (how.width < 0) {
      left = std::string(how.flags) + '-';
      how.flags = left;
      how.width = how.width == INT64_MIN ? INT64_MAX : -how.width;
    }
    if (peek() == '.') {
      ++at_;
      how.precision = 0;
      if (auto problem = number(how.precision, "precision too big")) return *problem;
      if (how.precision > INT32_MAX) return broken_format(format_, "precision too big");
      how.precision = std::max<int64_t>(how.precision, 0);
    }
    if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++at_;
    if (at_ >= format_.size()) return broken_format(format_, "incomplete format");
    const size_t place = at_;
    const CodePoint code = stridescope::decode(format_, at_);
    at_ += static_cast<size_t>(code.bytes);
    const Value* const value = next();
    if (!value) return missing();
    if (code.value >= 128 ||
        std::string_view("diuoxXeEfFgGcrsa").find(static_cast<char>(code.value)) == std::string_view::npos)
      return unsupported(code.value, place);
    const char type = static_cast<char>(code.value);
    if ((type != 's' && type != 'r') || std::holds_alternative<std::string>(value->held))
      return converted_text(how, type, *value);
    const auto worth = worded_(*value, type == 'r');
    failed_ = !worth;
    if (failed_) return Value{std::string()};
    return converted_text(how, std::holds_alternative<std::string>(worth->held) ? 's' : type, *worth);
  }

  Diagnostic unsupported(char32_t code, size_t place) const {
    char digits[8];
    const std::string hex(digits, std::to_chars(digits, digits + sizeof digits, uint32_t{code}, 16).ptr);
    const char shown = code > 31 && code < 128 ? static_cast<char>(code) : '?';
    const int64_t index = character_count(format_.substr(0, place));
    return broken_format(format_, {"unsupported format character '", std::string(1, shown), "' (0x", hex, ") at index ",
                                   std::to_string(index)});
  }

  std::string_view format_;
  const Value& given_;
  Worded worded_;
  std::vector<Value> values_;
  bool mapping_ = false, failed_ = false;
  size_t at_ = 0, next_ = 0;
};

}  // namespace

Interpreter::Result Interpreter::interpolate(const std::string& format, const Value& given, const Expr& at) {
  Interpolation interpolation(format, given,
                              [&](const Value& value, bool as_repr) { return worded(value, as_repr, at); });
  Outcome text =
      words_are_known(given) && !holds_unknown(given) ? interpolation.run() : text_or_limit(std::nullopt, "str", given);
  if (interpolation.failed()) return std::nullopt;
  if (text.problem && !text.problem->raised) unwritten_ = at.span;
  return settle(std::move(text), at.span);
}

}  // namespace stridescope

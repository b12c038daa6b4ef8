#include "explain/message.h"

#include <array>
#include <charconv>
#include <cstring>
#include <iterator>
#include <memory>

namespace stridescope {
namespace {

/// The sentences of a language in the order of their ids, each ended by a NUL: no pointer to each.
constexpr char english[] =
#define MESSAGE(id, text) text "\0"
#include "explain/english.inc"
#undef MESSAGE
    ;
constexpr char chinese[] =
#define MESSAGE(id, text) text "\0"
#include "explain/chinese.inc"
#undef MESSAGE
    ;
constexpr Msg chinese_ids[] = {
#define MESSAGE(id, text) Msg::id,
#include "explain/chinese.inc"
#undef MESSAGE
};

constexpr bool same_order() {
  if (std::size(chinese_ids) != message_count) return false;
  for (size_t i = 0; i < std::size(chinese_ids); ++i) {
    if (static_cast<size_t>(chinese_ids[i]) != i) return false;
  }
  return true;
}
static_assert(same_order(), "chinese.inc must have the ids of english.inc, in the same order");

class Catalogue {
 public:
  explicit Catalogue(const char* sentences) {
    for (const char*& begin : begins_) {
      begin = sentences;
      sentences += std::strlen(sentences) + 1;
    }
  }
  const char* operator[](Msg id) const { return begins_[static_cast<size_t>(id)]; }

 private:
  std::array<const char*, message_count> begins_;
};

const Catalogue& catalogue(Language language) {
  static const Catalogue in_english(english), in_chinese(chinese);
  return language == Language::chinese ? in_chinese : in_english;
}

/// What stands between the braces of a placeholder: an argument's number and, for plurals, two wordings. A comma after
/// the number asks for a count's digits in groups of three.
struct Placeholder {
  size_t argument = 0;
  bool plural = false, grouped = false;
  std::string_view one, many;
};

Placeholder read_placeholder(std::string_view inside) {
  Placeholder result;
  const size_t bar = inside.find('|');
  for (const char digit : inside.substr(0, bar))
    if (digit == ',')
      result.grouped = true;
    else
      result.argument = result.argument * 10 + static_cast<size_t>(digit - '0');
  if (bar != std::string_view::npos) {
    result.plural = true;
    const std::string_view forms = inside.substr(bar + 1);
    const size_t second = forms.find('|');
    result.one = forms.substr(0, second);
    result.many = second == std::string_view::npos ? std::string_view() : forms.substr(second + 1);
  }
  return result;
}

/// "1 000 000", with blanks at which no line ends; what is no number stays.
std::string in_groups(std::string_view digits) {
  std::string text(digits);
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return text;
  for (size_t at = digits.size(); at > 3;) text.insert(at -= 3, "\u00A0");
  return text;
}

/// Text that points at nothing joins the run before it, where that is of the same face.
void append(Line& line, std::string_view text, bool code, const Target& target = {}) {
  if (text.empty()) return;
  const bool joins = !line.empty() && line.back().code == code && line.back().target == Target{} && target == Target{};
  if (joins) {
    line.back().text += text;
  } else {
    line.push_back({std::string(text), code, target});
  }
}

}  // namespace

Slot::Slot(const std::string& text) : text_(text.data()), number_(static_cast<int64_t>(text.size())) {}
Slot::Slot(const std::string_view& text)
    : text_(text.empty() ? "" : text.data()), number_(static_cast<int64_t>(text.size())) {}
Slot::Slot(const char* text) : Slot(std::string_view(text)) {}
Slot::Slot(int64_t number) : number_(number) {}
Slot::Slot(int number) : number_(number) {}
Slot::Slot(size_t number) : number_(static_cast<int64_t>(number)) {}
Slot::Slot(const Slot& content, const Target& target) : Slot(content) { target_ = target; }

void Slot::append_to(std::string& text) const {
  if (text_) {
    text.append(text_, static_cast<size_t>(number_));
  } else {
    char digits[20];
    const char* const end = std::to_chars(digits, digits + sizeof digits, number_).ptr;
    text.append(digits, static_cast<size_t>(end - digits));
  }
}

Slots::Slots(Empty) : count_(0) {}
Slots& Slots::operator<<(const Slot& slot) {
  std::construct_at(slots_ + count_++, slot);
  return *this;
}
Slots& Slots::operator<<(const std::string& text) { return *this << Slot(text); }
Slots& Slots::operator<<(const std::string_view& text) { return *this << Slot(text); }
Slots& Slots::operator<<(const char* text) { return *this << Slot(text); }
Slots& Slots::operator<<(int64_t number) { return *this << Slot(number); }
Slots& Slots::operator<<(int number) { return *this << Slot(number); }
Slots& Slots::operator<<(size_t number) { return *this << Slot(number); }

std::string Slots::str() const {
  std::string text;
  for (const Slot& piece : *this) piece.append_to(text);
  return text;
}

Message::Message(Msg id_, const Slots& slots) : id(id_) {
  args.resize(static_cast<size_t>(slots.end() - slots.begin()));
  auto arg = args.begin();
  for (const Slot& slot : slots) {
    slot.append_to(arg->text);
    (arg++)->target = slot.target();
  }
}

Line fill(std::string_view text, const std::vector<Arg>& args) {
  std::string_view rest = text;
  Line line;
  bool code = false;
  while (!rest.empty()) {
    const size_t special = rest.find_first_of("{`<");
    append(line, rest.substr(0, special), code);
    if (special == std::string_view::npos) break;
    rest.remove_prefix(special);
    if (rest[0] == '`') {
      code = !code;
      rest.remove_prefix(1);
    } else if (rest[0] == '<') {
      const size_t close = rest.find('>');
      Run phrase;
      for (const Run& run : fill(rest.substr(1, close - 1), args)) {
        phrase.text += run.text;
        if (phrase.target == Target{}) phrase.target = run.target;
      }
      append(line, phrase.text, code, phrase.target);
      rest.remove_prefix(close + 1);
    } else if (rest.starts_with("{{")) {
      append(line, "{", code);
      rest.remove_prefix(2);
    } else {
      const size_t close = rest.find('}');
      const Placeholder place = read_placeholder(rest.substr(1, close - 1));
      rest.remove_prefix(close + 1);
      if (place.argument >= args.size()) {
        append(line, "?", code);
      } else if (const Arg& arg = args[place.argument]; place.plural) {
        append(line, arg.text == "1" ? place.one : place.many, code);
      } else {
        append(line, place.grouped ? in_groups(arg.text) : arg.text, code, arg.target);
      }
    }
  }
  return line;
}

Line words(const Message& message, Language language) { return fill(catalogue(language)[message.id], message.args); }

std::string plain(const Message& message, Language language) {
  std::string text;
  for (const Run& run : words(message, language)) text += run.text;
  return text;
}

}  // namespace stridescope

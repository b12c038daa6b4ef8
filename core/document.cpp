#include <algorithm>
#include <charconv>
#include <limits>

#include "lang/number.h"
#include "lang/utf8.h"
#include "ops/number.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr int version = 1;

constexpr std::string_view figure_names[] = {"strip",   "grid",   "path",
                                             "verdict", "before", "sharing"};  // by bit of Figure
constexpr std::string_view label_names[] = {"value", "index", "offset", "order"};
constexpr std::string_view colour_names[] = {"position", "row", "order", "axis", "times", "line", "bank"};
constexpr std::string_view unit_names[] = {"elements", "bytes"};
constexpr std::string_view ask_names[] = {"no", "yes"};
constexpr std::string_view words_names[] = {"beside", "in"};
constexpr std::string_view theme_names[] = {"light", "dark", "print"};
constexpr std::string_view language_names[] = {"en", "zh"};

std::string figures_text(uint8_t figures) {
  std::string text;
  for (size_t bit = 0; bit < std::size(figure_names); ++bit) {
    if ((figures >> bit & 1) == 0) continue;
    if (!text.empty()) text += ',';
    text += figure_names[bit];
  }
  return text;
}

/// Undoes percent_encoded(); bytes that need no encoding may stand as they are. Nothing where a '%' begins no code.
std::optional<std::string> decoded(std::string_view value) {
  std::string text;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '%') {
      text += value[i];
      continue;
    }
    unsigned byte = 0;
    const char* first = value.data() + i + 1;
    const char* last = value.data() + std::min(i + 3, value.size());
    if (last - first != 2 || std::from_chars(first, last, byte, 16).ptr != last) return std::nullopt;
    text += static_cast<char>(static_cast<unsigned char>(byte));
    i += 2;
  }
  return text;
}

class Writer {
 public:
  void add(std::string_view key, std::string_view value) {
    text_ += text_.empty() ? "" : "&";
    text_ += key;
    text_ += '=';
    text_ += percent_encoded(value);
  }
  template <typename Value>
  void add(std::string_view key, Value value, Value usual) {
    if (value != usual) add(key, std::to_string(value));
  }
  template <size_t n, typename Value>
  void add(std::string_view key, const std::string_view (&names)[n], Value value, Value usual) {
    if (value != usual) add(key, names[static_cast<size_t>(value)]);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

class DocumentReader {
 public:
  DocumentReader(std::string_view text, std::vector<Diagnostic>& problems) : problems_(problems) {
    if (text.size() > static_cast<size_t>(max_document_bytes)) {
      report({0, 0}, {Msg::link_too_long, {static_cast<int64_t>(text.size()), max_document_bytes}},
             {Msg::hint_link_too_long, {}});
      return;
    }
    for (size_t at = text.starts_with('#') ? 1 : 0; at <= text.size();) {
      const size_t end = std::min(text.find('&', at), text.size());
      const size_t equals = std::min(text.find('=', at), end);
      const size_t value = std::min(equals + 1, end);
      add({text.substr(at, equals - at),
           text.substr(value, end - value),
           {static_cast<int32_t>(at), static_cast<int32_t>(end)},
           {}});
      at = end + 1;
    }
  }

  /// What `key` was given, decoded; nothing where it is missing or not readable.
  const std::string* value(std::string_view key) {
    const auto found =
        std::find_if(fields_.begin(), fields_.end(), [&](const Field& field) { return field.key == key; });
    if (found == fields_.end()) return nullptr;
    place_ = found->place;
    std::optional<std::string> text = decoded(found->encoded);
    if (!text) {
      report(place_, {Msg::link_percent, {excerpt(key)}}, {Msg::hint_link_percent, {}});
      return nullptr;
    }
    found->text = std::move(*text);
    return &found->text;
  }

  template <typename Number>
  void read(std::string_view key, Number& member, Number low, Number high) {
    const std::string* text = value(key);
    if (text == nullptr) return;
    Number number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error == std::errc{} && end == text->data() + text->size() && number >= low && number <= high) {
      member = number;
    } else {
      unusable(key, *text, {Msg::hint_link_range, {int64_t{low}, int64_t{high}}});
    }
  }

  template <size_t n, typename Value>
  void read(std::string_view key, const std::string_view (&names)[n], Value& member) {
    const std::string* text = value(key);
    if (text == nullptr) return;
    const auto* found = std::find(std::begin(names), std::end(names), *text);
    if (found != std::end(names)) {
      member = static_cast<Value>(found - std::begin(names));
    } else {
      unusable(key, *text, one_of(names));
    }
  }

  void read_figures(uint8_t& member) {
    const std::string* text = value("figures");
    if (text == nullptr) return;
    unsigned figures = 0;
    for (size_t at = 0; at < text->size();) {
      const size_t end = std::min(text->find(',', at), text->size());
      const auto* found =
          std::find(std::begin(figure_names), std::end(figure_names), std::string_view(*text).substr(at, end - at));
      if (found == std::end(figure_names)) return unusable("figures", *text, one_of(figure_names));
      figures |= 1u << (found - std::begin(figure_names));
      at = end + 1;
    }
    member = static_cast<uint8_t>(figures);
  }

  void read_phase(double& member) {
    const std::string* text = value("phase");
    if (text == nullptr) return;
    const std::optional<double> phase = parse_real(*text);
    if (phase && *phase <= 1) {
      member = *phase;
    } else {
      unusable("phase", *text, {Msg::hint_link_range, {0, 1}});
    }
  }

  void read_hover(Target& member) {
    const std::string* text = value("hover");
    if (text == nullptr) return;
    member = parse_target(*text);
    if (member == Target{} && !text->empty()) unusable("hover", *text, {Msg::hint_link_hover, {}});
  }

  /// False where the text is of a version that this program does not know.
  bool known_version() {
    const std::string* text = value("v");
    if (text == nullptr || *text == std::to_string(version)) return true;
    const bool number = !text->empty() && text->find_first_not_of("0123456789") == std::string::npos && *text != "0";
    if (!number) {
      unusable("v", *text, {Msg::hint_link_range, {version, version}});
      return true;
    }
    report(place_, {Msg::link_newer, {excerpt(*text), version}}, {Msg::hint_link_newer, {}});
    return false;
  }

 private:
  struct Field {
    std::string_view key, encoded;
    Span place;
    std::string text;
  };

  void add(Field field) {
    const bool twice =
        std::any_of(fields_.begin(), fields_.end(), [&](const Field& other) { return other.key == field.key; });
    if (std::find(std::begin(keys), std::end(keys), field.key) == std::end(keys)) return;
    if (twice) {
      report(field.place, {Msg::link_twice, {field.key}}, {Msg::hint_link_twice, {}});
    } else {
      fields_.push_back(std::move(field));
    }
  }

  void unusable(std::string_view key, std::string_view text, Message hint) {
    report(place_, {Msg::link_value, {key, excerpt(text)}}, std::move(hint));
  }

  template <size_t n>
  static Message one_of(const std::string_view (&names)[n]) {
    std::string list;
    for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
    return {Msg::hint_link_one_of, {list}};
  }

  void report(Span place, Message reason, Message hint) {
    problems_.push_back({place, std::move(reason), std::nullopt, {{std::move(hint), std::nullopt}}});
  }

  static constexpr std::string_view keys[] = {"v",      "code",   "step",  "op",    "head",  "pan",   "figures",
                                              "labels", "colour", "unit",  "line",  "zoom",  "ask",   "theme",
                                              "lang",   "hover",  "phase", "words", "width", "height"};
  std::vector<Diagnostic>& problems_;
  std::vector<Field> fields_;  ///< at most one a key
  Span place_;                 ///< of the field last asked for
};

}  // namespace

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF", plain_marks = "-_.!~*'()";
  std::string encoded;
  for (const char c : text) {
    const bool letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter_or_digit || plain_marks.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return encoded;
}

std::string to_text(const Document& document, bool momentary) {
  const ViewState usual, &view = document.view;
  Writer writer;
  writer.add("v", std::to_string(version));
  if (!document.source.empty()) writer.add("code", document.source);
  writer.add("step", view.step, usual.step);
  writer.add("op", view.op, usual.op);
  writer.add("head", view.head, usual.head);
  writer.add("pan", view.pan, usual.pan);
  if (view.figures != usual.figures) writer.add("figures", figures_text(view.figures));
  writer.add("labels", label_names, view.labels, usual.labels);
  writer.add("colour", colour_names, view.coloring, usual.coloring);
  writer.add("unit", unit_names, view.bytes, usual.bytes);
  writer.add("line", view.line, usual.line);
  writer.add("zoom", view.zoom, usual.zoom);
  writer.add("ask", ask_names, view.ask, usual.ask);
  writer.add("theme", theme_names, view.theme, usual.theme);
  writer.add("lang", language_names, view.language, usual.language);
  if (momentary) {
    if (view.hover != Target{}) writer.add("hover", to_string(view.hover));
    if (view.phase > 0) writer.add("phase", repr(view.phase));
    writer.add("words", words_names, view.words, usual.words);
    writer.add("width", view.width, usual.width);
    writer.add("height", view.height, usual.height);
  }
  return std::move(writer).text();
}

Document parse_document(std::string_view text, std::vector<Diagnostic>& problems) {
  Document document;
  ViewState& view = document.view;
  DocumentReader reader(text, problems);
  if (!reader.known_version()) return document;
  if (const std::string* code = reader.value("code")) document.source = *code;
  constexpr int last_step = std::numeric_limits<int>::max();
  reader.read("step", view.step, -1, last_step);
  reader.read("op", view.op, -1, last_step);
  reader.read("head", view.head, int64_t{0}, std::numeric_limits<int64_t>::max());
  reader.read("pan", view.pan, int64_t{-1}, std::numeric_limits<int64_t>::max());
  reader.read_figures(view.figures);
  reader.read("labels", label_names, view.labels);
  reader.read("colour", colour_names, view.coloring);
  reader.read("unit", unit_names, view.bytes);
  reader.read("line", view.line, 0, max_line_bytes);
  reader.read("zoom", view.zoom, -max_zoom, max_zoom);
  reader.read("ask", ask_names, view.ask);
  reader.read("theme", theme_names, view.theme);
  reader.read("lang", language_names, view.language);
  reader.read_hover(view.hover);
  reader.read_phase(view.phase);
  reader.read("words", words_names, view.words);
  reader.read("width", view.width, px(1), max_picture_side);
  reader.read("height", view.height, Unit{0}, max_picture_side);
  return document;
}

}  // namespace stridescope

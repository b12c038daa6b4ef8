// Reads the two sides of a pattern.
#include "ops/einops/pattern.h"

#include <algorithm>

#include "layout/checked.h"
#include "ops/python/python.h"

namespace stridescope {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The number that digits write; nothing where it is too large.
std::optional<int64_t> number_of(std::string_view digits) {
  std::optional<int64_t> number = 0;
  for (const char c : digits) {
    if (number) number = checked_mul(*number, 10);
    if (number) number = checked_add(*number, c - '0');
  }
  return number;
}

/// As einops prints what it has read: "..." is one character there.
std::string printed(std::string_view text) {
  std::string shown(text);
  if (const size_t dots = shown.find("..."); dots != shown.npos) shown.replace(dots, 3, "\u2026");
  return shown;
}

/// Reads a side from left to right: `group_` is the dim in whose brackets it is.
class Reader {
 public:
  Reader(std::string_view text, int32_t begin, PatternSide& side, PatternRules rules)
      : text_(text), begin_(begin), side_(side), rules_(rules) {}

  std::optional<PatternProblem> read() {
    if (auto problem = check_dots()) return problem;
    for (size_t i = 0; i <= text_.size(); ++i) {
      const char c = i < text_.size() ? text_[i] : ' ';
      if (is_word(c) || c == '.') {
        if (!word_) word_ = i;
        continue;
      }
      if (static_cast<unsigned char>(c) >= 0x80)
        return PatternProblem{limit(Msg::not_modelled, {"einops", quoted(std::string(text_))}), here(i, 1)};
      if (c != ' ' && c != '(' && c != ')')
        return einops_error({"Unknown character '", text_.substr(i, 1), "'"}, Msg::einops_character, {}, here(i, 1));
      // What is open at the end is said before the last word is looked at.
      if (i == text_.size() && group_)
        return einops_error({"Imbalanced parentheses in expression: \"", printed(text_), "\""}, Msg::einops_brackets,
                            {}, here(*group_, 1));
      if (word_)
        if (auto problem = add(*word_, i - *word_)) return problem;
      word_.reset();
      if (c == '(') {
        if (group_)
          return einops_error("Axis composition is one-level (brackets inside brackets not allowed)",
                              Msg::einops_brackets, {}, here(i, 1));
        group_ = i;
        side_.dims.emplace_back();
      } else if (c == ')') {
        if (!group_) return einops_error("Brackets are not balanced", Msg::einops_brackets, {}, here(i, 1));
        group_.reset();
      }
    }
    return std::nullopt;
  }

 private:
  Span here(size_t from, size_t length) const {
    return {begin_ + static_cast<int32_t>(from), begin_ + static_cast<int32_t>(from + length)};
  }

  std::optional<PatternProblem> check_dots() {
    const size_t first = text_.find('.');
    if (first == text_.npos) return std::nullopt;
    const size_t dots = text_.find("...");
    if (dots == text_.npos)
      return einops_error("Expression may contain dots only inside ellipsis (...)", Msg::einops_ellipsis, {},
                          here(first, 1));
    if (std::count(text_.begin(), text_.end(), '.') != 3)
      return einops_error("Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor ",
                          Msg::einops_ellipsis, {}, here(first, 1));
    side_.ellipsis = true;
    return std::nullopt;
  }

  std::optional<PatternProblem> add(size_t from, size_t length) {
    const std::string_view word = text_.substr(from, length);
    if (side_.dims.size() > max_rank || side_.axes().size() > max_rank)
      return PatternProblem{limit(Msg::np_too_many_axes, {max_rank}), here(from, length)};
    PatternAxis axis{word, here(from, length)};
    const bool number = std::all_of(word.begin(), word.end(), is_digit);
    if (number) {
      const auto size = number_of(word);
      if (!size) return PatternProblem{limit(Msg::beyond_int64), axis.at};
      if (*size == 1) {
        if (!group_) side_.dims.emplace_back();
        return std::nullopt;
      }
      if (*size == 0)
        return einops_error("Anonymous axis should have positive length, not 0", Msg::einops_size_zero, {}, axis.at);
      axis.size = *size;
    } else if (has_axis(side_.axes(), axis) && !(rules_.underscore && word == "_") && !rules_.twice) {
      return einops_error({"Indexing expression contains duplicate dimension \"", word, "\""}, Msg::einops_twice,
                          {word}, axis.at);
    } else if (const auto why = misnamed(word); why && !is_ellipsis(axis) && !(rules_.underscore && word == "_")) {
      return einops_error({"Invalid axis identifier: ", printed(word), "\n", *why}, Msg::einops_name, {printed(word)},
                          axis.at);
    }
    if (is_ellipsis(axis)) side_.ellipsis_inside = group_.has_value();
    if (group_)
      side_.dims.back().push_back(axis);
    else
      side_.dims.push_back({axis});
    return std::nullopt;
  }

  std::string_view text_;
  int32_t begin_;
  PatternSide& side_;
  PatternRules rules_;
  std::optional<size_t> word_, group_;  ///< where they begin
};

}  // namespace

bool is_ellipsis(const PatternAxis& axis) { return axis.name == "..."; }

bool has_axis(const std::vector<PatternAxis>& axes, const PatternAxis& axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

std::string set_text(const std::vector<PatternAxis>& axes) {
  std::string text;
  for (const PatternAxis& axis : axes)
    text +=
        (text.empty() ? "" : ", ") + (axis.size > 0 ? std::string(axis.name) + "-axis" : quoted(printed(axis.name)));
  return "{" + text + "}";
}

std::vector<PatternAxis> PatternSide::axes() const {
  std::vector<PatternAxis> all;
  for (const auto& dim : dims) all.insert(all.end(), dim.begin(), dim.end());
  return all;
}

std::optional<PatternProblem> read_side(std::string_view text, int32_t begin, PatternSide& side, PatternRules rules) {
  return Reader(text, begin, side, rules).read();
}

std::optional<std::string_view> misnamed(std::string_view word) {
  if (word.empty() || is_digit(word[0]) || !std::all_of(word.begin(), word.end(), is_word))
    return "not a valid python identifier";
  if (word.front() == '_' || word.back() == '_') return "axis name should should not start or end with underscore";
  return std::nullopt;
}

PatternProblem einops_error(const Slots& text, Msg reason, const Slots& slots, Span at) {
  return {python_error("EinopsError", text, reason, slots), at};
}

}  // namespace stridescope

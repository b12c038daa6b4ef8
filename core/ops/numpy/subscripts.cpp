#include "ops/numpy/subscripts.h"

#include <map>

#include "ops/fold.h"
#include "ops/numpy/numpy.h"

namespace stridescope {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The letters of operand number `number`, of `rank` axes; the call fails where they are too many or too few.
Letters read_operand(Call& call, const Equation& equation, std::string_view text, int rank, size_t number) {
  Letters letters;
  std::optional<size_t> dots;
  for (size_t i = 0; i < text.size() && !call.failed(); ++i) {
    if (is_letter(text[i])) {
      if (static_cast<int>(letters.size()) >= rank)
        misread(call, equation, {"einstein sum subscripts string contains too many subscripts for operand ", number});
      letters.push_back(text[i]);
    } else if (text[i] == '.') {
      if (dots || text.substr(i, 3) != "...")
        misread(call, equation,
                {"einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in operand ",
                 number});
      dots = letters.size();
      i += 2;
    } else if (text[i] != ' ') {
      misread(call, equation,
              {"invalid subscript '", std::string(1, text[i]),
               "' in einstein sum subscripts string, subscripts must be letters"});
    }
  }
  if (!call.failed() && !dots && static_cast<int>(letters.size()) != rank)
    misread(call, equation,
            "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
            "broadcast the extra dimensions.");
  if (dots && !call.failed())
    letters.insert(letters.begin() + static_cast<std::ptrdiff_t>(*dots), static_cast<size_t>(rank) - letters.size(),
                   no_letter);
  return letters;
}

/// The letters of the result as written behind "->".
Letters read_result(Call& call, const Equation& equation, std::string_view text, size_t unnamed_axes) {
  Letters letters;
  bool dots = false;
  for (size_t i = 0; i < text.size() && !call.failed(); ++i) {
    const std::string letter(1, text[i]);
    if (is_letter(text[i])) {
      if (text.find(text[i], i + 1) != std::string_view::npos)
        misread(call, equation,
                {"einstein sum subscripts string includes output subscript '", letter, "' multiple times"});
      if (std::none_of(equation.operands.begin(), equation.operands.end(),
                       [&](const Letters& own) { return holds_letter(own, text[i]); }))
        misread(call, equation,
                {"einstein sum subscripts string included output subscript '", letter,
                 "' which never appeared in an input"});
      letters.push_back(text[i]);
    } else if (text[i] == '.') {
      if (dots || text.substr(i, 3) != "...")
        misread(call, equation,
                "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in the output");
      dots = true;
      letters.insert(letters.end(), unnamed_axes, no_letter);
      i += 2;
    } else if (text[i] != ' ') {
      misread(call, equation,
              {"invalid subscript '", letter, "' in einstein sum subscripts string, subscripts must be letters"});
    }
  }
  if (!dots && unnamed_axes > 0)
    misread(call, equation,
            "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
            "broadcast the extra dimensions.");
  return letters;
}

}  // namespace

Value misread(Call& call, const Equation& equation, const Slots& text) {
  return call.fail("ValueError", text, Msg::np_einsum_subscripts, {equation.text});
}

Equation read_subscripts(Call& call, const std::string& text, const std::vector<TensorRef>& arrays) {
  Equation equation{text, {}, {}};
  std::string_view rest = text;
  size_t unnamed_axes = 0;
  std::map<char, int> counts;
  for (size_t i = 0; i < arrays.size() && !call.failed(); ++i) {
    const size_t length = std::min(rest.find_first_of(",-"), rest.size());
    const bool more = length < rest.size() && rest[length] == ',';
    // NumPy has the two words the other way round.
    if (i + 1 == arrays.size() && more)
      misread(call, equation,
              "more operands provided to einstein sum function than specified in the subscripts string");
    else if (i + 1 < arrays.size() && !more)
      misread(call, equation,
              "fewer operands provided to einstein sum function than specified in the subscripts string");
    if (call.failed()) return equation;
    equation.operands.push_back(
        read_operand(call, equation, rest.substr(0, length), arrays[i]->tensor->layout.rank(), i));
    const Letters& own = equation.operands.back();
    for (const char letter : own) ++counts[letter];
    unnamed_axes = std::max(unnamed_axes, static_cast<size_t>(std::count(own.begin(), own.end(), no_letter)));
    rest.remove_prefix(length + (more ? 1 : 0));
  }
  if (call.failed()) return equation;
  if (rest.empty()) {
    // Letters that occur once, in the order of the alphabet, capitals first.
    equation.result.assign(unnamed_axes, no_letter);
    for (const auto& [letter, count] : counts)
      if (letter != no_letter && count == 1) equation.result.push_back(letter);
  } else if (!rest.starts_with("->")) {
    misread(call, equation, "einstein sum subscript string does not contain proper '->' output specified");
  } else {
    equation.result = read_result(call, equation, rest.substr(2), unnamed_axes);
  }
  return equation;
}

std::string letters_of(Call& call, const Value& list) {
  std::string text;
  std::optional<std::vector<Value>> items;
  if (const auto* sequence = std::get_if<Sequence>(&list.held))
    items = *sequence->items;
  else if (const TensorPtr array = tensor_of(list); array && array->layout.rank() > 0) {
    // Gone through row by row; only a row of one axis is a number.
    const int64_t count = array->layout.sizes[0];
    items.emplace();
    for (int64_t i = 0; i < std::min<int64_t>(count, max_rank + 1); ++i)
      items->push_back(
          array->layout.rank() > 1 || !is_integer(array->dtype) ? Value{} : Value{scalar_at(elements_of(*array), i)});
  }
  for (size_t i = 0; items && i < items->size(); ++i) {
    const Value& item = (*items)[i];
    const bool whole =
        !std::holds_alternative<bool>(item.held) && !(tensor_of(item) && tensor_of(item)->layout.rank() > 0);
    const auto number = whole ? as_integer(item) : std::nullopt;
    if (std::holds_alternative<Ellipsis>(item.held))
      text += "...";
    else if (number && *number >= 0 && *number < 52)
      text += static_cast<char>(*number < 26 ? 'A' + *number : 'a' + *number - 26);
    else if (number)
      return call.fail("ValueError", "subscript is not within the valid range [0, 52)", Msg::np_einsum_subscripts,
                       {to_string(list)}),
             text;
    else
      items.reset();
  }
  if (!items)
    call.fail_parser("each subscript must be either an integer or an ellipsis", Msg::np_einsum_subscripts,
                     {to_string(list)});
  return text;
}

}  // namespace stridescope

// What einsum's subscripts say: a letter for each axis of each operand, and of the result.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "ops/call.h"

namespace stridescope {

/// An axis without a letter, which an ellipsis stands for.
inline constexpr char no_letter = 0;
using Letters = std::vector<char>;  ///< of the axes of an operand, or of the result

/// What the subscripts say.
struct Equation {
  std::string text;
  std::vector<Letters> operands;
  Letters result;
};

inline bool holds_letter(const Letters& letters, char letter) {
  return std::find(letters.begin(), letters.end(), letter) != letters.end();
}

/// Fails in NumPy's words, for the subscripts are at fault.
Value misread(Call& call, const Equation& equation, const Slots& text);
/// The equation that `text` writes for the operands; the call fails where it writes none.
Equation read_subscripts(Call& call, const std::string& text, const std::vector<TensorRef>& arrays);
/// The letters that a list of numbers stands for: 0 is A, 26 is a.
std::string letters_of(Call& call, const Value& list);

}  // namespace stridescope

// What a person does to a tensor with a pointer or a key, written as the line of code that does it, so that the program
// stays the truth.
//
// In text, as front-ends give it: a word, then integers.
//
//   permute 1 0 2        dimensions in their new order       view 4 6 · reshape 4 6   sizes
//   split 1 2            dim 1 into (.., 2)                  merge 0                  dims 0 and 1
//   flip 0 · squeeze 0   a dimension                         unsqueeze 0              a new one before dim 0
//   select 0 2           index 2 of dim 0                    slice 0 1 5 2            dim 0 from 1 to before 5 by 2
//   box 0 2 1 3          of each dim the part from .. to before .. that is cut out
//   expand 0 3           dim 0 of size 1 to size 3           contiguous               packed, copied where it is not
//   as_strided 2 3 3 1 0 sizes, strides, storage offset      write 0 1 = 9            an element, and a value as code
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ops/trace.h"

namespace stridescope {

struct Gesture {
  enum class Kind : uint8_t {
    permute,
    view,
    reshape,
    split,
    merge,
    flip,
    squeeze,
    unsqueeze,
    select,
    slice,
    box,
    expand,
    contiguous,
    as_strided,
    write,
  };
  Kind kind = Kind::permute;
  std::vector<int64_t> numbers;
  std::string value;  ///< write: one line of code
};

/// Nothing where the text is no gesture of the list above.
std::optional<Gesture> parse_gesture(std::string_view text);

/// A program with one more statement, and which step that is.
struct Rewritten {
  std::string source;
  int step = 0;
  std::string line;  ///< the statement
};

/// Adds the gesture below step `step`, done to `tensor`, which is live after it or is what its expression answered (and
/// then gets a name). The result is bound to a name that is new in the program. The reason where there is no such code:
/// numbers that the tensor has not, dimensions that do not join (with their strides), what the library cannot do.
/// @pre  0 <= step < trace.steps.size()
/// @post of a refusal nothing; else the program before and after the new line is as it was
std::variant<Rewritten, Message> rewrite(const Trace& trace, int step, const Tensor& tensor, const Gesture& gesture);

}  // namespace stridescope

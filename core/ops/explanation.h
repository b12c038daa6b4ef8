// What an explanation tells whatever its row: what a question was asked of, the memory that a result took or keeps
// alive, the cells that its elements share, and what to do about a failure that the row has no better word for. All of
// it follows from the numbers of the call, so no row says it.
#pragma once
#include <string_view>

#include "ops/trace.h"

namespace stridescope {

/// Completes what the row has said of a call that is done, before its tensors are frozen.
/// @post a success has a line, no line is there twice, the first says what was made where one does
void complete_reasons(Applied& applied);

/// What would have fitted, as hints of a failed call that has none; with a fix where it can be put in the argument's
/// place.  @pre applied.error; `source` is the program
void complete_hints(Applied& applied, std::string_view source);

/// The same for what Python itself raises, by the sentence that says why.
/// @pre problem.raised, and it has no hints
void complete_python_hints(Diagnostic& problem);

/// "2 × 3 × 4 = 24"; the number alone where there is nothing to multiply.
std::string product_text(const Dims& factors, int64_t product);
/// A stride in bytes as a stride in elements: "4", "3/2"; and several of them: "(4, 1)".
std::string elements_text(int64_t bytes, int64_t item);
std::string elements_text(const Dims& bytes, int64_t item);

}  // namespace stridescope

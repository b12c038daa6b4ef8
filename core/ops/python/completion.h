// What could be written where a cursor stands, and what the call it stands in takes. Derived from the program before
// the cursor, which is run, and from the table of operations.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/diagnostic.h"
#include "ops/op.h"

namespace stridescope {

struct Completion {
  enum class Kind : uint8_t { variable, argument, attribute, method, function, module, constant };
  Kind kind = Kind::variable;
  std::string text;    ///< the name; of an argument "dim=", of a dtype as the program writes it "torch.int32"
  std::string detail;  ///< of a variable what it holds, of an argument its type and default
  std::vector<const Form*> forms;  ///< of operations the ways to write them; of an argument the one that takes it
};

struct Completions {
  Span replaced;  ///< the name at the cursor, which the chosen text takes the place of; empty at the cursor without one
  std::vector<Completion> items;  ///< the likeliest first
};

/// The names that fit at `position` and begin with what is written of one already, upper and lower case alike: after a
/// dot the members of the value before it, elsewhere the arguments and dtypes that the call takes, then variables
/// (the latest first), modules, built-in functions.
/// @pre  none: any bytes, any position. Texts that evaluate() refuses have no completions
Completions completions_at(std::string_view source, int64_t position);

/// The call or subscript that the cursor is in.
struct CallHelp {
  struct Way {
    const Form* form = nullptr;
    int parameter = -1;  ///< of form->parameters, the one that the cursor's argument goes to; -1 where none takes it
  };
  Span callee;
  std::vector<Way> ways;
  int active = 0;  ///< the first way that takes the arguments given so far
};

/// The innermost call around `position` that is a row of the table; nothing where there is none.
/// @pre  none: any bytes, any position
std::optional<CallHelp> call_help_at(std::string_view source, int64_t position);

}  // namespace stridescope

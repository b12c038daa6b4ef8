// Where a program stands: how much may run, whose names it sees, which blocks and which calls are under way.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/flow.h"
#include "ops/bind.h"
#include "ops/settings.h"
#include "ops/trace.h"
#include "ops/value.h"

namespace stridescope {

/// How many items a program may go through in all; how many operations its loops may run outside of its functions, and
/// how many those may.
inline constexpr int max_iterations = 10'000;
inline constexpr int max_operations_repeated = 512;
inline constexpr int max_operations_called = 4096;
/// How many steps of functions there are, of one statement that calls and of a program. What runs beyond is no step.
inline constexpr int max_steps_called = 192;
inline constexpr int max_steps_called_in_all = 512;
/// How many calls of the program's functions can be under way.
inline constexpr int max_calls_deep = 40;

/// Names of the program, or of one call of a function.
struct Scope {
  using Binding = std::pair<std::string, Value>;

  FunctionPtr function;  ///< null of the program
  int outer = -1;        ///< where else names are looked for, -1 nowhere
  std::vector<Binding> bindings = {};
  bool kept = false;  ///< a function that was defined in it may still see it
  /// The line that would have bound a name, and whether Python fails there too; the line to mend first, the same or,
  /// where that one only failed for a name that has no known value, another.
  struct Failure {
    int line = 0;
    bool raised = false;
    int first = 0;
    bool lost = false;        ///< it had a value, which that line may have written into
    bool foreign = false;  ///< of a module that is neither library's: its objects are not taken to write into what they
                           ///< were handed
    std::string module = {};  ///< that an import would have bound it to, and that is not here
    std::vector<TensorPtr> holds = {};        ///< what it may hold or share memory with
    std::vector<FunctionPtr> functions = {};  ///< what it may call
    std::vector<const void*> steps = {};      ///< optimizers whose settings it may change (object_of)
  };
  std::map<std::string, Failure, std::less<>> failed = {};

  bool owns(std::string_view name) const;
  /// What `global` or `nonlocal` says of the name; null where neither does.
  const Outside* says_outside(std::string_view name) const;
};

/// A block that runs, from its header to its last statement: what is so again behind it, and what it alone has a name
/// for.
struct Block {
  const Statement* first;
  const Statement* last;
  Gradients gradients;
  std::optional<TextOptions> texts = {};  ///< of a `with` of np.printoptions(): those that are so again at its end
  std::string name = {};
  Value caught = {};  ///< of an `except`
  std::optional<Diagnostic::Raised> failed = {};  ///< what a line of a `with` has raised, behind which we go on
  // A loop: how far it has come, what it goes through (an array or a list; items) and what made that. Of a `with` the
  // array is the nditer that is closed at its end, and the items are objects that are told of it.
  int round = 0, rounds = 0;
  Value array = {};
  std::vector<Value> items = {};
  std::vector<Applied> applied = {};
};

/// Where a call was made, which goes on there when it is over.
struct Caller {
  Flow* flow;
  Written assigned;
  ClassPtr type;
  int scope;
  size_t first_block;
  std::vector<Scope::Binding> locals;
  int operations;  ///< outside of calls, where it was made there
};

/// A call of which the header and the lines from that one on are steps, however many there are already.
struct ToldCall {
  int call;  ///< Activation::number
  int from;
};
/// How many lines before the one that failed are told.
inline constexpr int told_before_failure = 24;

/// What there was before a call.
struct BeforeCall {
  int storages;
  int untold;                         ///< lines that are no steps
  std::vector<ContentsPtr> contents;  ///< of its inputs
};

/// A call of a generator that waits (generators.cpp).
struct Suspended;

/// Takes each statement when it has run, with all that run() tells of it, and whether it is a step; an import only
/// where it has an error.
using Record = std::function<void(Step&& step, bool told)>;
/// The text whose lines run, who is told of them, and where in it they are.
struct Telling {
  std::string_view source;
  Record record;
  Flow* flow;
};

/// One of the program's functions that runs: what it gives, or what ends it, and which statement does.
struct Activation {
  FunctionPtr function;
  Value returned = {};
  std::optional<Diagnostic> error = {};
  const Statement* ended_by = nullptr;
  Suspended* generator = nullptr;   ///< that it goes on with
  std::optional<Value> given = {};  ///< by the `yield` that it has come to
  Step* called_by = nullptr;
  int number = 0;       ///< among all calls, in the order in which they begin
  int lines = 0;        ///< that have run, its header among them
  bool untold = false;  ///< some of them are no steps
  std::optional<Telling> outside = {};  ///< of a library's: of the lines that call it
};

}  // namespace stridescope

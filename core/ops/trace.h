// What a program did, step by step: the one result of evaluation, and all that pictures and reports are made from.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/ast.h"
#include "layout/view.h"
#include "ops/tensor.h"
#include "ops/value.h"

namespace stridescope {

struct Op;  // a row of the operation table, op.h

/// What the result of an operation is to its input.
enum class Relation : uint8_t {
  none,   ///< no tensor came of it (a query, a failure)
  fresh,  ///< new storage with new contents
  view,   ///< another recipe on the same storage
  copy,   ///< new storage, elements copied
  same,   ///< the very object
  write,  ///< elements of a storage changed
};

/// One attempt to see elements under other sizes without moving them (view, reshape, flatten, unflatten, ..):
/// what the view verdict draws. `from` is in the tensor's units.
struct ViewAttempt {
  TensorPtr tensor;
  Dims requested;          ///< as written, -1 included
  Dims sizes;              ///< with -1 resolved
  Order order = Order::c;  ///< in which the elements are read and filled in
};

/// Where the parts of `receiver.name(list)` or `receiver.name = list` stand in the source; those that were not written
/// are empty.
struct Parts {
  Span receiver;
  Span name;
  Span list;  ///< the arguments with their brackets, or what is assigned
};

/// One operation inside a statement: a call, a subscript, an attribute, an operator.
struct Applied {
  Span span;  ///< of the expression
  Parts parts;
  const Op* op = nullptr;         ///< its row; null where no operation was found
  std::string title;              ///< source text of the expression, on one line
  std::vector<TensorPtr> inputs;  ///< tensors it was given, the receiver first
  Value result;                   ///< as printed by the library; none on failure
  Relation relation = Relation::none;
  Explanation why;
  std::shared_ptr<const ViewAttempt> attempt;  ///< null where none was made
  std::optional<Diagnostic> error;
};

struct Named {
  std::string name;  ///< "y", or "p[0]" for a tensor inside a tuple
  TensorPtr tensor;
};

/// A live variable that another line's effect altered.
struct Change {
  std::string name;
  bool values = false;    ///< elements differ
  bool metadata = false;  ///< sizes, strides or offset differ
};

/// What a storage holds after a step.
struct Held {
  int storage = -1;  ///< its id
  ContentsPtr contents;
  bool drawn = false;  ///< as Storage has it
};

/// One statement, run.
struct Step {
  const Statement* statement = nullptr;  ///< points into Trace::program
  Span span;
  int line = 0;
  std::string text;                  ///< source text of the statement
  std::vector<std::string> targets;  ///< names it binds
  std::vector<std::pair<std::string, Value>> named_inside;  ///< what := in it gave to which names
  bool unpack = false;
  Value value;                   ///< of the expression or right-hand side; none for a failed or a pure statement
  Value printed;                 ///< what a `print` was given, several as a tuple; none of other statements
  std::vector<Span> wrote;       ///< what it wrote, in Trace::output: pieces, for between two it may call what writes
  bool wrote_unknown = false;    ///< of which a part is not known
  std::vector<Applied> applied;  ///< in order of evaluation; the last is what the statement is about
  std::optional<Diagnostic> error;
  Gradients gradients = Gradients::followed;  ///< where it stands
  int inside = -1;  ///< the step it is a part of: of a line in a loop or a function the header that began the round or
                    ///< the call; of such a header of a function the statement that calls, which comes behind; else -1
  int round = 0;    ///< which round or call it begins, counted from 1: of the header of a loop or function, and of what
                    ///< a lambda gives in one call; else 0
  int rounds = 0;   ///< of `for`: how many there are; of a `while` that ends: how many there were; of a call: how many
  std::vector<Change> changed;
  std::vector<Named> names;    ///< every live tensor after this step, in order of binding
  std::vector<Named> memories;  ///< and what is no tensor but lends memory, or shows some: as one
  std::vector<Held> contents;  ///< of every storage in these, in order of their ids

  bool names_inside(std::string_view name) const;
  /// Contents of a storage as they were after this step, and whether stand-ins for random values had gone into them.
  /// @pre the storage belongs to a tensor in names, value or applied
  const ContentsPtr& contents_of(const Storage& storage) const;
  bool is_drawn(const Storage& storage) const;
  /// What a tensor is called after it: by a name of its own rather than as a part of another value ("m.weight"); null
  /// where no name leads to it.
  const Named* named(const Tensor& tensor) const;
  /// The same of memory: the bytearray that keeps it, the memory view that shows it.
  const Named* memory_named(const Tensor& memory) const;
};

/// Whether it begins a call of a function, or is one of a lambda.
inline bool is_call(const Step& step) {
  return step.round > 0 && (!is_loop(*step.statement) || step.span != step.statement->span);
}

struct Trace {
  std::string source;
  Program program;
  std::vector<Step> steps;   ///< one each time that a statement runs which is no import, pass, break, continue, else,
                             ///< try or finally, in the order in which they end, of a call before what calls; stops at
                             ///< the operation limit
  std::vector<Span> passed;  ///< lines that are not run: Python passes over them, or they are behind the limit
  std::vector<Diagnostic> diagnostics;  ///< of the text as a whole (too long, too many operations, not UTF-8)
  /// What `print` writes, as Python would, to the character; "…" stands for what is not known, as where in memory an
  /// object lies, and for what is beyond max_output_bytes.
  std::string output;
};

inline constexpr int max_source_bytes = 20'000;
inline constexpr int max_operations = 256;
inline constexpr size_t max_output_bytes = 65'536;

/// A piece of Trace::output, and the number of the step that wrote it.
struct Writing {
  std::string_view text;
  int step = 0;
};
/// All of it, in order.
std::vector<Writing> writings(const Trace& trace);
/// What the step itself wrote, without what it called.
std::string written_by(const Trace& trace, const Step& step);
/// The same for a place of one line, of at most `limit` bytes: of several lines the first, with " …" behind it.
std::string written_line(const Trace& trace, const Step& step, size_t limit);

/// Whether a step is another one or a part of it.
bool is_within(const Trace& trace, int step, int other);
/// Whether a call runs it, of whatever function.
bool in_a_call(const Trace& trace, const Step& step);

/// Runs a program.  @pre none: any text is accepted. @post never allocates by element count
Trace evaluate(std::string source);

/// Which of the storages that its steps tell of it is, in the order in which they were made: what a library's function
/// made on its way is not counted.
int64_t number_of(const Trace& trace, const Storage& storage);

/// The steps that stand beside the program while step `chosen` is looked at: one a statement that ran, in order of the
/// text. Of one in a loop or a function it is the run in the round or call that `chosen` is in, else the last.
std::vector<int> beside(const Trace& trace, int chosen);

/// What the statement as a whole made of its tensor: of `x = torch.arange(6).view(2, 3)` something fresh, though its
/// last operation is a view; of `y = x.t().contiguous().view(-1)` a copy. A bare name is the very object.
Relation relation(const Step& step);

/// What a statement that gives several names values gives to each: "b 2  y (2, 3):(3, 1)+0"; "" of others, and where
/// one of them is not known.
std::string bound_text(const Step& step);

/// What the header of a block or a call decides, "Round 2 of 3 begins."; nothing of another statement, and where it
/// fails.
std::optional<Message> decision(const Step& step);

/// A tensor as it was left after `step`; its values by element number (row-major). @pre element in range
Scalar value_at(const Step& step, const Tensor& tensor, int64_t element);

}  // namespace stridescope

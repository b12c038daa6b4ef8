// Runs statements one after another: names, expressions, and the operations inside them.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lang/flow.h"
#include "ops/bind.h"
#include "ops/call.h"
#include "ops/python.h"
#include "ops/trace.h"

namespace stridescope {

/// How many items a program may go through in all, and how many operations have run when no loop goes on.
inline constexpr int max_iterations = 10'000;
inline constexpr int max_operations_in_loops = 192;

/// Where an expression stands, as an argument.
Written written(const Expr& expr);

class Interpreter {
 public:
  explicit Interpreter(std::string_view source) : source_(source) {}

  /// Runs the statement that `flow` came to last, or passes over what cannot be read, and fills the step's value,
  /// targets, applied and error.
  /// @post a failing statement leaves its targets unbound, a block that is not run what it would have changed
  void run(const Statement& statement, Step& step, Flow& flow);
  /// Binds the names of an import, or says why it cannot.
  std::optional<Diagnostic> import(const Statement& statement);

  /// Names and what they are bound to, in order of first binding.
  const std::vector<std::pair<std::string, Value>>& bindings() const { return bindings_; }
  /// Operations run so far; a statement without one counts as one.
  int operations() const { return operations_; }
  /// Whether gradients are followed where the last statement stands.
  Gradients gradients() const { return gradients_; }

 private:
  /// Nothing: error_ says why.
  using Result = std::optional<Value>;

  Result fail(Diagnostic problem, Span span);
  Result settle(Outcome outcome, Span span);

  Result eval(const Expr& expr);
  Result eval_children(const Expr& expr, Sequence::Kind kind);
  Result eval_name(const Expr& expr);
  Result eval_attribute(const Expr& expr);
  Result eval_call(const Expr& expr);
  Result eval_subscript(const Expr& expr);
  Result eval_slice(const Expr& expr);
  Result eval_unary(const Expr& expr);
  Result eval_binary(const Expr& expr);
  Result eval_logic(const Expr& expr);
  Result eval_compare(const Expr& expr);
  Result eval_comprehension(const Expr& expr);
  /// An f-string. Where `seen` is false nobody will read it: its fields are evaluated, but need not be written.
  Result eval_fstring(const Expr& expr, bool seen = true);
  bool run_loops(const Expr& expr, size_t loop, std::vector<Value>& items);

  Result attribute(const Value& owner, const Expr& at);
  Result module_member(const std::string& path, std::string_view member, const Expr& at);
  Result call(const Value& callee, Arguments arguments, const Expr& at);
  Result call_method(std::string_view owner, const std::string& name, const Arguments& arguments, const Expr& at);
  Result builtin(const Builtin& function, const Arguments& arguments, const Expr& at);
  // sum; max and min; sorted: by the operators of what they go through.
  Result total_of(const std::vector<Value>& arguments, const Expr& at);
  Result best_of(std::string_view name, const std::vector<Value>& arguments, const Expr& at);
  Result sorted(const std::vector<Value>& arguments, const Expr& at);
  /// Whether `a op b` holds; nothing: error_ says why it is not known.
  std::optional<bool> holds(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result binary(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result compare(std::string_view op, const Value& a, const Value& b, const Expr& at);
  Result subscript(const Value& owner, const Value& key, const Expr& at, const Expr& key_at);
  /// The first of `overloads` that the arguments fit, applied.
  Result invoke(std::span<const Form* const> overloads, const Arguments& arguments, Span span);
  /// What iterating over `value` gives; of a tensor, its rows.
  std::optional<std::vector<Value>> items_of(const Value& value, Span span);
  Result row_of(const Value& array, int64_t row, Span span);

  bool assign(const Expr& target, const Value& value);
  bool unpack(const Expr& target, const Value& value);
  Result augment(const Statement& statement);
  Result check(const Statement& statement);
  Result raise(const Statement& statement);
  Result forget(const Statement& statement);
  Result enter(const Statement& header, Flow& flow);
  /// What the next round of a loop begins with: of `for` the item, of `while` whether the condition holds.
  Result round(const Statement& header, Flow& flow);
  Result round_of_items(const Statement& header, bool first, Flow& flow);
  Result condition(const Statement& header);
  Result caught(const Statement& header, const Diagnostic::Raised& raised);
  Result contexts(const Statement& header);
  void leave_blocks(const Statement& statement);
  void lose(const Statement& block);
  void lose_clauses(const Statement& header);
  void bind_name(const std::string& name, Value value);
  void unbind(const std::string& name);
  const Value* find(std::string_view name) const;

  std::string title(Span span) const;
  Diagnostic unknown_name(const Expr& expr) const;

  std::string_view source_;
  Numbering numbering_;
  std::vector<std::pair<std::string, Value>> bindings_;
  std::map<std::pair<int, std::string>, Value> attributes_;  ///< that the program gave tensors, by their objects
  std::vector<std::pair<std::string, Value>> locals_;        ///< of comprehensions, the innermost last
  /// The line that would have bound a name, and whether Python fails there too.
  struct Failure {
    int line;
    bool raised;
  };
  std::map<std::string, Failure, std::less<>> failed_;
  std::optional<Diagnostic> error_;
  Gradients gradients_ = Gradients::followed;
  /// A block that runs, from its header to its last statement: what is so again behind it, and what it alone has a
  /// name for.
  struct Block {
    const Statement* first;
    const Statement* last;
    Gradients gradients;
    std::string name = {};
    Value caught = {};  ///< of an `except`
    // A loop: how far it has come, what it goes through (an array, or items) and what made that.
    int round = 0, rounds = 0;
    Value array = {};
    std::vector<Value> items = {};
    std::vector<Applied> applied = {};
  };
  Block& open_block(const Statement& header);
  std::vector<Block> blocks_;
  Step* step_ = nullptr;
  Written assigned_;  ///< the right-hand side of the statement
  int operations_ = 0;
  int iterations_ = 0;
  int depth_ = 0;
};

}  // namespace stridescope

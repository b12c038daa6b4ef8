// Which statement of a program comes next: past branches that are not taken, out of what raises, and round its loops.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "lang/ast.h"

namespace stridescope {

/// Goes through the statements that run, in order. What it is told of a header of a block, or of an error, is said of
/// the statement that came last.
class Flow {
 public:
  explicit Flow(const Program& program)
      : statements_(program.statements),
        passed_(statements_.size()),
        came_(std::make_shared<std::vector<bool>>(statements_.size())),
        end_(statements_.size()) {}
  /// Of the lines of a function that a statement of `caller` calls.
  Flow(const Flow& caller, const Statement& function)
      : statements_(caller.statements_), passed_(statements_.size()), came_(caller.came_) {
    begin_ = at_ = static_cast<size_t>(&function - statements_.data()) + 1;
    end_ = begin_ + static_cast<size_t>(function.body);
  }
  /// @return null at the end. What cannot be read comes wherever it stands
  const Statement* next();
  /// A statement runs that does not come: one of those that a class is made of.
  void note(const Statement& statement) { (*came_)[static_cast<size_t>(&statement - statements_.data())] = true; }
  /// Whether the block of a header runs. Where that is not known, no later clause does either. The header of a loop
  /// comes again after each round, `last` one apart.
  void choose(std::optional<bool> runs, bool last = false);
  /// The lines that Python would leave are passed over: of a function all, where nothing catches; a loop of a program
  /// ends with this round.
  /// @return whether an `except` comes next
  bool raise(const Diagnostic::Raised& raised);
  /// Whether what came last is an `except` that is asked about something; and about what.
  bool is_asked() const { return raised_.count(at_ - 1) > 0; }
  const Diagnostic::Raised& raised() const { return raised_.at(at_ - 1).what; }
  /// `return`: what is left of the function is passed over.
  void end();
  /// What came last comes again.
  void again() { --at_; }
  /// Whether it was left by a `return`.
  bool returned() const { return returned_; }
  /// What left the function, and the statement that raised it.
  struct Raised {
    Diagnostic::Raised what;
    const Statement* by;
  };
  const std::optional<Raised>& uncaught() const { return uncaught_; }
  /// Nothing is known of what is left of the function.
  void abandon();
  /// Leaves all loops: of what their lines would do nothing is known.
  /// @return the header of the outermost
  const Statement& give_up();
  /// What Python would not run, as far as it is known now: from the first to the last of statements side by side.
  std::vector<Span> passed() const;

 private:
  struct Loop {
    size_t header;
    bool ends;  ///< with this round
    bool left;  ///< and its `else` is passed over
  };
  /// A way out of a block, of which a `finally` on the way may think better.
  struct Leaving {
    size_t from, to;
    std::vector<bool> passed;  ///< before
    std::vector<Loop> loops;
    std::optional<Raised> uncaught;
    bool returned;
  };
  void pass(size_t from, size_t end, bool passed = true);
  void pass_handlers(size_t head, bool raised);
  bool raise(Raised raised);
  void leave(size_t end);
  void stay(size_t header, size_t end);
  void jump();
  size_t behind(size_t header) const;  ///< the statement after its block

  const std::vector<Statement>& statements_;
  std::vector<bool> passed_;
  std::shared_ptr<std::vector<bool>> came_;  ///< in any call
  std::vector<Loop> loops_;                  ///< whose rounds are under way, the innermost last
  std::vector<Leaving> leaving_;             ///< under way, the latest last
  std::map<size_t, Raised> raised_;          ///< by `except` that is asked about it
  std::optional<Raised> uncaught_;
  bool returned_ = false;
  size_t begin_ = 0, end_ = 0;  ///< what it goes through
  size_t at_ = 0;               ///< the statement after the one that came last
};

}  // namespace stridescope

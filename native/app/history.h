// Undo and redo over everything that changes the program: typing, fixes, gestures, a file read again.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace stridescope {

struct Moment {
  std::string source;
  int step = -1;
};

class History {
 public:
  /// Notes that `before` became `after`. Letters typed or removed one after another are undone together, a word at a
  /// time.
  void note(Moment before, const std::string& after);
  /// What was before, or came after, `now`; nothing where there is no such moment.
  std::optional<Moment> undo(Moment now) { return move(past_, future_, std::move(now)); }
  std::optional<Moment> redo(Moment now) { return move(future_, past_, std::move(now)); }
  bool can_undo() const { return !past_.empty(); }
  bool can_redo() const { return !future_.empty(); }
  void clear() { *this = {}; }

 private:
  enum class Kind { typed, removed, other };
  std::optional<Moment> move(std::vector<Moment>& from, std::vector<Moment>& to, Moment now);

  std::vector<Moment> past_, future_;
  Kind last_ = Kind::other;
  std::string after_;  ///< of the last change
};

}  // namespace stridescope

#include "lang/flow.h"

#include <algorithm>
#include <utility>

namespace stridescope {

size_t Flow::behind(size_t header) const { return header + 1 + static_cast<size_t>(statements_[header].body); }

void Flow::pass(size_t from, size_t end, bool passed) {
  std::fill(passed_.begin() + static_cast<std::ptrdiff_t>(from), passed_.begin() + static_cast<std::ptrdiff_t>(end),
            passed);
}

/// Of a `try`: only where its lines raise is an `except` asked, and only where they do not is `else` run.
void Flow::pass_handlers(size_t head, bool raised) {
  const size_t end = behind(head) + static_cast<size_t>(statements_[head].rest);
  for (size_t header = behind(head); header < end; header = behind(header))
    pass(header, behind(header), is_clause(statements_[header], "except") != raised);
}

/// Passes over what comes before `end`, but for the `finally` of each `try` that the statement is inside.
void Flow::leave(size_t end) {
  const size_t from = at_ - 1;
  leaving_.push_back({from, end, passed_, loops_, uncaught_, returned_});
  pass(at_, end);
  for (size_t head = begin_; head < from; ++head) {
    if (!is_clause(statements_[head], "try")) continue;
    const size_t last = behind(head) + static_cast<size_t>(statements_[head].rest);
    if (from < last && last < end && is_clause(statements_[last], "finally")) pass(last, behind(last), false);
  }
}

/// Whatever was on its way out of the block of a header does not leave it.
void Flow::stay(size_t header, size_t end) {
  const auto in_block = [&](const Leaving& one) { return one.from > header && one.from < end; };
  const auto before = std::find_if(leaving_.begin(), leaving_.end(), in_block);
  if (before == leaving_.end()) return;
  passed_ = before->passed;
  for (size_t i = 0; i < loops_.size() && i < before->loops.size(); ++i) loops_[i] = before->loops[i];
  uncaught_ = before->uncaught;
  returned_ = before->returned;
  leaving_.erase(before, leaving_.end());
}

/// `break` or `continue`. In a `finally` it puts an end to what was on its way out of the round.
void Flow::jump() {
  const size_t header = loops_.back().header, end = behind(header);
  stay(header, end);
  leave(end);
  loops_.back().left |= statements_[at_ - 1].text == "break";
}

const Statement* Flow::next() {
  for (;;) {
    std::erase_if(leaving_, [&](const Leaving& one) { return at_ >= one.to; });
    if (!loops_.empty() && at_ == behind(loops_.back().header)) {
      const Loop loop = loops_.back();
      if (loop.ends || loop.left) loops_.pop_back();
      if (loop.left) pass(at_, at_ + static_cast<size_t>(statements_[loop.header].rest));
      if (!loop.ends && !loop.left) at_ = loop.header;
    } else if (at_ == end_) {
      return nullptr;
    } else if (passed_[at_] && statements_[at_].kind != Statement::Kind::error) {
      ++at_;
    } else {
      const Statement& statement = statements_[at_];
      (*came_)[at_] = true;
      if (is_clause(statement, "try")) pass_handlers(at_, false);
      ++at_;
      if (statement.kind != Statement::Kind::jump) return &statement;
      jump();
    }
  }
}

std::vector<Span> Flow::passed() const {
  std::vector<Span> spans;
  bool before = false;
  for (size_t i = 0; i < statements_.size(); ++i) {
    const bool now = passed_[i] && !(*came_)[i] && statements_[i].kind != Statement::Kind::error;
    if (now && before) spans.back().end = statements_[i].span.end;
    if (now && !before) spans.push_back(statements_[i].span);
    before = now;
  }
  return spans;
}

void Flow::choose(std::optional<bool> runs, bool last) {
  const size_t header = at_ - 1, end = behind(header), rest = static_cast<size_t>(statements_[header].rest);
  if (is_loop(statements_[header])) {
    const bool under_way = !loops_.empty() && loops_.back().header == header;
    if (under_way) loops_.pop_back();
    if (runs && *runs) loops_.push_back({header, last, false});
    pass(at_, end, !runs || !*runs);
    if (!runs) pass(end, end + rest);
    return;
  }
  if (!runs || !*runs) pass(at_, end);
  if (!runs || *runs) pass(end, end + rest);
  const bool asked = rest > 0 && is_clause(statements_[end], "except");
  if (!runs || *runs || !is_clause(statements_[header], "except")) return;
  const Raised raised = raised_.at(header);
  if (asked)
    raised_[end] = raised;
  else
    raise(raised);  // nobody has caught it
}

bool Flow::raise(const Diagnostic::Raised& raised) { return raise({raised, &statements_[at_ - 1]}); }

bool Flow::raise(Raised raised) {
  const size_t from = at_ - 1;
  for (size_t head = from; head-- > begin_;) {
    if (!is_clause(statements_[head], "try") || from >= behind(head) || statements_[head].rest == 0) continue;
    stay(head, behind(head));
    leave(behind(head));
    pass_handlers(head, true);
    raised_[behind(head)] = std::move(raised);
    for (Loop& loop : loops_) loop.left |= loop.header > head;
    return true;
  }
  if (begin_ > 0) leave(end_);
  for (Loop& loop : loops_) loop.left = true;
  uncaught_ = std::move(raised);
  returned_ = false;
  return false;
}

void Flow::end() {
  leave(end_);
  for (Loop& loop : loops_) loop.left = true;
  uncaught_.reset();
  returned_ = true;
}

void Flow::abandon() {
  loops_.clear();
  std::fill(came_->begin() + static_cast<std::ptrdiff_t>(at_), came_->begin() + static_cast<std::ptrdiff_t>(end_),
            true);
  at_ = end_;
}

const Statement& Flow::give_up() {
  const size_t header = loops_.empty() ? at_ - 1 : loops_.front().header;
  pass(at_, behind(header) + static_cast<size_t>(statements_[header].rest));
  loops_.clear();
  return statements_[header];
}

}  // namespace stridescope

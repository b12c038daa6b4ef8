// Programs as test cases: run one, ask what its last lines did.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "ops/contents.h"
#include "ops/trace.h"

namespace stridescope {

/// Whether there are tensors in a value whose elements were not known after a step, or such scalars.
inline bool is_unknown(const Step& step, const Value& value) {
  if (const TensorPtr tensor = tensor_of(value)) return !is_known(*step.contents_of(*tensor->storage));
  const auto parts = parts_of(value);
  return is_unknown(value) ||
         std::any_of(parts.begin(), parts.end(), [&](const Value& part) { return is_unknown(step, part); });
}

/// Whether a step makes or writes such values.
inline bool leaves_unknown(const Step& step) {
  const auto writes = [&](const Applied& one) {
    return one.relation == Relation::write && !one.inputs.empty() &&
           !is_known(*step.contents_of(*one.inputs.front()->storage));
  };
  return is_unknown(step, step.value) || std::any_of(step.applied.begin(), step.applied.end(), [&](const Applied& one) {
           return is_unknown(step, one.result) || writes(one);
         });
}

/// A program run, and its parts by name.
class Ran {
 public:
  explicit Ran(std::string source) : trace(evaluate(std::move(source))) {}

  const Step& step(int i) const {
    return trace.steps.at(i < 0 ? trace.steps.size() - static_cast<size_t>(-i) : static_cast<size_t>(i));
  }
  const Step& last() const { return step(-1); }
  /// The tensor bound to `name` after the last step, or null.
  TensorPtr tensor(std::string_view name) const {
    for (const Named& named : last().names)
      if (named.name == name) return named.tensor;
    return nullptr;
  }
  /// "(2, 3):(3, 1)+0" of what is bound to `name`.
  std::string layout(std::string_view name) const {
    const TensorPtr found = tensor(name);
    return found ? to_string(found->layout) : "nothing";
  }
  /// "0 3 1 4": the elements in row-major order, at most 64.
  std::string values(std::string_view name) const {
    const TensorPtr found = tensor(name);
    std::string text;
    for (int64_t i = 0; found && i < numel(found->layout.sizes).value_or(0) && i < 64; ++i)
      text += (i > 0 ? " " : "") + label(value_at(last(), *found, i));
    return text;
  }
  /// What the last statement is worth, as Python prints it.
  std::string value() const { return to_string(last().value); }
  /// "IndexError: ..", "ours" for a limit of ours, "" where the last statement succeeded.
  std::string error() const {
    const auto& problem = last().error;
    if (!problem) return "";
    return problem->raised ? problem->raised->type + ": " + problem->raised->text : "ours";
  }
  /// Whether the last statement is refused for a name that a line before has lost.
  bool names_nothing_known() const {
    const auto& problem = last().error;
    return problem && (problem->reason.id == Msg::name_unbound_by_failure || problem->reason.id == Msg::name_lost);
  }
  Relation relation() const { return last().applied.back().relation; }
  /// Whether the last operation is explained by that message.
  bool says(Msg message) const {
    for (const Message& line : last().applied.back().why.lines)
      if (line.id == message) return true;
    return false;
  }

  Trace trace;
};

/// Whatever of these lines follows `setup` is refused in our words, and leaves what `name` is bound to.
inline void expect_limits(const std::string& setup, std::span<const char* const> lines, std::string_view name) {
  const std::string layout = Ran(setup).layout(name);
  for (const char* const line : lines) {
    const Ran ran(setup + line);
    EXPECT_EQ(ran.error(), "ours") << line;
    EXPECT_EQ(ran.layout(name), layout) << line << " left it as it was";
    if (ran.last().error) {
      EXPECT_FALSE(plain(ran.last().error->reason, Language::english).empty()) << line;
    }
  }
}

}  // namespace stridescope

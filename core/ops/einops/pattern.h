// Patterns of einops: which axes a tensor's dims are made of, and which dims are made of them: "b (h p) -> b p h".
// Source: einops 0.8.1
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/diagnostic.h"
#include "layout/dims.h"
#include "ops/value.h"

namespace stridescope {

/// An axis of a pattern.
struct PatternAxis {
  std::string_view name;  ///< "h"; "2" of one that has a size alone; "..." of a dim without a name
  Span at;                ///< where the pattern has it
  int64_t size = 0;       ///< of one that has a size alone: there is no second one that it could be; else 0
  int place = 0;          ///< which of the dims without a name

  /// Whether they are one and the same.
  friend bool operator==(const PatternAxis& a, const PatternAxis& b) {
    return a.name == b.name && a.size == b.size && (a.size > 0 ? a.at == b.at : a.place == b.place);
  }
};

/// Whether it stands for all dims without a name.
bool is_ellipsis(const PatternAxis& axis);
/// Whether that axis is among them.
bool has_axis(const std::vector<PatternAxis>& axes, const PatternAxis& axis);
/// As Python prints a set of them: {'a', '…', 2-axis}.
std::string set_text(const std::vector<PatternAxis>& axes);

/// One side of a pattern.
struct PatternSide {
  std::vector<std::vector<PatternAxis>> dims;      ///< of each dim the axes that make it, none where its size is 1
  bool ellipsis = false, ellipsis_inside = false;  ///< whether it has one, and that in brackets

  std::vector<PatternAxis> axes() const;
};

/// What is wrong with a pattern, and where in it; what is raised of a limit is nothing.
struct PatternProblem {
  Diagnostic problem;
  Span at = {};
};

/// The parts of patterns that only some functions take.
struct PatternRules {
  bool underscore = false;  ///< "_" for a dim whose size nobody asks for
  bool twice = false;       ///< an axis more than once
};

/// Reads one side. `begin` is where it stands in the pattern.
std::optional<PatternProblem> read_side(std::string_view text, int32_t begin, PatternSide& side,
                                        PatternRules rules = {});
/// Why a word is no name of an axis, as einops says it; nothing where it is one.
std::optional<std::string_view> misnamed(std::string_view word);
/// An EinopsError, with our reason.
PatternProblem einops_error(const Slots& text, Msg reason, const Slots& slots, Span at = {});

/// What rearrange, reduce and repeat do, one after the other; what is not needed is left out.
struct Recipe {
  std::optional<Dims> split;                       ///< the sizes of all axes of the left side
  std::optional<Dims> order;                       ///< the dims of that, the axes of the right side first
  Dims reduced;                                    ///< which dims are left out then
  std::vector<std::pair<int64_t, int64_t>> added;  ///< new dims at these places, of these sizes
  int rank = 0;                                    ///< how many dims there are with them
  std::optional<Dims> joined;                      ///< the sizes of the dims of the right side
  std::string axes;                                ///< "b = 2, h = 4": all that have a name, with their sizes
};

/// `unknown` is what reduces by a name that there is not.
enum class Rearrangement : uint8_t { rearrange, repeat, reduce, unknown };

/// A size that is given for an axis; `checked` where Python knows it as an int of its own.
struct GivenSize {
  std::string name;
  int64_t size;
  bool checked = true;
};

/// What reduces by that name: rearrange and repeat are names of it, too.
Rearrangement rearrangement(std::string_view method);

/// The size that a keyword gives; nothing of what is no integer.
std::optional<GivenSize> given_size(const std::string& name, const Value& value);

/// The recipe of a pattern for a tensor of these sizes, or what is wrong. Without sizes only what the pattern itself
/// tells is looked at, for a tensor of the rank that it names.
/// @pre `method` names what reduces, where something does
std::optional<PatternProblem> plan(std::string_view pattern, Rearrangement operation, std::string_view method,
                                   const std::vector<GivenSize>& given, const Dims* sizes, Recipe& recipe);
/// How many dims the left side names, and whether there may be more.  @pre plan() has found nothing wrong with it
struct PatternRank {
  int named = 0;
  bool more = false;
};
PatternRank rank_of(std::string_view pattern);

}  // namespace stridescope

// What a thing on the screen is about. Statements, words of an explanation, grid cells and strip cells all carry a
// Target; hovering or focusing one lights up everything whose target is equal to it or contains it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace stridescope {

struct Target {
  enum class Kind : uint8_t {
    none,
    step,     ///< statement number `index`
    tensor,   ///< tensor object `owner`, whole
    axis,     ///< dimension `index` of tensor object `owner`
    element,  ///< element number `index` (row-major logical order) of tensor object `owner`
    cell,     ///< cell number `index` of storage `owner`
    fix,      ///< hint number `index` of the error that is drawn: a click applies its fix
    line,     ///< line number `index` of the program, counted from 1
  };
  Kind kind = Kind::none;
  int32_t owner = -1;  ///< identity of a tensor object or of a storage, as numbered by the evaluator
  int64_t index = -1;

  friend constexpr bool operator==(const Target&, const Target&) = default;
};

/// "cell:0:12", "axis:3:1", "step:2", "" for none. The form that crosses the border to a front-end.
std::string to_string(const Target& target);
/// The inverse; anything unreadable is Kind::none.
Target parse_target(std::string_view text);

}  // namespace stridescope

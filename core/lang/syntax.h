// What the parts of a program are to the eye: what an editor colours, and which bracket belongs to which.
#pragma once
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/diagnostic.h"

namespace stridescope {

struct Syntax {
  enum class Kind : uint8_t {
    word,  ///< Python's own: for, None
    number,
    string,   ///< with its quotes; up to the end of the line where it is not closed
    comment,  ///< from its # to the end of the line
  };
  Kind kind = Kind::word;
  Span span;

  friend bool operator==(const Syntax&, const Syntax&) = default;
};

/// The parts that stand out, in order; names, operators and what cannot be read are left out.
/// @pre none: any bytes  @post spans lie inside the source, are not empty and do not overlap
std::vector<Syntax> syntax(std::string_view source);

/// Whether a method or an index can stand behind an expression as it is written: a name or a call, no operation.
bool takes_suffix(std::string_view expression);

/// The bracket before byte `position`, else the one after it, and its mate, as they stand; nothing where there is no
/// such bracket or it has no mate.
std::optional<std::pair<Span, Span>> brackets_at(std::string_view source, int position);

}  // namespace stridescope

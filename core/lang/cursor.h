// Where in a half-written program a cursor stands: what completion and signature help start from. Text only.
#pragma once
#include <string_view>
#include <vector>

#include "lang/diagnostic.h"

namespace stridescope {

/// A call or subscript whose bracket is open at the cursor.
struct OpenCall {
  Span callee;                          ///< the expression before the bracket
  bool subscript = false;               ///< x[ and not f(
  int positional = 0;                   ///< arguments without a name that are finished
  std::vector<std::string_view> named;  ///< names given by the finished arguments
  std::string_view name;                ///< of the argument the cursor is in; empty where it has none
  bool fresh = true;  ///< the argument has no word before the one at the cursor: a keyword may begin here
};

struct Cursor {
  enum class Place : uint8_t {
    other,   ///< inside a string, a comment, a number, or where only an operator fits
    name,    ///< the first name of an operand fits
    member,  ///< after the dot of `owner`
  };
  Place place = Place::other;
  Span word;                    ///< of the name at the cursor, all of it; empty at the cursor where there is none
  std::string_view typed;       ///< what stands of it before the cursor
  Span owner;                   ///< member: the expression before the dot
  int32_t statement = 0;        ///< where the statement with the cursor begins
  std::vector<OpenCall> calls;  ///< the innermost last
};

/// @pre  none: any bytes, any position (one outside is moved to the nearest end)
/// @post spans lie inside the source; word.begin <= position <= word.end
Cursor cursor_at(std::string_view source, int64_t position);

}  // namespace stridescope

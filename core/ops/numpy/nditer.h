// An nditer: what it gives one after the other, and where it stands.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/call.h"
#include "ops/python/generators.h"
#include "ops/python/python.h"

namespace stridescope {

/// The places that an nditer comes to, in the order in which it does. Every name for it sees how far it has come, so
/// steps keep none.
/// Source: NumPy's documentation of nditer
struct Walk : ItemSource {
  std::vector<Value> items;     ///< at each place: a view of one operand, or a tuple of a view of each
  std::vector<Value> operands;  ///< the arrays
  Dims shape;                   ///< as `shape` tells it: axes walked as one are one, the fastest first
  int64_t elements = 0;         ///< `itersize`
  // Of what follows index: the axes walked, the slowest first, none of them merged.
  Dims sizes;                 ///< their sizes
  Dims axes;                  ///< which axis of the operands each is
  Dims flipped;               ///< 1 where it is walked from its end
  bool tracks_index = false;  ///< it knows the index of a place
  char tracks_number = 0;     ///< 'c' or 'f': it knows the number of a place in that order
  size_t place = 0;
  bool begun = false;   ///< the first item was given
  bool closed = false;  ///< by close(), or by the end of its `with`

  bool finished() const { return place >= items.size(); }
  /// The index, in the operands' order, where it stands.  @pre !finished(), and one place is one element
  Dims index() const;
  /// Goes on; false where there is nothing more.
  bool advance();
  void close();
};

/// That of an nditer; null of other values.
Walk* walk_of(const Value& value);
/// The same places from the first one on, or from where `walk` stands.
Value walk_again(const Walk& walk);
/// np.nditer(..)
Value nditer_row(Call& call);

/// The names of its methods, or of its other attributes.
std::vector<std::string_view> nditer_members(bool called);

// Of a value that is one:

/// What an attribute gives; nothing where it has none of that name.
std::optional<Outcome> nditer_attribute(const Value& owner, std::string_view name);
/// A method that such an attribute gave, called.
Outcome call_nditer(const Symbol& method);
/// it[key]: views of operands where it stands.
Outcome nditer_operand(const Value& owner, const Value& key);

}  // namespace stridescope

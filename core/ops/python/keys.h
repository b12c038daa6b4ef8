// What values are equal by, as keys of dictionaries and items of sets, and their hashes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "ops/python/python.h"

namespace stridescope {

struct KeyMark {
  std::string text;         ///< what equal keys have alike, and no others
  uint64_t hash = 0;        ///< CPython's
  bool drawn = false;       ///< no: CPython's is another each time it runs, as of strings and what lies at an address
  bool identified = false;  ///< a tensor or an object is it or in it: equal to itself alone
  std::optional<Diagnostic> problem = std::nullopt;  ///< why a value is no key
};
/// @pre the value is bounded
KeyMark key_mark(const Value& key);

/// hash(value)
Outcome python_hash(const Value& value);

}  // namespace stridescope

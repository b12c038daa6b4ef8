// Dictionaries: mutable objects, whose keys keep the order in which they came.
#pragma once
#include <optional>
#include <string_view>

#include "ops/python/keys.h"

namespace stridescope {

/// The most keys of one.
inline constexpr size_t max_keys = 1024;

Value dictionary_of();
/// A dictionary itself, not what its keys(), values() or items() give; else null.
const Dictionary* dictionary_in(const Value& value);

/// Its place; its size where the key is not there.
size_t key_place(const Dictionary& dictionary, std::string_view mark);
/// dictionary[key] = value
std::optional<Diagnostic> store(const Dictionary& dictionary, const Value& key, const Value& value);
/// dictionary[key], or KeyError.
Outcome item_of(const Dictionary& dictionary, const Value& key);
/// What it has no more.  @pre place < its size
Value removed_at(const Dictionary& dictionary, size_t place);
/// a == b, keys in any order unless both are OrderedDicts.
bool same_items(const Dictionary& a, const Dictionary& b);

/// Whether a dictionary has a method of that name here, or a `fixed` one, which no method changes.
bool is_dictionary_method(std::string_view name, bool fixed = false);
std::vector<std::string_view> dictionary_methods();
/// dictionary.name(..); what it goes through in an argument has become a list.
Outcome call_dictionary(std::string_view name, const Value& self, const std::vector<Value>& arguments);
/// How a KeyError shows the key.
std::string key_text(const Value& key);
Diagnostic missing_key(const Value& key);

}  // namespace stridescope

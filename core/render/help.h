// What helps to write a program, as JSON: all of it read from the table of operations.
//
// operations(language) is [OPERATION..], one a row, in the table's order:
// OPERATION  { "library": "torch" or "numpy", "forms": [FORM..], "summary", "law", "example" }
// FORM       { "kind", "name", "signature", "parameters": [PARAMETER..] }
//            "kind" is method, function, attribute, setter, subscript, store, binary, prefix or in_place.
// PARAMETER  { "name", "type", "default" or null, "variadic", "keyword_only", "span": [begin, end] in the signature }
//            without the receiver. A "type" joins alternatives by '|'; "" is any.
//
// complete(source, position, language) is
//   { "replaced": [begin, end], "items": [ITEM..] }, the likeliest first
// ITEM       { "kind", "text", "detail", "forms": [NAMED..], "summary" }
//            "kind" is variable, argument, attribute, method, function, module or constant. "text" takes the place of
//            the bytes `replaced`; "detail" is what a variable holds, or an argument's type and default.
// NAMED      { "signature", "operation": index into operations() }
//
// signature_help(source, position, language) is null outside calls, else
//   { "callee": [begin, end], "active": index into "forms",
//     "forms": [{ "signature", "operation", "parameters": [PARAMETER..], "parameter": index or null, "summary" }..] }
//
// Positions and spans are byte offsets in the UTF-8 text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "explain/message.h"

namespace stridescope {

/// The table of operations.
std::string operations(Language language);
/// What could be written at a cursor.  @pre none: any text, any position
std::string complete(std::string_view source, int64_t position, Language language);
/// The call that a cursor is in, and the parameter its argument goes to.  @pre none: any text, any position
std::string signature_help(std::string_view source, int64_t position, Language language);

}  // namespace stridescope

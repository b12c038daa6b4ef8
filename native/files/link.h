// Share links: a document as the fragment of the page's address, "v=1&code=..", or with the program deflated,
// "v=1&z=<base64url of raw deflate of the program's UTF-8>", where that makes it a fifth shorter. As web/src/link.ts
// has it: the page opens what is written here, and the other way round.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace stridescope {

/// Of a program, once inflated: no link can fill the memory.
inline constexpr size_t most_inflated_bytes = 64 * 1024;

/// The shorter form of a document's text, where it is a fifth shorter.
std::string pack_link(const std::string& document);
/// The document's text of a fragment in either form; nothing where what is deflated is damaged or too long.
std::optional<std::string> unpack_link(std::string_view fragment);

}  // namespace stridescope

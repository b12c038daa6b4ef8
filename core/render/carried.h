// The picture is the document: every picture that is written carries the program and the view it was made of, and can
// be opened again. Only these bytes of a file are read, as data; what else it holds is neither parsed nor shown.
//
//   SVG, HTML   the attribute data-stridescope="v=1&amp;code=.." of the outermost element
//   PNG         a tEXt chunk "Stridescope"
//   PDF         the document information's /Keywords (stridescope:v=1&code=..)
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "explain/message.h"

namespace stridescope {

struct Document;

/// What a picture carries: to_text() with the picture's room, without hover and phase.
/// @post letters, digits and the marks - _ . ! ~ * ' % & = alone
std::string carried(const Document& document);

/// A PNG with what it carries put in.  @pre a whole PNG
std::string carrying(std::string_view png, std::string_view carried);

/// Whether the bytes begin as those of a picture (PNG, PDF, SVG, HTML) do, which no program does.
bool is_picture(std::string_view bytes);

/// No picture that is written is larger.
inline constexpr size_t max_picture_bytes = size_t{64} << 20;

/// The document that a picture carries, or why there is none.
/// @pre is_picture(bytes)  @post time and memory linear in the bytes, nothing run
std::variant<Document, Message> document_in(std::string_view bytes);

}  // namespace stridescope

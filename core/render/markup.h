// Text inside XML and HTML.
#pragma once
#include <string>
#include <string_view>

namespace stridescope {

/// The text with & < > " as entities: fit for content and for attributes in double quotes.
std::string escaped(std::string_view text);

}  // namespace stridescope

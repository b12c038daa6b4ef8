// Decimal literals to doubles, the same on every platform and in every locale.
#pragma once
#include <optional>
#include <string_view>

namespace stridescope {

/// The double nearest to a decimal literal ("3.", ".5", "1e3", "12"; no sign, no underscores), ties to even; infinity
/// where it is too large. Nothing where the text is no such literal.
std::optional<double> parse_real(std::string_view text);

}  // namespace stridescope

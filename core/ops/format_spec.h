// What stands behind the colon of an f-string's field: Python's language of formats.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope {

/// [[fill]align][sign][#][0][width][grouping][.precision][type]
/// Source: docs.python.org/3/library/string.html#formatspec
struct FormatSpec {
  std::string fill = " ";
  char align = 0;  ///< 0 where nothing is said, as below
  char sign = '-';
  bool alternate = false;
  int width = 0, precision = -1;
  char grouping = 0, type = 0;

  /// Nothing where it is not of this form.
  static std::optional<FormatSpec> parsed(std::string_view text);
  /// A value as the spec says.  @pre its type is one for such values; width and precision are modest
  std::string written(const std::string& text) const;
  std::string written(int64_t number) const;
  std::string written(double number) const;

 private:
  std::string sign_of(bool negative) const;
  /// In its width. The sign comes first, and where the spec says so before the padding.
  std::string padded(const std::string& sign_and_prefix, const std::string& text, char usual) const;
};

}  // namespace stridescope

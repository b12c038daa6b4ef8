// What stands behind the colon of an f-string's field: Python's language of formats.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stridescope {

/// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
/// Source: docs.python.org/3/library/string.html#formatspec
struct FormatSpec {
  std::string fill = " ";
  char align = 0;  ///< 0 where nothing is said, as below; fill is "0" then if a 0 stands before the width
  char sign = '-';
  bool positive_zero = false, alternate = false;
  int width = 0, precision = -1;
  char grouping = 0, type = 0;
  bool lacks_precision = false;  ///< a point without digits: the rest is not read

  /// Nothing where it is not of this form.  @pre `text` is not empty
  static std::optional<FormatSpec> parsed(std::string_view text);
  /// A value as the spec says.  @pre its type is one for such values; width and precision are modest
  std::string written(const std::string& text) const;
  std::string written(int64_t number) const;
  std::string written(double number) const;

 private:
  std::string sign_of(bool negative) const;
  /// In its width: text, and a number, whose sign stands before the padding where the spec says so.
  std::string padded(const std::string& text) const;
  std::string padded(const std::string& sign_and_prefix, const std::string& digits) const;
  std::string aligned(const std::string& sign_and_prefix, const std::string& text, char usual) const;
};

}  // namespace stridescope

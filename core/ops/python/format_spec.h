// What stands behind the colon of an f-string's field: Python's language of formats.
#pragma once
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

namespace stridescope {

/// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
/// Source: docs.python.org/3/library/string.html#formatspec
struct FormatSpec {
  std::string fill = " ";
  char align = 0;  ///< 0 where nothing is said, as below; fill is "0" then if a 0 stands before the width
  char sign = 0;
  bool positive_zero = false, alternate = false;
  int64_t width = 0, precision = -1;
  char grouping = 0;
  char32_t type = 0;

  /// Reads a spec for values of a Python type; Python's words where it is none, else nothing.  @pre `text` is not empty
  std::string read(std::string_view text, std::string_view value_type);
  /// Why values of that Python type are not written so, in Python's words; nothing where they are.
  std::string misfit(std::string_view value_type) const;
  /// Whether it writes integers as such, and not as real numbers.
  bool is_whole() const { return is_among("bcdnoxX"); }
  /// A value as the spec says.  @pre it fits values of that type; width and precision are modest
  std::string written(const std::string& text) const;
  std::string written(int64_t number) const;
  std::string written(double number) const;
  std::string written(std::complex<double> number) const;

 private:
  bool is_among(std::string_view types) const;
  /// Digits in groups, from the right, with 0s before them where they are to fill the width beside `others` characters.
  std::string grouped(std::string digits, size_t others) const;
  std::string sign_of(bool negative) const;
  /// In its width: text, and a number, whose sign stands before the padding where the spec says so.
  std::string padded(const std::string& text) const;
  std::string padded(const std::string& sign_and_prefix, const std::string& digits) const;
  std::string aligned(const std::string& sign_and_prefix, const std::string& text, char usual) const;
};

}  // namespace stridescope

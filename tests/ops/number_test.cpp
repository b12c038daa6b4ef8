#include "ops/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

namespace stridescope {
namespace {

size_t digits_in(const std::string& text) {
  std::string digits;
  for (char c : text.substr(0, text.find('e')))
    if (c >= '0' && c <= '9') digits += c;
  const size_t first = digits.find_first_not_of('0');
  const size_t last = digits.find_last_not_of('0');
  return first == std::string::npos ? 0 : last - first + 1;
}

/// The fewest significant digits with which printf's correctly rounded output reads back.
size_t fewest_digits(double value) {
  char text[64];
  for (int count = 1; count <= 17; ++count) {
    std::snprintf(text, sizeof text, "%.*e", count - 1, value);
    if (std::strtod(text, nullptr) == value) return digits_in(text);
  }
  return 17;
}

TEST(Repr, IsWrittenAsPythonWritesIt) {
  const std::pair<double, const char*> cases[] = {{0.1, "0.1"},
                                                  {1, "1.0"},
                                                  {-0.0, "-0.0"},
                                                  {1e16, "1e+16"},
                                                  {9007199254740993, "9007199254740992.0"},
                                                  {123456789012345680, "1.2345678901234568e+17"},
                                                  {0.0001, "0.0001"},
                                                  {0.00001, "1e-05"},
                                                  {5e-324, "5e-324"},
                                                  {1.7976931348623157e308, "1.7976931348623157e+308"},
                                                  {2.2250738585072014e-308, "2.2250738585072014e-308"},
                                                  {1.0 / 3, "0.3333333333333333"},
                                                  {1e22, "1e+22"},
                                                  {1e23, "1e+23"},
                                                  {4.35, "4.35"},
                                                  {666.66668701171875, "666.6666870117188"},  // a half to even
                                                  {589.99993896484375, "589.9999389648438"},
                                                  {0.10000000149011612, "0.10000000149011612"},
                                                  {HUGE_VAL, "inf"},
                                                  {-HUGE_VAL, "-inf"},
                                                  {std::nan(""), "nan"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(repr(value), text);
}

TEST(Decimals, AreThoseOfPrintf) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    double value = __builtin_bit_cast(double, random());
    if (i % 3 == 0) value = static_cast<double>(static_cast<int64_t>(random() % 20001) - 10000) / 16;  // many halves
    if (i % 3 == 1) value = std::ldexp(static_cast<double>(random() % 1000), static_cast<int>(random() % 60) - 40);
    if (!std::isfinite(value)) continue;
    char text[800];
    const int places = static_cast<int>(random() % 20);
    std::snprintf(text, sizeof text, "%.*f", places, value);
    ASSERT_EQ(fixed_point(value, places), text) << places;
    std::snprintf(text, sizeof text, "%.*e", places, value);
    ASSERT_EQ(with_exponent(value, places), text) << places;
  }
  EXPECT_EQ(fixed_point(-HUGE_VAL, 2), "-inf");
  EXPECT_EQ(with_exponent(std::nan(""), 2), "nan");
}

TEST(Repr, ReadsBackAsTheSameDoubleWithTheFewestDigits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    double value = __builtin_bit_cast(double, random());
    if (i % 3 == 0) value = std::ldexp(1.0, static_cast<int>(random() % 2098) - 1074);
    if (i % 3 == 1) value = static_cast<double>(static_cast<int64_t>(random() % 2000001) - 1000000) / 1000;
    if (!std::isfinite(value)) continue;
    const std::string text = repr(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    ASSERT_LE(digits_in(text), fewest_digits(value)) << text;
  }
}

TEST(Repr, ReadsBackAsTheSameFloat) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const float value = __builtin_bit_cast(float, static_cast<uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::strtof(repr_single(value).c_str(), nullptr), value);
    ASSERT_LE(digits_in(repr_single(value)), 9u);
  }
  EXPECT_EQ(repr_single(0.1f), "0.1");
  EXPECT_EQ(repr_single(16777216.0f), "16777216.0");
}

TEST(Repr, ReadsBackAsTheSameHalf) {
  const std::pair<double, const char*> cases[] = {{0.0999755859375, "0.1"},
                                                  {65504, "65500.0"},
                                                  {2048, "2048.0"},
                                                  {0x1p-24, "6e-08"},
                                                  {0x1p-14, "6.104e-05"},
                                                  {0x1p-14 - 0x1p-24, "6.1e-05"},
                                                  {-0.333251953125, "-0.3333"},
                                                  {-0.0, "-0.0"},
                                                  {HUGE_VAL, "inf"},
                                                  {1023.5, "1023.5"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(repr_half(value), text);
}

TEST(ShortDecimal, FitsACellAndKeepsTheDigitsThatFit) {
  const std::pair<double, const char*> cases[] = {
      {0.5, "0.5"},        {3, "3.0"},         {-1.23456, "-1.235"}, {0.1f, "0.1"},           {123456, "123456"},
      {1234567, "1.23e6"}, {1e10, "1e10"},     {-1e-10, "-1e-10"},   {0.000123456, "1.2e-4"}, {99999.96, "100000"},
      {-1e-300, "-0.0"},   {1e-300, "1e-300"}, {2.0 / 3, "0.6667"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(short_decimal(value), text);
}

TEST(ShortDecimal, IsNeverLongerThanSixCharactersAndNeverFarOff) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    double value = __builtin_bit_cast(double, random());
    if (i % 2 == 0) value = static_cast<double>(static_cast<int64_t>(random() % 20000001) - 10000000) / 1000;
    if (!std::isfinite(value)) continue;
    const std::string text = short_decimal(value);
    ASSERT_LE(text.size(), 6u) << text;
    const double magnitude = std::fabs(value);
    if (magnitude < 1e-99 || magnitude > 1e308) continue;
    const double shown = std::strtod(text.c_str(), nullptr);
    ASSERT_LE(std::fabs(shown - value), 0.5 * magnitude) << text << " for " << value;
  }
}

}  // namespace
}  // namespace stridescope

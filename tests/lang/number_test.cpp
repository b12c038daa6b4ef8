#include "lang/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace stridescope {
namespace {

TEST(ParseReal, ReadsPythonsDecimalLiterals) {
  EXPECT_EQ(parse_real("3."), 3.0);
  EXPECT_EQ(parse_real(".5"), 0.5);
  EXPECT_EQ(parse_real("1e3"), 1000.0);
  EXPECT_EQ(parse_real("1E+3"), 1000.0);
  EXPECT_EQ(parse_real("0.1"), 0.1);
  EXPECT_EQ(parse_real("0"), 0.0);
  EXPECT_EQ(parse_real("0e999999999999"), 0.0);
  EXPECT_EQ(parse_real("00012"), 12.0);
  EXPECT_EQ(parse_real("1" + std::string(1200, '0') + "e-1200"), 1.0);
  EXPECT_EQ(parse_real("1" + std::string(1200, '0') + "1e-1201"), 1.0);
}

TEST(ParseReal, RefusesWhatIsNoDecimal) {
  for (const char* text :
       {"", ".", "e3", "1e", "1e+", "+1", "-1", "1.2.3", "1_0", "0x1", "nan", "inf", " 1", "1 ", "1e3.5", "1,5"}) {
    EXPECT_FALSE(parse_real(text)) << text;
  }
}

TEST(ParseReal, RoundsToNearestTiesToEven) {
  EXPECT_EQ(parse_real("9007199254740993"), 9007199254740992.0);  // 2^53 + 1 lies half way
  EXPECT_EQ(parse_real("9007199254740995"), 9007199254740996.0);
  EXPECT_EQ(parse_real("9007199254740993.0000000000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(parse_real("9007199254740993" + std::string(5000, '0') + "1e-5001"), 9007199254740994.0);
  EXPECT_EQ(parse_real("1.00000000000000011102230246251565"), 1.0);
  EXPECT_EQ(parse_real("1.000000000000000111022302462515655"), 1.0000000000000002);
}

TEST(ParseReal, ReachesBothEndsOfTheRange) {
  EXPECT_EQ(parse_real("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(parse_real("1.7976931348623158079e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(parse_real("1.797693134862315808e308"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_real("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_real("1e99999999999999999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_real("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_real("2.4703282292062328e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_real("2.4703282292062327e-324"), 0.0);
  EXPECT_EQ(parse_real("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022);
  EXPECT_EQ(parse_real("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_real(std::string(400, '9') + "e-400"), 1.0);
}

TEST(ParseReal, AgreesWithTheCLibraryOnRandomDecimals) {
  std::mt19937_64 random(7);  // NOLINT: the same numbers every time
  for (int i = 0; i < 5'000; ++i) {
    std::string text;
    for (auto n = 1 + random() % 25; n > 0; --n) text += static_cast<char>('0' + random() % 10);
    text.insert(random() % (text.size() + 1), ".");
    text += "e" + std::to_string(static_cast<int>(random() % 680) - 340);
    ASSERT_EQ(parse_real(text), std::strtod(text.c_str(), nullptr)) << text;
  }
}

}  // namespace
}  // namespace stridescope

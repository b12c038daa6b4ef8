#include <gtest/gtest.h>

#include "scene/picture.h"

namespace stridescope {
namespace {

TEST(Shades, AreTheQuotientRoundedDown) {
  for (int64_t whole = 1; whole <= 1200; ++whole) {
    const Shades shades(whole);
    for (int64_t part = 0; part <= whole; ++part) ASSERT_EQ(shades(part), part * 255 / whole) << part << " of " << whole;
  }
}

TEST(Shades, OfLargeWholesAsWell) {
  uint64_t state = 1;
  const auto random = [&](int64_t below) { return static_cast<int64_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 1) % below; };
  for (int round = 0; round < 100'000; ++round) {
    const int64_t whole = 1 + random(int64_t{1} << (1 + random(48))), part = random(whole + 1);
    ASSERT_EQ(Shades(whole)(part), part * 255 / whole) << part << " of " << whole;
  }
}

TEST(Shades, BeginWithThePalestAndEndWithTheDeepest) {
  for (const int64_t whole : {int64_t{1}, int64_t{7}, int64_t{1} << 48, (int64_t{1} << 48) + 1, int64_t{1'000'000'000'000'000'000}, INT64_MAX}) {
    EXPECT_EQ(Shades(whole)(0), 0);
    EXPECT_EQ(Shades(whole)(whole), 255);
  }
  EXPECT_EQ(Shades(0)(0), 0);
}

}  // namespace
}  // namespace stridescope

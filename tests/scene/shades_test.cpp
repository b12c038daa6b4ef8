#include <gtest/gtest.h>

#include "scene/picture.h"

namespace stridescope {
namespace {

int64_t random(int64_t below) {
  static uint64_t state = 1;
  return static_cast<int64_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 1) % below;
}

int64_t quotient(int64_t part, int64_t whole) {
  return static_cast<int64_t>(static_cast<__int128>(part) * 255 / whole);
}

TEST(Shades, AreTheQuotientRoundedDown) {
  for (int64_t whole = 1; whole <= 1200; ++whole) {
    Shades up(0, 1, whole), down(whole, -1, whole);
    for (int64_t part = 0; part <= whole; ++part) {
      ASSERT_EQ(up.next(), part * 255 / whole) << part << " of " << whole;
      ASSERT_EQ(down.next(), (whole - part) * 255 / whole) << whole - part << " of " << whole;
      ASSERT_EQ(shade_of(part, whole), part * 255 / whole) << part << " of " << whole;
    }
  }
}

TEST(Shades, OfAWholeOfAnySizeBeginAndEndAlike) {
  for (const int64_t whole : {int64_t{1}, int64_t{255}, INT64_MAX / 255, INT64_MAX / 255 + 1, INT64_MAX}) {
    EXPECT_EQ(shade_of(0, whole), 0) << whole;
    EXPECT_EQ(shade_of(whole, whole), 255) << whole;
  }
  EXPECT_EQ(shade_of(0, 0), 0);
}

TEST(Shades, AtAnyDistanceAsWell) {
  for (int round = 0; round < 10'000; ++round) {
    const int64_t whole = 1 + random(int64_t{1} << (1 + random(62))), first = random(whole + 1),
                  end = random(whole + 1);
    const int64_t steps = 1 + random(20), distance = (end - first) / steps;
    Shades shades(first, distance, whole);
    for (int64_t k = 0; k <= steps; ++k) {
      const int64_t part = first + k * distance;
      ASSERT_EQ(shades.next(), quotient(part, whole)) << part << " of " << whole;
      ASSERT_EQ(shade_of(part, whole), quotient(part, whole)) << part << " of " << whole;
    }
  }
}

TEST(Shades, BeginWithThePalestAndEndWithTheDeepest) {
  for (const int64_t whole :
       {int64_t{1}, int64_t{7}, int64_t{1} << 55, int64_t{1'000'000'000'000'000'000}, INT64_MAX}) {
    EXPECT_EQ(shade_of(0, whole), 0);
    EXPECT_EQ(shade_of(whole, whole), 255);
  }
  EXPECT_EQ(shade_of(0, 0), 0);
}

}  // namespace
}  // namespace stridescope

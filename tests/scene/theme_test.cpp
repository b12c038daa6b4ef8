#include "scene/theme.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace stridescope {
namespace {

constexpr std::array themes{ThemeId::light, ThemeId::dark, ThemeId::print};

/// Relative luminance as WCAG 2 defines it.
double luminance(Color color) {
  const auto linear = [](uint8_t channel) {
    const double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double contrast(Color a, Color b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Theme, TextReachesTheContrastOfWcagOnWhatItStandsOn) {
  for (ThemeId theme : themes) {
    for (Role role : {Role::text, Role::text_strong, Role::text_muted, Role::good, Role::bad, Role::weld, Role::crack,
                      Role::hop_back, Role::changed, Role::neutral, Role::axis0, Role::axis1, Role::axis2, Role::axis3,
                      Role::axis4, Role::axis5, Role::axis6, Role::axis7})
      for (Role ground : {Role::background, Role::panel, Role::axis_fill, Role::cell_unused})
        EXPECT_GE(contrast(color(theme, role, 0), color(theme, ground, 0)), 4.5)
            << "theme " << static_cast<int>(theme) << " role " << static_cast<int>(role);
    EXPECT_GE(contrast(color(theme, Role::good, 0), color(theme, Role::good_fill, 0)), 4.5);
    EXPECT_GE(contrast(color(theme, Role::bad, 0), color(theme, Role::bad_fill, 0)), 4.5);
    EXPECT_GE(contrast(color(theme, Role::text, 0), color(theme, Role::good_fill, 0)), 4.5);
    for (int shade = 0; shade < 256; ++shade) {
      const auto s = static_cast<uint8_t>(shade);
      EXPECT_GE(contrast(color(theme, Role::cell_text, s), color(theme, Role::cell, s)), 4.5)
          << "theme " << static_cast<int>(theme) << " shade " << shade;
    }
  }
}

TEST(Theme, MarksAreSeenOnTheBackground) {
  for (ThemeId theme : themes)
    for (Role role : {Role::head, Role::cell_focus, Role::cell_linked, Role::hop_forward, Role::path_line,
                      Role::path_point, Role::minimap_window})
      EXPECT_GE(contrast(color(theme, role, 0), color(theme, Role::background, 0)), 3) << static_cast<int>(role);
}

TEST(Theme, StoragePositionIsToldByLuminanceAlone) {
  for (ThemeId theme : themes) {
    const double way = luminance(color(theme, Role::cell, 255)) - luminance(color(theme, Role::cell, 0));
    EXPECT_GE(std::abs(way), 0.25);
    const auto luminance_at = [&](int shade) {
      return luminance(color(theme, Role::cell, static_cast<uint8_t>(shade)));
    };
    for (int shade = 0; shade < 256; ++shade) {
      EXPECT_GE((luminance_at(shade) - luminance_at(std::max(shade - 1, 0))) * way, 0) << "shade " << shade;
      EXPECT_GT((luminance_at(std::min(shade + 4, 255)) - luminance_at(std::min(shade, 251))) * way, 0)
          << "shade " << shade;
    }
  }
}

TEST(Theme, PrintTellsCellsInGrey) {
  for (int shade = 0; shade < 256; ++shade) {
    const Color cell = color(ThemeId::print, Role::cell, static_cast<uint8_t>(shade));
    EXPECT_TRUE(cell.r == cell.g && cell.g == cell.b);
  }
}

}  // namespace
}  // namespace stridescope

// Arithmetic of complex numbers is the same wherever the engine runs, whatever its standard library makes of it.
#include "ops/arithmetic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace stridescope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

Scalar root_of(double real, double imaginary) {
  return reckon(Arithmetic::square_root, std::array{Scalar{DType::complex128, 0, real, imaginary}});
}

void expect_same(double got, double wanted) {
  EXPECT_TRUE(std::isnan(wanted) ? std::isnan(got) : got == wanted && std::signbit(got) == std::signbit(wanted))
      << got << " for " << wanted;
}

TEST(ComplexRoot, OfNumbersOnTheAxesIsExact) {
  for (const auto& [real, imaginary, wanted_real, wanted_imaginary] :
       {std::array{-4.0, 0.0, 0.0, 2.0}, std::array{-4.0, -0.0, 0.0, -2.0}, std::array{4.0, 0.0, 2.0, 0.0},
        std::array{4.0, -0.0, 2.0, -0.0}, std::array{0.0, 2.0, 1.0, 1.0}, std::array{0.0, -2.0, 1.0, -1.0},
        std::array{0.0, 0.0, 0.0, 0.0}, std::array{-0.0, -0.0, 0.0, -0.0}, std::array{3.0, 4.0, 2.0, 1.0},
        std::array{-3.0, 4.0, 1.0, 2.0}, std::array{-3.0, -4.0, 1.0, -2.0}}) {
    const Scalar root = root_of(real, imaginary);
    expect_same(root.real, wanted_real);
    expect_same(root.imaginary, wanted_imaginary);
  }
}

TEST(ComplexRoot, OfWhatIsNotFiniteIsThatOfC) {
  for (const auto& [real, imaginary, wanted_real, wanted_imaginary] :
       {std::array{1.0, infinity, infinity, infinity}, std::array{nan, -infinity, infinity, -infinity},
        std::array{infinity, 1.0, infinity, 0.0}, std::array{infinity, -1.0, infinity, -0.0},
        std::array{infinity, nan, infinity, nan}, std::array{-infinity, 1.0, 0.0, infinity},
        std::array{-infinity, -1.0, 0.0, -infinity}, std::array{-infinity, nan, nan, infinity},
        std::array{nan, 1.0, nan, nan}, std::array{1.0, nan, nan, nan}}) {
    const Scalar root = root_of(real, imaginary);
    expect_same(root.real, wanted_real);
    expect_same(root.imaginary, wanted_imaginary);
  }
}

TEST(ComplexRoot, KeepsBothPartsOfLargeAndSmallNumbers) {
  const double large = std::numeric_limits<double>::max(), small = std::numeric_limits<double>::denorm_min();
  EXPECT_DOUBLE_EQ(root_of(large, large).real, std::sqrt(large) * std::sqrt((1 + std::sqrt(2.0)) / 2));
  EXPECT_DOUBLE_EQ(root_of(1e308, 1).imaginary, 5e-155);
  EXPECT_DOUBLE_EQ(root_of(-1e308, -1).real, 5e-155);
  EXPECT_DOUBLE_EQ(root_of(1e-308, small).imaginary, 2.4703282292062328e-170);
  EXPECT_DOUBLE_EQ(root_of(small, small).imaginary, 1.0115549693666347e-162);
}

}  // namespace
}  // namespace stridescope

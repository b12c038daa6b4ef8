#include "ops/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace stridescope {
namespace {

constexpr int dtype_count = static_cast<int>(DType::complex128) + 1;

/// Any pattern, NaNs with odd payloads among them.
ElementBytes random_bytes(std::mt19937_64& random, DType dtype) {
  ElementBytes bytes{};
  for (int i = 0; i < itemsize(dtype); ++i) bytes[static_cast<size_t>(i)] = static_cast<uint8_t>(random());
  if (dtype == DType::boolean) bytes[0] &= 1;
  if (is_floating(dtype) && random() % 4 == 0) {
    for (int i = itemsize(dtype) - 2; i < itemsize(dtype); ++i) bytes[static_cast<size_t>(i)] = 0xFF;
    if (random() % 2 == 0) bytes[static_cast<size_t>(itemsize(dtype) - 2)] &= 0xF1;
  }
  return bytes;
}

TEST(DType, NamesAreReadBack) {
  for (int i = 0; i < dtype_count; ++i) EXPECT_EQ(dtype_named(name(static_cast<DType>(i))), static_cast<DType>(i));
  EXPECT_FALSE(dtype_named("float8"));
}

TEST(DType, ANaNThatLosesItsPayloadIsStillNone) {
  const double quiet = std::nan(""), low = __builtin_bit_cast(double, uint64_t{0x7ff0000000000001});
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32}) {
    EXPECT_EQ(to_bytes({dtype, 0, low}), to_bytes({dtype, 0, quiet})) << name(dtype);
    EXPECT_NE(to_bytes({dtype, 0, low}), to_bytes({dtype, 0, INFINITY})) << name(dtype);
  }
}

TEST(DType, EveryPatternOfBytesSurvivesBeingReadAndStored) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round)
    for (int i = 0; i < dtype_count; ++i) {
      const DType dtype = static_cast<DType>(i);
      const ElementBytes bytes = random_bytes(random, dtype);
      EXPECT_EQ(to_bytes(from_bytes(bytes, dtype)), bytes) << name(dtype);
    }
}

TEST(DType, EveryHalfAndBfloatPatternSurvivesDecodingAndEncoding) {
  for (const DType dtype : {DType::float16, DType::bfloat16})
    for (uint32_t pattern = 0; pattern < 65536; ++pattern) {
      const ElementBytes bytes{static_cast<uint8_t>(pattern), static_cast<uint8_t>(pattern >> 8)};
      const Scalar value = from_bytes(bytes, dtype);
      ASSERT_EQ(to_bytes(value), bytes) << pattern;
    }
}

TEST(DType, BfloatIsTheUpperHalfOfAFloat) {
  for (uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const double real =
        from_bytes({static_cast<uint8_t>(pattern), static_cast<uint8_t>(pattern >> 8)}, DType::bfloat16).real;
    const double upper = static_cast<double>(__builtin_bit_cast(float, pattern << 16));
    ASSERT_TRUE(real == upper || (std::isnan(real) && std::isnan(upper)));
  }
}

TEST(DType, FloatsRoundToTheNearestTiesToEven) {
  const auto half = [](double value) { return real_scalar(value, DType::float16).real; };
  EXPECT_EQ(half(2049), 2048);
  EXPECT_EQ(half(2051), 2052);
  EXPECT_EQ(half(65519), 65504);
  EXPECT_TRUE(std::isinf(half(65520)));
  EXPECT_EQ(half(0x1p-24), 0x1p-24);
  EXPECT_EQ(half(0x1p-25), 0);
  EXPECT_EQ(half(0x1.8p-25), 0x1p-24);
  EXPECT_EQ(real_scalar(257, DType::bfloat16).real, 256);
  EXPECT_EQ(real_scalar(0.1, DType::float32).real, static_cast<double>(0.1f));
}

TEST(DType, IntegersWrap) {
  EXPECT_EQ(integer_scalar(300, DType::uint8).integer, 44);
  EXPECT_EQ(integer_scalar(200, DType::int8).integer, -56);
  EXPECT_EQ(integer_scalar(-1, DType::uint32).integer, 4294967295);
  EXPECT_EQ(as_real(integer_scalar(-1, DType::uint64)), 18446744073709551615.0);
  EXPECT_EQ(converted(real_scalar(-3.9, DType::float64), DType::int32).integer, -3);
  EXPECT_EQ(converted(real_scalar(0.5, DType::float64), DType::boolean).integer, 1);
}

}  // namespace
}  // namespace stridescope

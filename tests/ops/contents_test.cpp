#include "ops/contents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "layout/contiguity.h"
#include "ops/last_writer.h"

namespace stridescope {
namespace {

using Random = std::mt19937_64;

int64_t below(Random& random, int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); }

Layout packed(int64_t count, DType dtype) { return {{count}, {itemsize(dtype)}, 0}; }

Elements all_of(const ContentsPtr& contents) {
  return {contents, packed(cells(*contents), dtype_of(*contents)), dtype_of(*contents)};
}

/// What a storage is in the real libraries: the model that contents are held against.
using Buffer = std::vector<uint8_t>;

Scalar load(const Buffer& buffer, int64_t byte, DType dtype) {
  ElementBytes bytes{};
  for (int i = 0; i < itemsize(dtype); ++i) bytes[static_cast<size_t>(i)] = buffer[static_cast<size_t>(byte + i)];
  return from_bytes(bytes, dtype);
}

void store(Buffer& buffer, int64_t byte, const Scalar& value) {
  const ElementBytes bytes = to_bytes(value);
  for (int i = 0; i < itemsize(value.dtype); ++i) buffer[static_cast<size_t>(byte + i)] = bytes[static_cast<size_t>(i)];
}

int64_t place(const Layout& layout, int64_t position) { return offset(layout, index_at(layout.sizes, position)); }

void expect_equal(const Contents& contents, const Buffer& buffer, int step) {
  const DType dtype = dtype_of(contents);
  for (int64_t i = 0; i < cells(contents); ++i)
    ASSERT_EQ(to_bytes(cell(contents, i)), to_bytes(load(buffer, i * itemsize(dtype), dtype)))
        << "cell " << i << " after step " << step;
}

/// Any layout of `sizes` whose elements of `dtype` lie inside `nbytes`: any sign, overlaps, strides of 0, odd bytes.
std::optional<Layout> random_layout(Random& random, const Dims& sizes, DType dtype, int64_t nbytes,
                                    bool whole_elements) {
  const int64_t unit = whole_elements ? itemsize(dtype) : 1;
  Layout layout{sizes, {}, 0};
  int64_t low = 0, high = itemsize(dtype);
  for (int64_t size : sizes) {
    const int64_t stride = (below(random, 9) - 3) * unit;
    layout.strides.push_back(stride);
    (stride < 0 ? low : high) += (size - 1) * stride;
  }
  if (high - low > nbytes) return std::nullopt;
  layout.storage_offset = -low + below(random, (nbytes - (high - low)) / unit + 1) * unit;
  return layout;
}

TEST(Contents, RandomProgramsOfWritesAndCopiesAgreeWithABuffer) {
  const DType dtypes[] = {DType::int64, DType::uint8, DType::int16, DType::float32, DType::float16, DType::float64};
  Random random(7);
  for (int program = 0; program < 300; ++program) {
    const DType dtype = dtypes[random() % std::size(dtypes)];
    const int64_t count = 1 + below(random, 40), nbytes = count * itemsize(dtype);
    ContentsPtr contents = integer_range(-3, 2, dtype, count);
    Buffer buffer(static_cast<size_t>(nbytes));
    for (int64_t i = 0; i < count; ++i) store(buffer, i * itemsize(dtype), integer_scalar(-3 + 2 * i, dtype));
    for (int step = 0; step < 40; ++step) {
      Dims sizes;
      for (int64_t rank = below(random, 4); rank > 0; --rank) sizes.push_back(1 + below(random, 4));
      const DType written = random() % 4 == 0 ? dtypes[random() % std::size(dtypes)] : dtype;
      const DType source = random() % 4 == 0 ? dtypes[random() % std::size(dtypes)] : dtype;
      const auto region = random_layout(random, sizes, written, nbytes, random() % 4 != 0);
      const auto from = random_layout(random, sizes, source, nbytes, random() % 4 != 0);
      if (!region || !from) continue;
      const int64_t elements = *numel(sizes);
      const Elements operand{contents, *from, source};
      std::vector<Scalar> values;
      for (int64_t i = 0; i < elements; ++i)
        values.push_back(converted(load(buffer, place(*from, i), source), written));
      const Elements target{nullptr, *region, written};
      if (random() % 2 == 0) {
        // A write of a view of the storage itself: the values are those before the write.
        contents = patch(contents, target, operand);
      } else {
        const ContentsPtr copy = gather(operand, written);
        for (int64_t i = 0; i < elements; ++i)
          ASSERT_EQ(to_bytes(cell(*copy, i)), to_bytes(values[static_cast<size_t>(i)]));
        const std::array both{Elements{copy, all_of(copy).layout, written},
                              Elements{copy, all_of(copy).layout, written}};
        const ContentsPtr doubled = elementwise(Arithmetic::add, both, written, written);
        for (Scalar& value : values) value = reckon(Arithmetic::add, std::array{value, value});
        contents = patch(contents, target, {doubled, contiguous(sizes, itemsize(written)), written});
      }
      ASSERT_NE(contents, nullptr);
      for (int64_t i = 0; i < elements; ++i) store(buffer, place(*region, i), values[static_cast<size_t>(i)]);
      expect_equal(*contents, buffer, step);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Contents, ScatteredWritesAgreeWithABuffer) {
  Random random(8);
  for (int program = 0; program < 200; ++program) {
    ContentsPtr contents = integer_range(0, 1, DType::int32, 20);
    Buffer buffer(80);
    for (int64_t i = 0; i < 20; ++i) store(buffer, 4 * i, integer_scalar(i, DType::int32));
    for (int step = 0; step < 10; ++step) {
      const DType dtype = std::array{DType::int32, DType::uint8, DType::int64}[random() % 3];
      std::vector<std::pair<int64_t, Scalar>> writes;
      for (int k = 0; k < 6; ++k) {
        writes.emplace_back(below(random, 81 - itemsize(dtype)), integer_scalar(static_cast<int64_t>(random()), dtype));
        store(buffer, writes.back().first, writes.back().second);
      }
      contents = scatter(contents, dtype, writes);
      expect_equal(*contents, buffer, step);
    }
  }
}

TEST(Contents, IndexingTakesTheNamedPositions) {
  const ContentsPtr source = integer_range(0, 1, DType::int64, 12);
  const ContentsPtr rows =
      literal_contents(std::array{integer_scalar(2, DType::int64), integer_scalar(-3, DType::int64)}, DType::int64);
  // x[[2, -3]] of x = arange(12).reshape(3, 4)
  const Elements from{source, {{2, 4}, {0, 8}, 0}, DType::int64};
  const ContentsPtr taken =
      gather_indexed(from, {{Elements{rows, {{2, 4}, {8, 0}, 0}, DType::int64}, 3, 32}}, DType::int64);
  const int64_t expected[] = {8, 9, 10, 11, 0, 1, 2, 3};
  for (int64_t i = 0; i < 8; ++i) EXPECT_EQ(cell(*taken, i).integer, expected[i]);
}

TEST(Contents, ALaterWriteDoesNotReachAnEarlierCopy) {
  const ContentsPtr before = integer_range(0, 1, DType::int64, 6);
  const ContentsPtr copy = gather({before, {{3, 2}, {8, 24}, 0}, DType::int64}, DType::int64);
  const ContentsPtr nines = constant_contents(integer_scalar(9, DType::int64), 1);
  const ContentsPtr after =
      patch(before, {nullptr, packed(6, DType::int64), DType::int64}, {nines, {{6}, {0}, 0}, DType::int64});
  EXPECT_EQ(cell(*after, 1).integer, 9);
  EXPECT_EQ(cell(*copy, 1).integer, 3);
}

TEST(Contents, DoublingTwoHundredTimesIsCheapSmallOrLarge) {
  for (const int64_t count : {int64_t{6}, int64_t{1'000'000'000'000}}) {
    ContentsPtr x = integer_range(1, 0, DType::int64, count);
    for (int i = 0; i < 200; ++i) {
      const std::array both{all_of(x), all_of(x)};
      x = elementwise(Arithmetic::add, both, DType::int64, DType::int64);
      ASSERT_NE(x, nullptr);
    }
    EXPECT_EQ(cell(*x, count - 1).integer, 0);  // 2^200 wraps
  }
}

TEST(Contents, AChainThatWouldBeExponentialIsRefusedWhereItCannotBeComputedAtOnce) {
  const auto reversed = [](const ContentsPtr& x) {
    const int64_t count = cells(*x);
    return Elements{x, {{count}, {-8}, 8 * (count - 1)}, DType::int64};
  };
  for (const int64_t count : {int64_t{1000}, int64_t{1'000'000'000'000}}) {
    ContentsPtr x = integer_range(0, 1, DType::int64, count);
    for (int i = 0; i < 100 && x; ++i) {
      const std::array both{all_of(x), reversed(x)};
      x = elementwise(Arithmetic::add, both, DType::int64, DType::int64);
    }
    EXPECT_EQ(x != nullptr, count <= small_cells);
  }
}

TEST(Contents, AThousandWritesInARowAreReadOnAHugeStorage) {
  ContentsPtr x = integer_range(0, 1, DType::int64, int64_t{1} << 40);
  for (int64_t i = 0; i < 1000; ++i) {
    const ContentsPtr value = constant_contents(integer_scalar(-i, DType::int64), 1);
    x = patch(x, {nullptr, {{1 << 20, 1 << 10}, {8 << 20, 8}, 8 * i}, DType::int64},
              {value, {{1 << 20, 1 << 10}, {0, 0}, 0}, DType::int64});
    ASSERT_NE(x, nullptr) << i;
  }
  EXPECT_EQ(cell(*x, 5).integer, -5);
  EXPECT_EQ(cell(*x, 1500).integer, -999);
  EXPECT_EQ(cell(*x, 5000).integer, 5000);
}

TEST(Contents, PseudoRandomValuesRepeatAndHaveTheirDistribution) {
  const ContentsPtr normal = random_contents(Distribution::normal, 42, DType::float64, 1 << 12);
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < 1 << 12; ++i) {
    const double value = cell(*normal, i).real;
    ASSERT_EQ(value, cell(*random_contents(Distribution::normal, 42, DType::float64, 1 << 12), i).real);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / (1 << 12), 0, 0.1);
  EXPECT_NEAR(squares / (1 << 12), 1, 0.1);
  const ContentsPtr dice = random_contents(Distribution::integers, 1, DType::int64, 600, 1, 7);
  for (int64_t i = 0; i < 600; ++i) {
    EXPECT_GE(cell(*dice, i).integer, 1);
    EXPECT_LE(cell(*dice, i).integer, 6);
  }
}

TEST(LastWriter, FindsTheLastElementWrittenToEachPlaceOfEverySmallRegion) {
  for (int64_t a = 1; a <= 3; ++a)
    for (int64_t b = 1; b <= 3; ++b)
      for (int64_t c = 1; c <= 3; ++c)
        for (int64_t s = -3; s <= 6; ++s)
          for (int64_t t = -3; t <= 6; ++t)
            for (int64_t u = -3; u <= 6; ++u) {
              const Layout layout{{a, b, c}, {s, t, u}, 0};
              const LastWriter writer(layout);
              for (int64_t wanted = -20; wanted <= 32; ++wanted) {
                int64_t last = -1;
                for (int64_t i = 0; i < a * b * c; ++i)
                  if (place(layout, i) == wanted) last = i;
                ASSERT_EQ(writer.last_at(wanted), last)
                    << "strides " << s << " " << t << " " << u << " place " << wanted;
              }
            }
}

}  // namespace
}  // namespace stridescope

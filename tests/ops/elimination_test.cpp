#include "ops/elimination.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "layout/contiguity.h"
#include "ops/program.h"

namespace stridescope {
namespace {

Elements matrix_of(const std::vector<double>& values, int64_t n, DType dtype = DType::float64) {
  std::vector<Scalar> cells;
  for (const double value : values) cells.push_back(real_scalar(value, dtype));
  const auto count = static_cast<int64_t>(values.size()) / (n * n);
  return {literal_contents(cells, dtype), contiguous({count, n, n}, itemsize(dtype)), dtype};
}

/// All matrices of n rows with whole elements from -most to most; `symmetric`: only those.
template <typename Visit>
void each_matrix(int n, int most, bool symmetric, Visit visit) {
  const int free_cells = symmetric ? n * (n + 1) / 2 : n * n;
  std::vector<int> digits(static_cast<size_t>(free_cells), -most);
  while (true) {
    std::vector<double> values(static_cast<size_t>(n * n));
    size_t next = 0;
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column) {
        if (symmetric && column > row) continue;
        const double value = digits[next++];
        values[static_cast<size_t>(row * n + column)] = value;
        if (symmetric) values[static_cast<size_t>(column * n + row)] = value;
      }
    visit(values);
    size_t k = 0;
    while (k < digits.size() && digits[k] == most) digits[k++] = -most;
    if (k == digits.size()) return;
    ++digits[k];
  }
}

double determinant(const std::vector<double>& m, size_t n, size_t rows) {
  const auto at = [&](size_t row, size_t column) { return m[row * n + column]; };
  if (rows == 1) return at(0, 0);
  if (rows == 2) return at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
  return at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
         at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
         at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
}

using Kind = Verdict::Kind;

TEST(Elimination, OfSmallWholeMatricesNothingIsOpenAndTheDeterminantDecides) {
  each_matrix(2, 2, false, [](const std::vector<double>& m) {
    ASSERT_EQ(invertible(matrix_of(m, 2)).kind, determinant(m, 2, 2) != 0 ? Kind::yes : Kind::no);
  });
  each_matrix(3, 1, false, [](const std::vector<double>& m) {
    ASSERT_EQ(invertible(matrix_of(m, 3, DType::float32)).kind, determinant(m, 3, 3) != 0 ? Kind::yes : Kind::no);
  });
}

TEST(Elimination, TheFirstMinorThatIsNotAboveZeroIsNamed) {
  int open = 0;
  each_matrix(3, 2, true, [&](const std::vector<double>& m) {
    const Verdict found = positive_definite(matrix_of(m, 3), false);
    int64_t wanted = 0;
    for (size_t rows = 1; rows <= 3 && wanted == 0; ++rows)
      if (determinant(m, 3, rows) <= 0) wanted = static_cast<int64_t>(rows);
    if (found.kind == Kind::open) {  // a root that is not whole may be rounded to either side of 0
      ++open;
      ASSERT_EQ(determinant(m, 3, static_cast<size_t>(wanted)), 0);
      return;
    }
    ASSERT_EQ(found.kind, wanted == 0 ? Kind::yes : Kind::no);
    ASSERT_EQ(found.element, wanted);
    ASSERT_EQ(positive_definite(matrix_of(m, 3), true).element, wanted) << "the other half is the same";
  });
  EXPECT_GT(open, 0);
}

TEST(Elimination, OfTwoRowsTheDiscriminantTellsWhetherEigenvaluesAreReal) {
  each_matrix(2, 3, false, [](const std::vector<double>& m) {
    const double half = (m[0] - m[3]) / 2, under = half * half + m[1] * m[2];
    const Kind found = real_eigenvalues(matrix_of(m, 2)).kind;
    if (m[1] == 0 || m[2] == 0)
      ASSERT_EQ(found, Kind::yes);
    else
      ASSERT_EQ(found, under > 0 ? Kind::yes : under < 0 ? Kind::no : Kind::open);
  });
  EXPECT_EQ(real_eigenvalues(matrix_of({2, 1, 0, 1, 3, 1, 0, 1, 5}, 3)).kind, Kind::yes);
  EXPECT_EQ(real_eigenvalues(matrix_of({3, 1, 1, 1, 3, 1, 1, 1, 3}, 3)).kind, Kind::open) << "two of them are 2";
  EXPECT_EQ(real_eigenvalues(matrix_of({0, 1, 2, 3, 4, 5, 6, 7, 8}, 3)).kind, Kind::open);
  EXPECT_EQ(real_eigenvalues(matrix_of({1, 2, 1, 1, 0, -1, 1, 0}, 2)).kind, Kind::no) << "one of two is enough";
}

TEST(Elimination, WhatHangsOnRoundingIsOpen) {
  EXPECT_EQ(invertible(matrix_of({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3)).kind, Kind::open);
  EXPECT_EQ(invertible(matrix_of({1e-30, 0, 0, 1}, 2)).kind, Kind::yes) << "nothing is rounded";
  EXPECT_EQ(invertible(matrix_of({1, 1, 1, 1 + 0x1p-52}, 2)).kind, Kind::yes);
  EXPECT_EQ(invertible(matrix_of({3, 1, 1, 1. / 3}, 2)).kind, Kind::open);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(invertible(matrix_of({nan, 0, 0, 1}, 2)).kind, Kind::open);
  EXPECT_EQ(positive_definite(matrix_of({nan, 0, 0, 1}, 2), false).kind, Kind::open);
  EXPECT_FALSE(all_finite(matrix_of({nan, 0, 0, 1}, 2)));
  EXPECT_FALSE(all_finite(matrix_of({0, 0, 0, std::numeric_limits<double>::infinity()}, 2)));
  EXPECT_TRUE(all_finite(matrix_of({0, 0, 0, 1}, 2)));
}

TEST(Elimination, TheFirstMatrixOfAStackIsNamed) {
  const Verdict found = invertible(matrix_of({1, 0, 0, 1, 1, 2, 2, 4, 0, 0, 0, 0}, 2));
  EXPECT_EQ(found.kind, Kind::no);
  EXPECT_EQ(found.matrix, 1);
  EXPECT_EQ(found.element, 2);
}

TEST(Elimination, MatricesOfMoreBytesThanCanBeCountedHaveAnAnswer) {
  const std::string given =
      "t = torch.rand(1, 1).expand(2**31, 2**31)\n"
      "a = np.broadcast_to(np.random.randint(0, 9, (1, 1)).astype('i1'), (2**31, 2**31))\n";
  for (const char* line :
       {"torch.linalg.inv(t)", "torch.linalg.matrix_power(t, -2)", "torch.linalg.svd(t)", "torch.linalg.lu(t)",
        "np.linalg.inv(a)", "np.linalg.matrix_power(a, -2)", "np.linalg.svd(a)", "np.linalg.qr(a)", "np.linalg.eig(a)"})
    EXPECT_NE(Ran(given + line).error(), "") << line;
}

TEST(Elimination, WhatIsRaisedIsCaughtByTheNamesThatProgramsWrite) {
  const auto caught = [](const std::string& library, const std::string& call, const std::string& by) {
    return Ran("import " + library + "\nx = 1\ntry:\n  " + call + "\nexcept " + by + ":\n  x = 2\nx").value();
  };
  const std::string torch = "torch.linalg.inv(torch.zeros(2, 2))", numpy = "np.linalg.inv(np.zeros((2, 2)))";
  for (const char* by : {"RuntimeError", "torch.linalg.LinAlgError", "(ValueError, torch.linalg.LinAlgError)"})
    EXPECT_EQ(caught("torch", torch, by), "2") << by;
  for (const char* by : {"ValueError", "np.linalg.LinAlgError", "Exception"})
    EXPECT_EQ(caught("numpy as np", numpy, by), "2") << by;
  EXPECT_EQ(caught("torch", torch, "ValueError"), "1");
  EXPECT_EQ(caught("numpy as np", numpy, "RuntimeError"), "1");
}

}  // namespace
}  // namespace stridescope

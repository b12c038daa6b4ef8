// What comes nearest to a solution: what the drivers give, and how ranks are counted.
#include <string>
#include <vector>

#include "layout/contiguity.h"
#include "ops/elimination.h"
#include "ops/program.h"

namespace stridescope {
namespace {

Elements matrices(const std::vector<double>& values, const Dims& sizes, DType dtype = DType::float64) {
  std::vector<Scalar> cells;
  for (const double value : values) cells.push_back(real_scalar(value, dtype));
  return {literal_contents(cells, dtype), contiguous(sizes, itemsize(dtype)), dtype};
}

TEST(Rank, CountsWhatIsSurelyAboveAShareOfTheLargest) {
  const double usual = 0x1p-50;
  const auto of = [](const Elements& all, double share) {
    const auto ranks = sure_ranks(all, all.dtype, share);
    std::string text;
    for (const int64_t rank : ranks.value_or(std::vector<int64_t>())) text += std::to_string(rank);
    return ranks ? text : "open";
  };
  EXPECT_EQ(of(matrices({1, 0, 1, 1, 1, 2}, {3, 2}), usual), "2");
  EXPECT_EQ(of(matrices({1, 1, 1, 0, 1, 2}, {2, 3}), usual), "2");
  EXPECT_EQ(of(matrices({4, 0, 0, 1}, {2, 2}), 0.5), "1") << "singular values are 4 and 1";
  EXPECT_EQ(of(matrices({4, 0, 0, 1}, {2, 2}), 0.2), "2");
  EXPECT_EQ(of(matrices({4, 0, 0, 1}, {2, 2}), 0.25), "open") << "that hangs on the last digit";
  EXPECT_EQ(of(matrices({1, 1, 1, 1}, {2, 2}), usual), "open") << "one is rounded to about 0";
  EXPECT_EQ(of(matrices({0, 0, 0, 0}, {2, 2}), usual), "0");
  EXPECT_EQ(of(matrices({1, 0, 0, 1, 0, 0, 0, 0}, {2, 2, 2}), usual), "20");
  EXPECT_EQ(of(matrices({1, 0, 0, 1e-8}, {2, 2}, DType::float32), 0x1p-22), "open");
  const Scalar turned[] = {{DType::complex128, 0, 1, 0},
                           {DType::complex128, 0, 0, 1},
                           {DType::complex128, 0, 0, 1},
                           {DType::complex128, 0, 2, 0}};
  EXPECT_EQ(of({literal_contents(turned, DType::complex128), contiguous({2, 2}, 16), DType::complex128}, usual), "2");
}

const std::string sides = "import torch\nA = torch.tensor([[1., 0], [1, 1], [1, 2]])\n";

TEST(LeastSquares, TheSolutionIsTheFirstRowsOfLongerColumns) {
  const Ran ran(sides + "y = torch.linalg.lstsq(A, torch.ones(3, 4)).solution");
  EXPECT_EQ(ran.layout("y"), "(2, 4):(1, 3)+0");
  EXPECT_EQ(ran.tensor("y")->storage_nbytes(), 48);
  EXPECT_TRUE(Ran(sides + "torch.linalg.lstsq(A, torch.ones(3, 4))").says(Msg::least_squares_rows));
  EXPECT_EQ(Ran(sides + "y = torch.linalg.lstsq(A.T, torch.ones(2)).solution").layout("y"), "(3,):(1,)+0");
  EXPECT_EQ(Ran("y = torch.linalg.lstsq(torch.randn(5, 4, 2), torch.ones(5, 4)).solution").layout("y"),
            "(5, 2):(4, 1)+0");
}

TEST(LeastSquares, DriversFindMoreOrLess) {
  const auto part = [](const char* driver, const char* name) {
    return Ran(sides + "y = torch.linalg.lstsq(A, torch.ones(3, 4), driver='" + driver + "')." + name).layout("y");
  };
  EXPECT_EQ(part("gelsy", "residuals"), "(0,):(1,)+0");
  EXPECT_EQ(part("gels", "residuals"), "(4,):(1,)+0");
  EXPECT_EQ(part("gelsd", "residuals"), "(4,):(1,)+0");
  EXPECT_EQ(part("gels", "rank"), "(0,):(1,)+0");
  EXPECT_EQ(part("gelsy", "rank"), "():()+0");
  EXPECT_EQ(part("gelss", "singular_values"), "(2,):(1,)+0");
  EXPECT_EQ(part("gelsy", "singular_values"), "(0,):(1,)+0");
  EXPECT_EQ(Ran(sides + "y = torch.linalg.lstsq(A, torch.ones(3, 4), 0.9, driver='gelsd').residuals").layout("y"),
            "(0,):(1,)+0")
      << "one singular value does not count";
}

TEST(LeastSquares, OnlyTheSolutionIsFollowed) {
  const std::string asked =
      "A = torch.randn(3, 2, requires_grad=True)\nr = torch.linalg.lstsq(A, torch.ones(3, 1), "
      "driver='gelsd')\n";
  EXPECT_EQ(Ran(asked + "r.solution.requires_grad").value(), "True");
  EXPECT_EQ(Ran(asked + "r.residuals.requires_grad").value(), "False");
}

TEST(LeastSquares, OfSizesThatDoNotFitPyTorchSaysWhich) {
  EXPECT_EQ(Ran(sides + "torch.linalg.lstsq(A, torch.ones(2, 4))").error(),
            "RuntimeError: torch.linalg.lstsq: input.size(-2) should match other.size(-2)");
  EXPECT_EQ(Ran(sides + "torch.linalg.lstsq(A, torch.ones(2))").error(),
            "RuntimeError: torch.linalg.lstsq: input.size(-2) should match other.size(-1)");
  EXPECT_EQ(Ran(sides + "torch.linalg.lstsq(A, torch.ones(3, 1), driver='svd')").error(),
            "RuntimeError: torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
}

}  // namespace
}  // namespace stridescope

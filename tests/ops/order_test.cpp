// Elements in order, by their rank, and those that differ.
#include <gtest/gtest.h>

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(TopK, PutsEqualOnesInTheOrderOfTheLibrary) {
  EXPECT_EQ(Ran("x = torch.zeros(20)\ny = x.topk(3).indices").values("y"), "12 14 13");
}

TEST(Sort, KeepsTheOrderOfEqualOnesWhereThatIsAskedForOrTheyAreFew) {
  const Ran many("x = torch.arange(17) % 2\ny = x.sort()[1]\nz = x.sort(stable=True)[1]\nw = x[:16].sort()[1]");
  EXPECT_EQ(many.values("y"), "8 16 14 12 10 0 6 4 2 7 5 9 11 3 13 15 1");  // libstdc++'s std::sort
  EXPECT_EQ(many.values("z"), "0 2 4 6 8 10 12 14 16 1 3 5 7 9 11 13 15");
  EXPECT_EQ(many.values("w"), "0 2 4 6 8 10 12 14 1 3 5 7 9 11 13 15");
}

TEST(Sort, CopiesElementsWhileTheirPlacesAreNew) {
  EXPECT_EQ(Ran("y = torch.tensor([3, 1, 2]).sort()").relation(), Relation::copy);
  EXPECT_EQ(Ran("y = torch.tensor([3, 1, 2]).argsort()").relation(), Relation::fresh);
}

TEST(Unique, RowsOfAMatrixComeInOrderAndTheInverseTellsWhichIsWhose) {
  const Ran ran(
      "x = torch.tensor([[3, 1], [0, 5], [3, 1]])\nu, i, n = torch.unique(x, return_inverse=True, return_counts=True, "
      "dim=0)\ny = u[i]");
  EXPECT_EQ(ran.values("u"), "0 5 3 1");
  EXPECT_EQ(ran.values("i"), "1 0 1");
  EXPECT_EQ(ran.values("n"), "1 2");
  EXPECT_EQ(ran.values("y"), ran.values("x"));
}

TEST(Unique, ColumnsLieOneBehindTheOtherInMemory) {
  const Ran ran("x = torch.tensor([[2, 1, 2], [4, 3, 4]])\ny = x.unique(dim=1)");
  EXPECT_EQ(ran.layout("y"), "(2, 2):(1, 2)+0");
  EXPECT_EQ(ran.values("y"), "1 2 3 4");
  EXPECT_TRUE(ran.says(Msg::unique_slices_headline));
}

TEST(Unique, OfNeighboursLeavesRowsWhereTheyStand) {
  const std::string setup = "x = torch.tensor([[3, 1], [3, 1], [0, 5], [3, 1]])\n";
  EXPECT_EQ(Ran(setup + "y = x.unique_consecutive(dim=0)").values("y"), "3 1 0 5 3 1");
  EXPECT_EQ(Ran(setup + "y = x[:, :0].unique(dim=0)").error(),
            "RuntimeError: There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
}

}  // namespace
}  // namespace stridescope

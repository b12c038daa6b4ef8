// What a program may ask for in all: every limit has an answer of ours.
#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Limits, RepeatingLongStringsIsBoundedByTheirBytes) {
  EXPECT_EQ(Ran("s = 'ab' * 2048\nt = [s] * 64").error(), "");
  EXPECT_EQ(Ran("s = 'ab' * 2048\nt = [s] * 65").error(), "ours");
  EXPECT_EQ(Ran("t = [1] * 4096").error(), "");
  EXPECT_EQ(Ran("t = [1] * 4097").error(), "ours");
}

TEST(Limits, AMaskIsExpandedToThePlacesOfWhatIsTrue) {
  EXPECT_EQ(Ran("x = torch.arange(12).view(3, 4)\ny = x[x % 5 == 0]").values("y"), "0 5 10");
  EXPECT_EQ(Ran("x = torch.arange(24).view(2, 3, 4)\ny = x[x[:, :, 0] > 7]").layout("y"), "(4, 4):(4, 1)+0");
}

}  // namespace
}  // namespace stridescope

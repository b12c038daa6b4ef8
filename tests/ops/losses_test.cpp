// Losses and activations beyond what recorded cases hold: what is not reckoned here, and what is said.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string losses_setup =
    "import torch.nn.functional as F\nfrom torch import nn\nx = torch.arange(6.).view(2, 3)\nt = torch.tensor([0, "
    "2])\n";

bool is_limit(const std::string& line) {
  const Ran ran(losses_setup + line);
  return ran.last().error && !ran.last().error->raised;
}

std::string reasons(const std::string& line) {
  const Ran ran(losses_setup + line);
  std::string all;
  for (const Message& one : ran.last().applied.back().why.lines) all += plain(one, Language::english) + "\n";
  return all;
}

TEST(Losses, WhatIsNotModelledIsSaidAndNotGuessed) {
  for (const char* line :
       {"F.l1_loss(x + 0j, x)", "F.softsign(x + 0j)", "F.cross_entropy(x.half(), t, label_smoothing=0.5)",
        "F.cross_entropy(x, t, label_smoothing=1.2345678)", "F.mse_loss(torch.zeros(64).half(), torch.ones(64).half())",
        "F.huber_loss(torch.zeros(64).half(), torch.ones(64).half())",
        "F.binary_cross_entropy(torch.zeros(70000), torch.zeros(70000))",
        "F.binary_cross_entropy(torch.randn(999), torch.rand(999))",
        "F.cross_entropy(torch.randn(9, 3), torch.randint(0, 99, (9,)))", "F.softshrink(x, -1e9)",
        "nn.MSELoss(size_average=False)", "nn.MSELoss()(x, x, x)", "nn.MSELoss()(target=x)"})
    EXPECT_TRUE(is_limit(line)) << line;
}

TEST(Losses, OfStandInsAreStandIns) {
  for (const char* line : {"F.mse_loss(torch.randn(400, 1000), torch.randn(400, 1000))",
                           "F.binary_cross_entropy(torch.rand(400, 1000), torch.rand(400, 1000))",
                           "F.cross_entropy(torch.randn(64, 5000), torch.randint(0, 5000, (64,)))",
                           "nn.Sequential(nn.Linear(3, 4), nn.PReLU(), nn.GLU())(x)",
                           "F.mse_loss(torch.randn(64).half(), torch.randn(64).half())"})
    EXPECT_FALSE(Ran(losses_setup + line).last().error) << line;
}

TEST(Losses, SayThatSizesWereBroadcastAndWhereTheOneNumberStands) {
  EXPECT_NE(reasons("F.l1_loss(x, x[0])").find("The sizes (2, 3) and (3,) are broadcast to (2, 3)."),
            std::string::npos);
  EXPECT_NE(reasons("F.mse_loss(x, x)").find("in the storage of the 6 elements"), std::string::npos);
  EXPECT_NE(reasons("F.nll_loss(x, t - 100)").find("1 of them is -100, which is ignored"), std::string::npos);
  EXPECT_EQ(Ran(losses_setup + "F.glu(x)").error(),
            "RuntimeError: Halving dimension must be even, but dimension 1 is size 3");
}

TEST(Losses, KeepTheirWeightsAsBuffers) {
  const Ran ran(losses_setup + "m = nn.CrossEntropyLoss(torch.ones(3))\nlist(m.state_dict())");
  EXPECT_EQ(ran.value(), "['weight']");
  EXPECT_EQ(Ran(losses_setup + "nn.BCELoss([1.])").error(),
            "TypeError: cannot assign 'list' object to buffer 'weight' (torch Tensor or None required)");
  EXPECT_EQ(Ran(losses_setup + "nn.MSELoss()(x)").error(),
            "TypeError: MSELoss.forward() missing 1 required positional argument: 'target'");
}

}  // namespace
}  // namespace stridescope

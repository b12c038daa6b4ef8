// Modules of torch.nn: values that can be called, with tensors of their own.
#include "ops/program.h"
#include "ops/torch/nn/modules.h"

namespace stridescope {
namespace {

const std::string with_nn = "import torch\nfrom torch import nn\n";

std::string printed_module(const std::string& module) { return Ran(with_nn + module).value(); }

TEST(Modules, AreCalledAsTheFunctionWithTheirOwnTensors) {
  const Ran ran(with_nn +
                "m = nn.Linear(3, 2)\nnn.init.ones_(m.weight)\nnn.init.constant_(m.bias, 2)\n"
                "y = m(torch.tensor([[1., 2., 3.]]))");
  EXPECT_EQ(ran.layout("y"), "(1, 2):(2, 1)+0");
  EXPECT_EQ(ran.values("y"), "8.0 8.0");
  EXPECT_TRUE(ran.tensor("y")->requires_grad);
  EXPECT_FALSE(ran.tensor("y")->is_leaf);
}

TEST(Modules, ArePrintedAsPyTorchPrintsThem) {
  EXPECT_EQ(printed_module("nn.Conv2d(4, 8, 3, padding='same', groups=2, bias=False)"),
            "Conv2d(4, 8, kernel_size=(3, 3), stride=(1, 1), padding=same, groups=2, bias=False)");
  EXPECT_EQ(printed_module("nn.Sequential(nn.ReLU(), nn.Sequential(nn.Flatten()))"),
            "Sequential(\n  (0): ReLU()\n  (1): Sequential(\n    (0): Flatten(start_dim=1, end_dim=-1)\n  )\n)");
  EXPECT_EQ(printed_module("nn.ModuleList([nn.Tanh(), nn.Tanh()])"), "ModuleList(\n  (0-1): 2 x Tanh()\n)");
}

TEST(Modules, KeepWhatAStepSawOfThem) {
  const Ran ran(with_nn + "m = nn.Sequential(nn.Dropout())\nn = m\nm.eval()\nn[0].training");
  EXPECT_EQ(ran.value(), "False") << "both names see the same object";
  EXPECT_EQ(to_string(held_by(std::get<Object>(ran.step(0).value.held), "training")), "True");
}

TEST(Modules, MoveTheirWeightsIntoAnotherMemoryOrder) {
  const Ran ran(with_nn +
                "m = nn.Conv2d(3, 4, 2)\nw = m.weight\nm = m.to(memory_format=torch.channels_last)\n"
                "y = m(torch.ones(1, 3, 4, 4))");
  EXPECT_EQ(ran.layout("w"), "(4, 3, 2, 2):(12, 1, 6, 3)+0") << "the same parameter, moved";
  EXPECT_EQ(ran.layout("y"), "(1, 4, 3, 3):(36, 1, 12, 4)+0");
}

TEST(Modules, OfStandInsGiveStandInsWhereReckoningIsTooMuch) {
  const Ran ran(with_nn +
                "m = nn.Conv2d(3, 64, 7, stride=2, padding=3)\ny = m(torch.ones(8, 3, 224, 224))\n"
                "z = nn.Linear(112, 50)(y).softmax(-1)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("y"), "(8, 64, 112, 112):(802816, 12544, 112, 1)+0");
  EXPECT_EQ(ran.layout("z"), "(8, 64, 112, 50):(358400, 5600, 50, 1)+0");
  EXPECT_TRUE(leaves_unknown(Ran("x = torch.ones(512, 512)\ny = x @ x").last())) << "what is decided is not made up";
}

TEST(Modules, OfRecurrentOnesTheStepsComeFirstInMemory) {
  const auto says_why = [](const Ran& ran) {
    bool said = false;
    for (const Applied& one : ran.last().applied)
      for (const Message& line : one.why.lines) said |= line.id == Msg::recurrent_swapped;
    return said;
  };
  const Ran rows(with_nn + "m = nn.LSTM(3, 4, batch_first=True)\ny, _ = m(torch.ones(2, 5, 3))");
  EXPECT_EQ(rows.layout("y"), "(2, 5, 4):(4, 8, 1)+0");
  EXPECT_TRUE(rows.tensor("y")->is_view);
  EXPECT_TRUE(says_why(rows));
  const Ran one(with_nn + "m = nn.GRU(3, 4, batch_first=True)\ny, h = m(torch.ones(1, 5, 3))");
  EXPECT_EQ(one.layout("y"), "(1, 5, 4):(4, 4, 1)+0");
  EXPECT_FALSE(one.tensor("y")->is_view);
  EXPECT_FALSE(says_why(one)) << "a batch of one can be viewed";
  const Ran known(
      "w = torch.ones(1, 1)\ntorch.rnn_tanh(torch.ones(2, 1, 1), torch.zeros(1, 1, 1), [w, w], False, 1, 0.0, True, "
      "False, False)");
  EXPECT_EQ(known.error(), "") << "what is known is reckoned";
}

TEST(Modules, AreHeldToWhatTheyAreMadeOf) {
  EXPECT_EQ(Ran(with_nn + "nn.Linear(3, 2)(torch.ones(4))").error(),
            "RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x4 and 3x2)");
  EXPECT_EQ(Ran(with_nn + "nn.Conv2d(3, 4, 3)(torch.ones(2, 8, 8, 3))").error(),
            "RuntimeError: Given groups=1, weight of size [4, 3, 3, 3], expected input[2, 8, 8, 3] to have 3 channels, "
            "but got 8 channels instead");
  EXPECT_EQ(Ran(with_nn + "nn.Linear(3, 2).weihgt").error(),
            "AttributeError: 'Linear' object has no attribute 'weihgt'");
  EXPECT_EQ(Ran(with_nn + "nn.Linear(3, 2).share_memory()").error(), "ours");
  EXPECT_EQ(Ran(with_nn + "nn.BatchNorm2d(3)(torch.ones(2, 3))").error(),
            "ValueError: expected 4D input (got 2D input)");
}

TEST(Modules, AndClassesOfTheProgramAreMadeOfEachOther) {
  const std::string block = with_nn +
                            "class Block(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
                            "    self.conv = nn.Conv2d(3, 4, 3)\n    self.drop = nn.Dropout()\n"
                            "  def forward(self, x):\n    return self.drop(self.conv(x))\n"
                            "net = nn.Sequential(Block(), nn.Flatten())\nx = torch.ones(2, 3, 5, 5)\n";
  const Ran ran(block + "y = net(x)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("y"), "(2, 36):(36, 1)+0");
  EXPECT_EQ(Ran(block + "net.eval()\nnet[0].drop.training").value(), "False");
  EXPECT_EQ(Ran(block + "net[0].train()\nnet[0].eval()\nnet[0].drop.training").value(), "False");
  EXPECT_EQ(Ran(block + "isinstance(net, nn.Module), isinstance(net[0], nn.Module), isinstance(x, nn.Module)").value(),
            "(True, True, False)");
  EXPECT_EQ(Ran(block + "[(n, p.shape) for n, p in net.named_parameters()]").value(),
            "[('0.conv.weight', torch.Size([4, 3, 3, 3])), ('0.conv.bias', torch.Size([4]))]");
}

TEST(Modules, ListsOfThemGrowAndNeverHoldThemselves) {
  EXPECT_EQ(Ran(with_nn + "m = nn.ModuleList()\nfor i in range(2): m.append(nn.ReLU())\nlen(m), m[1].training").value(),
            "(2, True)");
  EXPECT_EQ(Ran(with_nn + "m = nn.Sequential(nn.Flatten())\nm.append(nn.ReLU()) is m").value(), "True");
  for (const char* line :
       {"m.append(m)", "m.pop()", "m.append(nn.Sequential(m))", "nn.Linear(2, 3).reset_parameters()"})
    EXPECT_EQ(Ran(with_nn + "m = nn.Sequential()\n" + line).error(), "ours") << line;
  EXPECT_EQ(Ran(with_nn + "nn.ReLU().append(nn.ReLU())").error(),
            "AttributeError: 'ReLU' object has no attribute 'append'");
}

TEST(Modules, OfManyCopiesOfEachOtherAreStillBounded) {
  std::string program = with_nn + "m = nn.Sequential(nn.ReLU())\n";
  for (int i = 0; i < 40; ++i) program += "m = nn.Sequential(m, m)\n";
  EXPECT_EQ(Ran(program).error(), "ours");
}

TEST(Modules, ListsInListsAreWrittenOnceEach) {
  const Ran ran(with_nn + "m = nn.ModuleList()\nfor i in range(50): m = nn.ModuleList([nn.ReLU(), m])\nm");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.value().substr(0, 40), "ModuleList(\n  (0): ReLU()\n  (1): ModuleL");
}

TEST(Modules, StatisticsOfChannelsThatAreTooManyToReckonTakeNoMemory) {
  const Ran ran("m = torch.nn.BatchNorm2d(10**10)\ny = m(torch.zeros(1, 10**10, 2, 2))");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("y"), "(1, 10000000000, 2, 2):(40000000000, 4, 2, 1)+0");
}

}  // namespace
}  // namespace stridescope

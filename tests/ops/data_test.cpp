// torch.utils.data: what a batch is laid out like, and whose memory it has.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string pairs =
    "from torch.utils.data import *\n"
    "x = torch.arange(20.).view(10, 2)\n"
    "data = TensorDataset(x, torch.arange(10))\n";

TEST(Data, AnItemIsAViewAndABatchACopy) {
  const Ran ran(pairs + "row, n = data[3]\n(rows, ns), second, third = DataLoader(data, batch_size=4)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.values("row"), "6.0 7.0");
  EXPECT_EQ(ran.tensor("row")->storage, ran.tensor("x")->storage);
  EXPECT_EQ(ran.layout("rows"), "(4, 2):(2, 1)+0");
  EXPECT_NE(ran.tensor("rows")->storage, ran.tensor("x")->storage);
  EXPECT_EQ(ran.values("ns"), "0 1 2 3");
  EXPECT_EQ(Ran(pairs + "[len(b[0]) for b in DataLoader(data, 4)]").value(), "[4, 4, 2]");
  EXPECT_EQ(Ran(pairs + "[len(b[0]) for b in DataLoader(data, 4, drop_last=True)]").value(), "[4, 4]");
}

TEST(Data, ItemsOfAnOwnDataSetAreStepsBeforeTheBatch) {
  const Ran ran(
      "class Images(torch.utils.data.Dataset):\n"
      "  def __len__(self): return 2\n"
      "  def __getitem__(self, i):\n"
      "    image = torch.arange(12).view(2, 2, 3) + i\n"
      "    return image.permute(2, 0, 1)\n"
      "batch = next(iter(torch.utils.data.DataLoader(Images(), batch_size=2, num_workers=2)))");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("batch"), "(2, 3, 2, 2):(12, 4, 2, 1)+0");
  int inside = 0;
  for (const Step& step : ran.trace.steps) inside += step.line == 5;
  EXPECT_EQ(inside, 2);
}

TEST(Data, WhatADataSetRaisesEndsTheLoop) {
  const Ran ran(
      "class D(torch.utils.data.Dataset):\n"
      "  def __len__(self): return 2\n"
      "  def __getitem__(self, i): raise ValueError('no image')\n"
      "for batch in torch.utils.data.DataLoader(D()): pass");
  EXPECT_EQ(ran.error(), "ValueError: no image");
  EXPECT_EQ(Ran(pairs + "class A(Dataset): pass\nA()[0]").error(),
            "NotImplementedError: Subclasses of Dataset should implement __getitem__.");
}

TEST(Data, ShufflingIsAnOrderOfAllItems) {
  EXPECT_EQ(Ran(pairs + "sorted(int(n) for _, ns in DataLoader(data, 3, shuffle=True) for n in ns)").value(),
            "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]");
  EXPECT_EQ(Ran(pairs + "[len(part) for part in random_split(data, [0.75, 0.25])]").value(), "[8, 2]");
}

TEST(Data, StreamsAreCutIntoBatches) {
  const std::string stream =
      pairs + "class S(IterableDataset):\n  def __iter__(self):\n    for i in range(5): yield x[i]\n";
  EXPECT_EQ(Ran(stream + "[b.shape[0] for b in DataLoader(S(), 2)]").value(), "[2, 2, 1]");
  EXPECT_EQ(Ran(stream + "len(list(S() + S()))").value(), "10");
  EXPECT_EQ(Ran(stream + "DataLoader(S(), num_workers=1)").error(), "ours");
}

TEST(Data, AScriptOfRealSizesTrainsAnEpoch) {
  const Ran ran(
      "import torch.nn as nn\nimport torch.nn.functional as F\nfrom torch.utils.data import *\n"
      "data = TensorDataset(torch.randn(60000, 1, 28, 28), torch.randint(0, 10, (60000,)))\n"
      "train, rest = random_split(data, [0.9, 0.1])\n"
      "model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(676, 10))\n"
      "opt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
      "for i, (x, y) in enumerate(DataLoader(train, 64, shuffle=True)):\n"
      "    opt.zero_grad()\n    loss = F.cross_entropy(model(x), y)\n    loss.backward()\n    opt.step()\n"
      "    if i == 2: break\n"
      "x.shape, len(train), len(rest)");
  for (const Step& step : ran.trace.steps) EXPECT_FALSE(step.error) << step.text;
  EXPECT_EQ(ran.value(), "(torch.Size([64, 1, 28, 28]), 54000, 6000)");
}

}  // namespace
}  // namespace stridescope

// Functions and modules that PyTorch writes in Python: their lines run, and none of them is the program's.
#include "ops/python/written.h"
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string with_nn = "from torch import nn\nimport torch.nn.functional as F\nx = torch.ones(5, 2, 8)\n";

TEST(Written, ItsTextIsReadToTheEnd) {
  for (const WrittenIn where : {WrittenIn::nn, WrittenIn::torch, WrittenIn::numpy}) {
    const WrittenLibrary& library = written_library(where);
    EXPECT_TRUE(library.program.diagnostics.empty());
    EXPECT_GT(library.program.statements.size(), 100U);
  }
}

TEST(Written, ACallIsOneOperationOfOneStep) {
  const Ran ran(with_nn + "m = nn.TransformerEncoderLayer(8, 2, 16)\ny = m(x)");
  EXPECT_EQ(ran.trace.steps.size(), 3U);
  EXPECT_EQ(ran.last().applied.size(), 1U);
  EXPECT_EQ(ran.last().applied[0].title, "m(x)");
  EXPECT_EQ(ran.layout("y"), "(5, 2, 8):(16, 8, 1)+0");
  EXPECT_EQ(ran.relation(), Relation::fresh);
}

TEST(Written, AnErrorStandsWhereTheProgramCalls) {
  const Ran ran(with_nn + "m = nn.TransformerEncoderLayer(8, 2, 16)\ny = m(x[..., :6])");
  EXPECT_EQ(ran.error(), "AssertionError: was expecting embedding dimension of 8, but got 6");
  const Span span = ran.last().error->span;
  EXPECT_EQ(ran.trace.source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin)),
            "m(x[..., :6])");
}

TEST(Written, NamesOfTheProgramMeanNothingInItsLines) {
  EXPECT_EQ(
      Ran(with_nn + "range = len = math = copy = 3\n_reduced = None\nF2 = F\nF = nn.functional\n"
                    "y = F.margin_ranking_loss(x, x, x)\nm = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, "
                    "16), 2)\nz = m(x)")
          .layout("z"),
      "(5, 2, 8):(16, 8, 1)+0");
}

TEST(Written, ItsOperationsAreNotCountedAmongTheProgramsOwn) {
  const Ran ran(with_nn + "m = nn.Transformer(8, 2, 6, 6, 16)\nfor i in range(3):\n    y = m(x, x)\nz = y + 1");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("z"), "(5, 2, 8):(16, 8, 1)+0");
}

TEST(Written, WhereThereIsNoEndToThemTheyAreRefused) {
  EXPECT_EQ(Ran(with_nn + "m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 10**6)").error(), "ours");
}

TEST(Written, BatchesThatComeFirstKeepTheirStridesInTheFastWayAlone) {
  const std::string made = with_nn + "m = nn.MultiheadAttention(8, 2, batch_first=True)\n";
  EXPECT_EQ(Ran(made + "y, w = m(x, x, x)").layout("y"), "(5, 2, 8):(8, 40, 1)+0");
  EXPECT_EQ(Ran(made + "m = m.eval()\ny, w = m(x, x, x)").layout("y"), "(5, 2, 8):(8, 40, 1)+0");
  EXPECT_EQ(Ran(made + "m = m.eval()\nwith torch.no_grad():\n    y, w = m(x, x, x)").layout("y"),
            "(5, 2, 8):(16, 8, 1)+0");
}

TEST(Written, ClassesOfTheProgramAreMadeFromThem) {
  const Ran ran(with_nn +
                "class L(nn.TransformerEncoderLayer):\n    def __init__(self, d):\n        super().__init__(d, 2, 16)\n"
                "    def forward(self, x):\n        return super().forward(x).sum(0)\nm = L(8)\ny = m(x)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("y"), "(2, 8):(8, 1)+0");
}

TEST(Written, WhatIsNotModelledIsALimit) {
  for (const char* line : {"F.grid_sample(torch.ones(1, 1, 2, 2).half(), torch.zeros(1, 1, 1, 2).half())",
                           "F.max_unpool2d(torch.ones(1, 2, 2, 2).to(memory_format=torch.channels_last), "
                           "torch.full((1, 2, 2, 2), 99), 2)",
                           "F.max_unpool2d(torch.ones(1, 0, 2, 2), torch.ones(1, 0, 2, 2).long(), 2)"})
    EXPECT_EQ(Ran(with_nn + line).error(), "ours") << line;
}

}  // namespace
}  // namespace stridescope

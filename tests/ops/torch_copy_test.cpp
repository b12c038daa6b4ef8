#include "ops/program.h"

namespace stridescope {
namespace {

TEST(TorchCopy, CloneKeepsADenseLayoutAndPacksAnyOtherInItsOrder) {
  EXPECT_EQ(Ran("x = torch.arange(24).view(2, 3, 4).permute(2, 0, 1)\ny = x.clone()").layout("y"),
            "(4, 2, 3):(1, 12, 4)+0");
  EXPECT_EQ(Ran("x = torch.arange(24).view(2, 3, 4).permute(2, 0, 1)[::2]\ny = x.clone()").layout("y"),
            "(2, 2, 3):(1, 6, 2)+0");
  EXPECT_EQ(Ran("x = torch.arange(6).view(2, 3).t()\ny = x.clone()").values("y"), "0 3 1 4 2 5");
}

TEST(TorchCopy, FlipNeverShares) {
  const Ran run("b = torch.arange(4).reshape(2, 2)\nf = torch.flip(b, [0])\nf[0, 0] = 77");
  EXPECT_EQ(run.values("b"), "0 1 2 3");
  EXPECT_EQ(run.values("f"), "77 3 0 1");
  EXPECT_EQ(Ran("f = torch.arange(4).view(2, 2).t().flip(0)").layout("f"), "(2, 2):(1, 2)+0");
}

TEST(TorchCopy, RollRepeatAndJoinPutElementsWhereTheyBelong) {
  EXPECT_EQ(Ran("y = torch.arange(6).view(2, 3).roll((1, 2), (0, 1))").values("y"), "4 5 3 1 2 0");
  EXPECT_EQ(Ran("y = torch.arange(6).view(2, 3).roll(7)").values("y"), "5 0 1 2 3 4");
  EXPECT_EQ(Ran("y = torch.arange(3).repeat(2, 2)").values("y"), "0 1 2 0 1 2 0 1 2 0 1 2");
  EXPECT_EQ(Ran("y = torch.arange(3).repeat_interleave(2)").values("y"), "0 0 1 1 2 2");
  EXPECT_EQ(Ran("x = torch.arange(4).view(2, 2)\ny = torch.cat([x, x.t()], 1)").values("y"), "0 1 0 2 2 3 1 3");
  EXPECT_EQ(Ran("x = torch.arange(2)\ny = torch.stack([x, x + 5], -1)").values("y"), "0 5 1 6");
  EXPECT_EQ(Ran("y = torch.cartesian_prod(torch.arange(2), torch.arange(2))").values("y"), "0 0 0 1 1 0 1 1");
  EXPECT_EQ(Ran("y = torch.arange(6).view(2, 3).rot90()").values("y"), "2 5 1 4 0 3");
  EXPECT_EQ(Ran("y = torch.arange(6).view(2, 3).gather(1, torch.tensor([[2, 0], [1, 1]]))").values("y"), "2 0 4 4");
}

TEST(TorchCopy, MemoryFormatsFollowTheStridesThatTorchGives) {
  const Ran run(
      "x = torch.arange(120).view(2, 3, 4, 5)\na = x.contiguous(memory_format=torch.channels_last)\nb = "
      "x.to(memory_format=torch.channels_last)\nc = torch.arange(6).view(2, 3, 1, 1)\n"
      "d = c.to(memory_format=torch.channels_last)\ne = c.contiguous(memory_format=torch.channels_last)\ne is c");
  EXPECT_EQ(run.layout("a"), "(2, 3, 4, 5):(60, 1, 15, 3)+0");
  EXPECT_EQ(run.layout("b"), run.layout("a"));
  EXPECT_EQ(run.layout("d"), "(2, 3, 1, 1):(3, 1, 3, 3)+0");
  EXPECT_EQ(run.value(), "True");
}

TEST(TorchMath, ResultsFollowTheOperandsMemoryOrderAndDtype) {
  const std::string p = "p = torch.arange(24).view(2, 3, 4).permute(2, 0, 1)\n";
  EXPECT_EQ(Ran(p + "y = p + 1").layout("y"), "(4, 2, 3):(1, 12, 4)+0");
  EXPECT_EQ(Ran(p + "y = torch.zeros(4, 2, 3) + p").layout("y"), "(4, 2, 3):(6, 3, 1)+0");
  EXPECT_EQ(Ran(p + "y = p[::2] + 1").layout("y"), "(2, 2, 3):(1, 6, 2)+0");
  EXPECT_EQ(Ran(p + "(p + 1).dtype, (p + 1.5).dtype, (p / 2).dtype, (p > 1).dtype").value(),
            "(torch.int64, torch.float32, torch.float32, torch.bool)");
  EXPECT_EQ(Ran("y = torch.arange(3) + torch.arange(2).view(2, 1)").values("y"), "0 1 2 1 2 3");
}

TEST(TorchWrite, SharedCellsAreRefusedAsTorchRefusesThem) {
  const std::string shared =
      "RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory "
      "location. Please clone() the tensor before performing the operation.";
  const std::string partial =
      "RuntimeError: unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
      "single memory location. Please clone() the tensor before performing the operation.";
  const std::string y = "y = torch.arange(3).view(3, 1).expand(3, 4)\n";
  EXPECT_EQ(Ran(y + "y.add_(1)").error(), shared);
  EXPECT_EQ(Ran(y + "y[...] = 5").error(), shared);
  EXPECT_EQ(Ran(y + "y.fill_(5)").error(), "");
  EXPECT_EQ(Ran(y + "y[:, 1] = 5").error(), "");
  EXPECT_EQ(Ran(y + "y[y > 0] = 5").error(), "");
  EXPECT_EQ(Ran("x = torch.arange(6)\nx[1:].copy_(x[:-1])").error(), partial);
  EXPECT_EQ(Ran("z = torch.arange(4).view(2, 2)\nz.add_(z.t())").error(), partial);
  EXPECT_EQ(Ran("z = torch.arange(4).view(2, 2)\nz.add_(z)").error(), "");
}

TEST(TorchWrite, ValuesAreBroadcastAndConverted) {
  EXPECT_EQ(Ran("x = torch.zeros(2, 3)\nx[:, 1:] = torch.tensor([[7], [8]])").values("x"), "0.0 7.0 7.0 0.0 8.0 8.0");
  EXPECT_EQ(Ran("x = torch.arange(4)\nx[[0, -1]] = torch.tensor([8, 9])").values("x"), "8 1 2 9");
  EXPECT_EQ(Ran("x = torch.arange(4)\nx[0] = 1.7").values("x"), "1 1 2 3");
  EXPECT_EQ(Ran("x = torch.arange(4)\nx += 1").values("x"), "1 2 3 4");
  EXPECT_EQ(Ran("x = torch.arange(4)\nx += 0.5").error(),
            "RuntimeError: result type Float can't be cast to the desired output type Long");
}

TEST(TorchWrite, ReadsWhatItHasWrittenOnceTheLineIsLongerThanTwoVectors) {
  // As many int64 as two vectors of AVX2 hold are read before one is written: the first column as it was.
  const Ran many("x = torch.arange(16).view(2, 8)\nx += x[:, :1]");
  EXPECT_EQ(many.values("x"), "0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23");
  EXPECT_TRUE(many.says(Msg::write_in_blocks));
  // Of fewer each is written before the next is read.
  const Ran few("x = torch.arange(8).view(2, 4)\nx += x[:, :1]");
  EXPECT_EQ(few.values("x"), "0 1 2 3 8 13 14 15");
  EXPECT_TRUE(few.says(Msg::write_one_by_one));
  EXPECT_EQ(Ran("x = torch.arange(18).view(2, 9)\nx += x[:, :1]").values("x"),
            "0 1 2 3 4 5 6 7 8 18 19 20 21 22 23 24 25 35");
}

TEST(TorchQuery, ContiguityShowsItsWalk) {
  const Ran run("x = torch.arange(6).view(2, 3).t()\nx.is_contiguous()");
  EXPECT_EQ(run.value(), "False");
  const auto& lines = run.last().applied.back().why.lines;
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(plain(lines[1], Language::english), "Dim 1: stride 3, but packed elements need 1. Here it breaks.");
}

TEST(TorchQuery, AddressesAreEqualWhereRealOnesAre) {
  EXPECT_EQ(Ran("x = torch.arange(6)\nx.data_ptr() == x.view(2, 3).data_ptr(), x.data_ptr() == x[1:].data_ptr(), "
                "x[1:].data_ptr() - x.data_ptr()")
                .value(),
            "(True, False, 8)");
  EXPECT_EQ(Ran("x = torch.arange(6)\nx.clone().data_ptr() == x.data_ptr()").value(), "False");
}

}  // namespace
}  // namespace stridescope

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(TorchView, TheOpeningExampleNamesThePairAndOffersBothFixes) {
  const Ran run("x = torch.randn(2, 3, 2)\nx.permute(0, 2, 1).view(-1)");
  EXPECT_EQ(run.error(),
            "RuntimeError: view size is not compatible with input tensor's size and stride (at least one dimension "
            "spans across two contiguous subspaces). Use .reshape(...) instead.");
  const Diagnostic& problem = *run.last().error;
  EXPECT_EQ(plain(problem.reason, Language::english),
            "Dim 1 (stride 1) and dim 2 (size 3) cannot be merged: new dim 0 of size 12 spans both, so stride 2 × 3 = "
            "6 would be needed on dim 1.");
  ASSERT_GE(problem.hints.size(), 2u);
  const std::string source = run.trace.source;
  for (const Hint& hint : problem.hints) {
    ASSERT_TRUE(hint.fix);
    std::string repaired = source;
    repaired.replace(static_cast<size_t>(hint.fix->span.begin),
                     static_cast<size_t>(hint.fix->span.end - hint.fix->span.begin), hint.fix->replacement);
    EXPECT_EQ(Ran(repaired).error(), "") << repaired;
  }
  ASSERT_TRUE(run.last().applied.back().attempt);
  EXPECT_EQ(run.last().applied.back().attempt->sizes, (Dims{12}));
}

TEST(TorchView, ReshapeCopiesWhereViewFailsAndViewsWhereItCan) {
  EXPECT_EQ(Ran("y = torch.randn(2, 3, 2).permute(0, 2, 1).reshape(-1)").relation(), Relation::copy);
  const Ran view("z_t = torch.arange(12).reshape(3, 4).t()\ny = z_t.view(2, 2, 3)");
  EXPECT_EQ(view.layout("y"), "(2, 2, 3):(2, 1, 4)+0");
  EXPECT_EQ(view.relation(), Relation::view);
}

TEST(TorchView, AttentionHeadsMergeOnlyAfterTheTransposeIsUndone) {
  const Ran fails("q = torch.arange(2*6*8).view(2, 6, 2, 4).transpose(1, 2)\nq.view(2, 6, 8)");
  ASSERT_TRUE(fails.last().error);
  bool offered = false;
  for (const Hint& hint : fails.last().error->hints)
    offered |= hint.fix && hint.fix->replacement == "transpose(1, 2).view(2, 6, 8)";
  EXPECT_TRUE(offered);
  EXPECT_EQ(Ran("q = torch.arange(2*6*8).view(2, 6, 2, 4).transpose(1, 2)\ny = q.transpose(1, 2).reshape(2, 6, 8)")
                .relation(),
            Relation::view);
}

TEST(TorchView, ErrorsOfSizesAreTorchsOwn) {
  const auto error = [](const std::string& call) { return Ran("x = torch.arange(24)\nx." + call).error(); };
  EXPECT_EQ(error("view(5, 5)"), "RuntimeError: shape '[5, 5]' is invalid for input of size 24");
  EXPECT_EQ(error("view(-1, -1)"), "RuntimeError: only one dimension can be inferred");
  EXPECT_EQ(error("view(2, -12)"), "RuntimeError: invalid shape dimension -12");
  EXPECT_EQ(Ran("torch.zeros(0).view(-1, 0)").error(),
            "RuntimeError: cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified dimension "
            "size -1 can be any value and is ambiguous");
}

TEST(TorchView, FlattenRavelAndReshapeDifferInWhatTheyShare) {
  EXPECT_EQ(Ran("x = torch.arange(24).view(4, 6)[:, ::2]\ny = x.flatten()").relation(), Relation::view);
  EXPECT_EQ(Ran("x = torch.arange(24).view(4, 6)[:, ::2]\ny = x.ravel()").relation(), Relation::copy);
  EXPECT_EQ(Ran("x = torch.arange(24).view(4, 6)\ny = x.flatten(1, 1)").relation(), Relation::same);
  EXPECT_EQ(Ran("x = torch.arange(24).view(4, 6)\ny = x.contiguous()").relation(), Relation::same);
  EXPECT_EQ(Ran("x = torch.arange(24).view(4, 6).t()\ny = x.contiguous()").relation(), Relation::copy);
}

TEST(TorchView, OtherBytesPerElementScaleTheLastDimension) {
  const Ran run("x = torch.arange(6, dtype=torch.int32).view(2, 3)[:, 1:]\nx.view(torch.int64)");
  EXPECT_EQ(run.error(),
            "RuntimeError: self.storage_offset() must be divisible by 2 to view Int as Long (different element sizes), "
            "but got 1");
  EXPECT_EQ(Ran("y = torch.arange(4).view(torch.int32)").layout("y"), "(8,):(1,)+0");
}

TEST(TorchDims, PermuteTransposeMovedimAndSqueezeAreArithmetic) {
  const auto layout = [](const std::string& call) {
    return Ran("x = torch.arange(24).view(2, 1, 3, 4)\ny = x." + call).layout("y");
  };
  EXPECT_EQ(layout("permute(3, 0, 2, 1)"), "(4, 2, 3, 1):(1, 12, 4, 12)+0");
  EXPECT_EQ(layout("transpose(-1, 0)"), "(4, 1, 3, 2):(1, 12, 4, 12)+0");
  EXPECT_EQ(layout("movedim((0, 1), (-1, -2))"), "(3, 4, 1, 2):(4, 1, 12, 12)+0");
  EXPECT_EQ(layout("squeeze()"), "(2, 3, 4):(12, 4, 1)+0");
  EXPECT_EQ(layout("unsqueeze(-1)"), "(2, 1, 3, 4, 1):(12, 12, 4, 1, 1)+0");
  EXPECT_EQ(layout("expand(2, 5, -1, -1)"), "(2, 5, 3, 4):(12, 0, 4, 1)+0");
}

TEST(TorchParts, SlicesMoveTheOffsetEvenWhereNothingIsLeft) {
  const auto layout = [](const std::string& key) {
    return Ran("x = torch.arange(24).view(4, 6)\ny = x[" + key + "]").layout("y");
  };
  EXPECT_EQ(layout("10:"), "(0, 6):(6, 1)+24");
  EXPECT_EQ(layout("::100"), "(1, 6):(600, 1)+0");
  EXPECT_EQ(layout("1, 2:"), "(4,):(1,)+8");
  EXPECT_EQ(layout("..., None, -1"), "(4, 1):(6, 6)+5");
  EXPECT_EQ(layout("[0, 2]"), "(2, 6):(6, 1)+0");
  EXPECT_EQ(layout("[True, False, True, True], 1"), "(3,):(1,)+0");
}

TEST(TorchParts, SeveralEllipsesMayMovePastTheLastDimension) {
  EXPECT_EQ(Ran("y = torch.arange(6).view(2, 3)[..., ...]").layout("y"), "(2, 3):(3, 1)+0");
  for (const char* key :
       {"0, ..., 1, ..., 2", "..., 0, ..., 1:", "..., ..., ..., 0", "0, ..., 0, ..., None", "..., 0, ..., [0]"})
    EXPECT_NE(Ran("x = torch.zeros(2, 3, 4, 5)\nx[" + std::string(key) + "]").error(), "ours") << key;
}

TEST(TorchParts, ResizeGrowsTheStorageUnderEveryTensorOnIt) {
  const Ran run("x = torch.arange(4)\ny = x.view(2, 2)\nx.resize_(3, 2)");
  EXPECT_EQ(run.layout("x"), "(3, 2):(2, 1)+0");
  EXPECT_EQ(run.tensor("y")->storage, run.tensor("x")->storage);
  EXPECT_EQ(run.tensor("x")->storage->nbytes, 48);
  // The step before keeps the storage as it was.
  EXPECT_EQ(run.step(1).names[0].tensor->storage->nbytes, 32);
}

TEST(TorchParts, SplitsAndChunksAreViewsAndThereMayBeFewer) {
  const Ran run("parts = torch.arange(6).chunk(4)\nlen(parts)");
  EXPECT_EQ(run.value(), "3");
  EXPECT_EQ(run.layout("parts[2]"), "(2,):(1,)+4");
}

}  // namespace
}  // namespace stridescope

// Operations of training code: what their results are, and what their words say.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string imported = "import torch.nn.functional as F\n";

TEST(Softmax, IsPackedWhateverTheStridesWere) {
  EXPECT_EQ(Ran("x = torch.zeros(2, 4).t()\ny = x.softmax(0)").layout("y"), "(4, 2):(2, 1)+0");
  EXPECT_EQ(Ran("x = torch.zeros(4)\ny = x.softmax(0)").values("y"), "0.25 0.25 0.25 0.25");
  EXPECT_EQ(Ran("x = torch.tensor([1000., 1000.])\ny = x.softmax(0)").values("y"), "0.5 0.5");
}

TEST(Pad, ReadsItsListFromTheLastDimension) {
  EXPECT_EQ(Ran(imported + "x = torch.zeros(2, 3)\ny = F.pad(x, (1, 2, 3, 4))").layout("y"), "(9, 6):(6, 1)+0");
  EXPECT_EQ(Ran(imported + "x = torch.arange(4).view(1, 4)\ny = F.pad(x, (-1, 2), value=9)").values("y"), "1 2 3 9 9");
  EXPECT_EQ(Ran(imported + "x = torch.arange(3.).view(1, 3)\ny = F.pad(x, (2, 1), mode='reflect')").values("y"),
            "2.0 1.0 0.0 1.0 2.0 1.0");
}

TEST(Pixels, OfChannelsLast3dAreMovedOnceTheFixHasMadeACopy) {
  std::string source =
      "x = torch.arange(128).view(2, 4, 4, 4).to(memory_format=torch.channels_last).unsqueeze(2)\n"
      "y = torch.pixel_shuffle(x, 1)";
  const Ran ran(source);
  EXPECT_EQ(ran.error(), "RuntimeError: Unsupported memory format. Supports only ChannelsLast, Contiguous");
  ASSERT_TRUE(ran.last().error->hints.at(0).fix);
  const Fix& fix = *ran.last().error->hints[0].fix;
  source.insert(static_cast<size_t>(fix.span.begin), fix.replacement);
  EXPECT_EQ(Ran(source).layout("y"), "(2, 4, 1, 4, 4):(64, 16, 16, 4, 1)+0");
}

TEST(Columns, HoldAnElementInEveryWindowOverIt) {
  const Ran ran(imported + "x = torch.arange(9.).view(1, 1, 3, 3)\ny = F.unfold(x, 2)");
  EXPECT_EQ(ran.layout("y"), "(1, 4, 4):(16, 4, 1)+0");
  EXPECT_EQ(ran.values("y"), "0.0 1.0 3.0 4.0 1.0 2.0 4.0 5.0 3.0 4.0 6.0 7.0 4.0 5.0 7.0 8.0");
}

TEST(Pixels, GoBackWhereTheyCameFrom) {
  EXPECT_EQ(Ran("x = torch.arange(16).view(1, 4, 2, 2)\ny = torch.pixel_unshuffle(torch.pixel_shuffle(x, 2), 2)\nz = "
                "torch.equal(x, y)\nz")
                .value(),
            "True");
}

TEST(Dropout, ChangesNothingWhereNothingIsTrained) {
  const Ran ran(imported + "x = torch.arange(3.)\ny = F.dropout(x, 0.5, training=False)");
  EXPECT_EQ(ran.relation(), Relation::same);
  EXPECT_TRUE(ran.says(Msg::dropout_nothing));
  const std::string trained = Ran(imported + "x = torch.ones(6)\ny = F.dropout(x, 0.5)").values("y");
  EXPECT_EQ(trained.find_first_not_of("0.2 "), std::string::npos) << trained;
}

TEST(Dropout, OfWholeNumbersHasNoFactorToStore) {
  const std::string whole = imported + "x = torch.arange(1, 4)\n";
  EXPECT_EQ(Ran(whole + "y = F.dropout(x, 0.5)").error(),
            "RuntimeError: result type Float can't be cast to the desired output type Long");
  EXPECT_EQ(Ran(whole + "y = F.dropout(x, 1)").values("y"), "0 0 0");
  const Ran in_place(imported + "x = torch.ones(2)\ny = F.dropout(x, 1, inplace=True)");
  EXPECT_EQ(in_place.values("x"), "0.0 0.0");
  EXPECT_EQ(in_place.relation(), Relation::same);
}

TEST(Interpolate, TakesTheMeanOfAnAreaOrACurveThroughFour) {
  const std::string image = imported + "x = torch.arange(16.).view(1, 1, 4, 4)\n";
  EXPECT_EQ(Ran(image + "y = F.interpolate(x, size=2, mode='area')").values("y"), "2.5 4.5 10.5 12.5");
  EXPECT_EQ(Ran(image + "y = F.interpolate(x, size=2, mode='bicubic', align_corners=True)").values("y"),
            "0.0 3.0 12.0 15.0");
  EXPECT_EQ(
      Ran(image + "y = F.interpolate(x, size=(2, -1), mode='area')").error(),
      "RuntimeError: adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received "
      "{2, -1}");
}

TEST(Losses, ATensorOfOneNumberIsNamedByIt) {
  EXPECT_EQ(Ran(imported + "x = torch.ones(2)\nF.mse_loss(x, x, reduction=torch.tensor(1.5))").error(),
            "ValueError: 1.5 is not a valid value for reduction");
}

TEST(Linear, WithABiasIsAViewOfOneProduct) {
  const Ran ran(imported + "x = torch.ones(2, 3, 4)\ny = F.linear(x, torch.ones(5, 4), torch.ones(5))");
  EXPECT_EQ(ran.layout("y"), "(2, 3, 5):(15, 5, 1)+0");
  EXPECT_TRUE(ran.tensor("y")->is_view);
  EXPECT_TRUE(ran.says(Msg::linear_rows));
}

TEST(Einsum, OfSeveralOperandsSumsWhatTheResultLeavesOut) {
  const Ran ran("x = torch.arange(6).view(2, 3)\ny = torch.einsum('ij,kj,kl->li', x, x, x)");
  EXPECT_EQ(ran.layout("y"), "(3, 2):(1, 3)+0");
  EXPECT_EQ(ran.values("y"), "42 150 61 214 80 278");
  EXPECT_TRUE(ran.says(Msg::hidden_base));
}

TEST(Scatter, OfTheSamePlaceAddsOrKeepsTheLast) {
  const std::string setup = "x = torch.zeros(3)\ni = torch.tensor([0, 0, 2])\nv = torch.tensor([1., 2., 3.])\n";
  EXPECT_EQ(Ran(setup + "y = x.scatter(0, i, v)").values("y"), "2.0 0.0 3.0");
  EXPECT_EQ(Ran(setup + "x.scatter_add_(0, i, v)").values("x"), "3.0 0.0 3.0");
  EXPECT_EQ(Ran(setup + "y = x[::2].scatter(0, torch.tensor([1]), v)").layout("y"), "(2,):(1,)+0");
}

TEST(PartScatter, KeepsTheStridesOfTheTensor) {
  EXPECT_EQ(Ran("x = torch.arange(12).view(3, 4).t()[1:]\ny = x.select_scatter(torch.zeros(3), 0, 0)").layout("y"),
            "(3, 3):(1, 4)+1");
}

TEST(PartScatter, ClonesWhatRepeatsBeforeAnythingIsPutInto) {
  const Ran ran("x = torch.arange(3).expand(2, 3)\ny = x.as_strided_scatter(torch.tensor([7, 8]), (2,), (4,))");
  EXPECT_EQ(ran.layout("x"), "(2, 3):(0, 1)+0");
  EXPECT_EQ(ran.layout("y"), "(2, 3):(3, 1)+0");
  EXPECT_EQ(ran.values("x"), "0 1 2 0 1 2");
  EXPECT_EQ(ran.values("y"), "7 1 2 0 8 2");
}

TEST(Vectors, OfComplexNumbersTheFirstIsConjugated) {
  const std::string setup = "z = torch.tensor([1+2j, 3j])\n";
  EXPECT_EQ(Ran(setup + "y = torch.vdot(z, z * 1j)").values("y"), "0+14j");
  EXPECT_EQ(Ran(setup + "y = torch.linalg.vecdot(z, z)").values("y"), "14+0j");
  EXPECT_EQ(Ran(setup + "y = torch.linalg.vecdot(z[None], z[None])").layout("y"), "(1,):(1,)+0");
}

TEST(ProductInPlace, OfWhatIsReadWhileItIsWrittenNothingIsTold) {
  const std::string setup = "x = torch.ones(2, 2)\n";
  EXPECT_EQ(Ran(setup + "x.t().addmm_(torch.ones(2, 3), torch.arange(6.).view(3, 2))").values("x"),
            "7.0 7.0 10.0 10.0");
  EXPECT_TRUE(leaves_unknown(Ran(setup + "x.addmm_(x, torch.ones(2, 2))").last()));
  EXPECT_TRUE(leaves_unknown(Ran("torch.ones(2).expand(3, 2)[:, 0].addmv_(torch.ones(3, 2), torch.ones(2))").last()));
}

const std::string packed_image = imported + "x = torch.arange(96.).view(2, 3, 4, 4)\nw = torch.ones(5, 3, 3, 3)\n";
const std::string last_image = imported +
                               "x = torch.arange(96.).view(2, 3, 4, 4).to(memory_format=torch.channels_last)\n"
                               "w = torch.ones(5, 3, 3, 3)\n";

TEST(Convolution, KeepsChannelsLastOfTheImageOrOfTheWeight) {
  EXPECT_EQ(Ran(packed_image + "y = F.conv2d(x, w)").layout("y"), "(2, 5, 2, 2):(20, 4, 2, 1)+0");
  const Ran follows(last_image + "y = F.conv2d(x, w)");
  EXPECT_EQ(follows.layout("y"), "(2, 5, 2, 2):(20, 1, 10, 5)+0");
  EXPECT_TRUE(follows.says(Msg::layer_follows_input));
  const Ran led(packed_image + "y = F.conv2d(x, w.to(memory_format=torch.channels_last))");
  EXPECT_EQ(led.layout("y"), "(2, 5, 2, 2):(20, 1, 10, 5)+0");
  EXPECT_TRUE(led.says(Msg::layer_follows_weight));
  EXPECT_TRUE(Ran(packed_image + "y = F.conv2d(x.transpose(2, 3), w)").says(Msg::layer_packed));
}

TEST(Convolution, AddsUpEachWindow) {
  EXPECT_EQ(
      Ran(imported + "x = torch.arange(9.).view(1, 3, 3)\nw = torch.ones(1, 1, 2, 2)\ny = F.conv2d(x, w)").values("y"),
      "8.0 12.0 20.0 24.0");
  EXPECT_EQ(Ran(imported + "x = torch.arange(4.).view(1, 4)\ny = F.conv1d(x, torch.ones(1, 1, 3), padding='same')")
                .values("y"),
            "1.0 3.0 6.0 5.0");
  EXPECT_EQ(
      Ran(imported + "x = torch.arange(3.).view(1, 3)\ny = F.conv_transpose1d(x, torch.ones(1, 1, 2))").values("y"),
      "0.0 1.0 3.0 2.0");
}

TEST(Pooling, KeepsChannelsLast) {
  for (const char* call : {"F.max_pool2d(x, 2)", "F.avg_pool2d(x, 2)", "F.adaptive_avg_pool2d(x, 2)",
                           "F.interpolate(x, size=2)", "F.batch_norm(x, None, None, training=True)[:, :, :2, :2]"}) {
    const std::string program = std::string("y = ") + call;
    EXPECT_EQ(Ran(packed_image + program).tensor("y")->layout.strides[3], 1) << call;
    EXPECT_EQ(Ran(last_image + program).tensor("y")->layout.strides[1], 1) << call;
  }
  EXPECT_EQ(Ran(packed_image + "y = F.max_pool2d(x[0, 0:1], 2)").values("y"), "5.0 7.0 13.0 15.0");
}

TEST(LayerNorm, IsContiguousWhateverTheInput) {
  const Ran ran(last_image + "y = F.layer_norm(x, (4,))");
  EXPECT_EQ(ran.layout("y"), "(2, 3, 4, 4):(48, 16, 4, 1)+0");
  EXPECT_TRUE(ran.says(Msg::layer_packed));
}

TEST(Attention, LiesInMemoryAsTheQueryWhereTheFusedKernelRuns) {
  const std::string heads = imported + "x = torch.ones(2, 5, 3, 4).transpose(1, 2)\n";
  const Ran fused(heads + "y = F.scaled_dot_product_attention(x, x, x)\nz = y.transpose(1, 2).view(2, 5, 12)");
  EXPECT_EQ(fused.error(), "") << "the heads join without a copy";
  const Ran apart(heads + "y = F.scaled_dot_product_attention(x[0], x[0], x[0])");
  EXPECT_EQ(apart.layout("y"), "(3, 5, 4):(20, 4, 1)+0");
  EXPECT_TRUE(apart.says(Msg::attention_products));
  EXPECT_EQ(Ran(heads + "y = F.scaled_dot_product_attention(x, x, x[:, :, :4])").error(), "ours");
}

TEST(Layers, HintAtChannelsThatComeLast) {
  const Ran ran(imported + "F.conv2d(torch.ones(2, 8, 8, 3), torch.ones(4, 3, 3, 3))");
  ASSERT_TRUE(ran.last().error);
  EXPECT_EQ(ran.last().error->hints.size(), 1u);
}

}  // namespace
}  // namespace stridescope

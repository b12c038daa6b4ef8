// What layers say where they are not reckoned here, or where the numbers are too large.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string setup =
    "import torch.nn.functional as F\nx = torch.ones(1, 2, 4, 4)\nw = torch.ones(2, 2, 3, 3)\n"
    "q = torch.ones(1, 2, 3, 4)\nm = torch.zeros(2)\n";

TEST(Layers, WhatIsNotModelledIsSaidAndNotGuessed) {
  for (const char* line : {"F.conv2d(x.to(torch.complex64), w)",
                           "F.conv2d(x.long(), w.long())",
                           "F.conv2d(x, w[:, :, :0])",
                           "F.conv_transpose2d(x, w[:, :0])",
                           "F.conv_transpose2d(x, w, padding=9)",
                           "F.interpolate(x, 2, mode='bilinear', antialias=True)",
                           "F.interpolate(x.to(torch.uint8), 2, mode='bilinear')",
                           "F.interpolate(x, scale_factor=(2, 'a'), mode='area')",
                           "F.scaled_dot_product_attention(q.long(), q.long(), q.long())",
                           "F.scaled_dot_product_attention(q.half(), q.half(), q.half(), torch.ones(3, 3))",
                           "F.scaled_dot_product_attention(q, q[:, [0, 0, 0]], q[:, [0, 0, 0]], enable_gqa=True)",
                           "F.scaled_dot_product_attention(q, q[:, :0], q[:, :0], enable_gqa=True)",
                           "F.scaled_dot_product_attention(q[0, 0], q[0, 0], q[0, 0], enable_gqa=True)",
                           "F.scaled_dot_product_attention(q[0, 0], q[0], q[0, 0], enable_gqa=True)",
                           "F.scaled_dot_product_attention(q[..., :0], q[..., :0], q[..., :0])",
                           "F.normalize(x.to(torch.complex64))",
                           "F.normalize(x, 'fro')",
                           "F.batch_norm(torch.tensor(1.), torch.zeros(0), torch.zeros(0))",
                           "F.hardtanh(x, float('nan'), 1.)",
                           "F.adaptive_avg_pool2d(x[:, :, :0], 1)",
                           "torch.searchsorted(m, 1., sorter=torch.tensor([0, 1]))"})
    EXPECT_EQ(Ran(setup + line).error(), "ours") << line;
}

TEST(Layers, NumbersThatLeave64BitsAreRefused) {
  for (const char* line :
       {"F.conv2d(x, w, dilation=2**62)", "F.conv2d(x, w, dilation=2**62, padding='same')",
        "F.conv2d(x, torch.ones(2, 2, 2, 2), dilation=9223372036854775807)", "F.conv2d(x, w, padding=2**62)",
        "F.conv_transpose2d(x, w, stride=2**62)", "F.conv_transpose2d(x, w, padding=2**63 - 1)",
        "F.conv_transpose2d(x, w, stride=2**60, dilation=2**61, output_padding=2**61)",
        "F.conv_transpose2d(x, w, stride=9223372036854775807, output_padding=9223372036854775806)",
        "F.max_pool2d(x, 2**62)", "F.max_pool2d(x, 2, stride=2**62)", "F.max_pool2d(x, 2, stride=-2**62)",
        "F.max_pool2d(x, 2, padding=2**62)", "F.max_pool2d(x, -2**62)", "F.max_pool2d(x, 2, dilation=2**63 - 1)",
        "F.max_pool2d(x, 3, dilation=2**62)", "F.interpolate(x, scale_factor=1e30)",
        "F.interpolate(x, scale_factor=float('nan'))"})
    EXPECT_EQ(Ran(setup + line).error(), "ours") << line;
}

TEST(Layers, WhatTakesTooManyStepsIsNotKnownUnlessItIsOfStandIns) {
  for (const char* line :
       {"F.conv2d(@(1, 64, 64, 64), torch.ones(64, 64, 3, 3))", "F.layer_norm(@(2000, 1000), (1000,))",
        "F.normalize(@(2000, 1000))", "F.max_pool2d(@(1, 3000, 3000), 2)", "F.adaptive_avg_pool2d(@(1, 3000, 3000), 2)",
        "F.interpolate(@(1, 3, 1000, 1000), scale_factor=2)",
        "F.scaled_dot_product_attention(@(1, 8, 512, 64), @(1, 8, 512, 64), @(1, 8, 512, 64))",
        "F.leaky_relu(@(2000, 1000))"}) {
    const auto with = [&](const std::string& maker) {
      std::string text = line;
      for (size_t at; (at = text.find('@')) != text.npos;) text.replace(at, 1, maker);
      return text;
    };
    const Ran known(setup + "y = " + with("torch.ones")), ran(setup + "y = " + with("torch.rand"));
    EXPECT_EQ(ran.error(), "") << line;
    EXPECT_TRUE(ran.tensor("y")->storage->drawn) << line;
    EXPECT_FALSE(is_known(*known.tensor("y")->storage->contents)) << line;
    EXPECT_EQ(known.layout("y"), ran.layout("y")) << line;
  }
  // Where is the most of what nobody knows?
  EXPECT_FALSE(is_known(*Ran(setup + "y, i = F.max_pool2d(torch.rand(1, 3000, 3000), 2, return_indices=True)")
                             .tensor("i")
                             ->storage->contents));
}

TEST(Layers, StatisticsOfWhatNobodyKnowsAreStandInsToo) {
  const Ran ran(setup + "y = F.batch_norm(torch.rand(8, 2, 400, 400), m, None, training=True)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_NE(ran.values("m"), "0.0 0.0");
  const Ran known(setup + "y = F.batch_norm(torch.ones(8, 2, 400, 400), m, None, training=True)");
  EXPECT_FALSE(is_known(*known.tensor("m")->storage->contents));
}

}  // namespace
}  // namespace stridescope

// Patterns of einops: the calls they come to, and what is wrong with them, where.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string patterns =
    "import torch\nimport numpy as np\nimport einops\nfrom einops.layers.torch import Rearrange, Reduce\n"
    "x = torch.arange(24).reshape(2, 3, 4)\n";

/// What the last statement calls, the last of it: code that gives the same.
std::string called_code(const std::string& line) { return Ran(patterns + line).last().applied.back().title; }
TEST(Einops, APatternComesToCallsThatCouldBeWritten) {
  EXPECT_EQ(called_code("y = einops.rearrange(x, 'b h w -> b (h w)')"), "x.reshape(2, 12)");
  EXPECT_EQ(called_code("y = einops.rearrange(x, 'b h (w c) -> (c b) h w', c=2)"),
            "x.reshape(2, 3, 2, 2).permute(3, 0, 1, 2).reshape(4, 3, 2)");
  EXPECT_EQ(called_code("y = einops.rearrange(x + 1, 'b h w -> w h b')"), "(x + 1).permute(2, 1, 0)");
  EXPECT_EQ(called_code("y = einops.rearrange([x, x], 'n b h w -> b h w n')"),
            "torch.stack([x, x]).permute(1, 2, 3, 0)");
  EXPECT_EQ(called_code("y = einops.repeat(x, 'b h w -> b h w c', c=5)"), "x.unsqueeze(3).expand(-1, -1, -1, 5)");
  EXPECT_EQ(called_code("y = einops.reduce(x, 'b h w -> b', 'max')"), "x.amax(dim=(1, 2))");
  EXPECT_EQ(called_code("y = einops.reduce(x, 'b h w -> h', 'prod')"), "x.permute(1, 0, 2).prod(dim=2).prod(dim=1)");
  EXPECT_EQ(called_code("a = np.arange(6).reshape(2, 3)\ny = einops.repeat(a, 'h w -> (h 2) w')"),
            "np.tile(np.expand_dims(a, 1), (1, 2, 1)).reshape(4, 3)");
  EXPECT_EQ(called_code("y = einops.reduce(x, 'b h w -> b 1', torch.sum)"), "torch.sum(x, (1, 2)).reshape(2, 1)");
  EXPECT_EQ(called_code("y = einops.rearrange(x, '... w -> w ...')"), "x.permute(2, 0, 1)");
  EXPECT_EQ(called_code("y = einops.rearrange(x, 'b ... -> b (...)')"), "x.reshape(2, 12)");
  EXPECT_EQ(called_code("y = einops.einsum(x, x, 'b h w, c h w -> b c')"), "torch.einsum('abc,dbc->ad', x, x)");
}

TEST(Einops, ItIsAViewWhereTheCallsAre) {
  EXPECT_EQ(Ran(patterns + "y = einops.rearrange(x, 'b h w -> w (b h)')").layout("y"), "(4, 6):(1, 4)+0");
  EXPECT_EQ(Ran(patterns + "y = einops.rearrange(x, 'b h w -> (b w) h')").layout("y"), "(8, 3):(3, 1)+0");
  const Ran same(patterns + "y = einops.rearrange(x, 'b h w -> b h w')");
  EXPECT_EQ(same.tensor("y")->object, same.tensor("x")->object);
  EXPECT_TRUE(same.says(Msg::einops_nothing));
  EXPECT_EQ(Ran(patterns + "x[0, 0, 0] = 7\ny, z = einops.unpack(x, [(1,), (3,)], 'b h *')\ny[0, 0, 0] = 9")
                .values("x")
                .substr(0, 3),
            "9 1");
}

TEST(Einops, WhatPythonPrintsInAnyOrderIsNotPromised) {
  EXPECT_TRUE(Ran(patterns + "einops.rearrange(x, 'b h w -> b')").last().error->raised->parser);
  EXPECT_FALSE(Ran(patterns + "einops.rearrange(x, 'b h w -> b h')").last().error->raised->parser);
}

TEST(Einops, TooManyAxesAreALimit) {
  std::string many = "a";
  for (int i = 0; i < 70; ++i) many += " a" + std::to_string(i);
  for (const std::string& line : std::vector<std::string>{
           "einops.rearrange(x, '" + many + " -> a')", "einops.rearrange(x, '(" + many + ") h w -> h w')",
           "einops.parse_shape(x, '" + many + "')", "einops.pack([x], '" + many + " *')",
           "einops.rearrange(x, '(b 99999999999999999999) h w -> b h w')", "einops.rearrange(x, 'é h w -> é h w')",
           "einops.repeat(x, 'b h w -> (b n) h w', n=2**62)", "einops.unpack(x, [(2**40, 2**40)], 'b h *')"})
    EXPECT_TRUE(Ran(patterns + line).last().error && !Ran(patterns + line).last().error->raised) << line;
}

TEST(Einops, LayersLookAtThePatternAtOnceAndAtSizesLater) {
  EXPECT_EQ(Ran(patterns + "m = Rearrange('b h w -> b (h w)')\ny = m(x)").layout("y"), "(2, 12):(12, 1)+0");
  EXPECT_EQ(
      Ran(patterns + "m = torch.nn.Sequential(Rearrange('b h w -> b (h w)'), Reduce('b n -> b', 'sum'))\ny = m(x)")
          .values("y"),
      "66 210");
  EXPECT_EQ(to_string(Ran(patterns + "m = Rearrange('b (h k) w -> b h k w', k=3)").last().value),
            "Rearrange('b (h k) w -> b h k w', k=3)");
  EXPECT_EQ(Ran(patterns + "m = Rearrange('b h w -> b')").last().error->raised->type, "EinopsError");
  EXPECT_EQ(Ran(patterns + "m = Rearrange('b h -> h b')\nm(x)").last().error->raised->type, "KeyError");
}

TEST(Einops, ItsErrorIsARuntimeErrorThatCanBeImported) {
  const std::string body = "try:\n    einops.rearrange(x, 'b h -> h b')\nexcept ";
  EXPECT_EQ(
      to_string(
          Ran(patterns + "from einops import EinopsError\n" + body + "EinopsError as e:\n    y = 1\ny").last().value),
      "1");
  EXPECT_EQ(to_string(Ran(patterns + body + "RuntimeError:\n    y = 2\ny").last().value), "2");
  EXPECT_EQ(
      to_string(
          Ran("import numpy as np\nfrom numpy.linalg import LinAlgError\ntry:\n    np.linalg.inv(np.zeros((2, 2)))\n"
              "except LinAlgError:\n    y = 3\ny")
              .last()
              .value),
      "3");
}

TEST(Einops, FunctionsReduceToo) {
  EXPECT_EQ(Ran(patterns + "y = einops.reduce(x, 'b h w -> b', torch.sum)").values("y"), "66 210");
  EXPECT_EQ(Ran(patterns + "y = einops.reduce(x, 'b h w -> h', lambda a, dims: a.amax(dims))").values("y"), "15 19 23");
}

}  // namespace
}  // namespace stridescope

// Values that nobody reckons: layouts go on without them, and nothing is told that depends on them.
#include "ops/program.h"

namespace stridescope {
namespace {

constexpr const char* unknown_setup =
    "import torch\nimport numpy as np\nimport torch.nn.functional as F\n"
    "u = torch.arange(100000).cumsum(0)\nx = u[:24].view(2, 3, 4)\nf = x.float()\n"
    "a = np.arange(100000).cumsum()[:24].reshape(2, 3, 4)\n";

Ran after_setup(const std::string& lines) { return Ran(unknown_setup + lines); }

TEST(Unknown, WhatWouldTakeTooManyStepsHasALayoutAndNoValues) {
  const struct {
    const char *line, *layout;
  } cases[] = {
      {"y = torch.zeros(2000000).sum()", "():()+0"},
      {"y = torch.zeros(2000, 1000).mean(1)", "(2000,):(1,)+0"},
      {"y = torch.zeros(2000, 1000).argmax(0)", "(1000,):(1,)+0"},
      {"y = torch.zeros(3000, 3000) @ torch.zeros(3000, 3000)", "(3000, 3000):(3000, 1)+0"},
      {"y = torch.zeros(2000000).cumsum(0)", "(2000000,):(1,)+0"},
      {"y = torch.zeros(1000, 2000).t().softmax(0)", "(2000, 1000):(1000, 1)+0"},
      {"y = torch.zeros(1000, 1000).t().sort(0)[0]", "(1000, 1000):(1, 1000)+0"},
      {"y = torch.zeros(1000, 1000).topk(3)[1]", "(1000, 3):(3, 1)+0"},
      {"y = torch.zeros(70000, 0).sum(1)", "(70000,):(1,)+0"},
      {"y = torch.einsum('ij->i', torch.zeros(1).expand(2**20, 2**10))", "(1048576,):(1,)+0"},
      {"y = F.conv2d(torch.ones(1, 64, 64, 64), torch.ones(64, 64, 3, 3))", "(1, 64, 62, 62):(246016, 3844, 62, 1)+0"},
      {"y = np.ones((2000, 1000)).mean(axis=0)", "(1000,):(8,)+0"},
      {"y = np.ones((2000, 1000)).T @ np.ones((2000, 1000))", "(1000, 1000):(8000, 8)+0"},
      {"y = np.sort(np.ones((1000, 1000)).T)", "(1000, 1000):(8, 8000)+0"},
      {"y = np.einsum('ij,jk', np.ones((2000, 2000)), np.ones((2000, 2000)))", "(2000, 2000):(16000, 8)+0"},
      {"y = np.quantile(np.ones((1000, 1000)), [.1, .9], axis=1)", "(2, 1000):(8000, 8)+0"},
      {"y = np.percentile(np.zeros((300, 2)), np.zeros(300), axis=1)", "(300, 300):(2400, 8)+0"},
      {"y = np.argsort([1, 1])", "(2,):(8,)+0"},
      {"y = np.partition([3, 1, 2, 6, 5], 1)", "(5,):(8,)+0"},
  };
  for (const auto& [line, layout] : cases) {
    const Ran ran = after_setup(line);
    EXPECT_EQ(ran.error(), "") << line;
    EXPECT_EQ(ran.layout("y"), layout) << line;
    EXPECT_TRUE(leaves_unknown(ran.last())) << line;
    EXPECT_TRUE(ran.says(Msg::unknown_values)) << line;
    const Msg headline = ran.last().applied.back().why.lines.front().id;
    EXPECT_TRUE(headline != Msg::unreckoned && headline != Msg::unknown_values) << line;
  }
}

TEST(Unknown, EverythingMadeOfItIsUnknownToo) {
  for (const char* line : {"x + 1",
                           "x * torch.ones(4)",
                           "x.t() if x.dim() < 3 else x.mT",
                           "x.contiguous()",
                           "x.mT.reshape(-1)",
                           "torch.cat([x, torch.zeros(2, 3, 4).long()])",
                           "x[[0, 1], 1]",
                           "x.sum()",
                           "x.max(1)",
                           "f.softmax(-1)",
                           "f @ torch.ones(4, 2)",
                           "torch.einsum('ijk->k', x)",
                           "x.to(torch.int8)",
                           "x.view(torch.int32)",
                           "x > 3",
                           "torch.where(x > 3, x, 0)",
                           "F.relu(f)",
                           "F.layer_norm(f, (4,))",
                           "f.std(-1)",
                           "x.repeat(2, 1, 1)",
                           "x.flip(0)",
                           "torch.stack([x, x], -1)",
                           "x.tril()",
                           "torch.zeros(24).long().copy_(u[:24])",
                           "x.numpy()",
                           "a + 1",
                           "a.sum(axis=0)",
                           "a.astype(float)",
                           "np.sort(a)",
                           "a @ np.ones((4, 2))",
                           "np.tril(a)",
                           "a[[0, 1]]",
                           "np.concatenate([a, a])",
                           "torch.from_numpy(a)",
                           "F.cross_entropy(f.view(6, 4), torch.zeros(6).long())"}) {
    const Ran ran = after_setup(line);
    EXPECT_EQ(ran.error(), "") << line;
    EXPECT_TRUE(leaves_unknown(ran.last())) << line;
  }
}

TEST(Unknown, NothingIsToldThatDependsOnIt) {
  for (const char* line : {"u[3].item()",
                           "x.tolist()",
                           "int(u[0])",
                           "float(f[0, 0, 0])",
                           "bool(u[0])",
                           "u[0] == 3 and 1",
                           "str(u[0])",
                           "f'{u[0]}'",
                           "x.nonzero()",
                           "x[x > 3]",
                           "torch.equal(x, x)",
                           "torch.allclose(f, f)",
                           "x.unique()",
                           "a.item(0)",
                           "np.nonzero(a)",
                           "np.array_equal(a, a)",
                           "a.tolist()",
                           "u[u[0]]",
                           "torch.arange(u[0])",
                           "x.view(2, u[1])",
                           "torch.zeros(3)[u[:3]]",
                           "range(u[3])",
                           "[0, 1][u[0]]",
                           "7 // u[0]",
                           "7 % (x + 1)",
                           "np.repeat([1, 2], a[0, 0, :2])",
                           "torch.bincount(u)",
                           "F.one_hot(u[:3])",
                           "sorted(a[0, 0])",
                           "u[0].is_nonzero()",
                           "int(a.sum())",
                           "round(a.mean())",
                           "a.sum().item()",
                           "str(a.sum())",
                           "str([a.sum()])",
                           "f'{a.sum():.2f}'",
                           "[0, 1][a.sum()]",
                           "np.zeros(3)[a.sum()]",
                           "np.zeros(a.max())",
                           "range(a.sum())",
                           "a.sum() > 3 and 1",
                           "{a.sum(): 1}",
                           "a.sum() in [1, 2]",
                           "2 ** a.sum()",
                           "np.ones(3, 'f4') ** a.mean()",
                           "max([a.sum(), 1])",
                           "torch.tensor(a.sum())",
                           "torch.ones(3) * a.sum()",
                           "x.view(a.sum(), 2)"}) {
    const Ran ran = after_setup(line);
    EXPECT_EQ(ran.error(), "ours") << line << " " << ran.value();
  }
  const Ran branch = after_setup("y = 1\nif u[0] > 3:\n  y = 2\ny");
  EXPECT_EQ(branch.trace.steps.at(branch.trace.steps.size() - 2).error->reason.id, Msg::values_unknown);
  // Nothing is known either of what the lines below such a header would have done.
  for (const char* block :
       {"if u[0] > 3:\n  y = 1\ny", "y = 0\nif u[0] > 3:\n  y = 1\ny", "y = 0\nwhile y < u[4]:\n  y += 1\ny",
        "for y in range(u[2]):\n  pass\ny", "if 7 // u[0] > 1:\n  pass\nelse:\n  y = 2\ny",
        "try:\n  y = int(u[0])\nexcept ValueError:\n  y = 5\ny", "y = [1]\ny.append(int(u[0]))\ny"}) {
    const Ran ran = after_setup(block);
    EXPECT_TRUE(ran.names_nothing_known()) << block;
  }
  EXPECT_EQ(Ran(std::string(unknown_setup) + "print(u[:3])").error(), "");
  EXPECT_EQ(evaluate(std::string(unknown_setup) + "print(u[:3])").output, "…\n");
}

TEST(Unknown, AScalarOfNumPyHasItsTypeAndNoValue) {
  const struct {
    const char *line, *value;
  } cases[] = {
      {"a.sum()", "np.int64(?)"},
      {"a.mean()", "np.float64(?)"},
      {"a[0, 0, 0]", "np.int64(?)"},
      {"np.ones((2000, 1000)).sum()", "np.float64(?)"},
      {"np.ones((2000, 1000), 'f4').mean() * 2", "np.float32(?)"},
      {"a.sum() > 3", "np.bool(?)"},
      {"-a.sum() + 1j", "np.complex128(?)"},
      {"np.sqrt(a.sum())", "np.float64(?)"},
      {"7 // a.sum()", "np.int64(?)"},
      {"a.sum() ** 2", "np.int64(?)"},
      {"sum([a.sum(), 1])", "np.int64(?)"},
      {"np.median(np.zeros(70000))", "np.float64(?)"},
      {"np.zeros(70000).argmax()", "np.int64(?)"},
      {"np.trace(np.zeros((70000, 70000)))", "np.float64(?)"},
      {"np.maximum(a.max(), 0)", "np.int64(?)"},
      {"np.float32(a.sum())", "np.float32(?)"},
      {"a.sum().astype('i1')", "np.int8(?)"},
      {"a.sum()[()]", "np.int64(?)"},
      {"list(a[0, 0])[1:3]", "[np.int64(?), np.int64(?)]"},
  };
  for (const auto& [line, value] : cases) {
    const Ran ran = after_setup(line);
    EXPECT_EQ(ran.error(), "") << line;
    EXPECT_EQ(ran.value(), value) << line;
  }
  for (const char* line : {"a - a.mean()", "np.zeros(3) * a.sum()", "np.array([a.sum(), 1])", "np.full(3, a.max())",
                           "np.clip(np.arange(3), 0, a.max())", "np.where(a > a.mean(), 1, 0)", "np.asarray(a.sum())",
                           "np.stack([a.sum(), a.max()])", "a.sum().reshape(1, 1)", "a.sum()[None]"}) {
    const Ran ran = after_setup(line);
    EXPECT_EQ(ran.error(), "") << line;
    EXPECT_TRUE(leaves_unknown(ran.last())) << line;
  }
  EXPECT_TRUE(leaves_unknown(after_setup("y = np.zeros(3)\ny[0] = a.sum()\ny").last()));
  EXPECT_EQ(evaluate(std::string(unknown_setup) + "print(a.sum(), [a.max()])").output, "… …\n");
}

TEST(Unknown, WhatIsWrittenAllOverIsKnownAgain) {
  EXPECT_EQ(after_setup("u.fill_(3)\ny = u[:2]").values("y"), "3 3");
  EXPECT_EQ(after_setup("u[...] = 5\ny = x[0, 0]").values("y"), "5 5 5 5");
  EXPECT_EQ(after_setup("y = torch.zeros_like(x)[0, 0]").values("y"), "0 0 0 0");
  EXPECT_TRUE(leaves_unknown(after_setup("u[0] = 5\nu").last())) << "of a storage all is known, or nothing";
  EXPECT_TRUE(leaves_unknown(after_setup("y = torch.zeros(3).long()\ny[:1] = u[:1]\ny").last()));
  EXPECT_TRUE(leaves_unknown(after_setup("y = torch.zeros(3).long()\ny[0] = u.sum()\ny").last()));
}

TEST(Unknown, ATriangleOfAnySizeIsKnown) {
  const Ran ran = after_setup(
      "m = torch.ones(4000, 4000).tril(1)\ny = m[1998:2001, 1999:2002]\nz = np.triu(np.ones((5000, 5000)), 1)\nz = "
      "z[7:9, 7:10]\nt = torch.ones(3000, 3000)\nt.triu_()\nt = t[5, 3:8]");
  EXPECT_EQ(ran.values("y"), "1.0 0.0 0.0 1.0 1.0 0.0 1.0 1.0 1.0");
  EXPECT_EQ(ran.values("z"), "0.0 1.0 1.0 0.0 0.0 1.0");
  EXPECT_EQ(ran.values("t"), "0.0 0.0 1.0 1.0 1.0");
}

}  // namespace
}  // namespace stridescope

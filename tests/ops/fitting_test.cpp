// What would have fitted: the hint of a failed call, and that what it says runs.
#include "ops/program.h"

namespace stridescope {
namespace {

struct Mended {
  std::string setup, failing, hint, mended;
};

TEST(Fitting, WhatIsOfferedRuns) {
  const std::string torch =
      "import torch.nn.functional as F\nfrom torch import nn\na = torch.ones(2, 3)\nb = torch.ones(2, 3)\n";
  const std::string numpy = "a = np.ones((2, 3))\nb = np.ones((2, 3))\n";
  const Mended cases[] = {
      {torch, "nn.Linear(5, 10)(torch.ones(2, 7))",
       "Rows of 7 are taken by nn.Linear(7, 10), whose weight has sizes (10, 7).", "nn.Linear(7, 10)(torch.ones(2, 7))"},
      {torch, "a @ b", "With the second one transposed they fit: .t().", "a @ b.t()"},
      {torch, "a @ torch.ones(2, 4)", "With the first one transposed they fit: .t().", "a.t() @ torch.ones(2, 4)"},
      {torch, "torch.ones(5, 2, 3) @ torch.ones(5, 2, 3)", "With the second one transposed they fit: .mT.",
       "torch.ones(5, 2, 3) @ torch.ones(5, 2, 3).mT"},
      {numpy, "a.dot(b)", "With the second one transposed they fit: .T.", "a.dot(b.T)"},
      {torch, "a + torch.ones(2)", "(2,) fits as (2, 1): [:, None].", "a + torch.ones(2)[:, None]"},
      {torch, "torch.ones(2) * a", "(2,) fits as (2, 1): [:, None].", "torch.ones(2)[:, None] * a"},
      {torch, "torch.ones(4, 2, 3) + torch.ones(4, 2)", "(4, 2) fits as (4, 2, 1): [..., None].",
       "torch.ones(4, 2, 3) + torch.ones(4, 2)[..., None]"},
      {numpy, "a + np.ones((3, 2))", "Transposed it is (2, 3), which fits: .T.", "a + np.ones((3, 2)).T"},
      {torch, "a.masked_fill(torch.ones(2, 3, dtype=torch.uint8), 0)", ".bool() makes it fit.",
       "a.masked_fill(torch.ones(2, 3, dtype=torch.uint8).bool(), 0)"},
      {torch, "torch.cat([a, torch.ones(2, 4)])", "They can be joined with dim=1.",
       "torch.cat([a, torch.ones(2, 4)], dim=1)"},
      {numpy, "np.concatenate([a, np.ones((2, 4))])", "They can be joined with axis=1.",
       "np.concatenate([a, np.ones((2, 4))], axis=1)"},
      {torch, "torch.stack([a, torch.ones(2, 4)])", "They can be joined with torch.cat(.., dim=1).",
       "torch.cat([a, torch.ones(2, 4)], dim=1)"},
      {numpy, "np.hstack([a, np.ones((3, 3))])", "They can be joined with np.concatenate(.., axis=0).",
       "np.concatenate([a, np.ones((3, 3))], axis=0)"},
      {torch, "torch.cat([a, b[None]])", ".unsqueeze(0) makes one dimension more of the one that has 2.",
       "torch.cat([a.unsqueeze(0), b[None]])"},
      {torch, "torch.cat(a, b)", "What is joined is one list: torch.cat([.., ..]).", "torch.cat([a, b])"},
      {numpy, "np.concatenate(a, b)", "What is joined is one list: np.concatenate([.., ..]).",
       "np.concatenate([a, b])"},
      {torch, "torch.tensor([a, b])", "torch.stack([..]) makes it fit.", "torch.stack([a, b])"},
      {torch, "torch.from_numpy(np.arange(6)[::-1])", ".copy() makes it fit.",
       "torch.from_numpy(np.arange(6)[::-1].copy())"},
      {torch + "n = torch.arange(3)\n", "n += 1.5",
       "Not in place, as x = x + …, it makes a new one of the other dtype.", "n = n + 1.5"},
      {"n = np.arange(3)\n", "n += 0.5", "Not in place, as x = x + …, it makes a new one of the other dtype.",
       "n = n + 0.5"},
      {torch, "F.cross_entropy(torch.ones(2, 5, 6), torch.zeros(2, 5, dtype=torch.long))",
       "Classes belong in dim 1: .movedim(-1, 1) moves the last one there.",
       "F.cross_entropy(torch.ones(2, 5, 6).movedim(-1, 1), torch.zeros(2, 5, dtype=torch.long))"},
      {torch, "F.one_hot(torch.tensor([0., 1.]))", ".long() makes it fit.", "F.one_hot(torch.tensor([0., 1.]).long())"},
      {torch, "F.nll_loss(a, torch.tensor([0., 1.]))", ".long() makes it fit.",
       "F.nll_loss(a, torch.tensor([0., 1.]).long())"},
      {torch, "nn.BatchNorm1d(3)(torch.ones(2, 4))", "nn.BatchNorm1d(4) takes it.",
       "nn.BatchNorm1d(4)(torch.ones(2, 4))"},
      {torch, "nn.LayerNorm(5)(torch.ones(2, 4))", "nn.LayerNorm(4) takes it.", "nn.LayerNorm(4)(torch.ones(2, 4))"},
      {torch, "nn.Conv2d(3, 8, 3)(torch.ones(1, 1, 8, 8))", "nn.Conv2d(1, 8, ..) takes it.",
       "nn.Conv2d(1, 8, 3)(torch.ones(1, 1, 8, 8))"},
      {torch, "torch.ones(2, requires_grad=True).numpy()", ".detach().numpy() makes it fit.",
       "torch.ones(2, requires_grad=True).detach().numpy()"},
      {torch, "torch.ones(2, 2).half() @ torch.ones(2, 2)", ".to(torch.float32) makes it fit.",
       "torch.ones(2, 2).half().to(torch.float32) @ torch.ones(2, 2)"},
      {"", "np.zeros(2, 3)", "A shape of several sizes is one tuple: ((2, 3)).", "np.zeros((2, 3))"},
      {numpy, "a[0, 1, 2]", "2 indices are the most that fit.", "a[0, 1]"},
  };
  for (const Mended& one : cases) {
    const Ran failed(one.setup + one.failing);
    ASSERT_TRUE(failed.last().error && failed.last().error->raised) << one.failing;
    ASSERT_EQ(failed.last().error->hints.size(), 1U) << one.failing;
    EXPECT_EQ(plain(failed.last().error->hints[0].message, Language::english), one.hint) << one.failing;
    EXPECT_EQ(Ran(one.setup + one.mended).error(), "") << one.mended;
  }
}

TEST(Fitting, WhereNothingFitsTheRowsExampleStays) {
  for (const char* line :
       {"torch.ones(2, 3) + torch.ones(4, 5)", "torch.ones(2, 3) @ torch.ones(4, 5)",
        "torch.cat([torch.ones(2, 3), torch.ones(4, 5)])",
        // Nor where another call would be needed for what fits elsewhere.
        "torch.arange(6).as_strided((2, 2), (1, -1))",
        "torch.nn.functional.dropout(torch.arange(3), 0.5, inplace=True)",
        "torch.cat(tensors=[torch.ones(2), torch.ones(2)], dim='N')", "torch.tensor(5)[0, 1]",
        "torch.ones(2, 3, 4) @ torch.ones(5, 6, 4)", "torch.ones(2).addmv(torch.ones(2, 3), torch.ones(2))",
        "np.multiply(np.ones((2, 3)), 2, out=np.ones((3, 2)))", "np.block([[np.ones((2, 2)), np.ones((3, 2))]])",
        "np.ones((2, 3), dtype=torch.float32)", "x = np.arange(3)\nx += None"})
    EXPECT_EQ(Ran(line).last().error->hints.at(0).message.id, Msg::hint_example) << line;
}

}  // namespace
}  // namespace stridescope

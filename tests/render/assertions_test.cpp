#include <gtest/gtest.h>

#include "render/found.h"
#include "stridescope.h"

namespace stridescope {
namespace {

std::string python(const char* source) { return assertions(evaluate(source)); }
TEST(Assertions, HoldSizesStridesOffsetAndSharing) {
  const std::string text = python("x = torch.arange(12).view(3, 4)\ny = x[1:].t()\nz = y.contiguous()\n");
  EXPECT_TRUE(has(text, "import torch\n"));
  EXPECT_TRUE(has(text, "assert tuple(y.shape) == (4, 2) and y.stride() == (1, 4) and y.storage_offset() == 4\n"));
  EXPECT_TRUE(has(text, "assert storage(y) == storage(x)\n"));
  EXPECT_TRUE(has(text, "assert storage(z) not in (storage(x), storage(y))\n"));
}

TEST(Assertions, HoldTheErrorOfALineThatFailsAndGoOn) {
  const std::string text = python("x = torch.arange(6).view(2, 3)\ny = x.t().view(6)\nx.stride()\n");
  EXPECT_TRUE(has(
      text, "try:\n    y = x.t().view(6)\nexcept RuntimeError as error:\n    assert str(error) == \"view size is not"));
  EXPECT_TRUE(has(text, "globals().pop('y', None)\n"));
  EXPECT_TRUE(has(text, "_ = x.stride()\nassert _ == (3, 1)\n"));
}

TEST(Assertions, LeaveOutAddressesAndRandomNumbers) {
  const std::string text = python("x = torch.randn(2)\nx.data_ptr()\nx[0].item()\n");
  EXPECT_TRUE(has(text, "_ = x.data_ptr()\n"));
  EXPECT_FALSE(has(text, "assert _ =="));
}

TEST(Assertions, CountNumPysStridesInBytes) {
  const std::string text = python("import numpy as np\na = np.arange(6).reshape(2, 3)[::-1]\n");
  EXPECT_TRUE(has(text, "import numpy as np\n"));
  EXPECT_TRUE(has(text, "assert tuple(a.shape) == (2, 3) and a.strides == (-24, 8)\n"));
  EXPECT_FALSE(has(text, "def storage"));
}

TEST(Assertions, HoldWhatArraysDoNotShare) {
  const std::string text = python("a = np.arange(6)\nb = a.copy()\n");
  EXPECT_TRUE(has(text, "assert not np.shares_memory(b, a)\n"));
}

TEST(Assertions, HoldTheLayoutOfEachNameThatALineUnpacks) {
  const std::string text = python("a, b = torch.arange(6).view(2, 3)\n");
  EXPECT_TRUE(has(text, "assert tuple(a.shape) == (3,) and a.stride() == (1,) and a.storage_offset() == 0\n"));
  EXPECT_TRUE(has(text, "assert tuple(b.shape) == (3,) and b.stride() == (1,) and b.storage_offset() == 3\n"));
}

TEST(Assertions, ImportNumPysAxisErrorWhereALineRaisesOne) {
  EXPECT_TRUE(has(python("np.zeros(3).sum(axis=2)\n"), "from numpy.exceptions import AxisError\n"));
  EXPECT_FALSE(has(python("np.zeros(3).sum(axis=0)\n"), "AxisError"));
}

TEST(Assertions, KeepTheLinesOfAMessageInOneLiteral) {
  const std::string text = python("x = np.arange(6)\ny = x\nx.resize(8)\n");
  EXPECT_TRUE(has(text, "references or is referenced\\nby another array in this way.\\nUse"));
}

}  // namespace
}  // namespace stridescope

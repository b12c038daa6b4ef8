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

TEST(Assertions, ImportWhatTheProgramNamesAndHasNotImported) {
  const std::string twice = python("import torch\nimport torch\nx = torch.zeros(1)");
  EXPECT_EQ(twice.find("import torch\n", twice.find("import torch\n") + 1), twice.rfind("import torch\n"));
  for (const char* other : {"torchX = 1", "Ztorch = 1", "torch9 = 1", "_torch = 1", "torch_ = 1"})
    EXPECT_FALSE(has(python(other), "import torch\n")) << other;
  EXPECT_TRUE(has(python("torchX = torch.zeros(1)"), "import torch\n"));
  const std::string both = python("x = torch.zeros(2, 2)\na, b = x");
  EXPECT_TRUE(has(both, "assert tuple(a.shape) == (2,)"));
  EXPECT_FALSE(has(both.substr(both.find("a, b = x")), "assert tuple(x.shape)"));
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

TEST(Assertions, HoldPlainValuesAndSayNothingOfOthers) {
  const std::string text =
      python("grid = 3\n_id = (1, 'a', True)\nid9 = 4\nidX = 5\nx9id = 6\nf = [2.5]\nx = id(3)\nprint(1)\n");
  for (const char* line : {"assert grid == 3\n", "assert _id == (1, 'a', True)\n", "assert id9 == 4\n",
                           "assert idX == 5\n", "assert x9id == 6\n"})
    EXPECT_TRUE(has(text, line)) << line;
  for (const char* line : {"assert f", "assert x ", "_ ="}) EXPECT_FALSE(has(text, line)) << line;
}

TEST(Assertions, OfAListHoldTheLayoutsOfItsTensors) {
  const std::string text =
      python("t = torch.arange(6)\nz = torch.zeros(0)\np = [t[1:], 3]\nu = torch.ones(2)\na = np.ones(2)\n");
  EXPECT_TRUE(has(text, "assert tuple(p[0].shape) == (5,) and p[0].stride() == (1,) and p[0].storage_offset() == 1\n"));
  EXPECT_FALSE(has(text, "p[1]"));
  EXPECT_TRUE(has(text, "assert storage(u) not in (storage(t),)\n")) << "what holds nothing has no place of its own";
  EXPECT_FALSE(has(text, "shares_memory")) << "a is the only array";
}

TEST(Assertions, KeepStatementsOfSeveralLinesAndQuoteWhatMessagesHold) {
  const std::string text = python(
      "y = torch.arange(6).view(\n    5)\ntorch.zeros('a')\nnp.zeros(3, dtype='a\"b\\\\c')\ntorch.zeros(300, "
      "300).nonzero()\n");
  EXPECT_TRUE(has(text, "try:\n    y = torch.arange(6).view(\n        5)\nexcept RuntimeError as error:\n"));
  EXPECT_TRUE(has(text, "torch.zeros('a')\nexcept TypeError as error:\n    pass\n")) << "only its type is promised";
  const std::string words = python("x = torch.arange(6)\nx.view('a')\nraise ValueError('a\"b\\\\c\\x01')");
  EXPECT_TRUE(has(words, "assert str(error) == \"a\\\"b\\\\c\\x01\"\n")) << words;
  EXPECT_TRUE(has(text, "# not run here: torch.zeros(300, 300).nonzero()\n"));
}

TEST(Assertions, OfBlocksHoldTheLinesThatAreRun) {
  const std::string text = python(
      "x = torch.ones(4, requires_grad=True)\nif x.dim() == 1:\n  with torch.no_grad():\n    y = x.view(2, 2)\n"
      "    torch.zeros(300, 300).nonzero()\ntry: y.view(3)\nexcept RuntimeError as e: print(e)\n");
  EXPECT_TRUE(has(text, "_ = bool(x.dim() == 1)\nassert _ == True\n"));
  EXPECT_TRUE(has(text, "with torch.no_grad():\n    y = x.view(2, 2)\n    assert tuple(y.shape) == (2, 2)"));
  EXPECT_TRUE(has(text, "\n# not run here: torch.zeros(300, 300).nonzero()\n"));
  EXPECT_TRUE(has(text, "\ne = RuntimeError(\"shape '[3]' is invalid for input of size 4\")\n\nprint(e)\n"));
}

TEST(Assertions, LinesWithoutGradientsStandInTheirBlock) {
  EXPECT_TRUE(has(python("with torch.no_grad():\n  x = torch.zeros(2)"),
                  "with torch.no_grad():\n    x = torch.zeros(2)\n    assert tuple(x.shape) == (2,)"));
  EXPECT_TRUE(has(python("with torch.inference_mode():\n  x = torch.zeros(2)"),
                  "with torch.inference_mode():\n    x = torch.zeros(2)\n    assert tuple(x.shape) == (2,)"));
}

TEST(Assertions, ADictionaryIsHeldWhereItsKeysAndValuesArePlain) {
  EXPECT_TRUE(has(python("d = {None: 1, 5: 'a'}"), "assert d == {None: 1, 5: 'a'}\n"));
  EXPECT_FALSE(has(python("d = {1j: 1}"), "assert d"));
  EXPECT_FALSE(has(python("d = {1: 1.5}"), "assert d"));
  EXPECT_FALSE(has(python("d = {1: 2}.keys()"), "assert d"));
}

TEST(Assertions, FunctionsStandAsTheyAreDefined) {
  const std::string text = python(
      "x = torch.zeros(2, 3)\nif x.dim() == 2:\n  def f(a):\n    s = '''\n  b'''\n    def g(): return a.t()\n\n    "
      "return "
      "g()\ny = f(x)\ndef h():\n  await 3\nfor i in range(2): f(x[i])\nf()\nh()");
  EXPECT_TRUE(
      has(text,
          "assert _ == True\n\n\ndef f(a):\n  s = '''\nb'''\n  def g(): return a.t()\n\n  return g()\n\n\ny = f(x)\n"
          "assert tuple(y.shape) == (3, 2) and y.stride() == (1, 3)"))
      << text;
  EXPECT_TRUE(has(text, "\n# not run here: def h():\n")) << text;
  EXPECT_TRUE(has(text, "\n# not run here: h()\n")) << text;
  EXPECT_TRUE(has(text, "try:\n    f()\nexcept TypeError as error:\n    pass\n")) << text;
  EXPECT_EQ(text.find("return g()"), text.rfind("return g()"));
  const std::string decorated = python(
      "def d(g): return g\nif 1:\n  @d\n  @torch.no_grad()\n  def f(a): return a\n@torch.jit.script\ndef h(a): return "
      "a\n"
      "f(1)");
  EXPECT_TRUE(has(decorated, "\n\n\n@d\n@torch.no_grad()\ndef f(a): return a\n\n\n")) << decorated;
  EXPECT_TRUE(has(decorated, "\n# not run here: def h(a):\n")) << decorated;
}

TEST(Assertions, OfLoopsHoldEveryRound) {
  const std::string text = python(
      "import torch\nx = torch.arange(6).view(2, 3)\nfor i, r in enumerate(x):\n  import numpy as np\n  r.T\n"
      "while i < 2: i += 1\nfor k in []: pass\nfor k in 3: pass\n");
  EXPECT_TRUE(has(text,
                  "\nitems_of_line_3 = iter((enumerate(x)))\ni, r = next(items_of_line_3)\nassert tuple(r.shape) == "
                  "(3,) and r.stride() == (1,) and r.storage_offset() == 0\nimport numpy as np\n"));
  EXPECT_TRUE(has(text,
                  "\n\ni, r = next(items_of_line_3)\nassert tuple(r.shape) == (3,) and r.stride() == (1,) and "
                  "r.storage_offset() == 3\n"));
  EXPECT_TRUE(has(text, "_ = bool(i < 2)\nassert _ == False\n"));
  EXPECT_TRUE(has(text, "\nitems_of_line_7 = iter(([]))\n"));
  EXPECT_TRUE(
      has(text, "try:\n    items_of_line_8 = iter((3))\n    k = next(items_of_line_8)\nexcept TypeError as error:\n"));
  EXPECT_EQ(text.find("import numpy"), text.rfind("import numpy"));
}

TEST(Assertions, WhatWalksIsNamedBeforeItsBlock) {
  EXPECT_TRUE(has(python("a = np.arange(3)\nwith np.nditer(a) as it:\n  x = 1\n"), "it = np.nditer(a)\n"));
}

TEST(Assertions, ImportOnlyWhatTheProgramDoesNot) {
  const std::string text =
      python("from numpy.lib.stride_tricks import as_strided\na = np.arange(6)\nas_strided(a, (2,), (8,))\n");
  EXPECT_EQ(text.find("import as_strided"), text.rfind("import as_strided"));
  EXPECT_TRUE(has(text, "_ = as_strided(a, (2,), (8,))\nassert tuple(_.shape) == (2,) and _.strides == (8,)\n"));
  EXPECT_TRUE(has(python("a = np.zeros((2, 2))\nas_strided(a, (2,), (8,))\n"), "import as_strided\n"));
}

TEST(Assertions, ImportATorchOfWhichACommentSpeaksToo) {
  for (const char* source : {"torch", "x = 1  # torch[0]", "x = 1  # {torch}", "x = 1  # a[torch]"})
    EXPECT_TRUE(has(python(source), "import torch\n")) << source;
}

TEST(Assertions, WhatIsOfTheFutureComesFirst) {
  const std::string text = python("x = 1\nfrom __future__ import annotations\nimport torch\ny = torch.ones(2)\n");
  EXPECT_TRUE(text.starts_with("from __future__ import annotations\n"));
  EXPECT_EQ(text.find("__future__"), text.rfind("__future__"));
}

TEST(Assertions, NameWhatAHandlerHasTaken) {
  const std::string caught =
      python("try:\n  raise ValueError('a')\nexcept ValueError as e:\n  str(e)\nwith torch.no_grad() as g:\n  b = 1\n");
  EXPECT_TRUE(has(caught, "\ne = ValueError('a')\n"));
  EXPECT_FALSE(has(caught, "g = "));
}

TEST(Assertions, AskNothingMoreOfWhatWalksByItself) {
  EXPECT_TRUE(has(python("a = np.arange(2)\nfor x in np.nditer(a):\n  pass\n"), "\nnext(items_of_line_2, None)\n"));
}

TEST(Assertions, DefineInABlockAsFarToTheLeftAsCanBe) {
  const std::string text = python("if True:\n\tdef f(x):\n\t  return x\n\n\ty = f(2)\n");
  EXPECT_TRUE(has(text, "\ndef f(x):\n  return x\n"));
}

TEST(Assertions, HoldOnlyWhatHasALiteral) {
  EXPECT_TRUE(has(python("{None: 2, 'a': [1]}"), "assert _ == {None: 2, 'a': [1]}\n"));
  for (const char* source : {"{float('inf'): 1}", "{1.5: 1}", "{1: 1.5}", "{torch.randn(1).item(): 1}"})
    EXPECT_FALSE(has(python(source), "assert _")) << source;
}

}  // namespace
}  // namespace stridescope

// Memory that Python lends without a copy: what arrays and tensors on a bytearray share with it, and with whom it
// stays.
#include "ops/program.h"
#include "render/formats.h"
#include "render/report.h"

namespace stridescope {
namespace {

const std::string on_bytes =
    "import numpy as np, torch, array\n"
    "b = bytearray(8)\n"
    "a = np.frombuffer(b, dtype=np.int16)\n"
    "x = torch.frombuffer(b, dtype=torch.int32)\n";

TEST(LentMemory, ArraysTensorsAndMemoryViewsAreOnOneMemory) {
  const Ran ran(on_bytes + "v = np.asarray(memoryview(b).cast('h', [2, 2])[::-1])\nb[0] = 7");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.tensor("a")->storage, ran.tensor("x")->storage);
  EXPECT_EQ(ran.tensor("a")->storage, ran.tensor("v")->storage);
  EXPECT_EQ(ran.layout("v"), "(2, 2):(-4, 2)+4");
  EXPECT_EQ(ran.values("a"), "7 0 0 0");
  EXPECT_EQ(ran.values("v"), "0 0 7 0");
}

TEST(LentMemory, AStepShowsWhatTheBytesWereThen) {
  const Ran ran(on_bytes + "b\na[:] = 257\nb");
  EXPECT_EQ(to_string(ran.trace.steps[3].value), "bytearray(b'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00')");
  EXPECT_EQ(ran.value(), "bytearray(b'\\x01\\x01\\x01\\x01\\x01\\x01\\x01\\x01')");
}

TEST(LentMemory, ItGrowsOnlyWhereNobodyReadsIt) {
  const Ran lent(on_bytes + "b.append(1)");
  EXPECT_EQ(lent.error(), "BufferError: Existing exports of data: object cannot be re-sized");
  EXPECT_EQ(lent.trace.steps.back().error->reason.id, Msg::memory_is_lent);
  EXPECT_EQ(Ran(on_bytes + "def f():\n  b.clear()\nf()").error(),
            "BufferError: Existing exports of data: object cannot be re-sized");
  const Ran alone(on_bytes + "del a, x\nb.append(1)\nlen(b)");
  EXPECT_EQ(alone.error(), "");
  EXPECT_EQ(alone.value(), "9");
  EXPECT_EQ(
      Ran("import array\nimport numpy as np\na = array.array('i', [1])\nx = np.asarray(a)\na.extend([2])").error(),
      "BufferError: cannot resize an array that is exporting buffers");
}

TEST(LentMemory, ItIsAsLongAsItIsAskedToBe) {
  const Ran ran("b = bytearray(10**12)\nx = np.frombuffer(b, np.int8)\nx = x.reshape(10**6, 10**6).T\nlen(b)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("x"), "(1000000, 1000000):(1, 1000000)+0");
  EXPECT_EQ(ran.value(), "1000000000000");
}

TEST(LentMemory, WhatIsNotKnownIsNotShown) {
  const Ran ran("b = bytearray(4)\nx = np.frombuffer(b, np.uint8)\nx[:] = np.fft.fft(np.ones(4)).real\nb");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.value(), "bytearray(?)");
}

TEST(LentMemory, WhatKeepsItIsNoneOfItsAttributes) {
  EXPECT_EQ(Ran("b = bytearray(4)\nb._memory").error(),
            "AttributeError: 'bytearray' object has no attribute '_memory'");
  for (const char* line : {"b._memory = 5", "b.x = 5", "del b._memory", "b.find(b'a')", "bytearray.fromhex('00')",
                           "b < b", "b >= b'a'", "b % 3", "array.typecodes", "array.array('i').tofile"}) {
    const Ran ran(std::string("import array\nb = bytearray(4)\n") + line);
    EXPECT_EQ(ran.error(), "ours") << line;
  }
  EXPECT_EQ(Ran("import copy\nb = bytearray(2)\nc = copy.copy(b)\nc[0] = 1\nb").value(), "bytearray(b'\\x00\\x00')");
}

TEST(LentMemory, APartThatAMemoryViewShowsIsDrawnByItsName) {
  const Ran ran("b = bytearray(range(12))\nm = memoryview(b).cast('h', [3, 2])\nb[0] = 7");
  ViewState view;
  view.step = 1;
  EXPECT_NE(plain_text(ran.trace, view).find("m  (3, 2):(4, 2)+0"), std::string::npos) << plain_text(ran.trace, view);
  EXPECT_NE(step_report(ran.trace, view).find("make_tensor(s, (3,2):(2,1))"), std::string::npos);
  view.step = 2;
  EXPECT_NE(plain_text(ran.trace, view).find("logical grid of b"), std::string::npos) << plain_text(ran.trace, view);
  EXPECT_EQ(gestures(ran.trace, view), "null");
}

TEST(LentMemory, AMethodGoesByTheClassThatSaysItUnlessThatIsPrivateOfTheLibrary) {
  EXPECT_EQ(Ran("class _A:\n  def f(self): pass\nclass B(_A): pass\nB().f(1)").error(),
            "TypeError: _A.f() takes 1 positional argument but 2 were given");
  const Ran ran("b = bytearray(2)\nfor byte in b: byte");
  EXPECT_NE(report(ran.trace, Language::english).find("bytearray.__iter__"), std::string::npos);
  EXPECT_EQ(report(ran.trace, Language::english).find("_Memory"), std::string::npos);
}

TEST(LentMemory, ABytearrayIsDrawnAndHasNoAxesToMove) {
  const Ran ran("b = bytearray(range(3))");
  const ViewState view;
  EXPECT_EQ(gestures(ran.trace, view), "null");
  EXPECT_NE(plain_text(ran.trace, view).find("logical grid of b"), std::string::npos);
}

}  // namespace
}  // namespace stridescope

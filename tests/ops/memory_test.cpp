// An array's memory as others see it, and what writes to it by the number of its elements.
#include "ops/program.h"

namespace stridescope {
namespace {

TEST(NumPyMemory, BytesAreTheElementsInAnOrderWhateverTheStrides) {
  const std::string x = "x = np.arange(6, dtype=np.int8).reshape(2, 3)\n";
  EXPECT_EQ(Ran(x + "list(x.T.tobytes())").value(), "[0, 3, 1, 4, 2, 5]");
  EXPECT_EQ(Ran(x + "list(x.T.tobytes('A'))").value(), "[0, 1, 2, 3, 4, 5]");
  EXPECT_EQ(Ran(x + "x[1, ::-1].tobytes()").value(), R"(b'\x05\x04\x03')");
  EXPECT_EQ(Ran("np.zeros(9000).tobytes()").error(), "ours");
}

TEST(NumPyMemory, ABufferIsReadWhereItLies) {
  const Ran ran("x = np.arange(3, dtype=np.int16)\ny = np.frombuffer(x, dtype=np.uint8, offset=2)\ny[0] = 7");
  EXPECT_EQ(ran.layout("y"), "(4,):(1,)+2");
  EXPECT_EQ(ran.values("x"), "0 7 2");
  const Ran bytes("x = np.arange(3, dtype=np.int16)\ny = np.frombuffer(x.tobytes(), np.int16)\ny[0] = 7");
  EXPECT_EQ(bytes.error(), "ValueError: assignment destination is read-only");
  EXPECT_EQ(bytes.values("y"), "0 1 2");
}

TEST(NumPyMemory, AMemoryViewTellsTheStridesOfContiguousMemoryAsIfNoSizeWere1) {
  EXPECT_EQ(Ran("np.zeros((3, 4))[:1].data.strides").value(), "(32, 8)");
  EXPECT_EQ(Ran("np.zeros((3, 4))[:, :1].data.strides").value(), "(32, 8)");
  EXPECT_EQ(Ran("np.zeros((2, 0)).data.strides").value(), "(0, 8)");
  EXPECT_EQ(Ran("memoryview(np.arange(6).reshape(2, 3).T)[2, 1]").value(), "5");
  EXPECT_EQ(Ran("np.arange(6).reshape(2, 3).__array_interface__['strides']").value(), "None");
  EXPECT_EQ(Ran("x = np.arange(6)\nx[::-1].ctypes.data - x.ctypes.data").value(), "40");
}

TEST(NumPyMemory, WhatIsPutBeyondTheEndIsAnErrorAfterWhatWasPutBefore) {
  const Ran packed("x = np.arange(4)\nnp.put(x, [0, 9], [7, 8])");
  EXPECT_EQ(packed.error(), "IndexError: index 9 is out of bounds for axis 0 with size 4");
  EXPECT_EQ(packed.values("x"), "7 1 2 3");
  EXPECT_EQ(Ran("x = np.arange(4)\nnp.put(x[::2], [0, 9], [7, 8])").values("x"), "0 1 2 3");
  EXPECT_EQ(Ran("x = np.arange(5)\nnp.putmask(x, x > 1, [7, 8])").values("x"), "0 1 7 8 7");
  EXPECT_EQ(Ran("x = np.arange(5)\nnp.place(x, x > 1, [7, 8])").values("x"), "0 1 7 8 7");
  EXPECT_EQ(Ran("x = np.arange(5)\nnp.place(x, x > 0, [7, 8])").values("x"), "0 7 8 7 8");
}

TEST(NumPyMemory, AnIndexInTheMemoryThatIsWrittenIsNotDecided) {
  EXPECT_EQ(Ran("x = np.array([2, 0, 1])\nx[x] = 5").error(), "ours");
  EXPECT_EQ(Ran("x = np.array([2, 0, 1])\nx[x.copy()] = [5, 6, 7]").values("x"), "6 7 5");
  EXPECT_EQ(Ran("x = np.array([2, 0, 1], dtype=np.uint8)\nx[x] = 5").values("x"), "5 5 5");
}

TEST(NumPyMemory, ADtypeThatNumPyHasIsALimitAndWhatIsNoneItsError) {
  for (const char* dtype : {"[('x', np.int32), ('y', 'S')]", "[]", "'i4,S'", "'>U3'", "('i4', 2)", "list"})
    EXPECT_EQ(Ran(std::string("np.zeros(3, dtype=") + dtype + ")").error(), "ours") << dtype;
  for (const char* dtype : {"foo", "<int32", "|bool", ">float", "=half", "<str"})
    EXPECT_EQ(Ran("np.zeros(3, dtype='" + std::string(dtype) + "')").error(),
              "TypeError: data type '" + std::string(dtype) + "' not understood");
  EXPECT_EQ(Ran("np.zeros(3, dtype=[('x', 'i4'), ('x', 'i4')])").error(),
            "ValueError: field 'x' occurs more than once");
}

TEST(NumPyMemory, ANumPyScalarMustFitASignedInteger) {
  EXPECT_EQ(Ran("x = np.zeros(1, np.uint8)\nx[0] = np.int64(300)").values("x"), "44");
  EXPECT_EQ(Ran("x = np.zeros(1, np.int8)\nx[0] = np.int64(300)").error(),
            "OverflowError: Python integer 300 out of bounds for int8");
}

TEST(NumPyMemory, XFlatIsComparedAsAnArrayOfOneAxis) {
  EXPECT_EQ(Ran("x = np.arange(4).reshape(2, 2).T\ny = x.flat == [0, 2, 2, 3]").values("y"), "True True False True");
  EXPECT_EQ(Ran("x = np.arange(4).reshape(2, 2).T\nlen(x.flat)").value(), "4");
}

TEST(NumPyQuantile, LiesBetweenTwoElementsInProportion) {
  EXPECT_EQ(Ran("y = np.percentile([4, 1, 2], [0, 25, 75, 100])").values("y"), "1.0 1.5 3.0 4.0");
  EXPECT_EQ(Ran("y = np.quantile([[4., 1], [2, 8]], 0.25, axis=0, keepdims=True)").layout("y"), "(1, 2):(0, 8)+0");
  EXPECT_EQ(Ran("np.percentile([1], 101)").error(), "ValueError: Percentiles must be in the range [0, 100]");
}

TEST(NumPyPad, TheMeanOfWhatAnAxisHasAlreadyGotGoesToTheCorners) {
  EXPECT_EQ(Ran("y = np.pad(np.arange(4).reshape(2, 2), ((0, 1), (1, 0)), 'maximum')").values("y"),
            "1 0 1 3 2 3 3 2 3");
  EXPECT_EQ(Ran("y = np.pad(np.arange(6), 1, 'mean')").values("y"), "2 0 1 2 3 4 5 2");
  EXPECT_EQ(Ran("y = np.pad([6, 3], 3, 'linear_ramp')").values("y"), "0 2 4 6 3 2 1 0");
}

TEST(NumPyConvolve, SlidesTheShorterAlongTheLonger) {
  EXPECT_EQ(Ran("y = np.convolve([1, 2, 3], [1, 10])").values("y"), "1 12 23 30");
  EXPECT_EQ(Ran("y = np.correlate([1, 10], [1, 2, 3])").values("y"), "32 21");
}

TEST(Python, CountsAndRoundsWithTheMathModule) {
  EXPECT_EQ(Ran("import math\nmath.prod(np.zeros((2, 3, 4)).shape)").value(), "24");
  EXPECT_EQ(Ran("import math\n(math.gcd(12, 18), math.lcm(4, 6), math.isqrt(17), math.comb(60, 30))").value(),
            "(6, 12, 4, 118264581564861424)");
  EXPECT_EQ(Ran("import math\nmath.sqrt(-1)").error(), "ValueError: math domain error");
  EXPECT_EQ(Ran("1.0 // 0.1").value(), "9.0");
  EXPECT_EQ(Ran("divmod(-7, 3)").value(), "(-3, 2)");
}

TEST(Python, CallsAMethodThroughItsClass) {
  EXPECT_EQ(Ran("x = np.arange(6)\ny = np.ndarray.reshape(x, 2, 3)").layout("y"), "(2, 3):(24, 8)+0");
  EXPECT_EQ(Ran("y = torch.Tensor.view(torch.arange(6), 2, 3)").layout("y"), "(2, 3):(3, 1)+0");
  EXPECT_EQ(Ran("torch.Tensor.view([1], 1)").error(),
            "TypeError: descriptor 'view' for 'torch._C.TensorBase' objects doesn't apply to a 'list' object");
}

}  // namespace
}  // namespace stridescope

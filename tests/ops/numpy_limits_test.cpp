// What NumPy would do and this engine does not begin: it is said, and nothing is made.
#include "ops/program.h"

namespace stridescope {
namespace {

TEST(NumPyLimits, WhatCostsMoreThanALimitOrIsNotModelledIsRefusedInOurWords) {
  const char* lines[] = {
      "np.array([np.zeros(70000)])",
      "np.vstack(np.zeros((5000, 2)))",
      "np.zeros(70000)[np.zeros(70000) == 0]",
      "np.zeros(70000)[np.arange(70000)]",
      "x[np.arange(5000)] = 1",
      "x.flat[:]",
      "x.flat = 1",
      "np.take(x, np.arange(5000))",
      "np.take(x, np.arange(5000), mode='clip')",
      "np.ix_(x == 0)",
      "np.unravel_index(np.arange(5000), 6000)",
      "np.ravel_multi_index((np.arange(100)[:, None], np.arange(100)), (200, 200))",
      "np.split(x, 5000)",
      "np.array([zip([1], [2])])",
      "np.array(zip([1], [2]), dtype=bool)",
      "np.ndarray((2,), buffer=np.float64(1))",
      "np.ndarray((2, 3), x.dtype, x, -8)",
      "np.complex128(1, 2)",
      "np.array([1j]).conj(np.zeros(1, dtype=complex))",
      "x.var(ddof='a')",
      "x.std(ddof=None)",
      "np.unstack(x)",
      "x.tolist()",
      "np.nonzero(np.zeros(70000))",
      "np.argwhere(np.zeros(70000))",
      "np.unique(np.zeros(70000))",
      "np.mask_indices(2, np.ravel)",
      "np.nanvar(np.ones(2), out=np.zeros(()))",
      "np.nanvar(np.ones(2), dtype=complex)",
      "np.nanvar(np.ones(2), ddof=None)",
      "np.var([1, 2], dtype=int)",
      "np.nanmedian(np.ones(600).reshape(1, 600), axis=1)",
      "np.nan_to_num(np.ones(5000))",
      "np.diagflat(np.ones(300))",
      "np.histogram([1j])",
      "np.histogram([2**60])",
      "np.histogram([1], [1, np.nan])",
      "np.vander(np.ones(300))",
      "np.array([b'ab'], dtype=float)",
      "np.diff(np.zeros(100), 65)",
      "np.einsum('ij,jk', np.eye(2), np.eye(2), optimize=True)",
      "np.matmul(np.eye(2), np.eye(2), out=np.array(1.0))",
      "np.dot(np.arange(2), 2, out=np.ones(2))",
      "np.argmax([1], out=np.zeros(()))",
      "np.median([1], out=np.zeros(()))",
      "np.median([1], overwrite_input=True)",
      "np.clip([1, 2], 0, 1, out=np.zeros(3))",
      "np.pad(np.eye(2), 1, 'empty')",
      "np.pad(np.zeros((70, 70)), 1, 'mean')",
      "np.pad(np.array([1j]), 1, 'mean')",
      "np.pad(np.eye(2), 1, 'mean', stat_length=0)",
      "np.pad(np.eye(2), 1, 'median', stat_length=0)",
      "np.percentile([1], 50, overwrite_input=True)",
      "np.percentile([1], [1j])",
      "np.percentile([1], [True])",
      "np.quantile(np.float32([1, 2]), np.float64(0.5))",
      "np.percentile(np.zeros((1,) * 64), np.zeros((1, 1)), axis=0)",
      "np.percentile(np.zeros((1,) * 64), [1], axis=0, keepdims=True)",
      "np.percentile([1], np.zeros(5000))",
      "np.convolve(np.zeros(2000), np.zeros(2000))",
      "np.put(x, np.arange(5000), 1)",
      "np.put(np.zeros(9), 0, np.zeros(5000))",
      "np.putmask(np.zeros(5000), np.zeros(5000), 1)",
      "np.frombuffer(np.float64(1))",
      "np.frombuffer(np.zeros(1), like=np.zeros(1))",
      "memoryview(np.float64(1))",
      "memoryview(np.arange(3)).cast('n')",
      "[k for k in np.arange(3).__array_interface__]",
      "np.zeros(1).resize((0, -1))",
      "np.pad(np.eye(2), 1, 'reflect', reflect_type='odd')",
      "np.pad(x, 1, 'edge')",
      "np.pad(x, (2**62, 2**62))",
      "np.repeat(np.zeros(2), [3000, 3000])",
      "np.repeat(np.zeros(2), [2**62, 2**62])",
      "np.tile(np.broadcast_to(np.int8(0), (2**62,)), 4)",
      "np.tile(np.zeros((1,) * 40), 2)",
      "np.roll(x, np.arange(5000), 0)",
      "np.array_equal(np.zeros(70000), np.zeros(70000))",
      "x[::2**62]",
      "as_strided(x, (2, 2), (2**62, 2**62))",
      "np.diag(x, 2**63 - 1)",
      "np.concatenate([np.broadcast_to(np.int8(0), (2**62,))] * 2)",
      "list(np.broadcast(np.zeros((300, 300)), 1))",
      "np.array(['9' * 30]).astype(int)",
      "np.flip(x, (0,) * 65)",
      "np.array([np.zeros((1,) * 64)])",
      "np.array(['9' * 30], dtype=int)",
      "x.strides = (2**62,)",
      "x.cumsum(out=np.zeros(3))",
      "np.tensordot(np.zeros((1,) * 40), np.zeros((1,) * 40), 0)",
      "np.zeros((2, 2)).sum(0, out=np.zeros((1, 3)), keepdims=True)",
      "np.array([np.zeros(60000)] * 3)",
      "np.full(2, '9' * 30, dtype=int)",
      "np.einsum('i,j', np.broadcast_to(0, (2**40,)), np.broadcast_to(0, (2**40,)))",
      "np.tensordot(x, x, [[0] * 65, [0] * 65])",
      "np.array([-1]).astype(np.uint64).tolist()",
      "np.array([-1]).astype(np.uint64)[0].item()",
      "np.zeros(1, dtype='V')",
      "np.zeros(1, dtype='>U3')",
      "np.zeros(1, dtype='i4,S')",
      "np.zeros(1, dtype='O')",
      "np.zeros(1, dtype='O8')",
      "np.zeros(1, dtype='g')",
      "np.zeros(1, dtype='G')",
      "np.zeros(1, dtype='c')",
      "np.zeros(1, dtype='M')",
      "np.zeros(1, dtype='m8')",
      "np.zeros(1, dtype='M8[s]')",
      "np.zeros(1, dtype='f16')",
      "np.zeros(1, dtype='longdouble')",
      "np.zeros(1, dtype='>U4')",
      "np.zeros(1, dtype='|V0')",
      "np.zeros(1, dtype='(2,)i4')",
      "np.zeros(1, dtype='2i4')",
      "np.zeros(1, dtype=('i4', 2))",
      "np.zeros(1, dtype=('i4', (2, 3)))",
      "np.zeros(1, dtype=('S3', 'x'))",
      "np.zeros(1, dtype=[('a', object)])",
      "memoryview(np.float64(1))",
      "x.view(np.int64)[x.view(np.int64)] = 1",
      "np.mgrid[5]",
      "np.mgrid[:]",
      "np.mgrid[1:]",
      "np.mgrid[0:None]",
      "np.mgrid[0:1e16]",
      "np.mgrid[1e16:1e16 + 2]",
      "np.mgrid[0:3:1e16]",
      "np.mgrid[0:3:0]",
      "np.pad(x, 1, 'mean')",
      "np.pad(np.zeros((0, 3)), ((0, 0), (1, 1)), 'mean')",
      "np.pad(np.eye(2), 1, np.sum)",
      "np.fill_diagonal(np.zeros((5000, 5000)), 1)",
      "np.round(np.array([1j]), 1, out=np.array([1j]))",
      "np.bincount([2**40])",
      "np.bincount([9223372036854775807])",
      "x.flat[np.zeros(5000, int)]",
      "np.add.at(np.ones(4), np.array([[0, 1], [2, 3]]), np.array([1., 2.]))",
      "np.indices((2, 3), sparse=True)",
      "np.lib.stride_tricks.as_strided(np.frombuffer(b'abcd', dtype=np.uint8), (9,), (1,))",
      "np.triu(np.ones((3, 3)), np.uint8(2))",
      "np.dtype('i4').char = 'k'",
      "np.fromiter(['a'], dtype=int)",
      "np.diag_indices(3, 10**6)",
      "np.union1d(np.array([1], np.uint64), np.array([1], np.int64))",
      "np.insert(x, slice(None), 0)",
      "np.r_['r', 1]",
      "np.r_[0:1:1e9j]",
      "np.ones(3).ctypes.strides[0] = 3",
      "del np.ones(3).ctypes.strides[0]",
      "del np.ones(3).flags['C']",
      "np.ndarray((-1,), np.int16, b'abcdefghijklmnopqrstuvwx', 16, (8,))",
      "np.isdtype(np.sum, 'bool')",
      "np.isdtype(np.float32, np.sum)",
      "np.add('a', 'b', dtype='U3')",
      "[v.base for v in np.nditer(np.arange(3))]",
  };
  expect_limits("x = np.zeros(5000)\n", lines, "x");
}

TEST(NumPyLimits, AMaskInTheMemoryThatItSelectsIsRefusedWhereItSelects) {
  EXPECT_EQ(Ran("x = np.ones(3, dtype=bool)\nx[x[::-1]] = False").error(), "ours");
  EXPECT_EQ(Ran("x = np.zeros(3, dtype=bool)\nx[x[::-1]] = True").error(), "");
}

TEST(NumPyLimits, AnArrayThatOthersSeeIsNotCutUnderThem) {
  EXPECT_EQ(Ran("x = np.zeros(6)\ny = x[:]\nx.resize(3, refcheck=False)").error(), "ours");
  EXPECT_EQ(Ran("x = np.zeros(6)\ny = x[:]\nx.resize(9, refcheck=False)").layout("x"), "(9,):(8,)+0");
  EXPECT_EQ(Ran("x = np.zeros(6)\nx.resize(3, refcheck=False)").layout("x"), "(3,):(8,)+0");
}

TEST(NumPyLimits, ListsNestDeeperThanAnArrayHasAxes) {
  std::string source = "x = [1]\n";
  for (int k = 0; k < 63; ++k) source += "x = [x]\n";
  EXPECT_EQ(Ran(source + "np.array(x).ndim").value(), "64");
  EXPECT_EQ(Ran(source + "np.array([x])").error(), "ours");
}

TEST(NumPyLimits, WhatFitsInElementsOfOneByteMayBeTooMuchInElementsOfEight) {
  for (const char* line :
       {"np.linspace(x, 1, 3)", "np.take([1, 2], x)", "x + 1.5", "x.astype(float)", "x ** 2.0", "np.where(x, 1, 2)",
        "np.where(x == 0, 1.5, x)", "np.sqrt(x)", "np.zeros_like(x, dtype=float)", "np.roll(x.astype(bool), 1) * 1.5",
        "np.asarray(np.zeros(2**62, np.int8).data, dtype=float)"})
    EXPECT_TRUE(Ran(std::string("x = np.broadcast_to(np.int8(0), (2**62,))\n") + line)
                    .error()
                    .starts_with("ValueError: array is too big"))
        << line;
}

TEST(NumpyLimits, ATriangleEndsAtAnyDiagonal) {
  const auto sum = [](const std::string& k) {
    return Ran("x = np.ones((2, 3))\nint(np.triu(x, " + k + ").sum()), int(np.tril(x, " + k +
               ").sum()), int(np.tri(2, 3, " + k + ").sum())")
        .value();
  };
  EXPECT_EQ(sum("-2**62"), "(6, 0, 0)");
  EXPECT_EQ(sum("9223372036854775807"), "(0, 6, 6)");
  EXPECT_EQ(sum("0"), "(5, 3, 3)");
  for (const char* all : {"np.triu(x, k)", "np.tril(x, k)", "np.tri(2, 3, k)", "np.tri(2, -9, k)"})
    EXPECT_EQ(Ran(std::string("x = np.ones((2, 3))\nk = -9223372036854775807 - 1\n") + all).error(),
              "OverflowError: Python int too large to convert to C long");
}

TEST(NumPyLimits, WhatIsConvertedLastIsCountedInItsOwnBytes) {
  const Ran ran("np.linspace(-1, np.broadcast_to(np.float32(1), (2**30, 2**30)), 1, dtype=int)");
  EXPECT_EQ(ran.error().substr(0, 10), "ValueError");
}

}  // namespace
}  // namespace stridescope

// Numbers in the other byte order. What NumPy answers is among the recorded cases (tests/oracle); here are the laws of
// their bytes, what is a limit, and what a step says.
#include <gtest/gtest.h>

#include "ops/numpy/byte_order.h"
#include "ops/program.h"

namespace stridescope {
namespace {

constexpr const char* codes[] = {"i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"};
constexpr const char* big_numbers = "x = np.arange(6, dtype='>i4').reshape(2, 3)\n";

TEST(SwappedDtype, HasTheBytesOfItsNumbersOneByOne) {
  for (const std::string code : codes) {
    const StructurePtr swapped = read_swapped_dtype({">" + code});
    ASSERT_TRUE(swapped) << code;
    EXPECT_TRUE(swapped->is_swapped() && !swapped->has_fields() && !swapped->is_string() && is_gapless(*swapped));
    EXPECT_EQ(swapped->itemsize, itemsize(swapped->number));
    EXPECT_EQ(to_string(*swapped), ">" + code);
    EXPECT_EQ(common_piece(*swapped), 1);
    for (int64_t byte = 0; byte < swapped->itemsize; ++byte) EXPECT_EQ(leaf_at(*swapped, byte)->begin, byte);
    EXPECT_TRUE(same_structure(*swapped, *swapped_structure(swapped->number)));
  }
  EXPECT_FALSE(same_structure(*swapped_structure(DType::int32), *swapped_structure(DType::float32)));
  for (const char* code : {"", ">", "i4", "<i4", "=i4", ">i1", ">?", ">U3", ">S2", ">int", ">O", ">>i4"})
    EXPECT_FALSE(read_swapped_dtype({std::string(code)})) << code;
}

TEST(SwappedRows, AreRowsOfTheTableOrWrittenOfSuch) {
  for (const SwappedRows kind :
       {SwappedRows::reckon, SwappedRows::look, SwappedRows::give_back, SwappedRows::make, SwappedRows::take_number,
        SwappedRows::want_none, SwappedRows::ask, SwappedRows::unruly}) {
    std::string_view words = swapped_rows(kind);
    while (!words.empty()) {
      const std::string word(words.substr(0, words.find(' ')));
      words.remove_prefix(std::min(words.size(), word.size() + 1));
      const auto is_named = [&](const Form& form) {
        return form.op->library == Library::numpy && form.name.substr(form.name.rfind('.') + 1) == word;
      };
      EXPECT_TRUE(std::any_of(forms().begin(), forms().end(), is_named)) << word;
    }
  }
}

TEST(SwappedBytes, TurnedTwiceAreTheSame) {
  for (const DType dtype : {DType::int16, DType::uint32, DType::float64, DType::complex64, DType::complex128})
    for (const double value : {0.0, 1.0, 258.0, 1000.5}) {
      Scalar number = real_scalar(value, dtype);
      if (is_complex(dtype)) number.imaginary = 2 * value;
      const ElementBytes turned = turned_bytes(number);
      EXPECT_EQ(turned_bytes(turned, dtype), to_bytes(number));
      const int part = itemsize(dtype) / (is_complex(dtype) ? 2 : 1);
      EXPECT_EQ(turned[0], to_bytes(number)[static_cast<size_t>(part - 1)]);
    }
}

TEST(SwappedArray, HoldsWhatTheMachinesOwnHolds) {
  for (const std::string code : codes) {
    const std::string made = "x = np.array([[1, 2, 300], [4, 5, 6]], dtype='>" + code + "')\n";
    for (const std::string seen : {"x", "x.T", "x[::-1, ::2]", "x[1]", "x.copy('F')", "x.astype('>c16')", "x[[1, 0]]",
                                   "np.array(x.tolist(), '>c16')", "np.broadcast_to(x[0], (2, 3))"}) {
      const std::string own = std::string(seen).replace(seen.find('x'), 1, "x.astype('" + code + "')");
      EXPECT_EQ(Ran(made + "(" + seen + ").tolist() == (" + own + ").tolist()").value(), "True") << code << " " << seen;
      EXPECT_EQ(Ran(made + "np.array_equal(" + seen + ", " + own + ")").value(), "True") << code << " " << seen;
    }
    const std::string unit = std::to_string(itemsize(*numpy_dtype({code})));
    const std::string part = std::to_string(itemsize(real_of(*numpy_dtype({code}))));
    EXPECT_EQ(Ran(made + "(x.view('u1').reshape(-1, " + part + ")[:, ::-1].ravel().tolist() == list(x.astype('" + code +
                  "').tobytes()))")
                  .value(),
              "True")
        << code << " of " << unit;
    EXPECT_EQ(
        Ran(made + "y = x.view('u1')\nx += 1\nx.astype('" + code + "').tolist() == [[2, 3, 301], [5, 6, 7]]").value(),
        "True")
        << code;
  }
}

TEST(SwappedArray, OfATrillionElementsIsMadeAndSeenAtOnce) {
  const Ran ran("x = np.arange(10**12, dtype='>i8')\ny = x[::-2]\nz = x.view('u1')\nw = x + 1");
  EXPECT_EQ(ran.layout("y"), "(500000000000,):(-16,)+7999999999992");
  EXPECT_EQ(ran.layout("z"), "(8000000000000,):(1,)+0");
  EXPECT_EQ(ran.layout("w"), "(1000000000000,):(8,)+0");
  EXPECT_EQ(Ran("x = np.arange(10**12, dtype='>i8')\n(x + 1)[10**11]").value(), "np.int64(100000000001)");
  EXPECT_EQ(Ran("x = np.zeros(10**12, dtype='>i2')\nx[5] = 258\nint(x.view('<i2')[5]), int(x[5]), int(x[6])").value(),
            "(513, 258, 0)");
}

TEST(SwappedArray, NumbersThatBeginWithinOneAnotherAreReadToo) {
  EXPECT_EQ(Ran("x = np.frombuffer(bytes([0, 1, 2, 3]), 'u1')\n"
                "y = np.lib.stride_tricks.as_strided(x, (3, 2), (1, 1)).copy().view('>u2').ravel()\n(y + 0).tolist()")
                .value(),
            "[1, 258, 515]");
  EXPECT_EQ(Ran("x = np.ndarray((3,), '>u2', bytes([0, 1, 2, 3]), strides=(1,))\n(x + 0).tolist()").value(),
            "[1, 258, 515]");
  EXPECT_EQ(
      Ran("x = np.zeros(4, dtype=[('a', 'u1'), ('b', '>u2')])\nx['b'] = [1, 2, 3, 4]\n(x['b'][::-1] + 0).tolist()")
          .value(),
      "[4, 3, 2, 1]");
  EXPECT_EQ(Ran("x = np.zeros((0, 3), '>i4')\n(x + 1).shape").value(), "(0, 3)");
}

TEST(SwappedArray, AStepSaysThatBytesAreTurned) {
  EXPECT_TRUE(Ran("np.zeros(3, '>i4')").says(Msg::np_swapped_headline));
  EXPECT_TRUE(Ran("np.arange(3, dtype='>i4')").says(Msg::np_swapped_made));
  EXPECT_TRUE(Ran("np.frombuffer(b'abcd', '>u2')").says(Msg::np_swapped_made));
  EXPECT_TRUE(Ran(big_numbers + std::string("x + 1")).says(Msg::np_swapped_read));
  EXPECT_TRUE(Ran(big_numbers + std::string("x.astype('i4')")).says(Msg::np_bytes_turned));
  EXPECT_FALSE(Ran(big_numbers + std::string("x.astype('i8')")).says(Msg::np_bytes_turned));
  EXPECT_TRUE(Ran(big_numbers + std::string("x[0] = 7")).says(Msg::np_bytes_turned));
  EXPECT_TRUE(Ran(big_numbers + std::string("x.view('<i4')")).says(Msg::np_bytes_weighed));
  EXPECT_FALSE(Ran(big_numbers + std::string("x.view('<f4')")).says(Msg::np_bytes_weighed));
  EXPECT_EQ(Ran(big_numbers + std::string("x += 1\nx")).error(), "");
}

TEST(ArrayOnBytes, SharesTheirMemoryWithAllThatAreOnTheSame) {
  const Ran ran(
      "d = bytes(range(8))\na = np.frombuffer(d, '>u2')\nb = np.ndarray((2,), 'u1', d, 3)\n"
      "c = np.frombuffer(bytes(range(8)), 'u1')");
  EXPECT_EQ(ran.tensor("a")->storage, ran.tensor("b")->storage);
  EXPECT_NE(ran.tensor("a")->storage, ran.tensor("c")->storage);
  EXPECT_EQ(ran.relation(), Relation::view);
  EXPECT_TRUE(ran.says(Msg::np_bytes_read_only));
  EXPECT_EQ(ran.values("b"), "3 4");
}

TEST(SwappedArray, WhatNobodyKnowsHasItsLayout) {
  const std::string unknown = "x = np.zeros(3, '>f8')\nx[:] = np.char.upper(x)\n";
  EXPECT_EQ(Ran(unknown + "y = x + 1").layout("y"), "(3,):(8,)+0");
  EXPECT_EQ(Ran(unknown + "y = x.astype('>f4')[::-1]").layout("y"), "(3,):(-4,)+8");
  EXPECT_TRUE(is_unknown(Ran(unknown + "float(x[0])").last().value));
  for (const char* line : {"x.tolist()", "[1][x[0] > 1]"}) EXPECT_EQ(Ran(unknown + line).error(), "ours") << line;
}

TEST(SwappedArray, WhatIsNotModelledIsALimitAndLeavesTheArray) {
  constexpr const char* lines[] = {"x.flat",
                                   "np.nditer(x)",
                                   "np.nanquantile(x, 0.5)",
                                   "np.add.at(x, [0], 1)",
                                   "np.linspace(0, x)",
                                   "np.linalg.pinv(x)",
                                   "x.round(1)",
                                   "np.ediff1d(x)",
                                   "np.add(x, 1, casting='no')",
                                   "x.astype('i4', casting='no')",
                                   "x.astype('i4,i4')",
                                   "x.getfield('u1', 0)",
                                   "np.full(2, 'a', dtype='>i4')",
                                   "np.can_cast('>i4', 'i4', 'no')",
                                   "np.zeros(2, '>U3')",
                                   "np.dtype([('a', 'U2')]).newbyteorder()",
                                   "np.dtype('>i4').newbyteorder(1, 2)",
                                   "np.dtype('>i4').newbyteorder('<', 2)",
                                   "np.dtype('>i4').newbyteorder(new_order='<')",
                                   "np.dtype('>i4') < np.dtype('>i8')",
                                   "hash(np.dtype('>i4'))"};
  expect_limits(big_numbers, lines, "x");
  EXPECT_EQ(Ran(big_numbers + std::string("np.add(x, 1, out=x, where=x > 2)")).error(), "ours");
  EXPECT_EQ(Ran("x = np.arange(3, dtype='>i4')\nx.resize(7, refcheck=False)").error(), "ours");
}

}  // namespace
}  // namespace stridescope

#include "render/notations.h"

#include <gtest/gtest.h>

#include "layout/notation.h"

namespace stridescope {
namespace {

Tensor torch_tensor(const Layout& layout) {
  Tensor tensor;
  tensor.layout = layout;
  return tensor;
}
Tensor array(const Layout& bytes, DType dtype) {
  Tensor tensor;
  tensor.library = Library::numpy;
  tensor.dtype = dtype;
  tensor.layout = bytes;
  return tensor;
}
using Texts = std::vector<std::string>;
/// The texts in order torch, numpy, mdspan, cute, mlir, xla; "-" where there is none.
Texts texts(const Tensor& tensor) {
  Texts all;
  for (const Notation& notation : notations(tensor)) {
    EXPECT_EQ(notation.text.empty(), notation.why_not.has_value()) << notation.system;
    all.push_back(notation.text.empty() ? "-" : notation.text);
  }
  return all;
}

TEST(Notations, SayAPermutedTensorInSixSystems) {
  EXPECT_EQ(
      texts(torch_tensor("(2, 2, 3):(6, 1, 2)+0"_layout)),
      (Texts{
          "torch.as_strided(s, (2, 2, 3), (6, 1, 2), 0)", "np.lib.stride_tricks.as_strided(s, (2, 2, 3), (48, 8, 16))",
          "std::mdspan(s, std::layout_stride::mapping(std::extents<std::int64_t, 2, 2, 3>(), "
          "std::array<std::int64_t, 3>{6, 1, 2}))",
          "make_tensor(s, (2,2,3):(6,1,2))", "memref<2x2x3xi64, strided<[6, 1, 2], offset: 0>>", "s64[2,2,3]{1,2,0}"}));
}

TEST(Notations, StartWhereTheStorageOffsetSays) {
  const Texts said = texts(torch_tensor("(3):(2)+5"_layout));
  EXPECT_EQ(said[0], "torch.as_strided(s, (3,), (2,), 5)");
  EXPECT_EQ(said[1], "np.lib.stride_tricks.as_strided(s[5:], (3,), (16,))");
  EXPECT_EQ(said[3], "make_tensor(s + 5, 3:2)");
  EXPECT_EQ(said[4], "memref<3xi64, strided<[2], offset: 5>>");
  EXPECT_EQ(said[5], "-") << "XLA's layouts are packed";
}

TEST(Notations, OfStructuresSayNoNumbers) {
  Tensor strings = array("(2, 3):(24, 8)+8"_layout, DType::structured);
  strings.structure = string_structure('U', 2);
  const Texts said = texts(strings);
  EXPECT_EQ(said[1], "np.lib.stride_tricks.as_strided(s[1:], (2, 3), (24, 8))");
  EXPECT_EQ(said[4], "-");
  EXPECT_EQ(said[5], "-");
  strings.layout = "(2):(12)+4"_layout;
  EXPECT_EQ(texts(strings)[1], "np.ndarray((2,), '<U2', s, 4, (12,))");
  strings.structure = std::make_shared<const Structure>(*packed_structure({{"x", 0, DType::int32}}, false));
  strings.layout = "(2):(6)+0"_layout;
  EXPECT_EQ(texts(strings)[1], "np.ndarray((2,), [('x', '<i4')], s, 0, (6,))");
}

TEST(Notations, SayNothingWhereASystemCannot) {
  const Texts backwards = texts(array("(4):(-4)+12"_layout, DType::float32));
  EXPECT_EQ(backwards[0], "-");
  EXPECT_EQ(backwards[1], "np.lib.stride_tricks.as_strided(s[3:], (4,), (-4,))");
  EXPECT_EQ(backwards[2], "-");
  const Texts expanded = texts(torch_tensor("(3, 4):(1, 0)+0"_layout));
  EXPECT_EQ(expanded[0], "torch.as_strided(s, (3, 4), (1, 0), 0)");
  EXPECT_EQ(expanded[2], "-") << "every cell is read four times";
  EXPECT_EQ(expanded[5], "-");
}

TEST(Notations, CountInBytesWhereElementsDoNotFit) {
  EXPECT_EQ(texts(array("(3):(1)+0"_layout, DType::int16)),
            (Texts{"-", "np.ndarray((3,), np.int16, s, 0, (1,))", "-", "-", "-", "-"}));
}

TEST(Notations, NameEveryElementTypeAsMlirAndXlaDo) {
  const std::pair<DType, const char*> names[] = {{DType::boolean, "i1 pred"},
                                                 {DType::uint8, "ui8 u8"},
                                                 {DType::int8, "i8 s8"},
                                                 {DType::uint16, "ui16 u16"},
                                                 {DType::int16, "i16 s16"},
                                                 {DType::uint32, "ui32 u32"},
                                                 {DType::int32, "i32 s32"},
                                                 {DType::uint64, "ui64 u64"},
                                                 {DType::int64, "i64 s64"},
                                                 {DType::float16, "f16 f16"},
                                                 {DType::bfloat16, "bf16 bf16"},
                                                 {DType::float32, "f32 f32"},
                                                 {DType::float64, "f64 f64"},
                                                 {DType::complex64, "complex<f32> c64"},
                                                 {DType::complex128, "complex<f64> c128"}};
  for (const auto& [dtype, expected] : names) {
    Tensor tensor = torch_tensor("(2):(1)+0"_layout);
    tensor.dtype = dtype;
    const Texts all = texts(tensor);
    const std::string& mlir = all[4];
    const size_t type = mlir.find("2x") + 2;
    EXPECT_EQ(mlir.substr(type, mlir.find(',') - type) + " " + all[5].substr(0, all[5].find('[')), expected);
  }
}

TEST(Notations, SayAScalar) {
  EXPECT_EQ(
      texts(torch_tensor("():()+0"_layout)),
      (Texts{"torch.as_strided(s, (), (), 0)", "np.lib.stride_tricks.as_strided(s, (), ())",
             "std::mdspan(s, std::layout_stride::mapping(std::extents<std::int64_t>(), std::array<std::int64_t, 0>{}))",
             "make_tensor(s, 1:0)", "memref<i64, strided<[], offset: 0>>", "s64[]{}"}));
}

TEST(Notations, ElementsThatShareACellOrLieBetweenCellsAreNotSaidInEach) {
  EXPECT_EQ(texts(torch_tensor({{3, 3}, {1, 1}, 0}))[2], "-");
  EXPECT_NE(texts(torch_tensor({{3, 3}, {3, 1}, 0}))[2], "-");
  EXPECT_EQ(texts(array({{2}, {8}, 1}, DType::float64))[3], "-");
}

}  // namespace
}  // namespace stridescope

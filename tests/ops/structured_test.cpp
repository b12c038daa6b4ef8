// Structured arrays. What NumPy answers is among the recorded cases (tests/oracle); here are the laws of a structure,
// what is a limit, and what a step says.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "ops/program.h"
#include "ops/structure.h"

namespace stridescope {
namespace {

StructureField field_of(std::string name, DType dtype, Dims sizes = {}) {
  StructureField field;
  field.name = std::move(name);
  field.dtype = dtype;
  field.sizes = sizes;
  return field;
}

std::vector<int64_t> offsets_of(const Structure& structure) {
  std::vector<int64_t> offsets;
  for (const StructureField& field : structure.fields) offsets.push_back(field.offset);
  return offsets;
}

TEST(Structure, AlignedLiesAsTheCompilerLaysOutTheSameStruct) {
  struct A {
    uint8_t a;
    double b;
    int16_t c;
  };
  struct B {
    int32_t a;
    uint8_t b[3];
    int64_t c;
    bool d;
  };
  const auto a =
      packed_structure({field_of("a", DType::uint8), field_of("b", DType::float64), field_of("c", DType::int16)}, true);
  EXPECT_EQ(offsets_of(*a), (std::vector<int64_t>{offsetof(A, a), offsetof(A, b), offsetof(A, c)}));
  EXPECT_EQ(a->itemsize, static_cast<int64_t>(sizeof(A)));
  EXPECT_EQ(a->alignment, static_cast<int64_t>(alignof(A)));
  const auto b = packed_structure({field_of("a", DType::int32), field_of("b", DType::uint8, {3}),
                                   field_of("c", DType::int64), field_of("d", DType::boolean)},
                                  true);
  EXPECT_EQ(offsets_of(*b), (std::vector<int64_t>{offsetof(B, a), offsetof(B, b), offsetof(B, c), offsetof(B, d)}));
  EXPECT_EQ(b->itemsize, static_cast<int64_t>(sizeof(B)));
  // One inside another counts as its strictest field does.
  struct C {
    uint8_t a;
    A b;
  };
  StructureField inner = field_of("b", DType::structured);
  inner.structure = std::make_shared<const Structure>(*a);
  const auto c = packed_structure({field_of("a", DType::uint8), inner}, true);
  EXPECT_EQ(offsets_of(*c), (std::vector<int64_t>{offsetof(C, a), offsetof(C, b)}));
  EXPECT_EQ(c->itemsize, static_cast<int64_t>(sizeof(C)));
}

TEST(Structure, EveryByteIsOfOneNumberOrOfNone) {
  const std::array kinds{DType::uint8, DType::int16, DType::float32, DType::float64, DType::complex128};
  for (const bool aligned : {false, true})
    for (const DType first : kinds)
      for (const DType second : kinds)
        for (const int64_t many : {1, 3}) {
          const auto structure = packed_structure({field_of("a", first), field_of("b", second, {many, 2})}, aligned);
          const int64_t piece = common_piece(*structure);
          EXPECT_EQ(structure->itemsize % piece, 0);
          int64_t owned = 0;
          for (int64_t byte = 0; byte < structure->itemsize; ++byte) {
            const auto leaf = leaf_at(*structure, byte);
            if (!leaf) continue;
            ++owned;
            EXPECT_LE(leaf->begin, byte);
            EXPECT_LT(byte, leaf->begin + itemsize(leaf->dtype));
            EXPECT_EQ(leaf->begin % piece, 0);
            EXPECT_EQ(itemsize(leaf->dtype) % piece, 0);
          }
          EXPECT_EQ(owned, itemsize(first) + many * 2 * itemsize(second));
          EXPECT_TRUE(aligned || owned == structure->itemsize);
        }
}

TEST(Structure, OfSizesBeyondAllMemoryIsNone) {
  EXPECT_FALSE(packed_structure({field_of("a", DType::float64, {INT64_MAX})}, false));
  EXPECT_FALSE(packed_structure({field_of("a", DType::uint8, {INT64_MAX}), field_of("b", DType::uint8)}, true));
  EXPECT_EQ(Ran("np.dtype([('a', 'f8', 2000000000)])").error(),
            "ValueError: invalid shape in fixed-type tuple: dtype size in bytes must fit into a C int.");
  EXPECT_EQ(Ran("np.dtype('(3000000000,)b1,i4')").error(),
            "ValueError: invalid shape in fixed-type tuple: dimension does not fit into a C int.");
  EXPECT_EQ(Ran("np.dtype([('a', 'f8', (1000000000, 0)), ('b', 'i4')])").error(), "ours");
  EXPECT_EQ(Ran("np.dtype('(1000000000,)b1,(1000000000,)b1,(1000000000,)b1')").error(), "ours");
}

constexpr const char* points = "p = np.array([(1, 2.5), (3, 4.5), (5, 6.5)], dtype=[('n', 'i4'), ('v', 'f8')])\n";

TEST(StructuredArray, FieldsOfATrillionElementsAreViews) {
  const Ran ran("x = np.zeros(10**12, dtype='i4,f8')\ny = x['f1'][::-2]");
  EXPECT_EQ(ran.layout("y"), "(500000000000,):(-24,)+11999999999992");
  EXPECT_EQ(ran.relation(), Relation::view);
  EXPECT_EQ(Ran("np.zeros(2**60, dtype='i4,f8')").error().substr(0, 11), "ValueError:");
}

TEST(StructuredArray, AWriteToAFieldIsSeenThroughEveryView) {
  const Ran ran(points + std::string("f = p['v']\ne = p[1]\ne['v'] = 9\np['n'][0] = 8"));
  EXPECT_EQ(ran.values("f"), "2.5 9.0 6.5");
  EXPECT_EQ(Ran(points + std::string("q = p[::-1].copy()\nf = q['v']\np['v'] = 0")).values("f"), "6.5 4.5 2.5");
  EXPECT_EQ(Ran(points + std::string("q = p[[2, 0, 2]]\nf = q['n']")).values("f"), "5 1 5");
}

TEST(StructuredArray, AStepSaysWhichBytesAFieldIs) {
  const Ran field(points + std::string("p['v']"));
  EXPECT_TRUE(field.says(Msg::np_field_seen));
  EXPECT_TRUE(Ran(points + std::string("p[['v']]")).says(Msg::np_fields_seen));
  EXPECT_TRUE(Ran(points + std::string("p[1]")).says(Msg::np_element_seen));
  EXPECT_TRUE(Ran(points + std::string("p[1] = (7, 8)")).says(Msg::np_write_headline));
  EXPECT_TRUE(Ran(points + std::string("p[['v']][1:] = 4")).says(Msg::np_structures_written));
  EXPECT_TRUE(Ran("x = np.zeros(2, dtype=[('m', 'f4', (2, 2))])\nx['m']").says(Msg::np_field_axes));
}

TEST(StructuredArray, WhatNobodyKnowsHasItsLayout) {
  const std::string unknown = "x = np.zeros(3, 'i4,f8')\nx['f1'] = np.char.upper(x)\n";
  EXPECT_EQ(Ran(unknown + "y = np.sort(x)").layout("y"), "(3,):(12,)+0");
  EXPECT_EQ(Ran(unknown + "y = np.argsort(x)").layout("y"), "(3,):(8,)+0");
  EXPECT_EQ(Ran(unknown + "y = x == x").layout("y"), "(3,):(1,)+0");
  EXPECT_EQ(Ran(unknown + "y = x[::-1].copy()").layout("y"), "(3,):(12,)+0");
  EXPECT_EQ(Ran(unknown + "x[0] = (1, 2.5)\ny = x[1:]").layout("y"), "(2,):(12,)+12");
  for (const char* line : {"x.tolist()", "np.unique(x)", "y = np.zeros(2, x.dtype)\ny[:] = [x[0], (1, 2)]"})
    EXPECT_EQ(Ran(unknown + line).error(), "ours") << line;
}

TEST(StructuredArray, OfNumbersThatNobodyKnowsHasItsLayout) {
  const std::string unknown = "n = np.zeros(100000).cumsum()[3:4]\n";
  for (const char* given : {"n[0]", "n.reshape(())", "float(n[0])"})
    EXPECT_EQ(Ran(unknown + "y = np.array([(" + given + ", 1), (2, 3)], dtype='>f4,i4')").layout("y"), "(2,):(8,)+0")
        << given;
}

TEST(StructuredArray, WhatIsNotModelledIsALimitAndLeavesTheArray) {
  constexpr const char* lines[] = {"np.add(p, 1, dtype=int)",
                                   "np.less.outer(p, p)",
                                   "np.add.at(p, 0, 1)",
                                   "p == np.zeros(3, dtype=[('n', 'f4'), ('v', 'f8')])",
                                   "np.argmax(p)",
                                   "np.nonzero(p)",
                                   "np.copyto(p, (1, 2))",
                                   "np.unique(np.array([(0., 1), (-0., 1)], dtype='f4,i4'))",
                                   "np.unique(np.array([(np.nan, 1)], dtype='f4,i4'))",
                                   "np.isin(p, np.zeros(2, dtype='i4,i4'))",
                                   "np.ones(2, dtype='V3')",
                                   "np.zeros(2, 'V3')[0] = p[0]",
                                   "np.array(p, dtype='V9')",
                                   "np.concatenate([p, p], dtype=float)",
                                   "p.astype('f4,f4')",
                                   "np.median(p)",
                                   "p.flat",
                                   "p[[0, 1]] = np.zeros(2)",
                                   "torch.from_numpy(p)",
                                   "bool(p[:1])",
                                   "3 in p",
                                   "p[0][0:1]",
                                   "p[0].copy()",
                                   "np.array([p[0], p[1]])",
                                   "np.array([p, p])",
                                   "np.array(p, dtype='f4,f4')",
                                   "p.real",
                                   "p[:] = [(1, 2), [(3, 4)], (5, 6)]",
                                   "p[:] = np.zeros(3, 'i4,i4,i4')",
                                   "x = np.zeros(3)\nx[[0, 1]] = p[:2]",
                                   "np.sort(p, order=[5])",
                                   "np.sort(p, order=())",
                                   "np.zeros(10**6, p.dtype).tolist()",
                                   "np.array([(['a', 'b', 'c'],)], dtype=[('s', 'U2', (2,))])",
                                   "np.array([(1, 2)] * 4000, dtype='V300,V300')",
                                   "np.where(p['n'] > 2, p, np.zeros(3, 'f4,i4'))",
                                   "np.where([True] * 3, p[['v']], p[['v']])",
                                   "p[:2].tolist() == np.zeros(2, [('m', 'f4', 2)]).tolist()",
                                   "np.array([[(1, 2)], [(3, 4), (5, 6)]], dtype=p.dtype)",
                                   "np.array([[1, 2], 3], dtype=p.dtype)",
                                   "p.dtype.newbyteorder(1, 2)",
                                   "p.dtype < np.dtype('i4')",
                                   "x = np.zeros(3)\nx[:] = p[['n']]",
                                   "q = np.zeros((2, 2), 'i4,i4')\nq == q.T",
                                   "np.zeros(2, dtype=[(('title', 'x'), 'i4')])",
                                   "np.dtype('i4,,f4')",
                                   "np.dtype([('a', (('i4', 2), 3))])",
                                   "p.dtype.names = ('a', 'b')",
                                   "np.int32(3).view('i2,i2')",
                                   "np.zeros(3, dtype={'names': 'ab', 'formats': 'if'})"};
  expect_limits(points, lines, "p");
}

TEST(StructuredArray, ValuesThatNobodyKnowsStayUnknown) {
  const Ran ran("import time\nx = np.array([(time.time(), 1)], dtype='f8,f8')\ny = x['f1']");
  EXPECT_EQ(ran.error(), "");
  EXPECT_FALSE(is_known(*ran.last().contents_of(*ran.tensor("y")->storage)));
  EXPECT_EQ(Ran("import time\nx = np.array([(time.time(), 1)], dtype='f8,f8')\nx.tolist()").error(), "ours");
}

}  // namespace
}  // namespace stridescope

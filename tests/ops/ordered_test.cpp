// Arrays of strings, of structures and of bytes without a meaning moved and put in order. What NumPy answers is among
// the recorded cases (tests/oracle); here are laws that hold for every such array, and what a step says.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ops/program.h"

namespace stridescope {
namespace {

/// Words of few letters, so that some are equal.
std::vector<std::string> random_words(unsigned seed, size_t count) {
  std::mt19937 random(seed);
  const std::string letters[] = {"a", "B", "z", "\u00e9", "\u65e5", " "};
  std::vector<std::string> made(count);
  for (std::string& word : made)
    for (unsigned k = random() % 4; k > 0; --k) word += letters[random() % std::size(letters)];
  return made;
}

/// What the last operation says.
std::string said_by(const Ran& ran) {
  std::string text;
  for (const Message& line : ran.last().applied.back().why.lines) text += plain(line, Language::english) + "\n";
  return text;
}

std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "'" : ", '") + one + "'";
  return "[" + text + "]";
}

TEST(OrderedStrings, StandAsPythonSortsThem) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const auto all = random_words(seed, 1 + seed % 14);
    const std::string x = "x = np.array(" + listed(all) + ")\n";
    EXPECT_EQ(Ran(x + "np.sort(x).tolist() == sorted(x.tolist())").value(), "True") << x;
    EXPECT_EQ(Ran(x + "x[x.argsort()].tolist() == np.sort(x).tolist()").value(), "True") << x;
    EXPECT_EQ(Ran(x + "x.sort()\nx.tolist() == sorted(x.tolist())").value(), "True") << x;
    EXPECT_EQ(Ran(x + "np.unique(x).tolist() == sorted(set(x.tolist()))").value(), "True") << x;
    EXPECT_EQ(Ran(x + "u, k = np.unique(x, return_inverse=True)\n(u[k] == x).all()").value(), "np.True_") << x;
    EXPECT_EQ(Ran(x + "np.isin(x, x[:1]).tolist() == [w == x[0] for w in x.tolist()]").value(), "True") << x;
    EXPECT_EQ(Ran(x + "[bool(w) for w in x.tolist()] == [i in np.flatnonzero(x) for i in range(x.size)]").value(),
              "True")
        << x;
  }
}

TEST(MovedElements, HoldTheSameBytesHoweverTheyAreRead) {
  // What moves elements of 8 bytes moves numbers of 8 bytes just so.
  for (const char* line : {"np.take(A, [2, 0, 2], 0)",
                           "A.take([1, -1])",
                           "np.repeat(A, 2, 1)",
                           "np.repeat(A, [1, 0, 2], 0)",
                           "np.tile(A, (2, 1, 2))",
                           "np.tile(A, 1)",
                           "np.roll(A, 1)",
                           "np.roll(A, (1, 2), (0, 1))",
                           "np.delete(A, 1, 0)",
                           "np.delete(A, [0, 1], 1)",
                           "np.insert(A, 1, A[0], 0)",
                           "np.insert(A, [0, 2], A[:2], 0)",
                           "np.compress([True, False, True], A, 0)",
                           "np.where([True, False], A, A[::-1])",
                           "np.resize(A, (5, 2))",
                           "np.split(A, 3)[1]",
                           "np.column_stack([A, A])",
                           "np.dstack([A, A])",
                           "np.rot90(A)",
                           "np.diagonal(A)",
                           "np.diag(A[:, 0])",
                           "np.block([[A, A], [A, A]])",
                           "np.meshgrid(A[0], A[1])[0]",
                           "A.swapaxes(0, 1)",
                           "np.broadcast_arrays(A, np.zeros((4, 1, 1)))[0]",
                           "np.take_along_axis(A, np.array([[1, 0]]), 0)",
                           "np.extract(np.arange(6) > 2, A)",
                           "np.unstack(A)[1]",
                           "np.frombuffer(A.tobytes(), A.dtype)"}) {
    const auto of = [&](const std::string& array) {
      std::string text = line;
      for (size_t at = text.find('A'); at != text.npos; at = text.find('A', at + array.size()))
        text.replace(at, 1, array);
      return "(" + text + ")";
    };
    for (const char* dtype : {"'U2'", "'S8'", "'V8'", "[('a', 'i4'), ('b', 'u2', (2,))]"}) {
      const std::string setup =
          "n = (np.arange(6, dtype='u8') * 2**32 + 65).reshape(3, 2)\ns = n.view(" + std::string(dtype) + ")\n";
      // A diagonal of characters beyond Unicode has no text, so what is compared are the numbers.
      const std::string same = "(" + of("n") + " == " + of("s") + ".view('u8')).all()";
      const bool last = Ran(setup + of("s") + ".strides[-1]").value() == "8";
      if (last) {
        EXPECT_EQ(Ran(setup + same).value(), "np.True_") << dtype << line;
      }
      EXPECT_EQ(Ran(setup + of("s") + ".strides == " + of("n") + ".strides").value(), "True") << dtype << line;
    }
  }
}

TEST(OrderedStructures, AreComparedFieldByField) {
  const std::string p = "p = np.array([(2, 1.5), (1, 2.5), (2, 0.5)], dtype=[('a', 'i4'), ('b', 'f8')])\n";
  EXPECT_EQ(Ran(p + "np.sort(p).tolist() == sorted(p.tolist())").value(), "True");
  EXPECT_EQ(Ran(p + "np.sort(p, order='b')['a'].tolist()").value(), "[2, 2, 1]");
  EXPECT_EQ(Ran(p + "np.sort(p, order='c')").error(), "ValueError: unknown field name: c");
  EXPECT_EQ(Ran(p + "np.sort(p, order=['a', 'a'])").error(), "ValueError: duplicate field name: a");
  EXPECT_EQ(Ran(p + "np.sort(p['a'], order='a')").error(),
            "ValueError: Cannot specify order when the array has no fields.");
  EXPECT_EQ(Ran("np.sort(np.array(['a']), order='a')").error(),
            "ValueError: Cannot specify order when the array has no fields.");
  const Ran sorted(p + "np.sort(p, order='b')");
  EXPECT_TRUE(sorted.says(Msg::np_structures_ordered));
  EXPECT_NE(said_by(sorted).find("A copy: 3 elements, 36 bytes"), std::string::npos) << said_by(sorted);
}

TEST(Ordered, SaysByWhatElementsAreTold) {
  EXPECT_TRUE(Ran("np.sort(['b', 'a'])").says(Msg::np_strings_ordered));
  EXPECT_TRUE(Ran("np.any(['b', 'a'])").says(Msg::np_strings_truth));
  EXPECT_TRUE(Ran("np.sort(np.arange(4).view('V8'))").says(Msg::np_raw_ordered));
  EXPECT_TRUE(Ran("x = np.arange(4).view('V8')\nx == x").says(Msg::np_raw_compared));
  EXPECT_TRUE(Ran("np.arange(4).view('V8')[1]").says(Msg::np_raw_seen));
  EXPECT_EQ(said_by(Ran("np.argmax(['b', 'c'], axis=0)")).find("uint64"), std::string::npos)
      << "the numbers in their place";
}

TEST(Ordered, OfWhatIsNotKnownOnlyTheLayoutIsTold) {
  const std::string x = "x = np.empty((3, 2), 'U3')\ny = x.T.copy()\nx[...] = np.random.rand(3, 2).astype('U3')\n";
  EXPECT_EQ(Ran(x + "z = np.sort(x, axis=0)").layout("z"), "(3, 2):(24, 12)+0");
  EXPECT_EQ(Ran("x = np.array(['b', 'a'] * 3000)\nnp.sort(x)").error(), "ours");
}

}  // namespace
}  // namespace stridescope

// Arrays of strings. What NumPy answers is among the recorded cases (tests/oracle); here are the laws of their bytes,
// what is a limit, and what a step says.
#include <gtest/gtest.h>

#include "ops/contents.h"
#include "ops/numpy/strings.h"
#include "ops/program.h"

namespace stridescope {
namespace {

constexpr const char* words = "x = np.array([['Rex', 'a'], ['', 'Fido']])\n";

TEST(StringDtype, TakesSoManyBytesForEachCharacter) {
  for (const int64_t length : {1, 2, 7, 1000}) {
    EXPECT_EQ(string_structure('S', length)->itemsize, length);
    EXPECT_EQ(string_structure('U', length)->itemsize, 4 * length);
    for (const char kind : {'S', 'U'}) {
      const StructurePtr string = string_structure(kind, length);
      EXPECT_EQ(string->length(), length);
      EXPECT_TRUE(is_gapless(*string));
      EXPECT_EQ(common_piece(*string), string->character_bytes());
      for (int64_t byte = 0; byte < string->itemsize; ++byte) {
        const auto leaf = leaf_at(*string, byte);
        ASSERT_TRUE(leaf);
        EXPECT_EQ(leaf->characters, kind);
        EXPECT_EQ(leaf->begin, byte / string->character_bytes() * string->character_bytes());
      }
    }
  }
  EXPECT_FALSE(same_structure(*string_structure('S', 4), *string_structure('U', 1)));
}

TEST(StringDtype, IsReadInEveryFormThatNumPyTakes) {
  const auto text = [](const Value& value) {
    const StructurePtr string = read_string_dtype(value);
    return string ? to_string(*string) : "none";
  };
  for (const char* code : {"U3", "<U3", "=U3", "|U3"}) EXPECT_EQ(text({std::string(code)}), "<U3") << code;
  for (const char* code : {"S3", "|S3", ">S3", "a3"}) EXPECT_EQ(text({std::string(code)}), "|S3") << code;
  for (const char* code : {"U", "str", "str_", "U0"}) EXPECT_EQ(text({std::string(code)}), "<U0") << code;
  for (const char* code : {"", "U3x", "U-1", ">U3", "V", "V0", "i4", "U99999999999999999999"})
    EXPECT_EQ(text({std::string(code)}), "none") << code;
}

TEST(StringArray, EveryTextComesBackUnlessItIsTooLong) {
  for (const std::string text : {"", "a", "abc", "\u00e9t\u00e9", "\u65e5\u672c", "\U0001f600"}) {
    EXPECT_EQ(Ran("np.array(['" + text + "', 'xy'])[0] == '" + text + "'").value(), "True") << text;
    EXPECT_EQ(Ran("np.array(['" + text + "']).view('U1').tolist() == (list('" + text + "') or [''])").value(), "True")
        << text;
    EXPECT_EQ(Ran("np.array(['" + text + "'], dtype='U2')[0] == '" + text + "'[:2]").value(), "True") << text;
  }
}

TEST(StringArray, OfATrillionElementsIsMadeAndSeenAtOnce) {
  const Ran ran("x = np.zeros(10**12, dtype='U5')\ny = x[::-2]\nz = x.view('U1')");
  EXPECT_EQ(ran.layout("y"), "(500000000000,):(-40,)+19999999999980");
  EXPECT_EQ(ran.layout("z"), "(5000000000000,):(4,)+0");
  for (const char* line :
       {"x == 'a'", "x.astype('S')", "x.astype(int)", "x.tolist()", "list(x)", "'a' in x", "','.join(x)"})
    EXPECT_EQ(Ran(std::string("x = np.zeros(10**12, dtype='U5')\n") + line).error(), "ours") << line;
}

TEST(StringArray, AWriteIsSeenThroughEveryView) {
  EXPECT_EQ(Ran(words + std::string("y = x.view('U1')\nx[0, 0] = 'longer'\ny.tolist()")).value(),
            "[['l', 'o', 'n', 'g', 'a', '', '', ''], ['', '', '', '', 'F', 'i', 'd', 'o']]");
  EXPECT_EQ(Ran(words + std::string("y = x.T\nx[1] = ['p', 'q']\ny.tolist()")).value(), "[['Rex', 'p'], ['a', 'q']]");
  EXPECT_EQ(Ran(words + std::string("x[x == 'a'] = 'zz'\nx.tolist()")).value(), "[['Rex', 'zz'], ['', 'Fido']]");
}

TEST(StringArray, AStepSaysWhatRoomThereIsAndWhatIsCut) {
  EXPECT_TRUE(Ran(words).says(Msg::np_strings_room));
  EXPECT_TRUE(Ran("np.array(['abc'], dtype='U2')").says(Msg::np_strings_asked));
  EXPECT_TRUE(Ran("np.array(['abc'], dtype='U2')").says(Msg::np_strings_cut));
  EXPECT_FALSE(Ran("np.array(['abc'], dtype='U3')").says(Msg::np_strings_cut));
  EXPECT_TRUE(Ran("np.zeros(3, 'S5')").says(Msg::np_strings_headline));
  EXPECT_TRUE(Ran(words + std::string("x[0, 1]")).says(Msg::np_string_seen));
  EXPECT_TRUE(Ran(words + std::string("x[0, 1] = 'longer'")).says(Msg::np_strings_cut));
  EXPECT_FALSE(Ran(words + std::string("x[0, 1] = 'b'")).says(Msg::np_strings_cut));
  EXPECT_TRUE(Ran(words + std::string("x.astype('U2')")).says(Msg::np_strings_cut));
  EXPECT_TRUE(Ran(words + std::string("x == 'a'")).says(Msg::np_strings_compared));
  EXPECT_TRUE(Ran(words + std::string("x + 'a'")).says(Msg::np_strings_joined));
  EXPECT_TRUE(Ran(words + std::string("x += 'a'")).says(Msg::np_strings_cut));
  EXPECT_TRUE(Ran(words + std::string("np.logical_not(x == '') | np.logical_and(x, True)")).error().empty());
  EXPECT_TRUE(Ran(words + std::string("np.logical_and(x, True)")).says(Msg::np_strings_truth));
}

TEST(StringArray, JoinedHaveRoomForBothInTheOrderOfTheAxes) {
  for (const char* other : {"'ab'", "['p', 'qrs']", "x.T", "x[:1]"}) {
    const std::string program = words + std::string("y = x + ") + other + "\n";
    EXPECT_EQ(Ran(program +
                  "y.tolist() == [[a + b for a, b in zip(*rows)] for rows in zip(x.tolist(), "
                  "np.broadcast_to(" +
                  other + ", (2, 2)).tolist())]")
                  .value(),
              "True")
        << other;
  }
  EXPECT_EQ(Ran(words + std::string("y = x.T + 'a'")).layout("y"), "(2, 2):(20, 40)+0");
  EXPECT_EQ(Ran(words + std::string("y = x + x")).layout("y"), "(2, 2):(64, 32)+0");
}

TEST(StringArray, WhatHasNoLoopIsToldWithTheWayToNumbers) {
  for (const char* line : {"x + 1", "x - x", "x < 2", "-x", "x.mean()", "np.sqrt(x)", "x * 2", "x += 1"}) {
    const Ran ran(words + std::string(line));
    ASSERT_TRUE(ran.last().error && ran.last().error->raised) << line;
    ASSERT_FALSE(ran.last().error->hints.empty()) << line;
    EXPECT_EQ(ran.last().error->hints.front().message.id, Msg::hint_np_strings_as_numbers) << line;
    EXPECT_EQ(ran.layout("x"), "(2, 2):(32, 16)+0") << line;
  }
}

TEST(StringArray, WhatNobodyKnowsIsALimitAndItsLayoutIsTold) {
  const std::string unknown = "x = np.array(['ab', 'c'])\nx[:] = np.char.upper(x)\n";
  for (const char* line :
       {"x[0]", "x.tolist()", "'ab' in x", "','.join(x)", "(x == 'ab').tolist()", "x.astype(float)", "x.astype('S')"})
    EXPECT_EQ(Ran(unknown + line).error(), "ours") << line;
  EXPECT_EQ(Ran(unknown + "y = x.astype('U1')").layout("y"), "(2,):(4,)+0");
  EXPECT_EQ(Ran(unknown + "y = x == 'ab'").layout("y"), "(2,):(1,)+0");
  EXPECT_EQ(Ran(unknown + "y = x + 'ab'").layout("y"), "(2,):(16,)+0");
  EXPECT_EQ(Ran(unknown + "y = np.broadcast_to(x[:1], (2**29, 2**30)) + 'abcdefghijk'").error().substr(0, 10),
            "ValueError");
  EXPECT_EQ(Ran(unknown + "y = np.logical_and(x, True)").layout("y"), "(2,):(1,)+0");
  EXPECT_EQ(Ran(unknown + "y = x[::-1].view('U1')").error().substr(0, 10), "ValueError");
  EXPECT_EQ(Ran(unknown + "y = x.view('U1')[::-1]").layout("y"), "(4,):(-4,)+12");
}

TEST(StringArray, WhatIsNotModelledIsALimitAndLeavesTheArray) {
  constexpr const char* lines[] = {"np.add(x, 'a', where=x == 'a')",
                                   "np.add(x, x, out=x)",
                                   "np.char.upper(x)",
                                   "np.where(x == 'a', x, None)",
                                   "np.where(x, 1, 2)",
                                   "np.take(x, [0], 0, out=np.zeros((1, 2), 'U4'))",
                                   "np.isin(x, [1, 2])",
                                   "np.isin(x, ['a'], assume_unique=True)",
                                   "np.searchsorted(x[0], b'a')",
                                   "np.copyto(x, 'a', casting='unsafe')",
                                   "np.clip(x, 'a', 'b')",
                                   "x.flat",
                                   "np.less.outer(x, x)",
                                   "np.equal(x, 'a', out=np.zeros((2, 2), bool))",
                                   "np.equal(x, 'a', where=x == 'a')",
                                   "x.astype('U3', casting='safe')",
                                   "x.astype('i4,i4')",
                                   "x.astype(complex)",
                                   "x.astype(object)",
                                   "np.array(['a', None])",
                                   "np.array(['a', [1, 2]], dtype=object)",
                                   "np.array([x, x])",
                                   "bool(x[:1, :1])",
                                   "float(x[1, 0:1])",
                                   "np.concatenate([x, x], dtype='U9')",
                                   "np.concatenate([x, np.zeros((2, 2), 'i4,i4')])",
                                   "np.array([1, -1], dtype='i4').view('U1')[1]",
                                   "print(np.array([-1], dtype='i4').view('U1')[0])",
                                   "np.array([0xD800], dtype='u4').view('U1').tolist()",
                                   "np.array([0xD800], dtype='u4').view('U1') == 'a'",
                                   "x[0, 0].flags",
                                   "x[0, 0].item()",
                                   "x[0, 0] is x[0, 0]",
                                   "np.str_('a')",
                                   "np.dtype('U3').newbyteorder()",
                                   "np.zeros(2, dtype=[('a', str)])",
                                   "np.ndarray((2,), 'U')",
                                   "np.zeros(2, '>U3')",
                                   "int(np.array('5'))",
                                   "torch.from_numpy(x)",
                                   "torch.tensor(x)",
                                   "np.zeros((40, 40), dtype='U1000')[...] = [['a'] * 40] * 40"};
  expect_limits(words, lines, "x");
}

}  // namespace
}  // namespace stridescope

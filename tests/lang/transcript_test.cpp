#include "lang/transcript.h"

#include <gtest/gtest.h>

#include <random>

#include "lang/ast.h"
#include "lang/utf8.h"

namespace stridescope {
namespace {

std::string pasted(std::string_view text) { return program_of(text, Language::english).value_or("as it is"); }

TEST(Transcript, ASessionKeepsWhatWasTypedAndLeavesOutWhatWasPrinted) {
  EXPECT_EQ(pasted(">>> x = torch.arange(6).view(2, 3)\n>>> x.t()\ntensor([[0, 3],\n        [1, 4],\n        [2, "
                   "5]])\n>>> x.stride()\n(3, 1)\n"),
            "x = torch.arange(6).view(2, 3)\nx.t()\nx.stride()");
  EXPECT_EQ(pasted(">>> y = x.view(\n...     6)\n>>> y\n"), "y = x.view(\n    6)\ny");
}

TEST(Transcript, ANotebooksSessionIsReadTheSameWay) {
  EXPECT_EQ(pasted("In [1]: x = torch.arange(6)\n\nIn [2]: y = x.view(2,\n   ...:            3)\n\nIn [12]: "
                   "y.stride()\nOut[12]: (3, 1)\n"),
            "x = torch.arange(6)\ny = x.view(2,\n           3)\ny.stride()");
}

TEST(Transcript, AFailingCellOfANotebookIsTheProgramUnderItsError) {
  EXPECT_EQ(pasted("---------------------------------------------------------------------------\n"
                   "RuntimeError                              Traceback (most recent call last)\n"
                   "Cell In[3], line 2\n"
                   "      1 x = torch.arange(12).view(3, 4).t()\n"
                   "----> 2 x.view(12)\n"
                   "\n"
                   "RuntimeError: view size is not compatible with input tensor's size and stride\n"),
            "# RuntimeError: view size is not compatible with input tensor's size and stride\n"
            "x = torch.arange(12).view(3, 4).t()\nx.view(12)");
}

TEST(Transcript, ATracebackGivesTheFailingLineAStandInToFailOn) {
  const std::string program = pasted(
      "Traceback (most recent call last):\n"
      "  File \"train.py\", line 90, in <module>\n"
      "    out = model(batch)\n"
      "  File \"model.py\", line 12, in forward\n"
      "    return y.view(B, -1)\n"
      "           ^^^^^^^^^^^^\n"
      "RuntimeError: view size is not compatible\n");
  EXPECT_EQ(program,
            "# RuntimeError: view size is not compatible\n"
            "# In place of your own values: put your sizes here.\n"
            "y = torch.arange(24).view(2, 3, 4).transpose(1, 2)\n"
            "B = 2\n"
            "y.view(B, -1)");
  EXPECT_TRUE(parse(program).diagnostics.empty());
}

TEST(Transcript, APrintedShapeAndStrideIsATensorOfThatLayout) {
  EXPECT_EQ(pasted("torch.Size([4, 3])\n(1, 4)"), "x = torch.arange(12).as_strided((4, 3), (1, 4))");
  EXPECT_EQ(pasted("x.shape: torch.Size([2, 3]), x.stride(): (6, 2), storage_offset: 5"),
            "x = torch.arange(16).as_strided((2, 3), (6, 2), 5)");
  EXPECT_EQ(pasted("(torch.Size([3]), (2,))"), "x = torch.arange(5).as_strided((3,), (2,))");
  EXPECT_EQ(pasted("torch.Size([2, 3, 4])"), "x = torch.arange(24).reshape(2, 3, 4)");
  EXPECT_EQ(pasted("shape (3, 4) strides (32, 8)"),
            "x = np.lib.stride_tricks.as_strided(np.arange(12), (3, 4), (32, 8))");
  EXPECT_EQ(pasted("x.shape (3, 4)\nx.strides (16, 4)"),
            "x = np.lib.stride_tricks.as_strided(np.arange(12, dtype=np.int32), (3, 4), (16, 4))");
  EXPECT_EQ(pasted("shape (3, 2) strides (-32, 16)"),
            "x = np.lib.stride_tricks.as_strided(np.arange(11)[8:], (3, 2), (-32, 16))");
}

TEST(Transcript, AFencedOrIndentedBlockMovesToTheMargin) {
  EXPECT_EQ(pasted("```python\nx = torch.arange(6)\ny = x[::2]\n```\n"), "x = torch.arange(6)\ny = x[::2]");
  EXPECT_EQ(pasted("        x = torch.arange(6)\n        y = x.view(2,\n                   3)\n"),
            "x = torch.arange(6)\ny = x.view(2,\n           3)");
}

TEST(Transcript, AProgramAndProseStayAsTheyAre) {
  for (const std::string_view text :
       {"x = torch.arange(6)", "x = (2, 3)\ny = (3, 1)", "(2, 3)", "", "Why does view fail?", "x[..., 1]",
        "x = torch.arange(6)\n\ny = x.view(2,\n  3)\n",
        "shape (9223372036854775807, 2) strides (8, 9223372036854775807)"})
    EXPECT_EQ(program_of(text, Language::english), std::nullopt) << text;
}

TEST(Transcript, AnyTextGivesAnAnswerThatStandsForItself) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {">>> ",
                                     "... ",
                                     "In [",
                                     "]: ",
                                     "1",
                                     "Traceback (most recent call last):",
                                     "  File \"a\", line 1",
                                     "x.view(2)",
                                     "\n",
                                     "\n",
                                     "    ",
                                     "----> ",
                                     "(",
                                     ")",
                                     "[2, 3]",
                                     "torch.Size([2, 3])",
                                     "RuntimeError: no",
                                     "```",
                                     "\xff",
                                     "值"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
    const auto program = program_of(text, i % 2 ? Language::english : Language::chinese);
    if (!program) continue;
    EXPECT_LE(program->size(), text.size() + 1000) << text;
    EXPECT_NE(*program, text);
    parse(*program);
  }
}

}  // namespace
}  // namespace stridescope

#include "ops/python/pasted.h"

#include <gtest/gtest.h>

#include <random>

#include "lang/ast.h"
#include "lang/utf8.h"
#include "ops/trace.h"

namespace stridescope {
namespace {

std::string pasted(std::string_view text) { return program_of(text, Language::english).value_or("as it is"); }

TEST(Pasted, ASessionKeepsWhatWasTypedAndLeavesOutWhatWasPrinted) {
  EXPECT_EQ(pasted(">>> x = torch.arange(6).view(2, 3)\n>>> x.t()\ntensor([[0, 3],\n        [1, 4],\n        [2, "
                   "5]])\n>>> x.stride()\n(3, 1)\n"),
            "x = torch.arange(6).view(2, 3)\nx.t()\nx.stride()");
  EXPECT_EQ(pasted(">>> y = x.view(\n...     6)\n>>> y\n"), "y = x.view(\n    6)\ny");
}

TEST(Pasted, ANotebooksSessionIsReadTheSameWay) {
  EXPECT_EQ(pasted("In [1]: %matplotlib inline\n\nIn [2]: %timeit -n 100 -r3 x.sum()\n1.2 ms ± 3 µs per loop\n\n"
                   "In [3]: %time y = x.T\nWall time: 1 ms\n\nIn [4]: !ls\n\nIn [5]: %%time\n   ...: y.copy()"),
            "x.sum()\ny = x.T\ny.copy()");
  EXPECT_EQ(pasted("In [1]: x = torch.arange(6)\n\nIn [2]: y = x.view(2,\n   ...:            3)\n\nIn [12]: "
                   "y.stride()\nOut[12]: (3, 1)\n"),
            "x = torch.arange(6)\ny = x.view(2,\n           3)\ny.stride()");
}

TEST(Pasted, AFailingCellOfANotebookIsTheProgramUnderItsError) {
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

TEST(Pasted, ATracebackGivesTheFailingLineAStandInToFailOn) {
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

TEST(Pasted, OfFramesThatAreNotQuotedTheLastQuotedOneIsTaken) {
  EXPECT_NE(pasted("Traceback (most recent call last):\n"
                   "  File \"train.py\", line 90, in <module>\n"
                   "    y = x.view(B, -1)\n"
                   "  File \"<string>\", line 1\n"
                   "  File \"<string>\", line 2\n"
                   "RuntimeError: view size is not compatible\n")
                .find("x.view(B, -1)"),
            std::string::npos);
}

TEST(Pasted, APrintedShapeAndStrideIsATensorOfThatLayout) {
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

TEST(Pasted, AFencedOrIndentedBlockMovesToTheMargin) {
  EXPECT_EQ(pasted("```python\nx = torch.arange(6)\ny = x[::2]\n```\n"), "x = torch.arange(6)\ny = x[::2]");
  EXPECT_EQ(pasted("        x = torch.arange(6)\n        y = x.view(2,\n                   3)\n"),
            "x = torch.arange(6)\ny = x.view(2,\n           3)");
}

TEST(Pasted, AProgramAndProseStayAsTheyAre) {
  for (const std::string_view text :
       {"x = torch.arange(6)", "x = (2, 3)\ny = (3, 1)", "(2, 3)", "", "Why does view fail?", "x[..., 1]",
        "x = torch.arange(6)\n\ny = x.view(2,\n  3)\n",
        "shape (9223372036854775807, 2) strides (8, 9223372036854775807)"})
    EXPECT_EQ(program_of(text, Language::english), std::nullopt) << text;
}

TEST(Pasted, AnyTextGivesAnAnswerThatStandsForItself) {
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
                                     "a.MyException: no\n",
                                     "{Error: no\n",
                                     "---->",
                                     "--- 2 x\n",
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

TEST(Pasted, WhatIsNoLayoutThatThereCanBeStaysAsItIs) {
  for (const char* text :
       {"shape (2, 3) strides (8,)", "shape (-2, 3)", "shape (4611686018427387904, 4)",
        "shape (9, 2) strides (4611686018427387904, 1)", "shape (3, 2) strides (-4611686018427387904, 1)",
        "shape (2, 2, 2) strides (400000000000000000, 400000000000000000, 1)",
        "shape (2, 2) strides (-400000000000000000, -400000000000000000)",
        "torch.Size([2, 3]) (3, 1) storage_offset: -1", "torch.Size([2]) (1,) storage_offset: 9000000000000000000",
        "shape (99999999999999999999, 2)", "shape (2, 3", "shape (2, ", "shape (2, 2) strides (4611686018427387904, 1)",
        "shape (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)", "shape"})
    EXPECT_EQ(pasted(text), "as it is") << text;
}

TEST(Pasted, APrintedSizeOfNothingHasNoDistances) {
  EXPECT_EQ(pasted("torch.Size([0, 3]) (3, 1)"), "x = torch.arange(3).as_strided((0, 3), (3, 1))");
  EXPECT_EQ(pasted("torch.Size([6])"), "x = torch.arange(6).reshape(6)");
  EXPECT_EQ(pasted("shape (4,)"), "x = np.arange(4).reshape(4)");
}

TEST(Pasted, WhatAQuotedLineOfItsOwnReceiverUsesIsATensorOrASize) {
  const auto of_line = [](const std::string& line) {
    return pasted("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    " + line +
                  "\nValueError: no\n");
  };
  EXPECT_EQ(
      of_line("z = self.weight.view(n, -1)"),
      "# ValueError: no\n# In place of your own values, but the line does not raise your error with these: put your "
      "sizes here.\n"
      "weight = torch.arange(24).view(2, 3, 4).transpose(1, 2)\nn = 2\nz = weight.view(n, -1)");
  EXPECT_EQ(
      of_line("y = f(x=3)[k] == w"),
      "# ValueError: no\n# In place of your own values, but the line does not raise your error with these: put your "
      "sizes here.\n"
      "f = torch.nn.Linear(4, 6)\nk = torch.arange(24.).view(2, 3, 4).transpose(1, 2)\n"
      "w = torch.arange(24.).view(2, 3, 4).transpose(1, 2)\n"
      "y = f(x=3)[k] == w");
}

TEST(Pasted, LinesThatEndAsWindowsEndsThemAreRead) {
  EXPECT_EQ(pasted(">>> x = 1\r\n>>> x\r\n1\r\n"), "x = 1\nx");
  EXPECT_EQ(pasted(">>> x = (1,\r\n...\r\n... 2)\r\n"), "x = (1,\n2)");
}

TEST(Pasted, WhatNoTensorCanHaveIsNotTriedAndManyNamesGetNoValues) {
  const auto of_line = [](const std::string& line, const std::string& error) {
    return pasted("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    " + line + "\n" + error +
                  "\n");
  };
  for (const char* error :
       {"RuntimeError: shape '[9223372036854775807, 3]' is invalid for input of size 9223372036854775807",
        "RuntimeError: mat1 and mat2 shapes (4000000000x4000000000 and 4000000000x7000000000)",
        "RuntimeError: sizes (-1, -2) (0, 3) (99999999999999999999)",
        "IndexError: for dimension 2 with size 9223372036854775807", "RuntimeError: input.dim() = 9223372036854775807"})
    EXPECT_NE(of_line("y = x.view(a, b)", error).find("does not raise"), std::string::npos) << error;
  EXPECT_EQ(of_line("y = f(a, b, c, d, e, g, h, i, j, k)", "RuntimeError: no"),
            "# RuntimeError: no\ny = f(a, b, c, d, e, g, h, i, j, k)");
  const std::string kept = of_line("while True: print(x.view(n))", "RuntimeError: no");
  EXPECT_EQ(kept.find("while ="), std::string::npos) << kept;
  EXPECT_EQ(kept.find("print ="), std::string::npos) << kept;
}

TEST(Pasted, AMessageOfWhichNothingIsUnderstoodKeepsItsLine) {
  std::string many = "z = a0";
  for (int i = 1; i < 40; ++i) many += " + a" + std::to_string(i);
  const std::pair<std::string, std::string> odd[] = {
      {"z = x.view(2)", "RuntimeError: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] and [-5, 2] and (3"},
      {"z = x.view(2)", "RuntimeError: shape '[2]' is invalid for input of size 0"},
      {"z = x.view(2)", "RuntimeError: shape '[2]' is invalid for input of size"},
      {"z = x.view(2)", "RuntimeError: (99999999999999999999, 2) 3x"},
      {"z = x + y", "RuntimeError: The size of tensor a (3) is odd"},
      {"z = x + y", "RuntimeError: The size of tensor a (3) is not that of tensor b (4)"},
      {"z = numpy.add(x, y)", "ValueError: no"},
      {"z = " + std::string(3000, 'a') + " + b", "RuntimeError: no"},
      {"z = x + y", "RuntimeError: The size of tensor a (3) must match tensor b (4) at dimension 9"},
      {"z = x[3]", "IndexError: index 3 is out of bounds for dimension -1 with size 3"},
      {"z = x[3]", "IndexError: index 3 is out of bounds for dimension 7 with size 3"},
      {"z = x[3]", "IndexError: index 3 is out of bounds for dimension 0"},
      {"z = x.permute(1)", "RuntimeError: input.dim() = 12 is odd"},
      {"z = conv(x)", "RuntimeError: Given groups=1, weight of size [6], expected nothing"},
      {"z = conv(x)", "RuntimeError: Given groups=1, weight of size 6, expected nothing"},
      {"z = fc(x)", "RuntimeError: mat1 and mat2 (3x4) and (3x4x5)"},
      {"z = f(g(h(x)))", "RuntimeError: no"},
      {"z = nn.ReLU()(np.ones(x))", "TypeError: no"},
      {"z = a.view(b, c) + d.reshape(e)", "RuntimeError: [2, 3]"},
      {"raise ValueError", "ValueError"},
      {"z = 3", "ValueError: no"},
      {many, "RuntimeError: no"}};
  for (const auto& [line, error] : odd) {
    const std::string program =
        pasted("Traceback (most recent call last):\n  File \"m.py\", line 3, in f\n    " + line + "\n" + error + "\n");
    EXPECT_TRUE(program.ends_with(line)) << program;
  }
}

TEST(Pasted, ALineGetsValuesWithWhichItRaisesTheVeryError) {
  const std::string spans =
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
      "contiguous subspaces). Use .reshape(...) instead.";
  const std::string concatenated =
      "all the input array dimensions except for the concatenation axis must match exactly, but along dimension 0, the "
      "array at index 0 has size 2 and the array at index 1 has size 3";
  const std::string permuted =
      "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering "
      "of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 3";
  const std::string convolved =
      "Given groups=1, weight of size [6, 3, 5, 5], expected input[4, 1, 28, 28] to have 3 channels, but got 1 "
      "channels "
      "instead";
  const std::pair<std::string, std::string> known[] = {
      {"y = y.transpose(1, 2).view(B, T, C)", "RuntimeError: " + spans},
      {"out = out.permute(0, 2, 1, 3).view(batch_size, seq_len, self.hidden)", "RuntimeError: " + spans},
      {"x = x.view(x.size(0), -1)", "RuntimeError: " + spans},
      {"return x.view(32, 768)", "RuntimeError: shape '[32, 768]' is invalid for input of size 12288"},
      {"c = np.concatenate([a, b], axis=1)", "ValueError: " + concatenated},
      {"s = torch.matmul(q, k)", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x64 and 128x10)"},
      {"return self.fc1(x)", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x64 and 128x10)"},
      {"x = self.pool(F.relu(self.conv1(x)))", "RuntimeError: " + convolved},
      {"z = a + b",
       "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"},
      {"z = a + b", "ValueError: operands could not be broadcast together with shapes (2,3) (4,) "},
      {"x = np.reshape(x, (5, 2))", "ValueError: cannot reshape array of size 12 into shape (5,2)"},
      {"h = torch.cat([a, b], dim=1)",
       "RuntimeError: Sizes of tensors must match except in dimension 1. Expected size 2 but got size 3 for tensor "
       "number 1 in the list."},
      {"x = x.squeeze(2)", "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"},
      {"loss = x[5]", "IndexError: index 5 is out of bounds for dimension 0 with size 3"},
      {"y = x.permute(0, 2, 1)", "RuntimeError: " + permuted},
      {"z = x.view(7, -1)", "RuntimeError: shape '[7, -1]' is invalid for input of size 97"},
      {"z = np.add(a, b)", "ValueError: operands could not be broadcast together with shapes (2,) (3,) "},
      {"z = a.reshape(3)", "ValueError: cannot reshape array of size 1 into shape (3,)"},
      {"z = np.sum(x, 3)", "numpy.exceptions.AxisError: axis 3 is out of bounds for array of dimension 3"}};
  for (const auto& [line, error] : known) {
    const std::string program =
        pasted("Traceback (most recent call last):\n  File \"m.py\", line 3, in f\n    " + line + "\n" + error + "\n");
    const Trace trace = evaluate(program);
    ASSERT_TRUE(!trace.steps.empty() && trace.steps.back().error && trace.steps.back().error->raised) << program;
    const auto& raised = *trace.steps.back().error->raised;
    EXPECT_EQ(raised.text.substr(0, error.size()), error.substr(error.find(": ") + 2, raised.text.size())) << program;
    EXPECT_NE(program.find("put your sizes here"), std::string::npos);
    EXPECT_EQ(program.find("does not raise"), std::string::npos) << program;
  }
}

}  // namespace
}  // namespace stridescope

// What the first and last lines of real scripts do: imports, settings, seeds, prints, and lines that only fail because
// another one did.
#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Script, ADefaultDtypeIsThatOfFloatsAndOfFractionsOfIntegers) {
  const std::string set = "torch.set_default_dtype(torch.float64)\n";
  for (const char* line : {"torch.tensor([1.5])", "torch.zeros(2)", "torch.arange(3) / 2", "torch.arange(3) * 1.5",
                           "torch.linspace(0, 1, 3)", "torch.rand(2)", "torch.nn.Linear(2, 2).weight",
                           "torch.Tensor([1, 2])", "torch.full((2,), 1.5)", "torch.eye(2)"})
    EXPECT_EQ(Ran(set + "x = " + line).tensor("x")->dtype, DType::float64) << line;
  EXPECT_EQ(Ran(set + "x = torch.full((2,), 1j)").tensor("x")->dtype, DType::complex128);
  EXPECT_EQ(Ran(set + "torch.get_default_dtype()").value(), "torch.float64");
  EXPECT_EQ(Ran("torch.set_default_tensor_type('torch.DoubleTensor')\nx = torch.ones(2)").tensor("x")->dtype,
            DType::float64);
  EXPECT_EQ(Ran("torch.set_default_dtype(torch.int64)").error(),
            "TypeError: only floating-point types are supported as the default type");
  EXPECT_EQ(Ran("torch.set_default_tensor_type(3)").error(),
            "TypeError: invalid type object: only floating-point types are supported as the default type");
  EXPECT_EQ(Ran("torch.set_default_dtype(float)").error(),
            "TypeError: invalid dtype object: only floating-point types are supported as the default type");
  EXPECT_EQ(Ran("torch.set_default_dtype(torch.float16)").error(), "ours");
  EXPECT_EQ(Ran("torch.set_default_dtype(torch.float16)\ntorch.ones(2)").error(), "ours");
}

TEST(Script, SettingsThatNoLayoutDependsOnAreTaken) {
  for (const char* line : {"torch.use_deterministic_algorithms(True)", "torch.set_num_threads(1)",
                           "torch.set_float32_matmul_precision('high')", "torch.set_warn_always(False)",
                           "torch.backends.cudnn.benchmark = True", "torch.set_default_device('cpu')",
                           "torch.autograd.set_detect_anomaly(True)", "torch.set_printoptions(precision=2)",
                           "np.set_printoptions(precision=2)", "torch.set_flush_denormal(True)",
                           "with np.printoptions(precision=2): x = 1"})
    EXPECT_EQ(Ran(line).error(), "") << line;
  EXPECT_EQ(Ran("torch.set_num_threads(0)").error(), "RuntimeError: set_num_threads expects a positive integer");
  EXPECT_EQ(Ran("torch.set_num_threads('a')").error(), "RuntimeError: set_num_threads expects an int, but got str");
  EXPECT_EQ(Ran("torch.set_float32_matmul_precision(1)").error(),
            "RuntimeError: set_float32_matmul_precision expects a str, but got int");
  EXPECT_EQ(Ran("torch.set_warn_always(1)").error(), "RuntimeError: setWarnOnlyOnce expects a bool, but got int");
  EXPECT_EQ(Ran("torch.set_flush_denormal(1)").error(), "RuntimeError: flush_denormal expects a bool, but got int");
  EXPECT_EQ(Ran("torch.use_deterministic_algorithms('a')").error().substr(0, 9), "TypeError");
  EXPECT_EQ(Ran("np.seterr(all='ignore')\nnp.geterr()").value(),
            "{'divide': 'ignore', 'over': 'ignore', 'under': 'ignore', 'invalid': 'ignore'}");
  EXPECT_EQ(Ran("np.seterr(all='x')").error(), "ValueError: invalid error mode 'x'");
  EXPECT_EQ(Ran("np.seterr(all='raise')").error(), "ours");
}

TEST(Script, TextsAreNotGuessedOnceTheirLookIsSet) {
  for (const char* set : {"np.set_printoptions(formatter={'int': hex})\n", "np.set_printoptions(precision=-1)\n",
                          "np.set_printoptions(nanstr='-')\n", "torch.set_printoptions(edgeitems=0)\n",
                          "torch.set_printoptions(linewidth='wide')\n", "np.set_printoptions(linewidth=0)\n"})
    for (const char* line : {"str(torch.ones(2))", "f'{torch.ones(2)}'", "'%s' % torch.ones(2)",
                             "'{}'.format(torch.ones(2))", "repr(torch.ones(2))"}) {
      EXPECT_EQ(Ran(std::string(set) + line).error(), "ours") << set << line;
      EXPECT_EQ(Ran(line).error(), "") << line;
    }
  EXPECT_EQ(Ran("np.set_printoptions(nanstr='-')\nf'{1.5} {(2, 3)}'").value(), "'1.5 (2, 3)'");
}

TEST(Script, TextsAreAsTheLinesOfAWithSayAndThenAsBefore) {
  const std::string lines = "x = np.arange(3.) / 7\nwith np.printoptions(precision=2):\n    a = str(x)\nb = str(x)\n";
  EXPECT_EQ(Ran(lines + "a").value(), "'[0.   0.14 0.29]'");
  EXPECT_EQ(Ran(lines + "b").value(), "'[0.         0.14285714 0.28571429]'");
  EXPECT_EQ(Ran("np.printoptions(precision=2)\nstr(np.arange(3.) / 7)").value(),
            "'[0.         0.14285714 0.28571429]'");
  // What one program sets, another does not see.
  EXPECT_EQ(Ran("str(np.arange(2.) / 7)").value(), "'[0.         0.14285714]'");
}

TEST(Script, AStarredImportGivesWhatTheModuleNames) {
  EXPECT_EQ(Ran("from torch import *\nx = arange(3)").layout("x"), "(3,):(1,)+0");
  EXPECT_EQ(Ran("from math import *\nfloor(pi)").value(), "3");
  EXPECT_EQ(Ran("sum = 3\nfrom numpy import *\nsum([1, 2])").value(), "np.int64(3)");
  EXPECT_EQ(Ran("from torch.nn.functional import *\nx = relu(torch.ones(2))").layout("x"), "(2,):(1,)+0");
  EXPECT_EQ(Ran("from torch import *\nunique").error(), "NameError: name 'unique' is not defined");
  EXPECT_EQ(Ran("from torch import *\nnn").error(), "NameError: name 'nn' is not defined");
  EXPECT_EQ(Ran("from torch import *\nstft").error(), "ours");
  EXPECT_EQ(Ran("stft = 3\nfrom torch import *").trace.diagnostics.size(), 1u);
}

TEST(Script, AModuleThatIsNotHereIsNamedWhereItIsUsed) {
  const Ran ran("import random\nrandom.seed(0)");
  EXPECT_EQ(ran.error(), "ours");
  EXPECT_EQ(ran.last().error->reason.id, Msg::module_unknown);
}

TEST(Script, WhatToMendFirstIsWhereTheTroubleBegan) {
  const Ran ran("x = torch.arange(6).view(4)\ny = x.t()\nz = y + 1\nprint(z)");
  EXPECT_EQ(plain(ran.last().error->hints.front().message, Language::english),
            "Mend line 1 first: without it nobody knows what the name holds.");
}

TEST(Script, APrintTellsWhatItPrints) {
  const std::string made = "x = torch.arange(6).view(2, 3)\ny = x.t()\n";
  const auto printed = [&](const std::string& line) { return evaluate(made + line).output; };
  EXPECT_EQ(printed("print(x.shape == y.shape)"), "False\n");
  EXPECT_EQ(printed("print(y.shape, y.is_contiguous())"), "torch.Size([3, 2]) False\n");
  EXPECT_EQ(printed("print(f'{x.shape=}', 1)"), "x.shape=torch.Size([2, 3]) 1\n");
  EXPECT_EQ(printed("print(x)"), "tensor([[0, 1, 2],\n        [3, 4, 5]])\n");
  EXPECT_EQ(printed("print(x.shape, 'a', sep='', end='!')"), "torch.Size([2, 3])a!");
  EXPECT_EQ(printed("print()"), "\n");
  EXPECT_EQ(printed("print(x.t, f'{x.t} {1}')"), "… … 1\n");
  EXPECT_EQ(printed("print(x.nope)"), "");
  EXPECT_EQ(first_tensor(Ran(made + "print(x)").last().printed)->layout.sizes, (Dims{2, 3}));
}

TEST(Script, WhatIsWrittenIsKnownByTheStepThatWritesIt) {
  const Trace trace = evaluate("def f(n):\n  print(n)\nx = [print('a'), f(1), print('b')]\nprint('c\\nd')");
  EXPECT_EQ(trace.output, "a\n1\nb\nc\nd\n");
  std::string pieces;
  for (const auto& [text, step] : writings(trace))
    pieces += std::to_string(trace.steps[static_cast<size_t>(step)].line) + ":" + std::string(text);
  EXPECT_EQ(pieces, "3:a\n2:1\n3:b\n4:c\nd\n");
  EXPECT_EQ(written_by(trace, trace.steps[trace.steps.size() - 2]), "a\nb\n");
  EXPECT_EQ(written_line(trace, trace.steps.back(), 80), "c …");
}

TEST(Script, NoMoreIsWrittenThanThereIsRoomFor) {
  const Trace trace = evaluate("x = 'é' * 2000\n[print(x) for _ in range(40)]\nprint(1)");
  EXPECT_GT(trace.output.size(), max_output_bytes - 4);
  EXPECT_LT(trace.output.size(), max_output_bytes + 4);
  EXPECT_TRUE(trace.output.ends_with("é…"));
  EXPECT_TRUE(trace.steps[1].wrote_unknown);
  EXPECT_TRUE(trace.steps[2].wrote.empty());
}

TEST(Script, AfterTheSameSeedComeTheSameNumbers) {
  const auto same = [](const std::string& program) { return Ran(program).value(); };
  EXPECT_EQ(same("torch.manual_seed(0)\nx = torch.rand(3)\ntorch.manual_seed(0)\ntorch.equal(torch.rand(3), x)"),
            "True");
  EXPECT_EQ(same("torch.manual_seed(0)\nx = torch.rand(3)\ntorch.equal(torch.rand(3), x)"), "False");
  EXPECT_EQ(same("np.random.seed(1)\nx = np.random.rand(3)\nnp.random.seed(1)\nnp.array_equal(np.random.rand(3), x)"),
            "True");
  EXPECT_EQ(
      same("a = np.random.default_rng(4)\nb = np.random.default_rng(4)\nnp.array_equal(a.random(3), b.random(3))"),
      "True");
  EXPECT_EQ(same("np.random.seed(1)\nnp.random.seed()\nx = np.random.rand(3)\nnp.array_equal(np.random.rand(3), x)"),
            "False");
}

TEST(Script, NumPysRandomNumbersLieWhereTheyAreAskedFor) {
  EXPECT_EQ(Ran("bool(np.random.uniform(2, 3, 100).min() >= 2)").value(), "True");
  EXPECT_EQ(Ran("bool(np.random.normal(100, 1, 10).min() > 50)").value(), "True");
  EXPECT_EQ(Ran("x = np.random.normal([0, 10], 1, (3, 2))").layout("x"), "(3, 2):(16, 8)+0");
  EXPECT_EQ(Ran("np.random.normal(0, -1)").error(), "ValueError: scale < 0");
  EXPECT_EQ(Ran("2 <= np.random.default_rng(0).uniform(2, 3) < 3").value(), "True");
  EXPECT_EQ(Ran("np.random.uniform(0, [1, 2], 2).shape").value(), "(2,)");
  EXPECT_EQ(Ran("np.random.uniform([0, 1], 2, (2, 1))").error(),
            "ValueError: Output size (2, 1) is not compatible with broadcast dimensions of inputs (2, 2).");
  EXPECT_EQ(
      Ran("np.random.uniform(0, [1, 2], 3)").error(),
      "ValueError: shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with "
      "shape (3,) and arg 2 with shape (2,).");
  EXPECT_EQ(Ran("np.random.uniform(0, 1j)").error(), "ours");
}

TEST(Script, AStorageIsWrittenThrough) {
  const std::string made = "x = torch.arange(6.).view(2, 3).t()\ns = x.storage()\n";
  EXPECT_EQ(Ran(made + "s[1] = 9").values("x"), "0.0 3.0 9.0 4.0 2.0 5.0");
  EXPECT_EQ(Ran(made + "s[-2:] = 7").values("x"), "0.0 3.0 1.0 7.0 2.0 7.0");
  EXPECT_EQ(Ran(made + "s[6] = 1").error(), "IndexError: index 6 is out of bounds for dimension 0 with size 6");
  EXPECT_EQ(Ran(made + "s[None] = 1").error(),
            "RuntimeError: can't index a <class 'torch.storage.TypedStorage'> with <class 'NoneType'>");
  EXPECT_EQ(Ran(made + "x.untyped_storage()[0] = 1").error(), "ours");
}

TEST(Script, NumPysMatrixProductIsWrittenInPlace) {
  EXPECT_EQ(Ran("x = np.eye(2)\ny = x\nx @= np.array([[1., 2.], [3., 4.]])").values("y"), "1.0 2.0 3.0 4.0");
  EXPECT_EQ(Ran("x = np.arange(3.)\nx @= np.eye(3)").values("x"), "0.0 1.0 2.0");
  EXPECT_EQ(
      Ran("x = np.eye(2)\nx @= np.ones(2)").error(),
      "ValueError: inplace matrix multiplication requires the first operand to have at least one and the second at "
      "least two dimensions.");
  EXPECT_EQ(Ran("x = np.eye(2)\nx @= np.ones((2, 3))").error(),
            "ValueError: matmul: Output operand 0 has a mismatch in its core dimension 1, with gufunc signature "
            "(n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)");
  EXPECT_EQ(
      Ran("x = np.eye(2, dtype=int)\nx @= np.eye(2)").error(),
      "UFuncTypeError: Cannot cast ufunc 'matmul' output from dtype('float64') to dtype('int64') with casting rule "
      "'same_kind'");
  EXPECT_EQ(Ran("x = np.ones((1, 2, 2))\nx @= np.ones((3, 2, 2))").error(), "ours");
  EXPECT_EQ(Ran("x = np.eye(2)\nx @= np.ones((3, 2))").error().substr(0, 10), "ValueError");
}

TEST(Script, AGradientThatWasNotReckonedIsNotSaidToBeNone) {
  EXPECT_EQ(Ran("x = torch.ones(2, requires_grad=True)\nx.grad").value(), "None");
  EXPECT_EQ(Ran("x = torch.ones(2, requires_grad=True)\ny = x * 2\ny.sum().backward(inputs=[y])\nx.grad").error(),
            "ours");
}

TEST(Script, RecurrentNetworksReckonWithTheirWeights) {
  const std::string ones = "_ = [torch.nn.init.constant_(p, 0.5) for p in m.parameters()]\n";
  const auto values = [&](const std::string& module, const std::string& call) {
    return Ran("m = torch.nn." + module + "\n" + ones + "y = " + call).values("y");
  };
  EXPECT_EQ(values("RNN(1, 1, bias=False)", "m(torch.ones(1, 1, 1))[0]"), "0.4621");
  EXPECT_EQ(values("RNN(1, 1, bias=False, nonlinearity='relu')", "m(torch.ones(2, 1, 1))[0]"), "0.5 0.75");
  EXPECT_NE(values("LSTM(1, 2, 2, bidirectional=True)", "m(torch.ones(2, 1, 1))[0]"), "");
  EXPECT_EQ(Ran("m = torch.nn.GRU(1, 1)\ntorch.equal(m(torch.ones(3, 1, 1))[0], m(torch.ones(3, 1, 1))[0])").value(),
            "True");
  // Too many steps to reckon, of random weights; and of known ones.
  EXPECT_EQ(Ran("m = torch.nn.GRU(64, 64)\ny = m(torch.ones(900, 64, 64))[0]").layout("y"),
            "(900, 64, 64):(4096, 64, 1)+0");
  EXPECT_EQ(Ran("w = [torch.ones(2000, 2000), torch.ones(2000, 2000)]\ny = torch.rnn_tanh(torch.ones(9, 1, 2000), "
                "torch.zeros(1, 1, 2000), w, False, 1, 0.0, False, False, False)[0]")
                .layout("y"),
            "(9, 1, 2000):(2000, 2000, 1)+0");
  EXPECT_EQ(
      Ran("w = [torch.ones(2, 3), torch.ones(2, 2)]\ntorch.rnn_tanh(torch.ones(2, 1, 2), torch.zeros(1, 1, 2), w, "
          "False, 1, 0.0, False, False, False)")
          .error(),
      "ours");
  EXPECT_EQ(
      Ran("w = [torch.ones(2, 2)]\ntorch.rnn_tanh(torch.ones(2, 1, 2), torch.zeros(1, 1, 2), w, False, 1, 0.0, False, "
          "False, False)")
          .error(),
      "ours");
}

TEST(Script, WhatLiesBehindTheLimitIsNotRun) {
  std::string program = "x = torch.arange(6)\n";
  for (int i = 0; i < 260; ++i) program += "x.t()\n";
  const Ran ran(program);
  ASSERT_EQ(ran.trace.diagnostics.size(), 1u);
  EXPECT_EQ(ran.trace.passed.size(), 261u - ran.trace.steps.size());
  EXPECT_EQ(ran.trace.passed.back().end, static_cast<int32_t>(program.size()) - 1);
}

TEST(Script, WhatGivesOtherValuesIsToldApart) {
  const Ran ran("x = torch.arange(6).view(2, 3).t()\nx.view(6)");
  const auto& hints = ran.last().error->hints;
  EXPECT_TRUE(std::any_of(hints.begin(), hints.end(), [](const Hint& hint) { return hint.reorders(); }));
  EXPECT_FALSE(hints.front().reorders());
}

TEST(Script, ACallThatFailsIsAboutItsArgumentsNotItsModulesWeights) {
  const Ran ran(
      "class M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = "
      "torch.nn.Linear(4, 6)\n"
      "    def forward(self, x):\n        return self.w(x).t().view(-1)\nm = M()\nx = torch.ones(2, 4)\ny = m(x)");
  ASSERT_EQ(ran.last().applied.back().inputs.size(), 1u);
  EXPECT_EQ(ran.last().applied.back().inputs[0]->layout.sizes, (Dims{2, 4}));
}

TEST(Script, TypeErrorsAreWordedAsTheLibrariesWordThem) {
  const std::string made = "x = torch.arange(6).view(2, 3)\na = np.arange(3.)\n";
  const std::pair<const char*, const char*> known[] = {
      {"x + [1, 2]", "unsupported operand type(s) for +: 'Tensor' and 'list'"},
      {"[1, 2] + x", "can only concatenate list (not \"Tensor\") to list"},
      {"x < None", "'<' not supported between instances of 'Tensor' and 'NoneType'"},
      {"x ** 'a'", "unsupported operand type(s) for ** or pow(): 'Tensor' and 'str'"},
      {"torch.sum(a)", "sum(): argument 'input' (position 1) must be Tensor, not numpy.ndarray"},
      {"torch.stack([x, 1])", "expected Tensor as element 1 in argument 0, but got int"},
      {"x.permute()", "permute() missing 1 required positional arguments: \"dims\""},
      {"torch.zeros(2.0)",
       "zeros(): argument 'size' (position 1) must be tuple of ints, but found element of type float at pos 0"},
      {"torch.zeros(2, (3,))",
       "zeros(): argument 'size' failed to unpack the object at pos 2 with error \"type must be tuple of ints,but got "
       "tuple\""},
      {"torch.nn.Linear(3)", "Linear.__init__() missing 1 required positional argument: 'out_features'"},
      {"torch.nn.functional.softmax()", "softmax() missing 1 required positional argument: 'input'"},
      {"np.transpose(a, 2, 0, 1)", "transpose() takes from 1 to 2 positional arguments but 4 were given"},
      {"torch.zeros_like([1])", "zeros_like(): argument 'input' (position 1) must be Tensor, not list"},
      {"torch.full((2,), fill_value=[1])", "full(): argument 'fill_value' must be Number, not list"},
      {"x.shape()", "'torch.Size' object is not callable"}};
  for (const auto& [line, text] : known) EXPECT_EQ(Ran(made + line).error(), std::string("TypeError: ") + text) << line;
}

TEST(Script, AReprShowsWhatHasNoPicture) {
  EXPECT_EQ(Ran("len(repr('a\\x01b'))").value(), "8");
  EXPECT_EQ(Ran("repr('\\x7f\\u200b\\U000e0001é值')").value(), "\"'\\\\x7f\\\\u200b\\\\U000e0001é值'\"");
}

}  // namespace
}  // namespace stridescope

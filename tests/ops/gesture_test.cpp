#include "ops/gesture.h"

#include <gtest/gtest.h>

namespace stridescope {
namespace {

/// Of a condition what it asks about.
TensorPtr last_tensor(const Trace& trace) {
  const Step& step = trace.steps.back();
  const TensorPtr tensor = tensor_of(step.value);
  return tensor ? tensor : step.applied.front().inputs.front();
}

/// The program after a gesture on what its last statement answered; the English reason in brackets where refused.
std::string after(const std::string& source, const std::string& gesture) {
  const Trace trace = evaluate(source);
  const auto parsed = parse_gesture(gesture);
  if (!parsed) return "(no gesture)";
  const auto result = rewrite(trace, static_cast<int>(trace.steps.size()) - 1, *last_tensor(trace), *parsed);
  if (const auto* refused = std::get_if<Message>(&result)) return "(" + plain(*refused, Language::english) + ")";
  return std::get_if<Rewritten>(&result)->source;
}
/// The line it adds.
std::string line(const std::string& source, const std::string& gesture) {
  const std::string whole = after(source, gesture);
  return whole.starts_with(source + "\n") ? whole.substr(source.size() + 1) : whole;
}

constexpr const char* torch_program = "x = torch.arange(24).view(2, 3, 4)";
constexpr const char* numpy_program = "a = np.arange(24).reshape(2, 3, 4)";

TEST(Gesture, IsWrittenAsTheLibraryWritesIt) {
  EXPECT_EQ(line(torch_program, "permute 2 0 1"), "y = x.permute(2, 0, 1)");
  EXPECT_EQ(line(numpy_program, "permute 2 0 1"), "b = a.transpose(2, 0, 1)");
  EXPECT_EQ(line(torch_program, "view 4 6"), "y = x.view(4, 6)");
  EXPECT_EQ(line(numpy_program, "view 4 6"), "b = a.reshape(4, 6)");
  EXPECT_EQ(line(torch_program, "split 2 2"), "y = x.view(2, 3, 2, 2)");
  EXPECT_EQ(line(torch_program, "merge 0"), "y = x.view(6, 4)");
  EXPECT_EQ(line(torch_program, "flip 1"), "y = x.flip(1)");
  EXPECT_EQ(line(numpy_program, "flip 1"), "b = a[:, ::-1]");
  EXPECT_EQ(line(torch_program, "unsqueeze 3"), "y = x.unsqueeze(3)");
  EXPECT_EQ(line(numpy_program, "unsqueeze 1"), "b = a[:, None]");
  EXPECT_EQ(line(torch_program, "select 2 3"), "y = x[:, :, 3]");
  EXPECT_EQ(line(torch_program, "slice 1 0 3 2"), "y = x[:, ::2]");
  EXPECT_EQ(line(torch_program, "slice 2 1 3 1"), "y = x[:, :, 1:3]");
  EXPECT_EQ(line(torch_program, "box 0 1 1 3 2 4"), "y = x[:1, 1:, 2:]");
  EXPECT_EQ(line(numpy_program, "box 1 2 0 3 0 4"), "b = a[1:]");
  EXPECT_EQ(line(torch_program, "box 0 2 0 3 0 4"), "y = x[:]");
  EXPECT_EQ(line("x = torch.arange(3).view(3, 1)", "expand 1 4"), "y = x.expand(-1, 4)");
  EXPECT_EQ(line("a = np.arange(3).reshape(3, 1)", "expand 1 4"), "b = np.broadcast_to(a, (3, 4))");
  EXPECT_EQ(line("x = torch.arange(3).view(3, 1)", "squeeze 1"), "y = x.squeeze(1)");
  EXPECT_EQ(line(torch_program, "as_strided 3 4 2 1 5"), "y = torch.as_strided(x, (3, 4), (2, 1), 5)");
  EXPECT_EQ(line(numpy_program, "as_strided 4 8 0"),
            "b = np.lib.stride_tricks.as_strided(a, shape=(4,), strides=(8,))");
  EXPECT_EQ(line(torch_program, "contiguous"), "y = x.contiguous()");
  EXPECT_EQ(line(torch_program, "write 1 2 3 = -7"), "x[1, 2, 3] = -7");
}

TEST(Gesture, IsRefusedWhereItsNumbersNameNothingOfTheTensor) {
  for (const char* gesture : {"permute 0 1",
                              "permute 0 0 1",
                              "view -1 24",
                              "view 5",
                              "reshape 7",
                              "split 0",
                              "split 9 2",
                              "split 2 0",
                              "split 2 3",
                              "merge",
                              "merge 2",
                              "merge 9",
                              "flip",
                              "flip 9",
                              "flip -1",
                              "squeeze",
                              "squeeze 9",
                              "squeeze 0",
                              "unsqueeze",
                              "unsqueeze -1",
                              "unsqueeze 4",
                              "select 0",
                              "select 9 0",
                              "select 0 -1",
                              "select 0 2",
                              "slice 0 1 2",
                              "slice 9 0 1 1",
                              "slice 0 -1 1 1",
                              "slice 0 2 1 1",
                              "slice 0 0 3 1",
                              "slice 0 0 1 0",
                              "box 0 1",
                              "box 0 1 2 2 0 4",
                              "box -1 1 0 3 0 4",
                              "box 0 3 0 3 0 4",
                              "expand 0",
                              "expand 9 1",
                              "expand 0 4",
                              "contiguous 1",
                              "as_strided 1 2",
                              "as_strided -1 1 0",
                              "write 0 0 = 1",
                              "write 0 0 9 = 1",
                              "write -1 0 0 = 1"})
    for (const char* program : {torch_program, numpy_program})
      EXPECT_TRUE(after(program, gesture).starts_with("(")) << gesture;
  const std::string many = [] {
    std::string text = "view";
    for (int i = 0; i < 65; ++i) text += " 1";
    return text;
  }();
  EXPECT_TRUE(after("x = torch.zeros(1)", many).starts_with("("));
  EXPECT_TRUE(after("x = torch.zeros(3, 1)", "expand 1 -4").starts_with("("));
  EXPECT_EQ(after(torch_program, many + " " + many.substr(5)), "(no gesture)");
  EXPECT_EQ(after(torch_program, "view 99999999999999999999"), "(no gesture)");
  for (const char* gesture : {"unsqueeze 0", "split 0 1"})
    EXPECT_TRUE(after("x = torch.zeros([1] * 64)", gesture).starts_with("(")) << gesture;
  EXPECT_TRUE(after("x = torch.zeros(1)", many.substr(5) + " 0").starts_with("(")) << "as_strided";
  EXPECT_TRUE(
      after("x = torch.zeros(1)", "as_strided " + many.substr(5) + " " + many.substr(5) + " 0").starts_with("("));
  EXPECT_TRUE(after("x = torch.tensor(3)", "box 0 1").starts_with("("));
  EXPECT_TRUE(after("a = np.arange(24)[1:]", "as_strided 2 8 8").find("as_strided") != std::string::npos);
  EXPECT_TRUE(after("a = np.arange(24)[1:]", "as_strided 2 8 0").starts_with("("));
}

TEST(Gesture, WritesAScalarWhole) { EXPECT_EQ(line("x = torch.tensor(3)", "write = 5"), "x[...] = 5"); }

TEST(Gesture, MakesANameThatNoLineBindsEvenWhereEveryLetterIsTaken) {
  std::string source = "a = torch.arange(2)";
  for (char letter = 'b'; letter <= 'z'; ++letter) source += std::string("\n") + letter + " = a";
  EXPECT_EQ(line(source, "flip 0"), "a2 = a.flip(0)");
  EXPECT_EQ(line("first = torch.arange(2)", "flip 0"), "y = first.flip(0)");
  EXPECT_EQ(line("A = torch.arange(2)", "flip 0"), "y = A.flip(0)");
  EXPECT_EQ(line("_ = torch.arange(2)", "flip 0"), "y = _.flip(0)");
  source += "\na2 = a";
  EXPECT_EQ(line(source, "flip 0"), "a3 = a.flip(0)");
}

TEST(Gesture, NeedsANameForWhatAStatementMadeOnItsWay) {
  const Trace trace = evaluate("y = torch.arange(6).view(2, 3).sum()");
  const TensorPtr on_the_way = tensor_of(trace.steps[0].applied[1].result);
  const auto result = rewrite(trace, 0, *on_the_way, *parse_gesture("flip 0"));
  ASSERT_TRUE(std::holds_alternative<Message>(result));
  EXPECT_EQ(std::get_if<Message>(&result)->id, Msg::gesture_no_name);
}

TEST(Gesture, RunsWithoutAnError) {
  for (const std::string program : {torch_program, numpy_program})
    for (const char* gesture :
         {"permute 2 1 0", "view 24", "reshape 24", "split 2 2", "merge 1", "flip 0", "unsqueeze 0", "select 0 1",
          "slice 1 1 3 1", "box 0 1 1 2 1 3", "contiguous", "as_strided 2 2 8 8 0", "write 0 0 0 = 5"}) {
      const Trace trace = evaluate(after(program, gesture));
      ASSERT_EQ(trace.steps.size(), 2u) << program << " " << gesture;
      EXPECT_FALSE(trace.steps.back().error) << trace.source;
    }
}

TEST(Gesture, IsWrittenAsFarToTheLeftAsItsStatement) {
  const std::string program = "x = torch.arange(6).view(2, 3)\nif x.dim() == 2:\n  y = x.t()";
  EXPECT_EQ(after(program, "view 3 2"), program + "\n  z = y.view(3, 2)");
  EXPECT_EQ(after("  x = torch.arange(6)", "view 2 3"), "  x = torch.arange(6)\n  y = x.view(2, 3)");
  const std::string above = "x = torch.arange(6)\n",
                    chain = "if x.dim() == 2:\n  pass\n  if 1: pass\nelif x.sum() < 0:\n  pass";
  EXPECT_EQ(after(above + chain, "view 2 3"), above + "y = x.view(2, 3)\n" + chain) << "a condition's above its if";
  const std::string caught = "try: x.view(4)\nexcept x.sum(): pass";
  EXPECT_EQ(after(above + caught, "view 2 3"), above + "y = x.view(2, 3)\n" + caught);
}

TEST(Gesture, OfDimensionsThatDoNotJoinSaysWhichAndWhy) {
  EXPECT_EQ(after("x = torch.arange(6).view(2, 3).t()", "merge 0"),
            "(Dims 0 and 1 cannot be joined: a step along dim 0 is 1, not 3 × 2 = 6.)");
  EXPECT_EQ(
      after("a = np.arange(6).reshape(2, 3).T", "view 6"),
      "(Axis 0 (stride 8 bytes) and axis 1 (size 2) cannot be joined: a step along axis 0 would have to go exactly "
      "past all of axis 1, 24 × 2 = 48 bytes.)");
}

TEST(Gesture, NeverAsksForWhatTheTensorHasNot) {
  for (const char* gesture : {"permute 0 1",   "permute 0 0 1",  "select 3 0",      "select 0 2",      "slice 0 1 9 1",
                              "slice 0 0 2 0", "box 0 1 0 1",    "box 0 3 0 1 0 1", "box 0 1 1 1 0 1", "squeeze 0",
                              "expand 0 4",    "split 2 3",      "merge 2",         "view 5",          "unsqueeze 4",
                              "write 0 0 = 1", "as_strided 5 1", "flip 3",          "contiguous 1",    "select -1 0"})
    EXPECT_EQ(after(torch_program, gesture).substr(0, 1), "(") << gesture;
  EXPECT_EQ(after(torch_program, "as_strided 25 1 0"),
            "(It reaches from cell 0 to cell 24; the storage has 24 cells.)");
  EXPECT_EQ(after(torch_program, "as_strided 24 -1 23"), "(PyTorch has no negative strides.)");
  for (const char* source : {torch_program, numpy_program})
    EXPECT_TRUE(after(source, "as_strided 3 9223372036854775807 0").starts_with("(")) << "beyond int64";
}

TEST(Gesture, WordsThatAreNoneAreRefused) {
  for (const char* text : {"", "dance 1", "permute x", "permute 1.5", "write 0", "write 0 = ", "write 0 = 1; y = 2",
                           "write 0 = 1 # no", "select 99999999999999999999 0"})
    EXPECT_FALSE(parse_gesture(text)) << text;
}

TEST(Gesture, FindsAPlaceAndANameInAnyProgram) {
  EXPECT_EQ(after("x = torch.arange(4)\ny = x", "flip 0"), "x = torch.arange(4)\ny = x\nz = x.flip(0)");
  EXPECT_EQ(after("torch.arange(4)", "flip 0"), "x = torch.arange(4)\ny = x.flip(0)");
  EXPECT_EQ(after("x = torch.arange(4)  # four", "flip 0"), "x = torch.arange(4)  # four\ny = x.flip(0)");
  EXPECT_EQ(after("x = torch.arange(\n  4)\n\n", "flip 0"), "x = torch.arange(\n  4)\ny = x.flip(0)\n\n");
  EXPECT_EQ(after("heads = torch.arange(4)", "flip 0"), "heads = torch.arange(4)\ny = heads.flip(0)");
}

TEST(Gesture, OfALoopIsWrittenWhereItsRoundsBegin) {
  const auto at = [](const std::string& source, int step) {
    const Trace trace = evaluate(source);
    const auto result =
        rewrite(trace, step, *tensor_of(trace.steps[static_cast<size_t>(step)].value), *parse_gesture("unsqueeze 0"));
    const Rewritten& done = *std::get_if<Rewritten>(&result);
    const Trace after = evaluate(done.source);
    const Step& added = after.steps[static_cast<size_t>(done.step)];
    return done.source + " -> " + added.text + " of " + to_string(added.applied.back().inputs[0]->layout);
  };
  const std::string made = "x = torch.arange(6).view(2, 3)\n";
  EXPECT_EQ(at(made + "for r in x:\n\n    r.T", 3),
            made + "for r in x:\n\n    s = r.unsqueeze(0)\n    r.T -> s = r.unsqueeze(0) of (3,):(1,)+3");
  EXPECT_EQ(at(made + "for r in x: r.T", 1),
            made + "for r in x: s = r.unsqueeze(0); r.T -> s = r.unsqueeze(0) of (3,):(1,)+0");
  const std::string loop = "for i in range(2):\n  r = x[i]; i\n  if i == 1:\n    s = r";
  EXPECT_EQ(at(made + loop, 6), made +
                                    "for i in range(2):\n  r = x[i]; i\n  t = r.unsqueeze(0)\n  if i == 1:\n    s = r"
                                    " -> t = r.unsqueeze(0) of (3,):(1,)+3");
  EXPECT_EQ(at(made + loop, 9), made + loop + "\n    t = r.unsqueeze(0) -> t = r.unsqueeze(0) of (3,):(1,)+3");
  EXPECT_EQ(after(made + "n = 2\nwhile x[n - 2].sum() < 5 and n < 3:\n  n += 1", "unsqueeze 0").substr(made.size()),
            "n = 2\nwhile x[n - 2].sum() < 5 and n < 3:\n  y = x.unsqueeze(0)\n  n += 1");
}

TEST(Gesture, InAFunctionTheLineIsOneOfItsLines) {
  const auto at = [](const std::string& source, int step) -> std::string {
    const Trace trace = evaluate(source);
    const auto result =
        rewrite(trace, step, *tensor_of(trace.steps[static_cast<size_t>(step)].value), *parse_gesture("unsqueeze 0"));
    if (std::holds_alternative<Message>(result)) return "refused";
    const Rewritten& done = *std::get_if<Rewritten>(&result);
    const Trace after = evaluate(done.source);
    const Step& added = after.steps[static_cast<size_t>(done.step)];
    return done.source + " -> " + added.text + " of " + to_string(added.applied.back().inputs[0]->layout);
  };
  const std::string rest = "\nx = torch.arange(6).view(2, 3)\nf(x); f(x[1])";
  const std::string added = " -> y = x.unsqueeze(0) of ";
  EXPECT_EQ(
      at("def f(x):\n  a = x.t()\n  return a" + rest, 2),
      "def f(x):\n  a = x.t()\n  b = a.unsqueeze(0)\n  return a" + rest + " -> b = a.unsqueeze(0) of (3, 2):(1, 3)+0");
  EXPECT_EQ(at("def f(x):\n  return x" + rest, 2),
            "def f(x):\n  y = x.unsqueeze(0)\n  return x" + rest + added + "(2, 3):(3, 1)+0");
  EXPECT_EQ(at("def f(x):\n  return x" + rest, 5),
            "def f(x):\n  y = x.unsqueeze(0)\n  return x" + rest + added + "(3,):(1,)+3");
  EXPECT_EQ(at("def f(x): return x" + rest, 4),
            "def f(x): y = x.unsqueeze(0); return x" + rest + added + "(3,):(1,)+3");
  EXPECT_EQ(at("def f(x): return x" + rest, 1),
            "def f(x): y = x.unsqueeze(0); return x" + rest + added + "(2, 3):(3, 1)+0");
  EXPECT_EQ(at("def f(x): return x.t()" + rest, 2), "refused") << "what is returned has no name";
  EXPECT_EQ(at("f = lambda x: x.t()" + rest, 2), "refused");
  EXPECT_EQ(at("f = lambda x: x" + rest, 2), "refused");
  EXPECT_EQ(at("def g(x): return x[0]\ndef f(x):\n  if g(x).dim(): return g(x)\n  return x\nx = torch.zeros(2, 3, "
               "4)\ny = f(x)",
               0),
            "def g(x): return x[0]\ndef f(x):\n  if g(x).dim(): return g(x)\n  return x\nx = torch.zeros(2, 3, 4)\nz = "
            "x.unsqueeze(0)\ny = f(x) -> z = x.unsqueeze(0) of (2, 3, 4):(12, 4, 1)+0");
  EXPECT_EQ(at("def g(x): return x[0]\nx = torch.zeros(2, 3)\nif g(x).dim() == 1:\n  x\ny = g(x); z = 3\nx", 7),
            "def g(x): return x[0]\nx = torch.zeros(2, 3)\nif g(x).dim() == 1:\n  x\ny = g(x); z = 3\na = "
            "y.unsqueeze(0)\nx -> a = y.unsqueeze(0) of (3,):(1,)+0");
}

TEST(Gesture, SaysWhichStepItBecame) {
  const Trace trace = evaluate("x = torch.arange(4)\ny = x + 1\nz = y * 2");
  const auto result = rewrite(trace, 0, *tensor_of(trace.steps[0].value), *parse_gesture("flip 0"));
  const auto* done = std::get_if<Rewritten>(&result);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->step, 1);
  EXPECT_EQ(evaluate(done->source).steps[1].text, "a = x.flip(0)");
}

}  // namespace
}  // namespace stridescope

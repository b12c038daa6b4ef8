// A program as one record a statement.
#include <gtest/gtest.h>

#include <array>

#include "stridescope.h"

namespace stridescope {
namespace {

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Records, StatementsBeyondTheLimitAreErrorsThatSayWhy) {
  std::string source;
  for (int i = 0; i < max_operations; ++i) source += "torch.arange(3)\n";
  const std::string whole = records(evaluate(source)), beyond = records(evaluate(source + "x = 1\nimport math\ny = 2"));
  EXPECT_EQ(count_of(whole, R"("kind":"error")"), 0u);
  EXPECT_EQ(count_of(beyond, R"("kind":"error")"), 2u);
  EXPECT_EQ(count_of(beyond, R"("kind":"none")"), 1u);
  const std::string reason = plain(evaluate(source + "x = 1").diagnostics.back().reason, Language::english);
  EXPECT_EQ(count_of(beyond, reason), 2u) << reason;
}

TEST(Records, OfANumberThatNobodyKnowsIsNull) {
  const std::string text = records(evaluate("import time\ntime.time()"));
  EXPECT_EQ(count_of(text, R"("kind":"value","value":null)"), 1u) << text;
}

TEST(Records, OfABranchAreTheLinesThatRunOrTheErrorOfItsCondition) {
  const auto kinds = [](const char* source) {
    const std::string text = records(evaluate(source));
    return std::array{count_of(text, R"("kind":"tensor")"), count_of(text, R"("kind":"none")"),
                      count_of(text, R"("kind":"error")")};
  };
  using Kinds = std::array<size_t, 3>;
  EXPECT_EQ(kinds("x = torch.ones(2)\nif x.sum() > 1:\n  y = x[1:]"), (Kinds{2, 0, 0}));
  EXPECT_EQ(kinds("x = torch.ones(2)\nif x.sum() > 9:\n  y = x[1:]\nz = x"), (Kinds{2, 1, 0}));
  EXPECT_EQ(kinds("x = torch.ones(2)\nif x:\n  y = x[1:]\n  z = x\nelse:\n  w = x\nv = x"), (Kinds{2, 0, 1}));
  EXPECT_EQ(kinds("x = torch.ones(2)\nif x.sum() > 9:\n  y = x[1:]\nelse:\n  y = x.view(5)"), (Kinds{1, 1, 1}));
}

TEST(Records, OfALoopAreTheLinesThatRunInTheirOrderAndOfAFunctionTheStatement) {
  const std::string loop = records(evaluate("for i in range(2):\n  if i: pass\n  x = torch.ones(i)\ny = x"));
  EXPECT_EQ(count_of(loop, R"("kind":"tensor")"), 3u) << loop;
  EXPECT_LT(loop.find(R"("shape":[0])"), loop.find(R"("shape":[1])"));
  const std::string call = records(evaluate("def f():\n  x = torch.ones(3)\n  return x\ny = f()"));
  EXPECT_EQ(count_of(call, R"("kind":"tensor")"), 1u) << call;
  EXPECT_EQ(count_of(call, R"("kind":"none")"), 1u) << call;
  const std::string none = records(evaluate("for i in range(0): x = 1\npass\ny = 2"));
  EXPECT_EQ(count_of(none, R"("kind":"error")"), 0u) << none;
}

TEST(Records, ALineOfAFunctionThatIsNotReadIsPartOfIt) {
  const std::string text = records(evaluate("def f():\n  x = yield 1\n  return 2\na = torch.ones(2)"));
  EXPECT_EQ(count_of(text, R"("kind":"none")"), 1u);
  EXPECT_EQ(count_of(text, R"("kind":"tensor")"), 1u);
}

TEST(Records, TheBaseThroughAMemoryViewHasNoName) {
  EXPECT_EQ(count_of(records(evaluate("x = np.arange(3)\ny = np.asarray(x.data)")), R"("base":"<temp>")"), 1u);
  EXPECT_EQ(count_of(records(evaluate("x = np.arange(3)\ny = x[:]")), R"("base":"x")"), 1u);
}

TEST(Records, ALimitOfOursIsAnErrorWithoutAType) {
  const Trace trace = evaluate("x = torch.zeros(3)\nx.view([1] * 65)\nx.view(5)");
  const std::string text = records(trace);
  EXPECT_EQ(count_of(text, R"({"kind":"error","type":"","msg":"A tensor here can have at most 64 dimensions."})"), 1u)
      << text;
  EXPECT_EQ(count_of(text, R"({"kind":"error","type":"RuntimeError","msg":"shape '[5]' is invalid)"), 1u) << text;
}

TEST(Records, ValuesAreLeftOutOfProgramsThatDoNotDecideThemAndOfVeryLargeTensors) {
  const auto recorded = [](const char* source) { return count_of(records(evaluate(source)), R"("values":[)"); };
  EXPECT_EQ(recorded("x = torch.arange(3)"), 1u);
  EXPECT_EQ(recorded("x = torch.arange(3)\ny = torch.zeros(2**25)"), 0u);
  EXPECT_EQ(recorded("x = torch.zeros(3).view(torch.float32)"), 1u);
  EXPECT_EQ(recorded("x = torch.arange(3).view(torch.float64)"), 0u);
  EXPECT_EQ(recorded("x = torch.zeros(3, dtype=torch.complex64).view(torch.float32)"), 1u);
  EXPECT_EQ(recorded("x = np.int32(3).view(np.float32)\ny = np.arange(3)"), 1u);
}

}  // namespace
}  // namespace stridescope

// What costs as much to read as it may: more is refused, and nothing is made.
#include "ops/op.h"
#include "ops/program.h"

namespace stridescope {
namespace {

/// `na` and `pt` have 2**21 elements, each of which takes 4096 steps to read.
std::string costly_setup() {
  std::string text = "na = np.arange(2**21)\npt = torch.arange(2**21)\n";
  for (int k = 0; k < 11; ++k) text += "na = na + na[::-1]\n";  // 2 * 2047 + 1 steps, and one more for the copy
  text += "na = na[::-1].copy()\n";
  for (int k = 0; k < 10; ++k) text += "t" + std::to_string(k) + " = pt\npt = pt + pt.flip(0)\n";  // 2 * (1534 + 1)
  for (const int k : {8, 6, 4, 2, 1, 0}) text += "pt = pt + t" + std::to_string(k) + "\n";         // and the rest of it
  return text + "pt = pt.flip(0)\npt = pt.flip(0)\npt = pt.flip(0)\n";
}

/// How many lines are refused because of what their result would cost to read; each of the others has an answer.
int refused_as_costly(const std::vector<std::string>& lines) {
  constexpr size_t each = 30;
  int refused = 0;
  for (size_t from = 0; from < lines.size(); from += each) {
    std::string source = costly_setup();
    for (size_t k = from; k < std::min(from + each, lines.size()); ++k) source += lines[k] + "\n";
    const Ran ran(source);
    EXPECT_TRUE(ran.trace.diagnostics.empty()) << source;
    for (const Step& step : ran.trace.steps) {
      if (!step.error) continue;
      EXPECT_FALSE(plain(step.error->reason, Language::english).empty()) << step.text;
      refused += step.error->reason.id == Msg::too_costly || step.error->reason.id == Msg::np_too_costly ? 1 : 0;
    }
  }
  return refused;
}

TEST(Costly, WhatIsReadInTheLastStepThatThereIsCannotBeCopiedIntoAnotherOrder) {
  EXPECT_EQ(Ran(costly_setup() + "na[:3].tolist()").error(), "");
  EXPECT_EQ(Ran(costly_setup() + "pt[:3].tolist()").error(), "");
  EXPECT_EQ(refused_as_costly({"na[::-1].copy()", "na + 1", "pt.flip(0)", "pt + 1"}), 4);
}

TEST(Costly, EveryRowsExampleAnswersOfIt) {
  std::vector<std::string> lines;
  for (const Op* op : operation_table()) {
    const std::string example(op->example);
    const size_t first = example.find('\n'), made = example.find(" = ");
    if (first == std::string::npos || made > first) continue;
    const std::string base = op->library == Library::torch ? "pt.view" : "na.reshape";
    for (const char* seen :
         {"(2**21)", "(2**11, 2**10).T", "(2**5, 2**6, 2**10)", "(2**5, 2**6, 2**10).swapaxes(0, 2)"})
      lines.push_back(example.substr(0, made + 3) + base + seen + example.substr(first));
  }
  EXPECT_GT(refused_as_costly(lines), 150);
}

}  // namespace
}  // namespace stridescope

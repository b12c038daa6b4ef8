// What costs as much to read as it may: more is refused, and nothing is made.
#include <algorithm>

#include "ops/calls.h"
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

TEST(Costly, WhatAveragesAndWritesByIndexReadIsRefusedBeforeAnythingIsWritten) {
  const std::vector<std::string> lines = {
      "np.average(na)",
      "np.average(na, weights=na)",
      "np.average(na, returned=True)",
      "np.average(np.ones(2**21), weights=na)",
      "np.average(na, weights=np.ones(2**21))",
      "np.average(na.reshape(2**11, -1), 0, na[:2**11], returned=True)",
      "np.average(na.reshape(2**11, -1), 0, na.reshape(2**11, -1))",
      "np.average(na.reshape(2, -1), (0, 1), na.reshape(2, -1), returned=True)",
      "np.average(np.broadcast_to(np.ones(1), 10**12), weights=np.broadcast_to(np.ones(1), 10**12))",
      "np.nanmax(na)",
      "np.nansum(na)",
      "torch.zeros(4).long().put_(pt, pt)",
      "torch.zeros(2**21).long().put_(torch.arange(2**21), pt)",
      "torch.zeros(10**8).put_(torch.zeros(10**8).long(), torch.ones(10**8))",
      "torch.zeros(2**21).long().masked_scatter_(pt > 0, pt)",
      "pt.clone().masked_scatter_(torch.ones(2**21) > 0, pt)",
      "pt.masked_scatter(torch.ones(2**21) > 0, torch.arange(2**21))",
      "torch.zeros(10**8).masked_scatter_(torch.ones(1).bool(), torch.ones(10**8))",
      "torch.zeros(2**21).long().index_put_((pt,), pt)",
      "torch.zeros(2**21).long().index_put_((torch.arange(2**21),), pt)",
      "torch.zeros(2**21).long().scatter_(0, pt, pt)",
      "torch.zeros(2**21).long().index_add_(0, pt, pt)",
      "torch.add(pt, pt, out=torch.zeros(2**21).long())"};
  std::string source = costly_setup();
  for (const std::string& line : lines) source += line + "\n";
  const Ran ran(source);
  for (size_t k = ran.trace.steps.size() - lines.size(); k < ran.trace.steps.size(); ++k)
    EXPECT_TRUE(ran.trace.steps[k].error && !ran.trace.steps[k].error->raised) << ran.trace.steps[k].text;
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

TEST(Costly, WhatReadsEachElementAtOnceIsRefused) {
  std::vector<std::string> lines;
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
    const bool torch = form.op->library == Library::torch;
    lines.push_back(call_with(form, torch ? "pt[:1600].view(40, 40)" : "na[:1600].reshape(40, 40)"));
  }
  EXPECT_GT(refused_as_costly(lines), 150);
}

TEST(Costly, SoIsWhatIsMadeOnTheWayToAResult) {
  const std::vector<std::string> lines{
      "reversed(pt)",
      "pt.view(torch.complex64).angle()",
      "pt.view(torch.complex64).sgn()",
      "pt.view(2, 2**20).repeat_interleave(torch.tensor([1, 2]), 0)",
      "pt.view(2, 2**20).select_scatter(torch.zeros(2).long(), 1, 0)",
      "torch.tensordot(torch.ones(1, 1600).long(), pt[:1600].view(1600, 1), 1)",
      "torch.einsum('ij,jk', torch.ones(1, 1600).long(), pt[:1600].view(1600, 1))",
      "torch.einsum('ij,jk', pt[:1600].view(1, 1600), torch.ones(1600, 1).long())",
      "torch.equal(torch.zeros(1600).long(), pt[:1600])",
      "torch.zeros(1600).long().gather(0, pt[:1600])",
      "torch.zeros(1600).long().masked_select(pt[:1600] > 0)",
      "torch.zeros(1600).long().scatter(0, torch.arange(1600), pt[:1600])",
      "torch.zeros(1600).allclose(pt[:1600].float())",
      "torch.zeros(1600).long() @ pt[:1600]",
      "na[::-1].reshape((2**11, 2**10), copy=True)",
      "np.concatenate([na[::-1].flat])",
      "np.meshgrid(na[::-1], [1])",
      "np.array_equal(np.zeros(1600, int), na[:1600])",
      "np.allclose(np.zeros(1600, int), na[:1600])",
      "np.bincount(na[:1600])",
      "np.asarray(na.reshape(2**10, 2**11).T.flat)",
      "np.meshgrid(na.reshape(2**10, 2**11).T, [1])",
      "torch.zeros(1600).masked_select(pt.view(torch.bool)[:1600])",
      "torch.zeros(1600)[pt.view(torch.bool)[:1600]]",
      "torch.softmax(pt.view(torch.float64)[:1600], 0)",
      "na.flat[0] = 1",
      "np.correlate([1, 2, 3], na.view(np.complex128)[:1600])",
      "np.angle(na.view(np.complex128), deg=True)",
      "np.linspace(na, na[::-1], 2)",
      "np.median(na[:1600].reshape(40, 40).T, axis=None)",
      "np.einsum('i,i', np.zeros(1600, int), na[:1600])",
      "np.zeros(1600, int) @ na[:1600]",
      "na.view(np.int8)[:4000].tobytes()",
      "np.roll(na, 1)",
      "na.resize(2**20, refcheck=False)",
  };
  EXPECT_EQ(refused_as_costly(lines), static_cast<int>(lines.size()));
}

TEST(Costly, ElementsThatCannotBeComparedCountAsChanged) {
  std::string source = "b = np.arange(2**21)\n";
  for (int k = 0; k < 10; ++k) source += "b = b + b[::-1]\n";
  for (const char* write : {"b[0] = 7", "b[...] = 7"}) {
    const Ran ran(source + "c = b[:60000]\n" + write);
    EXPECT_EQ(ran.error(), "");
    EXPECT_TRUE(std::any_of(ran.last().changed.begin(), ran.last().changed.end(),
                            [](const Change& change) { return change.name == "c" && change.values; }));
  }
}

TEST(Costly, AProgramComparesOnlySoMuchInAll) {
  const std::string write = "x[0] = 0\n";
  std::string many = "x = torch.zeros(256, 256)\n";
  EXPECT_TRUE(Ran(many + write).last().changed.empty()) << "it was 0";
  for (int k = 0; k < 60; ++k) many += write;
  EXPECT_FALSE(Ran(many).last().changed.empty()) << "a write that reached it counts as a change";
}

TEST(Costly, AProductReadsEachElementManyTimes) {
  const std::string sums = "b = torch.arange(70000)\nb = b + b.flip(0)\nb = b + b.flip(0)\nb = b + b.flip(0)\n";
  EXPECT_EQ(Ran(sums + "b.view(1, 70000) @ torch.ones(70000, 1).long()").error(), "");
  EXPECT_EQ(Ran(sums + "torch.ones(1, 70000).long() @ b.view(70000, 1).expand(70000, 10)").error(), "ours");
  EXPECT_EQ(Ran(sums + "b.view(1, 70000) @ torch.ones(70000, 10).long()").error(), "ours");
}

}  // namespace
}  // namespace stridescope

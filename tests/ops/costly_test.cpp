// What costs as much to read as it may: of more nothing is told. The values are not known then, or it is refused.
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

/// The lines of which something is told: neither are they refused, because of what their result would cost to read or
/// else, nor are the values unknown. Each has an answer.
std::vector<std::string> told(const std::vector<std::string>& lines) {
  constexpr size_t each = 30;
  const size_t before = Ran(costly_setup()).trace.steps.size();
  std::vector<std::string> found;
  for (size_t from = 0; from < lines.size(); from += each) {
    std::string source = costly_setup();
    for (size_t k = from; k < std::min(from + each, lines.size()); ++k) source += lines[k] + "\n";
    const int64_t steps = ReadBudget::steps_read();
    const Ran ran(source);
    EXPECT_LT(ReadBudget::steps_read() - steps, 2 * ReadBudget::most_steps) << source;
    EXPECT_TRUE(ran.trace.diagnostics.empty()) << source;
    for (size_t k = before; k < ran.trace.steps.size(); ++k) {
      const Step& step = ran.trace.steps[k];
      EXPECT_FALSE(step.error && plain(step.error->reason, Language::english).empty()) << step.text;
      if (step.error ? step.error->raised.has_value() : !leaves_unknown(step)) found.push_back(step.text);
    }
  }
  return found;
}

size_t statements_in(const std::vector<std::string>& lines) {
  size_t count = lines.size();
  for (const std::string& line : lines) count += static_cast<size_t>(std::count(line.begin(), line.end(), '\n'));
  return count;
}

TEST(Costly, WhatIsReadInTheLastStepThatThereIsCannotBeCopiedIntoAnotherOrder) {
  EXPECT_EQ(Ran(costly_setup() + "na[:3].tolist()").error(), "");
  EXPECT_EQ(Ran(costly_setup() + "pt[:3].tolist()").error(), "");
  EXPECT_EQ(told({"na[::-1].copy()", "na + 1", "pt.flip(0)", "pt + 1"}), std::vector<std::string>());
}

TEST(Costly, MatricesAreNotTakenApart) {
  const std::string square = "na[:2**14].reshape(128, 128)", tall = "na[:2**17].reshape(-1, 8)";
  std::vector<std::string> lines;
  for (const char* name : {"inv", "cholesky", "eig", "eigvals", "svd", "pinv", "matrix_rank"})
    lines.push_back("np.linalg." + std::string(name) + "(" + square + ")");
  lines.push_back("np.linalg.solve(" + square + ", np.ones(128))");
  lines.push_back("np.linalg.lstsq(" + tall + ", np.ones(2**14))");
  lines.push_back("np.linalg.matrix_rank(" + tall + ")");
  EXPECT_EQ(told(lines), std::vector<std::string>());
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
  for (size_t k = ran.trace.steps.size() - lines.size(); k < ran.trace.steps.size(); ++k) {
    const Step& step = ran.trace.steps[k];
    EXPECT_TRUE(step.error ? !step.error->raised : leaves_unknown(step)) << step.text;
  }
}

TEST(Costly, AProgramOfManyMomentsReadsNoMoreThanItMayAndStillWhatIsSmall) {
  for (const std::string line : {"na[:200].tolist()", "np.sort(na[:200])", "na[:200] @ na[:200]", "pt[:200].cumsum(0)",
                                 "torch.zeros(2**5, 2**16).index_fill(0, torch.tensor([2]), 7)"}) {
    std::string source = costly_setup();
    const size_t before = Ran(source).trace.steps.size();
    for (int k = 0; k < 20; ++k) source += line + "\n";
    const Ran ran(source + "torch.tensor([2]).tolist()\n");
    const auto is_told = [](const Step& step) { return !step.error && !leaves_unknown(step); };
    const auto& steps = ran.trace.steps;
    const auto told = std::count_if(steps.begin() + static_cast<std::ptrdiff_t>(before), steps.end() - 1, is_told);
    EXPECT_GT(told, 0) << line;
    EXPECT_LT(told, 15) << line;
    EXPECT_TRUE(is_told(steps.back())) << line;
  }
}

TEST(Costly, EveryRowsExampleAnswersOfIt) {
  std::vector<std::string> lines;
  size_t number = 0;
  for (const Op* op : operation_table()) {
    const std::string example(op->example);
    const size_t first = example.find('\n'), made = example.find(" = ");
    if (first == std::string::npos || made > first) continue;
    if (!looked_at(number++)) continue;
    const std::string base = op->library == Library::torch ? "pt.view" : "na.reshape";
    for (const char* seen :
         {"(2**21)", "(2**11, 2**10).T", "(2**5, 2**6, 2**10)", "(2**5, 2**6, 2**10).swapaxes(0, 2)"})
      lines.push_back(example.substr(0, made + 3) + base + seen + example.substr(first));
  }
  EXPECT_LT(told(lines).size(), statements_in(lines) * 4 / 5);
}

TEST(Costly, OfWhatReadsEachElementAtOnceNothingIsTold) {
  std::vector<std::string> lines;
  size_t number = 0;
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
    if (!looked_at(number++)) continue;
    const bool torch = form.op->library == Library::torch;
    lines.push_back(call_with(form, torch ? "pt[:1600].view(40, 40)" : "na[:1600].reshape(40, 40)"));
  }
  EXPECT_LT(told(lines).size(), lines.size() / 2);
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
  EXPECT_EQ(told(lines), std::vector<std::string>());
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
  EXPECT_TRUE(leaves_unknown(Ran(sums + "torch.ones(1, 70000).long() @ b.view(70000, 1).expand(70000, 10)").last()));
  EXPECT_TRUE(leaves_unknown(Ran(sums + "b.view(1, 70000) @ torch.ones(70000, 10).long()").last()));
}

TEST(Costly, WhatNumPyMakesInSeveralStepsIsRefusedAtTheFirstThatReadsTooMuch) {
  const std::vector<std::string> lines = {
      "np.sinc(na)",
      "np.trapezoid(na)",
      "np.trapezoid(na, na)",
      "np.trapezoid(na.reshape(2, -1), axis=0)",
      "np.trapezoid(np.arange(2**21), na)",
      "np.cumulative_sum(na, include_initial=True)",
      "np.cumulative_prod(na.reshape(2, -1), axis=0, include_initial=True)",
      "np.linalg.norm(na.reshape(2, -1), 1)",
      "np.linalg.norm(na.reshape(2, -1), np.inf, keepdims=True)",
      "np.linalg.norm(na.reshape(2, -1), 3, 1)",
      "np.linalg.norm(na, 3)",
      "np.linalg.vector_norm(na)",
      "np.linalg.vector_norm(na.reshape(2, -1), axis=(0, 1), keepdims=True)",
      "np.linalg.vector_norm(na.reshape(2, -1), keepdims=True, ord=3)",
      "np.linalg.matrix_norm(na.reshape(2, -1), ord=1)",
      "np.geomspace(1, na, 3)",
      "np.geomspace(na, 1, 3)",
      "np.geomspace(na, na, 3)",
      "np.geomspace(1, na[1:], 3, axis=1)",
      "np.logspace(0, na, 2)",
      "np.logspace(na, 1, 2)",
      "np.logspace(na, na, 2)",
      "np.cross(na[:3 * 2**18].reshape(-1, 3), na[:3 * 2**18].reshape(-1, 3))",
      "np.cross(na[:3 * 2**18].reshape(-1, 3), [1, 2, 3])",
      "np.cross([1, 2, 3], na[:3 * 2**18].reshape(-1, 3))",
      "np.cross(na.reshape(-1, 2), na.reshape(-1, 2))",
      "np.vdot(na, na)",
      "np.vecdot(na, na)",
      "np.vecdot(np.ones(2**21), na)",
      "np.partition(na, 1)",
      "np.argpartition(na, 1)",
      "np.lexsort((na, na))",
      "na.byteswap()",
      "np.choose(na, [na, na])",
      "np.insert(na, 1, na)",
      "np.take(na, na)",
      "np.put_along_axis(np.zeros(2**21), na, 1, 0)",
      "np.take_along_axis(na, na, 0)",
      "np.nanquantile(na, .5)",
      "np.nanmedian(na)",
      "np.nanvar(na)",
      "np.nanargmin(na)",
      "np.nancumsum(na)",
      "np.nanmin(na)",
      "np.fix(na)",
      "np.logaddexp(na, 1)",
      "np.kron(na, na)",
      "np.divmod(na, 3)",
      "np.r_[na, na]",
      "np.c_[na, na]",
      "np.apply_along_axis(np.sum, 0, na)",
  };
  EXPECT_EQ(told(lines), std::vector<std::string>());
}

TEST(Costly, NothingIsToldOfWhatPyTorchMakesOfTooMuch) {
  const std::vector<std::string> lines = {
      "torch.normal(0., pt)",
      "torch.normal(pt, pt)",
      "torch.nn.functional.l1_loss(pt, pt, reduction='none')",
      "torch.nn.functional.cross_entropy(torch.zeros(2**20, 2), pt[:2**20])",
      "torch.nn.functional.nll_loss(torch.zeros(2**20, 2), pt[:2**20])",
      "torch.nn.functional.one_hot(pt)",
      "torch.nn.functional.embedding(pt, torch.ones(5, 2))",
      "torch.nn.functional.avg_pool1d(pt.view(1, 1, -1), 2)",
      "torch.nn.functional.pad(pt, (1, 1))",
      "pt.topk(2)",
      "pt.kthvalue(2)",
      "pt.mode()",
      "pt.unique()",
      "pt.view(-1, 2).unique(dim=0)",
      "torch.bincount(pt)",
      "torch.unravel_index(pt, (2**21,))",
      "pt.index_add(0, pt, pt)",
      "pt.index_copy(0, pt, pt)",
      "pt.scatter(0, pt, 1)",
      "pt.scatter_add(0, pt, pt)",
      "pt.gather(0, pt)",
      "torch.kron(pt, pt)",
      "torch.outer(pt, pt)",
      "torch.einsum('i,i', pt, pt)",
      "torch.tensordot(pt, pt, 1)",
      "torch.isclose(pt, pt)",
      "torch.allclose(pt, pt)",
      "torch.zeros(3).set_(pt.float(), 0, (2,))",
      "pt.cummax(0)",
      "pt.logsumexp(0)",
      "pt.median()",
      "pt.sort()",
      "pt.argsort()",
      "pt.max(0)",
      "torch.nn.functional.softmax(pt, 0, dtype=torch.float32)",
      "torch.nn.functional.log_softmax(pt, 0, dtype=torch.float32)",
      "torch.nn.functional.interpolate(pt.view(1, 1, -1).to(torch.uint8), 5)",
  };
  EXPECT_EQ(told(lines), std::vector<std::string>());
}

}  // namespace
}  // namespace stridescope

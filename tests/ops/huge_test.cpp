// Calls of every row on arrays of more elements than anybody can read, of none beside sizes that are as large, and with
// the largest numbers: each has an answer at once, and no sum leaves int64_t (the sanitized build would say so).
#include "ops/calls.h"
#include "ops/program.h"

namespace stridescope {
namespace {

/// Runs the lines, many in one program, after `setup`: every one is a step that ends with a value or with a reason.
void answer(const std::string& setup, const std::vector<std::string>& lines) {
  constexpr size_t each = 10;  // what changes in place changes it for few
  for (size_t from = 0; from < lines.size(); from += each) {
    std::string source = setup;
    for (size_t k = from; k < std::min(from + each, lines.size()); ++k) source += lines[k] + "\n";
    const Ran ran(source);
    EXPECT_TRUE(ran.trace.diagnostics.empty()) << source;
    EXPECT_GE(ran.trace.steps.size(), std::min(each, lines.size() - from)) << source;
    for (const Step& step : ran.trace.steps) {
      EXPECT_FALSE(step.error && plain(step.error->reason, Language::english).empty()) << step.text;
    }
  }
}

std::vector<std::string> calls_on(const std::string& torch, const std::string& numpy, bool with_options) {
  std::vector<std::string> lines;
  size_t number = 0;
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
    if (!looked_at(number++)) continue;
    const std::string& array = form.op->library == Library::torch ? torch : numpy;
    lines.push_back(call_with(form, array));
    // Each parameter is given once more as the array itself.
    for (size_t i = has_receiver(form.kind) ? 1 : 0; with_options && i < form.parameters.size(); ++i)
      lines.push_back(call_of(form, i, [&](size_t k) { return k == i ? array : fitting_argument(form, k, array); }));
  }
  return lines;
}

TEST(Huge, WhatIsCalledOnMoreElementsThanCanBeReadHasAnAnswer) {
  const std::string setup =
      "t = torch.ones(1).expand(2**31, 2**31)\na = np.broadcast_to(np.ones(1), (2**31, 2**31))\n"
      "u = torch.ones(1, dtype=torch.int64).expand(2**62)\nb = np.broadcast_to(np.ones(1, int), 2**62)\n";
  answer(setup, calls_on("t", "a", true));
  answer(setup, calls_on("u", "b", true));
  answer(setup, calls_on("t.view(2, 2**30, 2, 2**30)", "a.reshape(2, 2**30, 2, 2**30)", true));
  answer(setup, calls_on("t.view(1, 2**62).to(torch.complex64)", "a.reshape(1, 2, 2**61)", true));
}

TEST(Huge, SoHasWhatIsCalledOnNarrowElementsOfWhichNoWideCopyFits) {
  const std::string setup =
      "t = torch.ones(1, dtype=torch.uint8).expand(2**30, 2**30)\na = np.broadcast_to(np.ones(1, 'i1'), (2**30, "
      "2**30))\n"
      "u = torch.ones(1, dtype=torch.bool).expand(2**61)\nb = np.broadcast_to(np.ones(1, bool), 2**61)\n"
      "v = torch.ones(1, dtype=torch.half).expand(2**60, 1)\nc = np.broadcast_to(np.ones(1, 'f2'), (2**60, 1))\n"
      "w = torch.ones(1).expand(1, 2**59)\nd = np.broadcast_to(np.ones(1), (1, 2**59))\n";
  answer(setup, calls_on("t", "a", false));
  answer(setup, calls_on("u", "b", false));
  answer(setup, calls_on("v", "c", false));
  answer(setup, calls_on("w", "d", true));
}

TEST(Huge, SoHasWhatIsToMakeNothingOfThem) {
  std::vector<std::string> lines;
  size_t number = 0;
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
    if (!looked_at(number++)) continue;
    const std::string array = form.op->library == Library::torch ? "u" : "b";
    for (size_t i = has_receiver(form.kind) ? 1 : 0; i < form.parameters.size(); ++i)
      lines.push_back(call_of(form, i, [&](size_t k) { return k == i ? "0" : fitting_argument(form, k, array); }));
  }
  answer("u = torch.ones(1, dtype=torch.int64).expand(2**62)\nb = np.broadcast_to(np.ones(1, int), 2**62)\n", lines);
}

TEST(Huge, SoHaveFunctionsOfOneLibraryThatAreHandedTheOthers) {
  const std::string setup =
      "t = torch.ones(1).expand(2**62)\nu = torch.ones(1, dtype=torch.uint8).expand(2**31, 2**31)\n"
      "a = np.broadcast_to(np.ones(1, 'f4'), 2**62)\nb = np.broadcast_to(np.ones(1, bool), (2**31, 2**31))\n";
  answer(setup, calls_on("a", "t", false));
  answer(setup, calls_on("b", "u", false));
}

TEST(Huge, SoHasWhatIsCalledOnNoElementsBesideALargeSize) {
  const std::string setup =
      "t = torch.zeros(2**31, 0)\na = np.zeros((2**31, 0))\nu = torch.zeros(0, 2**31)\nb = np.zeros((0, 2**31))\n";
  answer(setup, calls_on("t", "a", true));
  answer(setup, calls_on("u", "b", true));
  answer(setup, calls_on("t.view(2**31, 2**31, 0)", "a.reshape(2**31, 2**31, 0)", true));
}

TEST(Huge, SoHasWhatIsGivenTheLargestNumbersThatThereAre) {
  for (const std::string given : {"2**62", "2**63 - 1", "-2**63", "(2**62, 2**62)", "[2**63 - 1, -2**63]"}) {
    std::vector<std::string> lines;
    size_t number = 0;
    for (const Form& form : forms()) {
      if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
      if (!looked_at(number++)) continue;
      for (size_t i = has_receiver(form.kind) ? 1 : 0; i < form.parameters.size(); ++i)
        lines.push_back(odd_call(form, i, given));
    }
    answer("t = torch.ones(2, 3)\na = np.ones((2, 3))\n", lines);
  }
}

TEST(Huge, AProductOfMatricesWithoutAnythingBetweenThemIsNotReckonedCellByCell) {
  answer("t = torch.zeros(2**31, 0)\nu = torch.zeros(0, 2)\na = np.zeros((2**31, 0))\nb = np.zeros((0, 2))\n",
         {"torch.addmm(torch.zeros(2), t, u)", "torch.mm(t, u)", "t @ u", "torch.nn.functional.linear(t, u.t())",
          "torch.baddbmm(torch.zeros(1, 1, 1), t[None], u[None])", "torch.einsum('ij,jk', t, u)",
          "torch.tensordot(t, u, 1)", "torch.einsum('ij,jk->ki', t, u)", "np.einsum('ij,jk', a, b)", "a @ b",
          "np.einsum('ij,jk->ki', a, b)", "np.tensordot(a, b, 1)", "np.dot(a, b)", "np.inner(a, b.T)",
          "torch.addmv(torch.zeros(1), t, torch.zeros(0))", "torch.mv(t, torch.zeros(0))"});
}

}  // namespace
}  // namespace stridescope

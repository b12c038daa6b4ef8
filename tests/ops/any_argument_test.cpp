// The promise of the table: whatever a form is given, it answers.
#include "ops/answers.h"
#include "ops/calls.h"

namespace stridescope {
namespace {

const char* const any_setup =
    "import math\nimport numpy\nt = torch.arange(6.).view(2, 3)\na = np.arange(6.0).reshape(2, 3)\n"
    "th = torch.zeros(1).expand(2**40)\nah = np.broadcast_to(0.0, (2**40,))\n"
    "tb = torch.zeros(70000)\nab = np.zeros(70000)\n";

/// Arrays at the edge of what there can be: `e` has as many dimensions as an array can have, `l` as many elements; `s`
/// is a scalar, `z` is empty; `v` is, too, and `w` is not, but with elements of more bytes there could be none of them.
const char* const edge_setup =
    "import math\nt = torch.arange(6.).view(2, 3)\na = np.arange(6.0).reshape(2, 3)\n"
    "te = torch.zeros([1] * 64)\nae = np.zeros((1,) * 64)\ntl = torch.zeros(1).expand(2**60)\n"
    "al = np.broadcast_to(0.0, (2**59,))\nts = torch.tensor(2)\nas_ = np.int64(2)\ntz = torch.zeros(0, 3)\n"
    "az = np.zeros((0, 3))\ntv = torch.zeros(1, 0).expand(2**62, 0)\nav = np.broadcast_to(np.zeros((1, 0)), (2**62, "
    "0))\n"
    "tw = torch.zeros(1, dtype=torch.int8).expand(2**62)\naw = np.broadcast_to(np.int8(0), (2**62,))\n";

TEST(Any, AFormAnswersWhateverAParameterIsGiven) {
  std::vector<std::string> calls;
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
    const bool torch = form.op->library == Library::torch;
    for (size_t i = has_receiver(form.kind) ? 1 : 0; i < form.parameters.size(); ++i)
      for (const char* value : {"None", "[math]", "'ab'", "-1", "2.5", "1j", "[]", "2**62", "True", "[[1], [2, 3]]",
                                "{'a': 1}", "(1, 0)", torch ? "t" : "a", torch ? "th" : "ah", torch ? "tb" : "ab"})
        calls.push_back(odd_call(form, i, value));
    if (form.kind == Form::Kind::method)
      for (const std::string end : {"h", "b"}) calls.push_back(odd_call(form, 0, (torch ? "t" : "a") + end));
  }
  expect_answers(any_setup, calls, 60);
}

TEST(Any, AFormAnswersToArraysAtTheEdgeOfWhatThereCanBe) {
  std::vector<std::string> calls;
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
    const bool torch = form.op->library == Library::torch;
    for (size_t i = 0; i < form.parameters.size(); ++i)
      for (const std::string end : {"e", "l", "s", "z", "v", "w"})
        calls.push_back(odd_call(form, i, torch ? "t" + end : end == "s" ? "as_" : "a" + end));
    for (const std::string end : {"e", "l", "v", "w"}) calls.push_back(call_with(form, (torch ? "t" : "a") + end));
  }
  expect_answers(edge_setup, calls, 60);
}

}  // namespace
}  // namespace stridescope

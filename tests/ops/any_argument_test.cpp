// The promise of the table: whatever a form is given, it answers.
#include "ops/answers.h"
#include "ops/op.h"

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

/// Something that fits a parameter of PyTorch's; NumPy's rows have no types for most.
std::string fitting_argument(const Form& form, size_t i) {
  const Parameter& parameter = form.parameters[i];
  const auto of = [&](std::string_view type) { return parameter.type.find(type) != std::string_view::npos; };
  if (of("tensors")) return "(t, t)";
  if (of("tensor")) return "t";
  if (of("dtype")) return "torch.float32";
  if (of("ints")) return "(1,)";
  if (of("str")) return "'ij->ji'";
  return form.op->library == Library::numpy && i == 0 ? "a" : "1";
}

/// The call with `value` for parameter `odd`, all that is required before and behind it given.
std::string odd_call(const Form& form, size_t odd, const std::string& value) {
  const bool receiver = has_receiver(form.kind);
  const auto given = [&](size_t i) { return i == odd ? value : fitting_argument(form, i); };
  std::string text = receiver ? (given(0)) + "." : "";
  text += form.name + "(";
  bool first = true;
  for (size_t i = receiver ? 1 : 0; i < form.parameters.size(); ++i) {
    const Parameter& parameter = form.parameters[i];
    if (i != odd && (!parameter.fallback.empty() || (parameter.variadic && parameter.keyword_only))) continue;
    const bool named =
        parameter.keyword_only || (!parameter.fallback.empty() && i == odd && !parameter.positional_only);
    text += (first ? "" : ", ") + (named ? std::string(parameter.name) + "=" : "") + given(i);
    first = false;
  }
  return text + ")";
}

TEST(Any, AFormAnswersWhateverAParameterIsGiven) {
  std::vector<std::string> calls;
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::function && form.kind != Form::Kind::method) continue;
    const bool torch = form.op->library == Library::torch;
    for (size_t i = has_receiver(form.kind) ? 1 : 0; i < form.parameters.size(); ++i)
      for (const char* value : {"None", "[math]", "'ab'", "-1", "2.5", "1j", "[]", "2**62", "True", "[[1], [2, 3]]",
                                "(1, 0)", torch ? "t" : "a", torch ? "th" : "ah", torch ? "tb" : "ab"})
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
  }
  expect_answers(edge_setup, calls, 60);
}

}  // namespace
}  // namespace stridescope

// Which part of a line an error marks: the argument at fault.
#include "ops/op.h"
#include "ops/program.h"

namespace stridescope {
namespace {

/// The program, with what its last error marks between [[ and ]].
std::string marked(const std::string& source) {
  const Ran run{source};
  const auto& error = run.last().error;
  if (!error) return "no error: " + source;
  std::string text = source;
  text.insert(static_cast<size_t>(error->span.end), "]]").insert(static_cast<size_t>(error->span.begin), "[[");
  return text.substr(text.rfind('\n') + 1);
}

struct Case {
  const char* before;
  const char* line;  ///< with the marks
};

void check(const Case& example) {
  std::string line = example.line;
  for (const char* mark : {"[[", "]]"}) line.erase(line.find(mark), 2);
  EXPECT_EQ(marked(std::string(example.before) + "\n" + line), example.line);
}

constexpr const char* x = "x = torch.arange(24).view(2, 3, 4)";
constexpr const char* a = "a = np.arange(24).reshape(2, 3, 4)";

TEST(ErrorSpan, OfADimensionIsThatDimension) {
  for (const Case& example : {Case{x, "x.transpose(0, [[5]])"},
                              {x, "x.transpose([[-4]], 0)"},
                              {x, "torch.transpose(x, 0, [[5]])"},
                              {x, "x.select(dim=[[7]], index=0)"},
                              {x, "x.unsqueeze([[9]])"},
                              {x, "x.permute(0, [[0]], 1)"},
                              {x, "x.permute(0, 1, [[3]])"},
                              {x, "x.permute((0, 1, [[3]]))"},
                              {x, "torch.permute(x, (0, 1, [[3]]))"},
                              {x, "x.unflatten([[3]], (2, 2))"},
                              {x, "x.sum(dim=(0, [[5]]))"},
                              {x, "x.flip(0, [[0]])"},
                              {x, "x.movedim(0, [[3]])"},
                              {x, "torch.cat([x, x], dim=[[3]])"},
                              {x, "torch.stack([x], [[4]])"},
                              {x, "x.diagonal(0, [[4]], 1)"},
                              {x, "x.split(1, [[3]])"},
                              {x, "x.roll((1, 2), (0, [[3]]))"},
                              {x, "x.unbind([[3]])"},
                              {x, "x.flatten(2, [[1]])"}})
    check(example);
  for (const Case& example : {Case{a, "np.flip(a, [[3]])"},
                              {a, "np.flip(a, axis=(0, [[3]]))"},
                              {a, "np.swapaxes(a, 0, [[3]])"},
                              {a, "a.swapaxes([[3]], 0)"},
                              {a, "np.concatenate([a, a], axis=[[3]])"},
                              {a, "np.expand_dims(a, [[5]])"},
                              {a, "np.stack([a], axis=[[4]])"},
                              {a, "np.repeat(a, 2, axis=[[3]])"}})
    check(example);
}

TEST(ErrorSpan, OfSizesIsTheListOrTheOneAtFault) {
  for (const Case& example : {Case{x, "x.view([[5, 5]])"},
                              {x, "y = x.view([[(5, 5)]])"},
                              {x, "x.reshape([[-1, -1]])"},
                              {x, "x.view(2, [[-3]], 4)"},
                              {x, "torch.reshape(x, [[(7, 2)]])"},
                              {x, "x.expand([[2, 3]])"},
                              {x, "x.expand(2, [[5]], 4)"},
                              {x, "x.unflatten(1, [[(2, 2)]])"},
                              {x, "torch.zeros([[2, -1]])"},
                              {x, "x.as_strided((2,), [[(1, 1)]])"},
                              {x, "x.as_strided((2,), [[(-1,)]])"}})
    check(example);
  for (const Case& example : {Case{a, "a.reshape([[5, 5]])"},
                              {a, "np.reshape(a, [[(5, 5)]])"},
                              {a, "np.broadcast_to(a, [[(2, 3)]])"},
                              {a, "a.transpose([[0, 1]])"},
                              {a, "np.transpose(a, axes=[[(0, 0, 1)]])"},
                              {a, "a.shape = [[(5, 5)]]"},
                              {a, "np.zeros([[(2, -1)]])"}})
    check(example);
}

TEST(ErrorSpan, OfASubscriptIsTheIndexAtFault) {
  for (const Case& example : {Case{x, "x[0, [[3]]]"},
                              {x, "y = x[0, 1:2, [[-5]]]"},
                              {x, "x[0, [[1:2:0]]]"},
                              {x, "x[:, [[::-1]]]"},
                              {x, "x[0, [['a']]]"},
                              {x, "x[0, [[5]]] = 1"},
                              {x, "x[0] = [[torch.zeros(7)]]"},
                              {x, "x.select(0, [[4]])"},
                              {x, "x.narrow(1, [[5]], 1)"},
                              {x, "x.narrow(1, 2, [[3]])"},
                              {x, "x.index_select(0, [[torch.tensor([4])]])"},
                              {x, "x.chunk([[0]])"},
                              {x, "x.unfold(1, [[4]], 1)"},
                              {x, "x.unfold(1, 2, [[0]])"}})
    check(example);
  EXPECT_EQ(marked(std::string(x) + "\nx[2]"), "x[[[2]]]");
  EXPECT_EQ(marked(std::string(x) + "\nx[0, 0, 0, 0]"), "x[[[0, 0, 0, 0]]]");
  EXPECT_EQ(marked(std::string(x) + "\nx[[0, 9]]"), "x[[[[0, 9]]]]");
  EXPECT_EQ(marked(std::string(a) + "\na[2]"), "a[[[2]]]");
  for (const Case& example : {Case{a, "a[0, [[3]]]"},
                              {a, "a[0, [[1.5]]]"},
                              {a, "a[..., [[...]]]"},
                              {a, "a[0, [[::0]]]"},
                              {a, "a[0, [[5]]] = 1"},
                              {a, "a[0] = [[np.zeros(7)]]"},
                              {"a = np.broadcast_to(np.arange(3), (2, 3))", "[[a]][0] = 1"}})
    check(example);
}

TEST(ErrorSpan, OfArgumentsThatDoNotFitIsTheArgument) {
  for (const Case& example : {Case{x, "x.transpose(0, 1, [[2]])"},
                              {x, "x.transpose(0, [[dim7=1]])"},
                              {x, "x.transpose(0, 1, [[dim0=1]])"},
                              {x, "x.transpose(0, [['a']])"},
                              {x, "x.view(2, [[1.5]])"},
                              {x, "x.permute(2, [['0']], 1)"},
                              {x, "torch.cat([x, x], dim=[['a']])"},
                              {x, "x.to([[3]])"},
                              {x, "[[x.transpose(0)]]"},
                              {a, "a.reshape(24, order=[['Q']])"},
                              {a, "np.split(a, [[5]])"},
                              {a, "a.reshape(2, [['3']], 4)"},
                              {x, "torch.linspace(0, 1, [[-2]])"},
                              {x, "torch.arange(0, 5, [[0]])"},
                              {x, "torch.eye(3, [[-1]])"}})
    check(example);
}

TEST(ErrorSpan, WithoutAnArgumentAtFaultIsTheMethodOrTheExpression) {
  for (const Case& example : {Case{x, "x.view(2, 3, 4).[[t()]]"},
                              {x, "torch.t([[x]])"},
                              {x, "[[x + torch.zeros(5)]]"},
                              {a, "[[a + np.zeros(5)]]"}})
    check(example);
}

/// Python stumbles over the one before a parser refuses the other.
TEST(ErrorSpan, OfWhatIsAskedFirstIsThatArgument) {
  const char* f = "import torch.nn.functional as F\nx = torch.arange(6.)";
  for (const Case& example : {Case{f, "F.group_norm([[x]], (0, 1))"},
                              {f, "F.group_norm([[*[x, (0, 1)]]])"},
                              {f, "F.group_norm(x.view(2, 3), [[0]], eps=(0, 1))"},
                              {f, "F.group_norm(x.view(2, 3), num_groups=[[0]])"},
                              {f, "F.dropout(x, [[2.]], 'a')"},
                              {f, "F.smooth_l1_loss(x, [[torch.ones(4)]], beta=None)"},
                              {f, "F.smooth_l1_loss(x, x, beta=[[x]])"},
                              {f, "F.huber_loss(x, x, delta=[[()]])"}})
    check(example);
}

/// Every span lies inside its statement, whatever failed.
TEST(ErrorSpan, LiesInsideItsStatement) {
  for (const Form& form : forms()) {
    if (form.kind != Form::Kind::method || form.name.find('.') != std::string::npos) continue;
    for (const char* arguments : {"", "99", "99, 99", "'a'", "(99, 'a')", "99, nothing=1", "-99, (1, 2), 3, 4, 5"}) {
      const Ran run{std::string(form.op->library == Library::torch ? x : "x = np.arange(24).reshape(2, 3, 4)") +
                    "\ny = x." + form.name + "(" + arguments + ")"};
      const Step& step = run.last();
      if (!step.error) continue;
      EXPECT_LE(step.span.begin, step.error->span.begin) << step.text;
      EXPECT_LT(step.error->span.begin, step.error->span.end) << step.text;
      EXPECT_LE(step.error->span.end, step.span.end) << step.text;
    }
  }
}

TEST(ErrorSpan, PatternsAreMarkedWhereTheyAreWrong) {
  const char* const before = "import torch\nimport einops\nx = torch.arange(24).reshape(2, 3, 4)\n";
  for (const char* line :
       {"einops.rearrange(x, 'b h w -> b h w [[c]]')", "einops.rearrange(x, 'b h [[h]] -> b h')",
        "einops.rearrange(x, 'b ([[h k]]) w -> b h k w', k=2)", "einops.rearrange(x, 'b h w -> [[(]]b h w')",
        "einops.rearrange(x, pattern='b h w -> b[[-]]h w')", "einops.rearrange(x, [['b h' ' w -> b h']])",
        "einops.parse_shape(x, 'b [[h_]] w')", "einops.pack([x], 'b [[b]] *')"})
    check({before, line});
}

}  // namespace
}  // namespace stridescope

// What modules hold, by name: parameters, buffers, the modules they are made of; and what their methods change.
#include "ops/program.h"

namespace stridescope {
namespace {

const std::string torch_nn = "import torch\nfrom torch import nn\n";
/// A model with a tied weight, a buffer that passes and a tensor that is neither.
const std::string model = torch_nn +
                          "class Block(nn.Module):\n"
                          "  def __init__(self, d):\n"
                          "    super().__init__()\n"
                          "    self.norm = nn.LayerNorm(d)\n"
                          "    self.fc = nn.Linear(d, d, bias=False)\n"
                          "  def forward(self, x): return x + self.fc(self.norm(x))\n"
                          "class Model(nn.Module):\n"
                          "  def __init__(self, v=7, d=4, n=2):\n"
                          "    super().__init__()\n"
                          "    self.emb = nn.Embedding(v, d)\n"
                          "    self.scale = nn.Parameter(torch.ones(d))\n"
                          "    self.blocks = nn.ModuleList([Block(d) for _ in range(n)])\n"
                          "    self.head = nn.Linear(d, v, bias=False)\n"
                          "    self.head.weight = self.emb.weight\n"
                          "    self.register_buffer('mask', torch.ones(3, 3).tril(), persistent=False)\n"
                          "    self.table = torch.arange(4.)\n"
                          "  def forward(self, i):\n"
                          "    x = self.emb(i) * self.scale\n"
                          "    for block in self.blocks: x = block(x)\n"
                          "    return self.head(x)\n"
                          "m = Model()\n";

std::string of_model(const std::string& expression) { return Ran(model + expression).value(); }

TEST(ModuleState, ParametersAreListedByNameAndOnceEach) {
  EXPECT_EQ(of_model("[n for n, p in m.named_parameters()]"),
            "['scale', 'emb.weight', 'blocks.0.norm.weight', 'blocks.0.norm.bias', 'blocks.0.fc.weight', "
            "'blocks.1.norm.weight', 'blocks.1.norm.bias', 'blocks.1.fc.weight']");
  EXPECT_EQ(of_model("sum(p.numel() for p in m.parameters())"), "80");
  EXPECT_EQ(of_model("[n for n, p in m.named_parameters(prefix='m', recurse=False)]"), "['m.scale']");
  EXPECT_EQ(of_model("[n for n, b in m.named_buffers()], len(list(m.buffers(recurse=False)))"), "(['mask'], 1)");
  EXPECT_EQ(of_model("len(list(m.state_dict())), 'head.weight' in m.state_dict(), 'mask' in m.state_dict()"),
            "(9, True, False)")
      << "a tied weight is there by both names, a buffer that passes by none";
  EXPECT_EQ(of_model("[n for n, c in m.named_children()]"), "['emb', 'blocks', 'head']");
  EXPECT_EQ(of_model("[n for n, c in m.named_modules()][:4], len(list(m.modules()))"),
            "(['', 'emb', 'blocks', 'blocks.0'], 10)");
  const Ran run(model + "y = m(torch.zeros(2, 3, dtype=torch.long))\nw = m.get_parameter('blocks.1.fc.weight').t()");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.layout("y"), "(2, 3, 7):(21, 7, 1)+0");
  EXPECT_EQ(run.layout("w"), "(4, 4):(1, 4)+0");
}

TEST(ModuleState, TheStateIsDetachedAndOnTheSameStorage) {
  const Ran run(model + "s = m.state_dict()\nw = s['scale']\nv = m.scale");
  EXPECT_TRUE(run.tensor("w")->shares_storage(*run.tensor("v")));
  EXPECT_FALSE(run.tensor("w")->requires_grad);
  EXPECT_EQ(of_model("type(m.state_dict()).__name__, m.state_dict()['scale'] is m.scale"), "('OrderedDict', False)");
}

TEST(ModuleState, ConversionsMoveWhatIsRegistered) {
  EXPECT_EQ(of_model("w = m.scale\nm.to(torch.float64) is m, w is m.scale, w.dtype, m.mask.dtype, m.table.dtype"),
            "(True, True, torch.float64, torch.float64, torch.float32)");
  EXPECT_EQ(of_model("b = m.mask\nm.half()\nb is m.mask, m.head.weight is m.emb.weight, m.head.weight.dtype"),
            "(False, True, torch.float16)")
      << "a buffer is another tensor then";
  EXPECT_EQ(Ran(model + "m.to(torch.int8)").error(),
            "TypeError: nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int8");
  EXPECT_EQ(of_model("m.requires_grad_(False)\nany(p.requires_grad for p in m.parameters())"), "False");
  EXPECT_EQ(of_model("for p in m.blocks.parameters():\n  p.requires_grad = False\n"
                     "sum(p.numel() for p in m.parameters() if p.requires_grad)"),
            "32");
  EXPECT_EQ(of_model("m.eval()\nm.blocks[1].norm.training, m.train().blocks[1].training"), "(False, True)");
  EXPECT_EQ(of_model("def init(l):\n  if isinstance(l, nn.Linear): nn.init.ones_(l.weight)\n"
                     "m.apply(init) is m, m.emb.weight.sum().item()"),
            "(True, 28.0)");
}

TEST(ModuleState, WhatIsRegisteredKeepsItsKind) {
  const std::string assigned = model + "m.scale = ";
  EXPECT_EQ(Ran(assigned + "torch.ones(4)").error(),
            "TypeError: cannot assign 'torch.FloatTensor' as parameter 'scale' (torch.nn.Parameter or None expected)");
  EXPECT_EQ(Ran(assigned + "m.emb").error(),
            "TypeError: cannot assign 'torch.nn.modules.sparse.Embedding' as parameter 'scale' (torch.nn.Parameter or "
            "None expected)");
  EXPECT_EQ(Ran(model + "m.emb = 3").error(),
            "TypeError: cannot assign 'int' as child module 'emb' (torch.nn.Module or None expected)");
  EXPECT_EQ(Ran(model + "m.mask = [1]").error(),
            "TypeError: cannot assign 'list' as buffer 'mask' (torch.nn.Buffer, torch.Tensor or None expected)");
  EXPECT_EQ(of_model("m.scale = None\nm.scale is None, len(list(m.parameters()))"), "(True, 7)");
  EXPECT_EQ(of_model("m.table = nn.Parameter(m.table)\n[n for n, p in m.named_parameters(recurse=False)]"),
            "['scale', 'table']");
  EXPECT_EQ(Ran(model + "m.register_buffer('table', None)").error(), "KeyError: \"attribute 'table' already exists\"");
  EXPECT_EQ(Ran(model + "m.register_parameter('a.b', None)").error(),
            "KeyError: 'parameter name can\\'t contain \".\"'");
  EXPECT_EQ(Ran(model + "m.add_module('x', 3)").error(), "TypeError: int is not a Module subclass");
  EXPECT_EQ(
      Ran(torch_nn + "class A(nn.Module):\n  def __init__(self): self.w = nn.Parameter(torch.ones(2))\nA()").error(),
      "AttributeError: cannot assign parameters before Module.__init__() call");
  EXPECT_EQ(Ran(model + "m.get_submodule('blocks.7')").error(), "AttributeError: ModuleList has no attribute `7`");
}

TEST(ModuleState, ParametersAreToldFromOtherTensors) {
  const std::string w = torch_nn + "w = nn.Parameter(torch.arange(6.).view(2, 3).t())\n";
  EXPECT_EQ(Ran(w + "repr(w)").value(),
            "'Parameter containing:\\ntensor([[0., 3.],\\n        [1., 4.],\\n        [2., 5.]], requires_grad=True)'");
  EXPECT_EQ(Ran(w + "type(w).__name__, type(w) is nn.Parameter, isinstance(w, torch.Tensor)").value(),
            "('Parameter', True, True)");
  EXPECT_EQ(Ran(w + "[isinstance(t, nn.Parameter) for t in (w, w.t(), w.data, w.detach(), torch.ones(2))]").value(),
            "[True, False, False, False, False]");
  EXPECT_EQ(Ran(w + "w.foo").error(), "AttributeError: 'Parameter' object has no attribute 'foo'");
  const Ran run(w + "v = w\nw.data = torch.zeros(4, 2).t()");
  EXPECT_EQ(run.layout("v"), "(2, 4):(1, 2)+0") << "the same object, other data";
  EXPECT_TRUE(run.tensor("v")->requires_grad);
}

TEST(ModuleState, ClassesOfTorchCanBeMadeFrom) {
  const std::string scaled = torch_nn +
                             "class Scaled(nn.Linear):\n  def __init__(self, i, o):\n"
                             "    super().__init__(i, o, bias=False)\n    self.gain = nn.Parameter(torch.ones(o))\n"
                             "  def forward(self, x): return super().forward(x) * self.gain\n"
                             "  def extra_repr(self): return super().extra_repr() + ', scaled'\n"
                             "class Stack(nn.Sequential):\n"
                             "  def __init__(self, d): super().__init__(Scaled(d, d), nn.ReLU())\n";
  EXPECT_EQ(Ran(scaled + "y = Scaled(3, 2)(torch.ones(4, 3))").layout("y"), "(4, 2):(2, 1)+0");
  EXPECT_EQ(Ran(scaled + "[n for n, p in Stack(2).named_parameters()], len(Stack(2))").value(),
            "(['0.weight', '0.gain'], 2)");
  EXPECT_EQ(Ran(scaled + "str(Stack(2))").value(),
            "'Stack(\\n  (0): Scaled(in_features=2, out_features=2, bias=False, scaled)\\n  (1): ReLU()\\n)'");
  EXPECT_EQ(Ran(scaled + "isinstance(Scaled(1, 1), nn.Linear), isinstance(Stack(1)[1], nn.Linear)").value(),
            "(True, False)");
  EXPECT_EQ(Ran(torch_nn + "nn.Linear, str(type(nn.ReLU()))").value(),
            "(<class 'torch.nn.modules.linear.Linear'>, \"<class 'torch.nn.modules.activation.ReLU'>\")");
}

TEST(ModuleState, AMethodOfTheProgramsOwnIsCalledOrALimit) {
  const std::string frozen = torch_nn +
                             "class Frozen(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
                             "    self.bn = nn.BatchNorm1d(2)\n"
                             "  def train(self, mode=True):\n    super().train(mode)\n    self.bn.eval()\n"
                             "    return self\nnet = nn.Sequential(Frozen())\n";
  EXPECT_EQ(Ran(frozen + "net.train()\nnet[0].training, net[0].bn.training").value(), "(True, False)");
  const std::string own = torch_nn + "class A(nn.Module):\n  def parameters(self): return [1]\n";
  EXPECT_EQ(Ran(own + "A().parameters()").value(), "[1]");
  EXPECT_EQ(Ran(own + "A().requires_grad_()").error(), "ours");
}

TEST(ModuleState, ListsAndDictionariesOfModulesTakeOthers) {
  EXPECT_EQ(Ran(torch_nn + "d = nn.ModuleDict({'a': nn.Linear(2, 3), 'b': nn.ReLU()})\nd['c'] = nn.Tanh()\n"
                           "list(d), len(d), 'b' in d, d['a'].out_features, [n for n, p in d.named_parameters()]")
                .value(),
            "(['a', 'b', 'c'], 3, True, 3, ['a.weight', 'a.bias'])");
  EXPECT_EQ(
      Ran(torch_nn + "d = nn.ModuleDict({'a': nn.ReLU()})\n[type(m).__name__ for m in d.values()], d['b']").error(),
      "KeyError: 'b'");
  EXPECT_EQ(Ran(torch_nn + "m = nn.Sequential(nn.ReLU(), nn.ReLU())\nm[-1] = nn.Tanh()\nm").value(),
            "Sequential(\n  (0): ReLU()\n  (1): Tanh()\n)");
  EXPECT_EQ(Ran(torch_nn + "m = nn.ModuleList([nn.ReLU()])\nm[0] = 3").error(),
            "TypeError: cannot assign 'int' as child module '0' (torch.nn.Module or None expected)");
}

TEST(ModuleState, AStateIsLoadedWhereItFits) {
  const std::string two = torch_nn + "a, b = nn.Linear(2, 2), nn.Linear(2, 2)\nnn.init.ones_(a.weight)\n";
  EXPECT_EQ(Ran(two + "b.load_state_dict(a.state_dict())\nb.weight.sum().item()").value(), "4.0");
  EXPECT_EQ(Ran(two + "b.load_state_dict(a.state_dict())").value(), "<All keys matched successfully>");
  EXPECT_EQ(Ran(two + "b.load_state_dict({'weight': torch.ones(3), 'x.y': 1})").error(),
            "RuntimeError: Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"bias\". \n\t"
            "Unexpected key(s) in state_dict: \"x.y\". \n\tsize mismatch for weight: copying a param with shape "
            "torch.Size([3]) from checkpoint, the shape in current model is torch.Size([2, 2]).");
}

TEST(Copies, OfASliceTheWholeStorageIsCopiedOnceOrNoneOfIt) {
  const Ran run(
      "import copy\nx = torch.arange(6).view(2, 3)\nrow = x[1]\nd = copy.deepcopy(row)\na, b = copy.deepcopy([row, "
      "x.t()])\n"
      "s = copy.copy(row)\ns[0] = 9");
  EXPECT_EQ(run.error(), "");
  EXPECT_EQ(run.layout("d"), "(3,):(1,)+3");
  EXPECT_EQ(run.tensor("d")->storage->nbytes, 48);
  EXPECT_TRUE(run.tensor("a")->shares_storage(*run.tensor("b"))) << "as the originals do";
  EXPECT_FALSE(run.tensor("a")->shares_storage(*run.tensor("x")));
  EXPECT_EQ(run.layout("b"), "(3, 2):(1, 3)+0");
  EXPECT_TRUE(run.tensor("s")->shares_storage(*run.tensor("x")));
  EXPECT_EQ(run.tensor("s")->base, -1);
  EXPECT_EQ(run.values("x"), "0 1 2 9 4 5");
}

TEST(Copies, OfWhatWasReckonedTheHistoryIsNamedAndDetachOffered) {
  const Ran run("import copy\nx = torch.ones(3, requires_grad=True)\ncopy.deepcopy(x * 2)");
  ASSERT_TRUE(run.last().error);
  EXPECT_EQ(run.last().error->reason.id, Msg::deep_copy_history);
  EXPECT_EQ(run.last().error->hints.at(0).message.id, Msg::hint_detach_copy);
}

TEST(ModuleState, ADeepCopyIsApartAndTiedAsItWas) {
  const Ran run("import copy\n" + model +
                "e = copy.deepcopy(m)\nw, v = m.scale, e.scale\nt = e.emb.weight\nh = e.head.weight");
  EXPECT_EQ(run.error(), "");
  EXPECT_FALSE(run.tensor("w")->shares_storage(*run.tensor("v")));
  EXPECT_TRUE(run.tensor("v")->requires_grad);
  EXPECT_EQ(run.tensor("t")->object, run.tensor("h")->object);
  EXPECT_EQ(Ran("import copy\na = [[1]]\nb = copy.deepcopy([a, a])\nb[0].append(2)\na, b").value(),
            "([[1]], [[[1], 2], [[1], 2]])");
}

}  // namespace
}  // namespace stridescope

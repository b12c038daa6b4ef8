#include "ops/names.h"

#include <gtest/gtest.h>

#include "ops/op.h"
#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Names, EveryRowOfTheTableIsCalledWhatTheLibraryCallsIt) {
  for (const Form& form : forms()) {
    const bool of_tensor = form.kind == Form::Kind::method || form.kind == Form::Kind::attribute;
    if ((!of_tensor && form.kind != Form::Kind::function) || form.name.starts_with('_')) continue;
    const size_t dot = form.name.rfind('.');
    if (of_tensor && dot != std::string::npos) continue;  // of a storage or of sizes
    const std::string owner = !of_tensor                           ? form.name.substr(0, dot)
                              : form.op->library == Library::torch ? "torch.Tensor"
                                                                   : "numpy.ndarray";
    if (!of_tensor && owner != "torch" && owner != "torch.nn.functional" && owner != "numpy") continue;
    EXPECT_TRUE(library_has(owner, of_tensor ? form.name : form.name.substr(dot + 1))) << form.text;
  }
}

TEST(Names, WhatTheLibraryHasAndWeHaveNotIsNoErrorOfTheLibrary) {
  EXPECT_TRUE(library_has("torch.Tensor", "sparse_resize_"));
  EXPECT_FALSE(library_has("torch.Tensor", "cauchy"));
  EXPECT_FALSE(library_has("torch", ""));
  const Ran ours("x = torch.arange(3)\nx.sparse_resize_()");
  ASSERT_TRUE(ours.last().error);
  EXPECT_FALSE(ours.last().error->raised);
  EXPECT_EQ(plain(ours.last().error->reason, Language::english),
            "PyTorch has x.sparse_resize_; Stridescope does not model it yet.");
  EXPECT_EQ(Ran("x = torch.arange(3)\nx.cauchi").error(), "AttributeError: 'Tensor' object has no attribute 'cauchi'");
}

TEST(Names, OfAModuleWithFewRowsTheRestIsALimitToo) {
  for (const char* name :
       {"torch.utils.hooks", "torch.utils.dlpack.to_dlpack", "np.lib.array_utils.normalize_axis_index",
        "np.lib.NumpyVersion", "torch.cuda.Stream", "torch.Event", "torch.OutOfMemoryError"})
    EXPECT_EQ(Ran(name).error(), "ours") << name;
  EXPECT_EQ(Ran("torch.utils.dater").error(), "AttributeError: module 'torch.utils' has no attribute 'dater'");
}

TEST(Names, AModuleThatIsImportedStopsNothingButTheUseOfWhatIsNotModelled) {
  for (const char* line : {"from torch import nn", "import torch.nn as nn", "import torch.nn.functional as F",
                           "from torch.nn import functional as F", "from torch.nn.functional import softmax"})
    EXPECT_TRUE(Ran(line).trace.diagnostics.empty()) << line;
  const Ran used(
      "import torch.nn as nn\nx = torch.arange(3.)\ny = nn.functional.softmax(x, 0)\nl = nn.FractionalMaxPool2d(2, 3)");
  EXPECT_FALSE(used.step(1).error);
  ASSERT_TRUE(used.last().error);
  EXPECT_EQ(plain(used.last().error->reason, Language::english),
            "PyTorch has torch.nn.FractionalMaxPool2d; Stridescope does not model it yet.");
  EXPECT_EQ(Ran("torch.nn.functional.fractional_max_pool2d").error(), "ours");
  EXPECT_EQ(Ran("torch.nn.Linaer(2, 3)").error(), "AttributeError: module 'torch.nn' has no attribute 'Linaer'");
  const Ran imported("from torch.nn import FractionalMaxPool2d");
  ASSERT_EQ(imported.trace.diagnostics.size(), 1u);
  EXPECT_FALSE(imported.trace.diagnostics[0].raised);
}

TEST(Names, NothingThatPythonHasIsCalledUnknown) {
  const auto limit = [](const std::string& line) {
    const Ran ran("import math\nx = torch.arange(3)\n" + line);
    return ran.last().error && !ran.last().error->raised ? plain(ran.last().error->reason, Language::english) : "";
  };
  EXPECT_EQ(limit("vars(x)"), "Python has vars; Stridescope does not model it yet.");
  EXPECT_EQ(limit("math.fsum(x.shape)"), "Python has math.fsum; Stridescope does not model it yet.");
  EXPECT_EQ(limit("[1].__add__([2])"), "Python has x.__add__; Stridescope does not model it yet.");
  EXPECT_EQ(limit("x.__len__()"), "PyTorch has x.__len__; Stridescope does not model it yet.");
  EXPECT_EQ(limit("x._cdata"), "PyTorch has x._cdata; Stridescope does not model it yet.");
  EXPECT_EQ(limit("torch.Tensor.igamma(x, x)"), "PyTorch has torch.Tensor.igamma; Stridescope does not model it yet.");
  EXPECT_EQ(limit("type(None)()"), "Python has NoneType(); Stridescope does not model it yet.");
  EXPECT_EQ(limit("np.lib.introspect"), "NumPy has numpy.lib.introspect; Stridescope does not model it yet.");
  EXPECT_EQ(limit("nothing"), "");
}

TEST(Names, WhatNumPyHasNoMoreIsSaidInItsWordsWithWhatTookItsPlace) {
  const auto fixed = [](const std::string& line) {
    const Ran ran(line);
    const auto& hints = ran.last().error->hints;
    return hints.empty() || !hints[0].fix ? "" : hints[0].fix->replacement;
  };
  EXPECT_EQ(Ran("np.Inf").error(),
            "AttributeError: `np.Inf` was removed in the NumPy 2.0 release. Use `np.inf` instead.");
  EXPECT_EQ(fixed("np.Inf"), "np.inf");
  EXPECT_EQ(fixed("x = np.zeros(3, dtype=np.float)"), "float");
  EXPECT_EQ(fixed("np.asfarray([1])"), "np.asarray");
  EXPECT_EQ(fixed("np.fastCopyAndTranspose"), "");
}

}  // namespace
}  // namespace stridescope

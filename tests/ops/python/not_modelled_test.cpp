// Forms of Python's functions and methods that are not modelled: each is said to be a limit, none is guessed.
#include <fstream>
#include <iterator>

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(NotModelled, FormsOfStringsAndNumbersAreLimits) {
  for (const char* line : {"'a'.ljust(4, '**')",
                           "'a'.rjust('4')",
                           "'a'.zfill()",
                           "'a'.zfill(3, '0')",
                           "'a'.ljust()",
                           "'é'.upper()",
                           "'a'.upper(1)",
                           "'a'.count('é')",
                           "'1'.isdigit(2)",
                           "' a '.strip(None)",
                           "'xax'.rstrip('x', 'y')",
                           "'xax'.strip(3)",
                           "'banana'.find('a', 2)",
                           "'banana'.find(3)",
                           "'banana'.count()",
                           "'a b c'.split(None, 1)",
                           "'é a'.split()",
                           "'a,b'.split('')",
                           "'a,b'.split(3)",
                           "'ab'.endswith(('b', 3))",
                           "'ab'.startswith()",
                           "'ab'.startswith((3, 'a'))",
                           "'ab'.startswith(torch.arange(6).view(2, 3).shape)",
                           "'ab'.replace('', 'x')",
                           "'ab'.replace('a', 3)",
                           "'ab'.replace(3, 'a')",
                           "'ab'.replace('a')",
                           "'ab'.replace('a', 'b', 1)",
                           "'-'.join(3)",
                           "'a'.title()",
                           "pow('a', 3, 7)",
                           "pow('a', 3.0, 7)",
                           "pow(2, 'a', 7)",
                           "pow(2, 3, 2**40)",
                           "pow(2, 3, -2**40)",
                           "chr(0xd800)",
                           "chr(torch.tensor(65))",
                           "chr(np.arange(3))",
                           "complex('1+2j')",
                           "int('9' * 30)",
                           "list(zip([1], [2], strict=True))"})
    EXPECT_EQ(Ran(line).error(), "ours") << line;
}

TEST(NotModelled, FormsOfReductionsAndDictionariesAreLimits) {
  for (const char* line : {"np.nanvar(x, ddof='a')", "np.nanvar(x.astype('f'), dtype=np.float64)",
                           "np.average(x.reshape(-1)[:1], weights=['a'])", "{}.update(x[0])", "dict(x[0])"})
    EXPECT_EQ(Ran(std::string("x = np.arange(24.).reshape(2, 3, 4)\n") + line).error(), "ours") << line;
}

/// Programs with an empty line between two, found by giving other arguments to those that real libraries answered.
TEST(NotModelled, TheLastLineOfEachOfThesePrograms) {
  std::ifstream file(STRIDESCOPE_SOURCE_DIR "/tests/ops/limits.txt");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  int programs = 0;
  for (size_t begin = 0; begin < text.size(); ++programs) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    const std::string program = text.substr(begin, end - begin);
    EXPECT_EQ(Ran(program).error(), "ours") << program;
    begin = end + 2;
  }
  EXPECT_GT(programs, 100);
}

TEST(NotModelled, AModuleThatItsPackageDoesNotNameIsALimitAndWhatItHasNotAnError) {
  const auto raised = [](const char* line) {
    const Trace trace = evaluate(line);
    if (trace.diagnostics.empty()) return std::string("nothing");
    const auto& problem = trace.diagnostics.front().raised;
    return problem ? problem->type : std::string("ours");
  };
  EXPECT_EQ(raised("from numpy.lib import scimath"), "ours");
  EXPECT_NE(raised("from numpy.lib import no_such_name"), "ours");
  EXPECT_NE(raised("from numpy import scimath"), "ours");
  EXPECT_EQ(raised("from numpy.lib import stride_tricks"), "nothing");
}

TEST(NotModelled, FormsOfClassesAndTypesAreLimits) {
  for (const char* lines :
       {"list[int]", "callable(torch.strided)",
        "class A:\n  @property\n  def x(self): return 1\n  @x.deleter\n  def x(self): pass",
        "from dataclasses import dataclass, field\n@dataclass\nclass A:\n  x: int = field(init=False)",
        "from dataclasses import dataclass, field\n@dataclass\nclass A:\n  x: list = field(default_factory=3)"})
    EXPECT_EQ(Ran(lines).error(), "ours") << lines;
  EXPECT_EQ(Ran("callable(torch.float32), callable(np.dtype('int8')), callable(slice(2))").value(),
            "(False, False, False)");
  EXPECT_EQ(
      Ran("from dataclasses import dataclass, field\n@dataclass\nclass A:\n  x: int = field(repr=True, compare=True)\n"
          "A(3).x")
          .value(),
      "3");
}

}  // namespace
}  // namespace stridescope

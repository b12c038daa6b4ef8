// Operators, items, attributes and the functions of Python: each answers whatever stands beside it.
#include "ops/answers.h"

namespace stridescope {
namespace {

TEST(Any, AnOperatorAnItemAndAnAttributeAnswerWhateverStandsBesideThem) {
  const std::vector<std::string> values = {"None",
                                           "math",
                                           "'ab'",
                                           "-1",
                                           "2.5",
                                           "1j",
                                           "[]",
                                           "(1, 2)",
                                           "2**62",
                                           "True",
                                           "t",
                                           "a",
                                           "th",
                                           "ah",
                                           "tb",
                                           "ab",
                                           "ti",
                                           "ai",
                                           "tz",
                                           "az",
                                           "tm",
                                           "am",
                                           "np.int8(3)",
                                           "...",
                                           "[[0]]",
                                           "{'a': 1}",
                                           "{1: t}.items()",
                                           "[None]",
                                           "t.shape",
                                           "x.flags",
                                           "torch.float32",
                                           "np.float32",
                                           "1:2",
                                           "::0",
                                           "1, 'a'",
                                           "t > 2"};
  const auto is_slice = [](const std::string& value) { return value.find(':') != std::string::npos; };
  std::vector<std::string> lines;
  for (const std::string& value : values) {
    for (const char* array : {"t", "a", "th", "ah", "tm", "am", "ti", "ai"}) {
      const std::string item = std::string(array) + "[" + value + "]";
      lines.insert(lines.end(), {item, item + " = 0", item + " = None", item + " += 1"});
      if (is_slice(value)) continue;
      for (const char* op : {"+", "-",  "*",  "/",  "//", "%", "**", "@",  "&",  "|",
                             "^", "<<", ">>", "==", "!=", "<", ">=", "in", "is", "and"}) {
        lines.push_back(std::string(array) + " " + op + " (" + value + ")");
        lines.push_back("(" + value + ") " + op + " " + array);
      }
      for (const char* op : {"+=", "*=", "/=", "//=", "**=", "@=", "&=", "<<="})
        lines.push_back(std::string(array) + " " + op + " " + value);
      for (const char* end : {"[0] = ", "[...] = ", ".shape = ", ".strides = ", ".data = ", ".dtype = ", ".T = ",
                              ".requires_grad = ", ".flat = ", ".real = ", ".imag = ", ".flags.writeable = "})
        lines.push_back(array + (end + value));
    }
    if (is_slice(value)) continue;
    for (const char* op : {"-", "+", "~", "not "}) lines.push_back(op + ("(" + value + ")"));
    for (const char* function :
         {"len",   "int",    "float",      "bool",      "abs",       "sum", "min", "max",        "list",  "tuple",
          "range", "round",  "sorted",     "reversed",  "enumerate", "zip", "str", "repr",       "print", "type",
          "id",    "divmod", "math.floor", "math.sqrt", "math.prod", "any", "all", "isinstance", "slice", "map"}) {
      lines.push_back(std::string(function) + "(" + value + ")");
      lines.push_back(std::string(function) + "(" + value + ", 2)");
    }
    for (const char* other : {"1", "-2.5", "'ab'", "[1]", "None"})
      for (const char* op : {"+", "-", "*", "/", "//", "%", "**", "&", "<<", "==", "<", "in", "is not", "or"})
        lines.push_back("(" + value + ") " + op + " " + other);
  }
  expect_answers(
      "import math\nt = torch.arange(6.).view(2, 3)\na = np.arange(6.0).reshape(2, 3)\nx = np.arange(3)\n"
      "th = torch.zeros(1).expand(2**40)\nah = np.broadcast_to(0.0, (2**40,))\ntb = torch.zeros(70000)\n"
      "ab = np.zeros(70000)\nti = torch.arange(3)\nai = np.arange(3)\ntz = torch.zeros(2, 0)\n"
      "az = np.zeros((2, 0))\ntm = torch.zeros(1, dtype=torch.int8).expand(2**62)\n"
      "am = np.broadcast_to(np.int8(0), (2**62,))\n",
      lines, 100);
}

}  // namespace
}  // namespace stridescope

// The reports against the trace they report.
#include "render/report.h"

#include <gtest/gtest.h>

#include "render/found.h"
#include "render/json_checker.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr const char* programs[] = {
    "",
    "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)\nz = y.view(-1)\nz = y.reshape(-1)",
    "y = torch.arange(3).view(3, 1).expand(3, 4)\ny[0, 0] = 7",
    "x = torch.zeros(0, 3)\nx.shape",
    "x = nope(\nimport torch\ny = 1 +",
    "x = torch.arange(10**12).view(10**4, 10**4, 10**4).permute(2, 0, 1)",
    "s = \"quote \\\" and <tag>\"",
    "b = np.zeros(40, dtype=np.int8)\na = np.ndarray((2,), np.int64, b, 13, (-12,))\nc = np.ndarray((2,), np.int64, b, "
    "8)\n"
    "a[0] = 1\nc.shape = (2, 1)\nc.T.tolist()",
    "x = torch.arange(6).view(2, 1, 3)\nx.t_()\nx.transpose_(0, 2)\ny, z = x.unbind(0)[:2]\ny += 1\nx.view(-1)\nx.foo",
    "x = torch.zeros(2**40, 2**20)\ny = x.t()\nx.sum(0)\nx.resize_(3)\nx.view(5)\nx[0, 0] = 1\nprint(y)",
    "x = np.broadcast_to(np.zeros((0, 1)), (0, 2**62))\nx.copy()\nnp.float32(1)\nx.shape\nNone\n'a'\n[x, 1]",
    "\xff\xfe not text \x01",
};

TEST(Report, IsJsonForEveryProgramInBothLanguages) {
  for (const std::string program : programs) {
    const Trace trace = evaluate(program);
    for (const Language language : {Language::english, Language::chinese}) {
      EXPECT_TRUE(Checker(report(trace, language)).whole()) << report(trace, language);
      for (size_t step = 0; step < trace.steps.size(); ++step) {
        const std::string text = elements(trace, {.step = static_cast<int>(step), .language = language});
        EXPECT_TRUE(Checker(text).whole()) << text;
      }
    }
  }
}

TEST(Report, AnOutlineAndASingleStepAreJsonAndTheStepIsThatOfTheWhole) {
  for (const std::string program : programs) {
    const Trace trace = evaluate(program);
    for (const Language language : {Language::english, Language::chinese}) {
      EXPECT_TRUE(Checker(outline(trace, language)).whole()) << outline(trace, language);
      EXPECT_EQ(count(outline(trace, language), "\"line\":"), trace.steps.size());
      const std::string whole = report(trace, language);
      for (int step = -1; step < static_cast<int>(trace.steps.size()); ++step)
        EXPECT_TRUE(trace.steps.empty() || has(whole, step_report(trace, {.step = step, .language = language})));
    }
  }
  EXPECT_EQ(step_report(evaluate(""), {}), "null");
}

TEST(Report, AFixOfThePictureIsTheSpanAndWhatStandsThereThen) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3).t()\ny = x.view(6)");
  const Fix& first = trace.steps[1].error->hints.front().fix.value();
  const std::string report = fix_report(trace, {.step = 1}, {Target::Kind::fix, -1, 0});
  EXPECT_TRUE(Checker(report).whole()) << report;
  EXPECT_TRUE(has(report, "\"span\":[" + std::to_string(first.span.begin) + "," + std::to_string(first.span.end) + "]"));
  EXPECT_TRUE(has(report, "\"replacement\":\"" + first.replacement + "\"")) << report;
  EXPECT_EQ(fix_report(trace, {.step = 0}, {Target::Kind::fix, -1, 0}), "null");
}

TEST(Report, AnOutlineGrowsWithTheProgramNotWithWhatIsAliveInIt) {
  const auto size_with = [](int names) {
    std::string program = "x0 = torch.arange(4).view(2, 2)\n";
    for (int i = 1; i < names; ++i) program += "x" + std::to_string(i) + " = x" + std::to_string(i - 1) + ".t()\n";
    return outline(evaluate(program), Language::english).size();
  };
  EXPECT_LT(size_with(200), 3 * size_with(100));
  EXPECT_TRUE(
      outline(evaluate("if 0: a = 1\nb = 2"), Language::english).ends_with(",\"passed\":[[6,11]],\"output\":[]}"));
  EXPECT_TRUE(outline(evaluate("b = 2"), Language::english).ends_with(",\"passed\":[],\"output\":[]}"));
  const std::string text = outline(evaluate("a, b = torch.arange(4).chunk(2)\nb[0] = 7"), Language::english);
  EXPECT_TRUE(has(text, R"json("targets":["a","b"],"bound":"a (2,):(1,)+0  b (2,):(1,)+2")json")) << text;
  EXPECT_TRUE(has(text, R"("changed":[{"name":"b","values":true,"metadata":false}])")) << text;
  const std::string printed =
      outline(evaluate("print('a', 1, 2.5)\nprint(sep=None, end='', flush=True)"), Language::english);
  EXPECT_TRUE(has(printed, R"("value":"a 1 2.5")")) << printed;
}

TEST(Report, OfDiagnosticsIsAListOfThem) {
  EXPECT_EQ(report(std::vector<Diagnostic>{}, Language::english), "[]");
  std::vector<Diagnostic> problems;
  parse_document("zoom=99&head=x", problems);
  const std::string two = report(problems, Language::english);
  EXPECT_TRUE(Checker(two).whole()) << two;
  EXPECT_NE(two.find("zoom"), std::string::npos);
  EXPECT_NE(two.find("head"), std::string::npos);
}

TEST(Report, TellsEachStepsLayoutAndWhatItIsToItsInput) {
  const std::string text = report(evaluate(programs[1]), Language::english);
  EXPECT_TRUE(has(
      text, R"json("text":"y = x.permute(0, 2, 1)","inside":-1,"round":0,"rounds":0,"call":false,"targets":["y"],)json"
            R"json("mark":"view")json"));
  EXPECT_TRUE(has(text, R"json("layout":"(2, 2, 3):(6, 1, 2)+0")json"));
  EXPECT_TRUE(has(text, R"("mark":"error")"));
  EXPECT_TRUE(has(text, R"("raised":{"type":"RuntimeError","text":"view size is not compatible)"));
  EXPECT_TRUE(has(text, R"("requested":[-1],"sizes":[12])"));
  EXPECT_TRUE(has(text, R"("mark":"copy")"));
}

TEST(Report, ListsTheShapesNearestToTheOneAskedForWithTheirVerdict) {
  const std::string text =
      report(evaluate("y = torch.arange(12).view(2, 3, 2).permute(0, 2, 1)\ny.view(-1)"), Language::english);
  EXPECT_TRUE(has(text, R"("order":"C","views":5,"copies":60,"shapes":[{"sizes":[12],"views":false},)"));
  EXPECT_TRUE(has(text, R"({"sizes":[2,2,3],"views":true})"));
  // In Fortran order the first dimension is the fastest; nothing is listed without elements.
  const std::string fortran =
      report(evaluate("y = np.arange(12).reshape(3, 4)\ny.reshape(12, order='F')"), Language::english);
  EXPECT_TRUE(has(fortran, R"("order":"F","views":15,"copies":50,"shapes":[{"sizes":[12],"views":false},)")) << fortran;
  EXPECT_TRUE(has(fortran, R"({"sizes":[4,3],"views":false},{"sizes":[3,4],"views":true})")) << fortran;
  EXPECT_TRUE(
      has(report(evaluate("torch.zeros(0, 3).view(3, 0)"), Language::english), R"("views":0,"copies":0,"shapes":[])"));
}

TEST(Report, SaysTheLayoutOfEachStepInOtherSystemsWords) {
  const std::string text =
      report(evaluate("y = torch.arange(6).view(2, 3).t()\n1 + 1\ny[0, 0] = 7\nnp.arange(4)[::-1]"), Language::english);
  EXPECT_TRUE(has(
      text,
      R"json("notations":[{"system":"torch","text":"torch.as_strided(s, (3, 2), (1, 3), 0)","why_not":null},)json"));
  EXPECT_TRUE(has(text, R"({"system":"torch","text":null,"why_not":[{"text":"PyTorch has no negative strides"}]})"));
  EXPECT_TRUE(has(text, R"("text":"1 + 1")"));
  EXPECT_TRUE(has(text, R"("notations":[]})"));
}

TEST(Report, NamesTheCellThatTheHeadIsOnAlsoWhereOffsetsAreBytes) {
  const auto cell_of = [](const std::string& program) {
    const std::string text = elements(evaluate(program), {.head = 2});
    const size_t begin = text.find(R"("cell":")") + 8;
    return text.substr(begin, text.find('"', begin) - begin);
  };
  EXPECT_EQ(cell_of("torch.arange(6)[1:]"), "cell:0:3");
  EXPECT_EQ(cell_of("np.arange(6)[1:]"), "cell:0:3");
  EXPECT_EQ(cell_of("np.arange(6, dtype=np.int32)[::-1]"), "cell:0:3");
}

TEST(Report, CallsATensorNewWhoseStorageTheSameLineMade) {
  EXPECT_EQ(relation(evaluate("x = torch.arange(6).view(2, 3)").steps[0]), Relation::fresh);
  EXPECT_EQ(relation(evaluate("x = torch.arange(6).view(2, 3)\ny = x.permute(1, 0).reshape(6).view(3, 2)").steps[1]),
            Relation::copy);
  EXPECT_EQ(relation(evaluate("x = torch.arange(6).view(2, 3)\ny = x.permute(1, 0)").steps[1]), Relation::view);
  EXPECT_EQ(relation(evaluate("x = torch.arange(6)\ny = x").steps[1]), Relation::same);
  EXPECT_EQ(relation(evaluate("x = torch.arange(6)\nx[0] = 1").steps[1]), Relation::write);
  EXPECT_EQ(relation(evaluate("x = torch.arange(6)\nx.shape").steps[1]), Relation::none);
}

TEST(Elements, AreThoseAroundTheHeadInABoundedWindow) {
  const Trace trace = evaluate("y = torch.arange(10**12).view(10**4, 10**4, 10**4).permute(2, 0, 1)");
  const std::string text = elements(trace, {.head = 123'456'789'012});
  EXPECT_TRUE(has(text, R"("count":"1000000000000")"));
  EXPECT_TRUE(has(text, R"("head":{"element":"123456789012","offset":"567890121234","value":)")) << text.substr(0, 700);
  EXPECT_TRUE(has(text, R"("index":["1234","5678","9012"])"));
  EXPECT_TRUE(has(text, R"("rows":{"first":"5674","count":"10000"},"columns":{"first":"9004","count":"10000"})"));
  size_t count = 0;
  for (size_t at = text.find("\"element\""); at != std::string::npos; at = text.find("\"element\"", at + 1)) ++count;
  EXPECT_EQ(count, 8 * 16 + 1u);
}

TEST(Elements, OfScalarsAndOfNothing) {
  EXPECT_TRUE(has(elements(evaluate("x = torch.arange(7, 8).reshape(())"), {}),
                  R"("window":[[{"element":"0","offset":"0","value":"7"}]])"));
  EXPECT_TRUE(has(elements(evaluate("x = torch.arange(0).view(0, 3)"), {}), R"("count":"0","head":null})"));
  EXPECT_EQ(elements(evaluate(""), {}), "null");
  EXPECT_EQ(elements(evaluate("1 + 1"), {}), "null");
}

TEST(Labels, KeepTheirPlaceholders) {
  EXPECT_TRUE(Checker(labels(Language::chinese)).whole());
  EXPECT_TRUE(has(labels(Language::english), R"("label_play":"Play")"));
  EXPECT_TRUE(has(labels(Language::english), R"("label_position":"read {0} of {1}")"));
}

}  // namespace
}  // namespace stridescope

// A picture that asks gives nothing of the answer away.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "promises.h"
#include "stridescope.h"

namespace stridescope {
namespace {

ViewState asking(int step, int op = -1) {
  ViewState view;
  view.step = step;
  view.op = op;
  view.ask = true;
  view.figures = figure_all | figure_before | figure_sharing;
  return view;
}

/// Everything that can be read in a picture, and in its other forms.
std::vector<std::string> texts(const Trace& trace, const ViewState& view) {
  const Scene scene = draw(trace, view);
  std::vector<std::string> list{scene.title, scene.description, alt_text(scene), plain_text(trace, view),
                                html(trace, {{view, scene}}, "", "")};
  for (const Item& item : scene.items)
    if (const auto* text = std::get_if<Text>(&item.shape)) list.push_back(text->text);
  return list;
}

bool mentions(const std::vector<std::string>& texts, std::string_view what) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(what) != std::string::npos; });
}

TEST(Question, IsTheSamePictureWhateverCameOfTheOperation) {
  // Two programs that differ in nothing but what comes of their last line.
  const std::string line = "\ny = x.view(-1)";
  for (const auto& [works, fails] : {std::pair("x = torch.arange(6).view(2, 3)", "x = torch.arange(6).view(3, 2).t()"),
                                     {"x = torch.zeros(4, 4)", "x = torch.zeros(4, 4).t()"}}) {
    const std::vector<std::string> kinds{"view", "copy", "RuntimeError", "contiguous subspaces", "reshape"};
    for (const char* program : {works, fails}) {
      const auto said = texts(evaluate(program + line), asking(1));
      EXPECT_FALSE(mentions(said, "RuntimeError")) << program;
      EXPECT_FALSE(mentions(said, "subspaces")) << program;
      EXPECT_FALSE(mentions(said, "reshape")) << program;
      EXPECT_TRUE(mentions(said, "(?):(?)")) << program;
    }
  }
}

TEST(Question, HoldsNoneOfTheAnswersNumbers) {
  struct Case {
    const char *program, *shown;
    std::vector<const char*> answers;
  };
  for (const auto& [program, shown, answers] : {
           Case{"x = torch.arange(35).view(5, 7)\ny = x.t()", "(5, 7):(7, 1)", {"(7, 5)", "(1, 7)", "not contiguous"}},
           Case{"x = torch.arange(35).view(5, 7)\ny = x[2:4, 1:]", "(5, 7):(7, 1)", {"(2, 6)", "+15"}},
           Case{"x = np.arange(35).reshape(5, 7)\ny = x[::-1]", "(5, 7):(56, 8)", {"-56", "+224", "byte 224"}},
           Case{"x = torch.arange(35)\nx[3] = 777\nx.add_(1000)", "(35,):(1,)", {"1777"}},
           Case{"x = torch.arange(35)\ny = x.view(5, 8)", "(35,):(1,)", {"RuntimeError", "invalid"}},
           Case{"x = torch.arange(35)\nx.is_contiguous()", "(35,):(1,)", {"True"}},
           Case{"x = torch.arange(35).view(5, 7)\nx.t_()", "(5, 7):(7, 1)", {"(7, 5)", "(1, 7)"}},
       }) {
    const Trace trace = evaluate(program);
    const auto last = static_cast<int>(trace.steps.size()) - 1;
    ViewState answered = asking(last);
    answered.ask = false;
    const auto said = texts(trace, asking(last)), truth = texts(trace, answered);
    EXPECT_TRUE(mentions(said, shown)) << program;
    for (const char* answer : answers) {
      EXPECT_FALSE(mentions(said, answer)) << program << " tells " << answer;
      EXPECT_TRUE(mentions(truth, answer)) << program << " would not tell " << answer << " in any case";
    }
  }
}

TEST(Question, OfALineWithNothingBeforeItIsTheLineAndAQuestionMark) {
  for (const char* program :
       {"x = torch.arange(6)", "np.zeros((2, 3))", "x = 5", "x.t()", "x = torch.arange(", "y = ("}) {
    const Trace trace = evaluate(program);
    const Scene scene = draw(trace, asking(0));
    check_promises(scene);
    EXPECT_EQ(scene.title, trace.steps.at(0).text);
    EXPECT_TRUE(mentions(texts(trace, asking(0)), "(?):(?)")) << program;
    EXPECT_EQ(subject(trace, asking(0)).object, -1) << program;
  }
}

TEST(Question, OfAnOperationInsideALineIsAboutWhatItIsAppliedTo) {
  const Trace trace = evaluate("y = torch.arange(12).view(3, 4).t().reshape(-1)");
  ASSERT_EQ(trace.steps[0].applied.size(), 4u);
  const auto said = texts(trace, asking(0, 2));
  EXPECT_TRUE(mentions(said, "(3, 4):(4, 1)"));
  EXPECT_FALSE(mentions(said, "(4, 3)"));
  EXPECT_TRUE(mentions(texts(trace, asking(0, 3)), "(4, 3):(1, 4)"));
}

TEST(Question, ShowsTheValuesBeforeTheWrite) {
  const Trace trace = evaluate("x = torch.zeros(3)\ny = torch.zeros(3).add_(7)\nx.fill_(9)");
  const auto values = [&](int step, bool ask) {
    ViewState view = asking(step);
    view.ask = ask;
    const std::string all = elements(trace, view);
    const size_t at = all.find("\"value\":\"") + 9;
    return all.substr(at, all.find('"', at) - at);
  };
  EXPECT_EQ(values(1, true), "?");  // made in the very line that writes to it
  EXPECT_EQ(values(1, false), "7.0");
  EXPECT_EQ(values(2, true), "0.0");
  EXPECT_EQ(values(2, false), "9.0");
}

TEST(Question, HasNothingToBeDoneByHand) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()");
  EXPECT_EQ(gestures(trace, asking(1)), "null");
  EXPECT_EQ(shapes(trace, asking(1), 2), "null");
  EXPECT_NE(rewritten(trace, asking(1), "permute 1 0").find("refused"), std::string::npos);
}

TEST(Question, KeepsThePromisesOfEveryPicture) {
  std::mt19937_64 random(11);  // NOLINT: the same pictures every time
  const Trace trace = evaluate(
      "x = torch.arange(24).view(2, 3, 4)\ny = x.permute(2, 0, 1)\nz = y.view(-1)\nz = y.reshape(-1)\ny[0] = 5\n"
      "w = z\na = np.arange(10**12)[::-2]\nb, c = x.split(1)\nx.sum()\nq = nonesuch(1)\ne = torch.zeros(0, 3).t()");
  for (int i = 0; i < 600; ++i) {
    ViewState view = asking(static_cast<int>(random() % trace.steps.size()), static_cast<int>(random() % 4) - 1);
    view.width = px(320 + static_cast<double>(random() % 1400));
    view.height = random() % 2 ? px(300 + static_cast<double>(random() % 900)) : 0;
    view.head = static_cast<int64_t>(random() % 30);
    view.language = static_cast<Language>(random() % 2);
    check_promises(draw(trace, view));
    if (testing::Test::HasFatalFailure()) FAIL() << to_text({"", view}, true);
  }
}

}  // namespace
}  // namespace stridescope

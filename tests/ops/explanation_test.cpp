// What every explanation has, in both languages, on success and on failure.
#include "ops/explanation.h"

#include <gtest/gtest.h>

#include <set>

#include "ops/program.h"
#include "ops/variants.h"

namespace stridescope {
namespace {

constexpr Language languages[] = {Language::english, Language::chinese};

std::vector<Message> said_by(const Applied& op) {
  std::vector<Message> said = op.why.lines;
  if (!op.error) return said;
  said.push_back(op.error->reason);
  for (const Hint& hint : op.error->hints) said.push_back(hint.message);
  return said;
}

void expect_words_and_a_way_out(const Applied& op, const std::string& program) {
  EXPECT_TRUE(op.error || !op.why.lines.empty()) << op.title << "\n" << program;
  EXPECT_TRUE(!op.error || !op.error->raised || !op.error->hints.empty()) << op.title << "\n" << program;
}

void expect_sentences_whole_and_once(const Applied& op, const std::string& program) {
  for (const Language language : languages) {
    std::set<std::string> sentences;
    for (const Message& message : said_by(op)) {
      const std::string sentence = plain(message, language);
      EXPECT_FALSE(sentence.empty()) << program;
      EXPECT_TRUE(sentences.insert(sentence).second) << sentence << "\n" << program;
      for (const stridescope::Run& run : words(message, language))
        EXPECT_TRUE(run.text != "?" && run.text.find('{') == std::string::npos) << sentence << "\n" << program;
    }
  }
}

void expect_to_point_with_words_not_with_a_digit(const Applied& op, const std::string& program) {
  for (const Message& message : op.why.lines)
    for (const Language language : languages)
      for (const stridescope::Run& run : words(message, language))
        EXPECT_TRUE(run.target.kind == Target::Kind::none ||
                    run.text.find_first_not_of("-0123456789") != std::string::npos)
            << plain(message, language) << "\n"
            << program;
}

TEST(Explanation, OfEveryVariantOfEveryRowKeepsItsPromises) {
  int successes = 0, failures = 0;
  for (const Op* row : operation_table())
    for (const std::string& program : variants(*row)) {
      const Trace trace = evaluate(program);
      for (const Step& step : trace.steps)
        for (const Applied& op : step.applied) {
          ++(op.error ? failures : successes);
          expect_words_and_a_way_out(op, program);
          expect_sentences_whole_and_once(op, program);
          expect_to_point_with_words_not_with_a_digit(op, program);
        }
    }
  EXPECT_GT(successes, 3000);
  EXPECT_GT(failures, 1000);
}

/// Whether the last operation of a program says that its values come of stand-ins.
bool warns(const std::string& program) {
  const Trace trace = evaluate(program);
  const auto& lines = trace.steps.back().applied.back().why.lines;
  EXPECT_FALSE(trace.steps.back().error) << program;
  return std::any_of(lines.begin(), lines.end(), [](const Message& line) { return line.id == Msg::of_stand_ins; });
}

TEST(Explanation, TellsOfValuesThatComeOfStandIns) {
  for (const char* program : {"r = torch.rand(3)\nr + 1", "r = torch.rand(3)\nr.sum()", "r = torch.rand(3)\nr.clone()",
                              "r = torch.rand(3)\nx = torch.zeros(3)\nx.copy_(r)\nx * 2", "torch.rand(3).mean().item()",
                              "lin = torch.nn.Linear(2, 3)\nlin(torch.ones(2))", "r = np.random.rand(3)\nr * 2",
                              "r = np.random.rand(3)\nnp.sort(r)"})
    EXPECT_TRUE(warns(program)) << program;
  // A view shows what its storage says; sizes are sizes; and nothing of a random number is left in zeros.
  for (const char* program : {"torch.rand(3)", "r = torch.rand(2, 3)\nr.t()", "r = torch.rand(3)\nr.numel()",
                              "r = torch.rand(3)\ntorch.zeros_like(r)", "x = torch.arange(3)\nx + 1"})
    EXPECT_FALSE(warns(program)) << program;
}

bool says(const Applied& op, Msg id) {
  for (const Message& message : said_by(op))
    if (message.id == id) return true;
  return false;
}

TEST(Explanation, OfAViewSaysWhatItKeepsAliveAndWhichCellsAreShared) {
  EXPECT_TRUE(says(Ran("x = torch.arange(24).view(4, 6)\nx[1:3].t()").last().applied.back(), Msg::storage_kept));
  EXPECT_TRUE(says(Ran("x = np.arange(24).reshape(4, 6)\nx[1:3].T").last().applied.back(), Msg::np_view_keeps));
  EXPECT_FALSE(says(Ran("x = torch.arange(24).view(4, 6)\nx.t()").last().applied.back(), Msg::storage_kept));
  const Ran windows("x = torch.arange(6)\nx.unfold(0, 3, 1)");
  EXPECT_EQ(plain(windows.last().applied.back().why.lines[3], Language::english),
            "Elements 1 and 3, counted row by row, are both cell 1.");
  EXPECT_TRUE(says(Ran("x = torch.arange(3)\nx.expand(2, 3).t()").last().applied.back(), Msg::shared_write_refused));
}

TEST(Explanation, OfAChangeInPlaceSaysWhatTheTensorWasAndIs) {
  for (const char* line : {"x.t_()", "x.unsqueeze_(0)", "x.transpose_(0, 1)", "x.resize_(3, 2)"})
    EXPECT_TRUE(
        says(Ran("x = torch.arange(6).view(2, 3)\n" + std::string(line)).last().applied.back(), Msg::in_place_recipe))
        << line;
}

TEST(Explanation, OfAFailingViewSaysItsReasonOnce) {
  const Ran run("x = torch.arange(6).view(2, 3).t()\nx.view(6)");
  EXPECT_EQ(run.last().error->reason.id, Msg::view_fails);
  EXPECT_FALSE(says(run.last().applied.back(), Msg::view_crack));
}

/// The program with the first fix of its last step put in.
std::string fixed(const std::string& program) {
  const Ran run(program);
  if (!run.last().error) return "no error";
  for (const Hint& hint : run.last().error->hints)
    if (hint.fix)
      return program.substr(0, static_cast<size_t>(hint.fix->span.begin)) + hint.fix->replacement +
             program.substr(static_cast<size_t>(hint.fix->span.end));
  return "no fix";
}

TEST(Hint, NamesWhatWasProbablyMeant) {
  EXPECT_EQ(fixed("x = torch.arange(6)\nx.sum(dmi=0)"), "x = torch.arange(6)\nx.sum(dim=0)");
  EXPECT_EQ(fixed("torch.zeros(3, dtype=torch.flaot32)"), "torch.zeros(3, dtype=torch.float32)");
  EXPECT_EQ(fixed("torch.zeros(3, dtype='float32')"), "torch.zeros(3, dtype=torch.float32)");
  EXPECT_EQ(fixed("np.zeros(3, dtype='flaot32')"), "np.zeros(3, dtype='float32')");
  EXPECT_EQ(fixed("x = torch.zeros(1, 2, 3, 4)\nx.contiguous(memory_format='channels_lsat')"),
            "x = torch.zeros(1, 2, 3, 4)\nx.contiguous(memory_format=torch.channels_last)");
  EXPECT_EQ(fixed("x = torch.arange(6)\nx.veiw(2, 3)"), "x = torch.arange(6)\nx.view(2, 3)");
  EXPECT_EQ(fixed("xs = np.arange(6)\nxz.T"), "xs = np.arange(6)\nxs.T");
}

TEST(Hint, PutsTheNearestNumberInPlace) {
  for (const std::string program :
       {"x = torch.arange(6).view(2, 3)\nx.transpose(0, 2)", "x = torch.arange(6).view(2, 3)\nx.sum(-3)",
        "x = torch.arange(6).view(2, 3)\nx.select(1, 3)", "x = torch.arange(6)\nx.unfold(0, 7, 1)",
        "x = torch.arange(6).view(2, 3)\nx.narrow(1, 1, 3)", "x = np.arange(6).reshape(2, 3)\nnp.moveaxis(x, 0, 2)"}) {
    EXPECT_FALSE(Ran(fixed(program)).last().error) << fixed(program);
  }
}

TEST(Hint, MakesALineOfWhatIsTriedAsOne) {
  const std::string x = "x = torch.arange(6).view(2, 3).t()\n";
  EXPECT_EQ(fixed(x + "torch.isin(torch.arange(3), x)"), x + "torch.isin(torch.arange(3), x.contiguous())");
  EXPECT_EQ(fixed(x + "torch.take_along_dim(x[:, :2], torch.tensor([1, 2]))"),
            x + "torch.take_along_dim(x[:, :2].contiguous(), torch.tensor([1, 2]))");
  EXPECT_EQ(fixed(x + "torch.isin(torch.arange(3), test_elements=x)"), "no fix");
  EXPECT_EQ(fixed(x + "torch.isin(torch.arange(3), x + 1)"), "no fix");
  const Ran run(x + "torch.isin(torch.arange(3), x)");
  const auto& attempt = run.last().applied.back().attempt;
  ASSERT_TRUE(attempt);
  EXPECT_EQ(attempt->tensor->object, run.tensor("x")->object) << "the picture is of it";
  EXPECT_EQ(attempt->sizes, Dims{6});
  EXPECT_TRUE(Ran(x + "torch.isin(torch.arange(3.), x)").last().applied.back().attempt) << "converted it lies alike";
  EXPECT_EQ(Ran(x + "torch.isin(torch.arange(3.), x[:, :1].expand(3, 2))").error(), "") << "converted it is packed";
}

TEST(Hint, LetsAReshapeCopyAtOneClick) {
  const std::string program = "x = np.arange(6).reshape(2, 3).T\nnp.reshape(x, 6, copy=False)";
  EXPECT_FALSE(Ran(fixed(program)).last().error) << fixed(program);
  EXPECT_FALSE(Ran(fixed("x = np.arange(6).reshape(2, 3).T\nnp.array(x, order='C', copy=False)")).last().error);
}

TEST(Hint, FindsSizesOfAsManyElements) {
  const Ran run("x = torch.arange(24)\nx.view(4, 5)");
  EXPECT_EQ(plain(run.last().error->hints.front().message, Language::english), "(4, 6) would make 24 elements.");
  for (const std::string program :
       {"x = torch.arange(24)\nx.view(4, 5)", "x = torch.arange(24)\nx.t().reshape((4, 5)).sum()",
        "x = np.arange(24)\nx.reshape([4, 5])", "x = np.arange(24)\nx.shape = 4, 5"})
    EXPECT_FALSE(Ran(fixed(program)).last().error) << fixed(program);
  EXPECT_FALSE(Ran("x = np.arange(24)\nx.reshape(4, 5, order='F')").last().error->hints.front().fix)
      << "the order would be lost";
}

TEST(Explanation, SaysWhichOfSeveralResultsTakesWhichMemory) {
  const auto said = [](const char* program) {
    std::string all;
    const Ran run(program);
    for (const Message& line : run.last().applied.back().why.lines) all += plain(line, Language::english) + "\n";
    return all;
  };
  const std::string torch = said("x = torch.arange(6).view(2, 3)\nx.max(1)");
  EXPECT_NE(torch.find("Result [0] takes a new storage: 2 cells"), std::string::npos) << torch;
  EXPECT_NE(torch.find("Result [1] takes a new storage: 2 cells"), std::string::npos) << torch;
  const std::string numpy = said("x = np.arange(6)\nnp.divmod(x, 2)");
  EXPECT_NE(numpy.find("Result [1] takes new memory of its own: 48 bytes"), std::string::npos) << numpy;
  EXPECT_EQ(said("x = torch.arange(6)").find("Result"), std::string::npos);
}

TEST(Relation, OfAValueThatIsNoTensorIsNone) {
  EXPECT_EQ(relation(Ran("A = torch.arange(6).view(2, 3)\nid(A) == id(A.t())").last()), Relation::none);
  EXPECT_EQ(relation(Ran("A = np.arange(6)\nA[1:].shape").last()), Relation::none);
  EXPECT_EQ(relation(Ran("A = torch.arange(6)\nA.view(2, 3)").last()), Relation::view);
  EXPECT_EQ(relation(Ran("A = np.arange(6)\n[A, A.flags][0]").last()), Relation::same);
  EXPECT_EQ(relation(Ran("A = np.arange(6)\n[A[1:], A.flags][0]").last()), Relation::view);
  EXPECT_EQ(relation(Ran("A = np.arange(6)\n[A.copy(), A.flags][0]").last()), Relation::copy);
}

}  // namespace
}  // namespace stridescope

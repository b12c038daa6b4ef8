// What is offered in place of a copy is held to by running it.
#include <set>

#include "layout/access_path.h"
#include "layout/small_layouts.h"
#include "layout/view_oracle.h"
#include "ops/program.h"

namespace stridescope {
namespace {

std::string repaired(const std::string& source, const Fix& fix) {
  std::string text = source;
  text.replace(static_cast<size_t>(fix.span.begin), static_cast<size_t>(fix.span.end - fix.span.begin),
               fix.replacement);
  return text;
}

std::string listed(const Dims& sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

/// Programs whose last line asks for sizes that have no view, in every way of writing that there is.
std::vector<std::string> failing_programs() {
  std::vector<std::string> programs;
  for (const Dims& sizes : {Dims{2, 6}, Dims{2, 3, 2}})
    for_each_permutation(sizes.size(), [&](const Dims& dims) {
      const std::string packed = "torch.arange(" + std::to_string(*numel(sizes)) + ").view(" + listed(sizes) + ")";
      const std::string permuted = ".permute(" + listed(dims) + ")";
      for (const Dims& wanted : shapes_of(*numel(sizes))) {
        if (wanted.size() > 2) continue;
        for (const std::string& start :
             {"x = " + packed + permuted + "\nx.", "x = " + packed + "\nx" + permuted + ".",
              "x = " + packed + "\n(x" + permuted + ").",
              "x = " + packed + "\ny = x.flatten()\ny.view(" + listed(sizes) + ")  " + permuted + "\\\n  ."})
          for (const std::string& end : {"view(" + listed(wanted) + ")", "view((" + listed(wanted) + ",))",
                                         "view_as(torch.zeros(" + listed(wanted) + "))"})
            if (const Ran ran(start + end); ran.last().error) programs.push_back(start + end);
      }
    });
  return programs;
}

TEST(WithoutCopy, EveryFixOfAFailingViewMakesItSucceedAndSaysTheTruthAboutCopyingAndOrder) {
  std::set<Msg> seen;
  const auto programs = failing_programs();
  ASSERT_GT(programs.size(), 100u);
  for (const std::string& program : programs) {
    const Ran failed(program);
    const Applied& op = failed.last().applied.back();
    ASSERT_TRUE(op.attempt) << program;
    ASSERT_GE(failed.last().error->hints.size(), 2u);
    for (const Hint& hint : failed.last().error->hints) {
      ASSERT_TRUE(hint.fix) << program;
      seen.insert(hint.message.id);
      const std::string fixed = repaired(program, *hint.fix);
      const Ran ran(fixed);
      ASSERT_EQ(ran.error(), "") << fixed;
      const TensorPtr result = tensor_of(ran.last().value);
      ASSERT_TRUE(result);
      const bool copies = hint.message.id == Msg::hint_reshape || hint.message.id == Msg::hint_contiguous;
      EXPECT_EQ(result->storage->id != ran.tensor("x")->storage->id, copies) << fixed;
      if (hint.message.id == Msg::hint_nearest_shape) continue;
      EXPECT_EQ(result->layout.sizes, op.attempt->sizes) << fixed;
      if (copies) continue;
      // "element {1} is cell {2} then, not cell {3}", and none before it differs.
      const int64_t element = std::stoll(hint.message.args.at(1).text);
      const AccessPath now(result->layout), asked(op.attempt->tensor->layout);
      for (int64_t i = 0; i < element; ++i) EXPECT_EQ(now.offset(i), asked.offset(i)) << fixed;
      EXPECT_EQ(std::to_string(now.offset(element)), hint.message.args[2].text);
      EXPECT_EQ(std::to_string(asked.offset(element)), hint.message.args[3].text);
      EXPECT_NE(hint.message.args[2].text, hint.message.args[3].text);
    }
  }
  EXPECT_EQ(seen, (std::set<Msg>{Msg::hint_reshape, Msg::hint_contiguous, Msg::other_order_in_cells,
                                 Msg::hint_nearest_shape}));
}

TEST(WithoutCopy, OrdersOfOperationsNamedBesideACopyRunAsViewsOfTheSameSizes) {
  for (const char* program : {"x = torch.arange(24).view(2, 3, 4)\ny = x.permute(2, 0, 1).reshape(6, 4)",
                              "x = torch.arange(24).view(4, 6).t()\ny = x.flatten()",
                              "x = torch.arange(24).view(2, 3, 4)\ny = x.transpose(0, 2).ravel()",
                              "x = np.arange(24).reshape(4, 6).T\ny = x.reshape(8, 3)",
                              "x = np.arange(24).reshape(2, 3, 4)\ny = x.transpose(2, 0, 1).reshape(-1)"}) {
    const Ran copied(program);
    ASSERT_EQ(copied.relation(), Relation::copy) << program;
    int named = 0;
    for (const Message& line : copied.last().applied.back().why.lines) {
      if (line.id != Msg::other_order_in_cells && line.id != Msg::other_order_in_bytes) continue;
      ++named;
      const std::string source = program;
      const Ran ran(source.substr(0, source.find('\n')) + "\ny = " + line.args.at(0).text);
      ASSERT_EQ(ran.error(), "") << line.args[0].text;
      EXPECT_EQ(ran.tensor("y")->layout.sizes, copied.tensor("y")->layout.sizes);
      EXPECT_EQ(ran.tensor("y")->storage, ran.tensor("x")->storage) << line.args[0].text;
    }
    EXPECT_GE(named, 1) << program;
  }
}

TEST(WithoutCopy, TheFirstViewThenPermuteIsOfferedWhereTheChainBeganWithAPermute) {
  const Ran run("x = torch.arange(12).view(2, 3, 2)\nx.permute(0, 2, 1).view(4, 3)");
  std::set<std::string> codes;
  for (const Hint& hint : run.last().error->hints)
    if (hint.message.id == Msg::other_order_in_cells) codes.insert(hint.message.args[0].text);
  EXPECT_EQ(codes, (std::set<std::string>{"x.view(4, 3)", "x.view(3, 4).transpose(0, 1)"}));
}

TEST(WithoutCopy, TheShapeSetterAndViewsAsAnotherTypeHaveFixesThatWork) {
  for (const std::string program :
       {"x = np.arange(12).reshape(3, 4).T\nx.shape = 12",
        "x = np.arange(12).reshape(3, 4).T\nx.shape = (2, -1)   # flat",
        "x = torch.arange(12, dtype=torch.int32).view(2, 6).t()\nx.contiguous().t().view(torch.int64)",
        "x = torch.arange(6, dtype=torch.int32)[1:5]\nx.view(torch.int64)",
        "x = np.arange(12).reshape(3, 4)[:, ::2]\nx.view(np.int32)"}) {
    const Ran failed(program);
    ASSERT_TRUE(failed.last().error) << program;
    int fixes = 0;
    for (const Hint& hint : failed.last().error->hints) {
      if (!hint.fix) continue;
      ++fixes;
      const std::string fixed = repaired(program, *hint.fix);
      EXPECT_EQ(Ran(fixed).error(), "") << fixed;
    }
    EXPECT_GE(fixes, 1) << program;
  }
}

TEST(WithoutCopy, NoFixIsMadeUpWhereTheTextDoesNotAllowOne) {
  for (const char* program :
       {"x = torch.arange(6).view(2, 3).t()\ny = [z.view(6) for z in (x,)]",
        "x = np.arange(6).reshape(2, 3).T\n[x][0].shape = 6", "x = np.arange(6).reshape(2, 3).T\nx.shape = y = 6"}) {
    const Ran failed(program);
    ASSERT_TRUE(failed.last().error) << program;
    for (const Hint& hint : failed.last().error->hints) {
      if (!hint.fix) continue;
      const std::string fixed = repaired(program, *hint.fix);
      EXPECT_EQ(Ran(fixed).error(), "") << fixed;
    }
  }
}

}  // namespace
}  // namespace stridescope

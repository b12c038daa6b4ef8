#include <set>
#include <string>
#include <vector>

#include "ops/op.h"
#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Table, EveryExampleRunsWithoutAnErrorAndEndsWithItsRow) {
  for (const Op* op : operation_table()) {
    if (std::string_view(op->example).find("np.") != std::string_view::npos &&
        find_forms(Library::numpy, Form::Kind::function, "numpy.arange").empty())
      continue;
    const Ran run{std::string(op->example)};
    ASSERT_TRUE(run.trace.diagnostics.empty()) << op->example;
    for (const Step& step : run.trace.steps)
      EXPECT_FALSE(step.error) << op->example << "\n"
                               << (step.error && step.error->raised ? step.error->raised->text : "");
    bool used = false;
    for (const Applied& applied : run.last().applied) used |= applied.op == op;
    EXPECT_TRUE(used) << op->signatures << "\n" << op->example;
  }
}

TEST(Table, EveryRowThatMakesATensorSaysWhyInBothLanguages) {
  for (const Op* op : operation_table()) {
    const Ran run{std::string(op->example)};
    for (const Applied& applied : run.last().applied) {
      if (applied.op != op || applied.relation == Relation::none) continue;
      ASSERT_FALSE(applied.why.lines.empty()) << op->example;
      for (const Message& line : applied.why.lines)
        for (const Language language : {Language::english, Language::chinese}) {
          const std::string text = plain(line, language);
          EXPECT_FALSE(text.empty()) << op->example;
          EXPECT_EQ(text.find('?'), std::string::npos) << op->example << ": " << text;
        }
    }
  }
}

TEST(Table, AFormIsFoundByItsLibraryKindAndNameAmongAllThatShareThem) {
  const auto alike = [](const Form& a, const Form& b) {
    return a.op->library == b.op->library && a.kind == b.kind && a.name == b.name;
  };
  for (const Form& form : forms()) {
    std::vector<const Form*> expected;
    for (const Form& other : forms())
      if (alike(form, other)) expected.push_back(&other);
    const auto found = find_forms(form.op->library, form.kind, form.name);
    EXPECT_EQ(std::vector<const Form*>(found.begin(), found.end()), expected) << form.text;
    EXPECT_TRUE(find_forms(form.op->library, form.kind, std::string(form.name) + "?").empty());
  }
}

TEST(Table, EverySignatureGivesANameAndParametersWithoutRepeats) {
  for (const Form& form : forms()) {
    EXPECT_FALSE(form.name.empty()) << form.text;
    EXPECT_EQ(form.name.find(' '), std::string::npos) << form.text;
    std::set<std::string_view> names;
    for (const Parameter& parameter : form.parameters) {
      EXPECT_FALSE(parameter.name.empty()) << form.text;
      EXPECT_TRUE(names.insert(parameter.name).second) << form.text << " has " << parameter.name << " twice";
    }
  }
}

TEST(Signature, TellsAMethodFromAFunctionAnAttributeASubscriptAndAnOperator) {
  const Op op{};
  const auto kind = [&](std::string_view text) { return parse_signature(op, text).kind; };
  const auto name = [&](std::string_view text) { return parse_signature(op, text).name; };
  EXPECT_EQ(kind("x.permute(*dims: int)"), Form::Kind::method);
  EXPECT_EQ(kind("np.flip(m, axis=None)"), Form::Kind::function);
  EXPECT_EQ(name("np.flip(m, axis=None)"), "numpy.flip");
  EXPECT_EQ(kind("x.T"), Form::Kind::attribute);
  EXPECT_EQ(kind("x.shape = sizes"), Form::Kind::setter);
  EXPECT_EQ(kind("x[key]"), Form::Kind::subscript);
  EXPECT_EQ(kind("x[key] = value"), Form::Kind::store);
  EXPECT_EQ(kind("a + b"), Form::Kind::binary);
  EXPECT_EQ(kind("a <= b"), Form::Kind::binary);
  EXPECT_EQ(kind("a += b"), Form::Kind::in_place);
  EXPECT_EQ(name("a **= b"), "**");
  EXPECT_EQ(kind("-a"), Form::Kind::prefix);
  EXPECT_EQ(name("x.storage().size()"), "storage.size");
  EXPECT_EQ(name("x.storage()[i]"), "storage[]");
}

TEST(Signature, ReadsTypesDefaultsAndKeywordOnlyParameters) {
  const Op op{};
  const Form form = parse_signature(op, "torch.zeros(*size: int, dtype: dtype = None, shape: ints = (1, 2))");
  ASSERT_EQ(form.parameters.size(), 3u);
  EXPECT_TRUE(form.parameters[0].variadic);
  EXPECT_EQ(form.parameters[0].type, "int");
  EXPECT_TRUE(form.parameters[1].keyword_only);
  EXPECT_EQ(form.parameters[1].fallback, "None");
  EXPECT_EQ(form.parameters[2].fallback, "(1, 2)");
}

}  // namespace
}  // namespace stridescope

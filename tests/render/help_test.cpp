#include "render/help.h"

#include <gtest/gtest.h>

#include "ops/op.h"
#include "render/found.h"
#include "render/json_checker.h"

namespace stridescope {
namespace {

TEST(Operations, ListEveryFormOfEveryRowInBothLanguages) {
  for (const Language language : {Language::english, Language::chinese}) {
    const std::string text = operations(language);
    EXPECT_TRUE(Checker(text).whole());
    size_t signatures = 0;
    for (size_t at = text.find("\"signature\""); at != std::string::npos; at = text.find("\"signature\"", at + 1))
      ++signatures;
    EXPECT_EQ(signatures, forms().size());
  }
  EXPECT_TRUE(has(
      operations(Language::english),
      R"json({"kind":"method","name":"permute","signature":"x.permute(*dims: int)","parameters":[{"name":"dims","type":"int","default":null,"variadic":true,"keyword_only":false,"span":[10,20]}]})json"));
}

TEST(Operations, AParametersSpanIsItsTextInTheSignature) {
  for (const Form& form : forms())
    for (size_t p = 0; p < form.parameters.size(); ++p) {
      const Span span = span_in_text(form, p);
      const std::string_view text =
          form.text.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
      EXPECT_TRUE(has(std::string(text), std::string(form.parameters[p].name))) << form.text;
      EXPECT_TRUE(text.ends_with(form.parameters[p].fallback)) << form.text << ": " << text;
      EXPECT_EQ(text.starts_with('*'), form.parameters[p].variadic) << form.text << ": " << text;
    }
}

TEST(Complete, IsJsonOfWhatFits) {
  const std::string source = "x = torch.arange(6)\nx.permut";
  const std::string text = complete(source, 28, Language::english);
  EXPECT_TRUE(Checker(text).whole());
  EXPECT_TRUE(has(
      text,
      R"json({"replaced":[22,28],"items":[{"kind":"method","text":"permute","detail":"","forms":[{"signature":"x.permute(*dims: int)","operation":)json"))
      << text;
  EXPECT_EQ(complete("'", 1, Language::chinese), R"({"replaced":[1,1],"items":[]})");
  EXPECT_TRUE(has(complete("xyz = 3\nxyz", 11, Language::english),
                  R"json({"kind":"variable","text":"xyz","detail":"3","forms":[],"summary":""})json"));
}

TEST(SignatureHelp, IsJsonOfTheCallAndItsParameter) {
  const std::string text = signature_help("x = torch.arange(6)\nx.permute(", 30, Language::english);
  EXPECT_TRUE(Checker(text).whole());
  EXPECT_TRUE(
      has(text, R"json({"callee":[20,29],"active":0,"forms":[{"signature":"x.permute(*dims: int)","operation":)json"))
      << text;
  EXPECT_TRUE(has(text, R"("parameter":0,"summary":)")) << text;
  EXPECT_TRUE(has(signature_help("torch.promote_types(1, 2, 3", 27, Language::english), R"("parameter":null)"));
  EXPECT_EQ(signature_help("x", 1, Language::english), "null");
}

}  // namespace
}  // namespace stridescope

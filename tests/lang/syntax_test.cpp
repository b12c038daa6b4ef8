#include "lang/syntax.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace stridescope {
namespace {

Span span(int32_t begin, int32_t end) { return {begin, end}; }

/// The parts in words: "for:word 12:number".
std::string told(std::string_view source) {
  static const char* kinds[] = {"word", "number", "string", "comment"};
  std::string text;
  for (const auto& [kind, span] : syntax(source))
    text += (text.empty() ? "" : " ") +
            std::string(source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin))) +
            ":" + kinds[static_cast<size_t>(kind)];
  return text;
}

TEST(Syntax, WordsNumbersStringsAndCommentsStandOut) {
  EXPECT_EQ(told("import torch  # the library\nx = torch.arange(12.5, dtype='f4')\n"),
            "import:word # the library:comment 12.5:number 'f4':string");
  EXPECT_EQ(told("x = y if None is not z else 1_000"), "if:word None:word is:word not:word else:word 1_000:number");
  EXPECT_EQ(told("# one\n# two"), "# one:comment # two:comment");
}

TEST(Syntax, ASignInsideAStringIsNoComment) { EXPECT_EQ(told("s = 'a # b'  # c"), "'a # b':string # c:comment"); }

TEST(Syntax, AStringThatIsBeingWrittenIsOneAlready) { EXPECT_EQ(told("s = 'abc\nx = 1"), "'abc:string 1:number"); }

TEST(Syntax, OfAnyBytesThePartsAreInOrderAndApart) {
  std::mt19937 random(1);
  const std::string_view letters = "ab1.'\"#\n\r ()[]\\for\xE5\xBC\xA0\xFF";
  for (int n = 0; n < 20'000; ++n) {
    std::string source;
    for (auto length = random() % 24; length > 0; --length) source += letters[random() % letters.size()];
    int32_t end = 0;
    for (const auto& [kind, span] : syntax(source)) {
      ASSERT_GE(span.begin, end) << source;
      ASSERT_GT(span.end, span.begin) << source;
      end = span.end;
    }
    ASSERT_LE(end, static_cast<int32_t>(source.size())) << source;
    for (int at = 0; at <= static_cast<int>(source.size()); ++at)
      if (const auto both = brackets_at(source, at)) {
        ASSERT_TRUE(both->first.end == at || both->first.begin == at) << source;
        ASSERT_EQ(brackets_at(source, both->second.end)->second, both->first) << source;
      }
  }
}

TEST(Syntax, ABracketIsFoundWithItsMateFromEitherSide) {
  const std::string_view source = "f(a[0])";
  EXPECT_EQ(brackets_at(source, 1), std::pair(span(1, 2), span(6, 7)));
  EXPECT_EQ(brackets_at(source, 2), std::pair(span(1, 2), span(6, 7)));
  EXPECT_EQ(brackets_at(source, 6), std::pair(span(5, 6), span(3, 4)));  // the one before it
  EXPECT_EQ(brackets_at(source, 5), std::pair(span(5, 6), span(3, 4)));
  EXPECT_EQ(brackets_at("(a", 1), std::nullopt);
  EXPECT_EQ(brackets_at("ab", 1), std::nullopt);
}

TEST(TakesSuffix, WhereNothingWouldBindLessTightly) {
  for (const char* whole : {"y", "x.t()", "x[0, 1:]", "f(x * 2)", "(x * 2)", "torch.ones(3).view(-1)"})
    EXPECT_TRUE(takes_suffix(whole)) << whole;
  for (const char* apart : {"", "x * 2", "-x", "x if c else y", "input=x", "x @ y.t()"})
    EXPECT_FALSE(takes_suffix(apart)) << apart;
}

}  // namespace
}  // namespace stridescope

#include "scene/lettering.h"

#include <gtest/gtest.h>

#include <random>

namespace stridescope {
namespace {

TEST(Printable, KeepsWordsOfAnyLanguage) {
  EXPECT_EQ(printable("y = x.permute(0, 2, 1)"), "y = x.permute(0, 2, 1)");
  EXPECT_EQ(printable("存储 é 😀"), "存储 é 😀");
}

TEST(Printable, PutsLinesAndTabsOnOneLine) { EXPECT_EQ(printable("a\r\nb\tc\rd"), "a b c d"); }

TEST(Printable, ShowsControlCharactersAsTheirPictures) { EXPECT_EQ(printable(std::string("\0\x1b\x7f", 3)), "␀␛␡"); }

TEST(Printable, SpellsOutWhatCouldTurnOrHideText) {
  EXPECT_EQ(printable("a\u202Eb"), "a\\u202eb");
  EXPECT_EQ(printable("a\u200Bb"), "a\\u200bb");
  EXPECT_EQ(printable("\U000E0041"), "\\U000e0041");
}

TEST(Printable, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\uFFFD");
  EXPECT_EQ(printable("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong "/"
  EXPECT_EQ(printable("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(printable("\xe4\xbd"), "\uFFFD\uFFFD");            // cut short
}

TEST(Printable, AnyBytesBecomeTextThatIsPrintableAsItIs) {
  std::mt19937 random(1);
  for (int k = 0; k < 20'000; ++k) {
    std::string bytes;
    for (size_t i = random() % 12; i > 0; --i)
      bytes += static_cast<char>(random() % 3 == 0 ? random() % 128 : random() % 256);
    const std::string text = printable(bytes);
    ASSERT_EQ(printable(text), text);
    for (char c : text) ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  }
}

TEST(TextWidth, CountsLatinAsSixTenthsAndCjkAsOneEm) {
  EXPECT_EQ(text_width("abc", px(10)), px(18));
  EXPECT_EQ(text_width("存储", px(10)), px(20));
  EXPECT_EQ(text_width("e\u0301", px(10)), px(6));
  EXPECT_EQ(text_width("", px(10)), 0);
}

TEST(Shortened, FitsAndSaysThatSomethingIsMissing) {
  EXPECT_EQ(shortened("abcdef", px(10), px(36)), "abcdef");
  EXPECT_EQ(shortened("abcdef", px(10), px(35)), "abcd…");
  EXPECT_EQ(shortened("ab cdef", px(10), px(24)), "ab…");
  EXPECT_EQ(shortened("abcdef", px(10), px(5)), "");
}

TEST(Wrapped, LinesFitAndLoseNothing) {
  const std::string text =
      "One step in the new dimension would have to be the same distance everywhere 连续的维度才能合并，否则不行。 "
      "a_very_long_name_without_blanks";
  for (int width = 60; width < 800; width += 7) {
    std::string joined;
    for (const std::string& line : wrapped(text, px(10), px(width), 1000)) {
      ASSERT_LE(text_width(line, px(10)), px(width));
      joined += line;
    }
    std::string blanks_removed = text;
    std::erase(blanks_removed, ' ');
    std::erase(joined, ' ');
    ASSERT_EQ(joined, blanks_removed);
  }
}

TEST(Wrapped, MoreThanTheLinesAllowedEndInAnEllipsis) {
  const auto lines = wrapped("one two three four five six", px(10), px(60), 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "one two");
  EXPECT_EQ(lines[1], "three fou…");
}

TEST(Wrapped, DoesNotBeginALineWithAFullStop) {
  for (const std::string& line : wrapped("这些维度能合并。那些维度不能合并。", px(10), px(70), 9))
    EXPECT_NE(line.substr(0, 3), "。");
}

}  // namespace
}  // namespace stridescope

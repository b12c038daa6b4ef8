#include "scene/lettering.h"

#include <gtest/gtest.h>

#include <random>

#include "lang/utf8.h"

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

TEST(Printable, SpellsOutTheFirstAndTheLastOfEachRangeAndKeepsTheirNeighbours) {
  const auto utf8 = [](char32_t code) {
    std::string text;
    append_utf8(text, code);
    return text;
  };
  const auto hidden = [&](int code) {
    const std::string text = utf8(static_cast<char32_t>(code));
    return printable(text) != text;
  };
  for (const int code : {0xAD,   0x61C,   0x180E,  0x200B, 0x200F, 0x2028, 0x202E, 0x2060, 0x206F, 0xFEFF, 0xFFF9,
                         0xFFFB, 0xE0000, 0xE0FFF, 0x80,   0x9F,   0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE})
    EXPECT_TRUE(hidden(code)) << code;
  for (const int code : {0xA0, 0xAE, 0x61D, 0x180F, 0x200A, 0x2010, 0x2027, 0x202F, 0x205F, 0x2070, 0xFEFE, 0xFF00,
                         0xFFF8, 0xFFFC, 0xDFFFD, 0xE1000, 0xFDCF, 0xFDF0, 0x10FFFD})
    EXPECT_FALSE(hidden(code)) << code;
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond the last character";
  EXPECT_EQ(printable("\xf0\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "overlong";

  const auto width = [&](int code) { return text_width(utf8(static_cast<char32_t>(code)), px(10)); };
  for (const int code : {0x300, 0x36F, 0x1AB0, 0x1AFF, 0x1DC0, 0x1DFF, 0x20D0, 0x20FF, 0xFE00, 0xFE0F, 0xFE20, 0xFE2F})
    EXPECT_EQ(width(code), 0) << code;
  for (const int code : {0x1100, 0x115F, 0x2E80, 0xA4CF, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30, 0xFE6F, 0xFF00, 0xFF60,
                         0xFFE0, 0xFFE6, 0x1F300, 0x1FAFF, 0x20000, 0x3FFFD})
    EXPECT_EQ(width(code), px(10)) << code;
  for (const int code : {0x2FF,  0x370,  0x1AAF, 0x1B00, 0x1DBF, 0x1E00,  0x20CF,  0x2100,  0xFE10,
                         0xFE1F, 0x10FF, 0x1160, 0x2E7F, 0xA4D0, 0xABFF,  0xD7A4,  0xF8FF,  0xFB00,
                         0xFE70, 0xFEFE, 0xFF61, 0xFFDF, 0xFFE7, 0x1F2FF, 0x1FB00, 0x1FFFF, 0x3FFFE})
    EXPECT_EQ(width(code), px(6)) << code;
}

TEST(Wrapped, OfWhatDoesNotFitNothingIsLeft) {
  EXPECT_TRUE(wrapped("   ", px(10), px(100), 5).empty());
  EXPECT_TRUE(wrapped("存储", px(10), px(5), 5).empty());
  EXPECT_EQ(wrapped("  ab cd", px(10), px(15), 5), (std::vector<std::string>{"ab", "cd"}));
}

}  // namespace
}  // namespace stridescope

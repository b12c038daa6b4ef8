#include "lang/utf8.h"

#include <gtest/gtest.h>

namespace stridescope {
namespace {

TEST(Utf8, EveryCharacterIsReadBackAsItWasWritten) {
  for (char32_t character = 0; character <= 0x10FFFF; ++character) {
    if (character == 0xD800) character = 0xE000;
    std::string text;
    append_utf8(text, character);
    const CodePoint code = decode(text, 0);
    ASSERT_TRUE(code.valid && code.value == character && static_cast<size_t>(code.bytes) == text.size())
        << static_cast<uint32_t>(character);
  }
}

TEST(Utf8, OverlongFormsSurrogatesAndCutOffCharactersAreInvalid) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE4\xB8", "\xE4\xB8x", "\xF0\x9F\x98"}) {
    EXPECT_FALSE(decode(text, 0).valid) << text;
    EXPECT_EQ(decode(text, 0).bytes, 1);
  }
}

TEST(Utf8, AnExcerptIsOneShortLineOfValidText) {
  EXPECT_EQ(excerpt("x.view(2, 3)"), "x.view(2, 3)");
  EXPECT_EQ(excerpt("a\nb\xff"), "a\uFFFDb\uFFFD");
  EXPECT_EQ(excerpt("a\x7f"), "a\uFFFD");
  EXPECT_EQ(excerpt("0123456789", 10), "0123456789");
  EXPECT_EQ(excerpt("0123456789a", 10), "0123456...");
  EXPECT_EQ(excerpt("\u5f20\u91cf\u5f20\u91cf", 10), "\u5f20\u91cf...");
}

TEST(Utf8, LettersOfAllScriptsNameThingsAndPunctuationDoesNot) {
  for (const char32_t letter : {U'\u00e9', U'\u03b1', U'\u0416', U'\u5f20', U'\u3042', U'\ud55c', U'\u2113', U'\u1e9e',
                                U'\u00aa', U'\u2071', U'\u207f', U'\u2095', U'\u3105', U'\uac00', U'\ufb01',
                                U'\U00010400', U'\U0001D400', U'\U00020000', U'\U000E0100'})
    EXPECT_TRUE(is_letter_beyond_ascii(letter));
  for (const char32_t other :
       {U'\u00a0',     U'\u00d7', U'\u2019', U'\u2192',     U'\u3000',     U'\u3001',    U'\uff0c', U'\uff08',
        U'\U0001F600', U'\uFFFD', U'\u200B', U'\u00b0',     U'\u2153',     U'\u20ac',    U'\u3003', U'a',
        U'\ue000',     U'\ufe00', U'\ufeff', U'\U00032400', U'\U000E0200', U'\U0010FFFF'}) {
    EXPECT_FALSE(is_letter_beyond_ascii(other)) << static_cast<uint32_t>(other);
  }
}

}  // namespace
}  // namespace stridescope

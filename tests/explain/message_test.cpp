#include "explain/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

namespace stridescope {
namespace {

struct Entry {
  std::string_view id, text;
};
constexpr Entry english[] = {
#define MESSAGE(id, text) {#id, text},
#include "explain/english.inc"
#undef MESSAGE
};
constexpr Entry chinese[] = {
#define MESSAGE(id, text) {#id, text},
#include "explain/chinese.inc"
#undef MESSAGE
};

/// The argument numbers a template uses; a malformed placeholder yields -1.
std::set<int> placeholders(std::string_view text) {
  std::set<int> result;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    if (text.substr(at).starts_with("{{")) {
      at += 2;
      continue;
    }
    const size_t close = text.find('}', at);
    if (close == std::string_view::npos) return {-1};
    const std::string_view inside = text.substr(at + 1, close - at - 1);
    std::string_view number = inside.substr(0, inside.find('|'));
    if (number.ends_with(',')) number.remove_suffix(1);
    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    const auto bars = std::count(inside.begin(), inside.end(), '|');
    if (!digits || (bars != 0 && bars != 2)) return {-1};
    result.insert(std::stoi(std::string(number)));
    at = close;
  }
  return result;
}

bool has_han(std::string_view text) {
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0xE4 && byte <= 0xE9) return true;
  }
  return false;
}

/// Letters outside placeholders and code: what a translator would have to translate.
bool has_words(std::string_view text) {
  bool code = false;
  int depth = 0;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if (!code && depth == 0 && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return true;
  }
  return false;
}

TEST(Catalogue, BothLanguagesHaveTheSameIdsInTheSameOrder) {
  ASSERT_EQ(std::size(english), std::size(chinese));
  for (size_t i = 0; i < std::size(english); ++i) EXPECT_EQ(english[i].id, chinese[i].id);
}

TEST(Catalogue, BothLanguagesUseTheSameArguments) {
  for (size_t i = 0; i < std::size(english); ++i) {
    const std::set<int> used = placeholders(english[i].text);
    EXPECT_FALSE(used.contains(-1)) << english[i].id;
    EXPECT_EQ(used, placeholders(chinese[i].text)) << english[i].id;
    const int numbers = used.empty() ? 0 : *used.rbegin() + 1;
    EXPECT_EQ(numbers, static_cast<int>(used.size())) << english[i].id << " skips a number";
  }
}

TEST(Catalogue, CodeMarksComeInPairs) {
  for (const auto& catalogue : {std::span<const Entry>(english), std::span<const Entry>(chinese)}) {
    for (const Entry& entry : catalogue)
      EXPECT_EQ(std::count(entry.text.begin(), entry.text.end(), '`') % 2, 0) << entry.id;
  }
}

TEST(Catalogue, EverySentenceWithWordsIsTranslated) {
  for (size_t i = 0; i < std::size(english); ++i) {
    EXPECT_FALSE(has_han(english[i].text)) << english[i].id;
    EXPECT_EQ(has_words(english[i].text), has_han(chinese[i].text)) << chinese[i].id;
  }
}

TEST(Words, NoPlaceholderIsLeftInAnyMessageOfAnyLanguage) {
  for (size_t i = 0; i < std::size(english); ++i) {
    const Message message{static_cast<Msg>(i), {"7", "7", "7", "7", "7", "7", "7", "7", "7", "7", "7", "7"}};
    for (const Language language : {Language::english, Language::chinese}) {
      const std::string text = plain(message, language);
      EXPECT_EQ(text.find('`'), std::string::npos) << text;
      for (int n = 0; n < 12; ++n) EXPECT_EQ(text.find("{" + std::to_string(n)), std::string::npos) << text;
    }
  }
}

TEST(Words, AnArgumentIsNeverReadAsATemplate) {
  EXPECT_EQ(plain({Msg::plain_text, {"{0} `{1|a|b}` {{"}}, Language::english), "{0} `{1|a|b}` {{");
}

TEST(Words, CountsThatAreLongHaveTheirDigitsInGroups) {
  EXPECT_EQ(plain({Msg::readout_read, {999, 1'000'000}}, Language::english), "read 999 of 1\u00A0000\u00A0000");
  EXPECT_EQ(plain({Msg::fresh_storage, {4096, 4, 1024}}, Language::chinese),
            "新的存储：1\u00A0024 个单元 × 4 字节 = 4\u00A0096 字节。");
  EXPECT_EQ(plain({Msg::path_back, {"?"}}, Language::english), "back ? times");
}

TEST(Words, AMissingArgumentShowsAsAQuestionMark) { EXPECT_EQ(plain({Msg::plain_text, {}}, Language::english), "?"); }

TEST(Words, AnArgumentWithATargetIsARunOfItsOwn) {
  const Target cell{Target::Kind::cell, 0, 12};
  const Line line = fill("{0} {0|element|elements} of `{1}.T` {{}", {{"3", cell}, {"x", {}}});
  ASSERT_EQ(line.size(), 4u);
  EXPECT_EQ(line[0].text, "3");
  EXPECT_EQ(line[0].target, cell);
  EXPECT_EQ(line[1].text, " elements of ");
  EXPECT_EQ(line[1].target, Target{});
  EXPECT_FALSE(line[1].code);
  EXPECT_EQ(line[2].text, "x.T");
  EXPECT_TRUE(line[2].code);
  EXPECT_EQ(line[3].text, " {}");
}

TEST(Words, APluralChoosesByWhetherItsArgumentIsOne) {
  const auto counted = [](int n) { return fill("{0|cell|cells}", {{std::to_string(n), {}}})[0].text; };
  EXPECT_EQ(counted(1), "cell");
  EXPECT_EQ(counted(0), "cells");
  EXPECT_EQ(counted(21), "cells");
}

}  // namespace
}  // namespace stridescope

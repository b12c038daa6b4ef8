#include <gtest/gtest.h>

#include <random>

#include "stridescope.h"

namespace stridescope {
namespace {

struct Read {
  Document document;
  std::vector<Diagnostic> problems;
};

Read read(std::string_view text) {
  Read result;
  result.document = parse_document(text, result.problems);
  return result;
}

std::vector<Msg> reasons(std::string_view text) {
  std::vector<Msg> result;
  for (const Diagnostic& problem : read(text).problems) result.push_back(problem.reason.id);
  return result;
}

TEST(Document, LinksOfVersionOneStayAsTheyAre) {
  Document document;
  EXPECT_EQ(to_text(document), "v=1");
  document.source = "x = torch.arange(6).view(2, 3)\ny = x.t()  # \u8f6c\u7f6e";
  document.view.step = 1;
  document.view.op = 0;
  document.view.head = 4;
  document.view.figures = figure_strip | figure_path;
  document.view.labels = Labels::order;
  document.view.coloring = Coloring::row;
  document.view.bytes = true;
  document.view.theme = ThemeId::dark;
  document.view.language = Language::chinese;
  document.view.hover = {Target::Kind::cell, 0, 4};
  document.view.phase = 0.25;
  document.view.words = false;
  document.view.width = px(640);
  document.view.height = px(480);
  const std::string lasting =
      "v=1&code=x%20%3D%20torch.arange(6).view(2%2C%203)%0Ay%20%3D%20x.t()%20%20%23%20%E8%BD%AC%E7%BD%AE&step=1&op=0&"
      "head=4"
      "&figures=strip%2Cpath&labels=order&colour=row&unit=bytes&theme=dark&lang=zh";
  EXPECT_EQ(to_text(document), lasting);
  EXPECT_EQ(to_text(document, true), lasting + "&hover=cell%3A0%3A4&phase=0.25&words=beside&width=64000&height=48000");
  const Read again = read("#" + to_text(document, true));
  EXPECT_EQ(again.document, document);
  EXPECT_TRUE(again.problems.empty());
}

TEST(Document, LinksToAQuestionStayAsTheyAre) {
  const std::string link = "v=1&code=x%20%3D%20torch.arange(6)%0Ay%20%3D%20x.view(2%2C%203)&step=1&ask=yes";
  const Read question = read(link);
  EXPECT_TRUE(question.problems.empty());
  EXPECT_TRUE(question.document.view.ask);
  EXPECT_EQ(to_text(question.document), link);
  EXPECT_FALSE(read("v=1&code=x&ask=no").document.view.ask);
}

TEST(Document, EveryDocumentIsReadBackAsItWasWritten) {
  std::mt19937_64 random(3);  // NOLINT: the same documents every time
  const auto below = [&](uint64_t n) { return random() % n; };
  for (int i = 0; i < 5'000; ++i) {
    Document document;
    for (auto n = below(60); n > 0; --n) document.source += static_cast<char>(static_cast<unsigned char>(below(256)));
    ViewState& view = document.view;
    view.step = static_cast<int>(below(300)) - 1;
    view.op = static_cast<int>(below(5)) - 1;
    view.head = static_cast<int64_t>(random() >> (1 + below(62)));
    view.pan = static_cast<int64_t>(random() >> (1 + below(62))) - 1;
    view.figures = static_cast<uint8_t>(below(16));
    view.labels = static_cast<Labels>(below(4));
    view.coloring = static_cast<Coloring>(below(5));
    view.bytes = below(2) == 1;
    view.zoom = static_cast<int>(below(2 * max_zoom + 1)) - max_zoom;
    view.ask = below(2) == 1;
    view.theme = static_cast<ThemeId>(below(3));
    view.language = static_cast<Language>(below(2));
    view.phase = below(3) == 0 ? 0 : static_cast<double>(random()) / 18446744073709551616.0;
    view.words = below(2) == 1;
    view.hover =
        parse_target(i % 2 == 0 ? "" : "element:" + std::to_string(below(9)) + ":" + std::to_string(below(1'000'000)));
    view.width = static_cast<Unit>(px(1) + static_cast<Unit>(below(500'000)));
    view.height = static_cast<Unit>(below(500'000));
    const std::string text = to_text(document, true);
    const Read again = read(text);
    ASSERT_EQ(again.document, document) << text;
    ASSERT_TRUE(again.problems.empty()) << text;

    Document lasting = document;
    lasting.view.hover = {};
    lasting.view.phase = 0;
    lasting.view.words = true;
    lasting.view.width = ViewState{}.width;
    lasting.view.height = ViewState{}.height;
    ASSERT_EQ(read(to_text(document)).document, lasting) << text;
  }
}

TEST(Document, TheLongestProgramFitsHoweverItIsEncoded) {
  Document document{std::string(max_source_bytes, '\xe5'), {}};
  EXPECT_EQ(read(to_text(document, true)).document, document);
}

TEST(Document, DecodingIsThatOfDecodeUriComponent) {
  EXPECT_EQ(read("code=a+b").document.source, "a+b");
  EXPECT_EQ(read("code=a b(c)").document.source, "a b(c)");
  EXPECT_EQ(read("code=%41%e4%B8%ad=%3d").document.source, "A\u4e2d==");
  EXPECT_EQ(read("code=").document, Document{});
  EXPECT_EQ(read("").document, Document{});
  EXPECT_EQ(read("#").document, Document{});
  EXPECT_TRUE(read("#&&&").problems.empty());
}

TEST(Document, WhatIsUnreadableIsReportedAndLeftAtItsDefault) {
  for (const char* text : {"step=-2",
                           "step=x",
                           "step=",
                           "step",
                           "step=1.5",
                           "step=2147483648",
                           "step= 1",
                           "step=+1",
                           "op=-2",
                           "head=-1",
                           "head=1e3",
                           "head=NaN",
                           "head=9223372036854775808",
                           "head=99999999999999999999999999",
                           "figures=strip,,path",
                           "figures=Strip",
                           "figures=strip%20",
                           "labels=values",
                           "labels=",
                           "colour=red",
                           "unit=bits",
                           "ask=",
                           "ask=1",
                           "ask=Yes",
                           "ask=yes%00",
                           "theme=Dark",
                           "lang=fr",
                           "hover=cell:0",
                           "hover=%00",
                           "phase=NaN",
                           "phase=-0.5",
                           "phase=1.01",
                           "phase=1e999",
                           "phase=inf",
                           "phase=",
                           "words=no",
                           "words=",
                           "width=0",
                           "width=-1",
                           "width=99999999",
                           "width=NaN",
                           "height=-1",
                           "v=one",
                           "v=0",
                           "v=",
                           "v=-1"}) {
    EXPECT_EQ(reasons(text), std::vector{Msg::link_value}) << text;
    EXPECT_EQ(read(text).document, Document{}) << text;
  }
  for (const char* text :
       {"code=%", "code=%4", "code=%zz", "code=a%2", "step=%3", "code=%+1", "code=%-1", "code=%0x"}) {
    EXPECT_EQ(reasons(text), std::vector{Msg::link_percent}) << text;
    EXPECT_EQ(read(text).document, Document{}) << text;
  }
}

TEST(Document, OneBadValueDoesNotSpoilTheRest) {
  const Read result = read("#v=1&code=x&step=oops&theme=dark&labels=?");
  EXPECT_EQ(result.document.source, "x");
  EXPECT_EQ(result.document.view.theme, ThemeId::dark);
  ASSERT_EQ(result.problems.size(), 2u);
  EXPECT_EQ(result.problems[0].span, (Span{12, 21}));
}

TEST(Document, OfAKeyGivenTwiceTheFirstCounts) {
  EXPECT_EQ(reasons("step=1&step=2"), std::vector{Msg::link_twice});
  EXPECT_EQ(read("step=1&step=2").document.view.step, 1);
  EXPECT_TRUE(reasons("unknown=1&unknown=2").empty());
  EXPECT_TRUE(reasons("hover=").empty());
}

TEST(Document, NothingIsReadOfALaterVersion) {
  for (const char* text : {"v=2&code=x", "code=x&v=2", "v=99999999999999999999&code=x"}) {
    EXPECT_EQ(reasons(text), std::vector{Msg::link_newer}) << text;
    EXPECT_EQ(read(text).document, Document{}) << text;
  }
}

TEST(Document, ATextThatIsTooLongIsReportedAndNotRead) {
  const std::string text = "v=1&code=" + std::string(max_document_bytes, 'x');
  EXPECT_EQ(reasons(text), std::vector{Msg::link_too_long});
  EXPECT_EQ(read(text).document, Document{});
}

TEST(Document, MessagesQuoteHostileValuesAsShortValidText) {
  const Read result = read("theme=%ff%00%0a" + std::string(5000, 'a'));
  ASSERT_EQ(result.problems.size(), 1u);
  const std::string text = plain(result.problems[0].reason, Language::english);
  EXPECT_LT(text.size(), 100u);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(Document, TwoThatDifferInOneThingDiffer) {
  Document plain;
  plain.source = "x = torch.arange(6)";
  const std::vector<void (*)(Document&)> changes = {
      [](Document& d) { d.source = "y = 1"; },
      [](Document& d) { d.view.step = 1; },
      [](Document& d) { d.view.op = 2; },
      [](Document& d) { d.view.head = 3; },
      [](Document& d) { d.view.pan = 4; },
      [](Document& d) { d.view.phase = 0.5; },
      [](Document& d) { d.view.figures = figure_grid; },
      [](Document& d) { d.view.labels = Labels::order; },
      [](Document& d) { d.view.coloring = Coloring::row; },
      [](Document& d) { d.view.ask = true; },
      [](Document& d) { d.view.bytes = true; },
      [](Document& d) { d.view.line = 64; },
      [](Document& d) { d.view.zoom = 2; },
      [](Document& d) {
        d.view.hover = {Target::Kind::cell, 0, 4};
      },
      [](Document& d) { d.view.words = false; },
      [](Document& d) { d.view.width = px(640); },
      [](Document& d) { d.view.height = px(480); },
      [](Document& d) { d.view.theme = ThemeId::dark; },
      [](Document& d) { d.view.language = Language::chinese; },
  };
  for (size_t k = 0; k < changes.size(); ++k) {
    Document changed = plain;
    changes[k](changed);
    EXPECT_NE(changed, plain) << k;
    EXPECT_NE(to_text(changed, true), to_text(plain, true)) << k;
    EXPECT_EQ(read(to_text(changed, true)).document, changed) << k;
  }
}

}  // namespace
}  // namespace stridescope

#include <gtest/gtest.h>

#include "stridescope.h"

namespace stridescope {
namespace {

std::vector<Document> documents() {
  std::vector<Document> list;
  std::string every_byte;
  for (int c = 1; c < 256; ++c) every_byte += static_cast<char>(c);
  for (const std::string& source :
       {std::string("x = torch.arange(6).view(2, 3)\ny = x.t()\n"), std::string(),
        std::string("s = ')\" data-stridescope=\"v=1' # /Keywords (stridescope:v=1)\n"),
        std::string("# \xE4\xB8\xAD\xE6\x96\x87 (((\\\n"), every_byte, std::string(max_source_bytes, '(')}) {
    Document document{source, {}};
    list.push_back(document);
    document.view.step = 1;
    document.view.figures = figure_strip | figure_before;
    document.view.theme = ThemeId::dark;
    document.view.width = px(640);
    document.view.height = px(300);
    list.push_back(document);
  }
  return list;
}

/// A picture in each of the containers that core knows to read.
std::vector<std::string> pictures(const Document& document) {
  const Trace trace = evaluate(document.source);
  const std::string text = carried(document);
  const Scene scene = draw(trace, document.view);
  return {svg(scene, document.view.theme, text), html(trace, {{document.view, scene}}, "", text),
          animated_svg({scene}, 100, document.view.theme, text),
          "%PDF-1.4\n1 0 obj\n<< /Title (x)\n   /Keywords (stridescope:" + text + ")\n>>\nendobj\n%%EOF\n"};
}

TEST(Carried, APictureGivesBackItsDocument) {
  for (const Document& document : documents())
    for (const std::string& picture : pictures(document)) {
      ASSERT_TRUE(is_picture(picture));
      const auto found = document_in(picture);
      ASSERT_TRUE(std::holds_alternative<Document>(found))
          << plain(std::get<Message>(found), Language::english) << picture.substr(0, 200);
      EXPECT_EQ(std::get<Document>(found), document);
    }
}

TEST(Carried, HoldsNothingThatEndsAStringAnywhere) {
  for (const Document& document : documents())
    for (const char c : carried(document))
      EXPECT_TRUE((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  std::string_view("-_.!~*'%&=").find(c) != std::string_view::npos)
          << c;
}

TEST(Carried, WhatBelongsToAMomentIsNotKept) {
  Document document{"x = torch.arange(3)", {}};
  const std::string before = carried(document);
  document.view.phase = 0.5;
  document.view.hover = parse_target("cell:0:1");
  EXPECT_EQ(carried(document), before);
}

TEST(Carried, PicturesOfOthersAreToldFromDamagedOnes) {
  const auto why = [](std::string_view bytes) {
    const auto found = document_in(bytes);
    return std::holds_alternative<Message>(found) ? std::get<Message>(found).id : Msg::plain_text;
  };
  for (const char* foreign : {"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<!doctype html><p>v=1&amp;code=x",
                              "%PDF-1.7\n/Keywords (v=1)"}) {
    EXPECT_TRUE(is_picture(foreign));
    EXPECT_EQ(why(foreign), Msg::figure_foreign) << foreign;
  }
  for (const char* damaged : {"<svg data-stridescope=\"v=1&amp;code=%", "<svg data-stridescope=\"\">",
                              "<svg data-stridescope=\"code=x\">", "<svg data-stridescope=\"v=1&amp;step=-7\">",
                              "<svg data-stridescope=\"v=2\">", "%PDF-1.4 /Keywords (stridescope:v=1"}) {
    EXPECT_TRUE(is_picture(damaged));
    EXPECT_EQ(why(damaged), Msg::figure_damaged) << damaged;
  }
}

TEST(Carried, NoPrefixOfAPictureIsTakenForAnotherDocument) {
  const Document document{"x = torch.arange(6).view(2, 3)\ny = x.t()\n", {}};
  for (const std::string& picture : pictures(document))
    for (size_t size = 0; size < picture.size(); size += 7) {
      const std::string_view part = std::string_view(picture).substr(0, size);
      if (!is_picture(part)) continue;
      const auto found = document_in(part);
      const auto* whole = std::get_if<Document>(&found);
      EXPECT_TRUE(!whole || *whole == document) << size;
    }
}

TEST(Carried, NoProgramIsTakenForAPicture) {
  for (const char* program : {"", "x = 1", "import torch", "# <svg", "x = '<svg>'", "\xEF\xBB\xBFx = 1"})
    EXPECT_FALSE(is_picture(program)) << program;
}

TEST(Opened, APictureIsItsDocumentAndTextIsAProgram) {
  Document document{"x = torch.arange(6)\n", {}};
  document.view.step = 0;
  for (const std::string& picture : pictures(document))
    EXPECT_EQ(opened(picture, Language::english), R"({"document":"v=1&code=x%20%3D%20torch.arange(6)%0A&step=0"})");
  EXPECT_EQ(opened("x = 1\n", Language::english), R"({"code":"x = 1\u000a"})");
  EXPECT_EQ(opened(">>> x = 1\n>>> x\n1\n", Language::english), R"({"code":"x = 1\u000ax"})");
}

TEST(Opened, WhatIsNeitherIsRefusedInOneSentence) {
  for (const std::string& file :
       {std::string("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), std::string("%PDF-1.4\n"),
        std::string("\xFF\xD8\xFF jpeg"), std::string("a\0b", 3), std::string(max_source_bytes + 1, 'x'),
        std::string("<svg data-stridescope=\"v=1&code=%")})
    EXPECT_TRUE(opened(file, Language::chinese).starts_with(R"({"refused":[{"text":)")) << file.substr(0, 40);
}

}  // namespace
}  // namespace stridescope

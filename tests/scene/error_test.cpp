// What a picture of a failure says under "What works".
#include <gtest/gtest.h>

#include <string>

#include "stridescope.h"

namespace stridescope {
namespace {

size_t count_of(const std::string& text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

TEST(Error, AnExampleStandsOnceAndIsSaidToBeOne) {
  const Trace trace = evaluate("import torch.nn.functional as F\nx = torch.arange(6.)\ny = F.group_norm(x, (0, 1))");
  const auto drawn = [&](Language language) {
    return svg(draw(trace, {.step = 2, .width = px(1280), .language = language}), ThemeId::light);
  };
  for (const auto& [language, label] :
       {std::pair{Language::english, ">For example<"}, std::pair{Language::chinese, ">例如<"}}) {
    const std::string picture = drawn(language);
    EXPECT_EQ(count_of(picture, "F.group_norm(x, 2)"), 1u) << picture;
    EXPECT_EQ(count_of(picture, label), 1u) << picture;
  }
}

TEST(Error, WhatANarrowPictureCutsFromACodeItSaysBelow) {
  const Trace trace = evaluate("import torch.nn.functional as F\nx = torch.arange(6.)\ny = F.group_norm(x, (0, 1))");
  const std::string picture = svg(draw(trace, {.step = 2, .width = px(360)}), ThemeId::light);
  EXPECT_EQ(count_of(picture, ">For example: import torch"), 1u) << picture;
  EXPECT_EQ(count_of(picture, "F.group_norm(x, 2)"), 1u) << picture;
}

TEST(Error, WhatAFixCostsIsSaidBesideItWithoutItsCode) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3).t()\ny = x.view(6)");
  const std::string picture = svg(draw(trace, {.step = 1, .width = px(1280)}), ThemeId::light);
  EXPECT_EQ(count_of(picture, ">x.reshape(6)<"), 1u) << picture;
  EXPECT_EQ(count_of(picture, ">copies where it must: 48 bytes"), 1u) << picture;
}

TEST(Error, WhatAFixStandsOnIsAboutThatFix) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3).t()\ny = x.view(6)");
  const Scene scene = draw(trace, {.step = 1, .width = px(360)});
  size_t fixes = 0;
  for (const Item& item : scene.items) {
    const auto* text = std::get_if<Text>(&item.shape);
    if (!text || text->text.rfind("x.", 0) != 0) continue;
    const Fix* fix = fix_at(trace, {.step = 1}, hit(scene, text->at));
    ASSERT_TRUE(fix) << text->text;
    std::string source = trace.source;
    source.replace(static_cast<size_t>(fix->span.begin), static_cast<size_t>(fix->span.end - fix->span.begin),
                   fix->replacement);
    EXPECT_EQ(source, "x = torch.arange(6).view(2, 3).t()\ny = " + text->text);
    ++fixes;
  }
  EXPECT_EQ(fixes, trace.steps[1].error->hints.size());
  EXPECT_FALSE(fix_at(trace, {.step = 1}, {Target::Kind::fix, -1, 99}));
  EXPECT_FALSE(fix_at(trace, {.step = 0}, {Target::Kind::fix, -1, 0}));
  EXPECT_FALSE(fix_at(trace, {.step = 1}, {}));
}

}  // namespace
}  // namespace stridescope

#include "render/png.h"

#include <gtest/gtest.h>

#include "stridescope.h"

namespace stridescope {
namespace {

std::string small_png() {
  const std::array<Color, 256> palette{};
  return png(Image{.frame = {0, 0, px(1), px(1)}, .columns = 2, .rows = 2, .shades = {0, 1, 2, 3}}, palette);
}

TEST(Png, GivesBackTheTextPutIntoIt) {
  const std::string picture = with_text(small_png(), "Stridescope", "v=1&code=x");
  EXPECT_TRUE(is_png(picture));
  const PngText found = text_in(picture, "Stridescope");
  EXPECT_FALSE(found.damaged);
  EXPECT_EQ(found.text, "v=1&code=x");
  EXPECT_EQ(text_in(picture, "Strides").text, std::nullopt);
  EXPECT_FALSE(text_in(small_png(), "Stridescope").damaged);
}

TEST(Png, TakesAsManyBlocksAsItNeedsAndReadsTextsByTheirWholeKeyword) {
  std::array<Color, 256> palette{};
  for (size_t k = 0; k < palette.size(); ++k) palette[k] = {static_cast<uint8_t>(k), 0, 0, 255};
  const Image image{
      .frame = {0, 0, px(1), px(1)}, .columns = 300, .rows = 300, .shades = std::vector<uint8_t>(90'000, uint8_t{7})};
  EXPECT_GT(png(image, palette).size(), 90'000u);
  const std::string keyword_alone = with_text(small_png(), "Strides", "");
  EXPECT_EQ(text_in(keyword_alone, "Strides").text, "");
  EXPECT_EQ(text_in(keyword_alone, std::string_view("Strides\0", 8)).text, std::nullopt);
}

TEST(Png, WithADocumentIsTheDocument) {
  const Document document{"x = torch.arange(6).view(2, 3)\n", {}};
  const std::string picture = carrying(small_png(), carried(document));
  const auto found = document_in(picture);
  ASSERT_TRUE(std::holds_alternative<Document>(found));
  EXPECT_EQ(std::get<Document>(found), document);
}

TEST(Png, EveryChangedByteOfTheTextAndEveryMissingEndIsNoticed) {
  const Document document{"x = torch.arange(6).view(2, 3)\n", {}};
  const std::string plain_picture = small_png(), picture = carrying(plain_picture, carried(document));
  constexpr size_t header = 33;
  const size_t chunk = picture.size() - plain_picture.size();
  for (size_t at = header + 4; at < header + chunk; ++at) {
    std::string changed = picture;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    const auto found = document_in(changed);
    EXPECT_TRUE(std::holds_alternative<Message>(found)) << at;
  }
  for (size_t size = 8; size < header + chunk; ++size)
    EXPECT_TRUE(std::holds_alternative<Message>(document_in(std::string_view(picture).substr(0, size)))) << size;
}

}  // namespace
}  // namespace stridescope

#include <gtest/gtest.h>

#include <set>

#include "render/digits.h"
#include "scene/lab.h"

namespace stridescope {
namespace {

/// Reads a document as strictly as XML demands of what svg() may write.  @return what is wrong, "" where nothing is
std::string problem_in(std::string_view document) {
  static const std::set<std::string> elements{"svg", "title", "desc", "rect", "path", "text", "image"};
  std::vector<std::string> open;
  size_t at = 0;
  const auto entity = [&](size_t ampersand) {
    for (std::string_view name : {"&amp;", "&lt;", "&gt;", "&quot;"})
      if (document.substr(ampersand, name.size()) == name) return true;
    return false;
  };
  while (at < document.size()) {
    const char c = document[at];
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "a control character";
    if (c == '&' && !entity(at)) return "a bare &";
    if (c != '<') {
      ++at;
      continue;
    }
    const size_t end = document.find('>', at);
    if (end == std::string_view::npos) return "an element without end";
    std::string_view tag = document.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "a stray </" + std::string(tag.substr(1)) + ">";
      open.pop_back();
      continue;
    }
    const bool closed = tag.ends_with('/');
    if (closed) tag.remove_suffix(1);
    const std::string name(tag.substr(0, tag.find(' ')));
    if (!elements.contains(name)) return "an element " + name;
    std::set<std::string> seen;
    tag.remove_prefix(name.size());
    while (!tag.empty()) {
      const size_t equals = tag.find("=\"");
      if (tag.front() != ' ' || equals == std::string_view::npos) return "attributes of " + name;
      const size_t quote = tag.find('"', equals + 2);
      const std::string attribute(tag.substr(1, equals - 1));
      if (!seen.insert(attribute).second) return attribute + " twice";
      if (attribute == "style" || attribute == "class" || attribute.starts_with("on"))
        return "an attribute " + attribute;
      if (attribute == "href" && !tag.substr(equals + 2).starts_with("data:image/png;base64,"))
        return "a reference outside";
      tag.remove_prefix(quote + 1);
    }
    if (!closed) open.push_back(name);
  }
  return open.empty() ? "" : "an open <" + open.back() + ">";
}

TEST(Svg, IsWellFormedWhateverTheProgramSays) {
  std::vector<std::string> hostile{"x = '</text><script>alert(1)</script>'", "\x1b[31m\x01\x00",
                                   "a \xe2\x80\xae b \xff\xfe", "]]>&amp;<!--", "\"'&<>"};
  std::string every_byte;
  for (int c = 0; c < 256; ++c) every_byte += static_cast<char>(c);
  hostile.push_back(every_byte);
  for (const std::string& text : hostile) {
    Trace trace = lab::trace_of({{2, 3}, {1, 2}, 0});
    trace.steps[0].text = trace.steps[0].applied[0].title = trace.steps[0].names[0].name = text;
    const std::string document = svg(draw(trace, {}), ThemeId::light);
    EXPECT_EQ(problem_in(document), "") << text;
    EXPECT_EQ(document.find("<script"), std::string::npos);
  }
}

TEST(Svg, HasATitleADescriptionAndIdsOfItsOwn) {
  const Trace trace = lab::trace_of({{2, 3}, {1, 2}, 0});
  ViewState other;
  other.head = 3;
  const auto id = [](const std::string& document) {
    const size_t at = document.find("<title id=\"") + 11;
    return document.substr(at, document.find('"', at) - at);
  };
  const std::string a = svg(draw(trace, {}), ThemeId::light), b = svg(draw(trace, other), ThemeId::light);
  EXPECT_NE(a.find("role=\"img\""), std::string::npos);
  EXPECT_NE(a.find("aria-labelledby=\"" + id(a) + " d-" + id(a).substr(2) + "\""), std::string::npos);
  EXPECT_NE(id(a), id(b));
  EXPECT_EQ(a, svg(draw(trace, {}), ThemeId::light));
}

TEST(Svg, DrawsManySmallCellsAsOneImage) {
  const std::string document = svg(draw(lab::trace_of({{64, 64}, {1, 64}, 0}), {}), ThemeId::dark);
  EXPECT_EQ(problem_in(document), "");
  EXPECT_NE(document.find("<image"), std::string::npos);
  EXPECT_LT(document.size(), 100'000u);
}

TEST(Digits, AreHundredthsWithoutZerosAtTheEnd) {
  const std::pair<Unit, std::string_view> cases[] = {{0, "0"},     {5, "0.05"},     {50, "0.5"},
                                                     {1200, "12"}, {1234, "12.34"}, {-150, "-1.5"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(number(value), text);
}

}  // namespace
}  // namespace stridescope

#include "render/formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "render/json_checker.h"
#include "render/svg_parts.h"
#include "scene/lab.h"
#include "scene/lettering.h"

namespace stridescope {
namespace {

const std::vector<std::string>& hostile() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> texts{"</text><script>alert(1)</script>",
                                   "\\input{/etc/passwd}",
                                   "\\write18{id}",
                                   "$\\csname x\\endcsname$",
                                   "%comment",
                                   "{unbalanced",
                                   "}}}",
                                   "a_b^c~d#e&f",
                                   "^^5cinput",
                                   "\x1b[31m\x01",
                                   "a \xe2\x80\xae b \xff\xfe",
                                   "]]>&amp;<!--",
                                   "\"'&<>`",
                                   "--- ,, !` ?` << >>",
                                   "\xE4\xB8\xAD\xE6\x96\x87",
                                   "\xF0\x9F\x98\x80",
                                   "(\\)/Keywords ((",
                                   "\n\n\\par\n",
                                   "[:;]",
                                   std::string(3000, '{')};
    std::string every_byte;
    for (int c = 0; c < 256; ++c) every_byte += static_cast<char>(c);
    texts.push_back(every_byte);
    return texts;
  }();
  return list;
}

Trace named(const std::string& text) {
  Trace trace = lab::trace_of({{2, 3}, {1, 2}, 0});
  trace.steps[0].text = trace.steps[0].applied[0].title = trace.steps[0].names[0].name = text;
  return trace;
}

/// What is wrong with text as TeX: brackets that do not match, a command that tikz() does not write, a special
/// character.
std::string problem_in_tex(std::string_view text) {
  static const std::set<std::string, std::less<>> commands{
      "ifdefined",     "Umathchar",  "else",        "ifcsname",   "detokenize", "endcsname",
      "fbox",          "tiny",       "fi",          "fontcharwd", "font",       "hss",
      "providecolor",  "begin",      "end",         "begingroup", "endgroup",   "fontsize",
      "ttfamily",      "sffamily",   "bfseries",    "setbox",     "hbox",       "pgfmathsetmacro",
      "stridescopeem", "wd",         "path",        "clip",       "fill",       "node",
      "ensuremath",    "cdot",       "times",       "textendash", "textemdash", "dots",
      "leftarrow",     "rightarrow", "downarrow",   "neq",        "leq",        "geq",
      "textbackslash", "textless",   "textgreater", "textbar",    "char",       "only"};
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "a control character";
    if (c == '{') ++depth;
    if (c == '}' && --depth < 0) return "a stray }";
    if (c == '$' || c == '&' || c == '^' || c == '~') return std::string("a bare ") + c;
    if (c == '%' && (at + 1 == text.size() || text[at + 1] != '\n')) return "a comment";
    if (c == '\n' && at + 1 < text.size() && text[at + 1] == '\n') return "a paragraph";
    if (c != '\\') continue;
    size_t end = at + 1;
    while (end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') || (text[end] >= 'A' && text[end] <= 'Z')))
      ++end;
    if (end == at + 1) {
      if (std::string_view("{}$&#_% ").find(text[end]) == std::string_view::npos)
        return "a command \\" + std::string(1, text[end]);
      at = end;
    } else {
      const std::string_view name = text.substr(at + 1, end - at - 1);
      if (!commands.contains(name)) return "a command \\" + std::string(name);
      at = end - 1;
    }
  }
  return depth == 0 ? "" : "an open {";
}

TEST(Tikz, WhateverAProgramSaysIsTextAndNothingElse) {
  for (const std::string& text : hostile()) {
    const Trace trace = named(text);
    const std::string picture = tikz({draw(trace, {})}, ThemeId::light, TikzForm::picture);
    EXPECT_EQ(problem_in_tex(picture), "") << text;
  }
}

TEST(Tikz, TheCheckFindsWhatItIsThereFor) {
  for (const char* bad : {"\\input{x}", "{", "}", "$", "a\n\nb", "% x\n", "\\^", "\x01"})
    EXPECT_NE(problem_in_tex(bad), "") << bad;
}

TEST(Tikz, TextThatReadsUpwardsIsTurned) {
  const auto node = [](bool vertical) {
    Scene scene{.width = px(100), .height = px(100)};
    scene.items.push_back({.shape = Text{.at = {px(50), px(50)}, .vertical = vertical, .text = "up"}});
    const std::string picture = tikz({scene}, ThemeId::light, TikzForm::picture);
    const size_t at = picture.find("\\node[");
    return picture.substr(at, picture.find('\n', at) - at);
  };
  EXPECT_NE(node(true).find(",rotate=90"), std::string::npos) << node(true);
  EXPECT_EQ(node(false).find("rotate"), std::string::npos) << node(false);
}

TEST(Tikz, HasEveryItemAndEveryColourOnce) {
  const Scene scene = draw(lab::trace_of({{2, 3}, {1, 2}, 0}), {});
  const std::string picture = tikz({scene}, ThemeId::light, TikzForm::picture);
  const auto count = [&](std::string_view what) {
    size_t times = 0;
    for (size_t at = 0; (at = picture.find(what, at)) != std::string::npos; ++at) ++times;
    return times;
  };
  size_t texts = 0;
  for (const Item& item : scene.items) texts += std::holds_alternative<Text>(item.shape);
  EXPECT_EQ(count("\\node["), texts);
  EXPECT_EQ(count("\\path["), scene.items.size() - texts + 1);
  EXPECT_EQ(count("\\providecolor{stridescope-text}"), 1u);
}

TEST(Tikz, TypographersSignsAreCommandsOfEveryTeX) {
  const std::string picture = tikz({draw(named("– — … ← → ↓ − ≠ ≤ ≥ · ×"), {})}, ThemeId::light, TikzForm::picture);
  EXPECT_EQ(problem_in_tex(picture), "");
  for (const char* sign : {"\\textendash{}", "\\textemdash{}", "\\dots{}", "{\\leftarrow}", "{\\rightarrow}",
                           "{\\downarrow}", "{-}", "{\\neq}", "{\\leq}", "{\\geq}", "{\\cdot}", "{\\times}"})
    EXPECT_NE(picture.find(sign), std::string::npos) << sign;
}

/// A scene with a raster, and the first of its items that is one.
const Scene& rastered() {
  static const Scene scene = draw(lab::trace_of({{64, 64}, {1, 64}, 0}), {});
  return scene;
}
const Image& raster() {
  for (const Item& item : rastered().items)
    if (const auto* image = std::get_if<Image>(&item.shape)) return *image;
  std::abort();
}

TEST(Tikz, ARasterIsARectangleForEachRunOfAShade) {
  const std::string picture = tikz({rastered()}, ThemeId::light, TikzForm::picture);
  EXPECT_EQ(problem_in_tex(picture), "");
  size_t runs = 0, rectangles = 0;
  for (size_t i = 0; i < raster().shades.size(); ++i)
    runs += i % static_cast<size_t>(raster().columns) == 0 || raster().shades[i] != raster().shades[i - 1];
  const std::set<uint8_t> shades(raster().shades.begin(), raster().shades.end());
  for (size_t at = picture.find("\n\\fill["); at != std::string::npos; at = picture.find("\n\\fill[", at + 1))
    for (size_t next = at; (next = picture.find(" rectangle ", next + 1)) < picture.find(';', at);) ++rectangles;
  EXPECT_EQ(rectangles, runs);
  for (const uint8_t shade : shades)
    EXPECT_NE(picture.find("\\fill[stridescope-cell-" + std::to_string(shade) + "]"), std::string::npos) << int{shade};
}

TEST(SceneJson, ARasterIsItsShadesRowByRow) {
  const std::string json = scene_json(rastered(), ThemeId::light, "");
  EXPECT_TRUE(Checker(json).whole());
  std::string shades;
  for (const uint8_t shade : raster().shades) shades += (shades.empty() ? "" : ",") + std::to_string(shade);
  EXPECT_NE(json.find("\"columns\":" + std::to_string(raster().columns) + ",\"rows\":" + std::to_string(raster().rows) +
                      ",\"shades\":[" + shades + "]"),
            std::string::npos);
}

TEST(PlainText, SaysThatThereIsNothingToRead) {
  EXPECT_NE(plain_text(evaluate("x = torch.zeros(3, 0)"), {}).find("there are no elements to read"), std::string::npos);
}

TEST(Explain, MarksWhatEachLineMade) {
  const auto marks = [](const char* source) { return explain(evaluate(source), Language::english); };
  EXPECT_NE(marks("x = torch.arange(6)").find("(6,):(1,)+0  new\n"), std::string::npos) << marks("x = torch.arange(6)");
  EXPECT_NE(marks("x = torch.arange(6)\ny = x[1:]").find("(5,):(1,)+1  view\n"), std::string::npos);
  EXPECT_NE(marks("x = torch.arange(6)\ny = x.clone()").find("(6,):(1,)+0  copy\n"), std::string::npos);
  EXPECT_NE(marks("x = torch.arange(6)\ny = x.contiguous()").find("(6,):(1,)+0  same\n"), std::string::npos);
  EXPECT_NE(marks("x = torch.arange(6)\ny = x.add_(1)").find("(6,):(1,)+0  write\n"), std::string::npos);
  EXPECT_NE(marks("x = torch.arange(6)\ny = x").find("(6,):(1,)+0  same\n"), std::string::npos);
  EXPECT_NE(marks("n = 3\nn + 4").find("7\n"), std::string::npos) << "a number is itself";
  EXPECT_NE(marks("a, b = 2, torch.ones(2)").find("  a 2  b (2,):(1,)+0\n"), std::string::npos)
      << marks("a, b = 2, torch.ones(2)");
  EXPECT_NE(marks("def f(a, *b): return a\nf(torch.ones(2), 3)").find("  a (2,):(1,)+0  b (3,)\n"), std::string::npos)
      << marks("def f(a, *b): return a\nf(torch.ones(2), 3)");
  EXPECT_EQ(marks("print(3)").find("None"), std::string::npos);
  EXPECT_NE(marks("x = torch.arange(6).view(2, 3).t()").find("torch.arange(6).view(2, 3)\n"), std::string::npos)
      << "of several operations each is named";
  EXPECT_NE(marks("x = torch.zeros(2).view(3)").find("RuntimeError: shape '[3]' is invalid"), std::string::npos);
  EXPECT_NE(marks("x = assert_\nraise").find("NameError: name 'assert_'"), std::string::npos);
}

TEST(Explain, ATextThatIsNoProgramIsToldOfBeforeAnyLine) {
  const std::string told = explain(evaluate("x = torch.arange(2)\n\xff\xfe"), Language::english);
  EXPECT_NE(told.find("UTF-8"), std::string::npos) << told;
}

TEST(Tikz, StepsAreOverlaysInAPictureAndPagesInADocument) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()\n");
  ViewState first, second;
  first.step = 0;
  const std::vector<Scene> both{draw(trace, first), draw(trace, second)};
  const std::string picture = tikz(both, ThemeId::light, TikzForm::picture),
                    document = tikz(both, ThemeId::light, TikzForm::document);
  EXPECT_NE(picture.find("\\only<1>{"), std::string::npos);
  EXPECT_NE(picture.find("\\only<2>{"), std::string::npos);
  EXPECT_EQ(problem_in_tex(picture), "");
  EXPECT_EQ(document.find("\\only"), std::string::npos);
  EXPECT_NE(
      document.find("\\stridescopepage", document.find("\\stridescopepage", document.find("\\begin{document}")) + 1),
      std::string::npos);
}

TEST(SceneJson, IsJsonWithAnEntryAnItemWhateverAProgramSays) {
  for (const std::string& text : hostile()) {
    const Scene scene = draw(named(text), {});
    const std::string json = scene_json(scene, ThemeId::dark, "v=1");
    EXPECT_TRUE(Checker(json).whole()) << text;
    size_t shapes = 0;
    for (size_t at = 0; (at = json.find("{\"shape\":", at)) != std::string::npos; ++at) ++shapes;
    EXPECT_EQ(shapes, scene.items.size());
  }
}

TEST(PlainText, IsPrintableAndNoWiderThanAsked) {
  for (const std::string& text : hostile())
    for (const int columns : {40, 100}) {
      const std::string page = plain_text(named(text), {}, columns);
      EXPECT_FALSE(page.empty());
      for (const char c : page) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
      EXPECT_EQ(page.find(" \n"), std::string::npos);
    }
  for (const char* program :
       {"x = torch.arange(24).view(2, 3, 4).permute(2, 0, 1)", "x = np.arange(10**12).reshape(10**6, 10**6).T",
        "x = torch.arange(1000).view(10, 10, 10)[::2]"})
    for (const int columns : {60, 100}) {
      const std::string page = plain_text(evaluate(program), {}, columns);
      const size_t grid = page.find("logical grid");
      ASSERT_NE(grid, std::string::npos);
      for (size_t at = grid; at < page.size();) {
        const size_t end = page.find('\n', at);
        EXPECT_LE(text_width(std::string_view(page).substr(at, end - at), px(10)), px(6) * (columns + 1))
            << page.substr(at, end - at);
        at = end + 1;
      }
    }
}

TEST(PlainText, ShowsGridStorageAndOrderOfASmallView) {
  ViewState view;
  view.head = 1;
  const std::string page = plain_text(evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()\n"), view);
  for (const char* line :
       {"y = x.t()\n", "y  (3, 2):(1, 3)+0\n", "-> dim 1  size 2  stride 3\n", "    0 [3]\n    1  4\n    2  5\n",
        "storage     0  1  2 [3] 4  5\n", "read order  0  2  4  1  3  5\n", "read path  0 +3 -2 +3 -2 +3\n"})
    EXPECT_NE(page.find(line), std::string::npos) << line << "in\n" << page;
}

TEST(PlainText, AProgramThatFailsSaysWhy) {
  const std::string page =
      plain_text(evaluate("x = torch.arange(12).view(2, 3, 2)\nx.permute(0, 2, 1).view(-1)\n"), {});
  EXPECT_NE(page.find("view size is not compatible"), std::string::npos) << page;
}

/// Whether the film's lines without the groups of other frames are, in order, each frame's elements.
void expect_every_frame(const std::string& film, const std::vector<Scene>& frames) {
  for (size_t k = 0; k < frames.size(); ++k) {
    std::vector<std::string> seen;
    bool shown = true;
    for (size_t at = film.find("</style>\n") + 9; at < film.size();) {
      const size_t end = film.find('\n', at);
      const std::string line = film.substr(at, end - at);
      at = end + 1;
      if (line == "</svg>") break;
      if (line == "</g>") {
        shown = true;
      } else if (line.starts_with("<g class=")) {
        shown = line.find("-" + std::to_string(k) + "\"") != std::string::npos;
        EXPECT_EQ(line.find("visibility=\"hidden\"") == std::string::npos, line.find("-0\"") != std::string::npos);
      } else if (shown) {
        seen.push_back(line);
      }
    }
    EXPECT_EQ(seen, svg_elements(frames[k], ThemeId::light)) << k;
  }
}

TEST(AnimatedSvg, EveryFrameIsTheStillPictureOfItsHead) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()\n");
  std::vector<Scene> frames;
  for (const int64_t head : walk(0, 6)) {
    ViewState view;
    view.head = head;
    frames.push_back(draw(trace, view));
  }
  ASSERT_EQ(frames.size(), 6u);
  const std::string film = animated_svg(frames, 400, ThemeId::light, "");
  EXPECT_NE(film.find("prefers-reduced-motion:no-preference"), std::string::npos);
  EXPECT_EQ(film.find("infinite"), std::string::npos);
  expect_every_frame(film, frames);
  EXPECT_LT(film.size(), frames.size() * svg(frames[0], ThemeId::light).size() / 2);
}

TEST(AnimatedSvg, FramesWhoseItemsChangeTheirOrderKeepIt) {
  const auto frame = [](std::vector<Unit> places) {
    Scene scene{px(40), px(10), {}, "title", "description"};
    for (const Unit x : places) scene.items.push_back({.shape = Rect{px(x), 0, px(4), px(4)}, .role = Role::panel});
    return scene;
  };
  std::vector<Unit> places{0, 10, 20, 30};
  std::vector<Scene> frames;
  do frames.push_back(frame(places));
  while (std::next_permutation(places.begin(), places.end()));
  ASSERT_EQ(frames.size(), 24u);
  for (const Scene& other : frames) {
    const std::vector<Scene> two{frames.front(), other};
    expect_every_frame(animated_svg(two, 400, ThemeId::light, ""), two);
  }
  expect_every_frame(animated_svg(frames, 400, ThemeId::light, ""), frames);
}

TEST(AnimatedSvg, AWalkVisitsEveryElementOrAsManyAsCanBeFollowed) {
  EXPECT_EQ(walk(0, 3), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(walk(2, 3), (std::vector<int64_t>{2}));
  EXPECT_EQ(walk(0, 0), (std::vector<int64_t>{0}));
  for (const int64_t elements : {47, 48, 49, 1000})
    for (const int64_t first : {0, 5}) {
      const auto heads = walk(first, elements);
      EXPECT_LE(heads.size(), 48u);
      EXPECT_EQ(heads.front(), first);
      EXPECT_EQ(heads.back(), elements - 1);
      for (size_t i = 1; i < heads.size(); ++i) EXPECT_LT(heads[i - 1], heads[i]);
    }
  const int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(walk(0, huge).back(), huge - 1);
}

TEST(Html, HasTheColoursOfItsThemeAndOfBothWhereItFollowsTheReader) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)");
  const auto page = [&](ThemeId theme) {
    ViewState view;
    view.theme = theme;
    return html(trace, {{view, draw(trace, view)}}, "", "v=1");
  };
  EXPECT_NE(page(ThemeId::light).find("prefers-color-scheme:dark"), std::string::npos);
  for (const ThemeId theme : {ThemeId::dark, ThemeId::print})
    EXPECT_EQ(page(theme).find("prefers-color-scheme"), std::string::npos);
  EXPECT_NE(page(ThemeId::dark), page(ThemeId::print));
}

TEST(Html, HoldsOnlyItsOwnElementsWhateverAProgramSays) {
  static const std::set<std::string> known{
      "!doctype", "html",   "meta", "title", "style", "body", "main", "ol",    "li", "a",     "p",  "section", "h2",
      "code",     "figure", "svg",  "desc",  "rect",  "path", "text", "image", "ul", "table", "tr", "th",      "td"};
  for (const std::string& text : hostile()) {
    Trace trace = named(text);
    trace.source = text;
    const ViewState view;
    const std::string page = html(trace, {{view, draw(trace, view)}}, text, "v=1");
    std::set<std::string> elements;
    for (size_t at = 0; (at = page.find('<', at)) != std::string::npos; ++at) {
      const size_t begin = page[at + 1] == '/' ? at + 2 : at + 1;
      elements.insert(page.substr(begin, page.find_first_of(" >/\n", begin) - begin));
    }
    for (const std::string& element : elements)
      EXPECT_TRUE(known.contains(element)) << element << " in a page of " << text;
    EXPECT_EQ(page.find("<script"), std::string::npos);
  }
}

TEST(Caption, IsReadOutWithWhatDescribesThePicture) {
  Scene scene{.width = px(320), .height = px(100), .items = {Item{.shape = Rect{}}}, .title = "t", .description = {}};
  EXPECT_EQ(alt_text(scene), "t");
  describe(scene, "two\nlines");
  EXPECT_EQ(alt_text(scene), "t. two lines");
  add_caption(scene, "narrow");
  EXPECT_EQ(bounds(scene.items.back()).x, px(16));
}

TEST(Caption, StandsBelowThePictureAndIsItsTitle) {
  const Scene before = draw(lab::trace_of({{2, 3}, {1, 2}, 0}), {});
  Scene scene = before;
  add_caption(scene, "What a transpose <does>.");
  EXPECT_GT(scene.height, before.height);
  EXPECT_EQ(scene.title, "What a transpose <does>.");
  ASSERT_GT(scene.items.size(), before.items.size());
  const Rect box = bounds(scene.items.back());
  EXPECT_GE(box.y, before.height - px(10));
  EXPECT_LE(box.y + box.height, scene.height);
}

TEST(PlainText, OfALimitOfOursIsItsReasonAlone) {
  const Trace trace = evaluate("x = torch.zeros(3)\nx.view([1] * 65)");
  ViewState view;
  view.step = 1;
  const std::string text = plain_text(trace, view);
  EXPECT_NE(text.find("A tensor here can have at most 64 dimensions."), std::string::npos) << text;
  EXPECT_EQ(text.find("Error"), std::string::npos) << text;
}

TEST(PlainText, OfAnErrorWithoutATextIsItsTypeAlone) {
  const Trace trace = evaluate("x = torch.zeros(2)\nassert x.sum() == 1");
  ViewState view;
  view.step = 1;
  EXPECT_NE(plain_text(trace, view).find("AssertionError\n"), std::string::npos) << plain_text(trace, view);
  EXPECT_NE(explain(trace, Language::english).find("  AssertionError\n"), std::string::npos);
  const Trace other = evaluate("x = torch.zeros(2)\nx.view(3)");
  EXPECT_NE(plain_text(other, view).find("RuntimeError: shape '[3]' is invalid"), std::string::npos);
  EXPECT_EQ(plain_text(evaluate(""), {}), draw(evaluate(""), {}).title + "\n");
}

TEST(PlainText, APathLongerThanNumbersGoIsSaidToBe) {
  const Trace trace = evaluate("x = torch.zeros(2**31, 2**29)\ny = x.t()\nz = y.t()");
  ViewState view;
  view.figures = figure_path;
  view.step = 1;
  EXPECT_NE(plain_text(trace, view).find("> 2**63"), std::string::npos) << plain_text(trace, view);
  view.step = 0;
  EXPECT_EQ(plain_text(trace, view).find("> 2**63"), std::string::npos) << plain_text(trace, view);
}

}  // namespace
}  // namespace stridescope

// What stands in the cells of the grid, and beside the strip of them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene/picture.h"
#include "scene/promises.h"
#include "stridescope.h"

namespace stridescope {
namespace {

/// The texts in the cells of the grid of a program's last step, and the width of its first cell.
struct Grid {
  std::vector<std::string> labels;
  Unit cell = 0;
};
Grid grid_of(const std::string& program, Unit width) {
  ViewState view;
  view.width = width;
  view.figures = figure_grid;
  Grid grid;
  for (const Item& item : draw(evaluate(program), view).items) {
    if (item.figure != figure_grid || item.target.kind != Target::Kind::element) continue;
    if (const auto* text = std::get_if<Text>(&item.shape)) grid.labels.push_back(text->text);
    if (const auto* rect = std::get_if<Rect>(&item.shape); rect != nullptr && grid.cell == 0) grid.cell = rect->width;
  }
  return grid;
}

TEST(Labels, NumbersAreNeverCutButForDecimals) {
  EXPECT_EQ(with_fewer_decimals("123456789", 5), "123456789");
  EXPECT_EQ(with_fewer_decimals("12345.5", 5), "12345.5");
  EXPECT_EQ(with_fewer_decimals("1.2e+10", 5), "1.2e+10");
  EXPECT_EQ(with_fewer_decimals("-0.1256", 5), "-0.13");
  EXPECT_EQ(with_fewer_decimals("0.9636", 5), "0.964");
  EXPECT_EQ(with_fewer_decimals("1.9999", 5), "2.000");
  EXPECT_EQ(with_fewer_decimals("9.96", 3), "10");
  EXPECT_EQ(with_fewer_decimals("-99.951", 5), "-100");
}

TEST(Labels, OfComplexNumbersArePairsOfThem) {
  EXPECT_EQ(with_fewer_decimals("0.4967-0.1383j", 5), "0.497-0.138j");
  EXPECT_EQ(with_fewer_decimals("-0.497+1e-05j", 4), "-0.5+1e-05j");
  EXPECT_EQ(with_fewer_decimals("1e-05+0.1256j", 4), "1e-05+0.13j");
  EXPECT_EQ(with_fewer_decimals("12+34j", 2), "12+34j");
  EXPECT_EQ(with_fewer_decimals("nan-infj", 2), "nan-infj");
  for (const char* alone : {"1.2345j", "-1.2345j", "1.25e-05j"}) EXPECT_EQ(with_fewer_decimals(alone, 3), alone);
  EXPECT_EQ(grid_of("z = torch.tensor([3+4j, -1.5j, 0.25-2j])", px(920)).labels,
            (std::vector<std::string>{"3+4j", "-0-1.5j", "0.25-2j"}));
}

TEST(Labels, LeaveTheEdgesOfTheirCellsFree) {
  for (const char* program :
       {"z = torch.tensor([0.4967-0.1383j, 1.5+2.25j, -1+0.5j, 12.5-3j])", "x = torch.arange(3000000, 3000040)",
        "z = torch.complex(torch.rand(50), torch.rand(50))"})
    for (const Unit width : {px(480), px(920), px(1280)}) {
      ViewState view;
      view.width = width;
      Rect cell;
      for (const Item& item : draw(evaluate(program), view).items) {
        const auto* rect = std::get_if<Rect>(&item.shape);
        if (rect && item.role == Role::cell) cell = *rect;
        if (item.role != Role::cell_text || !std::holds_alternative<Text>(item.shape)) continue;
        const Rect text = bounds(item);
        EXPECT_GE(text.x - cell.x, px(4)) << words(item) << " in " << place(cell);
        EXPECT_GE(cell.x + cell.width - text.x - text.width, px(4)) << words(item) << " in " << place(cell);
        EXPECT_EQ(std::get<Text>(item.shape).text.find("…"), std::string::npos) << words(item);
      }
    }
}

TEST(Labels, WhereSpaceIsScarceNumbersHaveADecimalFewerRatherThanCellsNothing) {
  const std::string program = "x = torch.tensor([0.6524, -0.1256, 0.5, 0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1.25, 2.75])";
  EXPECT_EQ(grid_of(program, px(920)).labels[1], "-0.13");
  const Grid narrow = grid_of(program, px(470));
  ASSERT_EQ(narrow.labels.size(), 12u);
  EXPECT_EQ(narrow.labels[0], "0.65");
  EXPECT_EQ(narrow.labels[1], "-0.1");
}

TEST(Labels, WholeNumbersAreNeverShortenedSoCellsTooSmallForThemSayNothing) {
  const std::string program = "x = torch.arange(3000000, 3000012)";
  EXPECT_EQ(grid_of(program, px(920)).labels[0], "3000000");
  const Grid narrow = grid_of(program, px(470));
  EXPECT_TRUE(narrow.labels.empty());
  EXPECT_GE(narrow.cell, px(28));
}

TEST(Labels, ATensorIsCalledByANameOfItsOwnRatherThanAsAPartOfAnObject) {
  const auto name_of = [](const char* program) { return compose_picture(evaluate(program), {}).subject->name; };
  EXPECT_EQ(name_of("m = torch.nn.Linear(3, 2)\nw = m.weight"), "w");
  EXPECT_EQ(name_of("p = [torch.arange(6)]\nx = p[0]"), "x");
  EXPECT_EQ(name_of("class A:\n  pass\na = A()\na.x = torch.arange(6)\na.x"), "a.x");
  EXPECT_EQ(name_of("class A:\n  pass\na = A()\na.x = torch.arange(6)\ny = a.x\na.x"), "y");
}

TEST(Labels, OfSeveralResultsItIsSaidWhichIsDrawn) {
  const auto name_of = [](const char* program) { return compose_picture(evaluate(program), {}).subject->name; };
  EXPECT_EQ(name_of("x = torch.arange(6).view(2, 3)\nx.max(1)"), "x.max(1)[0]");
  EXPECT_EQ(name_of("x = torch.arange(6).view(2, 3)\nv, i = x.max(1)"), "v");
  EXPECT_EQ(name_of("x = torch.arange(6).view(2, 3)\nx.max(1)[1]"), "x.max(1)[1]");
  EXPECT_EQ(name_of("x = torch.arange(6).view(2, 3)\ni = x.max(1)[1]"), "i");
}

TEST(Labels, AreSeenBelowEachOtherWhereTwoGridsSideBySideWouldBeEmpty) {
  const Trace trace = evaluate("f = torch.tensor([1., 2., -0.5, 3.25])\ny = f.view(torch.int32)");
  for (const Unit height : {0, px(900)}) {
    ViewState view;
    view.figures = figure_all | figure_before;
    view.height = height;
    std::string seen;
    for (const Item& item : draw(trace, view).items)
      if (const auto* text = std::get_if<Text>(&item.shape); text && item.target.kind == Target::Kind::element)
        seen += item.figure == figure_grid ? text->text + " " : "";
    EXPECT_EQ(seen, "1.0 2.0 -0.5 3.25 1065353216 1073741824 -1090519040 1078984704 ");
  }
}

/// What stands in the grids of a program's last step in a window, words beside it: of cells and of the rest.
struct Seen {
  std::string cells, words;
};
Seen seen_in(const char* program, Unit width, Unit height) {
  ViewState view;
  view.width = width, view.height = height, view.words = false;
  Seen seen;
  for (const Item& item : draw(evaluate(program), view).items)
    if (const auto* text = std::get_if<Text>(&item.shape); text && item.figure == figure_grid)
      (item.target.kind == Target::Kind::element ? seen.cells : seen.words) += text->text + " ";
  return seen;
}

TEST(Labels, AreSeenWhereAFigureAboveLeavesLittleRoomSoThatThePictureIsScrolled) {
  const char* program = "x = torch.arange(24).view(2, 3, 4)\nx.transpose(1, 2).view(2, 3, 4)";
  for (const Unit height : {px(570), px(600)})
    EXPECT_TRUE(seen_in(program, px(860), height).cells.starts_with("0 4 8 1 5 9 2 6 10 3 7 11 12 ")) << height;
}

TEST(Labels, OfFourDimensionsAreAllSeenInAWindowOfUsualSize) {
  const char* program = "x = torch.arange(48).view(2, 4, 2, 3).permute(0, 2, 1, 3)";
  EXPECT_TRUE(seen_in(program, px(860), px(488)).cells.starts_with("0 1 2 6 7 8 12 13 14 18 19 20 "));
}

TEST(Labels, OfATrillionElementsAreSeenAtTwoPlacesOfEveryDimension) {
  const Seen seen = seen_in("x = torch.arange(10**12).view(10000, 10000, 10000)", px(845), px(552));
  for (const char* dim : {"dim 0", "dim 1", "dim 2"})
    EXPECT_NE(seen.words.find(dim + std::string("  0..1 of 10000  stride ")), std::string::npos) << seen.words;
}

TEST(Labels, OfDimensionsThatHaveNoArrowCountThoseThatAreNamedNowhere) {
  const Seen seen = seen_in("x = torch.ones(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)", px(360), px(700));
  EXPECT_NE(seen.words.find("and 6 more"), std::string::npos) << seen.words;
}

TEST(Labels, BesideALayoutItIsSaidWhatItsNumbersAre) {
  for (const auto& [program, legend] : {std::pair("x = torch.arange(6)", "sizes : strides + storage offset"),
                                        std::pair("x = np.arange(6)", "shape : strides + offset, in bytes")})
    for (const Unit width : {px(360), px(920)}) {
      ViewState view;
      view.width = width;
      const Scene scene = draw(evaluate(program), view);
      EXPECT_TRUE(std::any_of(scene.items.begin(), scene.items.end(), [&wanted = legend](const Item& item) {
        const auto* text = std::get_if<Text>(&item.shape);
        return text && text->text == wanted;
      })) << program;
    }
}

TEST(Labels, AreSeenBelowEachOtherInALowWindow) {
  const char* program = "x = torch.arange(12).reshape(3, 4) * 10**10\ny = x.view(torch.int32)\ny[0, 1] = 5";
  EXPECT_NE(seen_in(program, px(860), px(550)).cells.find("110000000000 "), std::string::npos);
}

TEST(Labels, OfTruthAreOneLetterWhereTheWordHasNoRoom) {
  EXPECT_EQ(seen_in("m = torch.arange(12) > 9", px(860), px(550)).cells, "F F F F F F F F F F T T ");
  EXPECT_EQ(seen_in("m = torch.arange(2) > 0", px(860), px(550)).cells, "False True ");
}

TEST(Labels, WhatAWindowShowsOfADimensionIsSaidWhole) {
  const Seen seen = seen_in("x = torch.arange(24).view(24, 1)", px(860), px(550));
  EXPECT_NE(seen.words.find(" of 24 "), std::string::npos) << seen.words;
  EXPECT_EQ(seen.words.find("of…"), std::string::npos) << seen.words;
}

TEST(Labels, AtTheStripItIsSaidThatValuesAreNotKnownOrAreNotTheLibrarys) {
  const auto words = [](const char* program) {
    std::string all;
    for (const Item& item : draw(evaluate(program), {}).items)
      if (const auto* text = std::get_if<Text>(&item.shape)) all += text->text + "\n";
    return all;
  };
  EXPECT_NE(words("x = torch.ones(600, 600) @ torch.ones(600, 600)").find("values are not known"), std::string::npos);
  EXPECT_NE(words("x = torch.rand(4)").find("stand-in"), std::string::npos);
  EXPECT_EQ(words("x = torch.ones(4)").find("not known"), std::string::npos);
}

}  // namespace
}  // namespace stridescope

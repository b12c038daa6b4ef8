// Cells of another size than fits best.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "layout/access_path.h"
#include "scene/grid_plan.h"
#include "scene/lab.h"
#include "scene/picture.h"

namespace stridescope {
namespace {

constexpr Point room{px(420), px(300)};

TEST(Zoom, TwoStepsDoubleALengthAndTheSameStepsBackHalveIt) {
  for (int steps = -max_zoom; steps + 2 <= max_zoom; ++steps) {
    EXPECT_NEAR(zoomed(px(1000), steps + 2), 2 * zoomed(px(1000), steps), 2) << steps;
    EXPECT_GT(zoomed(px(1000), steps + 1), zoomed(px(1000), steps)) << steps;
  }
  EXPECT_EQ(zoomed(px(40), 0), px(40));
}

TEST(Zoom, WhateverTheZoomTheHeadIsShownAndAllOfItFitsUnlessOneCellIsLarger) {
  for (const Dims& sizes :
       {Dims{7}, Dims{4, 6}, Dims{1000, 1000}, Dims{3, 40, 50}, Dims{10000, 10000, 10000}, Dims{2, 3, 4, 5}}) {
    Unit before = 0;
    for (int zoom = -max_zoom; zoom <= max_zoom; ++zoom) {
      Dims head;
      for (const int64_t size : sizes) head.push_back(size * 2 / 3);
      const GridPlan plan(sizes, head, 3, room, false, zoom);
      EXPECT_TRUE(plan.shows(head)) << zoom;
      EXPECT_GE(plan.cell().height, before) << zoom;
      before = plan.cell().height;
      int64_t shown = 1;
      for (int d = 0; d < plan.rank(); ++d) shown *= plan.axis(d).shown;
      EXPECT_TRUE(shown == 1 || (plan.total().x <= room.x + px(40) && plan.total().y <= room.y + px(40))) << zoom;
      EXPECT_TRUE(plan.pixels() || shown <= 1600) << zoom << ": " << shown << " cells are drawn one by one";
    }
  }
}

TEST(Pan, AWindowGoesOnByOnePlaceWhenItsMiddleDoesAndHoldsTheHeadAnyway) {
  for (const int64_t total : {7, 40, 1000})
    for (int64_t shown = 1; shown <= std::min<int64_t>(total, 30); ++shown) {
      for (int64_t at = 0; at < total; ++at) {
        const int64_t first = window_start(at, shown, total, at);
        EXPECT_TRUE(first >= 0 && first <= at && at < first + shown && first + shown <= total);
        if (at > 0) {
          const int64_t step = first - window_start(at - 1, shown, total, at - 1);
          EXPECT_TRUE(step == 0 || step == 1) << at << " of " << total << ", " << shown << " shown";
        }
        const int64_t elsewhere = window_start(at, shown, total, total / 2);
        EXPECT_TRUE(elsewhere <= at && at < elsewhere + shown) << "the head is in every window";
      }
    }
}

TEST(Pan, GridAndStripStandStillWhileTheHeadWalksInTheWindowThatWasPannedTo) {
  const Trace trace = lab::trace_of(contiguous({1000, 1000}));
  const auto window = [&](int64_t head, int64_t pan) {
    ViewState view;
    view.head = head, view.pan = pan;
    view.figures = figure_strip | figure_grid;
    std::set<std::string> shown;
    for (const Item& item : draw(trace, view).items) shown.insert(to_string(item.target));
    return shown;
  };
  EXPECT_NE(window(500'500, 500'500), window(500'501, 500'501)) << "the window goes on with what it is panned to";
  EXPECT_EQ(window(500'500, 500'500), window(500'501, 500'500)) << "and only with that";
  EXPECT_EQ(window(0, 500'500), window(0, -1)) << "a head elsewhere takes the windows with it";
  EXPECT_EQ(window(0, 1'000'000), window(0, -1)) << "a place beyond the tensor is none";
}

TEST(Zoom, AnImageOfAWindowHasTheShadesOfItsElements) {
  const Layout layout = contiguous({1000, 1000});
  const Trace trace = lab::trace_of(layout);
  ViewState view;
  view.head = 700'500;
  view.figures = figure_grid;
  view.width = px(600);
  view.height = px(500);
  view.zoom = -6;
  // In a packed layout places in storage and in order are the same.
  for (const Coloring coloring : {Coloring::position, Coloring::order}) {
    view.coloring = coloring;
    const Scene scene = draw(trace, view);
    Rect head;  // where it is outlined
    for (const Item& item : scene.items)
      if (item.role == Role::cell_focus) head = std::get<Rect>(item.shape);
    int images = 0;
    for (const Item& item : scene.items) {
      const Image* image = std::get_if<Image>(&item.shape);
      if (!image) continue;
      ++images;
      ASSERT_LT(image->columns, 1000);
      ASSERT_EQ(image->shades.size(), static_cast<size_t>(image->columns) * static_cast<size_t>(image->rows));
      const Unit pitch = image->frame.width / image->columns;
      const int64_t column = (head.x + head.width / 2 - image->frame.x) / pitch,
                    row = (head.y + head.height / 2 - image->frame.y) / pitch;
      const int64_t first = view.head - row * 1000 - column;
      for (int64_t r = 0; r < image->rows; ++r)
        for (int64_t c = 0; c < image->columns; ++c)
          ASSERT_EQ(image->shades[static_cast<size_t>(r * image->columns + c)],
                    shade_of(first + r * 1000 + c, 1'000'000 - 1))
              << r << ", " << c;
    }
    EXPECT_EQ(images, 1);
  }
}

TEST(Zoom, TheStripShowsFewerCellsTheLargerTheyAre) {
  const Trace trace = lab::trace_of(contiguous({1'000'000}));
  size_t before = SIZE_MAX;
  for (int zoom = -6; zoom <= 6; ++zoom) {
    ViewState view;
    view.figures = figure_strip;
    view.zoom = zoom;
    size_t cells = 0;
    for (const Item& item : draw(trace, view).items)
      cells +=
          item.role == Role::cell && std::holds_alternative<Rect>(item.shape) && item.target.kind == Target::Kind::cell;
    EXPECT_LE(cells, before) << zoom;
    before = cells;
  }
}

}  // namespace
}  // namespace stridescope

// What single marks of a picture stand for: cache lines, the walk before an operation, a cell on its way into a copy.
#include <gtest/gtest.h>

#include <map>

#include "scene/lab.h"
#include "scene/promises.h"

namespace stridescope {
namespace {

std::string all_words(const Scene& scene) {
  std::string all;
  for (const Item& item : scene.items)
    if (const auto* text = std::get_if<Text>(&item.shape)) all += text->text + "\n";
  return all;
}

/// How many items of that role are shapes of one kind.
template <class Shape>
int count(const Scene& scene, Role role) {
  return static_cast<int>(std::count_if(scene.items.begin(), scene.items.end(), [&](const Item& item) {
    return item.role == role && std::holds_alternative<Shape>(item.shape);
  }));
}

TEST(CacheLines, AreBarsUnderTheirCellsAndStrongWhereOneIsRead) {
  ViewState view;
  view.figures = figure_strip;
  EXPECT_EQ(count<Rect>(draw(lab::trace_of({{4, 4}, {8, 1}, 0}, 32), view), Role::path_line), 0) << "not asked for";
  view.line = 32;
  for (int64_t stride = 1; stride <= 8; ++stride) {
    // Four elements `stride` apart in 32 cells of 8 bytes: lines of four cells.
    const Scene scene = draw(lab::trace_of({{4}, {stride}, 0}, 32), view);
    const int read = static_cast<int>(stride >= 4 ? 4 : (3 * stride) / 4 + 1);
    EXPECT_EQ(count<Rect>(scene, Role::path_line), read) << stride;
    EXPECT_NE(all_words(scene).find("reads " + std::to_string(read) + " of 8 cache lines of 32 bytes"),
              std::string::npos)
        << all_words(scene);
  }
  EXPECT_EQ(all_words(draw(lab::trace_of({{0}, {1}, 0}, 32), view)).find("cache line"), std::string::npos);
}

TEST(CacheLines, ColourCellsOfOneLineAlikeAndOthersOtherwise) {
  ViewState view;
  view.figures = figure_strip;
  view.coloring = Coloring::line;
  for (const int bytes : {0, 16, 32, 64}) {
    view.line = bytes;
    std::map<int64_t, uint8_t> shades;
    for (const Item& item : draw(lab::trace_of({{24}, {1}, 0}, 24), view).items)
      if (item.role == Role::cell && item.target.kind == Target::Kind::cell) shades[item.target.index] = item.shade;
    ASSERT_EQ(shades.size(), 24u);
    const int64_t cells = (bytes > 0 ? bytes : 64) / 8;
    for (int64_t cell = 1; cell < 24; ++cell)
      EXPECT_EQ(shades[cell] == shades[cell - 1], cell % cells != 0) << bytes << " bytes, cell " << cell;
  }
}

TEST(Grid, OfAWriteShowsWhatStoodThereBefore) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()\ny.mul_(7)");
  ViewState view;
  view.figures = figure_grid | figure_before;
  const Scene scene = draw(trace, view);
  check_promises(scene);
  const std::string words = all_words(scene);
  EXPECT_NE(words.find("logical grid of y before"), std::string::npos) << words;
  EXPECT_NE(words.find("35"), std::string::npos) << "5 * 7, now";
  EXPECT_NE(words.find("5"), std::string::npos);
  view.figures = figure_grid;
  EXPECT_EQ(all_words(draw(trace, view)).find("y before"), std::string::npos);
}

TEST(Readout, IndexesAnOperationAsAWhole) {
  const auto words = [](const char* source) { return all_words(draw(evaluate(source), {})); };
  EXPECT_NE(words("x = torch.ones(3)\nx * 2").find("(x * 2)[0]"), std::string::npos);
  EXPECT_NE(words("x = torch.ones(3)\nx.neg()").find("x.neg()[0]"), std::string::npos);
}

TEST(Grid, NamesTheTensorsOnTheStorageThatFindNoRoom) {
  const Trace trace = evaluate("x = torch.arange(4)\na = x[1:]\nb = x[2:]\nc = x[3:]\nd = x[:1]\ne = x[:2]\ne.zero_()");
  ViewState view;
  view.figures = figure_grid;
  const Scene scene = draw(trace, view);
  check_promises(scene);
  EXPECT_NE(all_words(scene).find("also on this storage: c, d"), std::string::npos) << all_words(scene);
}

TEST(Path, OfWhatWasBeforeIsALineBesideTheWalk) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()");
  ViewState view;
  view.figures = figure_path;
  EXPECT_EQ(all_words(draw(trace, view)).find("before, x"), std::string::npos);
  view.figures = figure_path | figure_before;
  const Scene scene = draw(trace, view);
  check_promises(scene);
  EXPECT_NE(all_words(scene).find("before, x: travel 5, back 0 times"), std::string::npos) << all_words(scene);
  const int input = trace.steps[1].applied[0].inputs[0]->object;
  const auto walk = std::find_if(scene.items.begin(), scene.items.end(), [&](const Item& item) {
    return item.role == Role::hop_ahead && item.target == Target{Target::Kind::tensor, input, -1};
  });
  ASSERT_NE(walk, scene.items.end());
  const auto& points = std::get<Polyline>(walk->shape).points;
  ASSERT_EQ(points.size(), 6u);
  for (size_t k = 2; k < points.size(); ++k)
    EXPECT_NEAR(points[k].y - points[k - 1].y, points[1].y - points[0].y, px(1)) << "x is read in the order it lies in";
}

TEST(Copy, ACellOnItsWayIsBetweenWhereItWasAndWhereItGoes) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)\ny = x.t().contiguous()");
  ViewState view;
  view.head = 1;  // element (0, 1) of y, 3, from cell 3 of x to cell 1 of the copy
  const auto flying = [&](double phase) -> std::optional<Rect> {
    view.phase = phase;
    const Scene scene = draw(trace, view);
    for (size_t i = 2; i < scene.items.size(); ++i) {
      const auto* text = std::get_if<Text>(&scene.items[i].shape);
      const auto* rect = std::get_if<Rect>(&scene.items[i - 1].shape);
      const bool cell = scene.items[i - 2].role == Role::cell && scene.items[i - 1].role == Role::cell_linked;
      if (cell && rect && text && text->text == "3" && scene.items[i].target == Target{}) return *rect;
    }
    return std::nullopt;
  };
  EXPECT_FALSE(flying(0));
  std::optional<Rect> last;
  for (const double phase : {0.25, 0.5, 0.75}) {
    const auto now = flying(phase);
    ASSERT_TRUE(now) << phase;
    EXPECT_TRUE(!last || (now->y > last->y && now->x < last->x)) << "down to the copy's strip, and to an earlier cell";
    last = now;
  }
}

TEST(Changed, IsNotWhatALineHasMadeItself) {
  const auto changed = [](const char* source) { return changed_places(draw(evaluate(source), {})).size(); };
  EXPECT_GT(changed("x = torch.zeros(3)\nx.add_(1)"), 0u);
  EXPECT_EQ(changed("x = torch.zeros(3)\ny = torch.zeros(3).add_(1)"), 0u) << "nobody saw these cells before";
}

TEST(Draw, ATensorWhoseElementsNobodyCanCountHasNoPicture) {
  const Trace trace = lab::trace_of({{int64_t{1} << 40, int64_t{1} << 40}, {0, 0}, 0}, 1);
  EXPECT_EQ(subject(trace, {}).object, -1);
  EXPECT_EQ(subject(Trace{}, {}).object, -1) << "nor has a program without steps";
}

TEST(Draw, ATensorWhoseOffsetsNobodyCanCountHasNoPicture) {
  Trace trace = lab::trace_of({{2}, {1}, 0}, 2);
  auto tensor = std::make_shared<Tensor>(*trace.steps[0].names[0].tensor);
  tensor->dtype = DType::int32;  // over cells of 8 bytes: offsets are in bytes
  tensor->layout.strides[0] = INT64_MAX / 2;
  auto object = std::make_shared<TensorObject>();
  object->tensor = tensor;
  trace.steps[0].applied[0].result.held = trace.steps[0].value.held = object;
  EXPECT_EQ(subject(trace, {}).object, -1);
  check_promises(draw(trace, {}));
}

}  // namespace
}  // namespace stridescope

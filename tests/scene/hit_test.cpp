#include <gtest/gtest.h>

#include "scene/scene.h"

namespace stridescope {
namespace {

constexpr Target first{Target::Kind::cell, 0, 1}, second{Target::Kind::cell, 0, 2};

Scene scene_of(std::vector<Item> items) {
  Scene scene;
  scene.width = scene.height = px(100);
  scene.items = std::move(items);
  return scene;
}

TEST(Hit, IsTheTargetOfWhatIsDrawnLast) {
  const Scene scene = scene_of({{.shape = Rect{0, 0, px(50), px(50)}, .target = first},
                                {.shape = Rect{px(20), 0, px(50), px(50)}, .target = second}});
  EXPECT_EQ(hit(scene, {px(10), px(10)}), first);
  EXPECT_EQ(hit(scene, {px(30), px(10)}), second);
  EXPECT_EQ(hit(scene, {px(90), px(10)}), Target{});
}

TEST(Hit, LooksThroughItemsWithoutATarget) {
  const Scene scene = scene_of({{.shape = Rect{0, 0, px(50), px(50)}, .target = first},
                                {.shape = Rect{0, 0, px(50), px(50)}, .role = Role::panel}});
  EXPECT_EQ(hit(scene, {px(10), px(10)}), first);
}

TEST(Hit, AThinLineCanBePointedAtAndItsBendIsNotFilled) {
  const Scene scene =
      scene_of({{.shape = Polyline{{{0, 0}, {px(40), 0}, {px(40), px(40)}}}, .stroke = px(1), .target = first}});
  EXPECT_EQ(hit(scene, {px(20), px(2)}), first);
  EXPECT_EQ(hit(scene, {px(38), px(20)}), first);
  EXPECT_EQ(hit(scene, {px(20), px(10)}), Target{});
}

TEST(Hit, AFilledShapeIsHitInsideOnly) {
  const Scene scene = scene_of({{.shape = Polyline{{{0, 0}, {px(40), 0}, {0, px(40)}}, true, true}, .target = first}});
  EXPECT_EQ(hit(scene, {px(10), px(10)}), first);
  EXPECT_EQ(hit(scene, {px(30), px(30)}), Target{});
}

TEST(Hit, TextIsHitWhereItsLettersStand) {
  const Item text{.shape = Text{.at = {px(50), px(50)}, .size = px(10), .anchor = Anchor::middle, .text = "abcd"},
                  .target = first};
  EXPECT_EQ(hit(scene_of({text}), {px(40), px(46)}), first);
  EXPECT_EQ(hit(scene_of({text}), {px(40), px(60)}), Target{});
  Item upright = text;
  std::get_if<Text>(&upright.shape)->vertical = true;
  EXPECT_EQ(hit(scene_of({upright}), {px(46), px(40)}), first);
}

TEST(Place, OfAnElementIsItsCellAndOfATensorTheBoxAroundAllItsCells) {
  const auto cell = [](Unit x, Unit y, int64_t element, Role role = Role::cell) {
    return Item{.shape = Rect{x, y, px(10), px(8)}, .role = role, .target = {Target::Kind::element, 3, element}};
  };
  const Scene scene = scene_of({cell(px(20), px(10), 0), cell(px(32), px(10), 1), cell(px(20), px(20), 2),
                                cell(0, 0, 0, Role::path_point), cell(px(31), px(9), 1, Role::cell_focus)});
  const auto box = [&](const Target& target) {
    const Rect at = place(scene, target);
    return std::vector<Unit>{at.x, at.y, at.width, at.height};
  };
  EXPECT_EQ(box({Target::Kind::element, 3, 1}), (std::vector<Unit>{px(32), px(10), px(10), px(8)}));
  EXPECT_EQ(box({Target::Kind::tensor, 3, -1}), (std::vector<Unit>{px(20), px(10), px(22), px(18)}));
  EXPECT_EQ(box({Target::Kind::element, 3, 9}), (std::vector<Unit>{0, 0, 0, 0}));
  EXPECT_EQ(box({Target::Kind::tensor, 4, -1}), (std::vector<Unit>{0, 0, 0, 0}));
}

TEST(Place, OfWhatChangedIsEveryCellMarkedSo) {
  const Target target{Target::Kind::element, 3, 0};
  const Scene scene =
      scene_of({{.shape = Rect{px(1), 0, px(10), px(8)}, .role = Role::changed, .target = target},
                {.shape = Rect{px(30), 0, px(10), px(8)}, .role = Role::cell, .target = target},
                {.shape = Rect{px(50), 0, px(40), px(8)}, .role = Role::changed},
                {.shape = Polyline{{{0, 0}, {px(4), 0}, {0, px(4)}}, true, true}, .role = Role::changed}});
  ASSERT_EQ(changed_places(scene).size(), 1u);
  EXPECT_EQ(changed_places(scene)[0].x, px(1));
}

TEST(Hit, AClosedLineIsHitOnItsLastSideToo) {
  const Polyline corner{{{0, 0}, {px(40), 0}, {px(40), px(40)}}, true};
  const Scene closed = scene_of({{.shape = corner, .stroke = px(1), .target = first}});
  EXPECT_EQ(hit(closed, {px(20), px(20)}), first);
  EXPECT_EQ(hit(closed, {px(5), px(30)}), Target{});
  const Scene line = scene_of({{.shape = Polyline{{{0, 0}, {px(40), 0}}, true}, .stroke = px(1), .target = first}});
  EXPECT_EQ(hit(line, {px(20), px(1)}), first);
  EXPECT_EQ(hit(line, {px(20), px(9)}), Target{});
  const Scene dot = scene_of({{.shape = Polyline{{{px(9), px(9)}, {px(9), px(9)}}}, .stroke = px(1), .target = first}});
  EXPECT_EQ(hit(dot, {px(10), px(9)}), first);
  EXPECT_EQ(hit(dot, {px(30), px(9)}), Target{});
}

TEST(Hit, ALineWithoutPointsIsNowhere) {
  for (const bool filled : {false, true}) {
    const Item item{.shape = Polyline{{}, filled, filled}, .target = first};
    EXPECT_EQ(hit(scene_of({item}), {0, 0}), Target{});
    EXPECT_EQ(bounds(item).width, 0);
  }
}

TEST(Hit, AnImageIsHitInItsFrame) {
  Image image;
  image.frame = {px(10), px(10), px(20), px(20)};
  const Scene scene = scene_of({{.shape = image, .target = first}});
  EXPECT_EQ(hit(scene, {px(15), px(15)}), first);
  EXPECT_EQ(hit(scene, {px(5), px(15)}), Target{});
}

}  // namespace
}  // namespace stridescope

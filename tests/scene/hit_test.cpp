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

}  // namespace
}  // namespace stridescope

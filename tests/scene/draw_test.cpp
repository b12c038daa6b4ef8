// What every picture promises, whatever the tensor, the room and the view state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "scene/lab.h"
#include "scene/picture.h"
#include "scene/promises.h"

namespace stridescope {
namespace {

/// Layouts of all ranks up to 9, small and huge, with holes, overlaps, zeros and steps back.
Layout any_layout(std::mt19937& random) {
  const auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  const int rank = static_cast<int>(pick(0, pick(0, 3) == 0 ? 9 : 4));
  Layout layout;
  int64_t stride = 1, count = 1;
  for (int d = 0; d < rank; ++d) {
    int64_t size = pick(0, 30) == 0 ? 0 : pick(0, 5) == 0 ? pick(20, 3000) : pick(1, 6);
    if (count * std::max<int64_t>(size, 1) > int64_t{1} << 40) size = 1;
    count *= std::max<int64_t>(size, 1);
    layout.sizes.push_back(size);
    layout.strides.push_back(pick(0, 6) == 0 ? 0 : pick(0, 5) == 0 ? stride + pick(0, 3) : stride);
    if (size > 0 && stride < int64_t{1} << 44) stride *= size;
  }
  for (int d = rank - 1; d > 0; --d) {
    const int other = static_cast<int>(pick(0, d));
    std::swap(layout.sizes[d], layout.sizes[other]);
    std::swap(layout.strides[d], layout.strides[other]);
  }
  for (int d = 0; d < rank; ++d)
    if (pick(0, 9) == 0) layout.strides[d] = -layout.strides[d];
  const auto reach = extent(layout);
  layout.storage_offset = pick(0, 3) == 0 ? pick(0, 20) : 0;
  if (reach && reach->lowest < 0) layout.storage_offset -= reach->lowest;
  return layout;
}

ViewState any_view(std::mt19937& random) {
  const auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  ViewState view;
  view.width =
      px(static_cast<double>(std::array{320, 360, 480, 700, 920, 1280, 1400, 2560}[static_cast<size_t>(pick(0, 7))]));
  view.height = pick(0, 2) == 0 ? px(static_cast<double>(pick(0, 900))) : 0;
  view.head = pick(0, 3) == 0 ? static_cast<int64_t>(random()) * 1000 : pick(0, 40);
  view.phase = static_cast<double>(pick(0, 10)) / 10;
  view.figures = pick(0, 1) == 0 ? static_cast<uint8_t>(figure_all) : static_cast<uint8_t>(pick(0, 63));
  view.labels = static_cast<Labels>(pick(0, 3));
  view.coloring = static_cast<Coloring>(pick(0, 6));
  view.line = static_cast<int>(std::array{0, 0, 32, 64, 20}[static_cast<size_t>(pick(0, 4))]);
  view.bytes = pick(0, 3) == 0;
  view.language = pick(0, 1) == 0 ? Language::english : Language::chinese;
  if (pick(0, 2) == 0)
    view.hover = {static_cast<Target::Kind>(pick(0, 5)), static_cast<int32_t>(pick(-1, 1)), pick(-1, 5)};
  return view;
}

TEST(Draw, KeepsInsideTheSceneOverlapsNoTextAndStaysBounded) {
  std::mt19937 random(7);
  for (int k = 0; k < 800; ++k) {
    const Layout layout = any_layout(random);
    const ViewState view = any_view(random);
    const Trace trace = lab::trace_of(layout, random() % 2 == 0 ? Library::torch : Library::numpy);
    check_promises(draw(trace, view));
    ASSERT_FALSE(testing::Test::HasFailure())
        << to_string(layout) << " width " << view.width / 100 << " height " << view.height / 100 << " head "
        << view.head << " figures " << int{view.figures} << " labels " << static_cast<int>(view.labels) << " language "
        << static_cast<int>(view.language) << " draw " << k;
  }
}

TEST(Draw, KeepsItsPromisesForEveryStepOfUnusualPrograms) {
  std::mt19937 random(5);
  for (const char* program :
       {"x = torch.arange(100000)\ny = x[::7]\nz = x.float()",
        "x = torch.zeros(2**62, dtype=torch.int8)[::2**60]\ny = x.clone()",
        "x = torch.zeros(2**31, 2**29)\ny = x.t()\nz = y.t()", "x = torch.zeros(1).expand(2**60)\ny = x[2**59:]",
        "x = torch.zeros(4)\nassert x.sum() == 1\nassert 0 > 1, 'no'",
        "x = torch.zeros(0, 3)\ny = x.view(3, 0)\nz = x.t().reshape(0)\nx[:] = 1",
        "x = torch.tensor(5)\ny = x.view(1)\nz = x.view(2)\nx[...] = 7",
        "x = torch.zeros(4)\ny = x[1:]\nz = torch.zeros(2)\ny += 1\nz[0] = 1\nx.zero_()",
        "x = torch.arange(6).view(2, 3)\nx.t_()\nx.resize_(2, 2)\na, b = x",
        "a = np.arange(12).reshape(3, 4)\nb = a.T\nb[0] = a[:, 0]\nb.shape = (2, 6)",
        "x = torch.zeros(2, 3)\nx.vieww(6)\nx.t().view(6)\nnope\nx.sum(5)"}) {
    const Trace trace = evaluate(program);
    for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step)
      for (int k = 0; k < 12; ++k) {
        ViewState view = any_view(random);
        view.step = step;
        check_promises(draw(trace, view));
        ASSERT_FALSE(testing::Test::HasFailure()) << program << " step " << step << " view " << k;
      }
  }
}

/// Sizes with the same number of elements.
Dims regrouped(std::mt19937& random, const Dims& sizes) {
  Dims result{1};
  for (int64_t size : sizes) {
    for (int64_t factor = 2; size > 1;) {
      if (size % factor != 0 && factor * factor <= size) {
        ++factor;
        continue;
      }
      const int64_t prime = size % factor == 0 ? factor : size;
      if (random() % 2 == 0 && result.size() < 9)
        result.push_back(prime);
      else
        result[result.size() - 1] *= prime;
      size /= prime;
    }
  }
  if (result[0] == 1 && random() % 2 == 0 && result.size() > 1) result.erase(0);
  return result;
}

TEST(Draw, KeepsItsPromisesForViewsThatWorkAndViewsThatFail) {
  std::mt19937 random(11);
  int failed = 0;
  for (int k = 0; k < 600; ++k) {
    const Layout layout = any_layout(random);
    if (layout.rank() == 0 || *numel(layout.sizes) == 0) continue;
    const Dims sizes = regrouped(random, layout.sizes);
    const Trace trace = lab::trace_of_view(layout, sizes);
    failed += trace.steps[0].error.has_value();
    const ViewState view = any_view(random);
    check_promises(draw(trace, view));
    ASSERT_FALSE(testing::Test::HasFailure())
        << to_string(layout) << " as " << to_string(sizes) << " width " << view.width / 100 << " language "
        << static_cast<int>(view.language) << " draw " << k;
  }
  EXPECT_GT(failed, 100);
}

int count_of(const Scene& scene, Role role) {
  return static_cast<int>(
      std::count_if(scene.items.begin(), scene.items.end(), [&](const Item& item) { return item.role == role; }));
}

TEST(Draw, ShowsACrackForEveryPairOfDimensionsThatCannotMerge) {
  const Trace trace = lab::trace_of_view({{2, 2, 3}, {6, 1, 2}, 0}, {12});
  const Scene scene = draw(trace, {});
  const auto says = [&](const char* words) {
    return std::any_of(scene.items.begin(), scene.items.end(), [&](const Item& item) {
      const auto* text = std::get_if<Text>(&item.shape);
      return text && text->text == words;
    });
  };
  EXPECT_TRUE(says("6 ≠ 1 × 2"));
  EXPECT_TRUE(says("1 ≠ 2 × 3"));
  EXPECT_GT(count_of(scene, Role::bad), 0);
}

TEST(Draw, WordsThatStandBesideThePictureLeaveTheirRoomToItsFigures) {
  ViewState view;
  const auto drawn = [&](const char* line) {
    return draw(evaluate("x = torch.arange(6).view(2, 3).t()\n" + std::string(line)), view);
  };
  const char* const lines[] = {"x.view(6)", "x.reshape(6)", "x[5]"};
  std::vector<Scene> whole;
  for (const char* line : lines) whole.push_back(drawn(line));
  const Scene unknown = drawn("torch.arang(3)");
  view.words = false;
  for (size_t k = 0; k < std::size(lines); ++k) {
    const Scene scene = drawn(lines[k]);
    EXPECT_LT(scene.height, whole[k].height - px(30)) << lines[k];
    EXPECT_EQ(count_of(scene, Role::crack), count_of(whole[k], Role::crack)) << lines[k];
    EXPECT_EQ(count_of(scene, Role::cell), count_of(whole[k], Role::cell)) << lines[k];
    EXPECT_EQ(scene.description, whole[k].description);
    view.height = scene.height;
    EXPECT_EQ(count_of(drawn(lines[k]), Role::cell), count_of(whole[k], Role::cell)) << lines[k];
    view.height = 0;
  }
  EXPECT_EQ(svg(drawn("torch.arang(3)"), view.theme), svg(unknown, view.theme)) << "there is nothing else to show";
}

TEST(Draw, TheWayOfACopyCrossesNoWords) {
  for (const char* program : {"z = torch.arange(12).view(3, 4).t().contiguous()", "z = torch.arange(12)[::2].clone()",
                              "z = torch.arange(100000).float()"}) {
    const Trace trace = evaluate(program);
    for (const Unit width : {px(360), px(920)})
      for (int head = 0; head < 6; ++head) {
        const Scene scene = draw(trace, {.head = head, .width = width});
        int ways = 0;
        for (const Item& item : scene.items) {
          const auto* way = std::get_if<Polyline>(&item.shape);
          if (!way || !item.dashed || item.role != Role::cell_linked) continue;
          ++ways;
          const Point from = way->points.front(), to = way->points.back();
          for (const Item& other : scene.items) {
            if (!std::holds_alternative<Text>(other.shape)) continue;
            const Rect box = bounds(other);
            for (int k = 0; k <= 100; ++k) {
              const Unit x = from.x + (to.x - from.x) / 100 * k, y = from.y + (to.y - from.y) / 100 * k;
              EXPECT_FALSE(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height)
                  << program << " " << head << ": " << std::get<Text>(other.shape).text;
            }
          }
        }
        EXPECT_EQ(ways, 1);
      }
  }
}

TEST(Draw, TheSameProgramAndViewAreTheSameScene) {
  const Trace trace = lab::trace_of({{3, 4}, {1, 3}, 0});
  EXPECT_EQ(svg(draw(trace, {}), ThemeId::light), svg(draw(trace, {}), ThemeId::light));
}

TEST(Draw, ViewStatesOutOfRangeAreClamped) {
  const Trace trace = lab::trace_of({{3, 4}, {1, 3}, 0});
  for (double phase : {std::nan(""), -1.0, 2.0, HUGE_VAL})
    for (int64_t head : {INT64_MIN, int64_t{-1}, int64_t{12}, INT64_MAX})
      for (Unit width : {INT32_MIN, 0, INT32_MAX}) {
        ViewState view;
        view.phase = phase;
        view.head = head;
        view.width = view.height = width;
        view.step = view.op = static_cast<int>(head >> 32);
        check_promises(draw(trace, view));
      }
}

TEST(Draw, HitAnswersWhatIsDrawnThere) {
  const Scene scene = draw(lab::trace_of({{2, 2, 3}, {6, 1, 2}, 0}), {});
  int cells = 0;
  for (const Item& item : scene.items) {
    const auto* rect = std::get_if<Rect>(&item.shape);
    if (!rect || item.role != Role::cell || item.target.kind == Target::Kind::none) continue;
    ++cells;
    const Target found = hit(scene, {rect->x + rect->width / 2, rect->y + rect->height / 2});
    EXPECT_EQ(found, item.target) << to_string(item.target);
  }
  EXPECT_EQ(cells, 24);  // twelve elements, twelve cells
}

TEST(Draw, ACellLightsEveryElementThatReadsItAndAnElementItsCell) {
  const Trace trace = lab::trace_of({{3, 2}, {1, 0}, 0});
  const std::vector<std::string> expected{"cell:0:1", "element:0:2", "element:0:3"};
  EXPECT_EQ(lab::lit(trace, {Target::Kind::cell, 0, 1}), expected);
  EXPECT_EQ(lab::lit(trace, {Target::Kind::element, 0, 3}), expected);
  EXPECT_EQ(lab::lit(trace, {Target::Kind::element, 7, 3}), std::vector<std::string>{});
}

TEST(Draw, AnAxisLightsItsHops) {
  const Trace trace = lab::trace_of({{2, 3}, {1, 2}, 0});
  ViewState view;
  view.hover = {Target::Kind::axis, 0, 0};
  EXPECT_GT(count_of(draw(trace, view), Role::axis0), count_of(draw(trace, {}), Role::axis0));
}

TEST(Draw, AnAxisOfTheInputLightsTheOneThatCameOfIt) {
  const Trace trace = evaluate("x = torch.arange(24).view(2, 3, 4)\ny = x.permute(2, 0, 1)");
  const int x = trace.steps[1].names[0].tensor->object, y = trace.steps[1].names[1].tensor->object;
  const auto picture = [&](Target hover) {
    ViewState view;
    view.hover = hover;
    return svg(draw(trace, view), ThemeId::light);
  };
  for (int d = 0; d < 3; ++d) {
    const Target came_of_it{Target::Kind::axis, y, (d + 1) % 3};
    EXPECT_EQ(picture({Target::Kind::axis, x, d}), picture(came_of_it));
    EXPECT_NE(picture(came_of_it), picture({}));
  }
}

TEST(Draw, TheHeadStandsBetweenTwoReadsByThePhase) {
  const Trace trace = lab::trace_of({{4}, {1}, 0});
  const auto head_x = [&](double phase) {
    ViewState view;
    view.phase = phase;
    view.figures = figure_strip;
    for (const Item& item : draw(trace, view).items)
      if (item.role == Role::head) return bounds(item).x;
    return Unit{-1};
  };
  EXPECT_EQ(head_x(0.5) * 2, head_x(0) + head_x(1));
}

TEST(Draw, AViewOfBytesInsideCellsIsDrawnInBytes) {
  Trace trace = lab::trace_of({{6}, {1}, 0}, 6);
  auto tensor = std::make_shared<Tensor>(*trace.steps[0].names[0].tensor);
  tensor->library = Library::numpy;
  tensor->dtype = DType::int32;
  tensor->layout = {{3, 2}, {12, 2}, 1};
  auto object = std::make_shared<TensorObject>();
  object->id = tensor->object;
  object->tensor = tensor;
  trace.steps[0].applied[0].result.held = object;
  std::mt19937 random(3);
  for (int k = 0; k < 100; ++k) check_promises(draw(trace, any_view(random)));
}

TEST(Draw, AWarpIsCountedWhereCellsAreColouredByBank) {
  const auto words = [](const Layout& layout, const ViewState& view) {
    std::string all;
    const Scene scene = draw(lab::trace_of(layout), view);
    for (const Item& item : scene.items)
      if (const auto* text = std::get_if<Text>(&item.shape)) all += text->text + "\n";
    return all;
  };
  ViewState view;
  view.head = 100;
  const Layout columns{{64, 64}, {1, 64}, 0};
  EXPECT_EQ(words(columns, view).find("warp"), std::string::npos);
  view.coloring = Coloring::bank;
  // 32 elements of 8 bytes, 512 bytes from each other: a sector each, and all in one pair of banks.
  EXPECT_NE(words(columns, view).find("warp of elements 96 to 127: 32 sectors of 32 bytes (contiguous 8)"),
            std::string::npos);
  EXPECT_NE(words(columns, view).find("32 passes over 32 memory banks (contiguous 2)"), std::string::npos);
  EXPECT_EQ(words({{0}, {1}, 0}, view).find("warp"), std::string::npos) << "nothing is read";
}

TEST(Draw, AStripSaysWhereItsValuesAreStandInsFromTheStepOnThatTheyAre) {
  const Trace trace = evaluate("x = torch.zeros(4)\nx.copy_(torch.rand(4))\ny = x.view(2, 2)");
  const auto says = [&](int step, Unit width) {
    ViewState view;
    view.step = step;
    view.width = width;
    const Scene scene = draw(trace, view);
    return std::any_of(scene.items.begin(), scene.items.end(), [](const Item& item) {
      const auto* text = std::get_if<Text>(&item.shape);
      return text && text->text.find("values are stand-ins") != std::string::npos;
    });
  };
  for (const Unit width : {px(360), px(920)}) {
    EXPECT_FALSE(says(0, width));
    EXPECT_TRUE(says(1, width));
    EXPECT_TRUE(says(2, width));
  }
}

TEST(Draw, AProgramWithoutStepsSaysWhatToDo) {
  for (Unit width : {px(320), px(920)}) {
    ViewState view;
    view.width = width;
    const Scene scene = draw(Trace{}, view);
    check_promises(scene);
    EXPECT_FALSE(scene.title.empty());
  }
}

TEST(Draw, KeepsItsPromisesForProgramsWhateverIsLookedAtAndPointedAt) {
  const char* const programs[] = {
      "x = torch.arange(12).view(3, 4)\ny = x.t()\nz = y.contiguous()\nw = z[1:]\nw.fill_(7)",
      "x = torch.arange(6.).view(2, 3)\ny = x.t().contiguous().t()\nz = x.expand(4, 2, 3)\ny[0] = x[1]",
      "x = torch.tensor([float('nan'), 1, 2])\ny = x.clone()\nz = y.flip(0)\ny += z",
      "a = np.arange(24).reshape(2, 3, 4)\nb = a[:, ::-1, 1:]\nc = b.copy()\nb[...] = 0\nd = a.view(np.int16)",
      "a = np.zeros((3, 3), dtype=np.int8)\nb = a.view(np.int16) if False else a.T\nb[0] = 1\na.T.reshape(9)",
      "a = np.arange(6)\nb = a.view(np.uint8)[1:]\nc = b[:8].view(np.int64)\nc[0] = 3\nb[::2]",
      "x = torch.arange(10**12).view(10**6, 10**6)\ny = x.t()\nz = y[::7]\ny.view(-1)",
      "x = torch.tensor(3)\ny = x.expand(2, 2)\nz = torch.zeros(0, 3)\nw = z.t()\nn = x.item()",
      "x = torch.zeros(2, 3, 4, 5, 6)\ny = x.permute(4, 3, 2, 1, 0)\nz = y.reshape(6, 120)\ny.view(720)",
      "x = torch.arange(6)\np = [x[1:], x[::2]]\nq = torch.stack(p[:1] + p[:1])\nx.view(4)\nprint(x)",
      "y = torch.zeros(3).add_(1)\nz = torch.ones(3).fill_(y[0])\nw = torch.zeros(0)\nv = w.clone()\ny.add_(z)",
      "x = torch.zeros(2**52)[::2**45]\ny = torch.zeros(2**61, dtype=torch.int8)[::2**59]\nz = x.clone()\nw = y[1:]",
      "x = torch.zeros(100000)\ny = x[:0]\nz = x[::1000]\nw = z.view(10, 10).t()\nv = x.view(1, -1)",
      ("x = torch.arange(6)\ny = x.view(2, 1, 3)\nz = y.transpose(0, 2)\nz.view(6, 1)\nw = z.reshape(1, 6, 1)\n"
       "torch.zeros(1).view(1, 1)"),
      "x = torch.arange(12).view(3, 4)\ny = torch.cat([x[:0], x])\nx.t_()\nx[0] = 7\nz = x.repeat(2, 1)\nx.resize_(20)",
      "a = np.arange(3.0)\nb = a.astype(complex)\nc = b.imag\nc[0] = 2\nd = b.view(np.float64)\nd[::2]",
  };
  std::mt19937 random(5);
  for (const char* program : programs) {
    const Trace trace = evaluate(program);
    ASSERT_GE(trace.steps.size(), 4u) << program;
    for (int k = 0; k < 150; ++k) {
      ViewState view = any_view(random);
      view.step = static_cast<int>(random() % 6) - 1;
      view.op = static_cast<int>(random() % 4) - 1;
      view.ask = random() % 8 == 0;
      view.words = random() % 4 != 0;
      view.hover = {static_cast<Target::Kind>(random() % 6), static_cast<int32_t>(random() % 7) - 1,
                    static_cast<int64_t>(random() % 9) - 1};
      ViewState still = view;
      still.phase = 0;  // a value on its way to its copy passes over others
      check_promises(draw(trace, still));
      ASSERT_FALSE(testing::Test::HasFailure()) << program << "\n" << to_text({program, still}, true);
      ASSERT_FALSE(plain_text(trace, view).empty());
      ASSERT_TRUE(svg(draw(trace, view), view.theme).ends_with("</svg>\n"));
    }
  }
}

TEST(Draw, CellsThatAreBytesOfWiderElementsAreReadAsBytes) {
  const Trace trace = evaluate("a = np.arange(2)\nb = a.view(np.uint8)");
  const std::string text = plain_text(trace, {});
  EXPECT_EQ(text.find("72057594037927936"), std::string::npos) << text;
  EXPECT_NE(text.find("15"), std::string::npos) << text;
}

TEST(Draw, BesideAStatementStandsWhatTheStatementCameTo) {
  const auto drawn = [](const std::string& line, int op = -1) {
    return svg(draw(evaluate("x = torch.arange(6).view(2, 3)\n" + line), {.op = op}), ThemeId::light);
  };
  EXPECT_NE(drawn("x.size(0) * 5 + x.size(1)").find("→ 13<"), std::string::npos);
  EXPECT_NE(drawn("x.size(0) * 5 + x.size(1)", 0).find("→ 2<"), std::string::npos);
  EXPECT_NE(drawn("print(x.stride())").find("→ (3, 1)<"), std::string::npos);
  EXPECT_EQ(drawn("assert not x.is_contiguous(), x.stride()").find("→"), std::string::npos);
}

}  // namespace
}  // namespace stridescope

// The examples as pictures. UPDATE_GOLDEN=1 writes the goldens anew; a picture that differs is left beside its golden
// as name-changed.svg.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scene/promises.h"
#include "stridescope.h"

namespace stridescope {
namespace {

namespace fs = std::filesystem;

const fs::path root = STRIDESCOPE_SOURCE_DIR;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> examples() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(root / "assets/examples"))
    if (entry.path().extension() == ".py") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void compare(const std::string& name, const std::string& picture) {
  const fs::path golden = root / "tests/golden" / (name + ".svg"),
                 changed = root / "tests/golden" / (name + "-changed.svg");
  if (std::getenv("UPDATE_GOLDEN")) std::ofstream(golden, std::ios::binary) << picture;
  const bool same = read_file(golden) == picture;
  if (same)
    fs::remove(changed);
  else
    std::ofstream(changed, std::ios::binary) << picture;
  EXPECT_TRUE(same) << "compare " << golden << " with " << changed << "; UPDATE_GOLDEN=1 accepts the change";
}

Trace trace_of_example(const std::string& name) {
  return evaluate(read_file(root / "assets/examples" / (name + ".py")));
}

TEST(Golden, AViewThatFailsAndWhatWouldWork) {
  ViewState view;
  view.step = 1;
  compare("view-fails", svg(draw(trace_of_example("permute-then-view"), view), ThemeId::light));
}

TEST(Golden, ACopyOnASecondStrip) {
  ViewState view;
  view.head = 4;
  view.figures = figure_strip | figure_path;
  compare("copy", svg(draw(trace_of_example("permute-then-view"), view), ThemeId::dark));
}

TEST(Golden, AnAttentionViewOfRankFourInChinese) {
  ViewState view;
  view.step = 0;
  view.head = 30;
  view.figures = figure_grid;
  view.language = Language::chinese;
  compare("rank-four", svg(draw(trace_of_example("attention-heads"), view), ThemeId::light));
}

TEST(Golden, ATrillionElementsOnANarrowScreen) {
  ViewState view;
  view.head = 123'456'789'012;
  view.width = px(360);
  compare("trillion", svg(draw(trace_of_example("trillion"), view), ThemeId::light));
}

TEST(Golden, AWriteSeenInEveryAliasInPrint) {
  ViewState view;
  view.head = 6;
  compare("write", svg(draw(trace_of_example("expand-and-write"), view), ThemeId::print));
}

TEST(Examples, EveryStepKeepsThePromisesOfAPictureAtEveryWidth) {
  for (const fs::path& path : examples()) {
    const Trace trace = evaluate(read_file(path));
    ASSERT_FALSE(trace.steps.empty()) << path;
    EXPECT_TRUE(trace.diagnostics.empty()) << path;
    for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step)
      for (int width : {320, 360, 640, 920, 1400})
        for (Language language : {Language::english, Language::chinese}) {
          ViewState view;
          view.step = step;
          view.head = step;
          view.width = px(width);
          view.language = language;
          check_promises(draw(trace, view));
          ASSERT_FALSE(testing::Test::HasFailure()) << path << " step " << step << " width " << width;
        }
  }
}

}  // namespace
}  // namespace stridescope

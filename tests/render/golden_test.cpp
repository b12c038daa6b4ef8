// The examples as pictures. UPDATE_GOLDEN=1 writes the goldens anew; a picture that differs is left beside its golden
// as name-changed.svg (or .tikz).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

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

void compare(const std::string& name, const std::string& picture, const std::string& ending = ".svg") {
  const fs::path golden = root / "tests/golden" / (name + ending),
                 changed = root / "tests/golden" / (name + "-changed" + ending);
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
  compare("view-fails", svg(draw(trace_of_example("random-permuted"), view), ThemeId::light));
}

TEST(Golden, ACopyOnASecondStrip) {
  ViewState view;
  view.step = 2;
  view.head = 4;
  view.figures = figure_strip | figure_path;
  compare("copy", svg(draw(trace_of_example("random-permuted"), view), ThemeId::dark));
}

TEST(Golden, AnAttentionViewOfRankFourInChinese) {
  ViewState view;
  view.step = 0;
  view.head = 30;
  view.figures = figure_grid;
  view.language = Language::chinese;
  compare("rank-four", svg(draw(trace_of_example("attention-heads"), view), ThemeId::light));
}

TEST(Golden, AQuestionAboutATranspose) {
  ViewState view;
  view.ask = true;
  compare("question", svg(draw(evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()\n"), view), ThemeId::light));
}

TEST(Golden, ATrillionElementsOnANarrowScreen) {
  ViewState view;
  view.head = 123'456'789'012;
  view.width = px(360);
  compare("trillion", svg(draw(trace_of_example("trillion"), view), ThemeId::light));
}

TEST(Golden, ATransposeAsTikz) {
  ViewState view;
  view.figures = figure_grid;
  view.width = px(420);
  compare(
      "transpose",
      tikz({draw(evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()\n"), view)}, ThemeId::print, TikzForm::picture),
      ".tikz");
}

TEST(Golden, AWriteSeenInEveryAliasInPrint) {
  ViewState view;
  view.step = 2;
  view.head = 6;
  compare("write", svg(draw(trace_of_example("expand-and-write"), view), ThemeId::print));
}

}  // namespace
}  // namespace stridescope

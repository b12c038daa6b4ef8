// assets/examples: the gallery of the page and of the docs. Each is a program with its expectations inside:
//
//   # en: TITLE                 then "# en: " and two sentences of introduction; the same after "# zh: "
//   # topic: NAME NUMBER        its shelf in the menu, and its place there
//   # en: REMARK  # zh: REMARK  anywhere further down, the same number of both
//   STATEMENT  # -> OUTCOME     what it comes to: "view (2, 3):(3, 1)+0", "RuntimeError", "(3, 1)", "write x, y";
//                             the first line of it, "..." where it comes to one thing after another
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "render/report_parts.h"
#include "scene/promises.h"
#include "stridescope.h"

namespace stridescope {
namespace {

namespace fs = std::filesystem;

struct Example {
  std::string name, text;
  std::vector<std::string> lines;
  std::vector<std::string> after(std::string_view prefix) const {
    std::vector<std::string> found;
    for (const std::string& line : lines)
      if (line.starts_with(prefix)) found.push_back(line.substr(prefix.size()));
    return found;
  }
};

std::vector<Example> examples() {
  std::vector<Example> list;
  for (const auto& entry : fs::directory_iterator(fs::path(STRIDESCOPE_SOURCE_DIR) / "assets/examples")) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    Example example{entry.path().stem().string(), text.str(), {}};
    std::istringstream lines(example.text);
    for (std::string line; std::getline(lines, line);) example.lines.push_back(line);
    list.push_back(std::move(example));
  }
  std::sort(list.begin(), list.end(), [](const Example& a, const Example& b) { return a.name < b.name; });
  return list;
}

std::string outcome(const Step& step) {
  if (step.error) return step.error->raised ? step.error->raised->type : "error";
  std::string what;
  if (const TensorPtr& tensor = tensor_of(step.value)) {
    what = to_string(tensor->layout);
  } else if (!std::holds_alternative<None>(step.value.held)) {
    what = to_string(step.value);
  } else {
    for (const Change& change : step.changed) what += (what.empty() ? "" : ", ") + change.name;
  }
  const std::string first(mark_of(relation(step)));
  if (first.empty() && what.empty()) return "nothing";
  what = what.substr(0, what.find('\n'));
  return first.empty() || what.empty() ? first + what : first + " " + what;
}

int sentences(std::string_view text) {
  int count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool stop = text[i] == '.' || text[i] == '?' || text[i] == '!';
    if (stop && (i + 1 == text.size() || text[i + 1] == ' ')) ++count;
    for (const std::string_view mark : {"。", "？", "！"})
      if (text.substr(i).starts_with(mark)) ++count;
  }
  return count;
}

TEST(Examples, EachComesToWhatItSays) {
  for (const Example& example : examples()) {
    const Trace trace = evaluate(example.text);
    EXPECT_TRUE(trace.diagnostics.empty()) << example.name;
    EXPECT_FALSE(trace.steps.empty()) << example.name;
    std::map<std::string, std::set<std::string>> several;
    for (const Step& step : trace.steps) {
      const std::string& line = example.lines[static_cast<size_t>(step.line - 1)];
      const size_t arrow = line.find("  # -> ");
      ASSERT_NE(arrow, std::string::npos) << example.name << ": " << line;
      const std::string told = line.substr(arrow + 7);
      if (told == "...")
        several[line].insert(outcome(step));
      else
        EXPECT_EQ(outcome(step), told) << example.name << ": " << step.text;
    }
    for (const auto& [line, outcomes] : several) EXPECT_GT(outcomes.size(), 1u) << example.name << ": " << line;
  }
}

TEST(Examples, EachIsIntroducedByATitleAndTwoSentencesInBothLanguages) {
  for (const Example& example : examples()) {
    const auto english = example.after("# en: "), chinese = example.after("# zh: ");
    ASSERT_GE(english.size(), 2u) << example.name;
    EXPECT_EQ(english.size(), chinese.size()) << example.name;
    EXPECT_EQ(example.lines[0], "# en: " + english[0]) << example.name;
    EXPECT_EQ(sentences(english[1]), 2) << example.name << ": " << english[1];
    EXPECT_EQ(sentences(chinese[1]), 2) << example.name << ": " << chinese[1];
  }
}

TEST(Examples, EachHasItsOwnPlaceOnAShelf) {
  std::set<std::string> places;
  for (const Example& example : examples()) {
    const auto topic = example.after("# topic: ");
    ASSERT_EQ(topic.size(), 1u) << example.name;
    EXPECT_TRUE(places.insert(topic[0]).second) << example.name << ": " << topic[0];
  }
}

TEST(Examples, EveryStepKeepsThePromisesOfAPictureAtEveryWidth) {
  for (const Example& example : examples()) {
    const Trace trace = evaluate(example.text);
    for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step)
      for (int width : {320, 640, 1400})
        for (Language language : {Language::english, Language::chinese}) {
          ViewState view;
          view.step = step;
          view.head = step;
          view.width = px(width);
          view.language = language;
          check_promises(draw(trace, view));
          ASSERT_FALSE(testing::Test::HasFailure()) << example.name << " step " << step << " width " << width;
        }
  }
}

}  // namespace
}  // namespace stridescope

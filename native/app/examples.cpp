#include "app/examples.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace stridescope {
namespace {

constexpr std::pair<const char*, const char*> example_files[] = {
#include "examples.inc"
};

constexpr std::array<std::pair<std::string_view, Msg>, 7> topics{{
    {"basics", Msg::label_topic_basics},
    {"view", Msg::label_topic_view},
    {"axes", Msg::label_topic_axes},
    {"repeat", Msg::label_topic_repeat},
    {"part", Msg::label_topic_part},
    {"numpy", Msg::label_topic_numpy},
    {"myth", Msg::label_topic_myth},
}};

size_t place_of(std::string_view topic) {
  return static_cast<size_t>(
      std::find_if(topics.begin(), topics.end(), [&](const auto& one) { return one.first == topic; }) - topics.begin());
}

/// Of the form that tests/render/examples_test.cpp asks for.
Example read(const std::string& name, std::string_view text, const std::string& own, const std::string& other) {
  Example example{.name = name};
  int said = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("# topic: ")) {
      const size_t blank = line.rfind(' ');
      example.topic = line.substr(9, blank - 9);
      example.place = std::atoi(line.c_str() + blank);
    } else if (line.starts_with(other)) {
      continue;
    } else if (line.starts_with(own)) {
      line.erase(0, own.size());
      ++said;
      if (said == 1) example.title = line;
      if (said == 2) example.intro = line;
      if (said != 2) example.code += "# " + line + "\n";
    } else {
      example.code += line.substr(0, line.find("  # -> ")) + "\n";
    }
  }
  return example;
}

}  // namespace

std::vector<Example> examples(Language language) {
  const bool chinese = language == Language::chinese;
  std::vector<Example> all;
  for (const auto& [name, text] : example_files)
    all.push_back(read(name, text, chinese ? "# zh: " : "# en: ", chinese ? "# en: " : "# zh: "));
  std::stable_sort(all.begin(), all.end(), [](const Example& a, const Example& b) {
    return std::pair(place_of(a.topic), a.place) < std::pair(place_of(b.topic), b.place);
  });
  return all;
}

Msg title_of_topic(std::string_view topic) { return topics[std::min(place_of(topic), topics.size() - 1)].second; }

}  // namespace stridescope

// assets/examples, as the page has them: opened in one language, without what the tests expect.
#pragma once
#include <string>
#include <vector>

#include "stridescope.h"

namespace stridescope {

struct Example {
  std::string name, topic;
  int place = 0;  ///< among those of its topic
  std::string title, intro;
  std::string code;  ///< the title as its first line
};
/// In the order of the menu: by topic, then by place.
std::vector<Example> examples(Language language);
/// What a topic is called.
Msg title_of_topic(std::string_view topic);

}  // namespace stridescope

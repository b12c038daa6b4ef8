// Prints the reference of operations; "zh" asks for Chinese.
#include <cstdio>
#include <string_view>

#include "stridescope.h"

int main(int count, char** values) {
  const bool chinese = count > 1 && std::string_view(values[1]) == "zh";
  const std::string page = stridescope::reference_html(chinese ? stridescope::Language::chinese : stridescope::Language::english);
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
}

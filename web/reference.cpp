// Prints what the site holds ready: "en" and "zh" the reference of operations, "picture DOCUMENT" a document's picture.
#include <cstdio>
#include <string_view>
#include <vector>

#include "stridescope.h"

namespace stridescope {
namespace {

std::string picture(std::string_view document) {
  std::vector<Diagnostic> problems;
  const Document shown = parse_document(document, problems);
  return svg(draw(evaluate(shown.source), shown.view), shown.view.theme);
}

}  // namespace
}  // namespace stridescope

int main(int count, char** values) {
  using namespace stridescope;
  const std::string_view asked = count > 1 ? values[1] : "en";
  const std::string text = asked == "picture" && count > 2
                               ? picture(values[2])
                               : reference_html(asked == "zh" ? Language::chinese : Language::english);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}

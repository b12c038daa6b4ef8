#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ops/op.h"
#include "render/found.h"
#include "stridescope.h"

namespace stridescope {
namespace {

/// It is large, and made once.
const std::string& english_page() {
  static const std::string page = reference_html(Language::english);
  return page;
}

/// What stands between `before` and the next `after`, each time.
std::vector<std::string> between(const std::string& text, std::string_view before, char after) {
  std::vector<std::string> found;
  for (size_t at = 0; (at = text.find(before, at)) != std::string::npos;) {
    at += before.size();
    found.push_back(text.substr(at, text.find(after, at) - at));
  }
  return found;
}

TEST(Reference, HasASectionWithAPictureForEveryRow) {
  for (const Language language : {Language::english, Language::chinese}) {
    const std::string page = language == Language::english ? english_page() : reference_html(language);
    EXPECT_EQ(count(page, "<section"), operation_table().size());
    EXPECT_EQ(count(page, "</section>"), operation_table().size());
    EXPECT_EQ(count(page, "<h3><code>") + count(page, "</code><code>"), forms().size());
    EXPECT_GT(count(page, "<svg"), operation_table().size() * 9 / 10);
    EXPECT_EQ(count(page, "<image"), 0u) << "a raster has the light theme's colours";
    EXPECT_EQ(count(page, "<script"), 1u);
    EXPECT_EQ(count(page, "<script src=\"find.js\" defer></script>"), 1u) << "none of it is in the page";
    EXPECT_EQ(count(page, "{0"), 0u);
  }
}

TEST(Reference, EveryLinkInsideThePageHasItsPlaceAndEveryColourItsValues) {
  const std::string& page = english_page();
  const auto ids = between(page, "<section class=\"row\" id=\"", '"'), links = between(page, "href=\"#", '"'),
             names = between(page, "var(--r", ')');
  std::set<std::string> anchors;
  for (const std::string& id : ids) EXPECT_TRUE(anchors.insert(percent_encoded(id)).second) << id;
  EXPECT_EQ(anchors.size(), operation_table().size());
  EXPECT_EQ(std::set(links.begin(), links.end()), anchors);
  std::set<std::string> colors;
  for (const std::string& name : names)
    if (name.find_first_not_of("0123456789s") == std::string::npos) colors.insert(name);
  EXPECT_GT(colors.size(), 10u);
  const std::string style = page.substr(0, page.rfind("</style>"));
  for (const std::string& name : colors) EXPECT_EQ(count(style, "--r" + name + ":#"), 2u) << name;
}

TEST(Reference, ListsEveryNameOnceAndLeadsToEachOfItsRows) {
  const std::string& page = english_page();
  for (const char* name : {"ones", "silu", "matmul", "strides", "moveaxis"}) {
    const std::string entry = "\"><code>" + std::string(name) + "</code></a>";
    bool torch = false, numpy = false;
    for (const Form& form : forms()) {
      const bool named = form.name == name || form.name.ends_with("." + std::string(name));
      (form.op->library == Library::torch ? torch : numpy) |= named;
    }
    EXPECT_EQ(count(page, entry), size_t{torch} + size_t{numpy}) << name;
    EXPECT_GT(count(page, entry), 0u) << name;
  }
  EXPECT_EQ(count(page, "aria-label=\"max 2\""), 1u);
}

TEST(Reference, TheListOfNamesHasALineForEveryForm) {
  const std::string names = reference_names();
  EXPECT_EQ(count(names, "\n"), forms().size());
  for (const Form& form : forms()) EXPECT_EQ(count(names, "\t" + std::string(form.text) + "\n") > 0, true) << form.text;
}

TEST(Reference, AsMarkdownHasEveryExample) {
  const std::string page = reference_markdown(Language::chinese);
  for (const Op* op : operation_table())
    EXPECT_GT(count(page, "```python\n" + std::string(op->example) + "\n```"), 0u) << op->example;
  EXPECT_EQ(count(page, "```") % 2, 0u);
}

}  // namespace
}  // namespace stridescope

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "ops/op.h"
#include "render/found.h"
#include "stridescope.h"

namespace stridescope {
namespace {

TEST(Reference, HasASectionWithAPictureForEveryRow) {
  for (const Language language : {Language::english, Language::chinese}) {
    const std::string page = reference_html(language);
    EXPECT_EQ(count(page, "<section"), operation_table().size());
    EXPECT_EQ(count(page, "</section>"), operation_table().size());
    EXPECT_EQ(count(page, "<h3><code>") + count(page, "</code><code>"), forms().size());
    EXPECT_GT(count(page, "<svg"), operation_table().size() * 9 / 10);
    EXPECT_EQ(count(page, "<image"), 0u) << "a raster has the light theme's colours";
    EXPECT_EQ(count(page, "<script"), 0u);
    EXPECT_EQ(count(page, "{0"), 0u);
  }
}

TEST(Reference, EveryLinkInsideThePageHasItsPlaceAndEveryColourItsValues) {
  const std::string page = reference_html(Language::english);
  std::set<std::string> anchors;
  const std::regex id("<section class=\"row\" id=\"([^\"]*)\""), link("href=\"#([^\"]*)\""),
      color("var\\((--r[0-9s]+)\\)");
  for (std::sregex_iterator it(page.begin(), page.end(), id), end; it != end; ++it)
    EXPECT_TRUE(anchors.insert(percent_encoded((*it)[1].str())).second) << (*it)[1];
  EXPECT_EQ(anchors.size(), operation_table().size());
  std::set<std::string> linked;
  for (std::sregex_iterator it(page.begin(), page.end(), link), end; it != end; ++it) linked.insert((*it)[1].str());
  EXPECT_EQ(linked, anchors);
  std::set<std::string> colors;
  for (std::sregex_iterator it(page.begin(), page.end(), color), end; it != end; ++it) colors.insert((*it)[1].str());
  EXPECT_GT(colors.size(), 10u);
  for (const std::string& name : colors) EXPECT_EQ(count(page, name + ":#"), 2u) << name;
}

TEST(Reference, ListsEveryNameOnceAndLeadsToEachOfItsRows) {
  const std::string page = reference_html(Language::english);
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

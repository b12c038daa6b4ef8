// A program as one record a statement.
#include <gtest/gtest.h>

#include "stridescope.h"

namespace stridescope {
namespace {

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Records, StatementsBeyondTheLimitAreErrorsThatSayWhy) {
  std::string source;
  for (int i = 0; i < max_operations; ++i) source += "torch.arange(3)\n";
  const std::string whole = records(evaluate(source)), beyond = records(evaluate(source + "x = 1\nimport math\ny = 2"));
  EXPECT_EQ(count_of(whole, R"("kind":"error")"), 0u);
  EXPECT_EQ(count_of(beyond, R"("kind":"error")"), 2u);
  EXPECT_EQ(count_of(beyond, R"("kind":"none")"), 1u);
  const std::string reason = plain(evaluate(source + "x = 1").diagnostics.back().reason, Language::english);
  EXPECT_EQ(count_of(beyond, reason), 2u) << reason;
}

}  // namespace
}  // namespace stridescope

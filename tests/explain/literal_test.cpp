#include "explain/literal.h"

#include <gtest/gtest.h>

namespace stridescope {
namespace {

TEST(Literal, IsEqualToTheSameBytesAlone) {
  using namespace std::string_view_literals;
  for (const char* literal : {"", "a", "ab"})
    for (const std::string_view text : {""sv, "a"sv, "b"sv, "ab"sv, "abc"sv, "\0"sv, "a\0"sv, "a\0b"sv})
      EXPECT_EQ(text == literal, text == std::string_view(literal)) << text << " and " << literal;
  EXPECT_TRUE("ab"sv != "a");
}

}  // namespace
}  // namespace stridescope

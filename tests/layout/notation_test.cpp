#include "layout/notation.h"

#include "layout/small_layouts.h"

namespace stridescope {
namespace {

static_assert("(2, 3):(3, 1)+0"_layout == Layout{{2, 3}, {3, 1}, 0});
static_assert("( 4 ,):( -1 , ) + 3"_layout == Layout{{4}, {-1}, 3});
static_assert("():()"_layout == Layout{});
static_assert("(2,):(1,)-6"_layout == Layout{{2}, {1}, -6});

TEST(Notation, ReadsWhatItWrites) {
  for_each_small_layout([](const Layout& layout) { EXPECT_EQ(parse_layout(to_string(layout)), layout); });
  const int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
  for (const Layout& layout : {Layout{}, Layout{{7}, {1}, -4}, Layout{{most}, {least}, most}, Layout{{0}, {0}, least}})
    EXPECT_EQ(parse_layout(to_string(layout)), layout) << to_string(layout);
}

TEST(Notation, RefusesWhatIsNotALayout) {
  for (const char* text : {"", "(2, 3)", "(2, 3):(3,)+0", "(2 3):(3, 1)", "(2,):(1,)+", "(2,):(1,)+0x", "(2,):(1,) 5",
                           "(,):(,)", "2:1", "(9223372036854775808,):(1,)+0", "(2,):(1,)+0 (2,)", "(a,):(1,)",
                           "(-,):(1,)", "(2,):x", "(2", "(2,):(", "(/,):(1,)"})
    EXPECT_FALSE(parse_layout(text)) << text;
  std::string many = "(1";
  for (int d = 0; d < max_rank; ++d) many += ",1";
  EXPECT_FALSE(parse_layout(many + "):" + many + ")"));
}

TEST(Notation, PrintsTuplesAsPythonDoes) {
  EXPECT_EQ(to_string(Dims{}), "()");
  EXPECT_EQ(to_string(Dims{5}), "(5,)");
  EXPECT_EQ(to_string(Dims{2, -3}), "(2, -3)");
}

}  // namespace
}  // namespace stridescope

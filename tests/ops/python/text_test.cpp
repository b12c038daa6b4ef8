// What is written of values: exact where it is known, refused where it would be a guess. What Python writes is recorded
// in tests/oracle.
#include "ops/program.h"

namespace stridescope {
namespace {

constexpr const char* given = "x = torch.arange(6).view(2, 3)\na = np.arange(6000.)\nk = 7\nr = 2.5\ns = 'ab'\n";

TEST(Text, WhatIsNotKnownIsRefusedAndNotGuessed) {
  for (const char* line :
       {"f'{zip([1], [2])}'", "f'{enumerate(s)}'", "f'{x.view}'", "f'{torch}'", "f'{slice(x, 1)}'", "f'{slice(1, x)}'",
        "f'{slice(1, 2, x)}'", "f'{\"\u4e2d\"!a}'", "ascii(s)", "str(torch.zeros)",
        // formats whose rules are not modelled, and large ones
        "f'{r:#.1f}'", "f'{1j:#}'", "f'{0xD800:c}'", "f'{k:5000}'", "f'{r:.401f}'", "f'{s * 2000}' * 2", "'%#.3g' % r",
        "'%.401f' % r", "'%5000d' % k", "b'%d' % k", "'%(a)s' % x", "'{:{w}}'.format(k, w=5000)",
        "str(torch.einsum('i->i', torch.ones(2, requires_grad=True)))",
        // made of other functions, which need not be PyTorch's
        "str(torch.trapezoid(torch.ones(3, requires_grad=True)))", "str('ab' * 2000) + 'c' * 3000"}) {
    const Ran ran(std::string(given) + line);
    EXPECT_EQ(ran.error(), "ours") << line;
  }
}

TEST(Text, WhatPrintWritesMayShowAnything) {
  for (const char* line : {"print(f'{a}')", "print('a', f'{a.flags} {x!r:>9}', end='')", "print(f'{zip()}', sep=f'')",
                           "print('%s' % a)", "print('{}'.format(a), '%s %s' % (1, a))"})
    EXPECT_EQ(Ran(std::string(given) + line).error(), "") << line;
  // What its fields raise is raised all the same.
  EXPECT_EQ(Ran(std::string(given) + "print(f'{x.view(7)}')").error(),
            "RuntimeError: shape '[7]' is invalid for input of size 6");
  EXPECT_EQ(Ran(std::string(given) + "print(f'{a} {k:s}')").error(),
            "ValueError: Unknown format code 's' for object of type 'int'");
}

TEST(Text, AForgottenNameIsFreeAgain) {
  const Ran ran("x = torch.arange(6)\ny = x\ndel x\nx = y.view(2, 3)\ndel y, x");
  EXPECT_EQ(ran.error(), "");
  EXPECT_TRUE(ran.last().names.empty());
  EXPECT_EQ(ran.step(2).names.size(), 1U);
  EXPECT_EQ(Ran("x = 1\ndel x\nx").error(), "NameError: name 'x' is not defined");
}

}  // namespace
}  // namespace stridescope

#include "ops/python/standard_library.h"

#include <algorithm>

#include "ops/program.h"

namespace stridescope {
namespace {

/// Every way to write k digits of n, in ascending order.
Places numbers(size_t n, size_t k) {
  Places all;
  size_t count = 1;
  for (size_t i = 0; i < k; ++i) count *= n;
  for (size_t number = 0; number < count; ++number) {
    std::vector<size_t> digits(k);
    size_t rest = number;
    for (size_t i = k; i-- > 0; rest /= n) digits[i] = rest % n;
    all.push_back(digits);
  }
  return all;
}

TEST(StandardLibrary, PlacesArePickedAsTheSievedNumbersAre) {
  for (size_t n = 0; n <= 4; ++n)
    for (size_t k = 0; k <= 4; ++k) {
      const Places all = numbers(n, k);
      const auto sieved = [&](auto wanted) {
        Places left;
        std::copy_if(all.begin(), all.end(), std::back_inserter(left), wanted);
        return left;
      };
      EXPECT_EQ(product_of(std::vector<size_t>(k, n)), all);
      EXPECT_EQ(picked_of(n, k, Picked::with_replacement),
                sieved([](const auto& each) { return std::is_sorted(each.begin(), each.end()); }));
      EXPECT_EQ(picked_of(n, k, Picked::combinations), sieved([](const auto& each) {
                  return std::adjacent_find(each.begin(), each.end(), std::greater_equal<>()) == each.end();
                }));
      EXPECT_EQ(picked_of(n, k, Picked::permutations), sieved([](std::vector<size_t> each) {
                  std::sort(each.begin(), each.end());
                  return std::adjacent_find(each.begin(), each.end()) == each.end();
                }));
    }
}

TEST(StandardLibrary, TooManyAreALimitHoweverTheyAreAskedFor) {
  for (const char* source :
       {"itertools.product(range(100), repeat=2)", "itertools.product([1, 2], repeat=2**62)",
        "itertools.permutations(range(4096))", "itertools.permutations(range(9))",
        "itertools.combinations(range(40), 20)", "itertools.combinations_with_replacement(range(9), 4000)",
        "itertools.combinations_with_replacement([1], 2**62)", "itertools.repeat(0, 2**62)", "itertools.count()",
        "itertools.cycle([1, 2])", "itertools.repeat(0)"}) {
    const Ran ran("import itertools\nlist(" + std::string(source) + ")");
    EXPECT_EQ(ran.error(), "ours") << source;
    const Msg reason = ran.last().error->reason.id;
    EXPECT_TRUE(reason == Msg::too_many_items || reason == Msg::too_many_nested) << source;
  }
  EXPECT_EQ(Ran("import itertools\nlist(itertools.product([], repeat=5)), list(itertools.combinations([], 2**62)), "
                "list(itertools.permutations([1], 2**62)), len(list(itertools.combinations(range(2000), 1999)))")
                .error(),
            "ours");  // 2,000 lists of 1,999
  EXPECT_EQ(Ran("import itertools\nlist(itertools.product([], repeat=5)), list(itertools.combinations([], 2**62)), "
                "list(itertools.permutations([1], 2**62))")
                .value(),
            "([], [], [])");
}

TEST(StandardLibrary, WhatIsMadeOfLongStringsIsCountedWhileItIsMade) {
  // Each of these held a gigabyte, or sorted for half a minute, before it was refused.
  for (const char* line : {"[list(s) for s in l]", "list(zip(*l))", "list(map(max, *l))", "max(l, key=sorted)",
                           "set().union(*l)", "list(itertools.chain(*l))", "list(itertools.zip_longest(*l))",
                           "sum([len(sorted(s)) for s in l])", "print(*[list(s) for s in l])"}) {
    const Ran ran(std::string("import itertools\nl = ['ab' * 2000 for _ in range(2000)]\n") + line);
    EXPECT_EQ(ran.error(), "ours") << line;
    const Msg reason = ran.last().error->reason.id;
    EXPECT_TRUE(reason == Msg::too_many_nested || reason == Msg::too_many_iterations) << line;
  }
}

TEST(StandardLibrary, AWalkOverAllIndicesFindsEveryOffset) {
  const Ran ran(
      "import itertools\nx = torch.arange(24).view(2, 3, 4).permute(2, 0, 1)\n"
      "offsets = [sum(i * s for i, s in zip(index, x.stride())) for index in itertools.product(*map(range, x.shape))]\n"
      "offsets == x.flatten().tolist()");
  EXPECT_EQ(ran.value(), "True");
}

TEST(StandardLibrary, WhatFunctionsAreHandedToMakesStepsOfItsOwn) {
  const Ran ran(
      "import functools, operator\nx = torch.ones(2, 3)\ny = functools.reduce(torch.add, [x, x, x])\n"
      "flat = functools.partial(torch.reshape, shape=(-1,))\nz = flat(x.t())\nw = operator.getitem(x, 0)");
  EXPECT_EQ(ran.values("y"), "3.0 3.0 3.0 3.0 3.0 3.0");
  const auto& steps = ran.trace.steps;
  EXPECT_EQ(steps[1].applied.size(), 2u);
  EXPECT_EQ(steps[3].applied.back().relation, Relation::copy);
  EXPECT_EQ(steps[4].applied.back().relation, Relation::view);
}

TEST(StandardLibrary, APartialIsHeldAsListsAre) {
  EXPECT_EQ(
      Ran("from functools import partial\np = partial(pow, 2)\nq = partial(p, 3)\nq(), q.args, q.keywords, q").value(),
      "(8, (2, 3), {}, functools.partial(<built-in function pow>, 2, 3))");
  EXPECT_EQ(Ran("from functools import partial\nl = []\nl.append(partial(print, l))").error(), "ours");
  EXPECT_EQ(Ran("from functools import partial\nd = {}\nd['a'] = partial(print, k=d)").error(), "ours");
  const Ran grown("from functools import partial\nl = [1]\np = partial(print, l)\nl.append(2)\np");
  EXPECT_EQ(to_string(grown.step(1).value), "functools.partial(<built-in function print>, [1])") << "as it was then";
  EXPECT_EQ(grown.value(), "functools.partial(<built-in function print>, [1, 2])");
  EXPECT_EQ(Ran("import copy\nfrom functools import partial\ncopy.deepcopy(partial(print, [1]))").error(), "ours");
  // Keywords in the order in which Python holds them, those of the call among them.
  EXPECT_EQ(Ran("from functools import partial\nf = lambda **named: list(named.items())\n"
                "partial(f, a=1, b=2)(c=3, b=4)")
                .value(),
            "[('a', 1), ('b', 4), ('c', 3)]");
}

TEST(StandardLibrary, WhatIsNotModelledOfItIsNoErrorOfPythons) {
  for (const char* source :
       {"itertools.tee([1])", "functools.singledispatch", "functools.lru_cache(maxsize=4)", "collections.Counter()",
        "collections.namedtuple('P', 'x', rename=True)", "operator.methodcaller('t')",
        "itertools.product([1], repeat=1, again=2)", "itertools.pairwise()", "operator.add(1)",
        "operator.itemgetter([1])", "sys.path", "sys.getsizeof([1])", "sys.getsizeof('a')"}) {
    const Ran ran("import itertools, functools, collections, operator, sys\n" + std::string(source));
    EXPECT_EQ(ran.error(), "ours") << source;
    EXPECT_EQ(ran.last().error->reason.id, Msg::not_modelled) << source;
  }
  for (const char* line :
       {"defaultdict(int, 1, 2)", "defaultdict(partial(list, []))", "defaultdict([1].copy)", "defaultdict(list, 1, 2)",
        "defaultdict(C())", "P.x", "P._make()", "P(1)._asdict(1)", "namedtuple('P', [1])", "P(1).x.y._asdict"}) {
    const Ran ran(std::string("from collections import defaultdict, namedtuple\nfrom functools import partial\n"
                              "class C:\n    def __call__(self): return 1\nP = namedtuple('P', 'x')\n") +
                  line);
    EXPECT_FALSE(ran.error().empty()) << line;
  }
  EXPECT_EQ(Ran("import itertools\nitertools.produkt").error(),
            "AttributeError: module 'itertools' has no attribute 'produkt'");
}

TEST(StandardLibrary, WhatItWouldWriteIntoAndDoesNotIsUnknownBelow) {
  for (const char* line : {"operator.iadd(x, 1)", "operator.setitem(x, 0, 5)", "operator.delitem(x, 0)"})
    EXPECT_EQ(Ran("import operator\nx = torch.zeros(3)\n" + std::string(line) + "\nx").error(), "ours") << line;
}

}  // namespace
}  // namespace stridescope

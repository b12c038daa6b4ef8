// Random numbers in place and about others: what the program decides of them holds, whatever was drawn.
#include <cmath>
#include <set>
#include <vector>

#include "ops/program.h"

namespace stridescope {
namespace {

std::vector<double> numbers(const Ran& ran, const char* name) {
  const TensorPtr tensor = ran.tensor(name);
  std::vector<double> all;
  for (int64_t i = 0; tensor && i < *numel(tensor->layout.sizes); ++i)
    all.push_back(as_real(value_at(ran.last(), *tensor, i)));
  return all;
}

TEST(Draw, KeepsWithinItsBounds) {
  struct Bounds {
    const char* call;
    double least, most;
  };
  for (const auto& [call, least, most] :
       {Bounds{"uniform_(2, 3)", 2, 3}, Bounds{"random_(4)", 0, 3}, Bounds{"random_(-2, 1)", -2, 0},
        Bounds{"bernoulli_(0.5)", 0, 1}, Bounds{"exponential_()", 0, INFINITY}, Bounds{"log_normal_()", 0, INFINITY},
        Bounds{"geometric_(0.3)", 1, INFINITY}, Bounds{"normal_(5, 0)", 5, 5}, Bounds{"bernoulli_(1)", 1, 1},
        Bounds{"bernoulli_(torch.zeros(200))", 0, 0}, Bounds{"cauchy_()", -INFINITY, INFINITY}}) {
    const Ran ran(std::string("x = torch.full((200,), 9.)\nx.") + call);
    ASSERT_EQ(ran.error(), "") << call;
    for (const double number : numbers(ran, "x")) {
      EXPECT_GE(number, least) << call;
      EXPECT_LE(number, most) << call;
    }
  }
}

TEST(Draw, HasTheMeanThatWasAskedFor) {
  for (const auto& [call, mean] :
       {std::pair("normal_(3, 2)", 3.0), std::pair("uniform_(0, 4)", 2.0), std::pair("exponential_(2)", 0.5),
        std::pair("geometric_(0.25)", 4.0), std::pair("bernoulli_(0.25)", 0.25), std::pair("random_(10)", 4.5)}) {
    const Ran ran(std::string("x = torch.zeros(4000)\nx.") + call);
    double sum = 0;
    for (const double number : numbers(ran, "x")) sum += number;
    EXPECT_NEAR(sum / 4000, mean, 0.1 * mean) << call;
  }
}

TEST(Draw, IsWrittenInTheCellsOfAView) {
  const Ran ran("x = torch.zeros(2, 3)\nx.t()[1:].fill_(1)\ny = x.t()[1:].uniform_(5, 6)");
  EXPECT_EQ(ran.relation(), Relation::write);
  EXPECT_EQ(ran.layout("y"), "(2, 2):(1, 3)+1");
  const std::vector<double> x = numbers(ran, "x");
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(x[3], 0);
  for (const size_t i : {1U, 2U, 4U, 5U}) EXPECT_GE(x[i], 5);
  EXPECT_TRUE(ran.tensor("x")->storage->drawn);
}

TEST(Draw, GivesOtherNumbersEachTime) {
  const Ran ran("x = torch.zeros(4)\nx.normal_()\ny = x.clone()\nx.normal_()");
  EXPECT_NE(ran.values("x"), ran.values("y"));
}

TEST(Draw, AboutMeansIsPacked) {
  const Ran ran("x = torch.arange(6.).view(2, 3)\ny = torch.normal(x.t(), 0.)");
  EXPECT_EQ(ran.layout("y"), "(3, 2):(2, 1)+0");
  EXPECT_EQ(ran.values("y"), "0.0 3.0 1.0 4.0 2.0 5.0");
}

TEST(Multinomial, TakesEachPlaceOnceAndNoneWithoutWeight) {
  const Ran ran("w = torch.tensor([[1., 0., 2., 3.], [5., 1., 1., 0.]])\ni = torch.multinomial(w, 3)");
  EXPECT_EQ(ran.layout("i"), "(2, 3):(3, 1)+0");
  const std::vector<double> places = numbers(ran, "i");
  EXPECT_EQ(std::set(places.begin(), places.begin() + 3), (std::set<double>{0, 2, 3}));
  EXPECT_EQ(std::set(places.begin() + 3, places.end()), (std::set<double>{0, 1, 2}));
}

TEST(Multinomial, WithReplacementFollowsTheWeights) {
  const Ran ran("i = torch.multinomial(torch.tensor([1., 0., 3.]), 2000, replacement=True)");
  double heavy = 0;
  for (const double place : numbers(ran, "i")) {
    EXPECT_NE(place, 1);
    heavy += place == 2 ? 1 : 0;
  }
  EXPECT_NEAR(heavy / 2000, 0.75, 0.05);
}

TEST(Multinomial, OfStandInsThatAreTooManyToReadGivesStandIns) {
  const Ran ran(
      "w = (torch.randn(500, 4000) @ torch.randn(4000, 4000)).softmax(-1)\ni = torch.multinomial(w, num_samples=1)");
  EXPECT_EQ(ran.error(), "");
  EXPECT_EQ(ran.layout("i"), "(500, 1):(1, 1)+0");
  for (const double place : numbers(ran, "i")) EXPECT_TRUE(place >= 0 && place < 4000) << place;
}

TEST(Draw, FromTheLargestNumberOnIsALimit) {
  EXPECT_EQ(Ran("x = torch.zeros(2, dtype=torch.int64)\nx.random_(2**63 - 1, None)").error(), "ours");
  EXPECT_EQ(Ran("x = torch.zeros(2)\nx.random_(2**24, None)").error(), "ours");
}

TEST(SetStorage, MakesOneObjectReadAnother) {
  const Ran ran("x = torch.zeros(4)\ny = torch.arange(6.)\nx.set_(y, 1, (2, 2), (1, 2))\ny[2] = 9");
  EXPECT_EQ(ran.layout("x"), "(2, 2):(1, 2)+1");
  EXPECT_EQ(ran.values("x"), "1.0 3.0 9.0 4.0");
  EXPECT_EQ(ran.tensor("x")->storage, ran.tensor("y")->storage);
}

TEST(SetStorage, GrowsWhatIsTooShort) {
  const Ran ran("x = torch.zeros(4)\ny = torch.arange(2.)\nx.set_(y, 1, (3,))");
  EXPECT_EQ(ran.tensor("y")->storage_nbytes(), 16);
  EXPECT_EQ(ran.layout("y"), "(2,):(1,)+0");
}

TEST(Fold, AddsUpWhereWindowsOverlap) {
  const std::string imported = "import torch.nn.functional as F\n";
  EXPECT_EQ(Ran(imported + "x = torch.ones(1, 4, 4)\ny = F.fold(x, 3, 2)").values("y"),
            "1.0 2.0 1.0 2.0 4.0 2.0 1.0 2.0 1.0");
  EXPECT_EQ(Ran(imported + "x = torch.arange(16.).view(1, 1, 4, 4)\ny = F.fold(F.unfold(x, 2, stride=2), 4, 2, "
                           "stride=2)\ntorch.equal(x, y)")
                .value(),
            "True");
}

}  // namespace
}  // namespace stridescope

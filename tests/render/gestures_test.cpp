#include <gtest/gtest.h>

#include <algorithm>

#include "render/json_checker.h"
#include "render/report.h"
#include "stridescope.h"

namespace stridescope {
namespace {

const std::string program = "x = torch.arange(12).view(2, 3, 2)\ny = x.permute(0, 2, 1)";

TEST(Gestures, OfATensorAreItsAxesWithTheRangesThatKeepItInside) {
  const std::string json = gestures(evaluate(program), {});
  EXPECT_TRUE(Checker(json).whole()) << json;
  EXPECT_NE(
      json.find(
          R"("name":"dim 1","color":2,"size":{"value":"2","lowest":"1","highest":"2"},"stride":{"value":"1","lowest":"0","highest":"1"})"),
      std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("offset":{"value":"0","lowest":"0","highest":"0"})"), std::string::npos) << json;
  EXPECT_NE(json.find("Dims 1 and 2 cannot be joined"), std::string::npos) << json;
}

TEST(Gestures, TheIdiomsAreMadeOfTheTensorsOwnStrides) {
  const std::string json = gestures(evaluate("x = torch.arange(12).view(3, 4)\ny = x.t()"), {});
  for (const auto& [label, gesture] : {std::pair("contiguous", "as_strided 4 3 3 1 0"),
                                       {"broadcast", "as_strided 3 4 3 0 1 4 0"},
                                       {"transpose", "as_strided 3 4 4 1 0"},
                                       {"flip", "flip 1"},
                                       {"diagonal", "as_strided 3 5 0"},
                                       {"rolling window", "as_strided 4 1 3 1 4 4 0"}})
    EXPECT_NE(json.find("\"label\":\"" + std::string(label) + "\",\"gesture\":\"" + gesture + "\""), std::string::npos)
        << label << "\n"
        << json;
}

TEST(Gestures, ALineIsFoldedAsSquareAsItGoes) {
  const auto folded = [](const char* source) { return gestures(evaluate(source), {}); };
  EXPECT_NE(folded("x = torch.arange(12)").find(R"("gesture":"as_strided 4 3 1 4 0")"), std::string::npos)
      << folded("x = torch.arange(12)");
  EXPECT_NE(folded("x = torch.arange(7)").find(R"("gesture":"as_strided 7 1 1 7 0")"), std::string::npos);
  EXPECT_EQ(folded("x = torch.arange(2).expand(3, 2)").find("contiguous"), std::string::npos)
      << "two cells hold no six";
}

TEST(Gestures, DimensionsThatOneStrideWalksCanBeJoined) {
  const std::string json = gestures(evaluate("x = torch.arange(12).view(3, 4)"), {});
  EXPECT_NE(json.find("\"merge\":true"), std::string::npos) << json;
}

TEST(Gestures, OfNoTensorAreNone) {
  for (const char* source : {"", "n = 3", "x = torch.zeros(0)", "y = x.view("}) {
    EXPECT_EQ(gestures(evaluate(source), {}), "null") << source;
    EXPECT_EQ(shapes(evaluate(source), {}, 2), "null") << source;
  }
}

TEST(Gestures, WrittenAreTheProgramItsStepAndTheLine) {
  EXPECT_EQ(rewritten(evaluate("x = torch.arange(4)"), {}, "flip 0"),
            R"json({"code":"x = torch.arange(4)\u000ay = x.flip(0)","step":1,"line":"y = x.flip(0)"})json");
  EXPECT_TRUE(rewritten(evaluate("x = torch.arange(4)"), {}, "merge 0").starts_with(R"({"refused":[)"));
}

TEST(Gestures, ACellIsReadByTheFirstElementOnIt) {
  const Trace trace = evaluate("x = torch.arange(6).view(2, 3)\ny = x.t()[1:]");
  const auto at = [&](int64_t cell, int storage = 0) { return reader(trace, {}, {Target::Kind::cell, storage, cell}); };
  EXPECT_EQ(at(1), "0");
  EXPECT_EQ(at(4), "1");
  EXPECT_EQ(at(0), "") << "no element of y is there";
  EXPECT_EQ(at(1, 7), "") << "another storage";
  EXPECT_EQ(reader(evaluate("n = 3"), {}, {Target::Kind::cell, 0, 0}), "");
}

TEST(Gestures, ShapesOfARankAreThoseThatViewAndThoseThatWouldCopy) {
  EXPECT_EQ(
      shapes(evaluate(program), {}, 3),
      R"({"views":{"count":"1","shapes":[["2","2","3"]]},"copies":{"count":"17","shapes":[["2","3","2"],["3","2","2"],["1","2","6"],)"
      R"(["1","3","4"],["1","4","3"],["1","6","2"],["2","1","6"],["2","6","1"],["3","1","4"],["3","4","1"],["4","1","3"],["4","3","1"],)"
      R"(["6","1","2"],["6","2","1"],["1","1","12"],["1","12","1"],["12","1","1"]]}})");
}

TEST(Gestures, OfAnArrayCountBytesAndBeginWhereTheArrayDoes) {
  const std::string json = gestures(evaluate("a = np.arange(12).reshape(3, 4)[:, 1:]"), {});
  EXPECT_TRUE(Checker(json).whole()) << json;
  EXPECT_NE(json.find(R"("stride":{"value":"32",)"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("offset":{"value":"8","lowest":"8","highest":"8"})"), std::string::npos) << json;
}

TEST(Gestures, StridesThatAreNoMultiplesOfAnElementHaveRangesInElements) {
  const std::string json =
      gestures(evaluate("b = np.zeros(40, dtype=np.int8)\na = np.ndarray((2,), np.int64, b, 13, (-12,))"), {});
  EXPECT_TRUE(Checker(json).whole()) << json;
  EXPECT_NE(json.find(R"("stride":{"value":"-12","lowest":"-8","highest":"24"})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("size":{"value":"2","lowest":"1","highest":"2"})"), std::string::npos) << json;
}

TEST(Gestures, OfANumberWithoutDimensionsThereIsNothingToTurnAround) {
  const std::string json = gestures(evaluate("x = torch.arange(7)[3]"), {});
  EXPECT_TRUE(Checker(json).whole()) << json;
  EXPECT_EQ(json.find("\"gesture\":\"flip"), std::string::npos) << json;
}

TEST(Gestures, OfALongLineAreFoundWithoutTryingEveryDivisor) {
  const std::string json = gestures(evaluate("x = torch.arange(2 * 16777259)"), {});
  EXPECT_NE(json.find(R"("gesture":"as_strided 16777259 2 1 16777259 0")"), std::string::npos) << json;
}

TEST(Gestures, AreRefusedWhereNothingIsDrawnOrKnown) {
  EXPECT_TRUE(rewritten(evaluate("x = torch.arange(4)"), {}, "dance 1").starts_with(R"({"refused":[)"));
  for (const char* source : {"", "n = 3"})
    EXPECT_TRUE(rewritten(evaluate(source), {}, "flip 0").starts_with(R"({"refused":[)")) << source;
  ViewState question;
  question.ask = true;
  EXPECT_TRUE(rewritten(evaluate("x = torch.arange(4)"), question, "flip 0").starts_with(R"({"refused":[)"));
  const Trace trace = evaluate("x = torch.arange(4)");
  EXPECT_EQ(reader(trace, {}, {Target::Kind::element, 0, 0}), "");
  EXPECT_EQ(reader(evaluate(""), {}, {Target::Kind::cell, 0, 0}), "");
  EXPECT_EQ(reader(evaluate("x = torch.zeros(0)"), {}, {Target::Kind::cell, 0, 0}), "");
}

TEST(Gestures, AStorageWithoutCellsHasNothingToFoldAndALongDimensionManySplits) {
  EXPECT_EQ(gestures(evaluate("x = torch.zeros(0, 3)"), {}).find(R"("gesture":"as_strided)"), std::string::npos);
  const auto splits = [](const char* source) {
    const std::string json = gestures(evaluate(source), {});
    const size_t at = json.find(R"("splits":[)");
    const std::string list = json.substr(at, json.find(']', at) - at);
    return std::count(list.begin(), list.end(), ',') + 1;
  };
  EXPECT_EQ(splits("x = torch.zeros(4)"), 1);
  EXPECT_LT(splits("x = torch.zeros(5040)"), 40);
  EXPECT_NE(gestures(evaluate("x = torch.zeros(1).expand(3, 5)"), {}).find(R"("splits")"), std::string::npos);
}

}  // namespace
}  // namespace stridescope

#include <gtest/gtest.h>

#include "render/json_checker.h"
#include "stridescope.h"

namespace stridescope {
namespace {

std::string judge(const char* program, const Guess& guess, int op = -1) {
  ViewState view;
  view.op = op;
  const std::string json = judged(evaluate(program), view, guess);
  EXPECT_TRUE(Checker(json).whole()) << json;
  return json;
}

std::string right(std::string_view truth) { return "{\"right\":true,\"truth\":\"" + std::string(truth) + "\"}"; }
std::string wrong(std::string_view truth) { return "{\"right\":false,\"truth\":\"" + std::string(truth) + "\"}"; }

constexpr const char* transposed = "x = torch.arange(35).view(5, 7)\ny = x.t()";

TEST(Judged, EachPartOfAGuessByItself) {
  const std::string asked = R"({"input":"x","bytes":false,"kind":)";
  EXPECT_EQ(judge(transposed, {"view", "(7, 5)", "(1, 7)"}),
            asked + right("view") + ",\"sizes\":" + right("(7, 5)") + ",\"strides\":" + right("(1, 7)") + "}");
  EXPECT_EQ(judge(transposed, {"copy", "(7, 5)", "(5, 1)"}),
            asked + wrong("view") + ",\"sizes\":" + right("(7, 5)") + ",\"strides\":" + wrong("(1, 7)") + "}");
  EXPECT_EQ(judge(transposed, {}),
            asked + wrong("view") + ",\"sizes\":" + wrong("(7, 5)") + ",\"strides\":" + wrong("(1, 7)") + "}");
}

TEST(Judged, AListAsAnybodyWritesIt) {
  for (const char* text : {"(7, 5)", "7,5", " 7\t5 ", "[7,5]", "torch.Size([7, 5])", "7, 5,", "\uff087\uff0c5\uff09"})
    EXPECT_NE(judge(transposed, {"", text, ""}).find(right("(7, 5)")), std::string::npos) << text;
  for (const char* text : {"", " ", "()", "7", "5 7", "7 5 1", "7x5", "7.0 5.0", "7-5", "7 five", "75", "0x7 5",
                           "99999999999999999999 5", "<b>7</b> 5", "\xff", "\xef\xbc", "torch.Size", "+7 5"})
    EXPECT_NE(judge(transposed, {"", text, ""}).find(wrong("(7, 5)")), std::string::npos) << text;
  EXPECT_NE(judge("torch.tensor(5)", {"", "()", ""}).find("\"sizes\":" + right("()")), std::string::npos);
  EXPECT_NE(judge("torch.tensor(5)", {"", "", "()"}).find("\"sizes\":" + wrong("()")), std::string::npos);
  std::string long_list;
  for (int i = 0; i < 100; ++i) long_list += "1 ";
  EXPECT_NE(judge(transposed, {"", long_list, ""}).find(wrong("(7, 5)")), std::string::npos);
}

TEST(Judged, OnlyWhatThereIs) {
  for (const auto& [program, kind] : {std::pair("x = torch.arange(6).view(3, 2).t()\nx.view(-1)", "error"),
                                      {"x = torch.arange(6)\nx.stride()", "none"},
                                      {"x = torch.arange(6)\nx[0] = 1", "write"},
                                      {"nonesuch", "error"},
                                      {"x = torch.arange(", "error"}}) {
    const std::string json = judge(program, {kind, "1", "1"});
    EXPECT_NE(json.find("\"kind\":" + right(kind) + ",\"sizes\":null,\"strides\":null}"), std::string::npos) << json;
  }
}

TEST(Judged, EveryKindThereIs) {
  for (const auto& [program, kind] : {std::pair("x = torch.arange(6)", "new"),
                                      {"x = torch.arange(6)\ny = x", "same"},
                                      {"x = torch.arange(6)\ny = x.clone()", "copy"},
                                      {"x = torch.arange(6)\nx.add_(1)", "write"},
                                      {"x = torch.arange(6)\ny = x.contiguous()", "same"},
                                      {"x = torch.arange(6)\ny = x.view(2, 3)", "view"}})
    EXPECT_NE(judge(program, {kind, "", ""}).find("\"kind\":" + right(kind)), std::string::npos) << program;
}

TEST(Judged, TheOperationThatIsShown) {
  const char* program = "y = torch.arange(12).view(3, 4).t().reshape(-1)";
  EXPECT_NE(judge(program, {"view", "4 3", "1 4"}, 2).find(right("(1, 4)")), std::string::npos);
  EXPECT_NE(judge(program, {"copy", "12", "1"}, 3).find(right("(12,)")), std::string::npos);
}

TEST(Judged, AnArraysStridesAreInBytes) {
  const std::string json = judge("a = np.arange(6).reshape(2, 3)\nb = a[::-1]", {"view", "2 3", "-24 8"});
  EXPECT_NE(json.find("\"input\":\"a\",\"bytes\":true"), std::string::npos) << json;
  EXPECT_NE(json.find(right("(-24, 8)")), std::string::npos) << json;
}

TEST(Judged, NothingWhereThereIsNoStep) { EXPECT_EQ(judge("", {"view", "", ""}), "null"); }

}  // namespace
}  // namespace stridescope

#include "lang/cursor.h"

#include <gtest/gtest.h>

#include <string>

namespace stridescope {
namespace {

/// A program with '|' where the cursor is.
struct At {
  explicit At(std::string marked) : source(std::move(marked)) {
    const size_t bar = source.find('|');
    source.erase(bar, 1);
    cursor = cursor_at(source, static_cast<int64_t>(bar));
  }
  std::string text(Span span) const {
    return source.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
  }
  std::string source;
  Cursor cursor;
};

/// "member of x.t()", "name", "other": the place, and what is typed there.
std::string place(const std::string& marked) {
  const At at(marked);
  const std::string typed = at.cursor.typed.empty() ? "" : " " + std::string(at.cursor.typed);
  switch (at.cursor.place) {
    case Cursor::Place::other: return "other";
    case Cursor::Place::name: return "name" + typed;
    case Cursor::Place::member: return "member of " + at.text(at.cursor.owner) + typed;
  }
  return "";
}

/// "f(1,a): b" of every open call, the outermost first: finished arguments, then the one the cursor is in.
std::string calls(const std::string& marked) {
  const At at(marked);
  std::string text;
  for (const OpenCall& call : at.cursor.calls) {
    text += (text.empty() ? "" : " ") + at.text(call.callee) + (call.subscript ? "[" : "(") +
            std::to_string(call.positional);
    for (const std::string_view name : call.named) (text += ",") += name;
    text += ")";
    if (!call.name.empty()) text.append(" in ").append(call.name);
  }
  return text;
}

TEST(Cursor, AtTheBeginningOfAStatementANameFits) {
  EXPECT_EQ(place("|"), "name");
  EXPECT_EQ(place("x = 1\n|"), "name");
  EXPECT_EQ(place("x = 1; |"), "name");
  EXPECT_EQ(place("x = f(\n|"), "name");
  EXPECT_EQ(place("tor|"), "name tor");
  EXPECT_EQ(place("t|orch"), "name t");
  EXPECT_EQ(place("y = x[|]"), "name");
  EXPECT_EQ(place("y = a + |"), "name");
  EXPECT_EQ(place("y = a if |"), "name");
}

TEST(Cursor, AfterADotTheOwnerIsTheWholeExpressionBeforeIt) {
  EXPECT_EQ(place("x.|"), "member of x");
  EXPECT_EQ(place("y = a + x.t().vi|ew(1)"), "member of x.t() vi");
  EXPECT_EQ(place("y = torch.cat([a, x[0, 1].|"), "member of x[0, 1]");
  EXPECT_EQ(place("(a + b).|"), "member of (a + b)");
  EXPECT_EQ(place("f(x)(y)[0].a.|"), "member of f(x)(y)[0].a");
  EXPECT_EQ(place("True.|"), "member of True");
  EXPECT_EQ(place("x = 1\n.|"), "other");
}

TEST(Cursor, InsideStringsCommentsAndNumbersAndAfterOperandsNothingFits) {
  for (const char* text : {"x = 'a|b'", "x = 1  # com|ment", "# |", "x = 1|", "x = 3.|", "x |", "x = f() |", "x *|*= 2",
                           "x = \"open|", "x = 'open\n'|", "x = \xE2|\x80", "x = None |", "x = True |", "x = False |"})
    EXPECT_EQ(place(text), "other") << text;
}

TEST(Cursor, ANameIsReplacedWhole) {
  const At at("y = x.per|mute(1)");
  EXPECT_EQ(at.text(at.cursor.word), "permute");
  const At none("y = x.|");
  EXPECT_EQ(none.cursor.word, (Span{6, 6}));
}

TEST(Cursor, CountsFinishedArgumentsOfEveryOpenCall) {
  EXPECT_EQ(calls("f(|"), "f(0)");
  EXPECT_EQ(calls("f(1, g(2), |"), "f(2)");
  EXPECT_EQ(calls("f(1, a=2, |)"), "f(1,a)");
  EXPECT_EQ(calls("f(1, a=|)"), "f(1) in a");
  EXPECT_EQ(calls("torch.cat([x, y|], dim=0)"), "torch.cat(0)");
  EXPECT_EQ(calls("y = x.t().view(x[0, |"), "x.t().view(0) x[1)");
  EXPECT_EQ(calls("f(1)|"), "");
  EXPECT_EQ(calls("(1, |"), "");
  EXPECT_EQ(calls("x{1, |"), "");
  EXPECT_EQ(calls("f(1)(2, |"), "f(1)(1)");
  EXPECT_EQ(calls("print(2, f(3)|"), "print(1)");
}

TEST(Cursor, AnOpenCallEndsWithItsLineUnlessTheNextIsIndented) {
  EXPECT_EQ(calls("f(1,\n|"), "");
  EXPECT_EQ(calls("f(1,\n  |"), "f(1)");
  EXPECT_EQ(calls("f(1,\n|2)"), "f(1)");
  EXPECT_EQ(calls("f(1,\ng(2, |"), "g(1)");
}

TEST(Cursor, IsTotal) {
  const std::string pieces[] = {"x",   ".",  "(",  ")", "[",  "]", ",",    "=",
                                " ",   "\n", "'",  "#", "\\", ";", "\xE2", "\xE4\xBD\xA0",
                                "for", "1",  "**", "  "};
  uint64_t state = 1;
  const auto random = [&](size_t n) {
    return static_cast<size_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % n;
  };
  for (int round = 0; round < 5'000; ++round) {
    std::string source;
    for (size_t i = random(12); i > 0; --i) source += pieces[random(std::size(pieces))];
    for (int64_t position = -1; position <= static_cast<int64_t>(source.size()) + 1; ++position) {
      const Cursor cursor = cursor_at(source, position);
      const auto inside = [&](Span span) {
        return 0 <= span.begin && span.begin <= span.end && span.end <= static_cast<int32_t>(source.size());
      };
      ASSERT_TRUE(inside(cursor.word) && inside(cursor.owner)) << source;
      ASSERT_TRUE(0 <= cursor.statement && cursor.statement <= static_cast<int32_t>(source.size())) << source;
      for (const OpenCall& call : cursor.calls)
        ASSERT_TRUE(inside(call.callee) && call.callee.begin < call.callee.end) << source;
    }
  }
}

}  // namespace
}  // namespace stridescope
